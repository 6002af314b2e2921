"""A job without Spark: it sends numbered events to an endpoint; in a process of its own, it can be killed.

    python job.py '{"url": "http://localhost:5000", "spool": "/tmp/spool", "numbers": [0, 200]}'

It prints each number once `emit` has returned, then, unless told otherwise, waits for its standard input to end.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from openlineage.client.event_v2 import Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.transport import HttpConfig, HttpTransport

from headwater.common.backoff import Pace
from headwater.openlineage.delivery.delivery import Delivery
from headwater.openlineage.delivery.spool import SpoolSettings
from headwater.openlineage.delivery.transports import acknowledging

QUICK = Pace(first=0.02, longest=0.1)


def event(number: int, text: str = "") -> RunEvent:
    """An event that is told by its number."""
    return RunEvent(
        eventTime=f"2026-01-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}Z",
        eventType=RunState.COMPLETE,
        producer="https://test",
        run=Run(runId=str(uuid5(NAMESPACE_URL, str(number)))),
        job=Job(namespace="jobs", name=f"{number}"),
        inputs=[],
        outputs=[OutputDataset(namespace="lake", name=f"table{text}")],
    )


def delivery_to(url: str, settings: SpoolSettings, pace: Pace = QUICK, **config: Any) -> Delivery:  # noqa: ANN401
    """A delivery over HTTP; `config` is any of HttpConfig's."""
    return Delivery(acknowledging(HttpTransport(HttpConfig(url=url, **config))), settings, pace)


def _say(*words: object) -> None:
    print(*words, flush=True)  # noqa: T201 (the test reads it)


def _fork(delivery: Delivery) -> None:
    """A child that uses what it has inherited, and outlives its parent."""
    if os.fork() == 0:
        # They get the numbers of the files that the fork let go of.
        files = [tempfile.TemporaryFile() for _ in range(5)]  # noqa: SIM115
        delivery.emit(event(999))
        closed, waited = delivery.close(), delivery.wait_for_completion()
        _say("child", os.getpid(), closed, waited, sum(os.fstat(file.fileno()).st_size for file in files))
        time.sleep(60)
        os._exit(0)


def main() -> None:
    """Run as the command line says."""
    told = json.loads(sys.argv[1])
    settings = SpoolSettings(told["spool"], **told.get("settings", {}))
    delivery = delivery_to(told["url"], settings)
    for number in range(*told["numbers"]):
        delivery.emit(event(number))
        _say(number)
    if told.get("fork"):
        _fork(delivery)
    if told.get("then") == "close":
        _say(delivery.close(60), delivery.counts().dropped)
    elif told.get("then") != "exit":
        sys.stdin.read()


if __name__ == "__main__":
    main()
