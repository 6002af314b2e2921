"""An event that somebody refuses, in smaller forms: what is known by columns is left out, and that is said.

An endpoint may refuse an event for its size, or for a facet that it does not take. Lost, it would leave a gap where a
table was written; without its columns it still says from which tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from headwater.openlineage.facets import withheld

_BY_COLUMNS = frozenset({"columnLineage", "lineage"})
# What says which dataset or run is meant, and what became of it.
_KEPT = frozenset({"symlinks", "lifecycleStateChange", "version", "parent", "jobType", "subset", "headwater_capture"})


def smaller(event: Mapping[str, Any], reason: str) -> Iterator[dict[str, Any]]:
    """The event without lineage by columns, then with little more than its names; each says what it lacks, and why.

    >>> out = {"namespace": "lake", "name": "t", "facets": {"columnLineage": {"fields": {}}, "schema": {"fields": []}}}
    >>> event = {"run": {"runId": "…"}, "job": {"namespace": "shop", "name": "daily"}, "outputs": [out]}
    >>> [sorted(one["outputs"][0]["facets"]) for one in smaller(event, "too large")]
    [['schema'], []]
    >>> next(smaller(event, "too large"))["run"]["facets"]["headwater_capture"]["withheld"]
    ['columnLineage of t: the event was refused: too large']
    """
    names = _facet_names(event)
    if names & _BY_COLUMNS:
        yield _without(event, _BY_COLUMNS, reason)
    if names - _BY_COLUMNS - _KEPT:
        yield _without(event, names - _KEPT, reason)


def _facet_names(event: Mapping[str, Any]) -> set[str]:
    return {name for _, part in _parts(event) for facets in _kinds_of(part) for name in part[facets]}


def _without(event: Mapping[str, Any], names: set[str] | frozenset[str], reason: str) -> dict[str, Any]:
    made: dict[str, Any] = {**event}
    said: list[str] = []
    for place, part in _parts(event):
        kept = {**part}
        for facets in _kinds_of(part):
            kept[facets] = {name: facet for name, facet in part[facets].items() if name not in names}
            said += [
                f"{name} of {part.get('name', place)}: the event was refused: {reason}"
                for name in part[facets]
                if name in names
            ]
        if place in {"inputs", "outputs"}:
            made[place] = [*(made[place] if made[place] is not event[place] else ()), kept]
        else:
            made[place] = kept
    marked = "run" if "run" in made else "dataset" if "dataset" in made else "job"
    facets = made[marked].setdefault("facets", {})
    made[marked]["facets"] = {**facets, **withheld(said, facets.get("headwater_capture", {}))}
    return made


def _parts(event: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What has facets, each with its place in the event."""
    for place in ("run", "job", "dataset"):
        if isinstance(event.get(place), Mapping):
            yield place, event[place]
    for place in ("inputs", "outputs"):
        for dataset in event.get(place) or ():
            if isinstance(dataset, Mapping):
                yield place, dataset


def _kinds_of(part: Mapping[str, Any]) -> Iterator[str]:
    return (kind for kind in ("facets", "inputFacets", "outputFacets") if isinstance(part.get(kind), Mapping))
