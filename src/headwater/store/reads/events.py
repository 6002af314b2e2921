"""Events: the raw ones, the first and the last of a shape or of a run, what they mention, and which gave a mapping."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import ALWAYS, NOW, EventKind, Flag, Kind, Role
from headwater.store.db.predicates import first_event, last_event, raw_kept
from headwater.store.db.session import Given, Row, Session, ids
from headwater.store.entities.keys import hash_of
from headwater.store.entities.raw_events import put_together

# How many raw events are read at first, and at most, at once; and about how many bytes of them, as they are stored.
_FEW, _MANY, _AT_ONCE = 16, 1_000, 1_000_000
_LATEST = """
SELECT event.run, event.shape, event.us, event.type FROM event WHERE event.run IS NOT NULL AND event.us <= :now
ORDER BY event.us DESC LIMIT :events
"""
# A deep page passes over times alone; the events themselves are read only for the page.
_PAGE = """
SELECT body.content, event.rest, event.us, event.hash FROM event JOIN body ON body.id = event.body
WHERE event.us >= :after AND event.us < :before AND (event.us <> :last_us OR event.hash > :last_hash)
    AND {raw_kept} {of_runs} {of_namespace}
ORDER BY event.us {direction}, event.hash LIMIT :most OFFSET :offset
"""
_COUNT = "SELECT count(*) FROM event WHERE event.us >= :after AND event.us < :before {of_namespace}"
_ONLY_OF_RUNS = f"AND event.kind = {EventKind.RUN}"
# By their shapes, which are few: to look at the kind of each event takes several times as long as to count all.
_COUNT_WITHOUT_RUN = f"""
SELECT count(*) FROM event WHERE event.us >= :after AND event.us < :before
    AND event.shape IN (SELECT shape.id FROM shape WHERE shape.kind > {EventKind.RUN})
