"""Methods that a path has, and those that it has not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.server.conftest import listening

from headwater.server.app import create_app

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

    from headwater.store import Store


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/api/v1/lineage", "GET, HEAD, POST"),
        ("/api/v1/lineage/batch", "POST"),
        ("/api/v1/namespaces/a%2Fb/datasets/c", "DELETE, GET, HEAD, PUT"),
        ("/api/v1/questions/upstream", "GET, HEAD, POST"),
        ("/docs", "GET, HEAD"),
    ],
)
def test_another_method_is_refused_with_all_that_there_are(client: TestClient, path: str, methods: str) -> None:
    answer = client.request("PATCH", path)
    assert (answer.status_code, answer.json()["code"], answer.headers["allow"]) == (405, 405, methods)


def test_head_is_answered_as_get_without_the_body(store: Store) -> None:
    with listening(create_app(store)) as client:
        for path, status in (("/readyz", 200), ("/api/v1/namespaces", 200), ("/api/v1/namespaces/none", 404)):
            got, head = client.get(path), client.head(path)
            assert (head.status_code, head.content) == (status, b"")
            assert head.headers["content-length"] == str(len(got.content))
        assert client.head("/api/v1/lineage/batch").status_code == 405
        counted = 'headwater_request_seconds_count{method="HEAD",route="/readyz",status="200"} 1.0'
        assert counted in client.get("/metrics").text
