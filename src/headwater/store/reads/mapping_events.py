"""The events that state the lineage of columns: which one gave a mapping, and its raw content."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from headwater.store.db.codes import Flag, Role
from headwater.store.db.predicates import raw_kept
from headwater.store.db.session import Given, Row, Session
from headwater.store.entities.raw_events import put_together

# The last write of a slot that said something of columns itself.
_LAST_STATED = f"""
SELECT given.place, version.dataset, version.mapping, version.run, version.us FROM {{given}}
{{join}} version ON version.dataset = given.dataset AND version.job = given.job AND version.stamp = (
    SELECT last.stamp FROM version last
    WHERE last.dataset = given.dataset AND last.job = given.job AND last.stamp < given.stop
        AND last.carried = {Flag.NO} AND last.mapping IS NOT NULL
    ORDER BY last.stamp DESC LIMIT 1
)
"""  # noqa: S608  our own words
_TIMES_OF_RUNS = """
SELECT given.place, version.us FROM {given}
{join} run ON run.uuid = given.uuid
{join} version ON version.run = run.id AND version.dataset = given.dataset
"""
_BY_RUN = f"""
SELECT given.place, event.us, event.type, event.hash FROM {{given}}
{{join}} mention ON mention.dataset = given.dataset AND mention.role = {Role.WRITTEN}
    AND mention.mapping = given.mapping
{{join}} event ON event.run = given.run AND event.shape = mention.shape AND event.us = (
    SELECT max(last.us) FROM event last
    WHERE last.run = given.run AND last.shape = mention.shape AND last.us <= given.us
)
"""  # noqa: S608  our own words
_WITHOUT_RUN = f"""
SELECT given.place, event.us, event.type, event.hash FROM {{given}}
{{join}} mention ON mention.dataset = given.dataset AND mention.role >= {Role.WRITTEN}
    AND mention.mapping = given.mapping
{{join}} event ON event.shape = mention.shape AND event.us = given.us AND event.run IS NULL
"""  # noqa: S608  our own words
_RAW = f"""
SELECT given.hash, body.content, event.rest FROM {{given}}
{{join}} event ON event.us = given.us AND event.hash = given.hash AND {raw_kept("event")}
{{join}} body ON body.id = event.body
"""  # noqa: S608  our own words


class EventRow(NamedTuple):
    """An event that gave the mapping looked for at a place."""

    place: int
    us: int
    type: int
    hash: bytes


def last_mapping_events(session: Session, slots: Sequence[tuple[int, int, int, bytes]]) -> list[EventRow]:
    """The events that gave the last mappings of slots (place, dataset, job, stamp before which to look)."""
    stated = session.rows(_LAST_STATED, Given("place int, dataset int, job int, stop bytes", slots))
    by_run: list[Row] = [row for row in stated if row[3] is not None]
    declared: list[Row] = [(place, dataset, mapping, us) for place, dataset, mapping, run, us in stated if run is None]
    rows = [
        *session.rows(_BY_RUN, Given("place int, dataset int, mapping int, run int, us int", by_run)),
        *session.rows(_WITHOUT_RUN, Given("place int, dataset int, mapping int, us int", declared)),
    ]
    return [EventRow(place, us, kind, bytes(hashed)) for place, us, kind, hashed in rows]


def times_of_runs(session: Session, writes: Sequence[tuple[int, int, bytes]]) -> list[tuple[int, int]]:
    """When runs wrote datasets (place, dataset, UUID of the run): (place, time)."""
    return session.rows(_TIMES_OF_RUNS, Given("place int, dataset int, uuid bytes", writes))


def raw_events(session: Session, events: Iterable[tuple[int, bytes]]) -> dict[bytes, dict[str, object]]:
    """The raw events (time, hash) that retention has left, by their hashes."""
    rows = session.rows(_RAW, Given("us int, hash bytes", sorted(events)))
    return {bytes(hashed): put_together(body, rest) for hashed, body, rest in rows}
