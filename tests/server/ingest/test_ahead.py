"""What a sender is told of events that lie ahead of the server's clock: 201 as for any event, and a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from tests.conftest import EventMaker

_URL = "/api/v1/lineage"
_YEAR_9999 = "9999-12-31T23:59:59Z"


def _ahead(maker: EventMaker, run: str = "ahead") -> dict[str, object]:
    return {**maker(1, run=run), "eventTime": _YEAR_9999}


@pytest.mark.parametrize(("url", "status"), [(_URL, 201), ("/openapi/openlineage/api/v1/lineage", 200)])
def test_an_event_ahead_is_stored_and_the_answer_warns(
    client: TestClient, maker: EventMaker, url: str, status: int
) -> None:
    answer = client.post(url, json=_ahead(maker))
    assert (answer.status_code, answer.content) == (status, b"")
    assert answer.headers["warning"] == (
        '299 - "eventTime 9999-12-31T23:59:59Z is more than 86400 s ahead of the clock: it is stored, and counts from'
        ' then on."'
    )
    assert "warning" not in client.post(url, json=maker(1, run="now")).headers


def test_a_batch_lists_what_lies_ahead(client: TestClient, maker: EventMaker) -> None:
    batch = [maker(1), {"eventTime": "?"}, _ahead(maker, run="a"), _ahead(maker, run="b")]
    answer = client.post(f"{_URL}/batch", json=batch)
    assert answer.status_code == 207
    assert (answer.json()["accepted"], answer.json()["ahead_count"]) == (3, 2)
    assert answer.json()["ahead"] == [{"index": index, "eventTime": "9999-12-31T23:59:59.000000Z"} for index in (2, 3)]
    assert answer.headers["warning"].endswith('then on. (and 1 more)"')


def test_a_batch_lists_no_more_than_a_hundred(client: TestClient, maker: EventMaker) -> None:
    answer = client.post(f"{_URL}/batch", json=[_ahead(maker, run=f"run {number}") for number in range(120)]).json()
    assert (answer["ahead_count"], len(answer["ahead"])) == (120, 100)


def test_the_index_of_what_lies_ahead_is_its_place_whatever_is_rejected(client: TestClient, maker: EventMaker) -> None:
    """Of what is rejected, the first thousand are listed."""
    answer = client.post(f"{_URL}/batch", json=[{}] * 1_001 + [_ahead(maker)]).json()
    assert (len(answer["rejected"]), answer["rejected_count"]) == (1_000, 1_001)
    assert [event["index"] for event in answer["ahead"]] == [1_001]


def test_what_a_batch_lists_it_also_counts_under_one_kind_of_name(client: TestClient, maker: EventMaker) -> None:
    answer = client.post(f"{_URL}/batch", json=[{}, _ahead(maker)]).json()
    lists = {name for name, part in answer.items() if isinstance(part, list)}
    assert lists == {"rejected", "ahead"}
    assert all(answer[f"{name}_count"] == 1 for name in lists)


def test_a_metric_and_the_stats_count_what_lies_ahead(client: TestClient, maker: EventMaker) -> None:
    client.post(_URL, json=_ahead(maker))
    client.post(f"{_URL}/batch", json=[maker(1, run="now"), _ahead(maker, run="b")])
    assert "headwater_events_ahead_total 2.0" in client.get("/metrics").text
    stats = client.get("/api/v1/questions/stats").json()["answer"]
    assert (stats["events"], stats["events_ahead"]) == (3, 2)
    assert stats["last_event_ahead"] == "9999-12-31T23:59:59.000000Z"
