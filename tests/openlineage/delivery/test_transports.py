"""Every kind of transport behind the spool: HTTP, several at once, Kafka, files, one of the user's own."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest
from openlineage.client.transport import (
    AsyncHttpConfig,
    AsyncHttpTransport,
    HttpConfig,
    HttpTransport,
    KafkaConfig,
    KafkaTransport,
    Transport,
    get_default_factory,
)
from openlineage.client.transport.http_common import DEFAULT_RETRY_CONFIG
from tests.openlineage.delivery.conftest import segments
from tests.openlineage.delivery.job import QUICK, event
from tests.openlineage.delivery.receiver import Receiver, wait_until

from headwater.capture.settings.client import make_client
from headwater.openlineage.delivery.delivery import Delivery
from headwater.openlineage.delivery.remote import delivered, deliveries, delivery_counts, wait_for_delivery
from headwater.openlineage.delivery.spool import SpoolSettings
from headwater.openlineage.delivery.transports import acknowledging


def made(config: dict[str, Any]) -> Transport:
    return get_default_factory().create(config)


@pytest.mark.parametrize(
    "config",
    [
        {"type": "console"},
        {"type": "noop"},
        {"type": "file", "log_file_path": "events.jsonl"},
        {"type": "headwater.store.transport.StoreTransport", "store": "lineage.db"},
    ],
)
def test_what_stays_on_this_machine_is_not_spooled(config: dict[str, Any], spool: Path) -> None:
    transport = made(config)
    assert delivered(transport, SpoolSettings(str(spool))) is transport
    assert list(deliveries(transport)) == []


@pytest.mark.parametrize("kind", ["http", "async_http"])
def test_a_client_delivers_over_http_by_way_of_the_spool(receiver: Receiver, spool: Path, kind: str) -> None:
    client = make_client({"type": kind, "url": receiver.url}, None, SpoolSettings(str(spool)))
    for number in range(3):
        client.emit(event(number))
    assert wait_for_delivery(client.transport, 10)
    assert delivery_counts(client.transport).sent == 3
    assert client.close(60)
    assert receiver.numbers == [0, 1, 2]
    assert list(spool.glob("*/endpoint.json")) != []


def test_a_store_that_is_a_server_is_sent_to_with_its_token(receiver: Receiver, spool: Path) -> None:
    url = receiver.url.replace("http://", "http://hunter2@")
    client = make_client(None, f"{url}/base", SpoolSettings(str(spool)))
    client.emit(event(1))
    assert client.close(60)
    assert receiver.headers[0]["path"] == "/base/api/v1/lineage"
    assert receiver.headers[0]["Authorization"] == "Bearer hunter2"
    assert [path for path in spool.rglob("*") if path.is_file() and b"hunter2" in path.read_bytes()] == []


def test_of_many_endpoints_one_that_is_down_holds_up_no_other(receiver: Receiver, spool: Path, tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    config = {
        "type": "composite",
        "transports": [
            {"type": "http", "url": "http://localhost:9"},
            {"type": "async_http", "url": receiver.url},
            {"type": "file", "log_file_path": str(file), "append": True},
        ],
    }
    client = make_client(config, None, SpoolSettings(str(spool)))
    for number in range(3):
        client.emit(event(number))
    assert not wait_for_delivery(client.transport, 10)
    assert not client.close(60)
    assert receiver.numbers == [0, 1, 2]
    assert len(file.read_text().splitlines()) == 3
    counts = delivery_counts(client.transport)
    assert (counts.sent, counts.spooled) == (3, 3)


def test_where_the_first_success_is_enough_the_spool_is_for_all_together(receiver: Receiver, spool: Path) -> None:
    config = {
        "type": "composite",
        "continue_on_success": False,
        "transports": [{"type": "http", "url": "http://localhost:9"}, {"type": "async_http", "url": receiver.url}],
    }
    transport = delivered(made(config), SpoolSettings(str(spool)))
    assert isinstance(transport, Delivery)
    transport.emit(event(1))
    assert transport.close(60)
    assert receiver.numbers == [1]


def test_events_are_transformed_before_they_are_spooled(receiver: Receiver, spool: Path) -> None:
    config = {
        "type": "transform",
        "transport": {"type": "http", "url": receiver.url},
        "transformer_class": "openlineage.client.transport.transform.transformers.job_namespace_replace_transformer"
        ".JobNamespaceReplaceTransformer",
        "transformer_properties": {"new_job_namespace": "renamed"},
    }
    client = make_client(config, None, SpoolSettings(str(spool)))
    client.emit(event(1))
    assert client.close(60)
    assert receiver.events[0]["job"]["namespace"] == "renamed"


def test_the_retries_of_http_are_off_unless_the_user_chose_them() -> None:
    assert cast("HttpTransport", acknowledging(HttpTransport(HttpConfig("http://x")))).config.retry == {"total": False}
    chosen = {**DEFAULT_RETRY_CONFIG, "total": 2}
    for transport in (
        HttpTransport(HttpConfig("http://x", retry=chosen)),
        AsyncHttpTransport(AsyncHttpConfig("http://x", retry=chosen)),
    ):
        assert cast("HttpTransport", acknowledging(transport)).config.retry == chosen


class Producer:
    """What confluent_kafka's producer does, as far as it matters here."""

    def __init__(self, outcome: str) -> None:
        self.outcome = outcome
        self.sent: list[tuple[str, str]] = []
        self.purged = 0
        self._told: Any = None

    def produce(self, *, topic: str, key: str, value: bytes, on_delivery: Any) -> None:  # noqa: ANN401 (a callback)
        self.purged = 0
        self.sent.append((f"{topic} {key}", json.loads(value)["job"]["name"]))
        self._told = on_delivery

    def flush(self, timeout: float) -> int:
        assert timeout >= 0
        if self.outcome == "silence":
            return 1 - self.purged
        self._told("_MSG_TIMED_OUT" if self.outcome == "error" else None, None)
        return 0

    def purge(self) -> None:
        self.purged = 1


