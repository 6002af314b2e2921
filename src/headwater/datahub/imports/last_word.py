"""The last word on a moment: an event that the store orders after those it has from the same moment.

Of two events from one moment, the store takes the one with the greater hash as the later. An event that corrects an
earlier one carries a number that makes its hash the greatest, by as little as one of some hundred numbers can: so
that as many others can follow, each at the same cost.
"""

import secrets
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from headwater.datahub.imports.builder import BuiltEvent
from headwater.datahub.imports.state import DATASET, JOB
from headwater.openlineage.model.event import BadEvent
from headwater.openlineage.model.producer import PRODUCER
from headwater.store.db.session import Session
from headwater.store.entities.keys import hash_of
from headwater.store.ingest.prepared_event import make_ready
from headwater.store.model.order import TIE_BYTES, digest
from headwater.store.reads.events import declarations_at

AGAIN = "headwater_again"
"""The facet with the number."""
# How many numbers are tried; fewer for a large event, since each takes a hash of all of it.
_NUMBERS, _FEWEST = 512, 16
_MOST_BYTES = 8_000_000
_MARKER_BITS = 62


def be_last(session: Session, events: Sequence[BuiltEvent]) -> tuple[list[BuiltEvent], list[BuiltEvent]]:
    """The same events, each made the last of its moment; and those that come after too many others of their moment.

    A repeat is dropped where the store has nothing else then.
    """
    hashes: dict[int, set[bytes]] = defaultdict(set)
    for table in (DATASET, JOB):
        places = [place for place, event in enumerate(events) if event.entity[0] == table]
        moments = [(hash_of(*events[place].entity[1]), events[place].us) for place in places]
        for index, hashed in declarations_at(session, table, moments):
            hashes[places[index]].add(bytes(hashed)[:TIE_BYTES])
    last: list[BuiltEvent] = []
    too_late: list[BuiltEvent] = []
    for place, event in enumerate(events):
        if place in hashes:
            numbered = _after(event.event, max(hashes[place]))
            if numbered is None:
                too_late.append(event)
            else:
                last.append(event._replace(event=numbered))
        elif not event.repeat:
            last.append(event)
    return last, too_late


def _after(event: dict[str, Any], last: bytes) -> dict[str, Any] | None:
    """The event with a number by which it comes after a hash, but not far after: others may follow.

    It is the event itself where that has the hash already, and None where no number will do.
    """
    marker = secrets.randbits(_MARKER_BITS)  # a number that is nowhere else in the event
    try:
        hashed = make_ready(event).hash[:TIE_BYTES]
        marked = make_ready(_numbered(event, marker))
    except BadEvent:
        return event  # the store says why
    if hashed == last:
        return event
    best = (hashed, 0) if hashed > last else None
    before, _, after = marked.content().partition(b"%d" % marker)
    for number in range(1, 1 + max(_FEWEST, min(_NUMBERS, _MOST_BYTES // len(before + after)))):
        hashed = digest(digest(b"%b%d%b" % (before, number, after)) + marked.rest)[:TIE_BYTES]
        if hashed >= last and (best is None or hashed < best[0]):
            best = hashed, number
    if best is None:
        return None
    return _numbered(event, best[1]) if best[1] else event


def _numbered(event: Mapping[str, Any], number: int) -> dict[str, Any]:
    """An event with a number in it.

    >>> _numbered({"job": {"name": "daily"}}, 2)["job"]["facets"]["headwater_again"]["number"]
    2
    """
    kind = "dataset" if "dataset" in event else "job"
    facet = {"_producer": PRODUCER, "_schemaURL": "urn:headwater:facet:again", "number": number}
    entity = event[kind]
    return {**event, kind: {**entity, "facets": {**entity.get("facets", {}), AGAIN: facet}}}
