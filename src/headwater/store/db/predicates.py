"""What statements ask of the store's tables again and again, each under one name: when a row counts, and whose it is.

Each function gives the text of an SQL expression. Its arguments are texts as well: a table or its alias (empty where
columns are written without one, as of a frame of Spark), a column, or a value as the statement names it.

>>> f"SELECT slot.job FROM slot WHERE slot.dataset = :dataset AND {in_force('slot', ':at')}"
'SELECT slot.job FROM slot WHERE slot.dataset = :dataset AND slot.until_us > :at AND slot.from_us <= :at'

SQLite, PostgreSQL and Spark read the same text, but for the shifts of bits: Spark has functions for these
(`headwater.lake.spark_sql`).
"""

from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import FIELD_BITS, FIELD_NUMBERS, FOREVER, Flag


def in_force(table: str, at: str) -> str:
    """Whether an interval (a row of `slot` or `alias`) counts at a moment; its end is not part of it."""
    return in_force_within(table, at, at)


def in_force_within(table: str, since: str, until: str) -> str:
    """Whether an interval counts at any moment from one to another, both included.

    >>> in_force_within("alias", ":since", ":until")
    'alias.until_us > :since AND alias.from_us <= :until'
    """
    return f"{not_ended(table, since)} AND {_column(table, 'from_us')} <= {until}"


def not_ended(table: str, at: str) -> str:
    """Whether an interval counts at a moment or begins later.

    >>> not_ended("slot", ":now")
    'slot.until_us > :now'
    """
    return f"{_column(table, 'until_us')} > {at}"


def in_force_or_ending(table: str, at: str) -> str:
    """Whether an interval counts at a moment or ends there.

    >>> in_force_or_ending("slot", "given.us")
    'slot.until_us >= given.us AND slot.from_us <= given.us'
    """
    return f"{_column(table, 'until_us')} >= {at} AND {_column(table, 'from_us')} <= {at}"


def still_in_force(table: str, forever: str = str(FOREVER)) -> str:
    """Whether an interval has no end yet.

    >>> still_in_force("slot")
    'slot.until_us = 9223372036854775807'
    """
    return f"{_column(table, 'until_us')} = {forever}"


def writes_count(run: str) -> str:
    """Whether what a row of `run` wrote counts: it completed, or is streaming.

    >>> writes_count("run"), writes_count("")
    ('(run.end_type = 3 OR run.streaming = 1)', '(end_type = 3 OR streaming = 1)')
    """
    ended, streaming = _column(run, "end_type"), _column(run, "streaming")
    return f"({ended} = {EventType.COMPLETE} OR {streaming} = {Flag.YES})"


def may_write(run: str) -> str:
    """Whether a row of `run` may have made versions: it has ended, or is streaming.

    >>> may_write("")
    '(end_type IS NOT NULL OR streaming = 1)'
    """
    return f"({_column(run, 'end_type')} IS NOT NULL OR {_column(run, 'streaming')} = {Flag.YES})"


def stamp_in_effect(dataset: str, job: str, stop: str) -> str:
    """The stamp of the version in effect: the last that a job wrote of a dataset before a stamp.

    >>> print(stamp_in_effect("given.dataset", "given.job", ":stop"))
    (
        SELECT version.stamp FROM version
        WHERE version.dataset = given.dataset AND version.job = given.job AND version.stamp < :stop
        ORDER BY version.stamp DESC LIMIT 1
    )
    """
    return f"""(
    SELECT version.stamp FROM version
    WHERE version.dataset = {dataset} AND version.job = {job} AND version.stamp < {stop}
    ORDER BY version.stamp DESC LIMIT 1
)"""  # noqa: S608  our own words


def last_event(shape: str, until: str | None = None) -> str:
    """The time of the last event of a shape, up to a moment if one is given.

    >>> last_event("note.shape", ":at")
    '(SELECT max(last.us) FROM event last WHERE last.shape = note.shape AND last.us <= :at)'
    """
    bound = "" if until is None else f" AND last.us <= {until}"
    return f"(SELECT max(last.us) FROM event last WHERE last.shape = {shape}{bound})"  # noqa: S608  our own words


def first_event(shape: str) -> str:
    """The time of the first event of a shape.

    >>> first_event("note.shape")
    '(SELECT min(first.us) FROM event first WHERE first.shape = note.shape)'
    """
    return f"(SELECT min(first.us) FROM event first WHERE first.shape = {shape})"  # noqa: S608  our own words


def dataset_of_field(field: str) -> str:
    """The dataset of a field, or of a dataset's rows, by its id.

    >>> dataset_of_field("edge.in_field")
    'edge.in_field >> 20'
    """
    return f"{field} >> {FIELD_BITS}"


def is_of_dataset(field: str, dataset: str) -> str:
    """Whether a field, or a dataset's rows, is of a dataset; an index on the field's id leads to it.

    >>> is_of_dataset("edge.in_field", "given.id")
    'edge.in_field >= given.id << 20 AND edge.in_field < (given.id + 1) << 20'
    """
    return f"{field} >= {dataset} << {FIELD_BITS} AND {field} < ({dataset} + 1) << {FIELD_BITS}"


def in_last_schema(field: str) -> str:
    """Whether a row of `field` is in its dataset's last schema.

    >>> in_last_schema("field")
    'field.position IS NOT NULL'
    """
    return f"{_column(field, 'position')} IS NOT NULL"


def is_rename(mapping: str) -> str:
    """Whether a row of `mapping` is that of a rename: every field from the one of the same path in another dataset.

    >>> is_rename("mapping")
    'mapping.origin IS NOT NULL'
    """
    return f"{_column(mapping, 'origin')} IS NOT NULL"


def goes_on(version: str) -> str:
    """Whether a row of `version` is no write of its own: a write that goes on after a rename, under the new name.

    >>> goes_on("version")
    'version.renamed IS NOT NULL AND version.removal = 0'
    """
    return f"{_column(version, 'renamed')} IS NOT NULL AND {_column(version, 'removal')} = {Flag.NO}"


def is_own_write(version: str) -> str:
    """Whether a row of `version` is a write, and not one that goes on after a rename.

    >>> is_own_write("version")
    '(version.renamed IS NULL OR version.removal = 1)'
    """
    return f"({_column(version, 'renamed')} IS NULL OR {_column(version, 'removal')} = {Flag.YES})"


def mostly(condition: str) -> str:
    """A condition that nearly all rows meet, in words by which PostgreSQL expects that, too.

    Of a table without statistics, it expects one row in a hundred to have no value in a column, and reads all rows once
    where an index would lead to the few that are wanted.

    >>> mostly("slot.mapping IS NULL")
    'CASE WHEN slot.mapping IS NULL THEN 1 ELSE 0 END <> 0'
    """
    return f"CASE WHEN {condition} THEN 1 ELSE 0 END <> 0"


def has_source(edge: str) -> str:
    """Whether a row of `edge` is one; a row from its own dataset's rows says that its mapping leaves the column out.

    >>> has_source("edge")
    'edge.in_field <> edge.out_field - (edge.out_field & 1048575)'
    """
    destination = _column(edge, "out_field")
    return f"{_column(edge, 'in_field')} <> {destination} - ({destination} & {FIELD_NUMBERS})"


def raw_kept(event: str) -> str:
    """Whether the raw event of a row of `event` is still there: retention drops it.

    >>> raw_kept("event")
    'event.rest IS NOT NULL'
    """
    return f"{_column(event, 'rest')} IS NOT NULL"


def _column(table: str, name: str) -> str:
    return f"{table}.{name}" if table else name
