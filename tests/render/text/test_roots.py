"""The roots of a column as text."""

from __future__ import annotations

from headwater.query.graph.answer import FieldName, Kind, Moment, Node, TableName
from headwater.query.lineage.roots import Root, RootKind, Roots, SilentWriter
from headwater.render.text.roots import root_lines

JOB = TableName("jobs", "load")


def _root(name: str, kind: Kind = Kind.IDENTITY, why: RootKind = RootKind.SOURCE, *conditions: str) -> Root:
    table, _, field = name.partition(".")
    jobs = () if why is RootKind.SOURCE else (JOB,)
    return Root(Node(FieldName("lake", table, field or None), "", 2, kind, masked=False), why, conditions, jobs)


def _lines(*roots: Root, every: bool = False, unknown: tuple[SilentWriter, ...] = ()) -> list[str]:
    answer = Roots(FieldName("lake", "out", "x"), Moment(), roots, unknown)
    return [str(line) for line in root_lines(answer, every=every)]


def test_each_root_says_why_the_path_starts_there() -> None:
    assert _lines(
        _root("a.x"),
        _root("b.x", Kind.TRANSFORMATION, RootKind.CONSTANT),
        _root("c.x", Kind.AGGREGATION, RootKind.UNKNOWN),
        _root("d.x", Kind.INDIRECT, RootKind.CUT, "FILTER", "JOIN"),
    )[:5] == [
        "out.x",
        "  a.x  copied  2 steps  source",
        "  b.x  transformed  2 steps  written by load from no column",
        "  c.x  aggregated  2 steps  unknown: load does not say from which columns",
        "  d.x  filters, joins  2 steps  not followed further",
    ]


def test_many_that_only_decide_are_one_line() -> None:
    deciding = [_root(f"d.c{number}", Kind.INDIRECT, RootKind.SOURCE, "FILTER") for number in range(4)]
    folded = _lines(_root("a.x"), *deciding)
    assert folded[2] == "  + 4 columns that only decide on rows or conditions (--all)"
    assert folded[-1] == "5 roots in 2 datasets."
    assert len(_lines(_root("a.x"), *deciding, every=True)) > len(folded)
    assert _lines(*deciding)[1] == "  d.c0  filters  2 steps  source"


def test_what_may_be_missing_is_told() -> None:
    writer = SilentWriter(TableName("lake", "mixed"), JOB, (TableName("lake", "b"),), 1)
    lines = _lines(_root("a.x"), unknown=(writer,))
    assert lines[2:4] == [
        "There may be more (no column lineage recorded):",
        "  mixed  written by load, which reads b",
    ]


def test_rows_alone_are_a_root() -> None:
    assert (
        _lines(_root("a", Kind.INDIRECT, RootKind.SOURCE, "ROWS"))[1] == "  rows of a  number of rows  2 steps  source"
    )
