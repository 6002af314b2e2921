"""What an executor does with the lines of a task: each is an event that is ready to be derived from, or bad.

The same functions as the server's read and check events. What is kept in memory does not grow with the input.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import pyarrow as pa

from headwater.lake.places import readable
from headwater.openlineage.model.event import BadEvent
from headwater.openlineage.model.event_text import event_of
from headwater.pipeline.validate.rows import BAD, BLOCK, BODY, COLUMNS, EVENT
from headwater.store.ingest.prepared_event import Ready, make_ready
from headwater.store.model.compression import packed
from headwater.store.timeline.runs import uuid_bytes

_MOST_KNOWN = 100_000
_FLUSH_BYTES = 16_000_000
_SHOWN = 200
_FLAT = {"binary": pa.binary(), "string": pa.string(), "bigint": pa.int64(), "smallint": pa.int16()}
_VERSIONS = pa.list_(
    pa.struct([("role", pa.int16()), ("namespace", pa.string()), ("name", pa.string()), ("version", pa.string())])
)
_TYPES = {name: _FLAT.get(kind, _VERSIONS) for columns in COLUMNS.values() for name, kind in columns}

Row: TypeAlias = "tuple[object, ...]"

# Hashes of bodies by those of how they were written: a process that serves many tasks reads each body once.
_known: dict[bytes, bytes] = {}
# Rows of bodies by their hashes, and how many bytes they are: a body that comes back in another task is made once.
_made: dict[bytes, tuple[Row, int]] = {}
_MOST_MADE = 64_000_000
_made_bytes = 0


def verdict(text: bytes, known: Mapping[bytes, bytes]) -> Ready | BadEvent:
    """An event that can be stored, or why it cannot; whatever is wrong with it, it does not stop the others.

    >>> verdict(b"{", {})
    BadEvent('not valid JSON: Expecting property name enclosed in double quotes (character 2)')
    """
    try:
        return make_ready(event_of(text), known)
    except BadEvent as bad:
        return bad
    except RecursionError:
        return BadEvent("", "The event is nested too deeply")
    except MemoryError:
        return BadEvent("", f"The event does not fit in the worker's memory ({len(text) / 1000000:.0f} MB of text)")
    except Exception as error:  # noqa: BLE001  one event's fault is not the job's
        return BadEvent("", f"Cannot read the event: {type(error).__name__}: {str(error)[:_SHOWN]}")


def checked(batches: Iterable[Any]) -> Iterator[Any]:
    """Arrow batches of what landed to Arrow batches of what was made of it; for `mapInArrow`."""
    task = _Task()
    for batch in batches:
        columns = (batch.column(name).to_pylist() for name in ("raw", "source", "block", "at"))
        for raw, source, block, at in zip(*columns, strict=True):
            task.take(raw, source, block, at)
            if task.size > _FLUSH_BYTES:
                yield from task.flush()
        yield from task.flush()
    yield from task.end()


@dataclass(slots=True)
class _Tally:
    """What was read of a block so far."""

    bytes: int = 0
    lines: int = 0
    read: int = 0
    bad: int = 0


@dataclass(slots=True)
class _Task:
    """One task's work: rows that wait to be handed on, and what it has counted."""

    size: int = 0
    rows: dict[str, list[Row]] = field(default_factory=lambda: {EVENT: [], BODY: [], BAD: []})
    tallies: dict[tuple[str, int | None], _Tally] = field(default_factory=dict)
    # A body that another task has written may be lost with it: each task writes those that it meets.
    bodies: set[bytes] = field(default_factory=set)

    def take(self, raw: bytes | None, source: str, block: int | None, at: int | None) -> None:
        tally = self.tallies.get((source, block))
        if tally is None:
            tally = self.tallies[source, block] = _Tally()
        start = tally.bytes
        tally.lines += 1
        tally.bytes += len(raw or b"") + 1
        if raw is None or not raw.strip():
            return
        tally.read += 1
        found = verdict(raw, _known)
        if isinstance(found, BadEvent):
            tally.bad += 1
            offset, line = (at, None) if block is None else (start, tally.lines)
            row: Row = (readable(source), block, offset, line, found.field, found.reason, raw)
            self.rows[BAD].append(row)
            self.size += len(raw)
        else:
            self._keep(found)

    def _keep(self, event: Ready) -> None:
        if event.written:
            if len(_known) >= _MOST_KNOWN:
                _known.clear()
            _known[event.written] = event.body_hash
        if event.body_hash not in self.bodies:
            if len(self.bodies) >= _MOST_KNOWN:
                self.bodies.clear()
            self.bodies.add(event.body_hash)
            body, size = _body_row(event)
            self.rows[BODY].append(body)
            self.size += size
        row = _event_row(event)
        self.rows[EVENT].append(row)
        self.size += len(event.rest)

    def flush(self) -> Iterator[Any]:
        for what, rows in self.rows.items():
            if rows:
                yield _batch(what, rows)
                rows.clear()
        self.size = 0

    def end(self) -> Iterator[Any]:
        rows: list[Row] = [
            (readable(source), block, tally.bytes, tally.lines, tally.read, tally.bad)
            for (source, block), tally in self.tallies.items()
        ]
        if rows:
            yield _batch(BLOCK, rows)


def _body_row(event: Ready) -> tuple[Row, int]:
    """The row of an event's body, and how many bytes its content has."""
    global _made_bytes  # noqa: PLW0603  as long as the process, like what it counts
    found = _made.get(event.body_hash)
    if found is None:
        content = packed(event.content())
        if _made_bytes + len(content) > _MOST_MADE:
            _made.clear()
            _made_bytes = 0
        _made_bytes += len(content)
        found = _made[event.body_hash] = ((event.body_hash, event.read().hash, content), len(content))
    return found


def _event_row(event: Ready) -> Row:
    parent = event.parent
    job = parent.job if parent else None
    return (
        event.hash,
        event.us,
        int(event.kind),
        int(event.type),
        event.run,
        event.stamp,
        event.body_hash,
        packed(event.rest),
        uuid_bytes(parent.run_id) if parent else None,
        job.namespace if job else None,
        job.name if job else None,
        [
            {"role": int(role), "namespace": namespace, "name": name, "version": version}
            for role, (namespace, name), version in event.versions
        ],
    )


def _batch(what: str, rows: list[Row]) -> Any:  # noqa: ANN401  PyArrow has no types
    """Rows of one kind as an Arrow batch; the columns of the other kinds are null."""
    given = dict(zip((name for name, _ in COLUMNS[what]), zip(*rows, strict=True), strict=True))
    arrays = [pa.array([what] * len(rows), pa.string())]
    for name, kind in _TYPES.items():
        arrays.append(pa.array(given[name], kind) if name in given else pa.nulls(len(rows), kind))
    return pa.RecordBatch.from_arrays(arrays, ["what", *_TYPES])
