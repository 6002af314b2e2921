"""The datasets and jobs of a store, with the schemas and the lineage in force at a moment: of all, or of some."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from headwater.datahub.aspects.reading import Name
from headwater.datahub.naming.datasets import Naming
from headwater.datahub.naming.named_datasets import all_named, some_named
from headwater.datahub.naming.store_names import StoreNames
from headwater.openlineage.model.event import ColumnEdge, ColumnLineage, SchemaField
from headwater.openlineage.model.parse_facets import sort_edges
from headwater.store.db.codes import FIELD_NUMBERS, NOW
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of
from headwater.store.reads import inventory as reads


@dataclass(frozen=True, slots=True)
class Written:
    """What a job writes to a dataset, or a dataset declares of itself; `lineage` is None where none is recorded."""

    dataset: Name
    job: Name | None
    inputs: tuple[Name, ...]
    lineage: ColumnLineage | None


@dataclass
class Inventory:
    """A store at a moment; datasets and jobs include those of the past."""

    names: StoreNames
    datasets: list[Name] = field(default_factory=list)
    schemas: dict[Name, list[SchemaField]] = field(default_factory=dict)
    written: list[Written] = field(default_factory=list)
    jobs: list[Name] = field(default_factory=list)
    beside: list[Name] = field(default_factory=list)
    """Datasets that the others name."""


def inventory(session: Session, naming: Naming, at: int | None = None) -> Inventory:
    """Everything in force, now or at a moment."""
    named = all_named(session, naming, _moment(at))
    result = Inventory(named.names, sorted(named.shown.values()), _schemas(session, named.shown))
    rows = _Rows(session, reads.all_slots(session, _moment(at)))
    result.written = list(_written(rows, session, named.every, result.schemas))
    result.jobs = sorted(reads.all_jobs(session))
    return result


def inventory_of(  # noqa: PLR0913  the parts of a question
    session: Session,
    naming: Naming,
    names: Collection[Name],
    *,
    at: int | None = None,
    jobs: Collection[Name] = (),
    beside: Collection[int] = (),
) -> Inventory:
    """Everything in force for some datasets and jobs.

    `beside` has the keys of more datasets whose schemas are needed, besides those that the datasets and jobs name.
    """
    moment = _moment(at)
    requested = some_named(session, naming, reads.ids_of(session, "dataset", names), moment)
    slots = {
        *reads.slots_of(session, "dataset", requested.every, moment),
        *reads.slots_of(session, "job", reads.ids_of(session, "job", jobs), moment),
    }
    rows = _Rows(session, slots)
    named = some_named(session, naming, rows.datasets | {*requested.every, *beside}, moment)
    result = Inventory(named.names, sorted(set(requested.shown.values())), _schemas(session, named.shown))
    result.written = list(_written(rows, session, named.every, result.schemas))
    result.beside = sorted(set(named.shown.values()) - set(result.datasets))
    return result


def _moment(at: int | None) -> int:
    return NOW if at is None else at


class _Rows:
    """Slots, with the edges of their mappings and the datasets that they read."""

    def __init__(self, session: Session, slots: Collection[reads.Slot]) -> None:
        self.slots = sorted(slots, key=lambda slot: (slot.dataset, slot.job))
        self.edges = reads.edges(
            session, {slot.mapping for slot in slots if slot.mapping is not None and slot.origin is None}
        )
        self.inputs = reads.inputs(session, {slot.inputs for slot in slots if slot.inputs is not None})

    @property
    def datasets(self) -> set[int]:
        """All datasets that are named."""
        read = {dataset for datasets in self.inputs.values() for dataset in datasets}
        ends = {key for slot in self.slots for key in (slot.dataset, slot.origin) if key}
        return read | ends | {dataset_of(edge.in_field) for edge in self.edges}


def _schemas(session: Session, datasets: dict[int, Name]) -> dict[Name, list[SchemaField]]:
    fields: dict[Name, list[SchemaField]] = defaultdict(list)
    for row in sorted(reads.schemas(session, datasets), key=lambda row: row.position or 0):
        fields[datasets[row.dataset]].append(SchemaField(row.path, row.type, row.description))
    return dict(fields)


def _written(
    rows: _Rows, session: Session, datasets: dict[int, Name], schemas: dict[Name, list[SchemaField]]
) -> Iterable[Written]:
    lineages = _lineages(session, datasets, rows.edges)
    jobs = reads.jobs_by_id(session, {slot.job for slot in rows.slots if slot.job})
    for slot in rows.slots:
        name = datasets[slot.dataset]
        if slot.origin is not None:
            lineage: ColumnLineage | None = _renamed(datasets[slot.origin], schemas.get(name, []))
        else:
            lineage = None if slot.mapping is None else lineages.get(slot.mapping, ColumnLineage((), ()))
        read = () if slot.inputs is None else rows.inputs.get(slot.inputs, ())
        sources = {datasets[key] for key in read} | {
            (edge.namespace, edge.name) for edge in (lineage.edges if lineage else ())
        }
        yield Written(name, jobs[slot.job] if slot.job else None, tuple(sorted(sources)), lineage)


def _lineages(session: Session, datasets: dict[int, Name], rows: Collection[reads.EdgeRow]) -> dict[int, ColumnLineage]:
    fields = {field for row in rows for field in (row.out_field, row.in_field) if field & FIELD_NUMBERS}
    paths = reads.field_paths(session, fields)
    by_mapping: dict[int, set[ColumnEdge]] = defaultdict(set)
    for mapping, out, read, kind, subtype, masking, words in rows:
        if read & FIELD_NUMBERS:
            source = datasets[dataset_of(read)]
            edge = ColumnEdge(paths.get(out), *source, paths[read], kind, subtype, bool(masking), words)
            by_mapping[mapping].add(edge)
    return {
        mapping: ColumnLineage(tuple(sorted({edge.out for edge in group if edge.out is not None})), sort_edges(group))
        for mapping, group in by_mapping.items()
    }


def _renamed(origin: Name, fields: list[SchemaField]) -> ColumnLineage:
    paths = sorted(field.path for field in fields)
    edges = {ColumnEdge(path, *origin, path, "DIRECT", "IDENTITY", masking=False, description="") for path in paths}
    return ColumnLineage(tuple(paths), sort_edges(edges))
