"""The files that the sources deliver, a new set for every day; the same day always gives the same files."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import TypeAlias

Row: TypeAlias = Mapping[str, object]

_CITIES = ("Lyon", "Porto", "Graz", "Turku")
_DISHES = ("ramen", "pizza", "falafel", "curry", "tacos", "pho")
_CUSTOMERS = 60
_RESTAURANTS = 12
_ORDERS_A_DAY = 150


def deliver(landing: Path, day: date) -> None:
    """Write what the sources deliver on a day: customers and menus whole, orders and their states as they come."""
    draw = random.Random(day.toordinal())  # noqa: S311 (test data, no secrets)
    _csv(landing / "customers" / "customers.csv", [_customer(number) for number in range(1, _CUSTOMERS + 1)])
    _csv(landing / "restaurants" / "restaurants.csv", [_restaurant(number) for number in range(1, _RESTAURANTS + 1)])
    _json(landing / "menus" / "menus.json", [_dish(number) for number in range(1, _RESTAURANTS * len(_DISHES) + 1)])
    orders: list[Row] = []
    states: list[Row] = []
    for number in range(_ORDERS_A_DAY):
        order, its_states = _order(day, number, draw)
        orders.append(order)
        states.extend(its_states)
    _csv(landing / "orders" / f"{day}.csv", orders)
    _json(landing / "order_status" / f"{day}.json", states)


def _customer(number: int) -> Row:
    return {
        "id": number,
        "name": f"Customer {number}",
        "email": f"customer.{number}@example.org",
        "address": f"{number} High Street",
        "city": _CITIES[number % len(_CITIES)],
    }


def _restaurant(number: int) -> Row:
    return {"id": number, "name": f"Kitchen {number}", "address": f"{number} Market Square"}


def _dish(number: int) -> Row:
    restaurant, dish = divmod(number - 1, len(_DISHES))
    return {"id": number, "restaurant_id": restaurant + 1, "item": _DISHES[dish], "price": 7.5 + dish * 1.25}


def _order(day: date, number: int, draw: random.Random) -> tuple[Row, list[Row]]:
    order_id = day.toordinal() * 1000 + number
    placed = datetime.combine(day, time(11)) + timedelta(minutes=draw.randrange(600))
    dispatched = placed + timedelta(minutes=draw.randrange(5, 40))
    delivered = dispatched + timedelta(minutes=draw.randrange(5, 60))
    order = {
        "id": order_id,
        "placed_on": placed.isoformat(sep=" "),
        "customer_id": draw.randrange(1, _CUSTOMERS + 1),
        "menu_id": draw.randrange(1, _RESTAURANTS * len(_DISHES) + 1),
        "quantity": draw.randrange(1, 5),
        "discount": draw.choice(["", "0.1", "0.2"]),
        "comment": draw.choice(["", "ring twice", "no onions"]),
    }
    states: list[Row] = [
        {"order_id": order_id, "status": status, "transitioned_at": moment.isoformat(sep=" ")}
        for status, moment in (("PLACED", placed), ("DISPATCHED", dispatched), ("DELIVERED", delivered))
    ]
    return order, states


def _csv(path: Path, rows: Sequence[Row]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _json(path: Path, rows: Sequence[Row]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
