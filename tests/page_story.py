"""Couriers of the food-delivery warehouse, for the page's tests: changing lineage, and a tagged column that travels.

On Tuesday the job `couriers` begins to hash the phone, reads no zone any more, and reads the vehicle.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import NAMESPACE_URL, uuid5

_PRODUCER = "https://example.com/food-delivery"
_SOURCE = {"namespace": "file", "name": "/food/landing/couriers"}
_DAYS = ("2025-05-12", "2025-05-13", "2025-05-14")
_COPY = ("DIRECT", "IDENTITY", False, "")
_HASH = ("DIRECT", "TRANSFORMATION", True, "sha2(phone, 256)")
# Nobody says what comes out of it.
_OPAQUE = ("DIRECT", "", False, "to_crm(phone)")
_FILTER = ("INDIRECT", "FILTER", False, "phone IS NOT NULL")


def couriers() -> list[dict[str, object]]:
    """All events, by time."""
    first, *later = _DAYS
    last = later[-1]
    before = {"id": ("id", _COPY), "phone": ("phone", _COPY), "zone": ("zone", _COPY)}
    after = {"id": ("id", _COPY), "phone": ("phone", _HASH), "vehicle": ("vehicle", _COPY)}
    roster = {"name": ("name", _COPY), "phone": ("phone", _COPY)}
    return [
        _tagged(),
        _written(f"{first}T07:00:00Z", "warehouse/couriers", before),
        *(_written(f"{day}T07:00:00Z", "warehouse/couriers", after) for day in later),
        _written(f"{last}T07:10:00Z", "exports/roster", roster, [_input("phone", _FILTER)]),
        _written(f"{last}T07:20:00Z", "exports/crm", {"payload": ("phone", _OPAQUE)}),
    ]


def _tagged() -> dict[str, object]:
    tags = {"tags": [{"key": "PII", "value": "true", "field": "phone"}]}
    return {
        "eventTime": f"{_DAYS[0]}T00:00:00Z",
        "producer": _PRODUCER,
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent",
        "dataset": {**_SOURCE, "facets": {"tags": tags}},
    }


def _written(
    at: str,
    table: str,
    columns: Mapping[str, tuple[str, tuple[object, ...]]],
    rows: list[dict[str, object]] | None = None,
) -> dict[str, object]:
    facets = {
        "schema": {"fields": [{"name": name, "type": "string"} for name in columns]},
        "columnLineage": {
            "fields": {name: {"inputFields": [_input(field, how)]} for name, (field, how) in columns.items()},
            "dataset": rows or [],
        },
        "lifecycleStateChange": {"lifecycleStateChange": "OVERWRITE"},
    }
    return {
        "eventType": "COMPLETE",
        "eventTime": at,
        "producer": _PRODUCER,
        "run": {"runId": str(uuid5(NAMESPACE_URL, f"{at} {table}"))},
        "job": {"namespace": "food_delivery", "name": table.partition("/")[2]},
        "inputs": [_SOURCE],
        "outputs": [{"namespace": "file", "name": f"/food/{table}", "facets": facets}],
    }


def _input(field: str, how: tuple[object, ...]) -> dict[str, object]:
    step = dict(zip(("type", "subtype", "masking", "description"), how, strict=True))
    return {**_SOURCE, "field": field, "transformations": [step]}
