"""What a store holds at a moment: names and aliases of datasets, schemas, and what each job writes.

Long lists of ids are read in parts: no statement gets more than some hundred.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Literal, NamedTuple, cast

from headwater.store.db.codes import NOTHING
from headwater.store.db.predicates import in_force
from headwater.store.db.session import Given, Row, Session, ids
from headwater.store.entities.keys import hash_of
from headwater.store.model.meaning import Name

_KEYS_AT_ONCE = 500
_DATASETS = "SELECT dataset.id, dataset.namespace, dataset.name FROM dataset"
_DATASETS_BY_ID = (
    "SELECT dataset.id, dataset.namespace, dataset.name FROM {given} {join} dataset ON dataset.id = given.id"
)
_DATASETS_BY_TAIL = "SELECT dataset.id FROM {given} {join} dataset ON dataset.tail = given.tail"
_ALIASES = f"""
SELECT alias.dataset, alias.physical FROM alias WHERE {in_force("alias", ":at")}
"""  # noqa: S608  our own words
_ALIASES_OF = """
SELECT alias.dataset, alias.physical FROM {{given}}
{{join}} alias ON alias.{column} = given.id AND {in_force}
"""
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
_PATHS = "SELECT field.id, field.path FROM {given} {join} field ON field.id = given.id"
_SCHEMAS = """
SELECT field.dataset, field.path, field.type, field.description, field.position FROM {given}
{join} field ON field.dataset = given.id
"""
_INPUTS = "SELECT input.inputs, input.dataset FROM {given} {join} input ON input.inputs = given.id"
_JOBS_BY_ID = "SELECT job.id, job.namespace, job.name FROM {given} {join} job ON job.id = given.id"
_JOBS = "SELECT job.namespace, job.name FROM job"


class Alias(NamedTuple):
    """An alias, and the dataset that it stands for."""

    dataset: int
    physical: int


class Slot(NamedTuple):
    """What a job writes to a dataset; of a rename, `origin` is the dataset that it renames."""

    dataset: int
    job: int
    mapping: int | None
    inputs: int | None
    origin: int | None


class EdgeRow(NamedTuple):
    """An edge of a mapping: from a field, or a dataset's rows, to another."""

    mapping: int
    out_field: int
    in_field: int
    type: str
    subtype: str
    masking: int
    description: str


class FieldRow(NamedTuple):
    """A field of a dataset; without a position, it is not in the last schema."""

    dataset: int
    path: str
    type: str
    description: str
    position: int | None


def all_datasets(session: Session) -> dict[int, Name]:
    """The names of all datasets, by id."""
    return _names(session.rows(_DATASETS))


def datasets_by_id(session: Session, datasets: Collection[int]) -> dict[int, Name]:
    """The names of some datasets, by id."""
    return _names(session.rows(_DATASETS_BY_ID, ids(datasets)))


def datasets_by_tail(session: Session, tails: Iterable[int]) -> set[int]:
    """The ids of the datasets whose names end in a part with one of these hashes."""
    return {key for (key,) in session.rows(_DATASETS_BY_TAIL, Given("tail int", [(tail,) for tail in sorted(tails)]))}


def ids_of(session: Session, table: str, names: Iterable[Name]) -> list[int]:
    """The ids of datasets or jobs (`table` says which), by their names."""
    statement = f"SELECT t.id FROM {{given}} {{join}} {table} t ON t.key = given.key"  # noqa: S608  our own word
    given = Given("key bytes", [(hash_of(*name),) for name in sorted(names)])
    return [key for (key,) in session.rows(statement, given)]


def all_aliases(session: Session, at: int) -> list[Alias]:
    """All aliases at a moment."""
    return list(map(Alias._make, session.rows(_ALIASES, at=at)))


def aliases_of(session: Session, column: Literal["dataset", "physical"], keys: Collection[int], at: int) -> list[Alias]:
    """The aliases at a moment that are one of these (`dataset`), or stand for one of these (`physical`)."""
    statement = _ALIASES_OF.format(column=column, in_force=in_force("alias", ":at"))
    return list(map(Alias._make, session.rows(statement, ids(keys), at=at)))


def all_slots(session: Session, at: int) -> list[Slot]:
    """What every job writes at a moment; a job that only reads writes nothing."""
    return _slots(session.rows(_SLOTS, at=at))


def slots_of(session: Session, column: Literal["dataset", "job"], keys: Collection[int], at: int) -> list[Slot]:
    """What is written to some datasets, or by some jobs, at a moment."""
    statement = _SLOTS_OF.format(column=column, in_force=in_force("slot", ":at"))
    return _slots(session.rows(statement, ids(keys), at=at))


def edges(session: Session, mappings: Iterable[int]) -> list[EdgeRow]:
    """The edges of mappings."""
    return list(map(EdgeRow._make, _rows(session, _EDGES, mappings)))


def field_paths(session: Session, fields: Iterable[int]) -> dict[int, str]:
    """The paths of fields, by id."""
    return {row[0]: row[1] for row in _rows(session, _PATHS, fields)}


def schemas(session: Session, datasets: Iterable[int]) -> list[FieldRow]:
    """The fields of datasets that are in their last schemas."""
    return [field for row in _rows(session, _SCHEMAS, datasets) if (field := FieldRow._make(row)).position is not None]


def inputs(session: Session, keys: Iterable[int]) -> dict[int, set[int]]:
    """The datasets of sets of inputs, by the id of the set."""
    datasets: defaultdict[int, set[int]] = defaultdict(set)
    for key, dataset in _rows(session, _INPUTS, keys):
        datasets[key].add(dataset)
    return datasets


def all_jobs(session: Session) -> list[Name]:
    """The names of all jobs."""
    return session.rows(_JOBS)


def jobs_by_id(session: Session, jobs: Iterable[int]) -> dict[int, Name]:
    """The names of some jobs, by id."""
    return _names(_rows(session, _JOBS_BY_ID, jobs))


def last_event_us(session: Session) -> int | None:
    """The time of the last event; None in an empty store."""
    ((last,),) = session.rows("SELECT max(event.us) FROM event")
    return cast("int | None", last)


def _rows(session: Session, statement: str, keys: Iterable[int]) -> Iterator[Row]:
    listed = sorted(keys)
    for start in range(0, len(listed), _KEYS_AT_ONCE):
        yield from session.rows(statement, ids(listed[start : start + _KEYS_AT_ONCE]))


def _slots(rows: Iterable[Row]) -> list[Slot]:
    return [slot for row in rows if (slot := Slot._make(row)).dataset != NOTHING]


def _names(rows: Iterable[Row]) -> dict[int, Name]:
    return {key: (namespace, name) for key, namespace, name in rows}
