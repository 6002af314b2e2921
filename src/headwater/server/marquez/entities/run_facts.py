"""What the store knows of runs, for many of them at once: a fixed number of statements, each by an index."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from headwater.openlineage.model.event import EventType
from headwater.query.graph.answer import TableName
from headwater.query.graph.intervals import ALWAYS
from headwater.query.graph.labels import tables
from headwater.query.lineage.versions import Version, Wanted, consumed
from headwater.server.marquez.entities.facets import merged
from headwater.server.marquez.entities.values import Json, uuid_text
from headwater.store.db.codes import NO_LIMIT, NOTHING, Flag, Role
from headwater.store.db.session import Given, Row, Session, ids
from headwater.store.model.compression import unpacked
from headwater.store.model.order import stamp_us
from headwater.store.reads.features import store_features

_COLUMNS = "run.id, run.uuid, run.first_us, run.job, run.parent, run.end_type, run.end_stamp, run.streaming"
# The bound is found before what it bounds is read: the LIMIT beside it keeps a database from finding it for each row.
_LATEST = f"""
WITH bound AS (
    SELECT given.id, coalesce(
        (SELECT run.first_us FROM run WHERE run.job = given.id AND run.first_us IS NOT NULL
         ORDER BY run.first_us DESC LIMIT 1 OFFSET :more), :ever
    ) AS since
    FROM {{given}} LIMIT :last
)
SELECT {_COLUMNS} FROM bound {{join}} run ON run.job = bound.id AND run.first_us >= bound.since
"""  # noqa: S608  our own words
_OF_JOB = f"""
SELECT {_COLUMNS} FROM run WHERE run.job = :job AND run.first_us IS NOT NULL
ORDER BY run.first_us DESC, run.uuid LIMIT :most OFFSET :offset
"""  # noqa: S608  our own words
_BY_UUID = f"SELECT {_COLUMNS} FROM run WHERE run.uuid = :uuid"  # noqa: S608  our own words
_BY_KEY = f"SELECT {_COLUMNS} FROM {{given}} {{join}} run ON run.id = given.id"  # noqa: S608  our own words
# Of each shape the first and the last event: one may begin the run and the other end it. Where the run was announced
# before, its START is neither. Of a streaming run, which may have millions of events, the shapes are noted apart.
_EVENTS = f"""
SELECT span.run, span.shape, event.us, event.type, CASE WHEN span.whole = {Flag.YES} THEN event.rest END
FROM (
    SELECT given.id AS run, given.whole, event.shape, min(event.us) AS first, max(event.us) AS last,
        min(CASE WHEN event.type = :start THEN event.us END) AS begun
    FROM {{given}} {{join}} event ON event.run = given.id
    WHERE given.streaming = {Flag.NO} GROUP BY given.id, given.whole, event.shape
    UNION ALL
    SELECT given.id, given.whole, stream_shape.shape,
        (SELECT min(event.us) FROM event WHERE event.run = given.id AND event.shape = stream_shape.shape),
        (SELECT max(event.us) FROM event WHERE event.run = given.id AND event.shape = stream_shape.shape),
        NULL
    FROM {{given}} {{join}} stream_shape ON stream_shape.run = given.id
    WHERE given.streaming = {Flag.YES}
) span
{{join}} event ON event.run = span.run AND event.shape = span.shape AND event.us IN (span.first, span.last, span.begun)
"""  # noqa: S608  our own words
_MENTIONS = "SELECT given.id, mention.role, mention.dataset FROM {given} {join} mention ON mention.shape = given.id"
# A batch run writes all at one time; of a streaming run the last writes are shown.
_WRITTEN = f"""
SELECT given.id, version.dataset, version.uuid FROM {{given}}
{{join}} version ON version.run = given.id AND version.dataset > {NOTHING}
    AND version.us = (SELECT max(last.us) FROM version last WHERE last.run = given.id)
"""  # noqa: S608  our own words
_PARENTS = "SELECT run.id, run.job FROM {given} {join} run ON run.id = given.id WHERE run.job IS NOT NULL"


class RunRow(NamedTuple):
    """A run as its row has it; times in microseconds."""

    key: int
    uuid: str
    first_us: int | None
    job: int | None
    parent: int | None
    end_type: int | None
    end_us: int | None
    streaming: bool


class EventSeen(NamedTuple):
    """An event of a run: when, of which type and shape, and what it says of the run itself."""

    us: int
    type: int
    shape: int
    facets: Json


@dataclass(frozen=True, slots=True)
class RunFacts:
    """All that is shown of a run: `inputs` and `outputs` are what it named, the versions those that are known.

    Of a run that is read in brief, facets and versions are left out.
    """

    row: RunRow
    job: TableName | None
    parent_job: TableName | None
    events: Sequence[EventSeen]
    facets: Json
    inputs: Sequence[TableName]
    outputs: Sequence[TableName]
    read: Sequence[tuple[TableName, str]]
    written: Sequence[tuple[TableName, str]]


def run_row(row: Row) -> RunRow:
    """A row that was read."""
    key, uuid, first_us, job, parent, end_type, end_stamp, streaming = row
    end = None if end_stamp is None else stamp_us(bytes(end_stamp))
    return RunRow(key, uuid_text(uuid), first_us, job, parent, end_type, end, bool(streaming))


def run_by_uuid(session: Session, uuid: bytes) -> RunRow | None:
    """A run by its id."""
    return next((run_row(row) for row in session.rows(_BY_UUID, uuid=uuid)), None)


def runs_by_key(session: Session, keys: Collection[int]) -> list[RunRow]:
    """Runs by their keys."""
    return [run_row(row) for row in session.rows(_BY_KEY, ids(keys))]


def runs_of_job(session: Session, job: int, most: int, offset: int) -> list[RunRow]:
    """A page of a job's runs, the latest first."""
    return [run_row(row) for row in session.rows(_OF_JOB, job=job, most=most, offset=offset)]


