"""Datasets, jobs and runs by the exact names in a path: their keys, or a 404 that says which is missing."""

from collections.abc import Collection, Iterable, Iterator
from typing import TypeVar

from headwater.query.graph.aliases import Aliases
from headwater.query.graph.answer import TableName
from headwater.query.graph.intervals import now_span
from headwater.query.graph.labels import tables
from headwater.query.search.resolve import DatasetName, JobName
from headwater.server.http.errors import ApiError
from headwater.store.by_hand import show
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.reads.edges import begin_question
from headwater.store.reads.names import hidden_among, names_met

Entity = TypeVar("Entity", DatasetName, JobName)


def datasets_named(session: Session, names: Collection[TableName]) -> list[tuple[DatasetName, TableName]]:
    """The datasets that have one of these names, each with the name; an alias leads to its dataset."""
    begin_question(session)
    named = [DatasetName(*row) for row in names_met(session, "dataset", _pairs(names))]
    shown = Aliases(session, now_span(session)).shown_datasets([dataset.id for dataset in named])
    physical = tables(session, "dataset", {other for dataset, other in shown.items() if dataset != other})
    resolved = []
    for alias in named:
        other = physical.get(shown[alias.id])
        dataset = DatasetName(shown[alias.id], other.namespace, other.name, alias=alias.id) if other else alias
        resolved.append((dataset, alias.table))
    return resolved


def jobs_named(session: Session, names: Collection[TableName]) -> list[tuple[JobName, TableName]]:
    """The jobs that have one of these names, each with the name."""
    named = [JobName(*row) for row in names_met(session, "job", _pairs(names))]
    return [(job, job.table) for job in named]


def _pairs(names: Iterable[TableName]) -> Iterator[tuple[str, str]]:
    return ((name.namespace, name.name) for name in names)


def reveal(session: Session, kind: Kind, name: TableName) -> None:
    """Show a dataset or a job that someone registers, even if it was deleted."""
    named = datasets_named(session, [name]) if kind is Kind.DATASET else jobs_named(session, [name])
    for entity, _ in named:
        show(session, kind, entity.id)


def visible(
    session: Session, kind: Kind, named: Collection[tuple[Entity, TableName]]
) -> list[tuple[Entity, TableName]]:
    """Datasets or jobs with their names, without hidden ones."""
    hidden = hidden_among(session, kind, [entity.id for entity, _ in named])
    return [(entity, name) for entity, name in named if entity.id not in hidden]


def dataset_called(session: Session, namespace: str, name: str) -> DatasetName:
    """A dataset that exists and is not hidden, or a 404."""
    for dataset, _ in visible(session, Kind.DATASET, datasets_named(session, [TableName(namespace, name)])):
        return dataset
    raise ApiError(404, f"Dataset '{name}' not found.")


def job_called(session: Session, namespace: str, name: str) -> JobName:
    """A job that exists and is not hidden, or a 404."""
    for job, _ in visible(session, Kind.JOB, jobs_named(session, [TableName(namespace, name)])):
        return job
    raise ApiError(404, f"Job '{name}' not found.")
