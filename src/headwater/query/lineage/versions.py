"""Versions: one by what a person calls it, and those that a run read."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from headwater.openlineage.model.event import EventType
from headwater.query.graph.intervals import NOW
from headwater.query.search.resolve import DatasetName, UnknownName
from headwater.store.db.codes import NO_LIMIT, Role
from headwater.store.db.predicates import in_force, stamp_in_effect
from headwater.store.db.session import Given, Row, Session
from headwater.store.model.order import before, stamp
from headwater.store.model.short_names import short_hash

_COLUMNS = (
    "version.dataset, version.job, version.stamp, version.us, version.read_us, version.run, version.uuid,"
    " version.mapping, version.carried, run.uuid, run.first_us"
)
_BY_UUID = """
SELECT {columns} FROM version LEFT JOIN run ON run.id = version.run
WHERE version.uuid = :uuid AND version.dataset = :dataset
""".replace("{columns}", _COLUMNS)
_BY_NAME = """
SELECT given.id, {columns} FROM {given}
{join} version ON version.dataset = given.dataset AND version.name_key = given.key AND version.name = given.name
LEFT JOIN run ON run.id = version.run
""".replace("{columns}", _COLUMNS)
_BY_RUN = """
SELECT {columns} FROM run {join} version ON version.run = run.id AND version.dataset = :dataset
WHERE run.uuid = :uuid ORDER BY version.stamp DESC LIMIT 1
""".replace("{columns}", _COLUMNS)
# What was in force; and, under numbers below zero, what the run itself had written by then. The limits are never
# reached: they have PostgreSQL find the stamps first, and not try every version of a slot; the zero keeps it from
# trying every version of a run.
_IN_FORCE = f"""
SELECT last.id, {_COLUMNS}
FROM (
    SELECT given.id, slot.dataset, slot.job, {stamp_in_effect("slot.dataset", "slot.job", "given.stop")} AS stamp
    FROM {{given}}
    {{join}} slot ON slot.dataset = given.dataset AND {in_force("slot", "given.us")}
    LIMIT {NO_LIMIT}
) last
{{join}} version ON version.dataset = last.dataset AND version.job = last.job AND version.stamp = last.stamp
LEFT JOIN run ON run.id = version.run
UNION ALL
SELECT last.id, {_COLUMNS}
FROM (
    SELECT -1 - given.id AS id, given.dataset, given.job, given.run,
        {stamp_in_effect("given.dataset", "given.job", "given.stop")} AS stamp
    FROM {{given}} LIMIT {NO_LIMIT}
) last
{{join}} version ON version.dataset = last.dataset AND version.job = last.job AND version.stamp = last.stamp
    AND version.run + 0 = last.run
{{join}} run ON run.id = version.run
"""  # noqa: S608  our own words
_NAMED = f"""
SELECT given.id, named.us, named.version FROM {{given}}
{{join}} named ON named.run = given.run AND named.role = {Role.READ} AND named.dataset = given.dataset
"""  # noqa: S608  our own words
_UNFINISHED = f"""
SELECT run.id, run.job, run.first_us FROM run
WHERE run.uuid = :uuid AND (run.end_type IS NULL OR run.end_type <> {EventType.COMPLETE})
"""  # noqa: S608  our own words
_SAID = f"""
SELECT event.us, event.type, event.hash, mention.said, mention.mapping FROM event
{{join}} mention ON mention.shape = event.shape AND mention.role = {Role.WRITTEN} AND mention.dataset = :dataset
WHERE event.run = :run
"""  # noqa: S608  our own words
_TERMINAL = 3


class Version(NamedTuple):
    """A write of a dataset; `id` is what it is called outside. One without a stamp has not been completed."""

    dataset: int
    job: int
    stamp: bytes
    us: int
    read_us: int
    run: int | None
    id: str
    mapping: int | None
    carried: bool
    run_id: str | None
    run_us: int | None


class Wanted(NamedTuple):
    """What a version read: a dataset, at a time."""

    dataset: int
    us: int
    reader: Version | None = None


def find_version(session: Session, dataset: DatasetName, text: str) -> Version:
    """A version of a dataset by its UUID, by what a version facet calls it, or by the UUID of the run that wrote it.

    Raises:
        UnknownName: there is none; carries those in force.
    """
    uuid = _uuid(text)
    if uuid:
        for row in session.rows(_BY_UUID, uuid=uuid, dataset=dataset.id):
            return _version(row)
    given = Given("id int, dataset int, key int, name text", [(0, dataset.id, short_hash(text), text)])
    if named := [_version(row[1:]) for row in session.rows(_BY_NAME, given)]:
        return max(named, key=lambda version: version.stamp)
    if uuid:
        for row in session.rows(_BY_RUN, uuid=uuid, dataset=dataset.id):
            return _version(row)
        if (found := _unfinished(session, dataset.id, uuid)) is not None:
            return found
    (last,), _ = _in_force(session, [Wanted(dataset.id, NOW)])
    candidates = [version.id for version in sorted(last, key=lambda version: version.stamp, reverse=True)]
    raise UnknownName(f"No version of {dataset.full} matches {text!r}", candidates)


def consumed(session: Session, wanted: Sequence[Wanted], *, named: bool) -> list[tuple[list[Version], bool]]:
    """For each dataset that was read: the versions that were, and whether that is assumed from the time alone.

    They are all those in force at the time of the version that a facet names, else when the run read (rule 6).
    `named` says whether there are such facets at all.
    """
    exact = _named_versions(session, wanted) if named else {}
    found, own = _in_force(session, [one._replace(us=exact.get(place, one.us)) for place, one in enumerate(wanted)])
    # A run does not read what it writes or removes, also where its one event is both: what was there before it counts.
    again = [(place, wanted[place]._replace(us=us - 1)) for place, us in sorted(own.items())]
    if again:
        for (place, _), versions in zip(again, _in_force(session, [one for _, one in again])[0], strict=True):
            found[place] = versions
    return [(versions, bool(versions) and place not in exact) for place, versions in enumerate(found)]


def _in_force(session: Session, wanted: Sequence[Wanted]) -> tuple[list[list[Version]], dict[int, int]]:
    """The last version of every slot of each dataset, at its time; and where the reader had written by then, when.

    A streaming run writes many times: what counts is when it began.
    """
    rows: list[Row] = [
        (place, one.dataset, one.us, before(one.us + 1), reader.job if reader else None, reader.run if reader else None)
        for place, one in enumerate(wanted)
        for reader in [one.reader]
    ]
    given = Given("id int, dataset int, us int, stop bytes, job int, run int", rows)
    found: list[list[Version]] = [[] for _ in wanted]
    own: dict[int, int] = {}
    for place, *row in session.rows(_IN_FORCE, given):
        version = _version(row)
        if place >= 0:
            found[place].append(version)
        else:
            own[-1 - place] = version.us if version.run_us is None else min(version.us, version.run_us)
    return found, own


def _named_versions(session: Session, wanted: Sequence[Wanted]) -> dict[int, int]:
    """Where a version facet says what was read and that is known: the time of that version."""
    readers = {place: one.reader for place, one in enumerate(wanted) if one.reader and one.reader.run is not None}
    if not readers:
        return {}
    rows: list[Row] = [(place, reader.run, wanted[place].dataset) for place, reader in readers.items()]
    said: dict[int, tuple[int, str]] = {}
    for place, us, text in session.rows(_NAMED, Given("id int, run int, dataset int", rows)):
        # A streaming run names a version each time; what holds for a write is the last one named until then.
        if us <= readers[place].us and (place not in said or us > said[place][0]):
            said[place] = us, text
    if not said:
        return {}
    keys: list[Row] = [(place, wanted[place].dataset, short_hash(text), text) for place, (_, text) in said.items()]
    times: dict[int, int] = {}
    for place, *row in session.rows(_BY_NAME, Given("id int, dataset int, key int, name text", keys)):
        version = _version(row)
        if version.run != readers[place].run:
            times[place] = max(version.us, times.get(place, version.us))
    return times


def _unfinished(session: Session, dataset: int, uuid: bytes) -> Version | None:
    """What a run that has not completed, or failed, says of a dataset so far (rules 2 and 3)."""
    for run, job, first_us in session.rows(_UNFINISHED, uuid=uuid):
        events = session.rows(_SAID, run=run, dataset=dataset)
        if not events:
            return None
        events.sort(key=lambda row: stamp(row[0], min(row[1], _TERMINAL), bytes(row[2])))
        # A rename has a mapping without saying anything of columns.
        mappings = [mapping if said >= 0 else None for _, _, _, said, mapping in events if said or mapping is not None]
        mapping = mappings[-1] if mappings else None
        us = events[-1][0]
        name = str(UUID(bytes=uuid))
        return Version(
            dataset, job or 0, b"", us, first_us, run, name, mapping, carried=False, run_id=name, run_us=first_us
        )
    return None


def _version(row: Sequence[object]) -> Version:
    dataset, job, stamped, us, read_us, run, uuid, mapping, carried, run_uuid, run_us = row
    return Version(
        dataset, job, bytes(stamped), us, read_us, run, str(UUID(bytes=bytes(uuid))), mapping, bool(carried),  # type: ignore[arg-type,call-overload]
        str(UUID(bytes=bytes(run_uuid))) if run_uuid else None, run_us,  # type: ignore[arg-type,call-overload]
    )  # fmt: skip


def _uuid(text: str) -> bytes | None:
    try:
        return UUID(text).bytes
    except ValueError:
        return None
