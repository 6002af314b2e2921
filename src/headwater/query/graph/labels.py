"""Names for keys: what an answer shows of fields, jobs, runs and steps, a statement for each kind of thing."""

from collections.abc import Collection, Iterable
from operator import itemgetter
from typing import NamedTuple
from uuid import UUID

from headwater.query.graph.answer import FieldName, TableName, Transformation
from headwater.query.graph.intervals import Span
from headwater.store.db.codes import NO_LIMIT, RENAME_STEP
from headwater.store.db.predicates import stamp_in_effect
from headwater.store.db.session import Given, Row, Session, ids
from headwater.store.entities.keys import dataset_of
from headwater.store.model.order import before

_FIELDS = """
SELECT field.id, dataset.namespace, dataset.name, field.path, field.type FROM {given}
{join} field ON field.id = given.id
{join} dataset ON dataset.id = field.dataset
"""
_TABLES = "SELECT t.id, t.namespace, t.name FROM {{given}} {{join}} {table} t ON t.id = given.id"
_STEPS = "SELECT step.id, step.type, step.subtype, step.masking FROM {given} {join} step ON step.id = given.id"
# The limit is never reached: it has PostgreSQL find the stamps first, and not try every version of a slot.
_LAST_VERSIONS = """
SELECT last.dataset, last.job, version.stamp, version.carried, version.run, run.uuid
FROM (
    SELECT given.dataset, given.job, {stamp} AS stamp
    FROM {{given}} LIMIT {no_limit}
) last
{{join}} version ON version.dataset = last.dataset AND version.job = last.job AND version.stamp = last.stamp
LEFT JOIN run ON run.id = version.run
"""
_BY_NAME = itemgetter(1, 2, 3)
_RENAME = Transformation("DIRECT", "IDENTITY", masking=False, description="")


class Labels(NamedTuple):
    """Names of fields, their types, and their places by name; the rows of a dataset come before its columns."""

    names: dict[int, FieldName]
    types: dict[int, str]
    places: dict[int, int]


def label_fields(session: Session, fields: Iterable[int], rows: Collection[int] = ()) -> Labels:
    """The names of fields and of datasets' rows."""
    found = session.rows(_FIELDS, ids(fields))
    if rows:
        datasets = {dataset_of(key): (namespace, name) for key, namespace, name, _, _ in found}
        missing = {dataset_of(key) for key in rows} - datasets.keys()
        datasets |= {key: (one.namespace, one.name) for key, one in tables(session, "dataset", missing).items()}
        found += [(key, *datasets[dataset_of(key)], "", "") for key in rows]
    found.sort(key=_BY_NAME)
    return Labels(
        {key: FieldName(namespace, name, path or None) for key, namespace, name, path, _ in found},
        {row[0]: row[4] for row in found},
        {row[0]: place for place, row in enumerate(found)},
    )


def tables(session: Session, table: str, keys: Collection[int]) -> dict[int, TableName]:
    """The names of datasets or jobs."""
    if not keys:
        return {}
    rows = session.rows(_TABLES.format(table=table), ids(keys))
    return {key: TableName(namespace, name) for key, namespace, name in rows}


class Step(NamedTuple):
    """A way in which a value goes into another, and its class."""

    type: str
    subtype: str
    masking: bool
    kind: int


def steps(session: Session, keys: Iterable[int]) -> dict[int, Step]:
    """Steps by key."""
    found = {RENAME_STEP: Step(_RENAME.type, _RENAME.subtype, _RENAME.masking, int(_RENAME.kind))}
    for key, kind, subtype, masking in session.rows(_STEPS, ids(keys)):
        step = Transformation(kind, subtype, bool(masking), "")
        found[key] = Step(kind, subtype, bool(masking), int(step.kind))
    return found


class Last(NamedTuple):
    """The last write of a job to a dataset."""

    stamp: bytes
    carried: bool
    key: int | None
    run: str | None


NEVER = Last(b"", carried=False, key=None, run=None)
"""In the place of a write that is not known."""


def last_versions(session: Session, ends: dict[tuple[int, int], int], span: Span) -> dict[tuple[int, int], Last]:
    """The last versions of slots (dataset, job), each at or before the end of what is asked about.

    Args:
        session: the store.
        ends: for each slot, until when it was in force; what comes after does not count.
        span: what is asked about.
    """
    if not ends:
        return {}
    if span.one_moment:
        statement = _last_versions(":stop")
        given = Given("dataset int, job int", sorted(ends))
        rows = session.rows(statement, given, stop=before(span.until + 1))
    else:
        statement = _last_versions("given.stop")
        slots: list[Row] = [(*slot, before(min(span.until + 1, end))) for slot, end in sorted(ends.items())]
        rows = session.rows(statement, Given("dataset int, job int, stop bytes", slots))
    return {
        (dataset, job): Last(bytes(stamp), bool(carried), run, str(UUID(bytes=bytes(uuid))) if uuid else None)
        for dataset, job, stamp, carried, run, uuid in rows
    }


def _last_versions(stop: str) -> str:
    return _LAST_VERSIONS.format(stamp=stamp_in_effect("given.dataset", "given.job", stop), no_limit=NO_LIMIT)
