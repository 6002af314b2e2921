"""Requests of DataHub's clients as changes, and the reasons of those that are refused."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from headwater.datahub.aspects.changes import changes_of
from headwater.datahub.imports.builder import Located
from headwater.datahub.imports.ingest import Place
from headwater.fields.errors import BadAspect, DataHubError
from headwater.openlineage.model.check import is_deeper

_SHOWN = 300


@dataclass(frozen=True)
class Refusal:
    """A refused change: its place in the request, the entity and the aspect where they are known, and why."""

    index: int
    urn: str | None
    aspect: str | None
    reason: str

    def __str__(self) -> str:
        named = f"{self.urn[:_SHOWN]}, {self.aspect}: " if self.urn and self.aspect else ""
        return f"{named}{self.reason}"


@dataclass
class Received:
    """The changes of a request; the line of each change's place is its index in `asked`."""

    changes: list[Located] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    asked: list[tuple[int, str, str]] = field(default_factory=list)

    def refusal(self, line: int, reason: str) -> Refusal:
        """The refusal of a change by the importer, which knows the store."""
        index, urn, aspect = self.asked[line]
        return Refusal(index, urn, aspect, reason)

    @property
    def urns(self) -> list[str]:
        """The changed entities, each once."""
        return list(dict.fromkeys(located.change.urn for located in self.changes))


def receive(records: Iterable[Any], us: int, depth: int, key: str = "") -> Received:
    """Read the changes in the records of the request `key`; those that name no time happen at `us`."""
    received = Received()
    for index, record in enumerate(records):
        try:
            if isinstance(record, DataHubError):
                raise record
            for change in changes_of(record, stamped=False):
                if is_deeper(change.value, depth):
                    raise BadAspect(f"It is nested more than {depth} levels deep.")
                when = us if change.us is None else change.us
                received.changes.append(Located(change, when, Place(key, len(received.asked))))
                received.asked.append((index, change.urn, change.aspect))
        except DataHubError as error:  # noqa: PERF203  each record is good or bad by itself
            received.refused.append(Refusal(index, *_entity_and_aspect(record), str(error)))
    return received


def _entity_and_aspect(change: object) -> tuple[str | None, str | None]:
    fields = change if isinstance(change, Mapping) else {}
    urn, aspect = fields.get("entityUrn"), fields.get("aspectName")
    return urn if isinstance(urn, str) else None, aspect if isinstance(aspect, str) else None
