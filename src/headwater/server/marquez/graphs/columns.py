"""Graphs of columns, upstream and downstream: in Marquez's format, and by dataset for the version proposal."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from headwater.query.graph.answer import Answer, Direction, FieldName, Moment, TableName, Transformation, place_of
from headwater.query.lineage.provenance import provenance
from headwater.query.lineage.traversal import Walk, traverse
from headwater.query.lineage.versions import Version
from headwater.query.search.resolve import DatasetName
from headwater.server.marquez.entities.column_inputs import Inputs, all_ways, deprecated, transformation
from headwater.server.marquez.entities.values import Json
from headwater.server.marquez.graphs.json import graph_json
from headwater.server.marquez.node_ids import field_id
from headwater.store.db.session import Session


@dataclass(frozen=True, slots=True)
class ColumnGraph:
    """The columns of some answers, with their types, and what feeds each of them."""

    types: Mapping[FieldName, str]
    inputs: Mapping[FieldName, Inputs]
    partial: bool

    @property
    def edges(self) -> list[tuple[FieldName, FieldName]]:
        """As data flows."""
        return [(origin, column) for column, origins in self.inputs.items() for origin in origins]

    @property
    def connected(self) -> set[FieldName]:
        """The columns that an edge begins or ends in: others are not shown."""
        return {end for edge in self.edges for end in edge}


class Bounds(NamedTuple):
    """How far to go: edges, and nodes each way; and whether through what only decides which rows there are."""

    depth: int
    nodes: int
    rows: bool = False

    def walk(self, direction: Direction) -> Walk:
        """A walk within these bounds, through what is in force now."""
        return Walk(direction, Moment(), depth=self.depth, rows=self.rows, limit=self.nodes)


def columns_around(
    session: Session, dataset: DatasetName, column: int | None, bounds: Bounds, *, downstream: bool
) -> list[Answer]:
    """What feeds a column, or all columns of a dataset; and what they feed, if wanted."""
    directions = list(Direction) if downstream else [Direction.UPSTREAM]
    return [traverse(session, dataset.id, column, bounds.walk(direction)) for direction in directions]


def columns_of_version(
    session: Session, dataset: DatasetName, version: Version, column: int | None, bounds: Bounds
) -> Answer:
    """What a version of a column, or of all columns, was made of."""
    return provenance(session, dataset, version, column, bounds.walk(Direction.UPSTREAM))


def column_graph(answers: Iterable[Answer], hidden: Collection[TableName] = ()) -> ColumnGraph:
    """Answers taken together; what decides on the rows of a dataset, if the walks went there, feeds all its columns."""
    types: dict[FieldName, str] = {}
    steps: defaultdict[FieldName, defaultdict[FieldName, set[Transformation]]]
    steps = defaultdict(lambda: defaultdict(set))
    partial = False
    for answer in answers:
        partial = partial or answer.partial
        by_rows: defaultdict[FieldName, list[FieldName]] = defaultdict(list)
        for node in answer.nodes:
            if node.field.table not in hidden:
                types[node.field] = node.type
                by_rows[node.field.rows].append(node.field)
        for edge in answer.edges:
            reached = by_rows[edge.destination] if edge.dataset_level else [edge.destination]
            for column in reached:
                if edge.origin in types and column in types:
                    steps[column][edge.origin].update(edge.transformations)
    inputs = {
        column: {origin: tuple(sorted(origins[origin], key=place_of)) for origin in sorted(origins, key=field_id)}
        for column, origins in steps.items()
    }
    return ColumnGraph(types, inputs, partial)


def field_nodes(graph: ColumnGraph, versions: Mapping[TableName, str]) -> Json:
    """A graph in Marquez's format; `versions` are the current ones of datasets, for columns that name none."""

    def version(column: FieldName) -> str | None:
        return column.version or versions.get(column.table)

    nodes = {}
    for column in graph.connected:
        inputs = graph.inputs.get(column, {})
        data = {
            "namespace": column.namespace,
            "dataset": column.name,
            "datasetVersion": version(column),
            "field": column.field,
            "fieldType": graph.types[column],
            **deprecated(all_ways(inputs)),
            "inputFields": [
                {
                    "namespace": origin.namespace,
                    "dataset": origin.name,
                    "datasetVersion": version(origin),
                    "field": origin.field,
                    **deprecated(ways),
                    "transformations": [transformation(way) for way in ways],
                }
                for origin, ways in inputs.items()
            ],
        }
        nodes[field_id(column)] = ("DATASET_FIELD", data)
    edges = ((field_id(origin), field_id(column)) for origin, column in graph.edges)
    return graph_json(nodes, edges, partial=graph.partial, reversed_in=True)
