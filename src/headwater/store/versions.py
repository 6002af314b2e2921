"""From the facts of runs to versions: what each run, and each declaration, wrote (rules 2, 3, 4, 8, 9 and 10)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from uuid import UUID, uuid5

from headwater.openlineage.model import EventType
from headwater.store.cache import Cache, KnownMention
from headwater.store.derive import NOTHING, Outcome
from headwater.store.meaning import EventKind, Name, Role
from headwater.store.order import stamp, stamp_us
from headwater.store.runs import Run
from headwater.store.session import Given, Hold, Row, Session, ids
from headwater.store.shapes import load_shapes
from headwater.store.version_rows import NAMESPACE, Version, VersionRows, stored, version_uuid

_VERSION_TYPES = frozenset({EventType.RUNNING, EventType.COMPLETE})
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
_WRITTEN_BELOW = """
WITH RECURSIVE below (root, id) AS (
    SELECT given.id, run.id FROM {given} {join} run ON run.parent = given.id
    UNION
    SELECT below.root, run.id FROM below JOIN run ON run.parent = below.id
)
SELECT DISTINCT below.root, mention.dataset
FROM below JOIN run ON run.id = below.id AND (run.end_type = 3 OR run.streaming = 1)
    JOIN event ON event.run = run.id JOIN mention ON mention.shape = event.shape AND mention.role = 2
WHERE below.id <> below.root
"""
_NAMES = """
SELECT named.run, named.dataset, named.us, named.version
FROM {given} {join} named ON named.run = given.id AND named.role = 2
"""
_EVER = -(1 << 62)
_NO_NAME = ("", "")


@dataclass(frozen=True, slots=True)
class Fact:
    """An event of a run, as far as versions depend on it."""

    us: int
    type: EventType
    stamp: bytes
    shape: int


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
        batch = {key for key, run in runs.items() if run.completed and not run.streaming}
        streams = {key for key, run in runs.items() if run.streaming}
        known = [(key, since.get(key, _EVER) if key in streams else _EVER) for key in sorted(runs.keys() - new)]
        asked_facts = self._session.soon(_EVENTS, ids(batch))
        asked_below = self._session.soon(_WRITTEN_BELOW, ids(batch | streams))
        asked_names = self._session.soon(_NAMES, ids(batch | streams))
        asked_stored = self._rows.ask(known)
        facts = self._read(asked_facts.rows())
        below = _written_below(asked_below.rows())
        names = _names(asked_names.rows())
        after = [
            version for key in sorted(batch) for version in self._batch(key, runs[key], facts[key], below[key], names)
        ]
        for key in sorted(streams):
            after += self._stream(key, runs[key], since.get(key, _EVER), below[key], names)
        self._rows.replace(stored(asked_stored.rows()), self._rows.resolved(after))

    def declared(self, events: Iterable[Fact]) -> None:
        """Derive what events without a run say: of a job (rule 8), and of a dataset."""
        events = list(events)
        jobs = {self._cache.shapes_by_id[fact.shape].job for fact in events}
        # Whoever writes a slot of such a job holds the job too: so none of its slots is missed, and it misses no end.
        self._session.lock("job", jobs, Hold.ALONE)
        after: list[tuple[Version, tuple[int, ...]]] = []
        for fact in events:
            shape = self._cache.shapes_by_id[fact.shape]
            role = Role.WRITTEN if shape.kind is EventKind.JOB else Role.DECLARED
            reads = tuple(sorted({one.dataset for one in shape.mentions if one.role == Role.READ}))
            for mention in shape.mentions:
                outcome = _after(Outcome(), mention)
                if mention.role != role or (role is Role.DECLARED and not (outcome.said or outcome.whole)):
                    continue
                version = Version.of(
                    outcome,
                    dataset=mention.dataset,
                    job=shape.job,
                    stamp=fact.stamp,
                    read_us=fact.us,
                    uuid=version_uuid(mention.name, fact.stamp.hex()),
                )
                after += [(version, reads), *self._renaming(version, outcome, ())]
            if shape.kind is EventKind.JOB and reads and not _written(shape.mentions):
                after.append((_only_read(shape.job, fact.stamp, fact.us, fact.stamp.hex()), reads))
            if shape.kind is EventKind.JOB:
                self._end_unlisted(shape.job, fact.stamp)
        self._rows.insert(self._rows.resolved(after))

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
        load_shapes(self._session, self._cache, {fact.shape for found in facts.values() for fact in found})
        for found in facts.values():
            found.sort(key=lambda fact: fact.stamp)
        return facts

    def _batch(
        self,
        key: int,
        run: Run,
        facts: Iterable[Fact],
        below: set[int],
        names: Mapping[tuple[int, int], Mapping[int, str]],
    ) -> Iterator[tuple[Version, tuple[int, ...]]]:
        """One version for each output of a run that completed."""
        outcomes, reads, called = self._fold(facts)
        if run.end_stamp is None or run.job is None or run.first_us is None:
            return
        us = stamp_us(run.end_stamp)
        if not outcomes and reads:
            yield _only_read(run.job, run.end_stamp, run.first_us, self._uuid(key), key), reads
        for dataset, outcome in sorted(outcomes.items()):
            if dataset in below:
                continue
            version = Version.of(
                outcome,
                dataset=dataset,
                job=run.job,
                stamp=run.end_stamp,
                read_us=run.first_us,
                run=key,
                uuid=version_uuid(called[dataset], self._uuid(key)),
                name=names.get((key, dataset), {}).get(us),
            )
            yield version, reads
            yield from self._renaming(version, outcome, reads)

    def _fold(self, facts: Iterable[Fact]) -> tuple[dict[int, Outcome], tuple[int, ...], dict[int, Name]]:
        """What a run's events say of its outputs, all that it read, and what the outputs are called."""
        outcomes: dict[int, Outcome] = {}
        reads: set[int] = set()
        called: dict[int, Name] = {}
        for fact in facts:
            for mention in self._cache.shapes_by_id[fact.shape].mentions:
                if mention.role == Role.READ:
                    reads.add(mention.dataset)
                else:
                    called[mention.dataset] = mention.name
                    outcomes[mention.dataset] = _after(outcomes.get(mention.dataset, Outcome()), mention)
        return outcomes, tuple(sorted(reads)), called

    def _stream(
        self,
        key: int,
        run: Run,
        since: int,
        below: set[int],
        names: Mapping[tuple[int, int], Mapping[int, str]],
    ) -> Iterator[tuple[Version, tuple[int, ...]]]:
        """One version for each output at each time of RUNNING and COMPLETE (rule 4), from a moment on."""
        shapes = self._session.rows("SELECT shape FROM stream_shape WHERE run = :run", run=key)
        given = Given("run int, shape int, since int", [(key, shape, since) for (shape,) in sorted(shapes)])
        before = self._read(self._session.rows(_STREAM_BEFORE, given))[key]
        outcomes, reads, called = self._fold(before)
        read = set(reads)
        if run.job is None:
            return
        found: dict[tuple[int, int], tuple[Version, Outcome, tuple[int, ...]]] = {}
        for fact in self._read(self._session.rows(_STREAM_EVENTS, given))[key]:
            mentions = self._cache.shapes_by_id[fact.shape].mentions
            read |= {mention.dataset for mention in mentions if mention.role == Role.READ}
            if read and not outcomes and fact.type in _VERSION_TYPES and _written(mentions) == 0:
                version = _only_read(run.job, fact.stamp, fact.us, f"{self._uuid(key)}\n{fact.us}", key)
                found[NOTHING, fact.us] = (version, Outcome(), tuple(sorted(read)))
            for mention in mentions:
                if mention.role != Role.WRITTEN:
                    continue
                called[mention.dataset] = mention.name
                outcome = outcomes[mention.dataset] = _after(outcomes.get(mention.dataset, Outcome()), mention)
                if fact.type not in _VERSION_TYPES or mention.dataset in below:
                    continue
                version = Version.of(
                    outcome,
                    dataset=mention.dataset,
                    job=run.job,
                    stamp=fact.stamp,
                    read_us=fact.us,
                    run=key,
                    uuid=version_uuid(mention.name, f"{self._uuid(key)}\n{fact.us}"),
                    name=names.get((key, mention.dataset), {}).get(fact.us),
                )
                found[mention.dataset, fact.us] = (version, outcome, tuple(sorted(read)))
        for version, outcome, inputs in found.values():
            yield version, inputs
            yield from self._renaming(version, outcome, inputs)

    def _renaming(
        self, version: Version, outcome: Outcome, reads: tuple[int, ...]
    ) -> Iterator[tuple[Version, tuple[int, ...]]]:
        """What a rename does to the dataset that had the name before: it ends (rule 9)."""
        if outcome.renamed is not None and outcome.renamed != version.dataset:
            old = replace(
                version,
                dataset=outcome.renamed,
                uuid=uuid5(NAMESPACE, f"{version.uuid.hex()}\nrenamed").bytes,
                mapping=None,
                whole=True,
                removal=True,
                name=None,
            )
            yield old, reads

    def _uuid(self, run: int) -> str:
        return str(UUID(bytes=bytes(self._uuids[run])))


