"""Endpoints that are down, slow or refuse, and disks that take nothing: the job notices none of it."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from uuid import uuid4

import pytest
from openlineage.client.event_v2 import (
    DatasetEvent,
    InputDataset,
    Job,
    JobEvent,
    OutputDataset,
    Run,
    RunEvent,
    StaticDataset,
)
from openlineage.client.generated.parent_run import Job as ParentJob
from openlineage.client.generated.parent_run import ParentRunFacet
from openlineage.client.generated.parent_run import Run as ParentRun
from openlineage.client.generated.schema_dataset import SchemaDatasetFacet
from openlineage.client.serde import Serde
from openlineage.client.transport import (
    HttpConfig,
    HttpTransport,
    Transport,
)
from tests.openlineage.delivery.conftest import Deliver, segments
from tests.openlineage.delivery.job import QUICK, event
from tests.openlineage.delivery.receiver import Receiver, wait_until

from headwater.common.backoff import Pace
from headwater.openlineage.build.rebuild import rebuilt
from headwater.openlineage.delivery.delivery import Delivery
from headwater.openlineage.delivery.spool import SpoolSettings
from headwater.openlineage.delivery.transports import acknowledging


def test_events_arrive_in_order_and_nothing_stays_on_disk(receiver: Receiver, deliver: Deliver, spool: Path) -> None:
    delivery = deliver()
    for number in range(30):
        delivery.emit(event(number))
    assert delivery.wait_for_completion()
    assert receiver.numbers == list(range(30))
    assert delivery.close()
    assert delivery.counts().sent == 30
    assert segments(spool) == []


PARENT = ParentRunFacet(run=ParentRun(runId=str(uuid4())), job=ParentJob(namespace="jobs", name="parent"))
OUTPUT = OutputDataset(namespace="lake", name="out", facets={"schema": SchemaDatasetFacet(fields=[])})


@pytest.mark.parametrize(
    "made",
    [
        event(1),
        RunEvent(eventTime="2026-01-01T00:00:00Z", run=Run(str(uuid4()), {"parent": PARENT}), job=Job("jobs", "1")),
        JobEvent(eventTime="2026-01-01T00:00:00+01:00", job=Job("jobs", "1"), outputs=[OUTPUT], producer="https://x"),
        DatasetEvent(eventTime="2026-01-01T00:00:00Z", dataset=StaticDataset("lake", "é", facets={})),
    ],
)
def test_an_event_is_the_same_after_the_spool(made: RunEvent | JobEvent | DatasetEvent) -> None:
    written = Serde.to_json(made)
    assert Serde.to_json(rebuilt(json.loads(written))) == written


def test_the_event_that_arrives_is_the_one_that_was_sent(receiver: Receiver, deliver: Deliver) -> None:
    delivery = deliver()
    delivery.emit(event(1))
    assert delivery.close(60)
    assert receiver.events == [Serde.to_dict(event(1))]


def test_what_waits_for_an_endpoint_that_is_down_is_sent_in_order_when_it_is_back(
    receiver: Receiver, deliver: Deliver, said: pytest.LogCaptureFixture
) -> None:
    receiver.stop()
    delivery = deliver()
    for number in range(20):
        delivery.emit(event(number))
    assert not delivery.wait_for_completion()
    assert delivery.counts().spooled == 20
    assert delivery.counts().last_error == "Connection refused"
    receiver.start()
    for number in range(20, 25):
        delivery.emit(event(number))
    wait_until(lambda: delivery.counts().sent == 25)
    assert receiver.numbers == list(range(25))
    assert (
        len([record for record in said.records if "does not accept events (Connection refused)" in record.message]) == 1
    )
    assert "accepts events again" in said.text


def test_the_next_application_sends_what_one_has_left(receiver: Receiver, deliver: Deliver, spool: Path) -> None:
    receiver.stop()
    first = deliver()
    for number in range(10):
        first.emit(event(number))
    assert not first.close(60)
    receiver.start()
    second = deliver()
    wait_until(lambda: second.counts().recovered == 10)
    second.emit(event(10))
    assert second.close(60)
    assert receiver.numbers == list(range(11))
    assert (second.counts().sent, segments(spool)) == (1, [])


def test_own_events_do_not_wait_behind_what_others_have_left(receiver: Receiver, deliver: Deliver) -> None:
    receiver.stop()
    first = deliver()
    for number in range(200):
        first.emit(event(number))
    first.close(60)
    second: list[Delivery] = []

    def answer(number: int) -> int:
        if number == 0:
            second[0].emit(event(1000))
        return 200

    receiver.answer = answer
    receiver.start()
    second.append(deliver())
    wait_until(lambda: second[0].counts().recovered == 200)
    assert receiver.numbers == [0, 1000, *range(1, 200)]


def test_an_endpoint_gets_nothing_that_was_meant_for_another(receiver: Receiver, deliver: Deliver, spool: Path) -> None:
    other = deliver(url="http://localhost:9")
    other.emit(event(1))
    other.close(60)
    delivery = deliver()
    delivery.emit(event(2))
    assert delivery.close(60)
    assert receiver.numbers == [2]
    assert len(segments(spool)) == 1


def test_an_endpoint_that_never_answers_is_not_waited_for(receiver: Receiver, deliver: Deliver) -> None:
    receiver.answer = lambda _number: None
    delivery = deliver(timeout=50)
    for number in range(5):
        delivery.emit(event(number))
    wait_until(lambda: receiver.asked == 1)
    assert not delivery.wait_for_completion(0.1)
    assert not delivery.close(0.1)
    assert not receiver.over.is_set()
    assert delivery.counts().spooled == 5


def test_an_endpoint_that_was_too_slow_before_gets_no_last_try(
    receiver: Receiver, deliver: Deliver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headwater.openlineage.delivery.delivery._SLOW_SECONDS", 0.05)
    receiver.answer = lambda _number: None
    delivery = deliver(timeout=0.2, pace=Pace(first=60, longest=60))
    delivery.emit(event(1))
    assert not delivery.wait_for_completion()
    assert not delivery.close()
    assert receiver.asked == 1


def test_an_endpoint_that_was_too_slow_before_is_not_waited_for_again(
    spool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headwater.openlineage.delivery.delivery._SLOW_SECONDS", 0.05)

    class Slow(Transport):
        def __init__(self) -> None:
            self.tried = threading.Semaphore(0)
            self.over = threading.Event()
            self.ended = 0

        def emit(self, event: object) -> None:
            self.tried.release()
            self.over.wait(30 if self.ended else 0.1)
            self.ended += 1
            raise TimeoutError(type(event).__name__)

    transport = Slow()
    delivery = Delivery(transport, SpoolSettings(str(spool)), QUICK)
    delivery.emit(event(1))
    assert transport.tried.acquire(timeout=60)
    assert transport.tried.acquire(timeout=60)
    assert not delivery.close()
    assert transport.ended == 1
    transport.over.set()


def test_what_others_have_left_is_not_waited_for(receiver: Receiver, deliver: Deliver, spool: Path) -> None:
    receiver.stop()
    first = deliver()
    for number in range(20):
        first.emit(event(number))
    first.close(60)
    asked, go_on = threading.Event(), threading.Event()

    def answer(_number: int) -> int:
        asked.set()
        go_on.wait(60)
        return 200

    receiver.answer = answer
    receiver.start()
    second = deliver()
    assert asked.wait(60)
    closing = threading.Thread(target=second.close)
    closing.start()
    wait_until(lambda: second._closing)
    go_on.set()
    closing.join()
    assert receiver.numbers == [0]
    assert len(segments(spool)) == 1


def test_what_happens_while_it_closes_is_kept(receiver: Receiver, deliver: Deliver, spool: Path) -> None:
    arrived, go_on = threading.Event(), threading.Event()

    def answer(_number: int) -> int:
        arrived.set()
        go_on.wait(60)
        return 200

    receiver.answer = answer
    delivery = deliver()
    delivery.emit(event(0))
    assert arrived.wait(60)
    closing = threading.Thread(target=delivery.close, args=(60,))
    closing.start()
    wait_until(lambda: delivery._closing)
    delivery.emit(event(1))
    go_on.set()
    closing.join()
    assert receiver.numbers == [0, 1]
    assert segments(spool) == []


@pytest.mark.parametrize("status", [401, 403, 404, 408, 429, 500, 502, 503, 504])
def test_an_answer_that_is_not_about_the_event_is_no_refusal(receiver: Receiver, deliver: Deliver, status: int) -> None:
    receiver.answer = lambda _number: status if receiver.asked <= 3 else 200
    delivery = deliver()
    for number in range(3):
        delivery.emit(event(number))
    wait_until(lambda: delivery.counts().sent == 3)
    assert receiver.numbers == [0, 1, 2]
    assert delivery.counts().last_error.startswith(f"HTTP {status} ")
    assert delivery.counts().rejected == 0


@pytest.mark.parametrize("status", [400, 409, 413, 422])
def test_an_event_that_is_refused_is_kept_apart_and_holds_up_no_other(
    receiver: Receiver, deliver: Deliver, spool: Path, said: pytest.LogCaptureFixture, status: int
) -> None:
    receiver.answer = lambda number: status if number in {1, 3} else 200
    delivery = deliver()
    for number in range(5):
        delivery.emit(event(number))
    assert delivery.close(60)
    assert receiver.numbers == [0, 2, 4]
    (file,) = spool.glob("*/rejected/*.jsonl")
    kept = [json.loads(line) for line in file.read_text().splitlines()]
    assert [one["event"]["job"]["name"] for one in kept] == ["1", "3"]
    assert kept[0]["refused"].startswith(f"HTTP {status} ")
    assert kept[0]["refused"].endswith(": because password=***")
    assert len([record for record in said.records if "refused an event" in record.message]) == 1
    assert (delivery.counts().sent, delivery.counts().rejected) == (3, 2)
    asked = receiver.asked
    assert deliver().close(60)
    assert receiver.asked == asked


def test_an_event_that_is_too_large_arrives_without_its_columns(
    receiver: Receiver, deliver: Deliver, spool: Path
) -> None:
    receiver.most_bytes = 2000
    delivery = deliver()
    delivery.emit(wide_event(1))
    delivery.emit(event(2))
    assert delivery.wait_for_completion()
    assert receiver.numbers == [1, 2]
    (output,) = receiver.events[0]["outputs"]
    assert set(output["facets"]) == {"schema"}
    (withheld,) = receiver.events[0]["run"]["facets"]["headwater_capture"]["withheld"]
    assert withheld.startswith("columnLineage of wide: the event was refused: HTTP 413 ")
    counts = delivery.counts()
    assert (counts.sent, counts.reduced, counts.rejected) == (2, 1, 0)
    # As it was, it is kept for whoever wants to know.
    assert len(list(spool.rglob("rejected*"))) == 1


def wide_event(number: int) -> RunEvent:
    large = event(number)
    facets = {"columnLineage": {"fields": {f"c{n}": {"inputFields": []} for n in range(500)}}, "schema": {"fields": []}}
    large.outputs = [OutputDataset("lake", "wide", facets=facets)]  # type: ignore[arg-type]
    return large


def test_an_event_over_which_the_endpoint_hangs_up_arrives_without_its_columns(
    receiver: Receiver, deliver: Deliver, spool: Path
) -> None:
    """Some servers refuse what is too large by closing the connection: no answer says so."""
    receiver.hangs_up_over = 2000
    delivery = deliver()
    delivery.emit(wide_event(1))
    delivery.emit(event(2))
    wait_until(lambda: receiver.numbers == [1, 2])
    assert set(receiver.events[0]["outputs"][0]["facets"]) == {"schema"}
    wait_until(lambda: delivery.counts().reduced == 1)
    assert len(list(spool.rglob("rejected*"))) == 1


def test_an_endpoint_that_hangs_up_on_everybody_gets_the_whole_event_in_the_end(
    receiver: Receiver, deliver: Deliver
) -> None:
    receiver.hangs_up_over = 0
    delivery = deliver()
    delivery.emit(wide_event(1))
    wait_until(lambda: receiver.asked > 6)
    receiver.hangs_up_over = 1_000_000
    wait_until(lambda: receiver.numbers == [1])
    assert set(receiver.events[0]["outputs"][0]["facets"]) == {"columnLineage", "schema"}
    assert delivery.counts().reduced == 0


def test_an_event_whose_datasets_are_refused_arrives_as_a_run(receiver: Receiver, deliver: Deliver) -> None:
    receiver.most_bytes = 2000
    large = event(1)
    large.inputs = [InputDataset("lake", f"a_table_with_a_name_{n}") for n in range(500)]
    delivery = deliver()
    delivery.emit(large)
    assert delivery.wait_for_completion()
    (arrived,) = receiver.events
    assert arrived["inputs"] == []
    withheld, *_ = arrived["run"]["facets"]["headwater_capture"]["withheld"]
    assert withheld.startswith("inputs of a_table_with_a_name_0, a_table_with_a_name_1, ")
    assert " and 497 more: the event was refused: HTTP 413 " in withheld


def test_an_event_of_which_no_form_is_taken_is_kept_apart(receiver: Receiver, deliver: Deliver) -> None:
    receiver.answer = lambda number: 422 if number == 1 else 200
    refused = event(1)
    refused.outputs = [OutputDataset("lake", "out", facets={"schema": SchemaDatasetFacet(fields=[])})]
    delivery = deliver()
    delivery.emit(refused)
    delivery.emit(event(2))
    assert delivery.wait_for_completion()
    assert receiver.numbers == [2]
    assert delivery.counts().rejected == 1


def rejected(spool: Path) -> list[tuple[str, str]]:
    """The events that are kept in a folder of their own: name and reason."""
    lines = [line for file in spool.glob("*/rejected/*.jsonl") for line in file.read_text().splitlines()]
    return [(line["event"]["job"]["name"], line["refused"]) for line in map(json.loads, lines)]


@pytest.mark.parametrize("failing", [{1}, {1, 2, 3}], ids=["one", "three in a row"])
def test_an_event_over_which_the_endpoint_always_fails_is_set_aside_and_the_others_pass(
    receiver: Receiver, deliver: Deliver, spool: Path, said: pytest.LogCaptureFixture, failing: set[int]
) -> None:
    receiver.answer = lambda number: 500 if number in failing else 200
    delivery = deliver()
    for number in range(10):
        delivery.emit(event(number))
    wait_until(lambda: len(receiver.numbers) == 10 - len(failing))
    number = 10
    while delivery.counts().rejected < len(failing):
        delivery.emit(event(number))
        wait_until(lambda: number in receiver.numbers)  # noqa: B023 (called at once)
        number += 1
    assert delivery.close(60)
    assert receiver.numbers == [number for number in range(number) if number not in failing]
    reason = "HTTP 500 Internal Server Error, 5 times in every form, while other events were accepted"
    assert sorted(rejected(spool)) == [(str(number), reason) for number in sorted(failing)]
    counts = delivery.counts()
    assert (counts.sent, counts.rejected, counts.spooled, counts.dropped) == (number - len(failing), len(failing), 0, 0)
    assert segments(spool) == []
    assert said.text.count(f"/api/v1/lineage fails over an event ({reason}). It is kept in {spool}") == 1


def test_a_file_with_an_event_that_is_held_back_stays_until_that_one_is_done(
    receiver: Receiver, deliver: Deliver, spool: Path
) -> None:
    receiver.answer = lambda number: 500 if number == 0 else 200
    # Long pauses: it is held back until the end.
    delivery = deliver(settings=SpoolSettings(str(spool), max_bytes=40_000), pace=Pace(first=0.2, longest=60))
    delivery.emit(event(0))
    (first,) = segments(spool)
    for number in range(1, 40):
        delivery.emit(event(number))
        wait_until(lambda: number in receiver.numbers)  # noqa: B023 (called at once)
    assert first in segments(spool)
    assert len(segments(spool)) < 4, "those in between are removed"
    receiver.answer = lambda _number: 200
    wait_until(lambda: delivery.counts().sent == 40)
    assert first not in segments(spool)
    assert delivery.close(60)
    assert segments(spool) == []
    assert delivery.counts().spooled == 0


def test_an_endpoint_that_fails_over_everything_for_a_while_gets_everything_in_the_end(
    receiver: Receiver, deliver: Deliver, spool: Path
) -> None:
    receiver.answer = lambda _number: 500
    delivery = deliver()
    for number in range(8):
        delivery.emit(event(number))
    wait_until(lambda: receiver.asked > 60)
    assert delivery.counts().spooled == 8
    receiver.answer = lambda _number: 200
    wait_until(lambda: delivery.counts().sent == 8)
    assert sorted(receiver.numbers) == list(range(8))
    assert all("headwater_capture" not in arrived["run"].get("facets", {}) for arrived in receiver.events)
    assert (delivery.counts().reduced, delivery.counts().rejected) == (0, 0)
    assert rejected(spool) == []


def test_an_event_over_which_the_endpoint_failed_at_first_arrives_after_the_others(
    receiver: Receiver, deliver: Deliver, spool: Path
) -> None:
    """Three answers fail, in every form, and others are accepted in between: it is tried again, and not set aside."""
    receiver.answer = lambda number: 500 if number == 0 and len(receiver.numbers) < 3 else 200
    delivery = deliver()
    delivery.emit(event(0))
    for number in range(1, 4):
        delivery.emit(event(number))
    wait_until(lambda: delivery.counts().sent == 4)
    assert receiver.numbers == [1, 2, 3, 0]
    assert rejected(spool) == []


def test_an_event_over_which_the_endpoint_fails_holds_up_nobody_when_the_job_ends(
    receiver: Receiver, deliver: Deliver, spool: Path
) -> None:
    receiver.answer = lambda number: 500 if number == 0 else 200
    delivery = deliver(pace=Pace(first=60, longest=60))
    delivery.emit(event(0))
    wait_until(lambda: receiver.asked == 1)
    for number in range(1, 5):
        delivery.emit(event(number))
    assert not delivery.close(60)
    assert receiver.numbers == [1, 2, 3, 4]
    assert delivery.counts().spooled == 1
    assert len(segments(spool)) == 1


def test_the_end_of_a_job_costs_an_endpoint_that_fails_over_everything_a_few_requests(
    receiver: Receiver, deliver: Deliver
) -> None:
    receiver.answer = lambda _number: 500
    delivery = deliver(pace=Pace(first=60, longest=60))
    for number in range(50):
        delivery.emit(event(number))
    wait_until(lambda: receiver.asked == 1)
    assert not delivery.close(60)
    assert receiver.asked <= 10
    assert delivery.counts().spooled == 50


def test_an_event_that_another_process_left_is_set_aside_too_and_holds_up_no_own_one(
    receiver: Receiver, deliver: Deliver, spool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headwater.openlineage.delivery.backlog.LOOK_AGAIN_SECONDS", 0.05)
    monkeypatch.setattr("headwater.openlineage.delivery.delivery.LOOK_AGAIN_SECONDS", 0.05)
    receiver.stop()
    first = deliver()
    for number in range(4):
        first.emit(event(number))
    first.close(60)
    receiver.answer = lambda number: 500 if number == 1 else 200
    receiver.start()
    second = deliver()
    wait_until(lambda: second.counts().recovered == 3)
    number = 10
    while not rejected(spool):
        second.emit(event(number))
        wait_until(lambda: number in receiver.numbers)  # noqa: B023 (called at once)
        number += 1
    wait_until(lambda: len(segments(spool)) == 1)  # the other process's goes when it has been read to its end
    assert second.close(60)
    assert receiver.numbers == [0, 2, 3, *range(10, number)]
    assert [name for name, _ in rejected(spool)] == ["1"]
    assert segments(spool) == []


def test_own_events_do_not_wait_for_a_failing_one_that_another_process_left(
    receiver: Receiver, deliver: Deliver
) -> None:
    receiver.stop()
    first = deliver()
    first.emit(event(0))
    first.close(60)
    receiver.answer = lambda number: 500 if number == 0 else 200
    receiver.start()
    second = deliver(pace=Pace(first=60, longest=60))
    wait_until(lambda: receiver.asked == 1)
    second.emit(event(1))
    assert second.close(60)
    assert receiver.numbers == [1]


def test_an_event_that_cannot_be_kept_anywhere_else_is_not_set_aside(receiver: Receiver, deliver: Deliver) -> None:
    """Without a spool there is no folder for it: it waits in memory, and the others pass."""
    receiver.answer = lambda number: 500 if number == 0 else 200
    delivery = deliver(settings=SpoolSettings(disabled=True))
    for number in range(40):
        delivery.emit(event(number))
        if number:
            wait_until(lambda: number in receiver.numbers)  # noqa: B023 (called at once)
    asked = receiver.asked
    wait_until(lambda: receiver.asked > asked + 8)
    receiver.answer = lambda _number: 200
    wait_until(lambda: delivery.counts().sent == 40)
    assert receiver.numbers == [*range(1, 40), 0]
    assert delivery.counts().rejected == 0


def test_a_held_event_is_not_waited_for(receiver: Receiver, deliver: Deliver) -> None:
    receiver.answer = lambda number: 500 if number == 0 else 200
    delivery = deliver(settings=SpoolSettings(disabled=True))
    delivery.emit(event(0))
    delivery.emit(event(1))
    wait_until(lambda: receiver.numbers == [1])
    assert not delivery.wait_for_completion(3600)


def test_order_is_kept_through_failures(receiver: Receiver, deliver: Deliver) -> None:
    receiver.answer = lambda _number: 503 if receiver.asked % 3 else 200
    delivery = deliver()
    for number in range(20):
        delivery.emit(event(number))
    wait_until(lambda: delivery.counts().sent == 20)
    assert receiver.numbers == list(range(20))


def test_threads_share_a_delivery(receiver: Receiver, deliver: Deliver) -> None:
    delivery = deliver()

    def emit(first: int) -> None:
        for number in range(first, first + 50):
            delivery.emit(event(number))

    threads = [threading.Thread(target=emit, args=(first,)) for first in (0, 100, 200, 300)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert delivery.close(60)
    assert len(receiver.numbers) == 200
    for first in (0, 100, 200, 300):
        assert [n for n in receiver.numbers if first <= n < first + 100] == list(range(first, first + 50))


def test_a_full_spool_drops_the_newest_and_counts_them(
    receiver: Receiver,
    deliver: Deliver,
    spool: Path,
    said: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("headwater.openlineage.delivery.backlog._MEMORY_BYTES", 2_000)
    receiver.stop()
    bound = 20_000
    delivery = deliver(settings=SpoolSettings(str(spool), max_bytes=bound))
    for number in range(200):
        delivery.emit(event(number))
    delivery.close(60)
    counts = delivery.counts()
    assert sum(file.stat().st_size for file in spool.rglob("*") if file.is_file()) <= bound
    assert counts.dropped > 0
    assert counts.spooled + counts.dropped == 200
    for sentence in (
        "the spool is full: its limit is 20000 bytes",
        "dropping new events",
        f"Lost {counts.dropped} events for ",
    ):
        assert said.text.count(sentence) == 1, said.text
    receiver.start()
    again = deliver()
    wait_until(lambda: again.counts().recovered == counts.spooled)
    assert receiver.numbers == list(range(counts.spooled))


def test_what_was_sent_makes_room(receiver: Receiver, deliver: Deliver, spool: Path) -> None:
    delivery = deliver(settings=SpoolSettings(str(spool), max_bytes=20_000))
    for number in range(200):
        delivery.emit(event(number))
        assert delivery.wait_for_completion()
    assert receiver.numbers == list(range(200))
    assert delivery.counts().dropped == 0


def test_a_spool_that_cannot_be_written_costs_nothing_while_the_endpoint_is_up(
    receiver: Receiver, deliver: Deliver, tmp_path: Path, said: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "a file").touch()
    delivery = deliver(settings=SpoolSettings(str(tmp_path / "a file" / "spool")))
    for number in range(5):
        delivery.emit(event(number))
    assert delivery.close(60)
    assert receiver.numbers == [0, 1, 2, 3, 4]
    assert said.text.count("does not accept events (File exists): they wait in memory only") == 1


@pytest.mark.parametrize("disabled", [False, True])
def test_without_a_spool_events_wait_in_memory_and_what_is_lost_is_said(
    receiver: Receiver, deliver: Deliver, tmp_path: Path, said: pytest.LogCaptureFixture, *, disabled: bool
) -> None:
    (tmp_path / "a file").touch()
    settings = SpoolSettings(str(tmp_path / "a file" / "spool"), disabled=disabled)
    receiver.stop()
    delivery = deliver(settings=settings)
    for number in range(5):
        delivery.emit(event(number))
    assert not delivery.wait_for_completion()
    receiver.start()
    wait_until(lambda: delivery.counts().sent == 5)
    assert receiver.numbers == [0, 1, 2, 3, 4]
    receiver.stop()
    for number in range(5, 8):
        delivery.emit(event(number))
    assert not delivery.close(60)
    assert delivery.counts().dropped == 3
    assert "Lost 3 events for " in said.text
    assert ("they wait in memory only" in said.text) is not disabled


def test_a_disk_that_takes_events_again_is_used_again(receiver: Receiver, deliver: Deliver, tmp_path: Path) -> None:
    receiver.stop()
    in_the_way = tmp_path / "spool"
    in_the_way.touch()
    delivery = deliver()
    delivery.emit(event(0))
    delivery.emit(event(1))
    assert delivery.counts().spooled == 0
    in_the_way.unlink()
    delivery.emit(event(2))
    assert not delivery.close(60)
    assert (delivery.counts().spooled, delivery.counts().dropped) == (3, 0)
    receiver.start()
    again = deliver()
    wait_until(lambda: again.counts().recovered == 3)
    assert sorted(receiver.numbers) == [0, 1, 2]


def test_only_this_user_can_read_the_spool(receiver: Receiver, deliver: Deliver, spool: Path) -> None:
    receiver.answer = lambda number: 400 if number else 503
    delivery = deliver()
    delivery.emit(event(0))
    delivery.close(60)
    receiver.answer = lambda _number: 400
    again = deliver()
    wait_until(lambda: bool(list(spool.glob("*/rejected/*.jsonl"))))
    again.close(60)
    modes = {path.relative_to(spool).name: path.stat().st_mode & 0o777 for path in spool.rglob("*")}
    assert spool.stat().st_mode & 0o777 == 0o700
    assert {mode for name, mode in modes.items() if "." not in name} == {0o700}
    assert {mode for name, mode in modes.items() if "." in name} == {0o600}


def test_no_secret_is_in_the_spool_or_in_the_log(
    receiver: Receiver, deliver: Deliver, spool: Path, said: pytest.LogCaptureFixture
) -> None:
    receiver.answer = lambda number: 400 if number else 403
    from_dict = HttpConfig.from_dict(
        {
            "url": receiver.url.replace("//", "//me:hunter2@"),
            "endpoint": "api/v1/lineage?key=hunter2",
            "auth": {"type": "api_key", "apiKey": "hunter2"},
        }
    )
    delivery = Delivery(acknowledging(HttpTransport(from_dict)), SpoolSettings(str(spool)), QUICK)
    delivery.emit(event(0))
    assert not delivery.wait_for_completion()
    delivery.close(60)
    refused = deliver()
    refused.emit(event(1))
    refused.close(60)
    gone = deliver(url="http://me:hunter2@localhost:9")
    gone.emit(event(2))
    gone.close(60)
    written = {path: path.read_text() for path in spool.rglob("*") if path.is_file()}
    assert len(written) == 5
    assert "hunter2" not in str(written) + said.text
    described = [json.loads(text) for path, text in written.items() if path.name == "endpoint.json"]
    assert {"type": "http", "address": f"{receiver.url}/api/v1/lineage"} in described
