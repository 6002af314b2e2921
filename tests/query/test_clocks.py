"""What lies ahead of the clock does not count now, and counts once the clock has passed it; whatever came first."""

from __future__ import annotations

import itertools
import json
import os
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.random_questions import known_to, questions_about
from tests.store.histories import Event, histories

from headwater.client.local import StoredLineage
from headwater.common.codec import plain
from headwater.openlineage.model.instants import instant_us
from headwater.query import questions as asked
from headwater.query.search.resolve import NameNotFound, NotKnownThen, UnknownName
from headwater.store import open_store
from headwater.store.db.clock import Clock
from headwater.store.db.dialects import column_types

if TYPE_CHECKING:
    from tests.conftest import EventMaker
    from tests.postgres import Postgres

    from headwater.store import Store

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
_NOW = instant_us("2026-01-01T00:02:00Z", "now")
_LATER = instant_us("2026-01-04T00:00:00Z", "later")
# Search and lists have names, whenever they are from; a history has all that is known, and events are as they came.
_OF_NO_MOMENT = (asked.SearchFor, asked.HistoryOf, asked.Events, asked.Datasets, asked.Jobs)


_FIELDS: list[Event] = [{"name": name} for name in ("A", "b", "d", "n", "x", "X", "y", "z")]
_FIELDS += [{"name": outer, "fields": [{"name": inner}]} for outer, inner in (("a", "b"), ("c", "d"))]


def _everything() -> Iterator[Event]:
    """Events long before that name all that histories name: what is known of names alone is then the same."""
    for name in ("in", "other", "out", "view", "alias"):
        schema = {"fields": _FIELDS}
        dataset = {"namespace": "lake", "name": name, "facets": {"schema": schema}}
        schema_url = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent"
        yield {"eventTime": "2025-12-31T00:00:00Z", "producer": "p", "schemaURL": schema_url, "dataset": dataset}


def _ahead(event: Event) -> bool:
    return instant_us(event["eventTime"], "eventTime") > _NOW


def _in_runs_of_their_own(events: Sequence[Event]) -> list[Event]:
    """The same events; those that lie ahead are of other runs than the rest, unless these completed before."""
    changed = deepcopy(list(events))
    closed = _closed(events)
    for event in changed:
        if not _ahead(event) or "run" not in event:
            continue
        if closed.get(event["run"]["runId"]) == event["job"]:
            # What a run is called, and what began it, is what it says last, whenever that is.
            event["run"].pop("facets", None)
            continue
        runs = [event["run"], *(facet["run"] for facet in event["run"].get("facets", {}).values())]
        for run in runs:
            run["runId"] = str(uuid5(NAMESPACE_URL, run["runId"]))
    return changed


def _closed(events: Sequence[Event]) -> dict[str, Event]:
    """The runs that complete before the clock, and of no streaming job ever; with the job that each is of."""
    of_runs = sorted((event for event in events if "run" in event), key=lambda event: str(event["eventTime"]))
    jobs: dict[str, list[Event]] = {}
    for event in of_runs:
        jobs.setdefault(event["run"]["runId"], []).append(event["job"])
    completed = {event["run"]["runId"] for event in of_runs if event["eventType"] == "COMPLETE" and not _ahead(event)}
    return {
        run: of[0]
        for run, of in jobs.items()
        if run in completed and all(job == of[0] and "jobType" not in job["facets"] for job in of)
    }


@pytest.fixture(scope="module")
def new_file() -> Iterator[Callable[[], str]]:
    """Names of files for stores; in memory where that can be."""
    memory = Path("/dev/shm")  # noqa: S108  nobody else can write into the folder made in it
    place = memory if memory.is_dir() and os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="headwater-", dir=place) as folder:
        numbers = itertools.count()

        def name() -> str:
            return f"{folder}/{next(numbers)}.db"

        yield name


def _clock(now: int) -> Clock:
    return Clock(0, lambda: now)


def _filled(url: str, events: Sequence[Event], now: int) -> Store:
    store = open_store(url, clock=_clock(now))
    result = store.ingest(events)
    assert not result.rejected
    return store


