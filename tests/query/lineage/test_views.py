"""Views are nodes: a table, the view over it, and what is made from the view stand in a row, and nothing is doubled."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
from tests.ask import ask, impact, tables

from headwater.query.graph.answer import Answer, Direction, TableKind

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store

UP, DOWN = Direction.UPSTREAM, Direction.DOWNSTREAM


def named(*names: str) -> list[dict[str, str]]:
    return [{"namespace": "lake", "name": name} for name in names]


def view(
    maker: EventMaker, minute: int, name: str, columns: dict[str, list[str]], rows: tuple[str, ...] = ()
) -> dict[str, Any]:
    """What a view is made of."""
    event: Any = maker(minute, out=name, columns=columns, rows=rows, schema=dict.fromkeys(columns, "string"))
    return {"eventTime": event["eventTime"], "dataset": event["outputs"][0]}


def reading(maker: EventMaker, minute: int, *, out: str = "u", job: str = "make", **parts: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """The run of a statement that reads a view, and the table behind it: as events say it."""
    views, behind, direct = parts["views"], parts.get("behind", ("t",)), parts.get("direct", ())
    run = f"{job} {minute}"
    start: Any = maker(minute, "START", run=run, job=job, out=out, reads=[*behind, *direct])
    end: Any = maker(minute + 1, run=run, job=job, out=out, reads=[*behind, *direct], columns=parts["through"])
    for event in (start, end):
        for dataset in event["inputs"][: len(behind)]:
            dataset["inputFacets"] = {"headwater_behindViews": {"views": named(*views)}}
    by_views: Any = maker(minute, columns=parts["columns"], rows=parts.get("rows", ()))
    facet = copy.deepcopy(by_views["outputs"][0]["facets"]["columnLineage"])
    end["outputs"][0]["facets"]["headwater_views"] = {**facet, "views": named(*views)}
    return [start, end]


def edges(answer: Answer) -> list[str]:
    return sorted(
        f"{edge.origin.name}.{edge.origin.field or '*'} -> {edge.destination.name}.{edge.destination.field or '*'}"
        for edge in answer.edges
    )


@pytest.fixture
def shop(any_store: Store, maker: EventMaker) -> Store:
    """`v` shows the names of `t` that have a flag; `u` is made from `v`."""
    any_store.ingest(
        [
            maker(0, job="fill", out="t", reads=["raw"], columns={"name": ["raw.name"], "flag": ["raw.flag"]}),
            view(maker, 1, "v", {"n": ["t.name TRANSFORMATION"]}, ("t.flag FILTER",)),
            *reading(maker, 2, views=["v"], through={"n": ["t.name TRANSFORMATION"]}, columns={"n": ["v.n"]}),
        ]
    )
    return any_store


def test_the_readers_of_a_view_are_known(shop: Store) -> None:
    with shop.read() as session:
        reached = impact(session, "v", "n")
    assert [item.name.name for item in reached.datasets] == ["u"]


def test_upstream_goes_through_the_view_and_nothing_is_doubled(shop: Store) -> None:
    answer = ask(shop, UP, "u", "n")
    assert edges(answer) == ["raw.flag -> t.flag", "raw.name -> t.name", "t.flag -> v.*", "t.name -> v.n", "v.n -> u.n"]
    assert edges(ask(shop, DOWN, "t", "flag")) == ["t.flag -> v.*", "v.n -> u.n"]


def test_tables_stand_in_a_row(shop: Store) -> None:
    with shop.read() as session:
        answer = tables(session, UP, "u")
    datasets = {node.name.name: node.distance for node in answer.nodes if node.kind is TableKind.DATASET}
    assert datasets == {"u": 0, "v": 2, "t": 4, "raw": 6}


def test_a_table_that_is_read_beside_its_view_is_an_input(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            view(maker, 1, "v", {"n": ["t.name"]}),
            *reading(
                maker, 2, views=["v"], behind=(), direct=("t",), through={"n": ["t.name"], "f": ["t.flag"]},
                columns={"n": ["v.n"], "f": ["t.flag"]},
            ),
        ]
    )  # fmt: skip
    with any_store.read() as session:
        answer = tables(session, DOWN, "t")
    assert {node.name.name for node in answer.nodes} == {"t", "v", "u", "make"}
    assert edges(ask(any_store, UP, "u")) == ["t.flag -> u.f", "t.name -> v.n", "v.n -> u.n"]


def test_another_definition_of_the_view_counts_from_its_moment(shop: Store, maker: EventMaker) -> None:
    shop.ingest([view(maker, 9, "v", {"n": ["other.name"]})])
    assert edges(ask(shop, UP, "u", "n")) == ["other.name -> v.n", "v.n -> u.n"]
    assert edges(ask(shop, UP, "u", "n", as_of="2026-01-01T00:05:00Z"))[-2:] == ["t.name -> v.n", "v.n -> u.n"]


def test_what_was_made_from_a_view_keeps_its_sources_when_the_view_is_dropped(shop: Store, maker: EventMaker) -> None:
    before = edges(ask(shop, UP, "u", "n"))
    shop.ingest([maker(9, job="drop", out="v", lifecycle="DROP")])
    assert edges(ask(shop, UP, "u", "n")) == before
    with shop.read() as session:
        assert "u" in [item.name.name for item in impact(session, "t", "name").datasets]
    # A table in its place is something else.
    shop.ingest([maker(10, job="fill v", out="v", columns={"n": ["other.name"]}, lifecycle="OVERWRITE")])
    assert edges(ask(shop, UP, "u", "n")) == ["other.name -> v.n", "v.n -> u.n"]


def test_a_version_was_made_of_what_was_behind_the_view_when_it_was_read(any_store: Store, maker: EventMaker) -> None:
    def fill(minute: int, source: str) -> dict[str, object]:
        return maker(minute, job="fill", out="t", columns={"name": [source]}, lifecycle="OVERWRITE")

    def make(minute: int) -> list[dict[str, Any]]:
        return reading(maker, minute, views=["v"], through={"n": ["t.name"]}, columns={"n": ["v.n"]})

    any_store.ingest([view(maker, 1, "v", {"n": ["t.name"]}), fill(2, "raw.x"), *make(3), fill(5, "raw.y"), *make(6)])
    first = ask(any_store, UP, "u", "n", version=maker.run_id("make 3"))
    assert [node.field.field for node in first.nodes if node.field.name == "raw"] == ["x"]
    second = ask(any_store, UP, "u", "n", version=maker.run_id("make 6"))
    assert [node.field.field for node in second.nodes if node.field.name == "raw"] == ["y"]
    assert len(second.nodes) == len({node.field for node in second.nodes})


def test_a_version_behind_a_view_is_the_one_that_the_reader_names(any_store: Store, maker: EventMaker) -> None:
    made = reading(maker, 8, views=["v"], through={"n": ["t.name"]}, columns={"n": ["v.n"]})
    for event in made:
        event["inputs"][0]["facets"] = {"version": {"datasetVersion": "1"}}
    old: Any = maker(2, job="fill", out="t", columns={"name": ["raw.x"]}, lifecycle="OVERWRITE")
    old["outputs"][0]["facets"]["version"] = {"datasetVersion": "1"}
    new = maker(5, job="fill", out="t", columns={"name": ["raw.y"]}, lifecycle="OVERWRITE")
    any_store.ingest([view(maker, 1, "v", {"n": ["t.name"]}), old, new, *made])
    answer = ask(any_store, UP, "u", "n", version=maker.run_id("make 8"))
    assert [node.field.field for node in answer.nodes if node.field.name == "raw"] == ["x"]


def test_an_input_behind_a_view_keeps_its_columns(any_store: Store, maker: EventMaker) -> None:
    made = reading(maker, 2, views=["v"], through={"n": ["t.name"]}, columns={"n": ["v.n"]})
    made[1]["inputs"][0]["facets"] = {"schema": {"fields": [{"name": "name", "type": "string"}, {"name": "unused"}]}}
    any_store.ingest(made)
    with any_store.read() as session:
        rows = session.rows(
            "SELECT field.path FROM field JOIN dataset ON dataset.id = field.dataset WHERE dataset.name = 't'"
        )
    assert sorted(path for (path,) in rows) == ["name", "unused"]