def _written_below(rows: Iterable[Row]) -> dict[int, set[int]]:
    """The datasets that runs below others wrote (rule 10)."""
    below: dict[int, set[int]] = defaultdict(set)
    for root, dataset in rows:
        below[root].add(dataset)
    return below


def _names(rows: Iterable[Row]) -> dict[tuple[int, int], dict[int, str]]:
    """What version facets call what runs wrote: by run and dataset, the name at each time."""
    names: dict[tuple[int, int], dict[int, str]] = defaultdict(dict)
    for run, dataset, us, version in rows:
        names[run, dataset][us] = version
    return names


def _only_read(job: int, stamped: bytes, read_us: int, identity: str, run: int | None = None) -> Version:
    """What stands for a write of nothing, so that the job is known to read."""
    uuid = version_uuid(_NO_NAME, identity)
    return Version.of(Outcome(), dataset=NOTHING, job=job, stamp=stamped, read_us=read_us, run=run, uuid=uuid)


def _written(mentions: Iterable[KnownMention]) -> int:
    """How many datasets are written."""
    return sum(mention.role == Role.WRITTEN for mention in mentions)


def _after(outcome: Outcome, mention: KnownMention) -> Outcome:
    return outcome.then(
        said=mention.said,
        mapping=mention.mapping,
        lifecycle=mention.lifecycle,
        partial=mention.partial,
        renamed=mention.renamed,
    )
