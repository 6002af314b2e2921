"""Events over HTTP: what is stored, and what is said of what cannot be."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from headwater.server.app import create_app
from headwater.server.settings.settings import ServerSettings
from headwater.store import Store, open_store

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import EventMaker

JSON = {"Content-Type": "application/json"}
GZIP = {"Content-Encoding": "gzip"}
LINES = {"Content-Type": "application/x-ndjson"}
ONE = "/api/v1/lineage"
MANY = "/api/v1/lineage/batch"


@pytest.mark.parametrize("path", [ONE, ONE + "/"])
def test_an_event_is_stored_and_answered_with_nothing_but_201(
    client: TestClient, maker: EventMaker, count: Callable[[], int], path: str
) -> None:
    answer = client.post(path, json=maker(1))
    assert (answer.status_code, answer.content) == (201, b"")
    assert count() == 1


_HALF = "\ud800"
_HALF_KEYS: list[dict[str, Any]] = [
    {"columnLineage": {"fields": {_HALF: {"inputFields": []}}}},
    {"columnLineage": {"fields": {"a": {"inputFields": [{"namespace": "n", "name": _HALF, "field": "x"}]}}}},
    {"columnLineage": {"fields": {f"a{_HALF}": 7}}},
    {"schema": {"fields": [{"name": _HALF}]}},
    {"symlinks": {"identifiers": [{"namespace": _HALF, "name": "x"}]}},
    {_HALF: {"x": 1}},
    {_HALF: 7},
    {"version": {"datasetVersion": _HALF}},
    {"lifecycleStateChange": {"lifecycleStateChange": _HALF}},
]


@pytest.mark.parametrize("facets", _HALF_KEYS)
def test_half_a_character_where_a_name_stands_is_refused_and_the_rest_of_the_batch_stored(
    client: TestClient, maker: EventMaker, count: Callable[[], int], facets: dict[str, Any]
) -> None:
    bad = json.dumps(maker(1, facets=facets))
    answer = client.post(ONE, content=bad, headers=JSON)
    assert answer.status_code == 422
    assert answer.json()["message"].startswith("outputs[0].facets")
    batch = client.post(MANY, content=f"{json.dumps(maker(2))}\n{bad}\n", headers=LINES)
    assert (batch.status_code, [item["index"] for item in batch.json()["rejected"]]) == (207, [1])
    assert count() == 1


def test_half_a_character_where_nobody_reads_is_kept_as_it_came(client: TestClient, maker: EventMaker) -> None:
    odd = {"text": "cut off \ud83d", "\udc00": ["\ud800", "\0"]}
    event: dict[str, Any] = maker(
        1, facets={"ours": odd, "documentation": {"description": "\ud83d"}, "tags": {"tags": [], "x": "\ud800"}}
    )
    event["run"]["facets"] = {"ours": odd}
    event["job"]["facets"] = {"sql": {"query": "SELECT '\ud83d"}, "ours": odd}
    assert client.post(ONE, content=json.dumps(event), headers=JSON).status_code == 201
    assert client.get("/api/v1/events/lineage").json()["events"] == [event]
    for path in (
        "/api/v1/namespaces/lake/datasets/out",
        "/api/v1/namespaces/jobs/jobs/job",
        "/api/v1/jobs/runs/" + event["run"]["runId"] + "/facets?type=run",
        "/api/v1/questions/dataset?dataset=out",
        "/openapi/v3/entity/dataset/urn%3Ali%3Adataset%3A%28urn%3Ali%3AdataPlatform%3Alake%2Cout%2CPROD%29",
    ):
        assert client.get(path).status_code == 200, path


def test_a_run_whose_id_is_no_uuid_is_found_by_its_id_and_by_the_uuid_that_is_derived(
    client: TestClient, maker: EventMaker
) -> None:
    """OpenLineage's own scenario `simple_run_event` has such an id."""
    event: dict[str, Any] = maker(1)
    event["run"]["runId"] = "run_id"
    assert client.post(ONE, json=event).status_code == 201
    for id_ in ("run_id", "0acf093b-3c88-3560-8dc6-22a33921d360"):
        assert client.get(f"/api/v1/jobs/runs/{id_}").json()["id"] == "0acf093b-3c88-3560-8dc6-22a33921d360"
        assert client.get(f"/api/v1/questions/run?run={id_}").status_code == 200
    assert client.get("/api/v1/events/lineage").json()["events"][0]["run"]["runId"] == "run_id"


