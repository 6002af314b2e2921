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
from headwater.store.db.codes import FIELD_NUMBERS
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of
from headwater.store.reads.edges import MappedEdge, edges_of, steps_by_id
from headwater.store.reads.fields import fields_of, paths_by_id
from headwater.store.reads.names import Table, all_names, names_by_id, names_by_name
from headwater.store.reads.slots import Slot, inputs_by_id, slots_at


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
    named = all_named(session, naming, session.moment(at))
    result = Inventory(named.names, sorted(named.shown.values()), _schemas(session, named.shown))
    rows = _Rows(session, slots_at(session, session.moment(at)))
    result.written = list(_written(rows, session, named.every))
    result.jobs = sorted(all_names(session, "job").values())
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
    moment = session.moment(at)
    requested = some_named(session, naming, _keys(session, "dataset", names), moment)
    slots = {
        *slots_at(session, moment, requested.every),
        *slots_at(session, moment, _keys(session, "job", jobs), "job"),
    }
    rows = _Rows(session, slots)
    named = some_named(session, naming, rows.datasets | {*requested.every, *beside}, moment)
    result = Inventory(named.names, sorted(set(requested.shown.values())), _schemas(session, named.shown))
    result.written = list(_written(rows, session, named.every))
    result.beside = sorted(set(named.shown.values()) - set(result.datasets))
    return result


def _keys(session: Session, table: Table, names: Collection[Name]) -> list[int]:
    return [row.id for row in names_by_name(session, table, names)]


class _Rows:
    """Slots, with the edges of their mappings and the datasets that they read."""

    def __init__(self, session: Session, slots: Collection[Slot]) -> None:
        self.slots = sorted(slots, key=lambda slot: (slot.dataset, slot.job))
        self.edges = edges_of(session, {slot.mapping for slot in slots if slot.mapping is not None})
        self.inputs = inputs_by_id(session, {slot.inputs for slot in slots if slot.inputs is not None})

    @property
    def datasets(self) -> set[int]:
        """All datasets that are named."""
        read = {dataset for datasets in self.inputs.values() for dataset in datasets}
        return read | {slot.dataset for slot in self.slots} | {dataset_of(edge.origin) for edge in self.edges}


def _schemas(session: Session, datasets: dict[int, Name]) -> dict[Name, list[SchemaField]]:
    fields: dict[Name, list[SchemaField]] = defaultdict(list)
    listed = [row for row in fields_of(session, datasets) if row.position is not None]
    for row in sorted(listed, key=lambda row: row.position or 0):
        fields[datasets[row.dataset]].append(SchemaField(row.path, row.type, row.description))
    return dict(fields)


def _written(rows: _Rows, session: Session, datasets: dict[int, Name]) -> Iterable[Written]:
    lineages = _lineages(session, datasets, rows.edges)
    jobs = names_by_id(session, "job", {slot.job for slot in rows.slots if slot.job})
    for slot in rows.slots:
        name = datasets[slot.dataset]
        lineage = None if slot.mapping is None else lineages.get(slot.mapping, ColumnLineage((), ()))
        read = () if slot.inputs is None else rows.inputs.get(slot.inputs, ())
        sources = {datasets[key] for key in read} | {
            (edge.namespace, edge.name) for edge in (lineage.edges if lineage else ())
        }
        yield Written(name, jobs[slot.job] if slot.job else None, tuple(sorted(sources)), lineage)


def _lineages(session: Session, datasets: dict[int, Name], rows: Collection[MappedEdge]) -> dict[int, ColumnLineage]:
    fields = {field for row in rows for field in (row.destination, row.origin) if field & FIELD_NUMBERS}
    paths = paths_by_id(session, fields)
    by_mapping: dict[int, set[ColumnEdge]] = defaultdict(set)
    steps = steps_by_id(session, {row.step for row in rows})
    for mapping, out, read, step, words in rows:
        if read & FIELD_NUMBERS:
            source = datasets[dataset_of(read)]
            kind, subtype, masking = steps[step]
            edge = ColumnEdge(paths.get(out), *source, paths[read], kind, subtype, masking, words)
            by_mapping[mapping].add(edge)
    return {
        mapping: ColumnLineage(tuple(sorted({edge.out for edge in group if edge.out is not None})), sort_edges(group))
        for mapping, group in by_mapping.items()
    }
