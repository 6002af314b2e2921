"""Small values as Marquez writes them: instants, states of runs, ids that are made of names."""

import time
from functools import lru_cache
from typing import Any, TypeAlias
from uuid import UUID, uuid5

from headwater.openlineage.model.event import EventType
from headwater.openlineage.model.instants import instant_text
from headwater.query.graph.answer import TableName

Json: TypeAlias = dict[str, Any]

_NAMESPACE = UUID("4b1d6b1c-0f0e-5e35-9f2c-3f6b6a1d8e21")
_STATES = {EventType.COMPLETE: "COMPLETED", EventType.FAIL: "FAILED", EventType.ABORT: "ABORTED"}
_DAY, _SECOND, _MILLI = 86_400_000_000, 1_000_000, 1_000


@lru_cache(maxsize=4096)  # of a run, the same instant is shown under several names
def instant(us: int) -> str:
    """An instant with as many digits as it needs: none, three or six.

    >>> instant(0), instant(1_500_000), instant(1)
    ('1970-01-01T00:00:00Z', '1970-01-01T00:00:01.500Z', '1970-01-01T00:00:00.000001Z')
    """
    day, rest = divmod(us, _DAY)
    seconds, micros = divmod(rest, _SECOND)
    written = f"{_date(day)}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if not micros:
        return written + "Z"
    return f"{written}.{micros:06}Z" if micros % _MILLI else f"{written}.{micros // _MILLI:03}Z"


@lru_cache(maxsize=4096)
def _date(day: int) -> str:
    return instant_text(day * _DAY)[: -len("00:00:00.000000Z")]


def now_us() -> int:
    """Now, in microseconds UTC."""
    return time.time_ns() // 1_000


def instant_or_none(us: int | None) -> str | None:
    """An instant, where it is known."""
    return None if us is None else instant(us)


def state_of(end_type: int | None, *, begun: bool) -> str:
    """The state of a run; one that nobody started is new.

    >>> state_of(3, begun=True), state_of(None, begun=True), state_of(None, begun=False)
    ('COMPLETED', 'RUNNING', 'NEW')
    """
    if end_type is not None:
        return _STATES[EventType(end_type)]
    return "RUNNING" if begun else "NEW"


def uuid_of(*parts: str) -> str:
    """An id made of names: the same in every store.

    >>> uuid_of("a", "b") == uuid_of("a", "b") != uuid_of("a:b")
    True
    """
    return str(uuid5(_NAMESPACE, "\n".join(f"{len(part)} {part}" for part in parts)))


@lru_cache(maxsize=4096)
def job_version(job: TableName, inputs: tuple[TableName, ...], outputs: tuple[TableName, ...]) -> str:
    """The id of a job's version: its name, and what it reads and writes."""
    parts = [job.namespace, job.name]
    for kind, names in (("reads", inputs), ("writes", outputs)):
        parts += [kind, *(part for name in sorted(set(names)) for part in (name.namespace, name.name))]
    return uuid_of(*parts)


def name_json(name: TableName) -> Json:
    """A dataset's or a job's name."""
    return {"namespace": name.namespace, "name": name.name}
