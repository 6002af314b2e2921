"""The state of a warehouse: what ran last, what failed, what is used most, and how much of it has lineage.

Only the last events are read, however many there are: whoever looks wants to know about today.
"""

from collections import Counter
from dataclasses import dataclass

from headwater.openlineage.model.event import EventType
from headwater.query.catalog.runs import Run, RunTable, runs_by_key
from headwater.query.graph.answer import TableName
from headwater.store.db.session import Session
from headwater.store.reads.datasets import busiest, coverage
from headwater.store.reads.events import latest_events

_EVENTS = 10_000
_FAILED = frozenset({EventType.FAIL, EventType.ABORT})


@dataclass(frozen=True, slots=True)
class Used:
    """A dataset, and how many of the last runs that completed read it and wrote it."""

    name: TableName
    reads: int
    writes: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the datasets in force have column lineage; and how many of their columns."""

    datasets: int
    datasets_traced: int
    columns: int
    columns_traced: int


@dataclass(frozen=True, slots=True)
class Overview(RunTable):
    """What happened lately, the newest first; `since_us` is where lately begins."""

    since_us: int | None
    runs: tuple[Run, ...]
    failures: tuple[Run, ...]
    busiest: tuple[Used, ...]
    coverage: Coverage


def overview(session: Session, *, limit: int) -> Overview:
    """Summarize what happened lately, with at most `limit` entries in each list."""
    events = latest_events(session, _EVENTS)
    newest = list(dict.fromkeys(event.run for event in events))[:limit]
    failing = list(dict.fromkeys(event.run for event in events if event.type in _FAILED))[:limit]
    completed = Counter(event.shape for event in events if event.type == EventType.COMPLETE)
    used = busiest(session, completed, limit)
    runs = runs_by_key(session, {*newest, *failing})
    states = {state.name for state in _FAILED}
    return Overview(
        events[-1].us if events else None,
        tuple(runs[key] for key in newest),
        tuple(runs[key] for key in failing if runs[key].state in states),
        tuple(Used(TableName(namespace, name), reads, writes) for namespace, name, reads, writes in used),
        Coverage(*coverage(session)),
    )
