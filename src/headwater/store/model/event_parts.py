"""An event in two parts: what repeats from run to run, and the rest; pure, and put together again without loss.

What repeats is stored once for all the runs that say the same. The rest is the run, the time, what was measured, and
which versions were read and written.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from headwater.openlineage.model.check import is_object
from headwater.openlineage.model.parse_facets import BEHIND_VIEWS
from headwater.store.db.codes import EventKind

LISTS = ("inputs", "outputs")
"""The members of an event that are lists of datasets."""
HAPPENED = frozenset({"eventTime", "eventType", "run"})
"""The members of an event that do not repeat."""
ROLE_FACETS = ("inputFacets", "outputFacets")
"""The members of a dataset that say what a run did with it."""
LASTING_ROLE_FACETS = frozenset({"subset", BEHIND_VIEWS})
"""What a run says of its own reading and writing that belongs to the job.

That is that only some of the data was meant, or that it was read through views.
"""
VERSION = "version"
"""The facet of a dataset that does not repeat."""
RECEIVED = "headwater_received"
"""The member of the rest that holds an event as it came, secrets included, where the store is told to keep that."""


class KnownBody(NamedTuple):
    """A body that was checked before: its hash, how many bytes it has, and of which kind of event it is."""

    hash: bytes
    size: int
    kind: EventKind


@dataclass(frozen=True, slots=True)
class Parts:
    """The two parts, as plain JSON."""

    body: dict[str, Any]
    rest: dict[str, Any]


def split(event: Mapping[str, Any]) -> Parts:
    """Take an event apart; what is not as it should be stays in the body, where reading it will say so.

    >>> parts = split({"eventTime": "T", "job": {"name": "j"}, "outputs": [{"name": "o", "outputFacets": {"size": 1}}]})
    >>> parts.body
    {'job': {'name': 'j'}, 'outputs': [{'name': 'o'}]}
    >>> parts.rest
    {'eventTime': 'T', 'outputs': {'0': {'outputFacets': {'size': 1}}}}
    """
    body: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for key, value in event.items():
        if key in HAPPENED:
            rest[key] = value
        elif key in LISTS and isinstance(value, list | tuple):
            pairs = [_split_dataset(item) for item in value]
            body[key] = [lasting for lasting, _ in pairs]
            if moved := {str(place): own for place, (_, own) in enumerate(pairs) if own}:
                rest[key] = moved
        elif key == "dataset":
            body[key], own = _split_dataset(value)
            if own:
                rest[key] = own
        else:
            body[key] = value
    return Parts(body, rest)


def _split_dataset(item: Any) -> tuple[Any, dict[str, Any]]:  # noqa: ANN401  JSON
    if not is_object(item):
        return item, {}
    lasting, own = dict(item), {}
    facets = item.get("facets")
    if is_object(facets) and VERSION in facets:
        lasting["facets"] = {name: facet for name, facet in facets.items() if name != VERSION}
        own["facets"] = {VERSION: facets[VERSION]}
    for key in ROLE_FACETS:
        facets = item.get(key)
        if is_object(facets):
            del lasting[key]
            if kept := {name: facets[name] for name in facets if name in LASTING_ROLE_FACETS}:
                lasting[key] = kept
            own[key] = {name: facet for name, facet in facets.items() if name not in LASTING_ROLE_FACETS}
    return lasting, own


def join(parts: Parts) -> dict[str, Any]:
    """Put an event together again.

    >>> event = {"eventTime": "T", "inputs": [{"name": "i", "facets": {"version": {"datasetVersion": "7"}}}]}
    >>> join(split(event)) == event
    True
    """
    event = dict(parts.body)
    for key, value in parts.rest.items():
        if key == RECEIVED:
            continue
        if key in LISTS and key in event:
            event[key] = [_join_dataset(item, value.get(str(place), {})) for place, item in enumerate(event[key])]
        elif key == "dataset":
            event[key] = _join_dataset(event[key], value)
        else:
            event[key] = value
    return event


def _join_dataset(item: Any, own: Mapping[str, Any]) -> Any:  # noqa: ANN401  JSON
    if not own:
        return item
    return {**item, **{key: {**(item.get(key) or {}), **facets} for key, facets in own.items()}}
