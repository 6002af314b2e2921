"""How a warehouse is right now: what ran last, what failed, what is used most, and how much of it has lineage.

What happened is read from the last events only, however many there are: whoever looks wants to know about today.
"""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from headwater.graph.answer import TableName
from headwater.graph.tabular import Tabular
from headwater.graph.written import Run, runs_by_key
from headwater.openlineage.model import EventType
from headwater.store.session import Given, Row, Session
from headwater.wire import plain

_EVENTS = 10_000
_STILL = 2**63 - 1
_FAILED = frozenset({EventType.FAIL, EventType.ABORT})
_LAST = """
SELECT event.run, event.shape, event.us, event.type FROM event WHERE event.run IS NOT NULL
ORDER BY event.us DESC LIMIT :events
"""
_BUSIEST = """
SELECT dataset.namespace, dataset.name, sum(CASE WHEN mention.role = 1 THEN given.runs ELSE 0 END),
    sum(CASE WHEN mention.role = 2 THEN given.runs ELSE 0 END)
FROM {given} {join} mention ON mention.shape = given.shape AND mention.role IN (1, 2)
{join} dataset ON dataset.id = mention.dataset
GROUP BY dataset.namespace, dataset.name ORDER BY sum(given.runs) DESC, dataset.namespace, dataset.name LIMIT :most
"""
_DATASETS = """
SELECT count(DISTINCT slot.dataset), count(DISTINCT CASE WHEN slot.mapping IS NOT NULL THEN slot.dataset END)
FROM slot WHERE slot.until_us = :still AND slot.dataset > 0
"""
_COLUMNS = """
SELECT count(*) FROM (SELECT DISTINCT slot.dataset FROM slot WHERE slot.until_us = :still) now
JOIN field ON field.dataset = now.dataset AND field.position IS NOT NULL
"""
_TRACED = """
SELECT count(DISTINCT edge.out_field)
FROM (SELECT DISTINCT slot.mapping FROM slot WHERE slot.until_us = :still AND slot.mapping IS NOT NULL) now
JOIN edge ON edge.mapping = now.mapping
JOIN field ON field.id = edge.out_field AND field.position IS NOT NULL
"""


@dataclass(frozen=True, slots=True)
class Used:
    """A dataset, and how many of the last runs that completed read it and wrote it."""

    name: TableName
    reads: int
    writes: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """Of the datasets that were written and still count, how many have column lineage; of their columns likewise."""

    datasets: int
    datasets_traced: int
    columns: int
    columns_traced: int


@dataclass(frozen=True, slots=True)
class Overview(Tabular):
    """What happened lately, the newest first; `since_us` is the first moment that counts as lately."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("id", "job", "state", "started_us", "ended_us", "parent", "streaming")

    since_us: int | None
    runs: tuple[Run, ...]
    failures: tuple[Run, ...]
    busiest: tuple[Used, ...]
    coverage: Coverage

    def to_dict(self) -> dict[str, object]:
        """As plain JSON, for programs."""
        return dict(plain(self))

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, one a run."""
        return [{**plain(one), "job": one.job.full if one.job else None} for one in self.runs]


def overview(session: Session, *, limit: int) -> Overview:
    """What happened lately, so many of each kind."""
    events = session.rows(_LAST, events=_EVENTS)
    newest = list(dict.fromkeys(run for run, *_ in events))[:limit]
    failing = list(dict.fromkeys(run for run, *_, kind in events if kind in _FAILED))[:limit]
    completed: list[Row] = list(Counter(shape for _, shape, _, kind in events if kind == EventType.COMPLETE).items())
    busiest = session.rows(_BUSIEST, Given("shape int, runs int", completed), most=limit)
    runs = runs_by_key(session, {*newest, *failing})
    states = {state.name for state in _FAILED}
    return Overview(
        events[-1][2] if events else None,
        tuple(runs[key] for key in newest),
        tuple(runs[key] for key in failing if runs[key].state in states),
        tuple(Used(TableName(namespace, name), int(reads), int(writes)) for namespace, name, reads, writes in busiest),
        _coverage(session),
    )


def _coverage(session: Session) -> Coverage:
    ((datasets, datasets_traced),) = session.rows(_DATASETS, still=_STILL)
    ((columns,),) = session.rows(_COLUMNS, still=_STILL)
    ((columns_traced,),) = session.rows(_TRACED, still=_STILL)
    return Coverage(int(datasets), int(datasets_traced), int(columns), int(columns_traced))
