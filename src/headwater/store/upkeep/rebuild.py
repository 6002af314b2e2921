"""Deriving everything again from the facts: the result is the same, whatever was there before."""

from collections.abc import Callable

from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import EventKind
from headwater.store.db.session import Row, Session
from headwater.store.entities.fields import SeenSchemas, refresh_aliases
from headwater.store.entities.key_cache import Cache
from headwater.store.entities.keys import Keys
from headwater.store.entities.shapes import load_shapes
from headwater.store.model.order import stamp
from headwater.store.timeline.renames import Renames
from headwater.store.timeline.runs import load_runs
from headwater.store.timeline.slots import Slots
from headwater.store.timeline.version_rows import Touched
from headwater.store.timeline.versions import Versions
from headwater.store.timeline.writes import Fact

_RUNS = 2_000
_SLOTS = 200
_DERIVED = ("version", "slot", "alias", "input", "inputs")
_UNKNOWN = -1


def rebuild(session: Session, cache: Cache, progress: Callable[[int, int], None] | None = None) -> int:
    """Derive all again in one transaction; returns how many events there are.

    Args:
        session: a transaction that writes.
        cache: what is remembered of the store; emptied.
        progress: told how many runs of all are done, as it goes.
    """
    session.alone()
    cache.clear()
    for table in _DERIVED:
        session.run(f"DELETE FROM {table}")  # noqa: S608  our own words
    session.run("DELETE FROM edge WHERE mapping IN (SELECT id FROM mapping WHERE root IS NOT NULL)")
    session.run("DELETE FROM mapping WHERE root IS NOT NULL")
    touched = _versions(session, cache, progress or (lambda _done, _all: None))
    keys = sorted(touched.slots.items())
    for start in range(0, len(keys), _SLOTS):
        Slots(session, cache).refresh(Touched(dict(keys[start : start + _SLOTS])))
    renamed = Renames(Keys(session, cache)).follow_all()
    _fields_and_aliases(session, cache, renamed)
    return int(session.rows("SELECT count(*) FROM event")[0][0])


def _versions(session: Session, cache: Cache, progress: Callable[[int, int], None]) -> Touched:
    touched = Touched()
    total = session.rows("SELECT count(*) FROM run")[0][0]
    last = done = 0
    while rows := session.rows("SELECT id FROM run WHERE id > :last ORDER BY id LIMIT :most", last=last, most=_RUNS):
        runs = load_runs(session, [key for (key,) in rows])
        versions = Versions(session, cache, {key: uuid for key, (uuid, _) in runs.items()})
        versions.of_runs({key: run for key, (_, run) in runs.items()}, frozenset(runs), {})
        _add(touched, versions.touched)
        last, done = rows[-1][0], done + len(rows)
        progress(done, total)
    static = session.rows(
        "SELECT event.us, event.type, event.hash, event.shape FROM shape JOIN event ON event.shape = shape.id"
        " WHERE shape.kind <> :run",
        run=int(EventKind.RUN),
    )
    load_shapes(session, cache, {shape for _, _, _, shape in static})
    versions = Versions(session, cache, {})
    versions.declared(
        Fact(us, EventType(kind), stamp(us, EventType(kind).rank, bytes(hashed)), shape)
        for us, kind, hashed, shape in static
    )
    _add(touched, versions.touched)
    return touched


def _add(all_touched: Touched, batch: Touched) -> None:
    for key, (since, until) in batch.slots.items():
        all_touched.slot(key, since)
        all_touched.slot(key, until)


def _fields_and_aliases(session: Session, cache: Cache, renamed: set[int]) -> None:
    keys = Keys(session, cache)
    session.run("UPDATE field SET type = '', description = '', position = NULL")
    session.run("UPDATE dataset SET schema = NULL")
    last = 0
    while rows := session.rows(
        "SELECT DISTINCT mention.dataset FROM mention WHERE mention.dataset > :last AND mention.schema IS NOT NULL"
        " ORDER BY mention.dataset LIMIT :most",
        last=last,
        most=_RUNS,
    ):
        SeenSchemas(keys, {(dataset, _UNKNOWN) for (dataset,) in rows}).refresh()
        last = rows[-1][0]
    aliases: list[Row] = session.rows("SELECT DISTINCT symlink.alias FROM symlink")
    refresh_aliases(keys, {(alias, _UNKNOWN, 0) for (alias,) in aliases}, renamed)
