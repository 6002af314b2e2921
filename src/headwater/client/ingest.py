"""Events for a server: split into requests of a size that it takes, and their results added up."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from headwater.common.codec import NotUnderstood, typed
from headwater.openlineage.model.limits import MOST_LEVELS
from headwater.store.store import IngestResult, Rejected

_EVENTS = 1_000
_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class _Refused:
    """An event that a server rejected; without a field, the event as a whole."""

    index: int
    field: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class _Result:
    """A server's answer to a request."""

    accepted: int
    duplicates: int
    rejected: tuple[_Refused, ...]
    ahead_count: int = 0


@dataclass(slots=True)
class Request:
    """Some events with their positions in the whole, and those that cannot be written as JSON."""

    places: list[int] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)

    @property
    def document(self) -> bytes:
        """The body of the request; empty without events."""
        return f"[{','.join(self.written)}]".encode() if self.written else b""


def in_requests(events: Sequence[Mapping[str, Any]]) -> Iterator[Request]:
    """Events in requests of a size that a server takes.

    >>> [request.places for request in in_requests([{}] * 1_001)][1]
    [1000]
    """
    request, size = Request(), 0
    for place, event in enumerate(events):
        try:
            written = json.dumps(event, allow_nan=False, separators=(",", ":"))
        except RecursionError:
            request.rejected.append(Rejected(place, "", f"The event is nested more than {MOST_LEVELS} levels deep"))
            continue
        except (TypeError, ValueError) as error:
            request.rejected.append(Rejected(place, "", f"The event is not JSON: {error}"))
            continue
        if request.places and (len(request.places) == _EVENTS or size + len(written) > _BYTES):
            yield request
            request, size = Request(), 0
        request.places.append(place)
        request.written.append(written)
        size += len(written)
    yield request


def read_result(request: Request, body: object) -> IngestResult | None:
    """The result of a request, by positions in the whole; None if the answer has none."""
    try:
        result = typed(_Result, body)
        rejected = [Rejected(request.places[bad.index], bad.field or "", bad.reason) for bad in result.rejected]
    except (NotUnderstood, IndexError):
        return None
    return IngestResult(result.accepted, result.duplicates, (*rejected, *request.rejected), result.ahead_count)


def add_results(results: Iterable[IngestResult]) -> IngestResult:
    """The results of several requests as one."""
    listed = list(results)
    rejected = sorted((bad for result in listed for bad in result.rejected), key=lambda bad: bad.index)
    return IngestResult(
        sum(result.accepted for result in listed),
        sum(result.duplicates for result in listed),
        tuple(rejected),
        sum(result.ahead for result in listed),
    )
