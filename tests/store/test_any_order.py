"""Everything is a function of the set of events: any order, any repetition, any split, either database."""

from __future__ import annotations

import itertools
import json
import os
import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.store.histories import Event, histories

from headwater.store import open_store
from headwater.store.db.dialects import column_types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.conftest import EventMaker
    from tests.postgres import Postgres
    from tests.store.conftest import View

    from headwater.store import Store

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """Names of files for stores, none of them there; in memory where that can be, since thousands of commits follow."""
    memory = Path("/dev/shm")  # noqa: S108  nobody else can write into the folder made in it
    place = memory if memory.is_dir() and os.access(memory, os.W_OK) else tmp_path_factory.mktemp("stores")
    with tempfile.TemporaryDirectory(prefix="headwater-", dir=place) as folder:
        numbers = itertools.count()

        def name(suffix: str) -> str:
            for old in Path(folder).iterdir():
                old.unlink()
            return f"{folder}/{suffix}{next(numbers)}.db"

        yield name


@settings(max_examples=200, suppress_health_check=_SLOW)
@given(events=histories(), seed=st.randoms(use_true_random=False))
def test_shuffled_repeated_and_split_histories_end_in_the_same_store(
    events: Sequence[Event],
    seed: random.Random,
    natural_view: Callable[[Store], View],
    scratch: Callable[[str], str],
) -> None:
    expected = _ingest_at_once(scratch("whole"), events, natural_view)
    assert _ingest_in_pieces(scratch("split"), events, seed, natural_view) == expected


@pytest.fixture(scope="session")
def emptied(postgres_server: Postgres, empty_database: str) -> Iterator[Callable[[], str]]:
    """The URL of one store in PostgreSQL, without rows each time it is asked for."""
    tables = ", ".join(column_types().keys() - {"meta"})
    url = postgres_server.create("emptied", empty_database)

    def empty() -> str:
        postgres_server.run(f"TRUNCATE {tables} RESTART IDENTITY", "emptied")
        return url

    yield empty
    postgres_server.drop("emptied")


@settings(max_examples=25, suppress_health_check=_SLOW)
@given(events=histories(), seed=st.randoms(use_true_random=False))
def test_both_databases_hold_the_same_after_any_history(
    events: Sequence[Event],
    seed: random.Random,
    natural_view: Callable[[Store], View],
    emptied: Callable[[], str],
    scratch: Callable[[str], str],
) -> None:
    expected = _ingest_at_once(scratch("whole"), events, natural_view)
    assert _ingest_at_once(emptied(), events, natural_view) == expected
    assert _ingest_in_pieces(emptied(), events, seed, natural_view) == expected


def _ingest_at_once(url: str, events: Sequence[Event], natural_view: Callable[[Store], View]) -> View:
    with open_store(url) as store:
        assert store.ingest(events).rejected == ()
        return natural_view(store)


def _ingest_in_pieces(
    url: str, events: Sequence[Event], seed: random.Random, natural_view: Callable[[Store], View]
) -> View:
    """The same events in another order, some of them twice, in batches of any size, by two writers in turn."""
    left = [*events, *seed.sample(events, len(events) // 2)]
    seed.shuffle(left)
    with open_store(url) as store, open_store(url) as other:
        while left:
            size = seed.choice([1, 1, 1, 3])
            seed.choice([store, other]).ingest(left[:size])
            del left[:size]
        view = natural_view(store)
        other.rebuild()
        assert natural_view(store) == view, "what is derived again is not what was derived"
        return view


def test_a_repeated_event_is_counted_and_changes_nothing(
    any_store: Store, maker: EventMaker, natural_view: Callable[[Store], View]
) -> None:
    event = maker(1, columns={"a": ["in.x"]})
    assert any_store.ingest([event, event]).duplicates == 1
    before = natural_view(any_store)
    result = any_store.ingest([json.loads(json.dumps(dict(reversed(event.items()))))])
    assert (result.accepted, result.duplicates) == (0, 1)
    assert natural_view(any_store) == before


def test_a_daily_repetition_adds_three_rows(any_store: Store, maker: EventMaker) -> None:
    columns = {f"c{number}": ["in.x", "in.y"] for number in range(20)}
    any_store.ingest([maker(1, columns=columns, schema=dict.fromkeys(columns, "int"))])
    before = _counts(any_store)
    any_store.ingest([maker(2, columns=columns, schema=dict.fromkeys(columns, "int"))])
    added = {table: count - before[table] for table, count in _counts(any_store).items() if count != before[table]}
    assert added == {"event": 1, "run": 1, "version": 1}


def _counts(store: Store) -> dict[str, int]:
    with store.read() as session:
        return {table: session.rows(f"SELECT count(*) FROM {table}")[0][0] for table in column_types()}
