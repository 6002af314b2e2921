"""Runs as facts: what events say of them merges, in any order; pure but for reading and writing the rows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from headwater.openlineage.model.event import EventType
from headwater.store.db.session import Given, Hold, Row, Session, Soon, ids
from headwater.store.model.order import hearsay

_COLUMNS = "first_us, job, job_stamp, parent, parent_stamp, end_type, end_stamp, streaming"
_SELECT = f"SELECT run.id, run.uuid, {', '.join(f'run.{name}' for name in _COLUMNS.split(', '))} FROM {{given}}"  # noqa: S608  our own words
_FIND = _SELECT + " {join} run ON run.uuid = given.uuid"
_LOAD = _SELECT + " {join} run ON run.id = given.id"
_UPDATE = """
UPDATE run SET first_us = given.first_us, job = given.job, job_stamp = given.job_stamp, parent = given.parent,
    parent_stamp = given.parent_stamp, end_type = given.end_type, end_stamp = given.end_stamp,
    streaming = given.streaming
FROM {given} WHERE run.id = given.id
"""
_TYPES = (
    "first_us int, job int, job_stamp bytes, parent int, parent_stamp bytes, end_type int, end_stamp bytes,"
    " streaming int"
)
_GIVEN = f"id int, {_TYPES}"
_ADDED = f"uuid bytes, {_TYPES}"
_ADD = f"INSERT INTO run (uuid, {_COLUMNS}) SELECT uuid, {_COLUMNS} FROM {{given}} RETURNING id, uuid"  # noqa: S608  our own words
# SQLite would take ON CONFLICT for the condition of a join, if nothing were between.
_HEAR = """
INSERT INTO run (uuid, job, job_stamp) SELECT uuid, job, job_stamp FROM {given} WHERE true ON CONFLICT (uuid) DO NOTHING
"""


@dataclass(frozen=True, slots=True)
class Run:
    """What is known of a run: each fact with the stamp of the event that said it, the greatest."""

    first_us: int | None = None
    job: int | None = None
    job_stamp: bytes | None = None
    parent: int | None = None
    parent_stamp: bytes | None = None
    end_type: int | None = None
    end_stamp: bytes | None = None
    streaming: int = 0

    @property
    def may_write(self) -> bool:
        """Whether it may have made versions: it is streaming, or has ended, by which its facts tell how."""
        return self.end_type is not None or bool(self.streaming)

    def row(self) -> Row:
        """As the columns of the table: a stamp that is the same as the one after it is not written again."""
        return (
            self.first_us,
            self.job,
            None if self.job_stamp == self.end_stamp else self.job_stamp,
            self.parent,
            None if self.parent_stamp == self.job_stamp else self.parent_stamp,
            self.end_type,
            self.end_stamp,
            self.streaming,
        )

    def merge(self, other: "Run") -> "Run":
        """Both together; the order does not matter.

        >>> start, end = Run(first_us=1, job=7, job_stamp=b"a"), Run(first_us=2, end_type=3, end_stamp=b"b")
        >>> start.merge(end) == end.merge(start) == Run(1, 7, b"a", end_type=3, end_stamp=b"b")
        True
        """
        job = _later((self.job_stamp, self.job), (other.job_stamp, other.job))
        parent = _later((self.parent_stamp, self.parent), (other.parent_stamp, other.parent))
        end = _later((self.end_stamp, self.end_type), (other.end_stamp, other.end_type))
        times = [us for us in (self.first_us, other.first_us) if us is not None]
        return Run(
            min(times) if times else None,
            job[1],
            job[0],
            parent[1],
            parent[0],
            end[1],
            end[0],
            max(self.streaming, other.streaming),
        )


def _later(
    left: tuple[bytes | None, int | None], right: tuple[bytes | None, int | None]
) -> tuple[bytes | None, int | None]:
    if left[0] is None or right[0] is None:
        return right if left[0] is None else left
    return right if right[0] > left[0] else left


@dataclass(frozen=True, slots=True)
class RunEvent:
    """What one event says of its run; the parent by its UUID, with the job that the event names for it."""

    uuid: bytes
    stamp: bytes
    us: int
    type: EventType
    job: int
    streaming: bool
    parent: bytes | None
    parent_job: int | None


Stored: TypeAlias = dict[int, tuple[bytes, Run]]
"""Runs by their keys, with their UUIDs."""


@dataclass(frozen=True, slots=True)
class Merged:
    """Runs after a batch: their keys, what is known of them now, which the batch made, and which have another job.

    `runs` are those that the batch has events of, `above` all that started them, before and now.
    """

    keys: Mapping[bytes, int]
    runs: Mapping[int, Run]
    above: Stored
    new: frozenset[int]
    moved: frozenset[int]


def uuid_bytes(text: str) -> bytes:
    """A UUID as the store keeps it."""
    return bytes.fromhex(text.replace("-", ""))


class AskedRuns:
    """The runs of a batch, asked for: they stay as they are until the transaction ends.

    Who has events of a run holds it alone; who has events of runs that it started holds it beside others of them.
    """

    def __init__(self, session: Session, own: Iterable[bytes], parents: Iterable[bytes]) -> None:
        self._session = session
        self._own = set(own)
        self._asked = [
            self._find(self._own, Hold.ALONE),
            self._find(set(parents) - self._own, Hold.READ),
        ]

    def _find(self, uuids: Iterable[bytes], hold: Hold) -> Soon:
        given = Given("uuid bytes", [(uuid,) for uuid in sorted(uuids)])
        return self._session.soon(f"{_FIND} {self._session.holding('run', hold)}", given)

    def merge(self, run_events: Iterable[RunEvent]) -> Merged:
        """Merge what the events of the batch say."""
        events = list(run_events)
        stored = _by_uuid(row for asked in self._asked for row in asked.rows())
        hearing = _hearsay(events)
        heard = self._parents(hearing, stored)
        runs: dict[bytes, Run] = {}
        for event in events:
            ended = event.type.terminal
            run = Run(
                first_us=event.us,
                job=event.job,
                job_stamp=event.stamp,
                parent=heard[event.parent][0] if event.parent else None,
                parent_stamp=event.stamp if event.parent else None,
                end_type=int(event.type) if ended else None,
                end_stamp=event.stamp if ended else None,
                streaming=int(event.streaming),
            )
            runs[event.uuid] = runs[event.uuid].merge(run) if event.uuid in runs else run
        for uuid in hearing.keys() & runs.keys():
            runs[uuid] = runs[uuid].merge(hearing[uuid])
        return self._write(runs, stored | heard)

    def _parents(
        self, hearing: Mapping[bytes, Run], stored: Mapping[bytes, tuple[int, Run]]
    ) -> dict[bytes, tuple[int, Run]]:
        """The runs that started others, made where they are not known, with what is heard of them."""
        heard = {uuid: stored[uuid] for uuid in hearing if uuid in stored}
        if missing := hearing.keys() - heard.keys():
            rows = [(uuid, run.job, run.job_stamp) for uuid, run in sorted(hearing.items()) if uuid in missing]
            self._session.run(_HEAR, Given("uuid bytes, job int, job_stamp bytes", rows))
            # Another process may have heard of them at the same time.
            heard |= _by_uuid(self._find(missing, Hold.READ).rows())
        # An own run merges it with what its events say. Any other changes only under a lock that is its own: the
        # earliest event that speaks of it counts, so this is the case once.
        news = {
            key: (uuid, hearing[uuid])
            for uuid, (key, run) in heard.items()
            if uuid not in self._own and run.merge(hearing[uuid]) != run
        }
        if news:
            changed = []
            for key, (uuid, run) in load_runs(self._session, news, Hold.CHANGE).items():
                merged = run.merge(news[key][1])
                heard[uuid] = (key, merged)
                changed.append((key, *merged.row()))
            self._session.run(_UPDATE, Given(_GIVEN, sorted(changed)))
        return heard

    def _write(self, batch: Mapping[bytes, Run], stored_runs: Mapping[bytes, tuple[int, Run]]) -> Merged:
        keys = {uuid: key for uuid, (key, _) in stored_runs.items()}
        added = sorted(batch.keys() - stored_runs.keys())
        # One that another transaction adds at the same time undoes this one, which then finds it.
        for key, uuid in self._session.rows(_ADD, Given(_ADDED, [(uuid, *batch[uuid].row()) for uuid in added])):
            keys[bytes(uuid)] = key
        runs = {keys[uuid]: batch[uuid] for uuid in added}
        old_parents: set[int] = set()
        moved: set[int] = set()
        changed: list[Row] = []
        for uuid in batch.keys() & stored_runs.keys():
            key, stored = stored_runs[uuid]
            merged = runs[key] = stored.merge(batch[uuid])
            if merged != stored:
                changed.append((key, *merged.row()))
            if stored.job != merged.job:
                moved.add(key)
            if stored.parent is not None:
                old_parents.add(stored.parent)
        self._session.run(_UPDATE, Given(_GIVEN, sorted(changed)))
        known = {key: (uuid, run) for uuid, (key, run) in stored_runs.items()}
        known |= {keys[uuid]: (uuid, runs[keys[uuid]]) for uuid in batch}
        return Merged(
            keys, runs, self._above(known, runs, old_parents), frozenset(keys[uuid] for uuid in added), frozenset(moved)
        )

    def _above(self, known: Stored, runs: Mapping[int, Run], old_parents: Iterable[int]) -> Stored:
        """The runs that started these, and those that started them, and so on; of each run both before and now."""
        above: Stored = {}
        parents = {run.parent for run in runs.values() if run.parent is not None} | set(old_parents)
        while parents:
            if missing := parents - known.keys():
                known |= load_runs(self._session, missing, Hold.READ)
            above |= {key: known[key] for key in parents}
            parents = {run.parent for _, run in above.values() if run.parent is not None} - above.keys()
        return above


def _hearsay(events: Iterable[RunEvent]) -> dict[bytes, Run]:
    """What is said of runs by events of those that they started."""
    parents: dict[bytes, Run] = {}
    for event in events:
        if event.parent:
            hearing = Run()
            if event.parent_job is not None:
                hearing = Run(job=event.parent_job, job_stamp=hearsay(event.stamp))
            parents[event.parent] = parents[event.parent].merge(hearing) if event.parent in parents else hearing
    return parents


def _by_uuid(rows: Iterable[Row]) -> dict[bytes, tuple[int, Run]]:
    return {bytes(row[1]): (row[0], _run(row)) for row in rows}


def _run(row: Row) -> Run:
    first_us, job, job_stamp, parent, parent_stamp, end_type, end_stamp, streaming = row[2:]
    ended = _bytes(end_stamp)
    named = (_bytes(job_stamp) or ended) if job is not None else None
    started = (_bytes(parent_stamp) or named) if parent is not None else None
    return Run(first_us, job, named, parent, started, end_type, ended, streaming)


def _bytes(value: bytes | None) -> bytes | None:
    return None if value is None else bytes(value)


def load_runs(session: Session, keys: Iterable[int], hold: Hold | None = None) -> Stored:
    """Runs by their keys, with their UUIDs; held as they are, if need be."""
    locking = session.holding("run", hold) if hold else ""
    return {row[0]: (bytes(row[1]), _run(row)) for row in session.rows(f"{_LOAD} {locking}", ids(keys))}