def _answers(store: Store, questions: Sequence[asked.Question[Any]]) -> list[object]:
    found: list[object] = []
    for question, answer in zip(questions, StoredLineage(store).ask_all(questions), strict=True):
        if isinstance(answer, NameNotFound):
            found.append((question, "unknown" if isinstance(answer, UnknownName) else type(answer).__name__))
        else:
            found.append((question, json.dumps(_without_notes(plain(answer)), sort_keys=True, default=str)))
    return found


def _without_notes(answer: Any) -> Any:  # noqa: ANN401  JSON
    """An answer, but for what it says of events that lie ahead."""
    if isinstance(answer, dict):
        return {name: _without_notes(part) for name, part in answer.items() if name != "next_us"}
    return [_without_notes(part) for part in answer] if isinstance(answer, list | tuple) else answer


def _histories(events: Sequence[Event]) -> tuple[list[Event], list[Event]]:
    """What does not lie ahead, and all of it."""
    every = [*_everything(), *_in_runs_of_their_own(events)]
    there = [event for event in every if not _ahead(event)]
    assume(len(there) < len(every))
    return there, every


def _questions(store: Store, seed: random.Random, count: int) -> list[asked.Question[Any]]:
    """Questions about what a store has, at times of their own and now."""
    known = known_to(store)
    assume(known.tables and known.jobs and known.runs and any(table.versions for table in known.tables))
    questions = [*questions_about(known, count, seed.randrange(1000)), asked.OverviewOf(limit=10)]
    return [question for question in questions if not isinstance(question, _OF_NO_MOMENT)]


@settings(max_examples=25, suppress_health_check=_SLOW, deadline=None)
@given(events=histories(), seed=st.randoms(use_true_random=False))
def test_answers_are_those_without_what_lies_ahead_and_with_it_once_it_does_not(
    events: Sequence[Event], seed: random.Random, new_file: Callable[[], str]
) -> None:
    there, every = _histories(events)
    url = new_file()
    with _filled(new_file(), there, _NOW) as without, _filled(url, seed.sample(every, len(every)), _NOW) as store:
        questions = _questions(without, seed, 60)
        assert _answers(store, questions) == _answers(without, questions)
    with open_store(url, clock=_clock(_LATER)) as store, _filled(new_file(), every, _LATER) as whole:
        questions = _questions(whole, seed, 20)
        assert _answers(store, questions) == _answers(whole, questions)


@pytest.fixture(scope="module")
def emptied(postgres_server: Postgres, empty_database: str) -> Iterator[Callable[[], str]]:
    """The URL of one store in PostgreSQL, without rows each time it is asked for."""
    tables = ", ".join(column_types().keys() - {"meta"})
    url = postgres_server.create("clocks", empty_database)

    def empty() -> str:
        postgres_server.run(f"TRUNCATE {tables} RESTART IDENTITY", "clocks")
        return url

    yield empty
    postgres_server.drop("clocks")


@settings(max_examples=6, suppress_health_check=_SLOW, deadline=None)
@given(events=histories(), seed=st.randoms(use_true_random=False))
def test_in_postgresql_answers_are_those_without_what_lies_ahead(
    events: Sequence[Event], seed: random.Random, new_file: Callable[[], str], emptied: Callable[[], str]
) -> None:
    there, every = _histories(events)
    with _filled(new_file(), there, _NOW) as without, _filled(emptied(), every, _NOW) as store:
        questions = _questions(without, seed, 40)
        assert _answers(store, questions) == _answers(without, questions)


