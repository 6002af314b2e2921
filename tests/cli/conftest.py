"""A store to ask: three days of a food-delivery warehouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.food_delivery import events

from headwater.store import open_store

if TYPE_CHECKING:
    from pathlib import Path


def _filled(url: str) -> str:
    with open_store(url) as store:
        store.ingest(events())
    return url


@pytest.fixture
def food_url(tmp_path: Path) -> str:
    """The warehouse in a file."""
    return _filled(f"sqlite:///{tmp_path / 'food.db'}")


@pytest.fixture
def any_food_url(any_url: str) -> str:
    """The warehouse in a file and in PostgreSQL: the test runs on both."""
    return _filled(any_url)


@pytest.fixture
def both_food_urls(food_url: str, postgres_url: str) -> tuple[str, str]:
    """The warehouse in a file, and once more in PostgreSQL."""
    return food_url, _filled(postgres_url)
