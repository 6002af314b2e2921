"""Many random histories as one: each with names and runs of its own, so that one run of Spark tries all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID, uuid5

from hypothesis import HealthCheck, Phase, given, settings
from tests.store.histories import Event, histories

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")


def examples(strategy: SearchStrategy[T], count: int) -> list[T]:
    """Some examples of a strategy, the same each time."""
    found: list[T] = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def gather(example: T) -> None:
        found.append(example)

    gather()
    return found


def many_histories(count: int) -> list[Event]:
    """The events of many histories; the longest is under its own names, for which random questions ask."""
    found = sorted(examples(histories(14), count), key=len, reverse=True)
    return [_moved(event, number) for number, events in enumerate(found) for event in events]


def _moved(event: Event, number: int) -> Event:
    """An event of a history of its own; in every third, what is a minute apart is a month apart."""
    moved: Event = event if number == 0 else _renamed(event, number)
    if number % 3 == 1:
        minute = int(event["eventTime"][15])
        moved = {**moved, "eventTime": f"2026-0{minute + 1}-01T00:00:00Z"}
    return moved


def _renamed(value: Any, number: int) -> Any:  # noqa: ANN401  JSON
    if isinstance(value, list):
        return [_renamed(inner, number) for inner in value]
    if not isinstance(value, dict):
        return value
    moved = {key: _renamed(inner, number) for key, inner in value.items()}
    if "namespace" in moved:
        moved["name"] = f"{moved['name']}~{number}"
    if "runId" in moved:
        moved["runId"] = str(uuid5(UUID(moved["runId"]), str(number)))
    return moved


def repeated(events: Sequence[Event], chance: Any) -> list[Event]:  # noqa: ANN401  random.Random
    """The events in any order, half of them twice."""
    found = [*events, *chance.sample(list(events), len(events) // 2)]
    chance.shuffle(found)
    return found
