"""Datasets, jobs and runs by the exact names in a path: their keys, or a 404 that says which is missing."""

from collections.abc import Collection

from headwater.query.graph.aliases import Aliases
from headwater.query.graph.answer import TableName
from headwater.query.graph.intervals import NOW, Span
from headwater.query.graph.labels import tables
from headwater.query.metadata.deleted import DATASET, JOB, hidden_among, show
from headwater.query.search.resolve import DatasetName, JobName
from headwater.server.http.errors import ApiError
from headwater.store.db.codes import Kind
from headwater.store.db.session import Given, Session
from headwater.store.entities.keys import hash_of

_DATASETS = "SELECT dataset.id, dataset.namespace, dataset.name FROM {given} {join} dataset ON dataset.key = given.key"
_JOBS = "SELECT job.id, job.namespace, job.name FROM {given} {join} job ON job.key = given.key"


def datasets_named(session: Session, names: Collection[TableName]) -> list[tuple[DatasetName, TableName]]:
    """Those of some names that a dataset has, with the name; one that stands for another leads to it."""
    found = [DatasetName(*row) for row in session.rows(_DATASETS, _keys(names))]
    aliases = Aliases(session, Span(NOW, NOW))
    aliases.learn_datasets(dataset.id for dataset in found)
    shown = {dataset.id: aliases.shown_dataset(dataset.id) for dataset in found}
    physical = tables(session, "dataset", {other for dataset, other in shown.items() if dataset != other})
    leading = []
    for one in found:
        other = physical.get(shown[one.id])
        led = DatasetName(shown[one.id], other.namespace, other.name, alias=one.id) if other else one
        leading.append((led, TableName(one.namespace, one.name)))
    return leading


def jobs_named(session: Session, names: Collection[TableName]) -> list[tuple[JobName, TableName]]:
    """Those of some names that a job has, with the name."""
    found = [JobName(*row) for row in session.rows(_JOBS, _keys(names))]
    return [(job, TableName(job.namespace, job.name)) for job in found]


def _keys(names: Collection[TableName]) -> Given:
    return Given("key bytes", sorted({(hash_of(name.namespace, name.name),) for name in names}))


def reveal(session: Session, kind: Kind, name: TableName) -> None:
    """Have a dataset or a job seen that someone registers: that counts more than that it was deleted."""
    found = datasets_named(session, [name]) if kind is DATASET else jobs_named(session, [name])
    for one, _ in found:
        show(session, kind, one.id)


def dataset_called(session: Session, namespace: str, name: str) -> DatasetName:
    """A dataset that is there and not hidden."""
    found = datasets_named(session, [TableName(namespace, name)])
    if not found or hidden_among(session, DATASET, [found[0][0].id]):
        raise ApiError(404, f"Dataset '{name}' not found.")
    return found[0][0]


def job_called(session: Session, namespace: str, name: str) -> JobName:
    """A job that is there and not hidden."""
    found = jobs_named(session, [TableName(namespace, name)])
    if not found or hidden_among(session, JOB, [found[0][0].id]):
        raise ApiError(404, f"Job '{name}' not found.")
    return found[0][0]