def latest_runs(session: Session, jobs: Collection[int], most: int) -> Mapping[int, list[RunRow]]:
    """The latest runs of each job, the last one first."""
    rows = session.rows(_LATEST, ids(jobs), more=most - 1, ever=ALWAYS, last=NO_LIMIT)
    found: defaultdict[int, list[RunRow]] = defaultdict(list)
    for row in map(run_row, rows):
        found[row.job or 0].append(row)
    return {job: sorted(some, key=lambda row: (-(row.first_us or 0), row.uuid))[:most] for job, some in found.items()}


def facts_of_runs(
    session: Session, rows: Sequence[RunRow], brief: Collection[int] = frozenset()
) -> Mapping[int, RunFacts]:
    """What is known of runs; those of some keys are read in brief."""
    events = _events(session, rows, brief)
    named = _mentions(session, {event.shape for some in events.values() for event in some})
    reads = {row.key: _named(events.get(row.key, ()), named, Role.READ) for row in rows}
    writes = {row.key: _named(events.get(row.key, ()), named, Role.WRITTEN) for row in rows}
    whole = [row for row in rows if row.key not in brief]
    written = _written(session, [row.key for row in whole])
    read = _read(session, whole, events, reads)
    names = tables(
        session,
        "dataset",
        {key for some in (reads, writes) for keys in some.values() for key in keys}
        | {dataset for some in (read, written) for versions in some.values() for dataset, _ in versions},
    )
    jobs, parents = _jobs(session, rows)
    return {
        row.key: RunFacts(
            row,
            jobs.get(row.job or 0),
            parents.get(row.parent or 0),
            events.get(row.key, ()),
            merged(event.facets for event in events.get(row.key, ())),
            sorted(names[key] for key in reads[row.key]),
            sorted(names[key] for key in writes[row.key]),
            sorted((names[dataset], version) for dataset, version in read.get(row.key, ())),
            sorted((names[dataset], version) for dataset, version in written.get(row.key, ())),
        )
        for row in rows
    }


def _events(session: Session, rows: Iterable[RunRow], brief: Collection[int]) -> Mapping[int, list[EventSeen]]:
    wanted = [(row.key, int(row.streaming), int(row.key not in brief)) for row in rows]
    given = Given("id int, streaming int, whole int", wanted)
    found: defaultdict[int, list[EventSeen]] = defaultdict(list)
    for run, shape, us, kind, rest in session.rows(_EVENTS, given, start=int(EventType.START)):
        facets = json.loads(unpacked(rest)).get("run", {}).get("facets") or {} if rest is not None else {}
        found[run].append(EventSeen(us, kind, shape, facets))
    for some in found.values():
        some.sort(key=lambda event: event[:3])
    return found


def _mentions(session: Session, shapes: Collection[int]) -> Mapping[int, list[tuple[int, int]]]:
    found: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for shape, role, dataset in session.rows(_MENTIONS, ids(shapes)):
        found[shape].append((role, dataset))
    return found


def _named(events: Iterable[EventSeen], named: Mapping[int, list[tuple[int, int]]], role: Role) -> set[int]:
    return {dataset for event in events for one, dataset in named.get(event.shape, ()) if one == role}


def _written(session: Session, keys: Collection[int]) -> Mapping[int, list[tuple[int, str]]]:
    found: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    for run, dataset, uuid in session.rows(_WRITTEN, ids(keys)):
        found[run].append((dataset, uuid_text(uuid)))
    return found


def _read(
    session: Session,
    rows: Iterable[RunRow],
    events: Mapping[int, Sequence[EventSeen]],
    reads: Mapping[int, Collection[int]],
) -> Mapping[int, list[tuple[int, str]]]:
    """The versions that runs read: of a streaming run, those that it read last."""
    wanted: list[tuple[int, Wanted]] = []
    for row in rows:
        if row.first_us is None:
            continue
        last = events[row.key][-1].us if events.get(row.key) else row.first_us
        us = last if row.streaming else row.first_us
        reader = Version(0, row.job or 0, b"", last, us, row.key, "", None, carried=False, run_id=None, run_us=us)
        wanted += [(row.key, Wanted(dataset, us, reader)) for dataset in sorted(reads[row.key])]
    found: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    named = store_features(session).named
    known = consumed(session, [one for _, one in wanted], named=named) if wanted else []
    for (run, one), (versions, _) in zip(wanted, known, strict=True):
        found[run] += [(one.dataset, version.id) for version in versions]
    return found


def _jobs(session: Session, rows: Iterable[RunRow]) -> tuple[Mapping[int, TableName], Mapping[int, TableName]]:
    """The names of the runs' jobs; and of their parents' jobs, by the parents' keys."""
    above: dict[int, int] = dict(session.rows(_PARENTS, ids({row.parent for row in rows if row.parent is not None})))
    names = tables(session, "job", {row.job for row in rows if row.job is not None} | set(above.values()))
    return names, {run: names[job] for run, job in above.items()}
