"""Stores lines of events and counts the results."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from headwater.cli.store.event_lines import EventLine
from headwater.client.lineage import Lineage
from headwater.store import IngestResult


class BadLine(NamedTuple):
    """A line that could not be stored."""

    number: int
    field: str
    reason: str


class Loaded(NamedTuple):
    """How many events were new, how many were known, and which lines were bad."""

    accepted: int
    duplicates: int
    bad: tuple[BadLine, ...]


def load(target: Lineage, lines: Sequence[EventLine]) -> Loaded:
    """Store the events of lines."""
    return loaded(lines, target.ingest(events_of(lines)))


def events_of(lines: Sequence[EventLine]) -> list[Mapping[str, object]]:
    """The events among the lines."""
    return [line.event for line in lines if line.event is not None and line.is_event]


def loaded(lines: Sequence[EventLine], result: IngestResult) -> Loaded:
    """The counts of lines whose events had this result."""
    numbers = [line.number for line in lines if line.is_event]
    bad = [BadLine(line.number, "", line.reason) for line in lines if not line.is_event]
    bad += [BadLine(numbers[item.index], item.field, item.reason) for item in result.rejected]
    return Loaded(result.accepted, result.duplicates, tuple(sorted(bad)))
