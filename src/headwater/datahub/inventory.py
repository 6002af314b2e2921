"""All that is in force in a store at a moment, dataset by dataset and job by job: what an export writes."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from headwater.datahub.names import Naming, Symlink
from headwater.datahub.reading import Name
from headwater.datahub.store_names import StoreNames
from headwater.openlineage.model import ColumnEdge, ColumnLineage, SchemaField
from headwater.openlineage.parse_facets import sort_edges
from headwater.store.derive import FOREVER
from headwater.store.keys import FIELD_BITS
from headwater.store.session import Session, ids

_SOME = 500
_NUMBER = (1 << FIELD_BITS) - 1
_NAMES = "SELECT dataset.id, dataset.namespace, dataset.name FROM dataset"
_TABLES = """
SELECT alias.physical, alias.dataset FROM alias WHERE alias.until_us > :at AND alias.from_us <= :at
"""
_SLOTS = """
SELECT slot.dataset, slot.job, slot.mapping, slot.inputs, mapping.origin FROM slot
LEFT JOIN mapping ON mapping.id = slot.mapping
WHERE slot.until_us > :at AND slot.from_us <= :at
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


@dataclass(frozen=True, slots=True)
class Written:
    """What a job writes to a dataset, or a dataset declares of itself; `lineage` is None where nothing says it."""

    dataset: Name
    job: Name | None
    inputs: tuple[Name, ...]
    lineage: ColumnLineage | None


@dataclass
class Inventory:
    """A store at a moment."""

    names: StoreNames
    datasets: list[Name] = field(default_factory=list)
    schemas: dict[Name, list[SchemaField]] = field(default_factory=dict)
    written: list[Written] = field(default_factory=list)


def all_names(session: Session, naming: Naming, at: int | None = None) -> StoreNames:
    """The names of all datasets that are no alias, with the tables that they are also known as."""
    return _named(session, naming, FOREVER - 1 if at is None else at)[0]


def inventory(session: Session, naming: Naming, at: int | None = None) -> Inventory:
    """All that is in force, now or at a moment."""
    moment = FOREVER - 1 if at is None else at
    names, datasets, physical = _named(session, naming, moment)
    found = Inventory(names, sorted(datasets[key] for key in datasets if key not in physical))
    every = {key: datasets[physical.get(key, key)] for key in datasets}
    found.schemas = _schemas(session, datasets)
    found.written = list(_written(session, every, found.schemas, moment))
    return found


def _named(session: Session, naming: Naming, at: int) -> tuple[StoreNames, dict[int, Name], dict[int, int]]:
    datasets = {key: (namespace, name) for key, namespace, name in session.rows(_NAMES)}
    physical = {alias: to for to, alias in session.rows(_TABLES, at=at) if alias != to}
    tables: dict[Name, list[Symlink]] = defaultdict(list)
    for alias, to in sorted(physical.items()):
        tables[datasets[to]].append(Symlink(*datasets[alias]))
    shown = [name for key, name in datasets.items() if key not in physical]
    return StoreNames(naming, shown, tables), datasets, physical


def _schemas(session: Session, datasets: dict[int, Name]) -> dict[Name, list[SchemaField]]:
    found: dict[Name, list[tuple[int, SchemaField]]] = defaultdict(list)
    for some in _parts(datasets):
        for dataset, path, kind, words, position in session.rows(_SCHEMAS, ids(some)):
            if position is not None:
                found[datasets[dataset]].append((position, SchemaField(path, kind, words)))
    return {name: [one for _, one in sorted(fields, key=lambda pair: pair[0])] for name, fields in found.items()}


def _written(
    session: Session, datasets: dict[int, Name], schemas: dict[Name, list[SchemaField]], at: int
) -> Iterable[Written]:
    slots = sorted(session.rows(_SLOTS, at=at), key=lambda row: (row[0], row[1]))
    slots = [slot for slot in slots if slot[0]]  # a job that only reads writes nothing
    edges = _lineages(session, datasets, {slot[2] for slot in slots if slot[2] is not None and slot[4] is None})
    inputs: dict[int, set[Name]] = defaultdict(set)
    for some in _parts({slot[3] for slot in slots if slot[3] is not None}):
        for key, dataset in session.rows(_INPUTS, ids(some)):
            inputs[key].add(datasets[dataset])
    jobs = {}
    for some in _parts({slot[1] for slot in slots if slot[1]}):
        jobs.update({key: (namespace, name) for key, namespace, name in session.rows(_JOBS, ids(some))})
    for dataset, job, mapping, read, origin in slots:
        name = datasets[dataset]
        if origin is not None:
            lineage: ColumnLineage | None = _renamed(datasets[origin], schemas.get(name, []))
        else:
            lineage = None if mapping is None else edges.get(mapping, ColumnLineage((), ()))
        sources = set(inputs.get(read, ())) | {
            (edge.namespace, edge.name) for edge in (lineage.edges if lineage else ())
        }
        yield Written(name, jobs[job] if job else None, tuple(sorted(sources)), lineage)


def _lineages(session: Session, datasets: dict[int, Name], mappings: set[int]) -> dict[int, ColumnLineage]:
    rows = [row for some in _parts(mappings) for row in session.rows(_EDGES, ids(some))]
    fields = {field for row in rows for field in row[1:3] if field & _NUMBER}
    paths = {key: path for some in _parts(fields) for key, path in session.rows(_FIELDS, ids(some))}
    found: dict[int, set[ColumnEdge]] = defaultdict(set)
    for mapping, out, read, kind, subtype, masking, words in rows:
        if read & _NUMBER:
            source = datasets[read >> FIELD_BITS]
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
