"""A server over an empty store of its own, on SQLite and on PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient
from tests.live_server import served

from headwater.server.app import create_app
from headwater.store import Store, open_store

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Api:
    """Calls the API as a client does."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def __call__(
        self, path: str, method: str = "GET", *, status: int = 200, body: object = None, **query: object
    ) -> Any:  # noqa: ANN401  JSON
        """The JSON of an answer, whose status is the one expected."""
        answer = self.answer(path, method, body=body, **query)
        assert answer.status_code == status, answer.text
        return answer.json()

    def answer(self, path: str, method: str = "GET", *, body: object = None, **query: object) -> Any:  # noqa: ANN401  the client's own class
        """An answer as it came; `path` is below /api/v1."""
        return self.client.request(
            method, f"/api/v1{path}", json=body, params={k: str(v) for k, v in query.items()} or None
        )

    def post(self, *events: Mapping[str, Any]) -> None:
        """Send events."""
        for event in events:
            answer = self.client.post("/api/v1/lineage", json=event)
            assert answer.status_code == 201, answer.text

    def graph(self, path: str, node_id: str, **query: object) -> dict[str, Any]:
        """The nodes of a graph by their ids, in the order of the answer."""
        answer = self.answer(path, "GET", body=None, nodeId=node_id, **query)
        assert answer.status_code == 200, answer.text
        return {node["id"]: node for node in answer.json()["graph"]}


@pytest.fixture
def api(any_store: Store) -> Iterator[Api]:
    """The API over an empty store."""
    with TestClient(create_app(any_store)) as client:
        yield Api(client)


@pytest.fixture
def address(any_url: str) -> Iterator[str]:
    """The address of a real server over an empty store."""
    with open_store(any_url) as store, served(store) as url:
        yield url
