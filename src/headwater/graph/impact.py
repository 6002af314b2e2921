"""What a change or a drop of a column reaches: columns, by dataset and by job, with the way there and the owners.

Where a job says nothing of columns, what it writes is unknown: it is told apart, and is no all-clear.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from headwater.graph.answer import Answer, Direction, FieldName, Kind, Moment, TableName
from headwater.graph.ask import columns
from headwater.graph.html import column_page
from headwater.graph.owners import Owner, owners_of_datasets, owners_of_jobs
from headwater.graph.paths import shortest_paths, stations
from headwater.graph.reached import Counts, ReachedColumn, ReachedDataset, ReachedJob
from headwater.graph.silent import Silent, SilentReaders, by_dataset, silent_readers
from headwater.graph.tabular import Tabular
from headwater.graph.traverse import LIMIT, Question
from headwater.graph.words import count
from headwater.store.session import Session

Owners = Mapping[TableName, tuple[Owner, ...]]


@dataclass(frozen=True, slots=True)
class Impact(Tabular):
    """What a change of a column reaches; of all columns of a dataset where `root` has no field.

    `unknown` are datasets that may be reached too, as jobs read what is reached and say nothing of columns; a dataset
    may be among them, and have columns that another job is known to reach.
    """

    COLUMNS: ClassVar[tuple[str, ...]] = (
        *("namespace", "name", "field", "type", "distance", "class", "masked", "owners", "jobs", "path"),
    )

    root: FieldName
    moment: Moment
    datasets: tuple[ReachedDataset, ...]
    jobs: tuple[ReachedJob, ...]
    unknown: tuple[Silent, ...]
    counts: Counts
    partial: bool
    answer: Answer = field(repr=False)

    def __bool__(self) -> bool:
        """Whether anything is reached, or may be."""
        return bool(self.datasets or self.jobs or self.unknown)

    @property
    def owners(self) -> tuple[Owner, ...]:
        """Everyone to talk to."""
        owned: list[ReachedDataset | ReachedJob | Silent] = [*self.datasets, *self.jobs, *self.unknown]
        return tuple(sorted({owner for one in owned for owner in one.owners}))

    def to_dict(self) -> dict[str, object]:
        """As plain JSON, for programs."""
        return {
            "root": self.root.to_dict(),
            **self.moment.to_dict(),
            "partial": self.partial,
            "counts": self.counts.to_dict(),
            "owners": [owner.to_dict() for owner in self.owners],
            "datasets": [dataset.to_dict() for dataset in self.datasets],
            "jobs": [job.to_dict() for job in self.jobs],
            "unknown": [one.to_dict() for one in self.unknown],
        }

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, one for each column that is reached; then one for each unknown dataset, without a field."""
        known: list[dict[str, object]] = [
            {
                "namespace": dataset.name.namespace,
                "name": dataset.name.name,
                "field": column.node.field.field,
                "type": column.node.type,
                "distance": column.node.distance,
                "class": column.node.kind.name,
                "masked": column.node.masked,
                "owners": " ".join(owner.name for owner in dataset.owners),
                "jobs": " ".join(job.full for job in dataset.jobs),
                "path": " -> ".join(_spot(name) for name in stations(column.path)),
            }
            for dataset in self.datasets
            for column in dataset.columns
        ]
        return [*known, *(_unknown_row(found) for found in by_dataset(self.unknown).values())]

    def _repr_html_(self) -> str:
        unknown = self.counts.unknown
        notes = [f"{count(unknown, 'dataset')} of whose columns nothing is known"] if unknown else []
        return column_page(self.answer, self.rows(), notes)


