"""Three days of a small food-delivery warehouse, as events: what the tests of the command line and its docs ask about.

Every day four jobs run. On Wednesday `customers` begins to hash the e-mail address.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import NAMESPACE_URL, uuid5

MONDAY, TUESDAY, WEDNESDAY = "2025-05-12", "2025-05-13", "2025-05-14"
_PRODUCER = "https://example.com/food-delivery"
_INDIRECT = frozenset({"FILTER", "JOIN", "GROUP_BY"})
_TYPES = {"id": "int", "order_id": "bigint", "placed_on": "timestamp", "amount": "double", "revenue": "double"}


def events() -> list[dict[str, object]]:
    """All events, by time."""
    return [event for day in (MONDAY, TUESDAY, WEDNESDAY) for event in _day(day, hashed=day == WEDNESDAY)]


def _day(day: str, *, hashed: bool) -> Iterator[dict[str, object]]:
    email = ("TRANSFORMATION MASKED", "sha2(lower(email), 256)") if hashed else ("TRANSFORMATION", "lower(email)")
    yield from _run(
        day,
        "06:00",
        "customers",
        {
            "id": [_field("landing/customers", "id")],
            "email": [_field("landing/customers", "email", *email)],
            "city": [_field("landing/customers", "city")],
        },
    )
    yield from _run(
        day,
        "06:10",
        "orders_7_days",
        {
            "order_id": [_field("landing/orders", "id")],
            "customer_id": [_field("landing/orders", "customer_id")],
            "amount": [
                _field("landing/orders", "quantity", "TRANSFORMATION", "round(quantity * price, 2)"),
                _field("landing/menus", "price", "TRANSFORMATION", "round(quantity * price, 2)"),
            ],
        },
        [
            _field("landing/orders", "menu_id", "JOIN", "orders.menu_id = menus.id"),
            _field("landing/menus", "id", "JOIN", "orders.menu_id = menus.id"),
            _field("landing/orders", "placed_on", "FILTER", f"placed_on >= DATE '{day}' - INTERVAL 7 DAYS"),
        ],
    )
    yield from _run(
        day,
        "06:20",
        "revenue_by_city",
        {
            "city": [_field("warehouse/customers", "city")],
            "revenue": [_field("warehouse/orders_7_days", "amount", "AGGREGATION", "sum(amount)")],
            "guests": [
                _field("warehouse/customers", "email", "AGGREGATION MASKED", "count(DISTINCT email)"),
            ],
        },
        [
            _field("warehouse/orders_7_days", "customer_id", "JOIN", "customers.id = orders.customer_id"),
            _field("warehouse/customers", "id", "JOIN", "customers.id = orders.customer_id"),
            _field("warehouse/customers", "city", "GROUP_BY", "city"),
        ],
        owner="team:finance",
    )
    yield from _run(
        day,
        "06:30",
        "newsletter",
        {
            "name": [_field("landing/customers", "name")],
            "send_to": [_field("landing/customers", "email")],
        },
        owner="team:marketing",
    )


def _run(  # noqa: PLR0913, PLR0917  the parts of a run
    day: str,
    time: str,
    job: str,
    columns: dict[str, list[dict[str, object]]],
    rows: Sequence[dict[str, object]] = (),
    owner: str | None = None,
) -> Iterator[dict[str, object]]:
    """START and COMPLETE of a run that writes the table of its name."""
    found = [source for sources in columns.values() for source in sources] + list(rows)
    reads = dict.fromkeys((str(source["namespace"]), str(source["name"])) for source in found)
    facets: dict[str, object] = {
        "schema": {"fields": [{"name": name, "type": _TYPES.get(name, "string")} for name in columns]},
        "columnLineage": {
            "fields": {name: {"inputFields": sources} for name, sources in columns.items()},
            "dataset": list(rows),
        },
        "lifecycleStateChange": {"lifecycleStateChange": "OVERWRITE"},
    }
    if owner:
        facets["ownership"] = {"owners": [{"name": owner, "type": "OWNER"}]}
    parent = {"run": {"runId": _uuid(day)}, "job": {"namespace": "food_delivery", "name": "daily"}}
    for kind, minute in (("START", 0), ("COMPLETE", 5)):
        yield {
            "eventType": kind,
            "eventTime": f"{day}T{time[:3]}{int(time[3:]) + minute:02}:00Z",
            "producer": _PRODUCER,
            "run": {"runId": _uuid(f"{day} {job}"), "facets": {"parent": parent}},
            "job": {"namespace": "food_delivery", "name": job},
            "inputs": [{"namespace": namespace, "name": name} for namespace, name in reads],
            "outputs": [
                {
                    "namespace": "file",
                    "name": f"/food/warehouse/{job}",
                    "facets": facets if kind == "COMPLETE" else {},
                }
            ],
        }


def _field(table: str, field: str, how: str = "IDENTITY", text: str = "") -> dict[str, object]:
    subtype, *masked = how.split()
    step = {
        "type": "INDIRECT" if subtype in _INDIRECT else "DIRECT",
        "subtype": subtype,
        "masking": bool(masked),
        "description": text,
    }
    return {"namespace": "file", "name": f"/food/{table}", "field": field, "transformations": [step]}


def _uuid(name: str) -> str:
    return str(uuid5(NAMESPACE_URL, name))
