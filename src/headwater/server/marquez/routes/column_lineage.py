"""`GET /column-lineage`: what feeds columns, in Marquez's form; with `column`, by dataset as the proposal has it."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Annotated
from uuid import UUID

from fastapi import Query

from headwater.query.graph.answer import Answer, Direction, FieldName, Moment, TableName
from headwater.query.lineage.tables import follow_tables
from headwater.query.lineage.traversal import Walk
from headwater.query.search.resolve import DatasetName, JobName, UnknownName, resolve_column
from headwater.server.http.errors import ApiError
from headwater.server.marquez.entities.column_inputs import ColumnInputs, Inputs, as_object, inputs_in, inputs_now
from headwater.server.marquez.entities.dataset_facts import DatasetFacts, facts_of_datasets
from headwater.server.marquez.entities.dataset_json import node_json
from headwater.server.marquez.entities.job_versions import run_of_version
from headwater.server.marquez.entities.lookups import datasets_named
from headwater.server.marquez.entities.run_facts import versions_of_run
from headwater.server.marquez.entities.values import Json
from headwater.server.marquez.graphs.columns import (
    Bounds,
    ColumnGraph,
    column_graph,
    columns_around,
    columns_of_version,
    field_nodes,
)
from headwater.server.marquez.graphs.json import graph_json
from headwater.server.marquez.models import LineageGraph
from headwater.server.marquez.node_ids import (
    DatasetNode,
    JobNode,
    dataset_id,
    find_dataset,
    find_field,
    find_job,
    kind_and_rest,
    names_version,
)
from headwater.server.marquez.parameters import NOT_FOUND, Depth, NodeIdText
from headwater.server.marquez.routing import MostNodes, SessionRoutes
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.reads.names import hidden_among
from headwater.store.reads.versions import newest_versions, version_by_uuid

router = SessionRoutes("lineage")

WithDownstream = Annotated[bool, Query(alias="withDownstream", description="Include what the columns feed.")]
WithRows = Annotated[
    bool,
    Query(
        alias="withRows",
        description="Include what only decides which rows there are (filters, joins, …), as inputs of every column.",
    ),
]
Column = Annotated[
    str | None,
    Query(min_length=1, description="A column of the dataset: the answer then lists the datasets that feed it."),
]


@router.get(
    "/column-lineage",
    response_model=LineageGraph,
    responses=NOT_FOUND,
    summary="What feeds columns, and what they feed",
)
def get_column_lineage(  # noqa: PLR0913, PLR0917  the parameters of the query
    session: Session,
    node_id: NodeIdText,
    most: MostNodes,
    depth: Depth = 20,
    with_downstream: WithDownstream = False,  # noqa: FBT002  a parameter of the query
    with_rows: WithRows = False,  # noqa: FBT002  a parameter of the query
    column: Column = None,
) -> Json:
    """Get what feeds a column, the columns of a dataset, or those that a job writes, up to `depth` edges away.

    With `column`, the nodes are datasets: those that contribute to that column, each with what feeds its columns. With
    the version of a dataset, only what that version was made of; with that of a job, what its last run in it wrote.
    """
    bounds = Bounds(depth, most, rows=with_rows)
    if column is not None:
        return by_dataset(session, node_id, column, bounds, downstream=with_downstream)
    return by_field(session, node_id, bounds, downstream=with_downstream)


def by_field(session: Session, node_id: str, bounds: Bounds, *, downstream: bool) -> Json:
    """The answer in Marquez's form."""
    node = _find(session, node_id, downstream=downstream)
    if isinstance(node, JobNode):
        answers = _of_job(session, node, bounds, downstream=downstream)
    else:
        answers = _answers(session, node, node.field, bounds, downstream=downstream)
    graph = _visible(session, answers)
    return field_nodes(graph, _versions(session, graph))


def _of_job(session: Session, node: JobNode, bounds: Bounds, *, downstream: bool) -> list[Answer]:
    run = run_of_version(session, node.job.id, node.version) if node.version is not None else None
    if run is None:
        return [
            answer
            for dataset in _written_by(session, node.job)
            for answer in columns_around(session, dataset, None, bounds, downstream=downstream)
        ]
    if downstream:
        raise _version_and_downstream()
    written = {version.dataset: version for version in versions_of_run(session, run)}
    named = datasets_named(session, [name for name, _ in run.written])
    return [
        columns_of_version(session, dataset, written[dataset.id], None, bounds)
        for dataset, _ in named
        if dataset.id in written
    ]


def by_dataset(session: Session, node_id: str, column: str, bounds: Bounds, *, downstream: bool) -> Json:
    """The answer in the proposal's form."""
    kind, rest = kind_and_rest(node_id)
    if kind != "dataset":
        raise ApiError(400, "column: needs the nodeId of a dataset, dataset:namespace:name")
    node = find_dataset(session, node_id, rest)
    field = resolve_column(session, node.dataset, column)
    graph = _visible(session, _answers(session, node, field, bounds, downstream=downstream))
    return dataset_nodes(session, graph, rows=bounds.rows)