def impact(  # noqa: PLR0913  the parts of a question
    session: Session,
    dataset: str,
    column: str | None = None,
    *,
    as_of: int | None = None,
    since: int | None = None,
    until: int | None = None,
    depth: int | None = None,
    direct: bool = False,
    namespaces: Collection[str] | None = None,
    limit: int = LIMIT,
) -> Impact:
    """What a change or a drop of a column, or of a whole dataset, reaches.

    Args:
        session: a transaction on the store.
        dataset: `namespace/name`, or any end of the name that no other dataset has.
        column: the column's path; None for all columns.
        as_of: the moment to look at, in microseconds UTC; None for now.
        since: the start of a window: what was in force at any moment in it counts.
        until: the end of the window; None for now.
        depth: how many edges to follow at most; None for all.
        direct: leave out what only decides on rows or conditions (INDIRECT).
        namespaces: enter datasets of these namespaces only.
        limit: how many columns to look at, and how many unknown datasets; the nearest come first.

    Raises:
        UnknownName: nothing has that name; carries the nearest.
        AmbiguousName: several have it; carries them.
        BadQuestion: options that contradict each other.
    """
    answer = columns(
        session,
        Direction.DOWNSTREAM,
        dataset,
        column,
        as_of=as_of,
        since=since,
        until=until,
        depth=depth,
        direct=direct,
        namespaces=namespaces,
        limit=limit,
    )
    distances = {answer.root.table: 0}
    for node in answer.nodes:
        distances[node.field.table] = min(node.distance, distances.get(node.field.table, node.distance))
    question = Question(
        Direction.DOWNSTREAM,
        answer.moment,
        depth=depth,
        namespaces=None if namespaces is None else frozenset(namespaces),
        limit=limit,
    )
    silent = silent_readers(session, distances, question, whole=answer.root.field is None)
    tables = {node.field.table for node in answer.nodes if node.distance} | {one.dataset for one in silent.found}
    jobs = {edge.job for edge in answer.edges if edge.job} | {one.job for one in silent.found if one.job}
    jobs |= set(silent.only_read)
    return grouped(answer, owners_of_datasets(session, tables), owners_of_jobs(session, jobs), silent)


def grouped(
    answer: Answer,
    dataset_owners: Owners,
    job_owners: Owners,
    silent: SilentReaders = SilentReaders(),  # noqa: B008
) -> Impact:
    """The impact that a downstream answer tells, by dataset and job; pure."""
    paths = shortest_paths(answer)
    reached: dict[TableName, list[ReachedColumn]] = defaultdict(list)
    for node in answer.nodes:
        if node.distance:
            reached[node.field.table].append(ReachedColumn(node, paths.get(node.field, ())))
    writers: dict[TableName, set[TableName]] = defaultdict(set)
    for edge in answer.edges:
        if edge.job:
            writers[edge.destination.table].add(edge.job)
    datasets = [
        ReachedDataset(name, dataset_owners.get(name, ()), tuple(found), tuple(sorted(writers[name])))
        for name, found in reached.items()
    ]
    datasets.sort(key=lambda one: (one.columns[0].node.distance, one.name))
    written: dict[TableName, set[TableName]] = {job: set() for job in silent.only_read}
    for name, names in writers.items():
        for job in names:
            written.setdefault(job, set()).add(name)
    jobs = [ReachedJob(job, job_owners.get(job, ()), tuple(sorted(written[job]))) for job in sorted(written)]
    nodes = [column.node for dataset in datasets for column in dataset.columns]
    indirect = sum(node.kind is Kind.INDIRECT for node in nodes)
    masked = sum(node.masked for node in nodes)
    unknown = tuple(_owned(one, dataset_owners, job_owners) for one in silent.found)
    direct = len(nodes) - indirect
    counts = Counts(len(nodes), len(datasets), len(jobs), direct, indirect, masked, len(by_dataset(unknown)))
    partial = answer.partial or silent.partial
    return Impact(answer.root, answer.moment, tuple(datasets), tuple(jobs), unknown, counts, partial, answer)


def _owned(one: Silent, dataset_owners: Owners, job_owners: Owners) -> Silent:
    owners = {*dataset_owners.get(one.dataset, ()), *(job_owners.get(one.job, ()) if one.job else ())}
    return replace(one, owners=tuple(sorted(owners)))


def _unknown_row(found: Sequence[Silent]) -> dict[str, object]:
    first = found[0]
    return {
        "namespace": first.dataset.namespace,
        "name": first.dataset.name,
        "field": None,
        "type": "",
        "distance": first.distance,
        "class": "UNKNOWN",
        "masked": False,
        "owners": " ".join(sorted({owner.name for one in found for owner in one.owners})),
        "jobs": " ".join(one.job.full for one in found if one.job),
        "path": "",
    }


def _spot(name: FieldName) -> str:
    return f"{name.table.full}.{name.field if name.field is not None else '*'}"