def test_one_event_of_the_year_9999_hides_nothing(any_store: Store, maker: EventMaker) -> None:
    """It came first, and says that the table was dropped, renamed and of other columns."""
    wrong = maker(
        1, run="wrong", columns={"b": ["elsewhere.z"]}, schema={"b": "int"}, facets={"ownership": {"owners": []}}
    )
    dropped = maker(1, run="dropped", job="cleaner", lifecycle="DROP")
    owned = {"ownership": {"owners": [{"name": "ann"}]}}
    any_store.ingest([{**event, "eventTime": "9999-12-31T00:00:00Z"} for event in (wrong, dropped)])
    any_store.ingest([maker(2, columns={"a": ["in.x"]}, schema={"a": "int"}, facets=owned)])
    lineage = StoredLineage(any_store)
    answer = lineage.upstream("out", "a")
    assert [(edge.origin.name, edge.origin.field) for edge in answer.edges] == [("in", "x")]
    assert answer.moment.next_us == instant_us("9999-12-31T00:00:00Z", "next")
    assert answer.dropped is None
    later = lineage.upstream("out", "a", as_of="9999-12-31")
    assert later.dropped is not None
    assert later.dropped.us == answer.moment.next_us
    details = lineage.ask(asked.DatasetOf(dataset="out"))
    assert [(column.path, column.listed) for column in details.columns] == [("a", True)]
    assert [owner.name for owner in details.owners] == ["ann"]
    assert [run.id for run in lineage.ask(asked.RunsOf(job="job")).runs] == [maker.run_id("job 2")]
    assert [version.in_force for version in lineage.ask(asked.VersionsOf(dataset="out")).versions] == [True]
    assert [name.name for name in lineage.jobs()] == ["job"]


def test_a_column_that_only_events_ahead_name_is_not_there_yet(any_store: Store, maker: EventMaker) -> None:
    later = {**maker(1, run="later", schema={"a": "int", "b": "int"}), "eventTime": "9999-12-31T00:00:00Z"}
    any_store.ingest([maker(2, columns={"a": ["in.x"]}, schema={"a": "int"}), later])
    with pytest.raises(NotKnownThen, match=r"out\.b is not there yet: it is first seen 9999-12-31T00:00:00Z, ahead of"):
        StoredLineage(any_store).impact("out", "b")
    assert not StoredLineage(any_store).impact("out", "b", as_of="9999-12-31").answer.edges


@pytest.mark.parametrize("kind", ["START", "OTHER", "RUNNING", "COMPLETE", "FAIL", "ABORT"])
def test_a_run_that_ended_and_says_more_in_the_year_9999_counts_as_it_ended(
    any_store: Store, maker: EventMaker, kind: str
) -> None:
    wrong = {
        **maker(1, run="one", job="other", columns={"b": ["elsewhere.z"]}, schema={"b": "int"}),
        "eventType": kind,
        "eventTime": "9999-12-31T00:00:00Z",
    }
    any_store.ingest([wrong])
    any_store.ingest([maker(2, run="one", columns={"a": ["in.x"]}, schema={"a": "int"})])
    lineage = StoredLineage(any_store)
    answer = lineage.upstream("out", "a")
    assert [(edge.origin.name, edge.origin.field) for edge in answer.edges] == [("in", "x")]
    assert [edge.job and edge.job.name for edge in answer.edges] == ["job"]
    assert [reader.name.name for reader in lineage.impact("in", "x").datasets] == ["out"]
    (version,) = lineage.ask(asked.VersionsOf(dataset="out")).versions
    assert (version.us, version.in_force) == (maker.us(2), True)
    run = lineage.ask(asked.RunOf(run=maker.run_id("one")))
    assert (run.run.state, [written.us for written in run.versions]) == ("COMPLETE", [maker.us(2)])
    later = lineage.upstream("out", "b", as_of="9999-12-31")
    counts = kind in {"OTHER", "RUNNING", "COMPLETE"}
    assert [edge.origin.name for edge in later.edges] == (["elsewhere"] if counts else [])


def test_a_run_below_that_begins_in_the_year_9999_takes_no_write_from_the_run_above(
    any_store: Store, maker: EventMaker
) -> None:
    below = {**maker(1, run="below", job="step", parent="above"), "eventTime": "9999-12-31T00:00:00Z"}
    any_store.ingest([maker(2, run="above", columns={"a": ["in.x"]})])
    any_store.ingest([below])
    assert [edge.origin.field for edge in StoredLineage(any_store).upstream("out", "a").edges] == ["x"]
