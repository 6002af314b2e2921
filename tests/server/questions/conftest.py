"""A server's application on three days of a food-delivery warehouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient
from tests.food_delivery import events

from headwater.server.app import create_app

if TYPE_CHECKING:
    from headwater.store import Store


@pytest.fixture
def food_store(store: Store) -> Store:
    """The warehouse in a file."""
    store.ingest(events())
    return store


@pytest.fixture
def client(food_store: Store) -> TestClient:
    """Asks the application without a network; what it does not expect is an error of the test."""
    return TestClient(create_app(food_store), base_url="http://testserver/api/v1/questions/")
