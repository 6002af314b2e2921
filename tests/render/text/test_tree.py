"""Datasets and jobs as a tree of text."""

from __future__ import annotations

from rich.console import Console

from headwater.query.graph.answer import Direction, Moment, TableAnswer, TableEdge, TableKind, TableName, TableNode
from headwater.render.text.tree import tree_lines


def test_datasets_and_jobs_are_a_tree() -> None:
    def end(kind: str, name: str) -> tuple[TableKind, TableName]:
        return TableKind(kind), TableName("lake", name)

    out, job, one, two = end("DATASET", "out"), end("JOB", "etl"), end("DATASET", "a/in"), end("DATASET", "b/\nin")
    answer = TableAnswer(
        Direction.UPSTREAM,
        out[1],
        Moment(),
        tuple(TableNode(*place, distance) for place, distance in ((out, 0), (job, 1), (one, 2), (two, 2))),
        (TableEdge(job, out, None), TableEdge(one, job, None), TableEdge(two, job, None), TableEdge(out, job, None)),
        partial=True,
    )
    console = Console(record=True, width=100)
    for part in tree_lines(answer):
        console.print(part)
    assert [line.rstrip() for line in console.export_text().splitlines()] == [
        "out",
        "└── job etl",
        "    ├── in",
        r"    ├── \nin",
        "    └── out  (shown above)",
        "",
        r"\nin: lake/b/\nin",
        "in: lake/a/in",
        "out: lake/out, written by etl",
        "2 datasets and 1 job.",
        "Partial answer: the limit was reached, and there is more. Raise --limit or narrow the question.",
    ]
