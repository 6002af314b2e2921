"""Smaller forms of an event that an endpoint refuses: without column lineage first, and marked as such.

An endpoint may refuse an event for its size, or for a facet that it does not accept. A lost event leaves a gap; without
column lineage it still says which tables were read and written, and without tables that there was a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from headwater.openlineage.build.facets import withheld

_BY_COLUMNS = frozenset({"columnLineage", "lineage", "headwater_rows", "headwater_views"})
# The facets that identify a dataset or run, and say what happened to it.
_NEEDED = frozenset({
    "symlinks", "lifecycleStateChange", "version", "parent", "jobType", "subset", "headwater_behindViews",
    "headwater_capture",
})  # fmt: skip
_DATASETS = ("inputs", "outputs")
# The list of what is missing must not be large itself.
_MOST_NAMES = 3
_LONGEST_NAME = 200


def smaller(event: Mapping[str, Any], reason: str) -> Iterator[dict[str, Any]]:
    """The event without column lineage, then with little more than names, then without datasets.

    Each form says what is missing, and why.

    >>> out = {"namespace": "lake", "name": "t", "facets": {"columnLineage": {"fields": {}}, "schema": {"fields": []}}}
    >>> event = {"run": {"runId": "…"}, "job": {"namespace": "shop", "name": "daily"}, "outputs": [out]}
    >>> [[sorted(out["facets"]) for out in form["outputs"]] for form in smaller(event, "too large")]
    [[['schema']], [[]], []]
    >>> next(smaller(event, "too large"))["run"]["facets"]["headwater_capture"]["withheld"]
    ['columnLineage of t: the event was refused: too large']
    """
    names = _facet_names(event)
    if names & _BY_COLUMNS:
        yield _without(event, _BY_COLUMNS, reason)
    if names - _BY_COLUMNS - _NEEDED:
        yield _without(event, names - _NEEDED, reason)
    if any(event.get(place) for place in _DATASETS):
        yield _without(_without_datasets(event), names - _NEEDED, reason, _dataset_names(event))


def _without_datasets(event: Mapping[str, Any]) -> dict[str, Any]:
    return {**event, **{place: [] for place in _DATASETS if place in event}}


def _dataset_names(event: Mapping[str, Any]) -> dict[str, list[str]]:
    return {role: [str(dataset.get("name", "")) for dataset in event[role]] for role in _DATASETS if event.get(role)}


def _facet_names(event: Mapping[str, Any]) -> set[str]:
    return {name for _, part in _parts(event) for facets in _kinds_of(part) for name in part[facets]}


def _without(
    event: Mapping[str, Any],
    names: set[str] | frozenset[str],
    reason: str,
    left_out: Mapping[str, list[str]] | None = None,
) -> dict[str, Any]:
    """The event without the facets `names`; `left_out` are the datasets that are left out already, by role."""
    reduced: dict[str, Any] = {**event, **{place: [] for place in _DATASETS if event.get(place)}}
    missing: dict[str, list[str]] = {role: [*datasets] for role, datasets in (left_out or {}).items()}
    for place, part in _parts(event):
        reduced_part = {**part}
        for facets in _kinds_of(part):
            reduced_part[facets] = {name: facet for name, facet in part[facets].items() if name not in names}
            for name in part[facets]:
                if name in names:
                    missing.setdefault(name, []).append(str(part.get("name", place)))
        if place in _DATASETS:
            reduced[place].append(reduced_part)
        else:
            reduced[place] = reduced_part
    messages = [f"{key} of {_first_names(owners)}: the event was refused: {reason}" for key, owners in missing.items()]
    marked = "run" if "run" in reduced else "dataset" if "dataset" in reduced else "job"
    facets = reduced[marked].setdefault("facets", {})
    reduced[marked]["facets"] = {**facets, **withheld(messages, facets.get("headwater_capture", {}))}
    return reduced


def _first_names(names: Sequence[str]) -> str:
    """The first names, and how many more there are.

    >>> _first_names(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    shown = [name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…" for name in names[:_MOST_NAMES]]
    return ", ".join(shown) + (f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else "")


def _parts(event: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The parts of an event that have facets, each with its place."""
    for place in ("run", "job", "dataset"):
        if isinstance(event.get(place), Mapping):
            yield place, event[place]
    for place in _DATASETS:
        for dataset in event.get(place) or ():
            if isinstance(dataset, Mapping):
                yield place, dataset


def _kinds_of(part: Mapping[str, Any]) -> Iterator[str]:
    return (kind for kind in ("facets", "inputFacets", "outputFacets") if isinstance(part.get(kind), Mapping))
