"""Runs as facts: what events say of them merges, in any order; pure but for reading and writing the rows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from headwater.openlineage.model import EventType
from headwater.store.order import hearsay
from headwater.store.session import Given, Row, Session, ids

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
_GIVEN = (
    "id int, first_us int, job int, job_stamp bytes, parent int, parent_stamp bytes, end_type int, end_stamp bytes,"
    " streaming int"
)


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
    def completed(self) -> bool:
        """Whether it ended well."""
        return self.end_type == EventType.COMPLETE

    def row(self) -> Row:
        """As the columns of the table."""
        return (
            self.first_us,
            self.job,
            self.job_stamp,
            self.parent,
            self.parent_stamp,
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
    one: tuple[bytes | None, int | None], other: tuple[bytes | None, int | None]
) -> tuple[bytes | None, int | None]:
    if one[0] is None or other[0] is None:
        return other if one[0] is None else one
    return other if other[0] > one[0] else one


@dataclass(frozen=True, slots=True)
class Said:
    """What one event says of its run; the parent by its UUID, with the job that the event names for it."""

    uuid: bytes
    stamp: bytes
    us: int
    type: EventType
    job: int
    streaming: bool
    parent: bytes | None
    parent_job: int | None


@dataclass(frozen=True, slots=True)
class Merged:
    """Runs after a batch: their keys, what is known of them now, which the batch made, and which have another job."""

    keys: Mapping[bytes, int]
    runs: Mapping[int, Run]
    old_parents: frozenset[int]
    new: frozenset[int]
    moved: frozenset[int]


def uuid_bytes(text: str) -> bytes:
    """A UUID as the store keeps it."""
    return bytes.fromhex(text.replace("-", ""))


def merge_runs(session: Session, said: Iterable[Said]) -> Merged:
    """Merge what the events of a batch say; the rows of their runs stay locked until the transaction ends."""
    events = list(said)
    heard = _parents(session, events)
    told: dict[bytes, Run] = {}
    for event in events:
        ended = event.type.terminal
        run = Run(
            first_us=event.us,
            job=event.job,
            job_stamp=event.stamp,
            parent=heard[event.parent] if event.parent else None,
            parent_stamp=event.stamp if event.parent else None,
            end_type=int(event.type) if ended else None,
            end_stamp=event.stamp if ended else None,
            streaming=int(event.streaming),
        )
        told[event.uuid] = told[event.uuid].merge(run) if event.uuid in told else run
        if event.parent and event.parent_job is not None:
            hearing = Run(job=event.parent_job, job_stamp=hearsay(event.stamp))
            told[event.parent] = told[event.parent].merge(hearing) if event.parent in told else hearing
    return _write(session, told, {event.uuid for event in events})


def _parents(session: Session, events: Iterable[Said]) -> dict[bytes, int]:
    """The keys of the runs that started others, made where they are not known."""
    uuids = {event.parent for event in events if event.parent}
    if not uuids:
        return {}
    found = {bytes(row[1]): row[0] for row in _find(session, uuids)}
    if new := uuids - found.keys():
        session.insert("run", "uuid", [(uuid,) for uuid in sorted(new)], conflict="(uuid) DO NOTHING")
        found |= {bytes(row[1]): row[0] for row in _find(session, new)}
    return found


def _find(session: Session, uuids: Iterable[bytes]) -> list[Row]:
    return session.rows(_FIND, Given("uuid bytes", [(uuid,) for uuid in sorted(uuids)]))


def _write(session: Session, told: Mapping[bytes, Run], own: set[bytes]) -> Merged:
    keys: dict[bytes, int] = {}
    runs: dict[int, Run] = {}
    old_parents: set[int] = set()
    new: set[int] = set()
    moved: set[int] = set()
    before = {bytes(row[1]): row[0] for row in _find(session, told)}
    session.lock("run", before.values())
    # One that another transaction adds at the same time undoes this one, which then finds it.
    added = sorted(told.keys() - before.keys())
    session.insert("run", f"uuid, {_COLUMNS}", [(uuid, *told[uuid].row()) for uuid in added])
    changed: list[Row] = []
    for row in _find(session, told):
        key, uuid, stored = row[0], bytes(row[1]), _run(row)
        merged = stored.merge(told[uuid])
        if merged != stored:
            changed.append((key, *merged.row()))
        keys[uuid] = key
        if uuid in own:
            runs[key] = merged
        if stored.job != merged.job:
            moved.add(key)
        if uuid not in before:
            new.add(key)
        elif stored.parent is not None:
            old_parents.add(stored.parent)
    if changed:
        session.run(_UPDATE, Given(_GIVEN, sorted(changed)))
    return Merged(keys, runs, frozenset(old_parents), frozenset(new), frozenset(moved))


def _run(row: Row) -> Run:
    first_us, job, job_stamp, parent, parent_stamp, end_type, end_stamp, streaming = row[2:]
    return Run(first_us, job, _bytes(job_stamp), parent, _bytes(parent_stamp), end_type, _bytes(end_stamp), streaming)


def _bytes(value: bytes | None) -> bytes | None:
    return None if value is None else bytes(value)


def load_runs(session: Session, keys: Iterable[int]) -> dict[int, tuple[bytes, Run]]:
    """Runs by their keys, with their UUIDs."""
    return {row[0]: (bytes(row[1]), _run(row)) for row in session.rows(_LOAD, ids(keys))}
