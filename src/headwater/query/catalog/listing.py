"""What a store holds, a page at a time: the names of datasets and jobs, and the raw events."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from headwater.common.codec import plain
from headwater.notebook.rows import Tabular
from headwater.query.cursors import read_hash, read_place, written_place
from headwater.query.graph.answer import TableName
from headwater.store.db.session import Session
from headwater.store.entities.raw_events import read_events

# By the hash of the name: an index has it, and the same names are in the same order in every store. An index could not
# hold the names themselves, which may be of any length; and to sort them for each page takes longer the more there are.
_NAMES = "SELECT t.key, t.namespace, t.name FROM {table} t WHERE t.key > :after ORDER BY t.key LIMIT :most"


@dataclass(frozen=True, slots=True)
class NamesPage(Tabular):
    """Names of datasets or jobs; `cursor` leads to the next page, and is None on the last."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("namespace", "name")

    names: tuple[TableName, ...]
    cursor: str | None

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, one a name."""
        return [plain(name) for name in self.names]


@dataclass(frozen=True, slots=True)
class EventsPage(Tabular):
    """Raw events by time; `cursor` leads to the next page, and is None on the last."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("eventTime", "eventType", "event")

    events: tuple[dict[str, Any], ...]
    cursor: str | None

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, one an event, with the whole of it as JSON."""
        return [
            {"eventTime": event.get("eventTime"), "eventType": event.get("eventType"), "event": json.dumps(event)}
            for event in self.events
        ]


def list_names(
    session: Session,
    table: Literal["dataset", "job"],
    *,
    namespaces: Collection[str] | None = None,
    limit: int,
    cursor: str | None = None,
) -> NamesPage:
    """Names in an order of their own, which is the same wherever the same names are.

    So many are read, whatever their namespaces: a page may hold fewer, and be followed by others.
    """
    rows = session.rows(_NAMES.format(table=table), after=read_hash(cursor), most=limit)
    names = (TableName(namespace, name) for _, namespace, name in rows if namespaces is None or namespace in namespaces)
    return NamesPage(tuple(names), bytes(rows[-1][0]).hex() if len(rows) == limit else None)


def list_events(
    session: Session, *, since: int | None = None, until: int | None = None, limit: int, cursor: str | None = None
) -> EventsPage:
    """Raw events by time; a page may hold fewer than the limit where they are large."""
    events, place = read_events(session, read_place(cursor), since=since, until=until, most=limit)
    return EventsPage(tuple(events), written_place(place))
