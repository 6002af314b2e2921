"""A server's application on three days of a food-delivery warehouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient
from tests.food_delivery import events

from headwater.server.app import create_app
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.store import Store


@pytest.fixture(scope="module")
def food_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The warehouse in a file, which the tests only ask."""
    with open_store(str(tmp_path_factory.mktemp("food") / "lineage.db")) as store:
        store.ingest(events())
        yield store


@pytest.fixture(scope="module")
def client(food_store: Store) -> TestClient:
    """Asks the application without a network; what it does not expect is an error of the test."""
    return TestClient(create_app(food_store), base_url="http://testserver/api/v1/questions/")
