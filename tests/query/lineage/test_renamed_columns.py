"""A renamed column goes on under its new name: what wrote or read it under the old one is about the same column."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest
from tests.ask import ask

from headwater.client.local import StoredLineage
from headwater.query.graph.answer import Answer, Direction
from headwater.query.names import read_question
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import EventMaker

    from headwater.store import Store

    Nodes = Callable[[Answer], dict[str, int]]
    Edges = Callable[[Answer], list[str]]

UP, DOWN = Direction.UPSTREAM, Direction.DOWNSTREAM


def renamed(maker: EventMaker, minute: int, old: str, new: str, *rest: str, table: str = "t") -> dict[str, object]:
    """ALTER TABLE t RENAME COLUMN old TO new; `rest` are the other columns."""
    return maker(
        minute,
        job=f"rename {table}.{old}",
        out=table,
        columns={new: [f"{table}.{old}"]},
        schema=dict.fromkeys((new, *rest), "int"),
        lifecycle="ALTER",
        reads=[table],
    )


def before_and_after(maker: EventMaker) -> list[Any]:
    """t.x is made from s.a and read by u; then it becomes t.y."""
    return [
        maker(1, job="write t", out="t", columns={"x": ["s.a"]}, schema={"x": "int", "z": "int"}, reads=["s"]),
        maker(2, job="write u", out="u", columns={"b": ["t.x"]}, schema={"b": "int"}, reads=["t"]),
        renamed(maker, 3, "x", "y", "z"),
    ]


def test_answers_about_now_show_the_new_name_without_a_hop(
    any_store: Store, maker: EventMaker, nodes: Nodes, edges: Edges
) -> None:
    any_store.ingest(before_and_after(maker))
    assert nodes(ask(any_store, DOWN, "t", "y")) == {"t.y": 0, "u.b": 1}
    assert nodes(ask(any_store, UP, "t", "y")) == {"t.y": 0, "s.a": 1}
    assert nodes(ask(any_store, DOWN, "s", "a")) == {"s.a": 0, "t.y": 1, "u.b": 2}
    answer = ask(any_store, UP, "u", "b")
    assert nodes(answer) == {"u.b": 0, "t.y": 1, "s.a": 2}
    assert edges(answer) == ["s.a -> t.y: IDENTITY", "t.y -> u.b: IDENTITY"]


def test_the_old_name_leads_to_the_column(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(before_and_after(maker))
    assert nodes(ask(any_store, DOWN, "t", "x")) == {"t.y": 0, "u.b": 1}


def test_answers_about_moments_before_show_the_old_name(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(before_and_after(maker))
    assert nodes(ask(any_store, UP, "u", "b", as_of=maker.us(2))) == {"u.b": 0, "t.x": 1, "s.a": 2}
    assert nodes(ask(any_store, DOWN, "s", "a", as_of=maker.us(2))) == {"s.a": 0, "t.x": 1, "u.b": 2}


def test_writers_and_readers_of_the_new_name_count_as_well(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(
        [
            *before_and_after(maker),
            maker(4, job="append t", out="t", columns={"y": ["r.c"]}, reads=["r"]),
            maker(5, job="write v", out="v", columns={"d": ["t.y"]}, reads=["t"]),
        ]
    )
    assert nodes(ask(any_store, DOWN, "s", "a")) == {"s.a": 0, "t.y": 1, "u.b": 2, "v.d": 2}
    assert nodes(ask(any_store, UP, "u", "b")) == {"u.b": 0, "t.y": 1, "r.c": 2, "s.a": 2}


def test_an_overwrite_ends_the_writers_and_not_the_name(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(
        [
            *before_and_after(maker),
            maker(4, job="fill t", out="t", columns={"y": ["r.c"]}, lifecycle="OVERWRITE", reads=["r"]),
        ]
    )
    assert nodes(ask(any_store, UP, "u", "b")) == {"u.b": 0, "t.y": 1, "r.c": 2}
    assert nodes(ask(any_store, DOWN, "t", "y")) == {"t.y": 0, "u.b": 1}


def test_several_renames_are_one_column(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest([*before_and_after(maker), renamed(maker, 4, "y", "w", "z"), renamed(maker, 5, "w", "x", "z")])
    assert nodes(ask(any_store, DOWN, "t", "x")) == {"t.x": 0, "u.b": 1}
    assert nodes(ask(any_store, UP, "u", "b")) == {"u.b": 0, "t.x": 1, "s.a": 2}
    assert nodes(ask(any_store, UP, "u", "b", as_of=maker.us(4))) == {"u.b": 0, "t.w": 1, "s.a": 2}


def test_a_new_column_of_the_old_name_stands_for_itself(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(
        [
            *before_and_after(maker),
            maker(4, job="add x", out="t", schema={"y": "int", "z": "int", "x": "int"}, lifecycle="ALTER"),
            maker(5, job="append t", out="t", columns={"y": ["r.c"], "x": ["r.d"]}, reads=["r"]),
            maker(6, job="write v", out="v", columns={"d": ["t.y"], "e": ["t.x"]}, reads=["t"]),
        ]
    )
    # What reads t.x may have read either.
    assert nodes(ask(any_store, DOWN, "t", "y")) == {"t.y": 0, "u.b": 1, "v.d": 1, "v.e": 1}
    assert nodes(ask(any_store, DOWN, "t", "x")) == {"t.x": 0, "u.b": 1, "v.e": 1}
    assert nodes(ask(any_store, UP, "u", "b")) == {"u.b": 0, "t.x": 1, "r.c": 2, "r.d": 2, "s.a": 2}
    assert nodes(ask(any_store, UP, "v", "d")) == {"v.d": 0, "t.y": 1, "r.c": 2, "r.d": 2, "s.a": 2}


def test_a_copy_beside_the_column_is_no_rename(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(
        [
            maker(1, job="write t", out="t", columns={"x": ["s.a"]}, schema={"x": "int"}),
            maker(
                2,
                job="add y",
                out="t",
                columns={"y": ["t.x"]},
                schema={"x": "int", "y": "int"},
                lifecycle="ALTER",
            ),
        ]
    )
    assert nodes(ask(any_store, UP, "t", "y")) == {"t.y": 0, "t.x": 1, "s.a": 2}


def test_fields_in_a_renamed_struct_go_on(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    def schema(name: str) -> dict[str, object]:
        inside = [{"name": "city", "type": "string"}, {"name": "zip", "type": "string"}]
        return {"schema": {"fields": [{"name": name, "type": "struct", "fields": inside}]}}

    any_store.ingest(
        [
            maker(1, job="write t", out="t", columns={"home.city": ["s.a"]}, facets=schema("home")),
            maker(2, job="write u", out="u", columns={"b": ["t.home.city"], "c": ["t.home"]}),
            maker(
                3,
                job="rename",
                out="t",
                columns={"place.city": ["t.home.city"], "place.zip": ["t.home.zip"]},
                facets=schema("place"),
                lifecycle="ALTER",
            ),
        ]
    )
    assert nodes(ask(any_store, DOWN, "t", "place.city")) == {"t.place.city": 0, "u.b": 1, "u.c": 1}
    assert nodes(ask(any_store, DOWN, "t", "place")) == {"t.place": 0, "u.b": 1, "u.c": 1}
    assert nodes(ask(any_store, UP, "u", "b")) == {"u.b": 0, "t.place.city": 1, "s.a": 2}
    assert nodes(ask(any_store, UP, "u", "c")) == {"u.c": 0, "t.place": 1, "s.a": 2}


def test_a_renamed_column_behind_another_name_of_its_dataset(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    alias = {"symlinks": {"identifiers": [{"namespace": "lake", "name": "table", "type": "TABLE"}]}}
    any_store.ingest(
        [
            maker(1, job="write t", out="t", columns={"x": ["s.a"]}, facets=alias, schema={"x": "int"}),
            maker(2, job="write u", out="u", columns={"b": ["table.x"]}),
            renamed(maker, 3, "x", "y"),
        ]
    )
    assert nodes(ask(any_store, DOWN, "t", "y")) == {"t.y": 0, "u.b": 1}
    assert nodes(ask(any_store, UP, "u", "b")) == {"u.b": 0, "t.y": 1, "s.a": 2}


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_order_of_arrival_does_not_matter(
    tmp_path: Path, maker: EventMaker, nodes: Nodes, order: tuple[int, ...]
) -> None:
    events = before_and_after(maker)
    with open_store(str(tmp_path / "lineage.db")) as store:
        for place in order:
            store.ingest([events[place]])
        assert nodes(ask(store, UP, "u", "b")) == {"u.b": 0, "t.y": 1, "s.a": 2}
        assert nodes(ask(store, DOWN, "t", "y")) == {"t.y": 0, "u.b": 1}


def test_a_rename_that_failed_changes_no_name(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    first, second, rename = before_and_after(maker)
    any_store.ingest([first, second, rename | {"eventType": "FAIL"}])
    assert nodes(ask(any_store, DOWN, "s", "a")) == {"s.a": 0, "t.x": 1, "u.b": 2}


def test_tags_of_the_old_name_count(any_store: Store, maker: EventMaker) -> None:
    first, *rest = before_and_after(maker)
    tags = {"tags": {"tags": [{"key": "PII", "value": "true", "field": "x", "source": "USER"}]}}
    first["outputs"][0]["facets"] |= tags
    any_store.ingest([first, *rest])
    lineage = StoredLineage(any_store)
    for parts in ({"dataset": "t", "column": "y"}, {"dataset": "t"}, {}):
        found = lineage.ask(read_question("pii", parts))
        (source,) = found.sources
        assert (source.field.field, source.tags) == ("y", ("PII",)), parts
        assert [item.field.name for item in source.reached] == ["u"]
    assert [column.field.field for column in lineage.ask(read_question("pii", {"dataset": "t"})).tagged] == ["y"]


def test_a_table_goes_on_after_its_column_and_a_column_after_its_table(
    any_store: Store, maker: EventMaker, nodes: Nodes
) -> None:
    previous = {"namespace": maker.NAMESPACE, "name": "t"}
    state = {"lifecycleStateChange": "RENAME", "previousIdentifier": previous}
    table = maker(4, job="rename t", out="n", schema={"y": "int", "z": "int"}, facets={"lifecycleStateChange": state})
    column = renamed(maker, 5, "z", "w", "y", table="n")
    any_store.ingest(
        [
            *before_and_after(maker),
            maker(2, job="write v", out="v", columns={"c": ["t.z"]}, schema={"c": "int"}, reads=["t"]),
            table,
            column,
        ]
    )
    assert nodes(ask(any_store, DOWN, "s", "a")) == {"s.a": 0, "n.y": 1, "u.b": 2}
    assert nodes(ask(any_store, DOWN, "n", "y")) == {"n.y": 0, "u.b": 1}
    assert nodes(ask(any_store, DOWN, "n", "w")) == {"n.w": 0, "v.c": 1}
    assert nodes(ask(any_store, UP, "v", "c")) == {"v.c": 0, "n.w": 1}
    assert nodes(ask(any_store, UP, "u", "b")) == {"u.b": 0, "n.y": 1, "s.a": 2}