@pytest.mark.parametrize(
    ("outcome", "arrived", "error"),
    [("ok", 1, ""), ("error", 0, "_MSG_TIMED_OUT"), ("silence", 0, "no broker answered in time")],
)
def test_kafka_says_whether_an_event_arrived(
    spool: Path, monkeypatch: pytest.MonkeyPatch, outcome: str, arrived: int, error: str
) -> None:
    producer = Producer(outcome)
    monkeypatch.setattr(KafkaTransport, "_setup_producer", lambda self, _config: setattr(self, "producer", producer))
    kafka = KafkaTransport(KafkaConfig({"bootstrap.servers": "broker:9092", "sasl.password": "hunter2"}, "lineage"))
    delivery = Delivery(acknowledging(kafka), SpoolSettings(str(spool)), QUICK)
    delivery.emit(event(7))
    assert delivery.wait_for_completion() == bool(arrived)
    producer.outcome = "ok"
    wait_until(lambda: delivery.counts().sent == 1)
    assert Counter(producer.sent)["lineage run:jobs/7", "7"] >= 2 - arrived
    assert delivery.counts().last_error == error
    (described,) = spool.glob("*/endpoint.json")
    assert json.loads(described.read_text()) == {"type": "kafka", "address": "broker:9092/lineage"}
    delivery.close(60)


class Strict(Transport):
    """A transport of somebody's own."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def emit(self, event: Any) -> None:  # noqa: ANN401 (whatever comes)
        if event.job.name == "1":
            raise ValueError("not this one")
        self.seen.append(f"{type(event).__name__} {event.job.name} {event.outputs[0].name}")


def test_a_transport_of_ones_own_gets_events_and_may_refuse_them(spool: Path) -> None:
    transport = Strict()
    delivery = delivered(transport, SpoolSettings(str(spool)))
    for number in range(3):
        delivery.emit(event(number))
    assert delivery.close(60)
    assert transport.seen == ["RunEvent 0 table", "RunEvent 2 table"]
    assert delivery_counts(delivery).rejected == 1


def test_nothing_is_sent_on_by_a_transport_whose_address_is_not_known(spool: Path) -> None:
    class Down(Strict):
        def emit(self, event: Any) -> None:  # noqa: ANN401
            raise ConnectionError(str(event.job.name))

    first = delivered(Down(), SpoolSettings(str(spool)))
    first.emit(event(0))
    first.close(60)
    Down.emit = Strict.emit  # type: ignore[method-assign]
    second = Down()
    delivery = delivered(second, SpoolSettings(str(spool)))
    delivery.emit(event(2))
    assert delivery.close(60)
    assert second.seen == ["RunEvent 2 table"]
    assert len(segments(spool)) == 1
