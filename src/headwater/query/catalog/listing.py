"""Pages of a store: the names of datasets and jobs, and the raw events."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, ClassVar

from headwater.common.codec import plain
from headwater.notebook.rows import Tabular
from headwater.query.cursors import read_hash, read_place, written_place
from headwater.query.graph.answer import TableName
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.entities.raw_events import read_events
from headwater.store.reads.names import page_by_key


@dataclass(frozen=True, slots=True)
class NamesPage(Tabular):
    """Names of datasets or jobs; `cursor` leads to the next page and is None on the last."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("namespace", "name")

    names: tuple[TableName, ...]
    cursor: str | None

    def rows(self) -> list[dict[str, object]]:
        """One flat row for each name."""
        return [plain(name) for name in self.names]


@dataclass(frozen=True, slots=True)
class EventsPage(Tabular):
    """Raw events by time; `cursor` leads to the next page and is None on the last."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("eventTime", "eventType", "event")

    events: tuple[dict[str, Any], ...]
    cursor: str | None

    def rows(self) -> list[dict[str, object]]:
        """One flat row for each event, with the whole event as JSON."""
        return [
            {"eventTime": event.get("eventTime"), "eventType": event.get("eventType"), "event": json.dumps(event)}
            for event in self.events
        ]


def list_names(
    session: Session, kind: Kind, *, namespaces: Collection[str] | None = None, limit: int, cursor: str | None = None
) -> NamesPage:
    """List datasets or jobs, in an order that is the same in every store with the same names.

    The limit counts names of all namespaces: a page may hold fewer, or none, and still have a next page.
    """
    rows = page_by_key(session, kind, read_hash(cursor), limit)
    names = (TableName(*name) for _, *name in rows if namespaces is None or name[0] in namespaces)
    return NamesPage(tuple(names), rows[-1][0].hex() if len(rows) == limit else None)


def list_events(
    session: Session, *, since: int | None = None, until: int | None = None, limit: int, cursor: str | None = None
) -> EventsPage:
    """List raw events by time; a page of large events may hold fewer than the limit."""
    events, place = read_events(session, read_place(cursor), since=since, until=until, most=limit)
    return EventsPage(tuple(events), written_place(place))
