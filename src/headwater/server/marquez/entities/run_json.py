"""Runs as Marquez shows them; pure."""

from collections.abc import Iterable
from functools import lru_cache

from headwater.openlineage.model.check import is_object
from headwater.openlineage.model.event import BadEvent, EventType
from headwater.openlineage.model.instants import instant_us
from headwater.query.graph.answer import TableName
from headwater.server.marquez.entities.run_facts import RunFacts
from headwater.server.marquez.entities.values import Json, instant, instant_or_none, job_version, name_json, state_of

ARGS = "headwater_args"
"""The facet with the arguments of a run."""
_MILLISECOND = 1_000


def started_us(facts: RunFacts) -> int | None:
    """When a run began: at its START, else with the first event that is more than an announcement."""
    starts = [event.us for event in facts.events if event.type == EventType.START]
    others = [event.us for event in facts.events if event.type not in (EventType.START, EventType.OTHER)]
    return min(starts or others, default=None)


def run_state(facts: RunFacts) -> str:
    """The state of a run."""
    return state_of(facts.row.end_type, begun=started_us(facts) is not None)


def created_us(facts: RunFacts) -> int:
    """When an event first named a run; 1970 if only other runs name it."""
    return facts.row.first_us or 0


def updated_us(facts: RunFacts) -> int:
    """When an event last named a run."""
    return max((event.us for event in facts.events), default=created_us(facts))


def run_version(facts: RunFacts) -> str | None:
    """The version of the job that ran, where the job is known."""
    return None if facts.job is None else job_version(facts.job, tuple(facts.inputs), tuple(facts.outputs))


def run_json(facts: RunFacts) -> Json:
    """A run."""
    row, started = facts.row, started_us(facts)
    start, end = (_nominal(facts.facets.get("nominalTime"), key) for key in ("nominalStartTime", "nominalEndTime"))
    version = run_version(facts)
    return {
        "id": row.uuid,
        "createdAt": instant(created_us(facts)),
        "updatedAt": instant(updated_us(facts)),
        "nominalStartTime": start,
        "nominalEndTime": end,
        "state": state_of(row.end_type, begun=started is not None),
        "startedAt": instant_or_none(started),
        "endedAt": instant_or_none(row.end_us),
        "durationMs": None if started is None or row.end_us is None else (row.end_us - started) // _MILLISECOND,
        "args": _args(facts, start, end),
        "jobVersion": {**name_json(facts.job), "version": version} if facts.job is not None else None,
        "inputDatasetVersions": _versions(facts.read),
        "outputDatasetVersions": _versions(facts.written),
        "facets": facts.facets,
    }


def _versions(versions: Iterable[tuple[TableName, str]]) -> list[Json]:
    return [{"datasetVersionId": {**name_json(name), "version": version}, "facets": {}} for name, version in versions]


@lru_cache(maxsize=4096)
def _read_time(text: str) -> str | None:
    try:
        return instant(instant_us(text, "nominalTime"))
    except (BadEvent, OverflowError):
        return None


def _nominal(facet: object, key: str) -> str | None:
    text = facet.get(key) if is_object(facet) else None
    return _read_time(text) if isinstance(text, str) else None


def _args(facts: RunFacts, start: str | None, end: str | None) -> Json:
    facet = facts.facets.get(ARGS)
    args = facet.get("args") if is_object(facet) else None
    times = {"nominal_start_time": start, "nominal_end_time": end}
    return {**{name: time for name, time in times.items() if time is not None}, **(args if is_object(args) else {})}
