"""Rules 9 and 11 in answers: aliases, renames, structs, upper and lower case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.ask import ask, impact

from headwater.query.graph.answer import Answer, Direction

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tests.conftest import EventMaker

    from headwater.store import Store

    Nodes = Callable[[Answer], dict[str, int]]
    Edges = Callable[[Answer], list[str]]

UP, DOWN = Direction.UPSTREAM, Direction.DOWNSTREAM


def _alias(name: str) -> dict[str, object]:
    return {"symlinks": {"identifiers": [{"namespace": "lake", "name": name, "type": "TABLE"}]}}


def _rename(before: str) -> dict[str, object]:
    previous = {"namespace": "lake", "name": before}
    return {"lifecycleStateChange": {"lifecycleStateChange": "RENAME", "previousIdentifier": previous}}


def _events(maker: EventMaker, *events: tuple[int, str, Mapping[str, Sequence[str]], dict[str, object]]) -> list[Any]:
    return [
        maker(minute, job=f"write {out}", out=out, columns=columns, facets=facets)
        for minute, out, columns, facets in events
    ]


def test_rule_9_what_is_read_by_an_alias_was_written_by_the_physical_name(
    any_store: Store, maker: EventMaker, nodes: Nodes, edges: Edges
) -> None:
    any_store.ingest(
        _events(
            maker,
            (1, "path", {"a": ["in.x"]}, _alias("table")),
            (2, "end", {"e": ["table.a"]}, {}),
        )
    )
    answer = ask(any_store, UP, "end", "e")
    assert nodes(answer) == {"end.e": 0, "path.a": 1, "in.x": 2}
    assert edges(answer) == ["in.x -> path.a: IDENTITY", "path.a -> end.e: IDENTITY"]
    assert nodes(ask(any_store, DOWN, "in", "x")) == {"in.x": 0, "path.a": 1, "end.e": 2}
    assert nodes(ask(any_store, DOWN, "path", "a")) == {"path.a": 0, "end.e": 1}


def test_rule_9_what_is_written_by_an_alias_is_read_by_the_physical_name(
    any_store: Store, maker: EventMaker, nodes: Nodes
) -> None:
    any_store.ingest(
        _events(
            maker,
            (1, "path", {"a": ["in.x"]}, _alias("table")),
            (2, "table", {"a": ["in.y"]}, {}),
            (3, "end", {"e": ["path.a"]}, {}),
        )
    )
    assert set(nodes(ask(any_store, UP, "end", "e"))) == {"end.e", "path.a", "in.x", "in.y"}
    assert set(nodes(ask(any_store, DOWN, "in", "y"))) == {"in.y", "path.a", "end.e"}
    # The alias is a name of its own, too; shown is the physical one.
    assert nodes(ask(any_store, UP, "table", "a")) == {"path.a": 0, "in.x": 1, "in.y": 1}


def test_rule_9_rows_of_an_alias_are_those_of_the_physical_name(
    any_store: Store, maker: EventMaker, nodes: Nodes, edges: Edges
) -> None:
    any_store.ingest(
        [
            maker(1, job="one", out="path", columns={"a": ["in.x"]}, facets=_alias("table")),
            maker(2, job="two", out="table", columns={"b": ["in.x"]}, rows=["in.day FILTER"]),
            maker(3, job="three", out="end", columns={"e": ["path.a"]}),
        ]
    )
    assert set(nodes(ask(any_store, UP, "end", "e"))) == {"end.e", "path.a", "in.x", "in.day"}
    answer = ask(any_store, DOWN, "in", "day")
    assert set(nodes(answer)) == {"in.day", "path.a", "table.b", "end.e"}
    assert "in.day -> path.*: FILTER" in edges(answer)


def test_rule_9_a_column_that_only_the_alias_has_keeps_its_name(
    any_store: Store, maker: EventMaker, nodes: Nodes
) -> None:
    any_store.ingest(
        _events(
            maker,
            (1, "path", {"a": ["in.x"]}, _alias("table")),
            (2, "end", {"e": ["table.late"]}, {}),
        )
    )
    assert nodes(ask(any_store, UP, "end", "e")) == {"end.e": 0, "table.late": 1}
    assert nodes(ask(any_store, DOWN, "path", "late")) == {"table.late": 0, "end.e": 1}


def test_rule_9_a_name_between_two_others_knows_both(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(
        _events(
            maker,
            (1, "path", {"a": ["in.x"]}, _alias("table")),
            (2, "table", {"b": ["in.y"]}, _alias("view")),
            (3, "view", {"b": ["in.z"]}, {}),
        )
    )
    for name in ("table", "view"):
        answer = nodes(ask(any_store, UP, name, "b"))
        assert {node for node, distance in answer.items() if distance} == {"in.y", "in.z"}


def test_rule_9_an_alias_stands_for_what_it_stood_for_then(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(
        _events(
            maker,
            (10, "old", {"a": ["in.x"]}, _alias("table")),
            (11, "end", {"e": ["table.a"]}, {}),
            (20, "new", {"a": ["in.y"]}, _alias("table")),
        )
    )
    assert set(nodes(ask(any_store, UP, "end", "e", as_of=maker.us(15)))) == {"end.e", "old.a", "in.x"}
    assert set(nodes(ask(any_store, UP, "end", "e"))) == {"end.e", "new.a", "in.y"}
    assert set(nodes(ask(any_store, DOWN, "in", "x"))) == {"in.x", "old.a"}
    assert set(nodes(ask(any_store, DOWN, "in", "x", as_of=maker.us(15)))) == {"in.x", "old.a", "end.e"}
    # In a window it stood for both; then it is itself, and both are behind it.
    window: dict[str, Any] = {"since": maker.us(15), "until": maker.us(25)}
    assert set(nodes(ask(any_store, UP, "end", "e", **window))) == {"end.e", "table.a", "in.x", "in.y"}
    assert set(nodes(ask(any_store, DOWN, "in", "x", **window))) == {"in.x", "old.a", "end.e"}


def test_rule_9_a_filter_reaches_the_columns_of_all_that_a_name_stood_for_in_a_window(
    any_store: Store, maker: EventMaker, nodes: Nodes
) -> None:
    reading: Any = maker(1, run="b", job="reads", out=None, reads=["view"])
    reading["inputs"][0]["facets"] = _alias("out")
    any_store.ingest(
        [
            maker(1, run="a", job="filters", out="other", rows=["in.z FILTER"], facets=_alias("view")),
            reading,
            maker(3, job="writes", out="out", schema={"a": "int"}, facets=_alias("view")),
        ]
    )
    names: list[dict[str, Any]] = [{}, {"limit": 2}, {"namespaces": ["lake"]}]
    for options in names:
        answer = ask(any_store, DOWN, "in", "z", until=maker.us(4), **options)
        assert nodes(answer) == {"in.z": 0, "out.a": 1}
        assert [node.kind.name for node in answer.nodes] == ["IDENTITY", "INDIRECT"]


def test_rule_9_an_alias_and_a_struct_match_together(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(
        _events(
            maker,
            (1, "path", {"h": ["in.x"], "other": ["in.no"]}, _alias("table")),
            (2, "end", {"e": ["table.h.id"]}, {}),
        )
    )
    assert set(nodes(ask(any_store, UP, "end", "e"))) == {"end.e", "table.h.id", "in.x"}
    assert set(nodes(ask(any_store, DOWN, "path", "h"))) == {"path.h", "end.e"}


def test_rule_9_names_that_stand_for_each_other_are_one(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(
        _events(
            maker,
            (1, "one", {"a": ["in.x"]}, _alias("two")),
            (2, "two", {"a": ["in.y"]}, _alias("one")),
            (3, "end", {"e": ["one.a"], "f": ["two.a"]}, {}),
        )
    )
    up = [set(nodes(ask(any_store, UP, "end", column))) - {f"end.{column}"} for column in "ef"]
    assert up[0] == up[1]
    assert len(up[0]) == 3  # one of the two names, and both inputs


def test_rule_9_a_rename_goes_on_without_a_hop(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(
        [
            maker(1, job="write", out="old", columns={"a": ["in.x"], "b": ["in.y"]}),
            maker(2, job="early", out="first", columns={"f": ["old.a"]}),
            maker(3, job="move", out="new", facets=_rename("old")),
            maker(4, job="read", out="end", columns={"e": ["new.a"]}),
            maker(5, job="late", out="last", columns={"l": ["old.a"]}),
        ]
    )
    answer = ask(any_store, UP, "end", "e")
    assert nodes(answer) == {"end.e": 0, "new.a": 1, "in.x": 2}
    (written,) = [edge for edge in answer.edges if edge.origin.name == "in"]
    assert written.job
    assert (written.job.name, written.run) == ("write", maker.run_id("write 1"))
    # Readers by the old name, before the rename and after it, read the new one.
    for end in ("first", "last"):
        assert "in.x" in nodes(ask(any_store, UP, end))
    reached = {"new.a": 1, "end.e": 2, "first.f": 2, "last.l": 2}
    assert nodes(ask(any_store, DOWN, "in", "x")) == {"in.x": 0, **reached}
    for name in ("old", "new"):
        assert nodes(ask(any_store, DOWN, name, "a")) == {node: at - 1 for node, at in reached.items()}
        assert nodes(ask(any_store, UP, name, "a")) == {"new.a": 0, "in.x": 1}
    then = ask(any_store, DOWN, "in", "x", as_of=maker.us(2))
    assert nodes(then) == {"in.x": 0, "old.a": 1, "first.f": 2}


def test_rule_9_a_new_table_under_the_old_name_is_another(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(
        [
            maker(1, job="write", out="old", columns={"a": ["in.x"]}, rows=["in.day FILTER"]),
            maker(2, job="move", out="new", facets=_rename("old")),
            maker(3, job="again", out="old", columns={"a": ["in.y"]}),
            maker(4, job="read", out="end", columns={"e": ["old.a"]}),
        ]
    )
    assert nodes(ask(any_store, UP, "new", "a")) == {"new.a": 0, "in.x": 1, "in.day": 1}
    assert nodes(ask(any_store, UP, "end", "e")) == {"end.e": 0, "old.a": 1, "in.y": 2}
    assert nodes(ask(any_store, DOWN, "in", "x")) == {"in.x": 0, "new.a": 1}
    assert nodes(ask(any_store, DOWN, "in", "day")) == {"in.day": 0, "new.a": 1}
    assert nodes(ask(any_store, DOWN, "in", "y")) == {"in.y": 0, "old.a": 1, "end.e": 2}


def test_rule_9_who_read_the_old_name_before_a_new_table_took_it_reads_both(
    any_store: Store, maker: EventMaker, nodes: Nodes
) -> None:
    any_store.ingest(
        [
            maker(1, job="write", out="old", columns={"a": ["in.x"]}, rows=["in.day FILTER"]),
            maker(2, job="early", out="first", columns={"f": ["old.a"]}),
            maker(2, job="count", out="counted", reads=["old"]),
            maker(3, job="move", out="new", facets=_rename("old")),
            maker(4, job="again", out="old", columns={"a": ["in.y"]}),
            maker(5, job="late", out="last", columns={"l": ["old.a"]}),
        ]
    )
    assert set(nodes(ask(any_store, DOWN, "in", "x"))) == {"in.x", "new.a", "first.f"}
    assert set(nodes(ask(any_store, DOWN, "in", "day"))) == {"in.day", "new.a", "first.f"}
    assert set(nodes(ask(any_store, DOWN, "in", "y"))) == {"in.y", "old.a", "first.f", "last.l"}
    assert set(nodes(ask(any_store, UP, "first", "f"))) == {"first.f", "old.a", "in.y", "new.a", "in.x", "in.day"}
    assert set(nodes(ask(any_store, UP, "last", "l"))) == {"last.l", "old.a", "in.y"}
    with any_store.read() as session:
        unknown = impact(session, "in", "x").unknown
    assert [entry.dataset and entry.dataset.name for entry in unknown] == ["counted"]
    # Once it has read the new table, it is a reader of that alone.
    any_store.ingest([maker(6, job="early", out="first", columns={"f": ["old.a"]})])
    assert set(nodes(ask(any_store, DOWN, "in", "x"))) == {"in.x", "new.a"}


def test_rule_9_who_read_a_name_is_made_of_the_table_after_all_its_renames(
    any_store: Store, maker: EventMaker, nodes: Nodes
) -> None:
    any_store.ingest(
        [
            maker(1, job="write", out="old", columns={"a": ["in.x"]}),
            maker(2, job="early", out="first", columns={"f": ["old.a"]}),
            maker(3, job="move", out="middle", facets=_rename("old")),
            maker(4, job="move again", out="new", facets=_rename("middle")),
            maker(5, job="again", out="middle", columns={"a": ["first.f"]}),
        ]
    )
    assert set(nodes(ask(any_store, DOWN, "in", "x"))) == {"in.x", "new.a", "first.f", "middle.a"}
    assert nodes(ask(any_store, UP, "middle", "a")) == {"middle.a": 0, "first.f": 1, "new.a": 2, "in.x": 3}
    # Then the oldest name is taken, too, and the table has one more.
    any_store.ingest(
        [
            maker(6, job="again", out="old", columns={"a": ["in.y"]}),
            maker(7, job="move once more", out="newest", facets=_rename("new")),
        ]
    )
    assert set(nodes(ask(any_store, DOWN, "in", "x"))) == {"in.x", "newest.a", "first.f", "middle.a"}
    assert set(nodes(ask(any_store, UP, "first", "f"))) == {"first.f", "old.a", "in.y", "newest.a", "in.x"}


def test_rule_9_a_table_made_of_the_one_that_it_replaces_is_made_of_what_that_became(
    any_store: Store, maker: EventMaker, nodes: Nodes
) -> None:
    any_store.ingest(
        [
            maker(1, job="first", out="orders", columns={"a": ["in.x"]}),
            maker(2, job="merge", out="orders_new", columns={"a": ["orders.a", "in.y"]}),
            maker(3, job="move", out="orders_old", facets=_rename("orders")),
            maker(4, job="move", out="orders", facets=_rename("orders_new")),
        ]
    )
    assert set(nodes(ask(any_store, UP, "orders", "a"))) == {"orders.a", "orders_old.a", "in.x", "in.y"}
    assert set(nodes(ask(any_store, DOWN, "in", "x"))) == {"in.x", "orders_old.a", "orders.a"}


def test_rule_11_a_renamed_struct_stands_for_what_is_in_it(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(
        [
            maker(1, job="write", out="old", columns={"h": ["in.x"]}),
            maker(2, job="move", out="new", facets=_rename("old")),
            maker(3, job="read", out="end", columns={"e": ["new.h.id"]}),
        ]
    )
    assert set(nodes(ask(any_store, UP, "end", "e"))) == {"end.e", "new.h.id", "in.x"}
    assert set(nodes(ask(any_store, DOWN, "in", "x"))) == {"in.x", "new.h", "end.e"}


def test_rule_11_by_the_only_match_without_case(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(
        [
            maker(1, job="write", out="mid", columns={"Id": ["in.x"], "both": ["in.y"], "BOTH": ["in.z"]}),
            maker(2, job="read", out="end", columns={"a": ["mid.ID"], "b": ["mid.Both"], "c": ["mid.both"]}),
        ]
    )
    assert set(nodes(ask(any_store, UP, "end", "a"))) == {"end.a", "mid.ID", "in.x"}
    assert set(nodes(ask(any_store, UP, "end", "b"))) == {"end.b", "mid.Both"}
    assert set(nodes(ask(any_store, UP, "end", "c"))) == {"end.c", "mid.both", "in.y"}
    assert set(nodes(ask(any_store, DOWN, "in", "x"))) == {"in.x", "mid.Id", "end.a"}
    assert set(nodes(ask(any_store, DOWN, "in", "y"))) == {"in.y", "mid.both", "end.c"}
    assert set(nodes(ask(any_store, DOWN, "in", "z"))) == {"in.z", "mid.BOTH"}


def test_rule_11_a_struct_in_another_case_has_its_fields(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(
        [
            maker(1, job="write", out="mid", columns={"Header.a": ["in.x"], "Header.b": ["in.y"]}),
            maker(2, job="read", out="end", columns={"e": ["mid.header"], "f": ["mid.header.A"]}),
        ]
    )
    assert set(nodes(ask(any_store, UP, "end", "e"))) == {"end.e", "mid.header", "in.x", "in.y"}
    assert set(nodes(ask(any_store, UP, "end", "f"))) == {"end.f", "mid.header.A", "in.x"}
    assert set(nodes(ask(any_store, DOWN, "in", "y"))) == {"in.y", "mid.Header.b", "end.e"}


def test_rule_11_fields_inside_what_is_read_are_read(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(
        [
            maker(1, job="one", out="mid", columns={"h.id": ["in.x"], "h.at": ["in.y"]}),
            maker(2, job="two", out="end", columns={"e": ["mid.h"]}),
        ]
    )
    assert set(nodes(ask(any_store, UP, "end", "e"))) == {"end.e", "mid.h", "in.x", "in.y"}
    assert set(nodes(ask(any_store, DOWN, "in", "x"))) == {"in.x", "mid.h.id", "end.e"}
    assert {node for node, distance in nodes(ask(any_store, UP, "mid")).items() if not distance} == {
        "mid.h.id",
        "mid.h.at",
    }