@pytest.mark.parametrize(
    ("body", "stored"),
    [
        (b"\xef\xbb\xbf%b", True),
        (b"%b\n\xef\xbb\xbf", False),
        (b"\xef\xbb\xbf\xef\xbb\xbf%b", False),
        (b"\xed\xa0\x80%b", False),
        (b'{"x": 1e999, %b', False),
        (b'{"x": -Infinity, %b', False),
        (b'{"x": ' + b"7" * 5000 + b", %b", False),
        (b'{"eventTime": "x", %b', True),  # of equal keys, the last counts
    ],
)
def test_json_is_read_strictly(
    client: TestClient, maker: EventMaker, count: Callable[[], int], body: bytes, *, stored: bool
) -> None:
    event = json.dumps(maker(1)).encode()
    body = body.replace(b"%b", event[1:] if b"{" in body else event)
    assert client.post(ONE, content=body, headers=JSON).status_code == (201 if stored else 400)
    assert count() == stored


def test_an_event_that_is_sent_again_changes_nothing(
    client: TestClient, maker: EventMaker, count: Callable[[], int]
) -> None:
    assert [client.post(ONE, json=maker(1)).status_code for _ in range(3)] == [201, 201, 201]
    assert count() == 1


@pytest.mark.parametrize("headers", [JSON, {}, {"Content-Type": "Application/JSON; charset=UTF-8"}])
def test_types_that_are_json(client: TestClient, maker: EventMaker, headers: dict[str, str]) -> None:
    assert client.post(ONE, content=json.dumps(maker(1)), headers=headers).status_code == 201


def test_a_compressed_event(client: TestClient, maker: EventMaker, count: Callable[[], int]) -> None:
    body = gzip.compress(json.dumps(maker(1)).encode())
    assert client.post(ONE, content=body, headers={**JSON, "Content-Encoding": "gzip"}).status_code == 201
    assert count() == 1


def test_an_event_of_a_megabyte(client: TestClient, maker: EventMaker, count: Callable[[], int]) -> None:
    schema = {f"column {number} " + "x" * 200: "int" for number in range(5000)}
    assert client.post(ONE, json=maker(1, schema=schema)).status_code == 201
    assert count() == 1


