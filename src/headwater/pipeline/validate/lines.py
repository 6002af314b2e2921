"""Checks the lines of a task on an executor: each is an event ready to derive from, or bad.

The server's own functions read and check events. Memory does not grow with the input.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import pyarrow as pa

from headwater.common.redaction.text import may_hold_secrets, redact
from headwater.lake.places import readable
from headwater.openlineage.model.event import BadEvent
from headwater.openlineage.model.event_text import event_of
from headwater.pipeline.validate.rows import BAD, BLOCK, BODY, COLUMNS, EVENT
from headwater.store.ingest.prepared_event import Ready, make_ready
from headwater.store.model.compression import packed
from headwater.store.model.event_parts import KnownBody
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

# Bodies by the hash of them as written: a process that serves many tasks reads each body once.
_known_bodies: dict[bytes, KnownBody] = {}
# Body rows by hash, with their sizes: a body that comes back in another task is built once.
_body_cache: dict[bytes, tuple[Row, int]] = {}
_MOST_CACHED = 64_000_000
_body_cache_bytes = 0


def verdict(text: bytes, known: Mapping[bytes, KnownBody], *, keep_secrets: bool = False) -> Ready | BadEvent:
    """An event that can be stored, or why it cannot; a bad event never stops the others.

    >>> verdict(b"{", {})
    BadEvent('not valid JSON: Expecting property name enclosed in double quotes (character 2)')
    """
    try:
        return make_ready(event_of(text), known, keep_secrets=keep_secrets)
    except BadEvent as bad:
        return bad
    except RecursionError:
        return BadEvent("", "The event is nested too deeply")
    except MemoryError:
        return BadEvent("", f"The event does not fit in the worker's memory ({len(text) / 1000000:.0f} MB of text)")
    except Exception as error:  # noqa: BLE001  one event's fault is not the job's
        return BadEvent("", f"Cannot read the event: {type(error).__name__}: {str(error)[:_SHOWN]}")


def check_lines(batches: Iterable[Any], *, keep_secrets: bool = False) -> Iterator[Any]:
    """Landed lines to rows of `rows.COLUMNS`, as Arrow batches; for `mapInArrow`."""
    task = _Task(keep_secrets)
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
    """Counts of a block so far."""

    bytes: int = 0
    lines: int = 0
    read: int = 0
    bad: int = 0


@dataclass(slots=True)
class _Task:
    """A task's rows that wait to be written, and its counts."""

    keep_secrets: bool = False
    size: int = 0
    rows: dict[str, list[Row]] = field(default_factory=lambda: {EVENT: [], BODY: [], BAD: []})
    tallies: dict[tuple[str, int | None], _Tally] = field(default_factory=dict)
    # A body that another task wrote may be lost with it: each task writes the bodies of its own events.
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
        result = verdict(raw, _known_bodies, keep_secrets=self.keep_secrets)
        if isinstance(result, BadEvent):
            tally.bad += 1
            offset, line = (at, None) if block is None else (start, tally.lines)
            row: Row = (readable(source), block, offset, line, result.field, result.reason, self._shown(raw))
            self.rows[BAD].append(row)
            self.size += len(raw)
        else:
            self._keep(result)

    def _shown(self, raw: bytes) -> bytes:
        """A line for the quarantine: without secrets, so far as they can be told in what may be no JSON."""
        if self.keep_secrets or not may_hold_secrets(raw):
            return raw
        return redact(raw.decode(errors="surrogateescape")).encode(errors="surrogateescape")

    def _keep(self, event: Ready) -> None:
        if len(_known_bodies) >= _MOST_KNOWN:
            _known_bodies.clear()
        event.remember(_known_bodies)
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
        for kind, rows in self.rows.items():
            if rows:
                yield _batch(kind, rows)
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
    global _body_cache_bytes  # noqa: PLW0603  lives as long as the cache
    cached = _body_cache.get(event.body_hash)
    if cached is None:
        content = packed(event.content())
        if _body_cache_bytes + len(content) > _MOST_CACHED:
            _body_cache.clear()
            _body_cache_bytes = 0
        _body_cache_bytes += len(content)
        cached = _body_cache[event.body_hash] = ((event.body_hash, event.read().hash, content), len(content))
    return cached


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


def _batch(row_kind: str, rows: list[Row]) -> Any:  # noqa: ANN401  PyArrow has no types
    """Rows of one kind as an Arrow batch; the columns of the other kinds are null."""
    columns = dict(zip((name for name, _ in COLUMNS[row_kind]), zip(*rows, strict=True), strict=True))
    arrays = [pa.array([row_kind] * len(rows), pa.string())]
    for name, kind in _TYPES.items():
        arrays.append(pa.array(columns[name], kind) if name in columns else pa.nulls(len(rows), kind))
    return pa.RecordBatch.from_arrays(arrays, ["what", *_TYPES])
