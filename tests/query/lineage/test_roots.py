"""The source columns of a column: where all paths to it start, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from headwater.client.local import StoredLineage
from headwater.query.graph.answer import Answer, Direction, Edge, FieldName, Kind, Moment, Node, Transformation
from headwater.query.lineage.roots import rows_read
from headwater.render.text.roots import root_lines

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.query.lineage.roots import Roots
    from headwater.store import Store


def _roots(store: Store, dataset: str, column: str | None = None, **options: Any) -> Roots:  # noqa: ANN401  of the method
    return StoredLineage(store).roots(dataset, column, **options)


def _short(answer: Roots) -> dict[str, tuple[str, int, str]]:
    return {
        f"{root.node.field.name}.{root.node.field.field}": (root.node.kind.name, root.node.distance, root.root.value)
        for root in answer.roots
    }


@pytest.fixture
def warehouse(any_store: Store, maker: EventMaker) -> Store:
    """Two steps: orders and customers are joined, then summed; a job on the way says nothing of columns."""
    any_store.ingest(
        [
            maker(
                1,
                job="join",
                out="joined",
                columns={"mail": ["customers.email MASKED"], "amount": ["orders.cents TRANSFORMATION"], "kind": []},
                rows=["orders.day FILTER"],
            ),
            maker(
                2,
                job="sum",
                out="totals",
                columns={
                    "total": ["joined.amount AGGREGATION", "orders.cents AGGREGATION"],
                    "who": ["joined.mail"],
                    "kind": ["joined.kind"],
                },
                rows=["joined.mail GROUP_BY"],
            ),
        ]
    )
    return any_store


def test_only_the_columns_at_the_start_of_all_paths(warehouse: Store) -> None:
    answer = _roots(warehouse, "totals", "total")
    assert _short(answer) == {
        "orders.cents": ("AGGREGATION", 1, "source"),
        "customers.email": ("INDIRECT", 2, "source"),
        "orders.day": ("INDIRECT", 2, "source"),
    }
    assert answer.complete


def test_those_with_values_come_first_and_others_say_what_they_decide(warehouse: Store) -> None:
    answer = _roots(warehouse, "totals", "total")
    assert [root.node.kind is Kind.INDIRECT for root in answer.roots] == [False, True, True]
    assert {root.node.field.field: root.conditions for root in answer.roots} == {
        "cents": (),
        "email": ("GROUP_BY",),
        "day": ("FILTER",),
    }


def test_masked_only_if_every_path_is(warehouse: Store, maker: EventMaker) -> None:
    assert [root.node.masked for root in _roots(warehouse, "totals", "who", direct=True).roots] == [True]
    warehouse.ingest([maker(3, job="also", out="totals", columns={"who": ["customers.email"]})])
    assert [root.node.masked for root in _roots(warehouse, "totals", "who", direct=True).roots] == [False]


def test_a_column_that_a_job_writes_from_no_other_is_no_source(warehouse: Store) -> None:
    answer = _roots(warehouse, "totals", "kind", direct=True)
    assert _short(answer) == {"joined.kind": ("IDENTITY", 1, "constant")}
    (root,) = answer.roots
    assert [job.name for job in root.jobs] == ["join"]


def test_a_source_is_its_own_root(warehouse: Store) -> None:
    assert _short(_roots(warehouse, "orders", "cents")) == {"orders.cents": ("IDENTITY", 0, "source")}


def test_without_a_column_the_roots_of_all(warehouse: Store) -> None:
    assert _short(_roots(warehouse, "totals", direct=True)) == {
        "orders.cents": ("AGGREGATION", 1, "source"),
        "customers.email": ("IDENTITY", 2, "source"),
        "joined.kind": ("IDENTITY", 1, "constant"),
    }


def test_where_nobody_says_from_which_columns_it_is_unknown(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="copy", out="whole", reads=["source", "other"]),
            maker(2, job="sum", out="report", columns={"n": ["whole.x AGGREGATION"]}),
        ]
    )
    answer = _roots(any_store, "report", "n")
    assert _short(answer) == {"whole.x": ("AGGREGATION", 1, "unknown")}
    assert not answer.complete
    (writer,) = answer.unknown
    assert writer.job
    assert (writer.dataset.name, writer.job.name, [name.name for name in writer.reads], writer.distance) == (
        "whole",
        "copy",
        ["other", "source"],
        1,
    )


def test_a_silent_job_beside_one_that_says_its_columns_is_told(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="told", out="mixed", columns={"x": ["a.x"]}),
            maker(2, job="silent", out="mixed", reads=["b"]),
            maker(3, job="sum", out="report", columns={"n": ["mixed.x"]}),
        ]
    )
    answer = _roots(any_store, "report", "n")
    assert _short(answer) == {"a.x": ("IDENTITY", 2, "source")}
    assert [(writer.job and writer.job.name) for writer in answer.unknown] == ["silent"]
    assert not answer.complete


def test_lineage_of_tables_alone_is_unknown_though_a_facet_is_there(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="tables", out="whole", columns={}, reads=["source"]),
            maker(2, job="sum", out="report", columns={"n": ["whole.x"]}),
        ]
    )
    assert _short(_roots(any_store, "report", "n")) == {"whole.x": ("IDENTITY", 1, "unknown")}


@pytest.mark.parametrize("options", [{"depth": 1}, {"namespaces": ["lake"]}, {"limit": 2}], ids=str)
def test_where_the_question_ends_the_walk_it_says_so(
    any_store: Store, maker: EventMaker, options: dict[str, Any]
) -> None:
    far = maker(1, job="far", out="b", columns={"x": ["a.x"]})
    far["outputs"][0]["facets"]["columnLineage"]["fields"]["x"]["inputFields"][0]["namespace"] = "far"  # type: ignore[index]
    any_store.ingest([far, maker(2, job="near", out="c", columns={"x": ["b.x"]})])
    answer = _roots(any_store, "c", "x", **options)
    assert _short(answer) == {"b.x": ("IDENTITY", 1, "cut")}
    assert not answer.complete
    assert _short(_roots(any_store, "c", "x")) == {"a.x": ("IDENTITY", 2, "source")}


def test_at_another_time(warehouse: Store, maker: EventMaker) -> None:
    warehouse.ingest([maker(9, job="clean", out="orders", columns={"cents": ["raw.cents"]})])
    assert "raw.cents" in _short(_roots(warehouse, "totals", "total"))
    assert "orders.cents" in _short(_roots(warehouse, "totals", "total", as_of=maker.us(8)))


def test_a_name_and_its_alias_have_the_same_writers(any_store: Store, maker: EventMaker) -> None:
    links = {"symlinks": {"identifiers": [{"namespace": "hive", "name": "db.raw", "type": "TABLE"}]}}
    reading = maker(2, job="sum", out="report", columns={"n": ["db.raw.x"]})
    source = reading["outputs"][0]["facets"]["columnLineage"]["fields"]["n"]["inputFields"][0]  # type: ignore[index]
    source.update(namespace="hive", name="db.raw", field="x")
    any_store.ingest(
        [maker(1, job="silent", out="/lake/raw", reads=["in"], schema={"x": "int"}, facets=links), reading]
    )
    assert _short(_roots(any_store, "report", "n")) == {"/lake/raw.x": ("IDENTITY", 1, "unknown")}


def test_as_rows(warehouse: Store, maker: EventMaker) -> None:
    warehouse.ingest([maker(3, job="silent", out="joined", reads=["b"])])
    rows = _roots(warehouse, "totals", "total").rows()
    assert [(row["name"], row["field"], row["class"], row["conditions"], row["root"]) for row in rows] == [
        ("orders", "cents", "AGGREGATION", "", "source"),
        ("customers", "email", "INDIRECT", "GROUP_BY", "source"),
        ("orders", "day", "INDIRECT", "FILTER", "source"),
        ("joined", None, "UNKNOWN", "", "unknown"),
    ]


def test_rows_that_are_read_without_a_column_are_a_root() -> None:
    out, rows = FieldName("lake", "out", "n"), FieldName("lake", "source", None)
    counted = Transformation("INDIRECT", "ROWS", masking=False, description="")
    edges = (Edge(rows, out.rows, (counted,), None, None),)
    answer = Answer(Direction.UPSTREAM, out, Moment(), (Node(out, "", 0, Kind.IDENTITY, masked=False),), edges)
    (node,) = rows_read(answer)
    assert (node.field, node.distance, node.kind) == (rows, 1, Kind.INDIRECT)


def test_inputs_without_a_named_column_and_steps_that_are_not_certain_are_doubts(
    any_store: Store, maker: EventMaker
) -> None:
    any_store.ingest(
        [
            maker(1, job="join", out="mid", columns={"a": ["codes.c"]}, reads=["codes", "raw"]),
            maker(2, job="carry", out="end", columns={"a": ["mid.a"]}, reads=["mid"]),
            maker(3, job="carry", out="end", reads=["mid"]),
        ]
    )
    answer = _roots(any_store, "end", "a")
    # How many rows it has counts for certain.
    assert list(_short(answer)) == ["codes.c", "raw.None"]
    found = {(doubt.why.value, *(name.name for name in doubt.reads)) for doubt in answer.doubts}
    assert found == {("TABLE_ONLY", "raw"), ("CARRIED", "mid")}
    assert not answer.complete
    lines = [line.plain for line in root_lines(answer, every=False)]
    assert "  mid  written by join, which reads raw and names none of its columns" in lines
    assert any(line.startswith("  end  written by carry, from mid; its last run reported no") for line in lines)
