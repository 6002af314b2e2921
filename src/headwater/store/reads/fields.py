"""Fields of datasets: paths, types, schemas, and the fields that may stand for each other (`kin`)."""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple
from uuid import UUID

from headwater.common.column_path import ancestors
from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import FIELD_BITS, NOW, Kin, Kind
from headwater.store.db.predicates import dataset_of_field, first_event, has_source, in_last_schema
from headwater.store.db.session import Given, Session, ids
from headwater.store.entities.fields import Fields, after_schema, schema_contents, schemas_by
from headwater.store.entities.keys import dataset_of, path_hash
from headwater.store.model.meaning import RENAMED
from headwater.store.reads.names import remember_names

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
_BY_PATH = """
SELECT field.id, field.path FROM {given} {join} field ON field.dataset = given.dataset AND field.key = given.key
"""
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
_SCHEMA_AHEAD = """
SELECT given.id FROM {given}
WHERE EXISTS (
    SELECT 1 FROM mention {join} event ON event.shape = mention.shape AND event.us > :now
    WHERE mention.dataset = given.id AND mention.schema IS NOT NULL
)
"""
_NAMED_AHEAD = """
SELECT given.id FROM {given}
WHERE EXISTS (
    SELECT 1 FROM mention {join} event ON event.shape = mention.shape AND event.us > :now
    WHERE mention.dataset = given.id
)
"""
# Fields that schemas, or the lineage, in events before or after a moment name.
_IN_SCHEMAS = """
SELECT DISTINCT mention.dataset, mention.schema FROM {{given}}
{{join}} mention ON mention.dataset = given.id AND mention.schema IS NOT NULL
{{join}} event ON event.shape = mention.shape AND event.us {when} :until
"""
_IN_LINEAGE = f"""
SELECT given.id FROM {{{{given}}}}
WHERE EXISTS (
    SELECT 1 FROM edge {{{{join}}}} mapping ON mapping.id = edge.mapping
    {{{{join}}}} mention ON mention.dataset = mapping.dataset AND mention.mapping = mapping.id
    {{{{join}}}} event ON event.shape = mention.shape AND event.us {{when}} :until
    WHERE edge.in_field = given.id
) OR EXISTS (
    SELECT 1 FROM mention {{{{join}}}} edge ON edge.mapping = mention.mapping AND edge.out_field = given.id
    {{{{join}}}} event ON event.shape = mention.shape AND event.us {{when}} :until
    WHERE mention.dataset = {dataset_of_field("given.id")}
)
"""  # noqa: S608  our own words
_WITH_SCHEMA_AHEAD = """
SELECT DISTINCT mention.dataset FROM event {join} mention ON mention.shape = event.shape
WHERE event.us > :now AND mention.schema IS NOT NULL
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
_SCHEMAS_EVER = """
SELECT DISTINCT mention.schema FROM mention WHERE mention.dataset = :dataset AND mention.schema IS NOT NULL
    AND EXISTS (SELECT 1 FROM event WHERE event.shape = mention.shape AND event.us <= :until)