def _answers(
    session: Session, node: DatasetNode, column: int | None, bounds: Bounds, *, downstream: bool
) -> list[Answer]:
    if node.version is None:
        return columns_around(session, node.dataset, column, bounds, downstream=downstream)
    if downstream:
        raise _version_and_downstream()
    return [columns_of_version(session, node.dataset, node.version, column, bounds)]


def _find(session: Session, text: str, *, downstream: bool) -> DatasetNode | JobNode:
    kind, rest = kind_and_rest(text)
    try:
        if kind == "dataset":
            return find_dataset(session, text, rest)
        if kind == "datasetField":
            return find_field(session, text, rest)
        if kind == "job":
            return find_job(session, text, rest)
    except (ApiError, UnknownName):
        # Whatever there is of that name, a version of it would be refused.
        if downstream and names_version(rest):
            raise _version_and_downstream() from None
        raise
    raise ApiError(400, f"nodeId: Node {text[:200]!r} must be of type dataset, datasetField or job!")


def _version_and_downstream() -> ApiError:
    return ApiError(400, "withDownstream: Node version cannot be specified when withDownstream is true")


def _written_by(session: Session, job: JobName) -> list[DatasetName]:
    """The datasets that a job writes now."""
    walk = Walk(Direction.DOWNSTREAM, Moment(), depth=1)
    answer = follow_tables(session, job, walk, collapse=False)
    names = [node.name for node in answer.nodes if node.distance == 1]
    return [dataset for dataset, _ in datasets_named(session, names)]


def _visible(session: Session, answers: list[Answer]) -> ColumnGraph:
    """The columns of answers, without those of deleted datasets; a version was made of what there was then."""
    if any(answer.moment.version for answer in answers):
        return column_graph(answers)
    named = datasets_named(session, {node.field.table for answer in answers for node in answer.nodes})
    hidden = hidden_among(session, Kind.DATASET, [dataset.id for dataset, _ in named])
    return column_graph(answers, {name for dataset, name in named if dataset.id in hidden})


def _versions(session: Session, graph: ColumnGraph) -> dict[TableName, str]:
    """The current versions of the datasets whose columns name none."""
    named = datasets_named(session, {column.table for column in graph.connected if column.version is None})
    # Of the provenance of a version, a column without a version was read when there was none that is known.
    if any(column.version for column in graph.connected):
        return {}
    last = newest_versions(session, [dataset.id for dataset, _ in named])
    return {name: last[dataset.id].id for dataset, name in named if dataset.id in last}


def dataset_nodes(session: Session, graph: ColumnGraph, *, rows: bool) -> Json:
    """Datasets, each with what feeds those of its columns that are in the graph."""
    named = {name: dataset.id for dataset, name in datasets_named(session, {column.table for column in graph.types})}
    facts = facts_of_datasets(session, set(named.values()))
    columns: defaultdict[FieldName, dict[str, Inputs]] = defaultdict(dict)
    others = _other_columns(session, graph, facts, named, rows=rows)
    for column in sorted(graph.types, key=_place):
        inputs = graph.inputs.get(column, {})
        by_path = columns[column.rows]
        if inputs:
            by_path[column.field or ""] = inputs
    nodes = {
        dataset_id(table.table, table.version): (
            "DATASET",
            {
                **node_json(facts[named[table.table]]),
                **({"version": table.version} if table.version else {}),
                "columnLineage": as_object({**others.get(table, {}), **by_path}, whole=True),
            },
        )
        for table, by_path in columns.items()
    }
    edges = {
        (dataset_id(origin.table, origin.version), dataset_id(column.table, column.version))
        for origin, column in graph.edges
    }
    return graph_json(nodes, edges, partial=graph.partial)


def _other_columns(
    session: Session,
    graph: ColumnGraph,
    facts: Mapping[int, DatasetFacts],
    named: Mapping[TableName, int],
    *,
    rows: bool,
) -> dict[FieldName, ColumnInputs]:
    """What feeds the other columns of the datasets, or versions of them, in a graph."""
    tables = {column.rows for column in graph.types}
    current = {named[table.table]: facts[named[table.table]] for table in tables if not table.version}
    now = inputs_now(session, current, rows=rows)
    found = {table: now.get(named[table.table], {}) for table in tables if not table.version}
    versions = {
        table: version_by_uuid(session, named[table.table], UUID(table.version).bytes)
        for table in tables
        if table.version
    }
    mappings = {table: version.mapping for table, version in versions.items() if version and version.mapping}
    written = {(named[table.table], mapping) for table, mapping in mappings.items()}
    by_mapping = inputs_in(session, facts, written, rows=rows)
    return {**found, **{table: by_mapping.get(mapping, {}) for table, mapping in mappings.items()}}


def _place(column: FieldName) -> tuple[str, str, str, str]:
    return column.namespace, column.name, column.version or "", column.field or ""
