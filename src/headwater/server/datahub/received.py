"""From what a client of DataHub sends to changes, and to what is wrong with the others."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from headwater.datahub.aspects.changes import Change, changes_of
from headwater.datahub.imports.builder import Located
from headwater.datahub.imports.ingest import Place
from headwater.fields.errors import BadAspect, DataHubError
from headwater.server.ingest.event_bodies import is_deeper

_SHOWN = 300
# No database takes them in names.
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True)
class Refusal:
    """What was not taken: its place in the request, the entity and the aspect where they are known, and why."""

    index: int
    urn: str | None
    aspect: str | None
    reason: str

    def __str__(self) -> str:
        named = f"{self.urn[:_SHOWN]}, {self.aspect}: " if self.urn and self.aspect else ""
        return f"{named}{self.reason}"

    def to_dict(self) -> dict[str, object]:
        """As plain JSON."""
        return asdict(self)


@dataclass
class Received:
    """The changes of a request; the line of each change's place is that in `asked`."""

    changes: list[Located] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    asked: list[tuple[int, str, str]] = field(default_factory=list)

    def refusal(self, line: int, reason: str) -> Refusal:
        """What was refused later, when it was looked at with all that the store knows."""
        index, urn, aspect = self.asked[line]
        return Refusal(index, urn, aspect, reason)

    @property
    def urns(self) -> list[str]:
        """The entities that are changed, each once."""
        return list(dict.fromkeys(one.change.urn for one in self.changes))


def receive(records: Iterable[Any], us: int, depth: int, key: str = "") -> Received:
    """The changes that records say.

    Args:
        records: as `headwater.datahub.aspects.requests` has them.
        us: when those were that do not say so.
        depth: how deep an aspect may be nested.
        key: what tells this request from others.
    """
    found = Received()
    for index, record in enumerate(records):
        try:
            if isinstance(record, DataHubError):
                raise record
            for change in changes_of(record, stamped=False):
                _check(change, depth)
                when = us if change.us is None else change.us
                found.changes.append(Located(change, when, Place(key, len(found.asked))))
                found.asked.append((index, change.urn, change.aspect))
        except DataHubError as error:  # noqa: PERF203  each record is good or bad by itself
            found.refused.append(Refusal(index, *_named(record), str(error)))
    return found


def _check(change: Change, depth: int) -> None:
    if is_deeper(change.value, depth):
        raise BadAspect(f"It is nested more than {depth} levels deep.")
    rest: list[Any] = [change.urn, change.aspect, change.value]
    while rest:
        one = rest.pop()
        if isinstance(one, str):
            if _NO_TEXT.search(one):
                raise BadAspect("It contains a NUL character or an unpaired surrogate.")
        elif isinstance(one, Mapping):
            rest += one.keys()
            rest += one.values()
        elif isinstance(one, list):
            rest += one


def _named(record: object) -> tuple[str | None, str | None]:
    held = record if isinstance(record, Mapping) else {}
    urn, aspect = held.get("entityUrn"), held.get("aspectName")
    return urn if isinstance(urn, str) else None, aspect if isinstance(aspect, str) else None
