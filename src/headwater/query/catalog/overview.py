"""How a warehouse is right now: what ran last, what failed, what is used most, and how much of it has lineage.

What happened is read from the last events only, however many there are: whoever looks wants to know about today.
"""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from headwater.common.codec import plain
from headwater.notebook.rows import Tabular
from headwater.openlineage.model.event import EventType
from headwater.query.catalog.runs import Run, runs_by_key
from headwater.query.graph.answer import TableName
from headwater.store.db.codes import FOREVER, NOTHING, Role
from headwater.store.db.predicates import in_last_schema, still_in_force
from headwater.store.db.session import Given, Row, Session

_EVENTS = 10_000
_FAILED = frozenset({EventType.FAIL, EventType.ABORT})
_LAST = """
SELECT event.run, event.shape, event.us, event.type FROM event WHERE event.run IS NOT NULL
ORDER BY event.us DESC LIMIT :events
"""
_BUSIEST = f"""
SELECT dataset.namespace, dataset.name, sum(CASE WHEN mention.role = {Role.READ} THEN given.runs ELSE 0 END),
    sum(CASE WHEN mention.role = {Role.WRITTEN} THEN given.runs ELSE 0 END)
FROM {{given}} {{join}} mention ON mention.shape = given.shape AND mention.role IN ({Role.READ}, {Role.WRITTEN})
{{join}} dataset ON dataset.id = mention.dataset
GROUP BY dataset.namespace, dataset.name ORDER BY sum(given.runs) DESC, dataset.namespace, dataset.name LIMIT :most
"""  # noqa: S608  our own words
_DATASETS = f"""
SELECT count(DISTINCT slot.dataset), count(DISTINCT CASE WHEN slot.mapping IS NOT NULL THEN slot.dataset END)
FROM slot WHERE {still_in_force("slot", ":still")} AND slot.dataset > {NOTHING}
"""  # noqa: S608  our own words
_COLUMNS = f"""
SELECT count(*) FROM (SELECT DISTINCT slot.dataset FROM slot WHERE {still_in_force("slot", ":still")}) now
JOIN field ON field.dataset = now.dataset AND {in_last_schema("field")}
"""  # noqa: S608  our own words
_TRACED = f"""
SELECT count(DISTINCT edge.out_field)
FROM (SELECT DISTINCT slot.mapping FROM slot WHERE {still_in_force("slot", ":still")} AND slot.mapping IS NOT NULL) now
JOIN edge ON edge.mapping = now.mapping
JOIN field ON field.id = edge.out_field AND {in_last_schema("field")}
"""  # noqa: S608  our own words


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
    ((datasets, datasets_traced),) = session.rows(_DATASETS, still=FOREVER)
    ((columns,),) = session.rows(_COLUMNS, still=FOREVER)
    ((columns_traced,),) = session.rows(_TRACED, still=FOREVER)
    return Coverage(int(datasets), int(datasets_traced), int(columns), int(columns_traced))
