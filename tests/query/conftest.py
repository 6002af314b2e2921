"""Answers in short, for tests to compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.query.graph.answer import Answer, FieldName


@pytest.fixture(scope="session")
def short() -> Callable[[FieldName], str]:
    """A function that writes a column as `dataset.column`, and rows as `dataset.*`."""
    return lambda name: f"{name.name}.{name.field or '*'}"


@pytest.fixture(scope="session")
def nodes(short: Callable[[FieldName], str]) -> Callable[[Answer], dict[str, int]]:
    """A function that gives the columns of an answer with their distances."""
    return lambda answer: {short(node.field): node.distance for node in answer.nodes}


@pytest.fixture(scope="session")
def edges(short: Callable[[FieldName], str]) -> Callable[[Answer], list[str]]:
    """A function that gives the edges of an answer as `origin -> destination: subtypes`."""

    def written(answer: Answer) -> list[str]:
        return sorted(
            f"{short(edge.origin)} -> {short(edge.destination)}: "
            + " ".join(step.subtype for step in edge.transformations)
            for edge in answer.edges
        )

    return written
