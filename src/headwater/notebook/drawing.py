"""Answers as small pictures: datasets as boxes with their columns; data flows from left to right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from headwater.common.groups import lists_by_key
from headwater.notebook.svg import Box, Line, picture
from headwater.notebook.words import edge_in_words, printable, table_label

if TYPE_CHECKING:
    from headwater.query.graph.answer import Answer, Edge, FieldName, TableAnswer, TableKind, TableName

    End: TypeAlias = tuple[TableKind, TableName]

_ROWS = "(rows)"


def column_picture(answer: Answer, short: Mapping[tuple[str, str], str]) -> str:
    """The columns of an answer in the boxes of their datasets; empty without edges."""
    distances = _with_rows(answer)
    edges = [edge for edge in answer.edges if edge.origin in distances and edge.destination in distances]
    # The nearest come first, so that the farthest are left out.
    inside = lists_by_key((name.rows, name) for name in sorted(distances, key=lambda name: distances[name]))
    boxes = {
        table: Box(
            _key(table),
            printable(table_label(table, short)),
            printable(f"{table.table.full} {table.version or ''}".strip()),
            tuple((printable(name.field or _ROWS), _title(name)) for name in names),
            chosen=table == answer.root.rows,
        )
        for table, names in inside.items()
    }
    rows = {name: row for names in inside.values() for row, name in enumerate(names)}
    lines = [
        Line(
            (_key(edge.origin.rows), rows[edge.origin]),
            (_key(edge.destination.rows), rows[edge.destination]),
            _class_of(edge),
            printable(_edge_title(edge)),
            _masked(edge),
        )
        for edge in edges
    ]
    far = {table: min(distances[name] for name in names) for table, names in inside.items()}
    layers = _layers((boxes[table], far[table]) for table in inside)
    return picture(layers, lines, leftwards=answer.direction.value == "upstream") if lines else ""


def table_picture(answer: TableAnswer, label: Callable[[End], str]) -> str:
    """Datasets and jobs, a box each."""
    ends = {(node.kind, node.name): node.distance for node in answer.nodes}
    lines = [
        Line((_end_key(edge.origin), None), (_end_key(edge.destination), None), "IDENTITY", "")
        for edge in answer.edges
        if edge.origin in ends and edge.destination in ends
    ]
    boxes = (
        (Box(_end_key(end), printable(label(end)), printable(end[1].full), chosen=distance == 0), distance)
        for end, distance in ends.items()
    )
    return picture(_layers(boxes), lines, leftwards=answer.direction.value == "upstream") if lines else ""


def _with_rows(answer: Answer) -> dict[FieldName, int]:
    """The distance of each node; the rows of a dataset are as near as the nearest of its columns."""
    distances = {node.field: node.distance for node in answer.nodes}
    nearest: dict[FieldName, int] = {}
    for name, distance in distances.items():
        nearest[name.rows] = min(nearest.get(name.rows, distance), distance)
    for edge in answer.edges:
        if edge.destination.field is None:
            distances[edge.destination] = nearest.get(edge.destination, 0)
    return distances


def _layers(boxes: Iterable[tuple[Box, int]]) -> list[list[Box]]:
    """Boxes by distance, the nearest first."""
    by_distance = lists_by_key((distance, box) for box, distance in boxes)
    return [by_distance[distance] for distance in sorted(by_distance)]


def _class_of(edge: Edge) -> str:
    """The most direct transformation on an edge; without any, it is not shown as a copy."""
    kinds = [step.kind for step in edge.transformations]
    return min(kinds).name if kinds else "TRANSFORMATION"


def _masked(edge: Edge) -> bool:
    """Whether every transformation of the value itself is masked; indirect ones pass no value on."""
    passing = [step for step in edge.transformations if step.type != "INDIRECT"] or list(edge.transformations)
    return bool(passing) and all(step.masking for step in passing)


def _edge_title(edge: Edge) -> str:
    title = f"{edge.origin.field or _ROWS} → {edge.destination.field or _ROWS}: {edge_in_words(edge)}"
    return f"{title} (job {edge.job.name})" if edge.job else title


def _title(name: FieldName) -> str:
    return printable(f"{name.table.full} {name.field or _ROWS}")


def _key(table: FieldName) -> str:
    return f"{table.namespace}\0{table.name}\0{table.version or ''}"


def _end_key(end: End) -> str:
    kind, name = end
    return f"{kind.value}\0{name.namespace}\0{name.name}"
