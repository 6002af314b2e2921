"""Versions of runs and declarations, derived again where facts came: reads the facts, and writes what changed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from uuid import UUID

from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import EventKind, Role
from headwater.store.db.predicates import writes_count
from headwater.store.db.session import Given, Hold, Row, Session, ids
from headwater.store.entities.key_cache import Cache
from headwater.store.entities.shapes import load_shapes
from headwater.store.model.order import stamp
from headwater.store.timeline.runs import Run
from headwater.store.timeline.version_rows import VersionRows, stored
from headwater.store.timeline.writes import (
    EVER,
    Fact,
    OfRun,
    Written,
    batch_versions,
    declared_versions,
    stream_versions,
    strongest,
)

_EVENTS = """
SELECT event.run, event.us, event.type, event.hash, event.shape
FROM {given} {join} event ON event.run = given.id
"""
_STREAM_EVENTS = """
SELECT event.run, event.us, event.type, event.hash, event.shape
FROM {given} {join} event ON event.run = given.run AND event.shape = given.shape AND event.us >= given.since
"""
_STREAM_BEFORE = """
SELECT event.run, event.us, event.type, event.hash, event.shape
FROM {given} {join} event ON event.run = given.run AND event.shape = given.shape
    AND event.us = (SELECT max(last.us) FROM event last
                    WHERE last.run = given.run AND last.shape = given.shape AND last.us < given.since)
"""
_WRITTEN_BELOW = f"""
WITH RECURSIVE below (root, id) AS (
    SELECT given.id, run.id FROM {{given}} {{join}} run ON run.parent = given.id
    UNION
    SELECT below.root, run.id FROM below JOIN run ON run.parent = below.id
)
SELECT below.root, mention.dataset, min(run.first_us)
FROM below JOIN run ON run.id = below.id AND {writes_count("run")}
    JOIN event ON event.run = run.id JOIN mention ON mention.shape = event.shape AND mention.role = {Role.WRITTEN}
WHERE below.id <> below.root
GROUP BY below.root, mention.dataset
"""  # noqa: S608  our own words
_NAMES = f"""
SELECT named.run, named.dataset, named.us, named.version
FROM {{given}} {{join}} named ON named.run = given.id AND named.role = {Role.WRITTEN}
"""  # noqa: S608  our own words


class Versions:
    """Derives versions in one transaction; `uuids` are those of the runs to derive, by their keys."""

    def __init__(self, session: Session, cache: Cache, uuids: Mapping[int, bytes]) -> None:
        self._session = session
        self._cache = cache
        self._uuids = uuids
        self._rows = VersionRows(session, cache)
        self.touched = self._rows.touched

    def of_runs(self, runs: Mapping[int, Run], new: frozenset[int], since: Mapping[int, int]) -> None:
        """Derive what runs wrote; `new` runs have nothing stored, `since` is from when on a streaming run changed."""
        batch = {key for key, run in runs.items() if run.may_write and not run.streaming}
        streams = {key for key, run in runs.items() if run.streaming}
        known = [(key, since.get(key, EVER) if key in streams else EVER) for key in sorted(runs.keys() - new)]
        asked_facts = self._session.soon(_EVENTS, ids(batch))
        asked_below = self._session.soon(_WRITTEN_BELOW, ids(batch | streams))
        asked_names = self._session.soon(_NAMES, ids(batch | streams))
        asked_stored = self._rows.ask(known)
        facts = self._read(asked_facts.rows())
        below = _written_below(asked_below.rows())
        names = _names(asked_names.rows())
        shape_of = self._cache.shapes_by_id.__getitem__
        after: list[Written] = []
        for key in sorted(batch):
            after += batch_versions(self._of(key, runs[key], below[key], names), facts[key], shape_of)
        for key in sorted(streams):
            moment = since.get(key, EVER)
            of = self._of(key, runs[key], below[key], names)
            after += stream_versions(of, self._stream(key, moment), shape_of, moment)
        self._rows.replace(stored(asked_stored.rows()), self._rows.resolved(strongest(after)))

    def _of(
        self, key: int, run: Run, below: Mapping[int, int], names: Mapping[tuple[int, int], Mapping[int, str]]
    ) -> OfRun:
        uuid = str(UUID(bytes=bytes(self._uuids[key])))
        return OfRun(key, uuid, run, below, lambda dataset, us: names.get((key, dataset), {}).get(us))

    def _stream(self, key: int, since: int) -> list[Fact]:
        """The facts of a streaming run from a moment on, and of each shape the last one before."""
        shapes = self._session.rows("SELECT shape FROM stream_shape WHERE run = :run", run=key)
        given = Given("run int, shape int, since int", [(key, shape, since) for (shape,) in sorted(shapes)])
        before = self._read(self._session.rows(_STREAM_BEFORE, given))[key]
        return before + self._read(self._session.rows(_STREAM_EVENTS, given))[key]

    def declared(self, events: Iterable[Fact]) -> None:
        """Derive what events without a run say: of a job (rule 8), and of a dataset."""
        events = list(events)
        jobs = {self._cache.shapes_by_id[fact.shape].job for fact in events}
        # Whoever writes a slot of such a job holds the job too: so none of its slots is missed, and it misses no end.
        self._session.lock("job", jobs, Hold.ALONE)
        after: list[Written] = []
        for fact in events:
            shape = self._cache.shapes_by_id[fact.shape]
            after += declared_versions(fact, shape)
            if shape.kind is EventKind.JOB:
                self._end_unlisted(shape.job, fact.stamp)
        self._rows.insert(self._rows.resolved(strongest(after)))

    def _end_unlisted(self, job: int, at: bytes) -> None:
        """An event of a job touches all the slots of the job: those that it does not list end."""
        rows = self._session.rows("SELECT DISTINCT slot.dataset FROM slot WHERE slot.job = :job", job=job)
        for (dataset,) in rows:
            self._rows.touched.slot((dataset, job), at)

    def _read(self, rows: Iterable[Row]) -> dict[int, list[Fact]]:
        facts: dict[int, list[Fact]] = defaultdict(list)
        for run, us, kind, hashed, shape in rows:
            event_type = EventType(kind)
            facts[run].append(Fact(us, event_type, stamp(us, event_type.rank, bytes(hashed)), shape))
        load_shapes(self._session, self._cache, {fact.shape for run_facts in facts.values() for fact in run_facts})
        for run_facts in facts.values():
            run_facts.sort(key=lambda fact: fact.stamp)
        return facts


def _written_below(rows: Iterable[Row]) -> dict[int, dict[int, int]]:
    """The datasets that runs below others wrote (rule 10), and when the first of these runs began."""
    below: dict[int, dict[int, int]] = defaultdict(dict)
    for root, dataset, us in rows:
        below[root][dataset] = us
    return below


def _names(rows: Iterable[Row]) -> dict[tuple[int, int], dict[int, str]]:
    """What version facets call what runs wrote: by run and dataset, the name at each time."""
    names: dict[tuple[int, int], dict[int, str]] = defaultdict(dict)
    for run, dataset, us, version in rows:
        names[run, dataset][us] = version
    return names
