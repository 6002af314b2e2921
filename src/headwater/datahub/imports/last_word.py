"""The last word on a moment: an event that comes after those that the store has of the same moment.

Of two events of one moment, the store takes the one with the greater hash for the later one. What is said again of a
moment, since something became known only afterwards, carries a number with which its hash is the greatest.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from headwater.datahub.imports.builder import Told
from headwater.datahub.imports.state import DATASET
from headwater.openlineage.model.event import BadEvent
from headwater.openlineage.model.producer import PRODUCER
from headwater.store.db.codes import EventKind, Role
from headwater.store.db.session import Given, Session
from headwater.store.entities.keys import hash_of
from headwater.store.ingest.prepared_event import make_ready

AGAIN = "headwater_again"
"""The facet with the number."""
_OF_DATASETS = f"""
SELECT given.place, event.hash FROM {{given}} {{join}} dataset ON dataset.key = given.key
{{join}} mention ON mention.dataset = dataset.id AND mention.role = {Role.DECLARED}
{{join}} event ON event.shape = mention.shape AND event.us = given.us
"""  # noqa: S608  our own words
_OF_JOBS = f"""
SELECT given.place, event.hash FROM {{given}} {{join}} job ON job.key = given.key
{{join}} shape ON shape.job = job.id AND shape.kind = {EventKind.JOB}
{{join}} event ON event.shape = shape.id AND event.us = given.us
"""  # noqa: S608  our own words


def be_last(session: Session, told: Sequence[Told]) -> list[Told]:
    """Events that say the same, each the last of its moment; one that is so already stays as it is."""
    said: dict[int, set[bytes]] = defaultdict(set)
    for statement, datasets in ((_OF_DATASETS, True), (_OF_JOBS, False)):
        rows = [
            (place, hash_of(*one.whose[1]), one.us)
            for place, one in enumerate(told)
            if (one.whose[0] == DATASET) is datasets
        ]
        for place, hashed in session.rows(statement, Given("place int, key bytes, us int", rows)):
            said[place].add(bytes(hashed)[:8])
    return [
        one._replace(event=_after(one.event, said[place])) if place in said else one
        for place, one in enumerate(told)
        if place in said or not one.again
    ]


def _after(event: dict[str, Any], said: set[bytes]) -> dict[str, Any]:
    last = max(said)
    for number in count():
        one = _numbered(event, number) if number else event
        try:
            hashed = make_ready(one).hash[:8]
        except BadEvent:
            return event  # the store says why
        if hashed >= last:
            return one
    raise AssertionError


def _numbered(event: Mapping[str, Any], number: int) -> dict[str, Any]:
    """An event with a number in it.

    >>> _numbered({"job": {"name": "daily"}}, 2)["job"]["facets"]["headwater_again"]["number"]
    2
    """
    kind = "dataset" if "dataset" in event else "job"
    facet = {"_producer": PRODUCER, "_schemaURL": "urn:headwater:facet:again", "number": number}
    named = event[kind]
    return {**event, kind: {**named, "facets": {**named.get("facets", {}), AGAIN: facet}}}