"""  # noqa: S608  our own words
_OF_NAMESPACE = f"""
AND (
    EXISTS (SELECT 1 FROM shape JOIN job ON job.id = shape.job WHERE shape.id = event.shape
            AND job.namespace = :namespace)
    OR (event.kind = {EventKind.DATASET} AND EXISTS (
        SELECT 1 FROM mention JOIN dataset ON dataset.id = mention.dataset
        WHERE mention.shape = event.shape AND mention.role = {Role.DECLARED} AND dataset.namespace = :namespace))
)
"""  # noqa: S608  our own words
_COUNT_BY_TYPE = f"""
SELECT given.place, event.type, count(*) FROM {{given}}
{{join}} event ON event.us >= given.first AND event.us < given.last
WHERE event.kind = {EventKind.RUN}
GROUP BY given.place, event.type
"""  # noqa: S608  our own words
# Of each shape the first and the last event: one may begin the run and the other end it. Where the run was announced
# before, its START is neither. Of a streaming run, which may have millions of events, the shapes are noted apart.
_OF_RUNS = f"""
SELECT span.run, span.shape, event.us, event.type, CASE WHEN span.whole = {Flag.YES} THEN event.rest END
FROM (
    SELECT given.id AS run, given.whole, event.shape, min(event.us) AS first, max(event.us) AS last,
        min(CASE WHEN event.type = :start THEN event.us END) AS begun
    FROM {{given}} {{join}} event ON event.run = given.id AND event.us <= given.until
    WHERE given.streaming = {Flag.NO} GROUP BY given.id, given.whole, event.shape
    UNION ALL
    SELECT given.id, given.whole, stream_shape.shape,
        (SELECT min(event.us) FROM event WHERE event.run = given.id AND event.shape = stream_shape.shape
            AND event.us <= given.until),
        (SELECT max(event.us) FROM event WHERE event.run = given.id AND event.shape = stream_shape.shape
            AND event.us <= given.until),
        NULL
    FROM {{given}} {{join}} stream_shape ON stream_shape.run = given.id
    WHERE given.streaming = {Flag.YES}
) span
{{join}} event ON event.run = span.run AND event.shape = span.shape AND event.us IN (span.first, span.last, span.begun)
"""  # noqa: S608  our own words
_RAW = f"""
SELECT {{columns}} FROM {{{{given}}}} {{{{join}}}} event ON {{on}} {{{{join}}}} body ON body.id = event.body
WHERE {raw_kept("event")}
"""  # noqa: S608  our own words
_AT_SHAPE = "event.shape = given.shape AND event.us = given.us"
_RAW_OF_SHAPES = _RAW.format(columns="given.shape, body.id, body.content, event.rest", on=_AT_SHAPE)
# All that an event says of its job is in its body.
_BODIES_OF_SHAPES = _RAW.format(columns="DISTINCT given.shape, body.id, body.hash", on=_AT_SHAPE)
_BODIES = "SELECT body.id, body.content FROM {given} {join} body ON body.id = given.id"
_RAW_OF_RUNS = _RAW.format(
    columns="given.run, event.us, body.content, event.rest", on=f"event.run = given.run AND {_AT_SHAPE}"
)
_RAW_BY_HASH = _RAW.format(
    columns="given.hash, body.content, event.rest", on="event.us = given.us AND event.hash = given.hash"
)
_DECLARING = _RAW.format(
    columns="event.us, event.type, event.hash, event.shape, body.content, event.rest",
    on=f"event.us = given.us AND event.kind > {EventKind.RUN}",
)
_SCHEMAS = f"""
SELECT given.shape, schema.content FROM {{given}}
{{join}} mention ON mention.shape = given.shape AND mention.dataset = :dataset AND mention.role > {Role.READ}
{{join}} schema ON schema.id = mention.schema
"""  # noqa: S608  our own words
_MENTIONS = "SELECT given.id, mention.role, mention.dataset FROM {given} {join} mention ON mention.shape = given.id"
_FIRST_AHEAD = """
SELECT min(event.us) FROM {given} {join} dataset ON dataset.key = given.key
{join} mention ON mention.dataset = dataset.id {join} event ON event.shape = mention.shape AND event.us > :now
UNION ALL
SELECT min(event.us) FROM {given} {join} job ON job.key = given.key
{join} shape ON shape.job = job.id {join} event ON event.shape = shape.id AND event.us > :now
"""
_TIMES_OF_DATASETS = f"""
SELECT given.id, mention.role, mention.shape, {first_event("mention.shape")}, {last_event("mention.shape", ":now")}
FROM {{given}} {{join}} mention ON mention.dataset = given.id
"""  # noqa: S608  our own words
_TIMES_OF_ALIASES = f"""
SELECT given.id, 0, symlink.shape, {first_event("symlink.shape")}, {last_event("symlink.shape", ":now")}
FROM {{given}} {{join}} symlink ON symlink.alias = given.id
"""  # noqa: S608  our own words
_TIMES_OF_JOBS = f"""
SELECT given.id, shape.streaming, shape.id, {first_event("shape.id")}, {last_event("shape.id", ":now")}
FROM {{given}} {{join}} shape ON shape.job = given.id
"""  # noqa: S608  our own words
_TIMES_OF_PARENTS = """
SELECT run.job, 0, 0, min(child.first_us), max(child.first_us) FROM {given}
{join} run ON run.job = given.id {join} run child ON child.parent = run.id AND child.first_us <= :now
GROUP BY run.job
"""
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
# Events that declare datasets or jobs at moments.
_DATASET_EVENTS = f"""
SELECT given.place, event.hash FROM {{given}} {{join}} dataset ON dataset.key = given.key
{{join}} mention ON mention.dataset = dataset.id AND mention.role = {Role.DECLARED}
{{join}} event ON event.shape = mention.shape AND event.us = given.us
"""  # noqa: S608  our own words
_JOB_EVENTS = f"""
SELECT given.place, event.hash FROM {{given}} {{join}} job ON job.key = given.key
{{join}} shape ON shape.job = job.id AND shape.kind = {EventKind.JOB}
{{join}} event ON event.shape = shape.id AND event.us = given.us
"""  # noqa: S608  our own words


class EventRow(NamedTuple):
    """An event of a run; `type` is an `EventType`, `rest` what differs from run to run, where that was asked for."""

    run: int
    shape: int
    us: int
    type: int
    rest: bytes | None = None


class ShapeTimes(NamedTuple):
    """A shape of events that name a dataset or a job, and the times of its first and its last event.

    `role` is what the shape says of a dataset (`Role`); of a job, whether the shape is of a streaming run.
    """

    entity: int
    role: int
    shape: int
    first_us: int | None
    last_us: int | None


class EventFilter(NamedTuple):
    """Events from one moment (included) to another (not included).

    With a `namespace`, of its jobs and datasets; else of all, or of runs alone.
    """

    after: int = ALWAYS
    before: int = NOW
    namespace: str | None = None
    of_runs: bool = False


def latest_events(session: Session, most: int) -> list[EventRow]:
    """The latest events of runs by now, the last one first."""
    return [EventRow(*row) for row in session.rows(_LATEST, events=most, now=session.now)]


def page_of_raw_events(
    session: Session, events: EventFilter, most: int, offset: int, *, ascending: bool = False
) -> Iterator[dict[str, Any]]:
    """A page of raw events by time, read as they are taken: a few at once, so that large ones need not fit together."""
    of_runs = _ONLY_OF_RUNS if events.of_runs else ""
    direction = "ASC" if ascending else "DESC"
    statement = _PAGE.format(
        direction=direction, raw_kept=raw_kept("event"), of_runs=of_runs, of_namespace=_of_namespace(events)
    )
    values = _values(events)
    last: dict[str, object] = {"last_us": NOW, "last_hash": b""}
    wanted = _FEW
    while most:
        rows = session.rows(statement, **values, **last, most=min(wanted, most), offset=offset)
        for body, rest, *_ in rows:
            yield put_together(body, rest)
        if len(rows) < min(wanted, most):
            return
        us, hashed = rows[-1][2:]
        last = {"last_us": us, "last_hash": bytes(hashed)}
        values["after" if ascending else "before"] = us if ascending else us + 1
        most, offset = most - len(rows), 0
        size = sum(len(body) + len(rest) for body, rest, *_ in rows)
        wanted = max(1, min(_MANY, _AT_ONCE * len(rows) // size))


def count_of_raw_events(session: Session, events: EventFilter) -> int:
    """How many events there are."""
    total = session.rows(_COUNT.format(of_namespace=_of_namespace(events)), **_values(events))[0][0]
    if events.of_runs:
        total -= session.rows(_COUNT_WITHOUT_RUN, after=events.after, before=events.before)[0][0]
    return int(total)


def _of_namespace(events: EventFilter) -> str:
    return "" if events.namespace is None else _OF_NAMESPACE


def _values(events: EventFilter) -> dict[str, object]:
    times: dict[str, object] = {"after": events.after, "before": events.before}
    return times if events.namespace is None else {**times, "namespace": events.namespace}


def count_by_type(session: Session, times: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """How many events of runs happened in each interval, by the interval's place in the list and the event's type."""
    intervals = Given("place int, first int, last int", [(place, *time) for place, time in enumerate(times)])
    return {(place, type_): count for place, type_, count in session.rows(_COUNT_BY_TYPE, intervals)}


def events_of_runs(session: Session, runs: Sequence[tuple[int, bool, bool, int]]) -> list[EventRow]:
    """The events that matter of runs: of each shape the first and the last one, and the START.

    Each run comes as its key, whether it is streaming, whether `rest` is read, and the last moment that counts.
    """
    rows = [(key, int(stream), int(whole), until) for key, stream, whole, until in runs]
    keys = Given("id int, streaming int, whole int, until int", rows)
    return [EventRow(*row) for row in session.rows(_OF_RUNS, keys, start=int(EventType.START))]


def raw_of_shapes(session: Session, shapes: Iterable[tuple[int, int]]) -> list[tuple[int, int, bytes, bytes]]:
    """The raw events of shapes at a time each, where retention has left them: shape, key of the body, body and rest."""
    return session.rows(_RAW_OF_SHAPES, _at(shapes))


def bodies_of_shapes(session: Session, shapes: Iterable[tuple[int, int]]) -> list[tuple[int, int, bytes]]:
    """The bodies of the events of shapes at a time each: shape, and key and hash of the part that repeats."""
    rows = session.rows(_BODIES_OF_SHAPES, _at(shapes))
    return [(shape, key, bytes(hashed)) for shape, key, hashed in rows]


def body_contents(session: Session, bodies: Collection[int]) -> list[tuple[int, bytes]]:
    """The packed contents of bodies, by their keys."""
    return session.rows(_BODIES, ids(bodies))


def raw_of_runs(session: Session, events: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, dict[str, Any]]]:
    """Raw events by run, shape and time: run, time and event."""
    rows = session.rows(_RAW_OF_RUNS, Given("run int, shape int, us int", list(events)))
    return [(run, us, put_together(body, rest)) for run, us, body, rest in rows]


def raw_by_hash(session: Session, events: Iterable[tuple[int, bytes]]) -> dict[bytes, dict[str, Any]]:
    """The raw events (time, hash) that retention has left, by their hashes."""
    rows = session.rows(_RAW_BY_HASH, Given("us int, hash bytes", sorted(events)))
    return {bytes(hashed): put_together(body, rest) for hashed, body, rest in rows}


def declaring_events(session: Session, times: Iterable[int]) -> list[tuple[int, int, bytes, int, dict[str, Any]]]:
    """The raw events about jobs and datasets themselves at some times: time, type, hash, shape and event."""
    rows = session.rows(_DECLARING, Given("us int", [(us,) for us in sorted(set(times))]))
    return [
        (us, type_, bytes(hashed), shape, put_together(body, rest)) for us, type_, hashed, shape, body, rest in rows
    ]


def schemas_of_shapes(session: Session, dataset: int, shapes: Collection[int]) -> list[tuple[int, bytes]]:
    """The packed schemas that shapes give a dataset, by shape."""
    given = Given("shape int", [(shape,) for shape in sorted(shapes)])
    return session.rows(_SCHEMAS, given, dataset=dataset)


def mentions_of_shapes(session: Session, shapes: Collection[int]) -> list[tuple[int, int, int]]:
    """What shapes have to do with datasets: shape, role and dataset."""
    return session.rows(_MENTIONS, ids(shapes))


def first_ahead(session: Session, names: Iterable[tuple[str, str]]) -> int | None:
    """When the first event that lies ahead of the clock names one of these datasets or jobs; None if none does."""
    if not session.any_ahead:
        return None
    keys = Given("key bytes", [(hash_of(*name),) for name in names])
    rows = session.rows(_FIRST_AHEAD, keys, now=session.now)
    return min((us for (us,) in rows if us is not None), default=None)


def times_of_shapes(session: Session, kind: Kind, keys: Collection[int]) -> list[ShapeTimes]:
    """The shapes of the events that name datasets or jobs; without a last time, where these lie ahead."""
    statement = _TIMES_OF_DATASETS if kind is Kind.DATASET else _TIMES_OF_JOBS
    return [ShapeTimes._make(row) for row in session.rows(statement, ids(keys), now=session.now)]


def times_by_relation(session: Session, kind: Kind, keys: Collection[int]) -> list[ShapeTimes]:
    """The same of what is known only as another name of a dataset, or as the parent of other runs."""
    statement = _TIMES_OF_ALIASES if kind is Kind.DATASET else _TIMES_OF_PARENTS
    return [ShapeTimes._make(row) for row in session.rows(statement, ids(keys), now=session.now)]


def last_mapping_events(
    session: Session, slots: Sequence[tuple[int, int, int, bytes]]
) -> list[tuple[int, int, int, bytes]]:
    """The events that gave the last mappings of slots (place, dataset, job, stamp before which to look).

    Each as its place, time, type and hash.
    """
    stated = session.rows(_LAST_STATED, Given("place int, dataset int, job int, stop bytes", slots))
    by_run: list[Row] = [row for row in stated if row[3] is not None]
    declared: list[Row] = [(place, dataset, mapping, us) for place, dataset, mapping, run, us in stated if run is None]
    rows = [
        *session.rows(_BY_RUN, Given("place int, dataset int, mapping int, run int, us int", by_run)),
        *session.rows(_WITHOUT_RUN, Given("place int, dataset int, mapping int, us int", declared)),
    ]
    return [(place, us, kind, bytes(hashed)) for place, us, kind, hashed in rows]


def times_of_runs(session: Session, writes: Sequence[tuple[int, int, bytes]]) -> list[tuple[int, int]]:
    """When runs wrote datasets (place, dataset, UUID of the run): (place, time)."""
    return session.rows(_TIMES_OF_RUNS, Given("place int, dataset int, uuid bytes", writes))


def declarations_at(session: Session, table: str, moments: Sequence[tuple[bytes, int]]) -> list[tuple[int, bytes]]:
    """The hashes of the events that declare datasets or jobs at moments, each with the position of its moment."""
    rows = [(place, key, us) for place, (key, us) in enumerate(moments)]
    statement = _DATASET_EVENTS if table == "dataset" else _JOB_EVENTS
    return session.rows(statement, Given("place int, key bytes, us int", rows))


def _at(shapes: Iterable[tuple[int, int]]) -> Given:
    return Given("shape int, us int", sorted(set(shapes)))