@pytest.mark.parametrize(
    ("body", "headers", "status", "message"),
    [
        (b"{", JSON, 400, "body: is not JSON: Expecting property name"),
        (b"", JSON, 400, "body: is not JSON: Expecting value (line 1, column 1)"),
        (b"not json", JSON, 400, "body: is not JSON: "),
        (b'{"a": NaN}', JSON, 400, "body: is not JSON: NaN"),
        (b'{"a": ' + b"9" * 5000 + b"}", JSON, 400, "body: is not JSON: "),
        (b'{"a": "\xff"}', JSON, 400, "body: is not UTF-8 (byte 7"),
        (b"[" * 100_000, JSON, 400, "body: is nested more than 200 levels deep."),
        (b"[" * 300 + b"]" * 300, JSON, 400, "body: is nested more than 200 levels deep."),
        (b"[]", JSON, 422, "event: must be an object, not a list"),
        (b"null", JSON, 422, "event: is missing"),
        (b"{}", JSON, 422, "eventTime: is missing"),
        (b'{"eventTime": "yesterday"}', JSON, 422, "eventTime: is not an ISO 8601 date and time"),
        (b"{}", {"Content-Type": "text/plain"}, 415, "Content-Type: must be application/json, not 'text/plain'."),
        (b"{}", {"Content-Type": "application/json; charset=latin-1"}, 415, "Content-Type: the charset must be utf-8"),
        (b"{}", {**JSON, "Content-Encoding": "br"}, 415, "Content-Encoding: must be gzip or none, not 'br'."),
        (b"{}", {**JSON, "Content-Encoding": "gzip"}, 400, "body: is not gzip, although Content-Encoding says so."),
        (gzip.compress(b"{}")[:-9], {**JSON, "Content-Encoding": "gzip"}, 400, "body: is not gzip"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_stored(  # noqa: PLR0913, PLR0917  a row of the table
    client: TestClient, count: Callable[[], int], body: bytes, headers: dict[str, str], status: int, message: str
) -> None:
    answer = client.post(ONE, content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (status, status)
    assert answer.json()["message"].startswith(message)
    assert count() == 0


def test_a_method_that_is_not_there(client: TestClient) -> None:
    answer = client.put(ONE, json={})
    assert (answer.status_code, answer.json()) == (405, {"code": 405, "message": "Method Not Allowed"})


def test_50_megabytes_are_refused(store: Store, maker: EventMaker) -> None:
    event = json.dumps(maker(1, facets={"big": {"x": "y" * 50_000_000}}))
    with TestClient(create_app(store)) as client:
        answer = client.post(ONE, content=event, headers=JSON)
        assert answer.status_code == 413
        assert answer.json()["message"].startswith("body: is 500")
        assert answer.json()["message"].endswith("the limit is 33554432 (max_body_bytes).")
        assert client.post(ONE, json=maker(1)).status_code == 201


def test_a_gzip_bomb_is_stopped_while_it_inflates(store: Store) -> None:
    bomb = gzip.compress(b" " * 200_000_000)
    assert len(bomb) < 1_000_000
    with TestClient(create_app(store)) as client:
        answer = client.post(ONE, content=bomb, headers={**JSON, "Content-Encoding": "gzip"})
    assert answer.status_code == 413
    assert answer.json()["message"] == (
        "body: is decompressed more than 67108864 bytes; the limit is 67108864 (max_inflated_bytes)."
    )


def test_a_bomb_of_many_small_members(store: Store) -> None:
    settings = ServerSettings(allow_open=True, max_inflated_bytes=100_000)
    with TestClient(create_app(store, settings)) as client:
        body = gzip.compress(b" " * 10_000) * 11
        answer = client.post(ONE, content=body, headers={**JSON, "Content-Encoding": "gzip"})
    assert answer.status_code == 413


def _batch(maker: EventMaker) -> list[dict[str, Any]]:
    return [maker(1), {"eventTime": "2026-01-01T00:00:00Z"}, maker(2), {**maker(3), "job": {"namespace": "a"}}]


def _bodies(events: list[dict[str, Any]]) -> list[tuple[bytes, dict[str, str]]]:
    array = json.dumps(events, indent=1).encode()
    lines = "\n".join(map(json.dumps, events)).encode()
    return [
        (array, JSON),
        (b" \n" + array, {}),
        (lines, LINES),
        (lines + b"\r\n\n", JSON),
        (gzip.compress(lines), {**LINES, "Content-Encoding": "gzip"}),
    ]


@pytest.mark.parametrize("form", range(5), ids=["array", "untyped", "lines", "lines as json", "compressed lines"])
def test_of_a_batch_the_good_are_stored_and_the_bad_said_by_index(
    client: TestClient, maker: EventMaker, count: Callable[[], int], form: int
) -> None:
    body, headers = _bodies(_batch(maker))[form]
    answer = client.post(MANY, content=body, headers=headers)
    assert answer.status_code == 207
    assert answer.json() == {
        "received": 4,
        "accepted": 2,
        "duplicates": 0,
        "rejected": [
            {"index": 1, "field": "run", "reason": "is missing"},
            {"index": 3, "field": "job.name", "reason": "is missing"},
        ],
        "rejected_count": 2,
    }
    assert count() == 2


def test_a_batch_of_good_events_is_201_with_its_duplicates_counted(client: TestClient, maker: EventMaker) -> None:
    assert client.post(MANY + "/", json=[maker(1)]).json()["accepted"] == 1
    answer = client.post(MANY, json=[maker(1), maker(2), maker(2)])
    assert answer.status_code == 201
    assert answer.json() == {"received": 3, "accepted": 1, "duplicates": 2, "rejected": [], "rejected_count": 0}


def test_a_batch_of_bad_events_is_422_and_says_each(client: TestClient, count: Callable[[], int]) -> None:
    answer = client.post(MANY, content=b'{"eventTime": 1}\nnonsense', headers=LINES)
    assert answer.status_code == 422
    assert answer.json() == {
        "code": 422,
        "message": "event 0: eventTime: must be a string, not a number",
        "received": 2,
        "accepted": 0,
        "duplicates": 0,
        "rejected": [
            {"index": 0, "field": "eventTime", "reason": "must be a string, not a number"},
            {"index": 1, "field": None, "reason": "is not JSON: Expecting value (line 1, column 1)"},
        ],
        "rejected_count": 2,
    }
    assert count() == 0


@pytest.mark.parametrize(
    "body", [b"", b" \n ", b"[{]", b'[{"eventTime": 1}', b"[1,]", b"[1 2]", b"[] 1", b"[", b"[1", b'["\xff"]', b"[NaN]"]
)
def test_a_batch_that_cannot_be_read_is_400(client: TestClient, body: bytes, count: Callable[[], int]) -> None:
    answer = client.post(MANY, content=body, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, 400)
    assert answer.json()["message"].startswith("body: is ")
    assert count() == 0


def test_an_empty_batch_is_no_error(client: TestClient) -> None:
    answer = client.post(MANY, json=[])
    assert (answer.status_code, answer.json()["received"]) == (201, 0)


def test_a_large_batch(client: TestClient, maker: EventMaker, count: Callable[[], int]) -> None:
    events = [maker(minute, run=f"run {minute}", columns={"a": ["in.x"]}) for minute in range(1000)]
    body = gzip.compress("\n".join(map(json.dumps, events)).encode())
    answer = client.post(MANY, content=body, headers={**LINES, "Content-Encoding": "gzip"})
    assert (answer.status_code, answer.json()["accepted"]) == (201, 1000)
    assert count() == 1000


def test_what_one_server_stores_another_reads_at_once(any_url: str, maker: EventMaker) -> None:
    with open_store(any_url) as first, open_store(any_url) as other, TestClient(create_app(first)) as client:
        assert client.post(ONE, json=maker(1)).status_code == 201
        with other.read() as session:
            assert session.rows("SELECT count(*) FROM event") == [(1,)]


def test_a_dataset_has_room_for_so_many_columns(
    client: TestClient, maker: EventMaker, count: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys of fields are numbers behind that of their dataset: one too many would be another dataset's."""
    monkeypatch.setattr("headwater.store.entities.keys.FIELD_NUMBERS", 3)
    assert client.post(ONE, json=maker(1, columns={"a": ["in.x"], "b": ["in.x"]})).status_code == 201
    answer = client.post(ONE, json=maker(2, columns={"c": ["in.x"], "d": ["in.x"]}))
    assert answer.status_code == 422
    assert "4 columns over all its events; the limit is 3" in answer.json()["message"]
    assert client.post(ONE, json=maker(3, columns={"c": ["in.x"]})).status_code == 201
    assert count() == 2


def test_a_name_beyond_the_limit_is_422_with_the_field_and_the_limit(
    client: TestClient, maker: EventMaker, count: Callable[[], int]
) -> None:
    answer = client.post(ONE, json=maker(1, out="x" * 4_001))
    assert answer.status_code == 422
    assert answer.json()["message"] == "outputs[0].name: has 4,001 characters; the limit is 4,000"
    assert count() == 0


def test_of_very_many_rejected_events_the_first_are_listed_and_all_counted(client: TestClient) -> None:
    answer = client.post(MANY, content=b"[" + b"0," * 4_999 + b"0]", headers=JSON)
    assert (answer.status_code, answer.json()["received"]) == (422, 5_000)
    assert [bad["index"] for bad in answer.json()["rejected"]] == list(range(1_000))
    assert answer.json()["rejected_count"] == 5_000
    assert len(answer.content) < 200_000


@pytest.mark.parametrize("body", [b"[" + b"0," * 30_000 + b"0]", b"0\n" * 30_001, b"\n" * 1_000_000 + b"0\n" * 30_001])
def test_a_batch_of_too_many_events_is_refused(client: TestClient, body: bytes) -> None:
    answer = client.post(MANY, content=body, headers=JSON)
    assert answer.status_code == 413
    assert answer.json()["message"] == "body: holds more than 20000 events (max_batch_events)."


@pytest.mark.parametrize("path", [ONE, MANY, "/api/v1/namespaces/a", "/openapi/v3/entity/dataset"])
@pytest.mark.parametrize("value", ["0", "[]", '{"a":0}', '""', '"\\",[]'])
def test_a_body_of_very_many_values_is_refused(store: Store, path: str, value: str) -> None:
    body = gzip.compress(b"[" + b",".join([value.encode()] * 1_100) + b"]")
    method = "PUT" if path.endswith("/a") else "POST"
    with TestClient(create_app(store, ServerSettings(allow_open=True, max_json_values=1_000))) as client:
        answer = client.request(method, path, content=body, headers={**JSON, **GZIP})
    assert (answer.status_code, answer.json()["code"]) == (413, 413)
    assert answer.json()["message"].endswith("JSON of more than 1000 values; the limit is 1000 (max_json_values).")


def test_very_many_values_are_refused_before_they_are_made(store: Store) -> None:
    body = gzip.compress(b"[" + b",".join([b"{}"] * 400_000) + b"]", compresslevel=1)
    with TestClient(create_app(store, ServerSettings(allow_open=True, max_json_values=100_000))) as client:
        tracemalloc.start()
        try:
            answer = client.post(MANY, content=body, headers={**JSON, **GZIP})
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert answer.status_code == 413
    assert peak < 10_000_000  # as objects they would take 29 MB


def test_a_line_that_is_not_utf_8_is_rejected_alone(client: TestClient, maker: EventMaker) -> None:
    body = b'"\xff"\n' + json.dumps(maker(1)).encode()
    answer = client.post(MANY, content=body, headers=LINES)
    assert (answer.status_code, answer.json()["accepted"]) == (207, 1)
    assert answer.json()["rejected"] == [{"index": 0, "field": None, "reason": "is not UTF-8 (byte 1)"}]
