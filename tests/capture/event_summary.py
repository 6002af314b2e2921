"""What an event says, in few words, for comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def names(datasets: Iterable[Mapping[str, Any]]) -> set[tuple[str, str]]:
    """The namespaces and names of an event's inputs or outputs."""
    return {(dataset["namespace"], dataset["name"]) for dataset in datasets}


def columns(output: Mapping[str, Any]) -> dict[str, list[str]]:
    """Where an output's columns come from: `dataset.column SUBTYPE`, under `rows` what decided about the rows.

    A dataset goes by the last part of its name.
    """
    facet = output["facets"]["columnLineage"]
    found = {name: lines(field["inputFields"]) for name, field in facet["fields"].items()}
    rows = lines(facet.get("dataset", ()))
    return {**found, "rows": rows} if rows else found


def opaque(event: Mapping[str, Any]) -> dict[str, int]:
    """What was not understood."""
    found: dict[str, int] = event["run"]["facets"].get("headwater_capture", {}).get("opaque", {})
    return found


def lines(fields: Iterable[Mapping[str, Any]]) -> list[str]:
    """Input fields in their order: `dataset.column SUBTYPE`."""
    return sorted(
        f"{field['name'].replace('/', '.').rpartition('.')[2]}.{field['field']} {step['subtype']}"
        for field in fields
        for step in field["transformations"]
    )
