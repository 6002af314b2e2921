"""Something of a random kind, the same in every run: what Spark does with it takes too long to try many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.question_strategies import questions
from tests.store.histories import Event, histories

if TYPE_CHECKING:
    from headwater.query.questions import Question

T = TypeVar("T")


def drawn(strategy: st.SearchStrategy[T], count: int) -> list[T]:
    """So many examples."""
    found: list[T] = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def keep(one: T) -> None:
        found.append(one)

    keep()
    return found


def a_history() -> list[Event]:
    """A history with something of everything."""
    several = drawn(st.lists(histories(), min_size=8, max_size=8), 3)
    return max(([event for part in parts for event in part] for parts in several), key=len)


def some_questions(count: int) -> list[Question[Any]]:
    """Questions of all kinds about it."""
    return drawn(questions(), count)
