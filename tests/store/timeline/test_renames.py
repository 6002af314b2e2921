"""Rule 9: what was in force under the old name goes on under the new one, whatever came when."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest

from headwater.store import open_store
from headwater.store.db.codes import FOREVER

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import EventMaker

    from headwater.store import Store

_X, _Y = {"a": ["in.x"]}, {"a": ["in.y"]}


def _rename(maker: EventMaker, minute: int, old: str, new: str, **more: str) -> dict[str, Any]:
    change = {"lifecycleStateChange": "RENAME", "previousIdentifier": {"namespace": "lake", "name": old}}
    event: dict[str, Any] = maker(minute, job="ddl", out=new, facets={"lifecycleStateChange": change}, **more)  # type: ignore[arg-type]
    return event


def _changed(maker: EventMaker, minute: int, out: str, state: str, **more: object) -> dict[str, Any]:
    facets = {"lifecycleStateChange": {"lifecycleStateChange": state}}
    event: dict[str, Any] = maker(minute, out=out, facets=facets, **more)  # type: ignore[arg-type]
    return event


def _in_force(store: Store, maker: EventMaker, dataset: str) -> list[str]:
    """What a dataset is made of, as `job: edges @ from-until` in minutes; the renames themselves left out."""
    with store.read() as session:
        slots = session.rows(
            "SELECT job.name, slot.mapping, slot.from_us, slot.until_us FROM slot"
            " JOIN dataset ON dataset.id = slot.dataset LEFT JOIN job ON job.id = slot.job"
            " LEFT JOIN mapping ON mapping.id = slot.mapping WHERE dataset.name = :dataset AND mapping.origin IS NULL",
            dataset=dataset,
        )
        lines = []
        for job, mapping, since, until in slots:
            edges = session.rows(
                "SELECT own.name, out.path, source.name, field.path FROM edge"
                " JOIN field ON field.id = edge.in_field JOIN dataset source ON source.id = field.dataset"
                " JOIN field out ON out.id = edge.out_field JOIN dataset own ON own.id = out.dataset"
                " WHERE edge.mapping = :mapping ORDER BY edge.ordinal",
                mapping=mapping,
            )
            said = ", ".join(f"{out}.{path} <- {source}.{field}" for out, path, source, field in edges)
            end = "" if until == FOREVER else (until - maker.us(0)) // 60_000_000
            lines.append(
                (since, job or "", f"{job or 'declared'}: {said} @ {(since - maker.us(0)) // 60_000_000}-{end}")
            )
    return [line for *_, line in sorted(lines)]


def _aliases(store: Store, maker: EventMaker) -> list[str]:
    with store.read() as session:
        rows = session.rows(
            "SELECT alias.from_us, alias.until_us, old.name, new.name FROM alias"
            " JOIN dataset old ON old.id = alias.dataset JOIN dataset new ON new.id = alias.physical"
        )
    return [
        f"{old} is {new} @ {(since - maker.us(0)) // 60_000_000}-"
        f"{'' if until == FOREVER else (until - maker.us(0)) // 60_000_000}"
        for since, until, old, new in sorted(rows)
    ]


def test_a_slot_goes_on_under_the_new_name(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, out="a", columns=_X), _rename(maker, 3, "a", "b")])
    assert _in_force(store, maker, "a") == ["job: a.a <- in.x @ 1-3"]
    assert _in_force(store, maker, "b") == ["job: b.a <- in.x @ 3-"]
    assert _aliases(store, maker) == ["a is b @ 3-"]


def test_all_that_appended_goes_on(store: Store, maker: EventMaker) -> None:
    store.ingest(
        [
            maker(1, job="one", out="a", columns=_X),
            maker(2, job="two", out="a", columns=_Y),
            _rename(maker, 3, "a", "b"),
            maker(4, job="two", out="b", columns=_X),
        ]
    )
    assert _in_force(store, maker, "b") == [
        "one: b.a <- in.x @ 3-",
        "two: b.a <- in.y @ 3-4",
        "two: b.a <- in.x @ 4-",
    ]


def test_the_job_that_wrote_may_rename_too(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, job="ddl", out="a", columns=_X), _rename(maker, 3, "a", "b")])
    assert _in_force(store, maker, "b") == ["ddl: b.a <- in.x @ 3-"]


def test_a_chain_of_renames_goes_on(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, out="a", columns=_X), _rename(maker, 3, "a", "b"), _rename(maker, 5, "b", "c")])
    assert _in_force(store, maker, "b") == ["job: b.a <- in.x @ 3-5"]
    assert _in_force(store, maker, "c") == ["job: c.a <- in.x @ 5-"]
    assert _aliases(store, maker) == ["a is b @ 3-", "b is c @ 5-"]


def test_a_name_that_comes_back_has_its_own_mapping(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, out="a", columns=_X), _rename(maker, 3, "a", "b"), _rename(maker, 5, "b", "a")])
    assert _in_force(store, maker, "a") == ["job: a.a <- in.x @ 1-3", "job: a.a <- in.x @ 5-"]
    assert _aliases(store, maker) == ["a is b @ 3-5", "b is a @ 5-"]
    with store.read() as session:
        slots = session.rows(
            "SELECT count(DISTINCT mapping) FROM slot JOIN mapping m ON m.id = mapping AND origin IS NULL"
        )
    assert slots == [(2,)]


def test_tables_that_are_swapped_daily(store: Store, maker: EventMaker) -> None:
    for day in (0, 10):
        store.ingest(
            [
                maker(day + 1, job="load", out="orders_new", columns={"a": [f"in.day{day}"]}),
                _rename(maker, day + 2, "orders", "orders_old"),
                _rename(maker, day + 3, "orders_new", "orders"),
                _changed(maker, day + 4, "orders_old", "DROP", job="drop"),
            ]
        )
    assert _in_force(store, maker, "orders") == ["load: orders.a <- in.day0 @ 3-12", "load: orders.a <- in.day10 @ 13-"]
    assert _in_force(store, maker, "orders_old") == ["load: orders_old.a <- in.day0 @ 12-14"]
    assert _aliases(store, maker) == [
        "orders is orders_old @ 2-3",
        "orders_new is orders @ 3-11",
        "orders is orders_old @ 12-13",
        "orders_new is orders @ 13-",
    ]


def test_the_old_name_may_be_that_of_a_new_table(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, out="a", columns=_X), _rename(maker, 3, "a", "b"), maker(5, out="a", columns=_Y)])
    assert _in_force(store, maker, "a") == ["job: a.a <- in.x @ 1-3", "job: a.a <- in.y @ 5-"]
    assert _in_force(store, maker, "b") == ["job: b.a <- in.x @ 3-"]
    assert _aliases(store, maker) == ["a is b @ 3-5"]


def test_older_names_follow_a_table_whose_name_another_one_takes(store: Store, maker: EventMaker) -> None:
    store.ingest(
        [
            maker(1, out="a", columns=_X),
            _rename(maker, 2, "a", "b"),
            _rename(maker, 3, "b", "c"),
            _rename(maker, 4, "c", "d"),
            maker(5, out="c", columns=_Y),
            maker(6, out="b", columns=_Y),
        ]
    )
    assert _aliases(store, maker) == ["a is b @ 2-6", "b is c @ 3-5", "c is d @ 4-5", "b is d @ 5-6", "a is d @ 6-"]
    # Until its own name is taken.
    store.ingest([maker(7, out="a", columns=_Y)])
    assert _aliases(store, maker)[-1] == "a is d @ 6-7"


def test_a_table_that_reads_itself_reads_itself_under_the_new_name(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, out="a", columns={"a": ["in.x", "a.a"]}), _rename(maker, 3, "a", "b")])
    assert _in_force(store, maker, "b") == ["job: b.a <- b.a, b.a <- in.x @ 3-"]
    with store.read() as session:
        rows = session.rows(
            "SELECT dataset.name FROM version JOIN input ON input.inputs = version.inputs"
            " JOIN dataset ON dataset.id = input.dataset WHERE version.renamed IS NOT NULL"
        )
    assert sorted(rows) in ([("b",), ("in",)], [])


@pytest.mark.parametrize(("state", "end"), [("OVERWRITE", 5), ("TRUNCATE", 5), ("DROP", 5), ("CREATE", "")])
def test_the_rules_end_what_goes_on(store: Store, maker: EventMaker, state: str, end: object) -> None:
    store.ingest(
        [maker(1, out="a", columns=_X), _rename(maker, 3, "a", "b"), _changed(maker, 5, "b", state, job="other")]
    )
    assert _in_force(store, maker, "b")[0] == f"job: b.a <- in.x @ 3-{end}"


def test_what_was_overwritten_before_does_not_go_on(store: Store, maker: EventMaker) -> None:
    store.ingest(
        [
            maker(1, out="a", columns=_X),
            _changed(maker, 2, "a", "OVERWRITE", job="other", columns=_Y),
            _rename(maker, 3, "a", "b"),
        ]
    )
    assert _in_force(store, maker, "b") == ["other: b.a <- in.y @ 3-"]


def test_a_later_write_without_lineage_carries_the_mapping_of_the_new_name(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, out="a", columns=_X), _rename(maker, 3, "a", "b"), maker(5, out="b")])
    assert _in_force(store, maker, "b") == ["job: b.a <- in.x @ 3-"]


def test_a_new_mapping_does_not_hide_that_one_before_was_unknown(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, out="b", columns=_X), maker(2, out="a"), _rename(maker, 3, "a", "b")])
    assert _in_force(store, maker, "b") == ["job: b.a <- in.x @ 1-3", "job:  @ 3-"]


def test_the_same_store_from_any_order_of_a_chain(
    tmp_path: Path, maker: EventMaker, natural_view: Callable[[Store], Any]
) -> None:
    events = [
        maker(1, out="a", columns={"a": ["in.x", "a.b"]}),
        _rename(maker, 2, "a", "b"),
        maker(3, out="a", columns=_Y),
        _rename(maker, 4, "b", "c"),
        _rename(maker, 5, "a", "b"),
    ]
    views = []
    for place, order in enumerate(permutations(events)):
        with open_store(str(tmp_path / f"{place}.db")) as store:
            for event in order:
                store.ingest([event])
            views.append(natural_view(store))
            if place % 20 == 0:
                store.rebuild()
                assert natural_view(store) == views[-1]
    assert all(view == views[0] for view in views)


def test_the_same_names_from_any_order_of_renames(tmp_path: Path, maker: EventMaker) -> None:
    events = [
        maker(1, out="a", columns=_X),
        _rename(maker, 2, "a", "b"),
        _rename(maker, 3, "b", "c"),
        _rename(maker, 4, "c", "d"),
        maker(5, out="c", columns=_Y),
        maker(6, out="b", columns=_Y),
    ]
    known = set()
    for place, order in enumerate(permutations(events)):
        if place % 7:
            continue
        with open_store(str(tmp_path / f"{place}.db")) as store:
            for event in order:
                store.ingest([event])
            known.add(tuple(_aliases(store, maker)))
            store.rebuild()
            known.add(tuple(_aliases(store, maker)))
    assert len(known) == 1


def test_a_rename_that_did_not_happen_takes_back_what_went_on(store: Store, maker: EventMaker) -> None:
    renamed = _rename(maker, 3, "a", "b", run="r")
    store.ingest([maker(1, out="a", columns=_X), renamed])
    store.ingest([maker(4, "FAIL", run="r", job="ddl", out="b")])
    assert _in_force(store, maker, "a") == ["job: a.a <- in.x @ 1-"]
    assert (_in_force(store, maker, "b"), _aliases(store, maker)) == ([], [])


def test_texts_of_an_earlier_event_are_those_under_the_new_name_too(store: Store, maker: EventMaker) -> None:
    def written(minute: int) -> dict[str, Any]:
        event: dict[str, Any] = maker(minute, out="a", columns=_X)
        fields = event["outputs"][0]["facets"]["columnLineage"]["fields"]
        fields["a"]["inputFields"][0]["transformations"][0]["description"] = f"x + {minute}"
        return event

    store.ingest([written(2), _rename(maker, 3, "a", "b")])
    store.ingest([written(1)])
    with store.read() as session:
        assert session.rows("SELECT DISTINCT description FROM edge") == [("x + 1",)]
