"""Pages of raw events: large ones are read one after the other, and no more of them than an answer may have."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from headwater.server.app import create_app
from headwater.server.settings.settings import ServerSettings
from headwater.store.entities.raw_events import put_together
from headwater.store.reads import events as reads

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store

_PATHS = ("/events/lineage", "/events", "/events/jobs")


@pytest.mark.parametrize("path", _PATHS)
def test_of_events_that_are_too_large_together_few_are_read(
    store: Store, maker: EventMaker, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    store.ingest([maker(minute, facets={"large": {"x": "y" * 100_000}}) for minute in range(60)])
    read: list[bytes] = []

    def counted(body: bytes, rest: bytes) -> dict[str, Any]:
        read.append(rest)
        return put_together(body, rest)

    monkeypatch.setattr(reads, "put_together", counted)
    with TestClient(
        create_app(store, ServerSettings(max_answer_bytes=1_000_000, allowed_hosts=("testserver",)))
    ) as client:
        answer = client.get(f"/api/v1{path}", params={"limit": 10_000})
        assert (answer.status_code, len(read)) == (413, 10)
        assert "more than 1000000 bytes; the limit is 1000000 (max_answer_bytes): ask for less" in answer.text
        assert 'headwater_refused_requests_total{limit="answer_bytes"} 1.0' in client.get("/metrics").text
        assert len(client.get(f"/api/v1{path}", params={"limit": 9}).json()["events"]) == 9


@pytest.mark.parametrize("sort", ["asc", "desc"])
def test_a_page_is_the_same_however_many_events_are_read_at_once(
    any_store: Store, maker: EventMaker, monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    any_store.ingest([maker(minute, run=f"{minute} {of}") for minute, of in product(range(1, 5), range(4))])
    with TestClient(create_app(any_store)) as client:
        pages = [(limit, offset) for limit in (1, 3, 7, 16, 100) for offset in (0, 1, 6)]

        def answers() -> list[Any]:
            asked = [{"limit": limit, "offset": offset, "sortDirection": sort} for limit, offset in pages]
            return [client.get(f"/api/v1{path}", params=page).json() for path in _PATHS for page in asked]

        at_once = answers()
        assert [len(answer["events"]) for answer in at_once[:3]] == [1, 1, 1]
        assert {answer["totalCount"] for answer in at_once} == {16}
        monkeypatch.setattr(reads, "_FEW", 1)
        monkeypatch.setattr(reads, "_MANY", 2)
        assert answers() == at_once
