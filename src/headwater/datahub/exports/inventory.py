"""What is in force in a store at a moment, dataset by dataset and job by job: all of it, or of some."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from headwater.datahub.aspects.reading import Name
from headwater.datahub.naming.datasets import Naming
from headwater.datahub.naming.named_datasets import all_named, keys_of, some_named
from headwater.datahub.naming.store_names import StoreNames
from headwater.openlineage.model.event import ColumnEdge, ColumnLineage, SchemaField
from headwater.openlineage.model.parse_facets import sort_edges
from headwater.store.db.codes import FIELD_NUMBERS, NOW
from headwater.store.db.predicates import in_force
from headwater.store.db.session import Row, Session, ids
from headwater.store.entities.keys import dataset_of

_SOME = 500
_SLOTS = f"""
SELECT slot.dataset, slot.job, slot.mapping, slot.inputs, mapping.origin FROM slot
LEFT JOIN mapping ON mapping.id = slot.mapping
WHERE {in_force("slot", ":at")}
"""  # noqa: S608  our own words
_SLOTS_OF = """
SELECT slot.dataset, slot.job, slot.mapping, slot.inputs, mapping.origin FROM {{given}}
{{join}} slot ON slot.{column} = given.id AND {in_force}
LEFT JOIN mapping ON mapping.id = slot.mapping
"""
_EDGES = """
SELECT edge.mapping, edge.out_field, edge.in_field, step.type, step.subtype, step.masking, edge.description
FROM {given} {join} edge ON edge.mapping = given.id {join} step ON step.id = edge.step
"""
_FIELDS = "SELECT field.id, field.path FROM {given} {join} field ON field.id = given.id"
_SCHEMAS = """
SELECT field.dataset, field.path, field.type, field.description, field.position FROM {given}
{join} field ON field.dataset = given.id
"""
_INPUTS = "SELECT input.inputs, input.dataset FROM {given} {join} input ON input.inputs = given.id"
_JOBS = "SELECT job.id, job.namespace, job.name FROM {given} {join} job ON job.id = given.id"
_ALL_JOBS = "SELECT job.namespace, job.name FROM job"


@dataclass(frozen=True, slots=True)
class Written:
    """What a job writes to a dataset, or a dataset declares of itself; `lineage` is None where nothing says it."""

    dataset: Name
    job: Name | None
    inputs: tuple[Name, ...]
    lineage: ColumnLineage | None


@dataclass
class Inventory:
    """A store at a moment; its datasets and jobs are all that it ever had."""

    names: StoreNames
    datasets: list[Name] = field(default_factory=list)
    schemas: dict[Name, list[SchemaField]] = field(default_factory=dict)
    written: list[Written] = field(default_factory=list)
    jobs: list[Name] = field(default_factory=list)
    beside: list[Name] = field(default_factory=list)
    """What is named by the datasets, and is none of them."""


def all_names(session: Session, naming: Naming, at: int | None = None) -> StoreNames:
    """The names of all datasets that are no alias, with the tables that they are also known as."""
    return all_named(session, naming, _moment(at)).names


def inventory(session: Session, naming: Naming, at: int | None = None) -> Inventory:
    """All that is in force, now or at a moment."""
    named = all_named(session, naming, _moment(at))
    found = Inventory(named.names, sorted(named.shown.values()), _schemas(session, named.shown))
    # A job that only reads writes nothing.
    slots = [slot for slot in session.rows(_SLOTS, at=_moment(at)) if slot[0]]
    found.written = list(_written(_Rows(session, slots), session, named.every, found.schemas))
    found.jobs = sorted(session.rows(_ALL_JOBS))
    return found


def inventory_of(  # noqa: PLR0913  the parts of a question
    session: Session,
    naming: Naming,
    names: Collection[Name],
    *,
    at: int | None = None,
    jobs: Collection[Name] = (),
    beside: Collection[int] = (),
) -> Inventory:
    """What is in force of some datasets and jobs.

    Args:
        session: the store.
        naming: how URNs are made.
        names: the datasets.
        at: when; None for now.
        jobs: the jobs.
        beside: keys of more datasets, of which schemas are to be known, as those of all that is named are.
    """
    moment = _moment(at)
    asked = some_named(session, naming, keys_of(session, "dataset", names), moment)
    slots = {
        *session.rows(_slots_of("dataset"), ids(sorted(asked.every)), at=moment),
        *session.rows(_slots_of("job"), ids(sorted(keys_of(session, "job", jobs))), at=moment),
    }
    rows = _Rows(session, [slot for slot in slots if slot[0]])
    named = some_named(session, naming, rows.datasets | {*asked.every, *beside}, moment)
    found = Inventory(named.names, sorted(set(asked.shown.values())), _schemas(session, named.shown))
    found.written = list(_written(rows, session, named.every, found.schemas))
    found.beside = sorted(set(named.shown.values()) - set(found.datasets))
    return found


def _slots_of(column: str) -> str:
    return _SLOTS_OF.format(column=column, in_force=in_force("slot", ":at"))


def _moment(at: int | None) -> int:
    return NOW if at is None else at


class _Rows:
    """What the store has of slots: the edges of their mappings, and the datasets that they read."""

    def __init__(self, session: Session, slots: Collection[Row]) -> None:
        self.slots = sorted(slots, key=lambda row: (row[0], row[1]))
        mappings = {slot[2] for slot in slots if slot[2] is not None and slot[4] is None}
        self.edges = [row for some in _parts(mappings) for row in session.rows(_EDGES, ids(some))]
        self.inputs: dict[int, set[int]] = defaultdict(set)
        for some in _parts({slot[3] for slot in slots if slot[3] is not None}):
            for key, dataset in session.rows(_INPUTS, ids(some)):
                self.inputs[key].add(dataset)

    @property
    def datasets(self) -> set[int]:
        """All datasets that are named."""
        read = {dataset for some in self.inputs.values() for dataset in some}
        return (
            read
            | {key for slot in self.slots for key in (slot[0], slot[4]) if key}
            | {dataset_of(edge[2]) for edge in self.edges}
        )


def _schemas(session: Session, datasets: dict[int, Name]) -> dict[Name, list[SchemaField]]:
    found: dict[Name, list[tuple[int, SchemaField]]] = defaultdict(list)
    for some in _parts(datasets):
        for dataset, path, kind, words, position in session.rows(_SCHEMAS, ids(some)):
            if position is not None:
                found[datasets[dataset]].append((position, SchemaField(path, kind, words)))
    return {name: [one for _, one in sorted(fields, key=lambda pair: pair[0])] for name, fields in found.items()}


def _written(
    rows: _Rows, session: Session, datasets: dict[int, Name], schemas: dict[Name, list[SchemaField]]
) -> Iterable[Written]:
    edges = _lineages(session, datasets, rows.edges)
    jobs = {}
    for some in _parts({slot[1] for slot in rows.slots if slot[1]}):
        jobs.update({key: (namespace, name) for key, namespace, name in session.rows(_JOBS, ids(some))})
    for dataset, job, mapping, read, origin in rows.slots:
        name = datasets[dataset]
        if origin is not None:
            lineage: ColumnLineage | None = _renamed(datasets[origin], schemas.get(name, []))
        else:
            lineage = None if mapping is None else edges.get(mapping, ColumnLineage((), ()))
        sources = {datasets[key] for key in rows.inputs.get(read, ())} | {
            (edge.namespace, edge.name) for edge in (lineage.edges if lineage else ())
        }
        yield Written(name, jobs[job] if job else None, tuple(sorted(sources)), lineage)


def _lineages(session: Session, datasets: dict[int, Name], rows: Collection[Row]) -> dict[int, ColumnLineage]:
    fields = {field for row in rows for field in row[1:3] if field & FIELD_NUMBERS}
    paths = {key: path for some in _parts(fields) for key, path in session.rows(_FIELDS, ids(some))}
    found: dict[int, set[ColumnEdge]] = defaultdict(set)
    for mapping, out, read, kind, subtype, masking, words in rows:
        if read & FIELD_NUMBERS:
            source = datasets[dataset_of(read)]
            found[mapping].add(ColumnEdge(paths.get(out), *source, paths[read], kind, subtype, bool(masking), words))
    return {
        mapping: ColumnLineage(tuple(sorted({edge.out for edge in some if edge.out is not None})), sort_edges(some))
        for mapping, some in found.items()
    }


def _renamed(origin: Name, fields: list[SchemaField]) -> ColumnLineage:
    paths = sorted(one.path for one in fields)
    edges = {ColumnEdge(path, *origin, path, "DIRECT", "IDENTITY", masking=False, description="") for path in paths}
    return ColumnLineage(tuple(paths), sort_edges(edges))


def _parts(keys: Iterable[int]) -> Iterable[list[int]]:
    listed = sorted(keys)
    return (listed[at : at + _SOME] for at in range(0, len(listed), _SOME))
