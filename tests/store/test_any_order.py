"""Everything is a function of the set of events: any order, any repetition, any split."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pytest
    from tests.conftest import EventMaker

    from headwater.store import Store

_RUNS = ["one", "two", "three"]
# Few names and few moments, so that what happens to one thing meets what happens to another.
_FACETS = st.fixed_dictionaries(
    {
        "columns": st.sampled_from([None, None, {}, {"a": ["in.x"]}, {"a": ["in.y SUM"], "a.b": ["out.a"]}]),
        "schema": st.sampled_from([None, {"a": "int"}, {"a": "string", "b": "int"}, {"b": "int", "c.d": "int"}]),
        "lifecycle": st.sampled_from([None, None, None, "OVERWRITE", "DROP", "TRUNCATE", "CREATE"]),
        "parent": st.sampled_from([None, None, *_RUNS]),
    },
    optional={
        "rows": st.just(["in.z FILTER"]),
        "facets": st.sampled_from([{"columnLineage": {"_deleted": True}}, {"odd": {"x": 1}}]),
    },
)
_EVENTS = st.lists(
    st.fixed_dictionaries(
        {
            "minute": st.integers(0, 3),
            "type": st.sampled_from(["START", "COMPLETE", "COMPLETE", "COMPLETE", "FAIL"]),
            "run": st.sampled_from(_RUNS),
            "job": st.sampled_from(["daily", "daily", "hourly"]),
            "out": st.sampled_from(["out", "out", "out", "other", None]),
            "facets": _FACETS,
        }
    ),
    min_size=2,
    max_size=12,
)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(words=_EVENTS, seed=st.randoms(use_true_random=False))
def test_shuffled_repeated_and_split_histories_end_in_the_same_store(
    words: Sequence[Mapping[str, object]],
    seed: random.Random,
    maker: EventMaker,
    natural_view: Callable[[Store], object],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("stores")
    events = [_event(maker, word) for word in words]
    with open_store(str(folder / "whole.db")) as whole, open_store(str(folder / "split.db")) as split:
        whole.ingest(events)
        again = [*events, *seed.sample(events, len(events) // 2)]
        seed.shuffle(again)
        while again:
            size = seed.choice([1, 1, 1, 3])
            split.ingest(again[:size])
            del again[:size]
        assert natural_view(split) == natural_view(whole)


def _event(maker: EventMaker, word: Mapping[str, object]) -> dict[str, object]:
    facets = dict(word["facets"])  # type: ignore[call-overload]
    return maker(**{**word, "facets": None, **facets})


def test_a_repeated_event_is_counted_and_changes_nothing(
    store: Store, maker: EventMaker, natural_view: Callable[[Store], object]
) -> None:
    event = maker(1, columns={"a": ["in.x"]})
    assert store.ingest([event, event]).duplicates == 1
    before = natural_view(store)
    result = store.ingest([dict(reversed(event.items()))])
    assert (result.accepted, result.duplicates) == (0, 1)
    assert natural_view(store) == before


def test_a_daily_repetition_adds_few_rows(store: Store, maker: EventMaker) -> None:
    columns = {f"c{number}": ["in.x", "in.y"] for number in range(20)}
    store.ingest([maker(1, columns=columns, schema=dict.fromkeys(columns, "int"))])
    before = _counts(store)
    store.ingest([maker(2, columns=columns, schema=dict.fromkeys(columns, "int"))])
    added = {table: count - before[table] for table, count in _counts(store).items() if count != before[table]}
    assert added == {"event": 1, "run": 1, "run_dataset": 1, "facet": 2, "version": 1}


def _counts(store: Store) -> dict[str, int]:
    with store.read() as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
