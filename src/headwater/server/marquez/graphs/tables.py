"""Graphs of datasets and jobs: upstream and downstream of a dataset or a job, or upstream of a version."""

from collections.abc import Mapping
from dataclasses import dataclass

from headwater.query.graph.answer import Direction, Moment, TableKind, TableName
from headwater.query.lineage.table_provenance import Made, made_of
from headwater.query.lineage.tables import follow_tables
from headwater.query.lineage.traversal import Walk
from headwater.query.lineage.versions import Version
from headwater.query.search.resolve import JobName
from headwater.server.marquez.entities.column_inputs import ColumnInputs, inputs_in, inputs_now
from headwater.server.marquez.entities.dataset_facts import DatasetFacts, facts_of_datasets
from headwater.server.marquez.entities.job_facts import JobFacts, facts_of_jobs
from headwater.server.marquez.entities.lookups import datasets_named, jobs_named, visible
from headwater.server.marquez.entities.run_facts import RunFacts, facts_of_runs, versions_of_run
from headwater.server.marquez.node_ids import DatasetNode, dataset_id, job_id
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.reads.runs import runs_by_id


@dataclass(frozen=True, slots=True)
class DatasetPart:
    """A dataset of a graph, with what feeds its columns; `version` where the graph is of a version."""

    facts: DatasetFacts
    columns: ColumnInputs
    version: str | None = None


@dataclass(frozen=True, slots=True)
class JobPart:
    """A job of a graph; `run` is the one that counts, where the graph is of a version."""

    facts: JobFacts
    run: RunFacts | None = None


@dataclass(frozen=True, slots=True)
class TableGraph:
    """Nodes by their ids, and edges as data flows."""

    datasets: dict[str, DatasetPart]
    jobs: dict[str, JobPart]
    edges: set[tuple[str, str]]
    partial: bool


def graph_around(session: Session, node: DatasetNode | JobName, depth: int, limit: int) -> TableGraph:
    """All that is behind a dataset or a job and after it, now, with at most `limit` nodes each way.

    `depth` counts steps from job to job, as Marquez does; a dataset's own jobs are at 0.
    """
    root, hops = (node, 2 * depth + 1) if isinstance(node, JobName) else (node.dataset, 2 * depth + 2)
    answers = [
        follow_tables(session, root, Walk(direction, Moment(), depth=hops, limit=limit), collapse=False)
        for direction in Direction
    ]
    ends = {(end.kind, end.name) for answer in answers for end in answer.nodes}
    names = {kind: {name for its_kind, name in ends if its_kind is kind} for kind in TableKind}
    # An answer shows datasets under their own names, so no name here is an alias.
    named = datasets_named(session, names[TableKind.DATASET])
    working = jobs_named(session, names[TableKind.JOB])
    session.foresee(lambda: (visible(session, Kind.DATASET, named), visible(session, Kind.JOB, working)))
    datasets = {dataset.id: name for dataset, name in visible(session, Kind.DATASET, named)}
    jobs = {job.id for job, _ in visible(session, Kind.JOB, working)}
    facts = facts_of_datasets(session, datasets)
    columns = inputs_now(session, facts)
    parts = {dataset_id(name): DatasetPart(facts[key], columns.get(key, {})) for key, name in datasets.items()}
    workers = {job_id(job.name): JobPart(job) for job in facts_of_jobs(session, jobs, runs=1).values()}
    there = parts.keys() | workers.keys()
    edges = {
        (_end(*edge.origin), _end(*edge.destination))
        for answer in answers
        for edge in answer.edges
        if _end(*edge.origin) in there and _end(*edge.destination) in there
    }
    return TableGraph(parts, workers, edges, any(answer.partial for answer in answers))


def _end(kind: TableKind, name: TableName) -> str:
    return dataset_id(name) if kind is TableKind.DATASET else job_id(name)


def graph_of_version(session: Session, version: Version, depth: int, limit: int) -> TableGraph:
    """All that a version was made of: versions of datasets, and the jobs whose runs made them."""
    origins = made_of(session, version, depth=depth + 1, limit=limit)
    unknown = {dataset for datasets in origins.unknown.values() for dataset in datasets}
    facts = facts_of_datasets(session, {origin.dataset for origin in origins.versions} | unknown)
    mappings = {(origin.dataset, origin.mapping) for origin in origins.versions if origin.mapping is not None}
    columns = inputs_in(session, facts, mappings)
    parts = {
        dataset_id(facts[origin.dataset].name, origin.id): DatasetPart(
            facts[origin.dataset], columns.get(origin.mapping, {}) if origin.mapping is not None else {}, origin.id
        )
        for origin in origins.versions
    }
    parts |= {dataset_id(facts[key].name): DatasetPart(facts[key], {}) for key in unknown}
    names = {key: dataset.name for key, dataset in facts.items()}
    return TableGraph(parts, *_jobs_of_versions(session, origins, names), origins.partial)


def graph_of_run(session: Session, job: JobName, run: RunFacts, depth: int, limit: int) -> TableGraph:
    """What a run of a job read and wrote, and all that this was made of; a version of a job is its last run."""
    written = {version.dataset: version for version in versions_of_run(session, run)}
    graphs = [graph_of_version(session, version, depth, limit) for version in written.values()]
    parts = {key: part for graph in graphs for key, part in graph.datasets.items()}
    jobs = {key: part for graph in graphs for key, part in graph.jobs.items()}
    edges = {edge for graph in graphs for edge in graph.edges}
    own = job_id(TableName(job.namespace, job.name))
    jobs[own] = JobPart(facts_of_jobs(session, [job.id], runs=1)[job.id], run)
    # What was read for no output, or by a job that writes none.
    read = dict(run.read)
    ends = {origin for origin, end in edges if end == own}
    named = {name: dataset.id for dataset, name in datasets_named(session, run.inputs)}
    facts = facts_of_datasets(session, set(named.values()))
    for name, key in named.items():
        if not {end for end in ends if end in {dataset_id(name), dataset_id(name, read.get(name))}}:
            part = DatasetPart(facts[key], {}, read.get(name))
            parts.setdefault(dataset_id(name, read.get(name)), part)
            edges.add((dataset_id(name, read.get(name)), own))
    return TableGraph(parts, jobs, edges, any(graph.partial for graph in graphs))


def _jobs_of_versions(
    session: Session, origins: Made, names: Mapping[int, TableName]
) -> tuple[dict[str, JobPart], set[tuple[str, str]]]:
    versions = origins.versions
    runs = facts_of_runs(session, runs_by_id(session, {version.run for version in versions if version.run is not None}))
    jobs = facts_of_jobs(session, {version.job for version in versions if version.job}, runs=1)
    parts: dict[str, JobPart] = {}
    edges: set[tuple[str, str]] = set()
    for place, version in enumerate(versions):
        end = dataset_id(names[version.dataset], version.id)
        behind = [versions[index] for index in origins.read[place]]
        read = [dataset_id(names[input_.dataset], input_.id) for input_ in behind]
        read += [dataset_id(names[dataset]) for dataset in origins.unknown[place]]
        if version.job:
            between = job_id(jobs[version.job].name)
            # Of a job that made several of the versions, the last run is shown: versions come by distance.
            run = runs.get(version.run) if version.run is not None else None
            parts.setdefault(between, JobPart(jobs[version.job], run))
            edges.add((between, end))
            end = between
        edges |= {(origin, end) for origin in read}
    return parts, edges
