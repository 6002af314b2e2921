"""Fields of datasets: paths, types, schemas, and the fields that may stand for each other (`kin`)."""

from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple
from uuid import UUID

from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import Kin, Kind
from headwater.store.db.predicates import first_event, has_source, in_last_schema
from headwater.store.db.session import Session, ids
from headwater.store.entities.keys import dataset_of
from headwater.store.model.meaning import RENAMED

_OF_DATASETS = "SELECT {columns} FROM {{given}} {{join}} field ON field.dataset = given.id"
_ALL = _OF_DATASETS.format(columns="field.dataset, field.id, field.path, field.type, field.description, field.position")
_KEYS = _OF_DATASETS.format(columns="field.dataset, field.id")
_PATHS = _OF_DATASETS.format(columns="field.dataset, field.id, field.path")
_COUNTS = _OF_DATASETS.format(columns="field.dataset, count(*)")
_LISTED = f" AND {in_last_schema('field')}"
_TAGGED = f" {{join}} tagged ON tagged.kind = {Kind.FIELD} AND tagged.entity = field.id"
_NAMED = """
SELECT field.id, dataset.namespace, dataset.name, field.path, field.type FROM {{given}}
{{join}} field ON field.{column} = given.id {{join}} dataset ON dataset.id = field.dataset
"""
# A field that its dataset's last schema does not have is gone; where there is no schema, every field may be.
_CURRENT = f"{_NAMED} WHERE {in_last_schema('field')} OR dataset.schema IS NULL"
_PATHS_BY_ID = "SELECT field.id, field.path FROM {given} {join} field ON field.id = given.id"
# Those that a schema has: what it no longer has says nothing.
_DESCRIBED = f"""
SELECT field.id, field.description FROM field WHERE field.description <> '' AND {in_last_schema("field")}
"""  # noqa: S608  our own words
_RANK = f"CASE WHEN event.type > {EventType.COMPLETE} THEN {EventType.COMPLETE} ELSE event.type END"
_KIN = "SELECT kin.other, kin.how FROM kin WHERE kin.field = :field"
_KIN_BY_HOW = "SELECT kin.field, kin.other FROM {{given}} {{join}} kin ON kin.field = given.id AND kin.how = {how}"
_LAST_SCHEMAS = "SELECT dataset.id, dataset.schema FROM {given} {join} dataset ON dataset.id = given.id"
_SCHEMAS_BETWEEN = """
SELECT mention.dataset, mention.schema FROM {given}
{join} mention ON mention.dataset = given.id AND mention.schema IS NOT NULL
WHERE EXISTS (
    SELECT 1 FROM event WHERE event.shape = mention.shape AND event.us > :since AND event.us <= :until
)
"""
# What is only named in lineage is mentioned by no event: when it began is not known.
_FIRST_LATER = """
SELECT given.id FROM {given}
WHERE EXISTS (SELECT 1 FROM mention WHERE mention.dataset = given.id)
AND NOT EXISTS (
    SELECT 1 FROM mention {join} event ON event.shape = mention.shape AND event.us <= :until
    WHERE mention.dataset = given.id
)
AND NOT EXISTS (SELECT 1 FROM version WHERE version.dataset = given.id AND version.us <= :until)
"""
_SCHEMAS_EVER = (
    "SELECT DISTINCT mention.schema FROM mention WHERE mention.dataset = :dataset AND mention.schema IS NOT NULL"
)
# The events from which on a dataset has another schema than before, in their order.
_SCHEMA_CHANGES = f"""
SELECT seen.us, seen.schema, run.uuid, seen.job FROM (
    SELECT event.us, {_RANK} AS rank, event.hash, mention.role, event.run, shape.job, mention.schema,
        lag(mention.schema) OVER (ORDER BY event.us, {_RANK}, event.hash, mention.role) AS before
    FROM mention JOIN shape ON shape.id = mention.shape JOIN event ON event.shape = shape.id
    WHERE mention.dataset = :dataset AND mention.schema IS NOT NULL {{first_alone}}
) seen LEFT JOIN run ON run.id = seen.run
WHERE seen.before IS NULL OR seen.before <> seen.schema
ORDER BY seen.us, seen.rank, seen.hash, seen.role
"""  # noqa: S608  our own words
_FIRST_ALONE = f"AND event.us = {first_event('mention.shape')}"
_WRITTEN = f"""
SELECT 1 FROM slot JOIN edge ON edge.mapping = slot.mapping AND edge.out_field = :field AND {has_source("edge")}
JOIN step ON step.id = edge.step AND step.type <> '{RENAMED}'
WHERE slot.dataset = :dataset AND slot.from_us > :since AND slot.from_us <= :until LIMIT 1
"""  # noqa: S608  our own words
_READ = f"""
SELECT 1 FROM edge JOIN slot ON slot.mapping = edge.mapping AND slot.from_us > :since AND slot.from_us <= :until
JOIN step ON step.id = edge.step AND step.type <> '{RENAMED}'
WHERE edge.in_field = :field LIMIT 1
"""  # noqa: S608  our own words