"""
# The events from which on a dataset has another schema than before, in their order.
_SCHEMA_CHANGES = f"""
SELECT seen.us, seen.schema, run.uuid, seen.job FROM (
    SELECT event.us, {_RANK} AS rank, event.hash, mention.role, event.run, shape.job, mention.schema,
        lag(mention.schema) OVER (ORDER BY event.us, {_RANK}, event.hash, mention.role) AS before
    FROM mention JOIN shape ON shape.id = mention.shape JOIN event ON event.shape = shape.id
    WHERE mention.dataset = :dataset AND mention.schema IS NOT NULL AND event.us <= :until {{first_alone}}
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


class SchemaNow(NamedTuple):
    """The schema that a dataset has now, and what it and the earlier ones say of fields, by path; None for none."""

    key: int | None
    fields: Fields

    def field(self, path: str) -> tuple[str, str, int | None]:
        """Type, description and position of a field."""
        return self.fields.get(path, ("", "", None))

    def lists(self, path: str) -> bool:
        """Whether it has a field."""
        return self.field(path)[2] is not None


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
    """All fields ever seen in datasets by now, in no order; types and positions are those of now."""
    later = seen_later(session, datasets, session.now)
    rows = [FieldRow(*row) for row in session.rows(_ALL, ids(datasets))]
    return _rows_now(session, [row for row in rows if row.id not in later])


def find_path(session: Session, dataset: int, paths: Sequence[str]) -> int | None:
    """The field of a dataset that has the first of these paths which there is."""
    given = Given("dataset int, key bytes", [(dataset, path_hash(path)) for path in paths])
    found: dict[str, int] = {path: key for key, path in session.rows(_BY_PATH, given)}
    return next((found[path] for path in paths if path in found), None)


def field_paths(session: Session, datasets: Collection[int], *, tagged: bool = False) -> list[FieldPath]:
    """All fields ever seen in datasets, with their paths; `tagged`: only those whose tags someone changed by hand."""
    return [FieldPath(*row) for row in session.rows(_PATHS + (_TAGGED if tagged else ""), ids(datasets))]


def field_keys(session: Session, datasets: Collection[int], *, listed: bool = False) -> list[tuple[int, int]]:
    """All fields ever seen in datasets, or those `listed` in their schemas of now: (dataset, field)."""
    if listed and (others := schemas_now(session, datasets)):
        there = [(row.dataset, row.id) for row in fields_of(session, others) if row.position is not None]
        return there + session.rows(_KEYS + _LISTED, ids(set(datasets) - others.keys()))
    return session.rows(_KEYS + (_LISTED if listed else ""), ids(datasets))


def seen_later(session: Session, datasets: Collection[int], until: int) -> set[int]:
    """The fields of datasets that events name after a moment and none names until then.

    Looked for where events ahead of the clock name the datasets; where none lie ahead, nothing is.
    """
    if not session.any_ahead or until == NOW:
        return set()
    named = {dataset for (dataset,) in session.rows(_NAMED_AHEAD, ids(datasets), now=session.now)}
    if not named:
        return set()
    known, later = (_in_schemas(session, named, when, until) for when in ("<=", ">"))
    rows = field_paths(session, named)
    unlisted = {row.id for row in rows if (row.dataset, row.path) not in known}
    early, late = (
        {key for (key,) in session.rows(_IN_LINEAGE.format(when=when), ids(unlisted), until=until)}
        for when in ("<=", ">")
    )
    late |= {row.id for row in rows if row.id in unlisted and (row.dataset, row.path) in later}
    # A struct is there where what is in it is.
    inside, around = (
        {(row.dataset, path) for row in rows if row.id in keys for path in ancestors(row.path)}
        for keys in (early, late)
    )
    late |= {row.id for row in rows if row.id in unlisted and (row.dataset, row.path) in around}
    return {row.id for row in rows if row.id in late - early and (row.dataset, row.path) not in inside}


def _in_schemas(session: Session, datasets: Collection[int], when: str, until: int) -> set[tuple[int, str]]:
    rows = session.rows(_IN_SCHEMAS.format(when=when), ids(datasets), until=until)
    contents = schema_contents(session, {key for _, key in rows})
    return {(dataset, path) for dataset, key in rows for path, *_ in contents[key]}


def count_fields(session: Session, datasets: Collection[int]) -> dict[int, int]:
    """How many fields the schema of each dataset has now; a dataset without one is not there."""
    counts: dict[int, int] = dict(session.rows(f"{_COUNTS}{_LISTED} GROUP BY field.dataset", ids(datasets)))
    for dataset, (_, fields) in schemas_now(session, datasets).items():
        counts.pop(dataset, None)
        if count := sum(position is not None for _, _, position in fields.values()):
            counts[dataset] = count
    return counts


def fields_by_id(session: Session, fields: Iterable[int]) -> list[NamedField]:
    """The names of fields, and their types now."""
    rows = [NamedField._make(row) for row in session.rows(_NAMED.format(column="id"), ids(fields))]
    remember_names(session, "dataset", {key >> FIELD_BITS: (namespace, name) for key, namespace, name, _, _ in rows})
    return _named_now(session, rows)


def current_fields(
    session: Session, keys: Collection[int], column: Literal["id", "dataset"] = "id"
) -> list[NamedField]:
    """Fields, or all fields of datasets, that the schemas of now list; all where a dataset has no schema."""
    datasets = {dataset_of(key) for key in keys} if column == "id" else set(keys)
    others = schemas_now(session, datasets)
    if not others:
        return [NamedField(*row) for row in session.rows(_CURRENT.format(column=column), ids(keys))]
    rows = [NamedField(*row) for row in session.rows(_NAMED.format(column=column), ids(keys))]
    current = {row.id for row in rows} & {row[0] for row in session.rows(_CURRENT.format(column=column), ids(keys))}
    return [
        row
        for row in _named_now(session, rows)
        if (
            row.id in current
            if row.dataset not in others
            else others[row.dataset].key is None or others[row.dataset].lists(row.path)
        )
    ]


def paths_by_id(session: Session, fields: Iterable[int]) -> dict[int, str]:
    """The paths of fields, by key."""
    return dict(session.rows(_PATHS_BY_ID, ids(fields)))


def field_descriptions(session: Session) -> dict[int, str]:
    """The descriptions in the schemas of all datasets now."""
    described: dict[int, str] = dict(session.rows(_DESCRIBED))
    if others := schemas_now(session, None):
        described = {field: text for field, text in described.items() if dataset_of(field) not in others}
        described |= {
            row.id: row.description
            for row in fields_of(session, others)
            if row.description and row.position is not None
        }
    return described


def kin_of(session: Session, field: int) -> dict[int, int]:
    """The fields that may stand for one, and how (`Kin`)."""
    return dict(session.rows(_KIN, field=field))


def kin_pairs(session: Session, fields: Collection[int], how: Kin) -> list[tuple[int, int]]:
    """Fields, and those that stand for them in one way: INSIDE gives structs and what is in them."""
    return session.rows(_KIN_BY_HOW.format(how=how), ids(fields))


def last_schemas(session: Session, datasets: Collection[int]) -> dict[int, int | None]:
    """The schema of each dataset now."""
    others = {dataset: schema.key for dataset, schema in schemas_now(session, datasets).items()}
    return dict(session.rows(_LAST_SCHEMAS, ids(datasets))) | others


def schemas_now(session: Session, datasets: Collection[int] | None) -> dict[int, "SchemaNow"]:
    """The schemas of now of those datasets whose last schema lies ahead of the clock; None for all datasets.

    The rows of `field` hold what the last schema says. Few datasets have another one now, and where no event lies
    ahead, nothing is looked for.
    """
    if not session.any_ahead or (datasets is not None and not datasets):
        return {}
    if datasets is None:
        rows = session.rows(_WITH_SCHEMA_AHEAD, now=session.now)
    else:
        rows = session.rows(_SCHEMA_AHEAD, ids(datasets), now=session.now)
    ahead = {dataset for (dataset,) in rows}
    orders = schemas_by(session, ahead, session.now)
    contents = schema_contents(session, {key for keys in orders.values() for key in keys})
    schemas = {}
    for dataset in ahead:
        fields: Fields = {}
        for key in orders.get(dataset, ()):
            fields = after_schema(fields, contents[key])
        schemas[dataset] = SchemaNow(orders[dataset][-1] if dataset in orders else None, fields)
    return schemas


def _rows_now(session: Session, rows: list[FieldRow]) -> list[FieldRow]:
    others = schemas_now(session, {row.dataset for row in rows})
    if not others:
        return rows
    return [
        FieldRow(row.dataset, row.id, row.path, *others[row.dataset].field(row.path)) if row.dataset in others else row
        for row in rows
    ]


def _named_now(session: Session, rows: list[NamedField]) -> list[NamedField]:
    others = schemas_now(session, {row.dataset for row in rows})
    if not others:
        return rows
    return [row._replace(type=others[row.dataset].field(row.path)[0]) if row.dataset in others else row for row in rows]


def schemas_between(session: Session, datasets: Collection[int], since: int, until: int) -> list[tuple[int, int]]:
    """The schemas that events give after one moment and until another: (dataset, schema)."""
    return session.rows(_SCHEMAS_BETWEEN, ids(datasets), since=since, until=until)


def first_mentioned_later(session: Session, datasets: Collection[int], until: int) -> set[int]:
    """Which datasets events first mention after a moment."""
    return {dataset for (dataset,) in session.rows(_FIRST_LATER, ids(datasets), until=until)}


def schema_changes(session: Session, dataset: int, until: int) -> list[SchemaChange]:
    """The schemas of a dataset one after the other up to a moment, each where it differs from the one before.

    Of a dataset that has had one schema only, the first event of each shape is read, of others all that name a schema.
    """
    schemas = session.rows(_SCHEMAS_EVER, dataset=dataset, until=until)
    if not schemas:
        return []
    first_alone = _FIRST_ALONE if len(schemas) == 1 else ""
    rows = session.rows(_SCHEMA_CHANGES.format(first_alone=first_alone), dataset=dataset, until=until)
    return [
        SchemaChange(us, schema, str(UUID(bytes=bytes(run))) if run else None, job) for us, schema, run, job in rows
    ]


def was_written(session: Session, field: int, since: int, until: int) -> bool:
    """Whether anything that writes a field came into force after one moment, and until another."""
    return bool(session.rows(_WRITTEN, field=field, dataset=dataset_of(field), since=since, until=until))


def was_read(session: Session, field: int, since: int, until: int) -> bool:
    """Whether anything that reads a field did."""
    return bool(session.rows(_READ, field=field, since=since, until=until))
