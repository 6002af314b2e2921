"""A real Kafka for the tests: the broker and Spark's connector, as jars from Maven Central."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyspark
from tests.maven import Artifact, NotFetched, fetch
from tests.postgres import free_port

START_SECONDS = 90
BROKER = "4.1.2"
# Spark's connector and what it needs, by the version of Spark. Not every version of every part is on Maven Central: the
# parts nearest to Spark's own are taken one by one, without what they say they need.
_CONNECTORS = {
    "3.5": (
        Artifact("org.apache.spark", "spark-sql-kafka-0-10_2.12", "3.5.7", alone=True),
        Artifact("org.apache.spark", "spark-token-provider-kafka-0-10_2.12", "3.5.7", alone=True),
        Artifact("org.apache.kafka", "kafka-clients", "3.4.1", alone=True),
        Artifact("org.apache.commons", "commons-pool2", "2.11.1", alone=True),
    ),
    "4.1": (
        Artifact("org.apache.spark", "spark-sql-kafka-0-10_2.13", "4.1.3", alone=True),
        Artifact("org.apache.spark", "spark-token-provider-kafka-0-10_2.13", "4.0.0", alone=True),
        Artifact("org.apache.kafka", "kafka-clients", "3.9.1", alone=True),
        Artifact("org.apache.commons", "commons-pool2", "2.12.1", alone=True),
    ),
}
_CLUSTER = "4L6g3nShT-eMCtK--X86sw"


class NoKafka(Exception):  # noqa: N818 (a sentence for whoever runs the tests)
    """Its jars cannot be had."""


@dataclass(frozen=True)
class Jars:
    """Where the jars are: the broker's in a folder, the connector's one by one."""

    broker: Path
    connector: tuple[Path, ...]


@dataclass(frozen=True)
class Kafka:
    """A broker that is running. Topics come into being with the first message."""

    port: int

    @property
    def servers(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def namespace(self) -> str:
        """What OpenLineage calls the broker."""
        return f"kafka://{self.servers}"


def fetch_jars(java: Path, folder: Path) -> Jars:
    """Bring the jars into a folder.

    Raises:
        NoKafka: Maven Central does not answer, or there is no connector for this Spark.
    """
    parts = _CONNECTORS.get(pyspark.__version__.rpartition(".")[0])
    if parts is None:
        raise NoKafka(f"a Kafka connector for Spark {pyspark.__version__}, which Maven Central does not have")
    broker = Artifact("org.apache.kafka", "kafka_2.13", BROKER)
    try:
        found = fetch(java, folder, {"broker": [broker], "connector": parts})
    except NotFetched as error:
        raise NoKafka(str(error)) from error
    return Jars(folder / "broker", found["connector"])


@contextmanager
def running_kafka(java: Path, jars: Jars, folder: Path) -> Iterator[Kafka]:
    """A broker of one's own, its own controller too, on free ports; it stops at the end."""
    broker, controller = Kafka(free_port()), free_port()
    settings = folder / "server.properties"
    chosen = {
        "process.roles": "broker,controller",
        "node.id": "1",
        "listeners": f"PLAINTEXT://{broker.servers},CONTROLLER://127.0.0.1:{controller}",
        "controller.listener.names": "CONTROLLER",
        "controller.quorum.voters": f"1@127.0.0.1:{controller}",
        "log.dirs": str(folder / "data"),
        "offsets.topic.replication.factor": "1",
        "transaction.state.log.replication.factor": "1",
        "transaction.state.log.min.isr": "1",
        "group.initial.rebalance.delay.ms": "0",
    }
    settings.write_text("".join(f"{key}={value}\n" for key, value in chosen.items()), encoding="utf-8")
    program = [str(java), "-Xmx384m", "-cp", f"{jars.broker}/*"]
    subprocess.run(
        [*program, "kafka.tools.StorageTool", "format", "-t", _CLUSTER, "-c", str(settings)],
        check=True,
        capture_output=True,
    )
    with (folder / "log").open("wb") as log, subprocess.Popen(
        [*program, "kafka.Kafka", str(settings)], cwd=folder, stdout=log, stderr=log
    ) as process:  # fmt: skip
        try:
            _wait(broker, process, folder / "log")
            yield broker
        finally:
            # Nobody needs what is in it: an orderly stop would take seconds.
            process.send_signal(signal.SIGKILL)
            process.wait(START_SECONDS)
            shutil.rmtree(folder / "data", ignore_errors=True)


def _wait(broker: Kafka, process: subprocess.Popen[bytes], log: Path) -> None:
    """The broker listens as soon as it is ready."""
    until = time.monotonic() + START_SECONDS
    while not _listens(broker.port):
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"Kafka did not start:\n{log.read_text(encoding='utf-8', errors='replace')}")
        time.sleep(0.2)


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0
