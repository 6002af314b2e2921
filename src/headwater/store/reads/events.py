"""Events: the raw ones, the first and the last of a shape or of a run, and what their shapes mention."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import ALWAYS, NOW, EventKind, Flag, Kind, Role
from headwater.store.db.predicates import first_event, last_event, raw_kept
from headwater.store.db.session import Given, Session, ids
from headwater.store.entities.raw_events import put_together

_LATEST = """
SELECT event.run, event.shape, event.us, event.type FROM event WHERE event.run IS NOT NULL
ORDER BY event.us DESC LIMIT :events
"""
# A deep page passes over times alone; the events themselves are read only for the page.
_PAGE = """
SELECT body.content, event.rest FROM event JOIN body ON body.id = event.body
WHERE event.us >= :after AND event.us < :before AND {raw_kept} {of_namespace}
ORDER BY event.us {direction}, event.hash LIMIT :most OFFSET :offset
"""
_COUNT = "SELECT count(*) FROM event WHERE event.us >= :after AND event.us < :before {of_namespace}"
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
_AT_SHAPES = f"""FROM {{given}}
{{join}} event ON event.shape = given.shape AND event.us = given.us
{{join}} body ON body.id = event.body
WHERE {raw_kept("event")}
"""
_RAW_OF_SHAPES = f"SELECT given.shape, body.id, body.content, event.rest {_AT_SHAPES}"
# All that an event says of its job is in its body.
_BODIES_OF_SHAPES = f"SELECT DISTINCT given.shape, body.id, body.hash {_AT_SHAPES}"
_BODIES = "SELECT body.id, body.content FROM {given} {join} body ON body.id = given.id"
_RAW_OF_RUNS = f"""
SELECT given.run, event.us, body.content, event.rest FROM {{given}}
{{join}} event ON event.run = given.run AND event.shape = given.shape AND event.us = given.us
{{join}} body ON body.id = event.body
WHERE {raw_kept("event")}
"""  # noqa: S608  our own words
_DECLARING = f"""
SELECT event.us, event.type, event.hash, event.shape, body.content, event.rest FROM {{given}}
{{join}} event ON event.us = given.us AND event.kind > {EventKind.RUN}
{{join}} body ON body.id = event.body
WHERE {raw_kept("event")}
"""  # noqa: S608  our own words
_SCHEMAS = f"""
SELECT given.shape, schema.content FROM {{given}}
{{join}} mention ON mention.shape = given.shape AND mention.dataset = :dataset AND mention.role > {Role.READ}
{{join}} schema ON schema.id = mention.schema
"""  # noqa: S608  our own words
_MENTIONS = "SELECT given.id, mention.role, mention.dataset FROM {given} {join} mention ON mention.shape = given.id"
_TIMES_OF_DATASETS = f"""
SELECT given.id, mention.role, mention.shape, {first_event("mention.shape")}, {last_event("mention.shape")}
FROM {{given}} {{join}} mention ON mention.dataset = given.id
"""  # noqa: S608  our own words
_TIMES_OF_ALIASES = f"""
SELECT given.id, 0, symlink.shape, {first_event("symlink.shape")}, {last_event("symlink.shape")}
FROM {{given}} {{join}} symlink ON symlink.alias = given.id
"""  # noqa: S608  our own words
_TIMES_OF_JOBS = f"""
SELECT given.id, shape.streaming, shape.id, {first_event("shape.id")}, {last_event("shape.id")}
FROM {{given}} {{join}} shape ON shape.job = given.id
"""  # noqa: S608  our own words
_TIMES_OF_PARENTS = """
SELECT run.job, 0, 0, min(child.first_us), max(child.first_us) FROM {given}
{join} run ON run.job = given.id {join} run child ON child.parent = run.id
GROUP BY run.job
"""


class EventRow(NamedTuple):
    """An event of a run; `type` is an `EventType`."""

    run: int
    shape: int
    us: int
    type: int


class EventOfRun(NamedTuple):
    """An event of a run; `rest` is the part of it that differs from run to run, where that was asked for."""

    run: int
    shape: int
    us: int
    type: int
    rest: bytes | None


class ShapeEvent(NamedTuple):
    """A raw event in its two parts; `body` is the key of the part that repeats."""

    shape: int
    body: int
    content: bytes
    rest: bytes


class ShapeBody(NamedTuple):
    """The part of an event that repeats from run to run, by its key and its hash."""

    shape: int
    body: int
    hash: bytes


class RunEvent(NamedTuple):
    """A raw event of a run."""

    run: int
    us: int
    event: dict[str, Any]


class DeclaringEvent(NamedTuple):
    """A raw event about a job or a dataset itself."""

    us: int
    type: int
    hash: bytes
    shape: int
    event: dict[str, Any]


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
    """Events from one moment (included) to another (not included); of one namespace's jobs and datasets, or of all."""

    after: int = ALWAYS
    before: int = NOW
    namespace: str | None = None


