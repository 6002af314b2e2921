"""An event that somebody refuses, in smaller forms: what is known by columns is left out, and that is said.

An endpoint may refuse an event for its size, or for a facet that it does not take. Lost, it would leave a gap where a
table was written; without its columns it still says from which tables, and without these that there was a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from headwater.openlineage.build.facets import withheld

_BY_COLUMNS = frozenset({"columnLineage", "lineage"})
# What says which dataset or run is meant, and what became of it.
_KEPT = frozenset({"symlinks", "lifecycleStateChange", "version", "parent", "jobType", "subset", "headwater_capture"})
_DATASETS = ("inputs", "outputs")
# So many names are told of what something was left out of; what says what is missing must not be large itself.
_MOST_NAMES = 3
_LONGEST_NAME = 200


def smaller(event: Mapping[str, Any], reason: str) -> Iterator[dict[str, Any]]:
    """The event without lineage by columns, then with little more than names, then without datasets.

    Each form says what it lacks, and why.

    >>> out = {"namespace": "lake", "name": "t", "facets": {"columnLineage": {"fields": {}}, "schema": {"fields": []}}}
    >>> event = {"run": {"runId": "…"}, "job": {"namespace": "shop", "name": "daily"}, "outputs": [out]}
    >>> [[sorted(out["facets"]) for out in one["outputs"]] for one in smaller(event, "too large")]
    [[['schema']], [[]], []]
    >>> next(smaller(event, "too large"))["run"]["facets"]["headwater_capture"]["withheld"]
    ['columnLineage of t: the event was refused: too large']
    """
    names = _facet_names(event)
    if names & _BY_COLUMNS:
        yield _without(event, _BY_COLUMNS, reason)
    if names - _BY_COLUMNS - _KEPT:
        yield _without(event, names - _KEPT, reason)
    if any(event.get(place) for place in _DATASETS):
        yield _without(_without_datasets(event), names - _KEPT, reason, _left_out(event))


def _without_datasets(event: Mapping[str, Any]) -> dict[str, Any]:
    return {**event, **{place: [] for place in _DATASETS if place in event}}


def _left_out(event: Mapping[str, Any]) -> dict[str, list[str]]:
    return {place: [str(one.get("name", "")) for one in event[place]] for place in _DATASETS if event.get(place)}


def _facet_names(event: Mapping[str, Any]) -> set[str]:
    return {name for _, part in _parts(event) for facets in _kinds_of(part) for name in part[facets]}


def _without(
    event: Mapping[str, Any],
    names: set[str] | frozenset[str],
    reason: str,
    left_out: Mapping[str, list[str]] | None = None,
) -> dict[str, Any]:
    """The event without the facets of some names; `left_out` is what it lacks already, by names."""
    made: dict[str, Any] = {**event, **{place: [] for place in _DATASETS if event.get(place)}}
    lacks: dict[str, list[str]] = {what: [*these] for what, these in (left_out or {}).items()}
    for place, part in _parts(event):
        kept = {**part}
        for facets in _kinds_of(part):
            kept[facets] = {name: facet for name, facet in part[facets].items() if name not in names}
            for name in part[facets]:
                if name in names:
                    lacks.setdefault(name, []).append(str(part.get("name", place)))
        if place in _DATASETS:
            made[place].append(kept)
        else:
            made[place] = kept
    said = [f"{what} of {_some(these)}: the event was refused: {reason}" for what, these in lacks.items()]
    marked = "run" if "run" in made else "dataset" if "dataset" in made else "job"
    facets = made[marked].setdefault("facets", {})
    made[marked]["facets"] = {**facets, **withheld(said, facets.get("headwater_capture", {}))}
    return made


def _some(names: Sequence[str]) -> str:
    """Some names, and how many more there are.

    >>> _some(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    shown = [name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…" for name in names[:_MOST_NAMES]]
    return ", ".join(shown) + (f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else "")


def _parts(event: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What has facets, each with its place in the event."""
    for place in ("run", "job", "dataset"):
        if isinstance(event.get(place), Mapping):
            yield place, event[place]
    for place in _DATASETS:
        for dataset in event.get(place) or ():
            if isinstance(dataset, Mapping):
                yield place, dataset


def _kinds_of(part: Mapping[str, Any]) -> Iterator[str]:
    return (kind for kind in ("facets", "inputFacets", "outputFacets") if isinstance(part.get(kind), Mapping))
