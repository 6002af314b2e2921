"""What a change or a drop of a column reaches: columns, by dataset and by job, with the way there and the owners.

Where a job says nothing of columns, what it writes is unknown: it is told apart, and is no all-clear.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from headwater.common.groups import lists_by_key, sets_by_key
from headwater.notebook.html import column_page
from headwater.notebook.rows import Tabular
from headwater.notebook.words import count
from headwater.query.graph.answer import Answer, Direction, Dropped, FieldName, Kind, Moment, TableName, Unknown, Why
from headwater.query.lineage.ask import start_of
from headwater.query.lineage.paths import closest_paths, stations
from headwater.query.lineage.reach import Counts, ReachedColumn, ReachedDataset, ReachedJob
from headwater.query.lineage.traversal import Walk
from headwater.query.lineage.unknown import Unknowns, by_dataset, unknown_of
from headwater.query.metadata.owners import Owner, owners_of_datasets, owners_of_jobs
from headwater.query.questions import ImpactOf
from headwater.store.db.session import Session

Owners = Mapping[TableName, tuple[Owner, ...]]


@dataclass(frozen=True, slots=True)
class Impact(Tabular):
    """What a change of a column reaches; of all columns of a dataset where `root` has no field.

    `unknown` has what may be reached too, as jobs read what is reached and say nothing of columns; a dataset may be
    there, and have columns that another job is known to reach. It also has what is reached and not certain.
    `dropped` is set where the column is no longer there.
    """

    COLUMNS: ClassVar[tuple[str, ...]] = (
        *("namespace", "name", "field", "type", "distance", "class", "masked", "owners", "jobs", "path"),
    )

    root: FieldName
    moment: Moment
    datasets: tuple[ReachedDataset, ...]
    jobs: tuple[ReachedJob, ...]
    unknown: tuple[Unknown, ...]
    counts: Counts
    partial: bool
    answer: Answer = field(repr=False)
    dropped: Dropped | None = None

    def __bool__(self) -> bool:
        """Whether anything is reached, or may be."""
        return bool(self.datasets or self.jobs or self.unknown)

    @property
    def owners(self) -> tuple[Owner, ...]:
        """Everyone to talk to."""
        owned: list[ReachedDataset | ReachedJob | Unknown] = [*self.datasets, *self.jobs, *self.unknown]
        return tuple(sorted({owner for item in owned for owner in item.owners}))

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
        return [*known, *(_unknown_row(dataset, found) for dataset, found in by_dataset(self.unknown).items())]

    def _repr_html_(self) -> str:
        unknown = self.counts.unknown
        notes = [f"{count(unknown, 'dataset')} without column lineage"] if unknown else []
        return column_page(self.answer, self.rows(), notes)


def impact(asked: ImpactOf, session: Session) -> Impact:
    """What a change or a drop of a column, or of a whole dataset, reaches."""
    walk = Walk.of(asked, Direction.DOWNSTREAM, asked.moment)
    start = start_of(session, asked.dataset, asked.column, walk)
    answer = start.follow(session)
    unknown = unknown_of(session, answer, start.walk)
    tables = {node.field.table for node in answer.nodes if node.distance}
    tables |= {entry.dataset for entry in unknown.found if entry.dataset}
    jobs = {edge.job for edge in answer.edges if edge.job} | {entry.job for entry in unknown.found if entry.job}
    return grouped(answer, owners_of_datasets(session, tables), owners_of_jobs(session, jobs), unknown)


def grouped(
    answer: Answer,
    dataset_owners: Owners,
    job_owners: Owners,
    unknown: Unknowns = Unknowns(),  # noqa: B008
) -> Impact:
    """The impact that a downstream answer tells, by dataset and job; pure."""
    paths = closest_paths(answer)
    reached = lists_by_key(
        (node.field.table, ReachedColumn(node, paths.get(node.field, ()))) for node in answer.nodes if node.distance
    )
    writers = sets_by_key((edge.destination.table, edge.job) for edge in answer.edges if edge.job)
    datasets = [
        ReachedDataset(name, dataset_owners.get(name, ()), tuple(columns), tuple(sorted(writers[name])))
        for name, columns in reached.items()
    ]
    datasets.sort(key=lambda item: (item.columns[0].node.distance, item.name))
    written = sets_by_key((job, name) for name, names in writers.items() for job in names)
    only_read = {entry.job for entry in unknown.found if entry.why is Why.READS_ONLY and entry.job}
    jobs = [
        ReachedJob(job, job_owners.get(job, ()), tuple(sorted(written[job]))) for job in sorted({*written, *only_read})
    ]
    nodes = [column.node for dataset in datasets for column in dataset.columns]
    indirect = sum(node.kind is Kind.INDIRECT for node in nodes)
    masked = sum(node.masked for node in nodes)
    found = tuple(_owned(item, dataset_owners, job_owners) for item in unknown.found)
    direct = len(nodes) - indirect
    counts = Counts(len(nodes), len(datasets), len(jobs), direct, indirect, masked, len(by_dataset(found)))
    answer = replace(answer, unknown=found, partial=answer.partial or unknown.partial)
    return Impact(
        answer.root, answer.moment, tuple(datasets), tuple(jobs), found, counts, answer.partial, answer, answer.dropped
    )


def _owned(entry: Unknown, dataset_owners: Owners, job_owners: Owners) -> Unknown:
    of_dataset = dataset_owners.get(entry.dataset, ()) if entry.dataset else ()
    of_job = job_owners.get(entry.job, ()) if entry.job else ()
    return replace(entry, owners=tuple(sorted({*of_dataset, *of_job})))


def _unknown_row(dataset: TableName, readers: Sequence[Unknown]) -> dict[str, object]:
    first = readers[0]
    return {
        "namespace": dataset.namespace,
        "name": dataset.name,
        "field": None,
        "type": "",
        "distance": first.distance,
        "class": "UNKNOWN",
        "masked": False,
        "owners": " ".join(sorted({owner.name for reader in readers for owner in reader.owners})),
        "jobs": " ".join(reader.job.full for reader in readers if reader.job),
        "path": "",
    }


def _spot(name: FieldName) -> str:
    return f"{name.table.full}.{name.field if name.field is not None else '*'}"
