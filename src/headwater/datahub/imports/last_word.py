"""The last word on a moment: an event that the store orders after those it has from the same moment.

Of two events from one moment, the store takes the one with the greater hash as the later. An event that corrects an
earlier one carries a number that makes its hash the greatest.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from headwater.datahub.imports.builder import BuiltEvent
from headwater.datahub.imports.state import DATASET, JOB
from headwater.openlineage.model.event import BadEvent
from headwater.openlineage.model.producer import PRODUCER
from headwater.store.db.session import Session
from headwater.store.entities.keys import hash_of
from headwater.store.ingest.prepared_event import make_ready
from headwater.store.reads.events import declarations_at

AGAIN = "headwater_again"
"""The facet with the number."""


def be_last(session: Session, events: Sequence[BuiltEvent]) -> list[BuiltEvent]:
    """The same events, each made the last of its moment; a repeat is dropped where the store has nothing else then."""
    hashes: dict[int, set[bytes]] = defaultdict(set)
    for table in (DATASET, JOB):
        places = [place for place, event in enumerate(events) if event.entity[0] == table]
        moments = [(hash_of(*events[place].entity[1]), events[place].us) for place in places]
        for index, hashed in declarations_at(session, table, moments):
            hashes[places[index]].add(bytes(hashed)[:8])
    return [
        event._replace(event=_after(event.event, hashes[place])) if place in hashes else event
        for place, event in enumerate(events)
        if place in hashes or not event.repeat
    ]


def _after(event: dict[str, Any], hashes: set[bytes]) -> dict[str, Any]:
    last = max(hashes)
    for number in count():
        numbered = _numbered(event, number) if number else event
        try:
            hashed = make_ready(numbered).hash[:8]
        except BadEvent:
            return event  # the store says why
        if hashed >= last:
            return numbered
    raise AssertionError


def _numbered(event: Mapping[str, Any], number: int) -> dict[str, Any]:
    """An event with a number in it.

    >>> _numbered({"job": {"name": "daily"}}, 2)["job"]["facets"]["headwater_again"]["number"]
    2
    """
    kind = "dataset" if "dataset" in event else "job"
    facet = {"_producer": PRODUCER, "_schemaURL": "urn:headwater:facet:again", "number": number}
    entity = event[kind]
    return {**event, kind: {**entity, "facets": {**entity.get("facets", {}), AGAIN: facet}}}
