"""Stores lines of events, in this process or in several, and counts the results."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from headwater.cli.store.event_lines import EventLine, RawLine
from headwater.client.connect import connect
from headwater.client.lineage import Lineage
from headwater.common.worker_processes import in_processes
from headwater.store import IngestResult

_target: Lineage | None = None


class BadLine(NamedTuple):
    """A line that could not be stored."""

    number: int
    field: str
    reason: str


class Loaded(NamedTuple):
    """How many events were new, how many were known, which lines were bad, and how many events lie ahead."""

    accepted: int
    duplicates: int
    bad: tuple[BadLine, ...]
    ahead: int


def load(target: Lineage, lines: Sequence[EventLine]) -> Loaded:
    """Store the events of lines."""
    return loaded(lines, target.ingest(events_of(lines)))


def events_of(lines: Sequence[EventLine]) -> list[Mapping[str, object]]:
    """The events among the lines."""
    return [line.event for line in lines if line.event is not None]


def loaded(lines: Sequence[EventLine], result: IngestResult) -> Loaded:
    """The counts of lines whose events had this result."""
    numbers = [line.number for line in lines if line.event is not None]
    bad = [BadLine(line.number, "", line.reason) for line in lines if line.event is None]
    bad += [BadLine(numbers[item.index], item.field, item.reason) for item in result.rejected]
    return Loaded(result.accepted, result.duplicates, tuple(sorted(bad)), result.ahead)


def load_in_processes(store: str, jobs: int, batches: Iterable[Sequence[RawLine]]) -> Iterator[Loaded]:
    """Store batches, each parsed, checked and written by one of several processes; results come in order."""
    return in_processes(jobs, _open, (store,), _load, batches)


def _open(store: str) -> None:
    global _target  # noqa: PLW0603  a process has one store
    _target = connect(store)


def _load(lines: Sequence[RawLine]) -> Loaded:
    assert _target is not None  # noqa: S101  set by _open
    return load(_target, [line.read() for line in lines])