class FieldRow(NamedTuple):
    """A field; without a position it is not in its dataset's last schema."""

    dataset: int
    id: int
    path: str
    type: str
    description: str
    position: int | None


class FieldPath(NamedTuple):
    """A field of a dataset, by its path."""

    dataset: int
    id: int
    path: str


class NamedField(NamedTuple):
    """A field with its full name and its type."""

    id: int
    namespace: str
    name: str
    path: str
    type: str

    @property
    def dataset(self) -> int:
        """The key of its dataset."""
        return dataset_of(self.id)


class SchemaChange(NamedTuple):
    """A moment from which on a dataset has another schema, and the run (a UUID) and the job whose event says so."""

    us: int
    schema: int
    run: str | None
    job: int


def fields_of(session: Session, datasets: Collection[int]) -> list[FieldRow]:
    """All fields ever seen in datasets, in no order."""
    return [FieldRow(*row) for row in session.rows(_ALL, ids(datasets))]


def field_paths(session: Session, datasets: Collection[int], *, tagged: bool = False) -> list[FieldPath]:
    """All fields ever seen in datasets, with their paths; `tagged`: only those whose tags someone changed by hand."""
    return [FieldPath(*row) for row in session.rows(_PATHS + (_TAGGED if tagged else ""), ids(datasets))]


def field_keys(session: Session, datasets: Collection[int], *, listed: bool = False) -> list[tuple[int, int]]:
    """All fields ever seen in datasets, or those `listed` in their last schemas: (dataset, field)."""
    return session.rows(_KEYS + (_LISTED if listed else ""), ids(datasets))


def count_fields(session: Session, datasets: Collection[int]) -> dict[int, int]:
    """How many fields the last schema of each dataset has; a dataset without one is not there."""
    return dict(session.rows(f"{_COUNTS}{_LISTED} GROUP BY field.dataset", ids(datasets)))


def fields_by_id(session: Session, fields: Iterable[int]) -> list[NamedField]:
    """The names and types of fields."""
    return [NamedField(*row) for row in session.rows(_NAMED.format(column="id"), ids(fields))]


def current_fields(
    session: Session, keys: Collection[int], column: Literal["id", "dataset"] = "id"
) -> list[NamedField]:
    """Fields, or all fields of datasets, that the last schemas list; all where a dataset has no schema."""
    return [NamedField(*row) for row in session.rows(_CURRENT.format(column=column), ids(keys))]


def paths_by_id(session: Session, fields: Iterable[int]) -> dict[int, str]:
    """The paths of fields, by key."""
    return dict(session.rows(_PATHS_BY_ID, ids(fields)))


def field_descriptions(session: Session) -> dict[int, str]:
    """The descriptions in the last schemas of all datasets."""
    return dict(session.rows(_DESCRIBED))


def kin_of(session: Session, field: int) -> dict[int, int]:
    """The fields that may stand for one, and how (`Kin`)."""
    return dict(session.rows(_KIN, field=field))


def kin_pairs(session: Session, fields: Collection[int], how: Kin) -> list[tuple[int, int]]:
    """Fields, and those that stand for them in one way: INSIDE gives structs and what is in them."""
    return session.rows(_KIN_BY_HOW.format(how=how), ids(fields))


def last_schemas(session: Session, datasets: Collection[int]) -> dict[int, int | None]:
    """The last schema of each dataset."""
    return dict(session.rows(_LAST_SCHEMAS, ids(datasets)))


def schemas_between(session: Session, datasets: Collection[int], since: int, until: int) -> list[tuple[int, int]]:
    """The schemas that events give after one moment and until another: (dataset, schema)."""
    return session.rows(_SCHEMAS_BETWEEN, ids(datasets), since=since, until=until)


def first_mentioned_later(session: Session, datasets: Collection[int], until: int) -> set[int]:
    """Which datasets events first mention after a moment."""
    return {dataset for (dataset,) in session.rows(_FIRST_LATER, ids(datasets), until=until)}


def schema_changes(session: Session, dataset: int) -> list[SchemaChange]:
    """The schemas of a dataset one after the other, each where it differs from the one before.

    Of a dataset that has had one schema only, the first event of each shape is read, of others all that name a schema.
    """
    schemas = session.rows(_SCHEMAS_EVER, dataset=dataset)
    if not schemas:
        return []
    first_alone = _FIRST_ALONE if len(schemas) == 1 else ""
    rows = session.rows(_SCHEMA_CHANGES.format(first_alone=first_alone), dataset=dataset)
    return [
        SchemaChange(us, schema, str(UUID(bytes=bytes(run))) if run else None, job) for us, schema, run, job in rows
    ]


def was_written(session: Session, field: int, since: int, until: int) -> bool:
    """Whether anything that writes a field came into force after one moment, and until another."""
    return bool(session.rows(_WRITTEN, field=field, dataset=dataset_of(field), since=since, until=until))


def was_read(session: Session, field: int, since: int, until: int) -> bool:
    """Whether anything that reads a field did."""
    return bool(session.rows(_READ, field=field, since=since, until=until))