def latest_events(session: Session, most: int) -> list[EventRow]:
    """The latest events of runs, the last one first."""
    return [EventRow._make(row) for row in session.rows(_LATEST, events=most)]


def page_of_raw_events(
    session: Session, events: EventFilter, most: int, offset: int, *, ascending: bool = False
) -> tuple[list[dict[str, Any]], int]:
    """A page of raw events by time, and how many events there are."""
    of_namespace = "" if events.namespace is None else _OF_NAMESPACE
    values = {name: value for name, value in events._asdict().items() if value is not None}
    direction = "ASC" if ascending else "DESC"
    statement = _PAGE.format(direction=direction, raw_kept=raw_kept("event"), of_namespace=of_namespace)
    rows = session.rows(statement, **values, most=most, offset=offset)
    total = session.rows(_COUNT.format(of_namespace=of_namespace), **values)[0][0]
    return [put_together(body, rest) for body, rest in rows], int(total)


def count_by_type(session: Session, times: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """How many events of runs happened in each interval, by the interval's place in the list and the event's type."""
    intervals = Given("place int, first int, last int", [(place, *time) for place, time in enumerate(times)])
    return {(place, type_): count for place, type_, count in session.rows(_COUNT_BY_TYPE, intervals)}


def events_of_runs(session: Session, runs: Sequence[tuple[int, bool, bool]]) -> list[EventOfRun]:
    """The events that matter of runs: of each shape the first and the last one, and the START.

    Each run comes as its key, whether it is streaming, and whether `rest` is read.
    """
    keys = Given("id int, streaming int, whole int", [(key, int(stream), int(whole)) for key, stream, whole in runs])
    return [EventOfRun._make(row) for row in session.rows(_OF_RUNS, keys, start=int(EventType.START))]


def raw_of_shapes(session: Session, shapes: Iterable[tuple[int, int]]) -> list[ShapeEvent]:
    """The raw events of shapes at a time each; none where retention has dropped them."""
    return [ShapeEvent._make(row) for row in session.rows(_RAW_OF_SHAPES, _at(shapes))]


def bodies_of_shapes(session: Session, shapes: Iterable[tuple[int, int]]) -> list[ShapeBody]:
    """The bodies of the events of shapes at a time each."""
    rows = session.rows(_BODIES_OF_SHAPES, _at(shapes))
    return [ShapeBody(shape, key, bytes(hashed)) for shape, key, hashed in rows]


def body_contents(session: Session, bodies: Collection[int]) -> list[tuple[int, bytes]]:
    """The packed contents of bodies, by their keys."""
    return [(key, content) for key, content in session.rows(_BODIES, ids(bodies))]


def raw_of_runs(session: Session, events: Iterable[tuple[int, int, int]]) -> list[RunEvent]:
    """Raw events by run, shape and time."""
    rows = session.rows(_RAW_OF_RUNS, Given("run int, shape int, us int", list(events)))
    return [RunEvent(run, us, put_together(body, rest)) for run, us, body, rest in rows]


def declaring_events(session: Session, times: Iterable[int]) -> list[DeclaringEvent]:
    """The raw events about jobs and datasets themselves at some times."""
    rows = session.rows(_DECLARING, Given("us int", [(us,) for us in sorted(set(times))]))
    return [
        DeclaringEvent(us, type_, bytes(hashed), shape, put_together(body, rest))
        for us, type_, hashed, shape, body, rest in rows
    ]


def schemas_of_shapes(session: Session, dataset: int, shapes: Collection[int]) -> list[tuple[int, bytes]]:
    """The packed schemas that shapes give a dataset, by shape."""
    given = Given("shape int", [(shape,) for shape in sorted(shapes)])
    return [(shape, content) for shape, content in session.rows(_SCHEMAS, given, dataset=dataset)]


def mentions_of_shapes(session: Session, shapes: Collection[int]) -> list[tuple[int, int, int]]:
    """What shapes have to do with datasets: shape, role and dataset."""
    return [(shape, role, dataset) for shape, role, dataset in session.rows(_MENTIONS, ids(shapes))]


def times_of_shapes(session: Session, kind: Kind, keys: Collection[int]) -> list[ShapeTimes]:
    """The shapes of the events that name datasets or jobs."""
    statement = _TIMES_OF_DATASETS if kind is Kind.DATASET else _TIMES_OF_JOBS
    return [ShapeTimes._make(row) for row in session.rows(statement, ids(keys))]


def times_by_relation(session: Session, kind: Kind, keys: Collection[int]) -> list[ShapeTimes]:
    """The same of what is known only as another name of a dataset, or as the parent of other runs."""
    statement = _TIMES_OF_ALIASES if kind is Kind.DATASET else _TIMES_OF_PARENTS
    return [ShapeTimes._make(row) for row in session.rows(statement, ids(keys))]


def _at(shapes: Iterable[tuple[int, int]]) -> Given:
    return Given("shape int, us int", sorted(set(shapes)))
