"""`GET /lineage`: datasets and jobs around a node, or behind a version of a dataset."""

from headwater.server.http.errors import ApiError
from headwater.server.marquez.entities.column_inputs import as_object
from headwater.server.marquez.entities.dataset_json import node_json
from headwater.server.marquez.entities.job_json import job_node_json
from headwater.server.marquez.entities.job_versions import run_of_version
from headwater.server.marquez.entities.run_json import run_json
from headwater.server.marquez.entities.values import Json
from headwater.server.marquez.graphs.json import graph_json
from headwater.server.marquez.graphs.tables import (
    DatasetPart,
    JobPart,
    TableGraph,
    graph_around,
    graph_of_run,
    graph_of_version,
)
from headwater.server.marquez.models import LineageGraph
from headwater.server.marquez.node_ids import DatasetNode, JobNode, find_dataset, find_job, kind_and_rest
from headwater.server.marquez.parameters import NOT_FOUND, Depth, NodeIdText
from headwater.server.marquez.routing import MostNodes, SessionRoutes
from headwater.store.db.session import Session

router = SessionRoutes("lineage")


@router.get("/lineage", response_model=LineageGraph, responses=NOT_FOUND, summary="Datasets and jobs around a node")
def get_lineage(session: Session, node_id: NodeIdText, most: MostNodes, depth: Depth = 20) -> Json:
    """Get what is upstream and downstream of a dataset or a job, up to `depth` jobs away.

    With the version of a dataset, only what that version was made of: the versions that its run read, and so on. With
    the version of a job, what its last run in that version read and wrote, and what that was made of.
    """
    node = _find(session, node_id)
    if isinstance(node, DatasetNode) and node.version is not None:
        return table_nodes(graph_of_version(session, node.version, depth, most))
    if isinstance(node, DatasetNode):
        return table_nodes(graph_around(session, node, depth, most))
    run = run_of_version(session, node.job.id, node.version) if node.version is not None else None
    if run is not None:
        return table_nodes(graph_of_run(session, node.job, run, depth, most))
    return table_nodes(graph_around(session, node.job, depth, most))


def _find(session: Session, text: str) -> DatasetNode | JobNode:
    kind, rest = kind_and_rest(text)
    if kind == "dataset":
        return find_dataset(session, text, rest)
    if kind == "job":
        return find_job(session, text, rest)
    raise ApiError(400, f"nodeId: Node {text[:200]!r} must be of type dataset or job!")


def table_nodes(graph: TableGraph) -> Json:
    """A graph of datasets and jobs as Marquez shows it, with what feeds the columns in addition."""
    nodes = {key: ("DATASET", _dataset(part)) for key, part in graph.datasets.items()}
    nodes |= {key: ("JOB", _job(part)) for key, part in graph.jobs.items()}
    return graph_json(nodes, graph.edges, partial=graph.partial)


def _dataset(part: DatasetPart) -> Json:
    version = {"version": part.version} if part.version else {}
    return {**node_json(part.facts), **version, "columnLineage": as_object(part.columns, whole=False)}


def _job(part: JobPart) -> Json:
    node = job_node_json(part.facts)
    if part.run is None:
        return node
    run = run_json(part.run)
    return {**node, "currentRunUuid": run["id"], "latestRun": run}
