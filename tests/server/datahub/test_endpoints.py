"""DataHub's endpoints, byte by byte: what they take and refuse, what they give back, and what is on disk afterwards."""

from __future__ import annotations

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx
import pytest
from fastapi.testclient import TestClient
from tests.datahub.changes import FACTS, ORDERS, derived, field, lineage, schema
from tests.live_server import served

from headwater.datahub.imports import last_word
from headwater.server.app import create_app
from headwater.server.settings.settings import ServerSettings
from headwater.store.model.order import digest

if TYPE_CHECKING:
    from headwater.store import Store

JSON = {"Content-Type": "application/json"}
RUN = {
    "eventType": "COMPLETE",
    "eventTime": "2026-01-01T00:00:00Z",
    "run": {"runId": "5f0c1c56-2a1e-4d0f-9f3c-0a4f8b8a3f10"},
    "job": {"namespace": "shop", "name": "daily"},
    "inputs": [{"namespace": "s3://lake", "name": "in"}],
    "outputs": [
        {
            "namespace": "s3://lake",
            "name": "out",
            "facets": {
                "schema": {"fields": [{"name": "a", "type": "int"}]},
                "columnLineage": {
                    "fields": {"a": {"inputFields": [{"namespace": "s3://lake", "name": "in", "field": "b"}]}}
                },
            },
        }
    ],
}
IN, OUT = (f"urn:li:dataset:(urn:li:dataPlatform:s3,lake/{name},PROD)" for name in ("in", "out"))
JOB = "urn:li:dataJob:(urn:li:dataFlow:(openlineage,shop,PROD),daily)"


def _proposal(urn: str, aspect: str, value: Any, change: str = "UPSERT") -> dict[str, Any]:  # noqa: ANN401  JSON
    """An MCP as the emitter sends it."""
    packed = {"value": json.dumps(value), "contentType": "application/json"}
    return {"entityType": "dataset", "entityUrn": urn, "changeType": change, "aspectName": aspect, "aspect": packed}


def _propose(client: TestClient, *proposals: Any) -> Any:  # noqa: ANN401  JSON; the response of whichever httpx
    return client.post("/aspects?action=ingestProposalBatch", json={"proposals": list(proposals)})


def _aspects(client: TestClient, urn: str, **asked: str) -> dict[str, Any]:
    kind = urn.split(":")[2]
    reply = client.get(f"/openapi/v3/entity/{kind}/{quote(urn, safe='')}", params=asked)
    return (
        {name: envelope["value"] for name, envelope in reply.json().items() if name != "urn"}
        if reply.is_success
        else {}
    )


def _related(client: TestClient, urn: str, direction: str, **asked: Any) -> list[tuple[str, str]]:  # noqa: ANN401  parameters
    reply = client.get("/openapi/relationships/v1/", params={"urn": urn, "direction": direction, **asked})
    return [(relation["relationshipType"], relation["urn"]) for relation in reply.json()["entities"]]


TOO_LONG = f"urn:li:datasetField:({ORDERS},/{'a' * 500})"
BAD = {
    "a malformed URN": (_proposal("urn:li:dataset:(kafka)", "status", {}), "a dataset has 3 parts, not 1"),
    "no URN": (_proposal("orders", "status", {}), "does not begin with urn:li:"),
    "an aspect that is no JSON": (
        {**_proposal(ORDERS, "status", {}), "aspect": {"value": "{"}},
        "aspect.value is not JSON",
    ),
    "an aspect that is nested too deeply": (
        {**_proposal(ORDERS, "status", {}), "aspect": {"value": '{"a":' * 5_000 + "1" + "}" * 5_000}},
        "nested",
    ),
    "an aspect that is not as DataHub writes it": (
        _proposal(ORDERS, "schemaMetadata", {"fields": 7}),
        "must be a list",
    ),
    "a schema without paths": (_proposal(ORDERS, "schemaMetadata", {"fields": [{}]}), "fieldPath must be a string"),
    "a mapping of a field that is not there": (
        _proposal(FACTS, "upstreamLineage", lineage(derived(field(FACTS, "x"), field(ORDERS, "nowhere")))),
        "names a field that is not in its dataset's schema",
    ),
    "a path that is too long": (_proposal(TOO_LONG, "fieldInfo", {"nativeDataType": "int"}), "500 at most"),
    "a change log without its proposal": (
        {"entityUrn": ORDERS, "created": {"time": 1}, "previousAspectValue": None},
        "must contain its proposal",
    ),
    "what is no change": ({"something": "else"}, "Not a DataHub change"),
    "an unknown kind of change": (_proposal(ORDERS, "status", {}, "RENAME"), "Unknown changeType"),
    "a name with NUL": (_proposal(ORDERS, "status", {"a\0": 1}), "NUL"),
}


def test_what_cannot_be_used_is_said_with_its_reason_and_the_rest_is_kept(client: TestClient) -> None:
    schemas = [_proposal(ORDERS, "schemaMetadata", schema("a")), _proposal(FACTS, "schemaMetadata", schema("x"))]
    good = [_proposal(ORDERS, f"kept{number}", {"number": number}) for number in range(len(BAD))]
    sent = [*schemas, *(item for pair in zip((bad for bad, _ in BAD.values()), good, strict=True) for item in pair)]
    answer = _propose(client, *sent)
    assert answer.status_code == httpx.codes.UNPROCESSABLE_ENTITY
    problem = answer.json()
    assert (problem["status"], problem["exceptionClass"]) == (422, "com.linkedin.restli.server.RestLiServiceException")
    refused = {item["index"]: item for item in problem["refused"]}
    for index, (what, (bad, reason)) in zip(range(2, 100, 2), BAD.items(), strict=False):
        assert reason in refused[index]["reason"], what
        named = {"urn": bad.get("entityUrn"), "aspect": bad.get("aspectName")}
        assert {key: refused[index][key] for key in named} == named, what
    assert len(refused) == len(problem["refused"]) == len(BAD)
    assert problem["message"].endswith(f"And {len(BAD) - 3} more. Changes that are not listed are stored.")
    assert set(_aspects(client, ORDERS)) == {"datasetKey", "schemaMetadata", *(item["aspectName"] for item in good)}
    assert "schemaMetadata" in _aspects(client, FACTS)


NONE = [
    ("POST", "/aspects?action=ingestProposal", b"{"),
    ("POST", "/aspects?action=ingestProposal", b"{}"),
    ("POST", "/aspects?action=unknown", b"{}"),
    ("POST", "/aspects?action=ingestProposalBatch", b'{"proposals": 1}'),
    ("POST", "/entities?action=ingest", b"[]"),
    ("POST", "/entities?action=delete", b'{"urn": "orders"}'),
    ("POST", "/openapi/v3/entity/dataset", b"{}"),
    ("GET", "/aspects/orders?aspect=status", b""),
    ("GET", f"/aspects/{quote(ORDERS)}?aspect=status&version=2", b""),
    ("GET", "/openapi/v3/entity/tag/urn:li:corpuser:me", b""),
    ("GET", "/openapi/relationships/v1/?urn=orders&direction=INCOMING", b""),
    ("GET", f"/relationships?urn={quote(ORDERS)}&direction=BOTH", b""),
    ("GET", f"/relationships?urn={quote(ORDERS)}&direction=INCOMING&asOf=soon", b""),
]


def test_a_request_that_is_none_gets_400_and_is_told_why(client: TestClient) -> None:
    for method, path, body in NONE:
        answer = client.request(method, path, content=body, headers={"Content-Type": "application/json"})
        assert (path, answer.status_code) == (path, httpx.codes.BAD_REQUEST)
        assert answer.json()["message"], path


def test_half_a_character_anywhere_is_refused(client: TestClient) -> None:
    odd: list[Any] = [
        _proposal("urn:li:tag:\ud800", "status", {"removed": False}),
        _proposal(OUT.replace("out", "\ud800"), "status", {"removed": False}),
        _proposal(OUT, "\ud800", {"removed": False}),
        _proposal(OUT, "status", {"\ud800": 1}),
        _proposal(OUT, "status", {"x": ["\ud800"]}),
        _proposal(OUT, "status", {"x": "a\0"}),
        {**_proposal(OUT, "status", {}), "changeType": "\ud800"},
        {**_proposal(OUT, "status", {}), "changeType": ["UPSERT"]},
        {**_proposal(OUT, "status", {}), "aspect": {"value": '{"x": 1e999}'}},
        {"\ud800": 1},
        "\ud800",
    ]
    for proposal in odd:
        # Not the client's own JSON, which cannot express it.
        content = json.dumps({"proposals": [proposal]})
        answer = client.post("/aspects?action=ingestProposalBatch", content=content, headers=JSON)
        assert answer.status_code == 422, proposal
        answer = client.post("/aspects?action=ingestProposal", content=json.dumps({"proposal": proposal}), headers=JSON)
        assert answer.status_code == 422, proposal
    for method, path in (("POST", "/openapi/v3/entity/dataset"), ("PATCH", "/openapi/v3/entity/dataset")):
        content = json.dumps([{"urn": OUT, "status": {"value": {"\ud800": 1}}}, {"urn": "\ud800", "\ud800": {}}])
        assert client.request(method, path, content=content, headers=JSON).status_code == 422
    content = json.dumps([{"urn": "urn:li:dataset:\ud800"}])
    assert client.post("/openapi/v3/entity/dataset/batchGet", content=content, headers=JSON).status_code in {200, 400}
    content = json.dumps({"urn": "urn:li:tag:\ud800"})
    assert client.post("/entities?action=delete", content=content, headers=JSON).status_code in {200, 400}


def test_changes_of_one_moment_are_all_kept_at_the_same_cost(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has to come after those before it, by its hash."""
    hashed: list[int] = []

    def counted(content: bytes) -> bytes:
        hashed.append(len(content))
        return digest(content)

    monkeypatch.setattr(last_word, "digest", counted)
    per_change: list[int] = []
    with TestClient(create_app(store)) as client:
        for number in range(40):
            proposal = _proposal(OUT, "globalTags", {"tags": [{"tag": f"urn:li:tag:{number}"}]})
            proposal["systemMetadata"] = {"lastObserved": 1_767_225_600_000}
            before = len(hashed)
            assert _propose(client, proposal).status_code == 200
            per_change.append(len(hashed) - before)
            assert _aspects(client, OUT)["globalTags"]["tags"] == [{"tag": f"urn:li:tag:{number}"}]
    # Two hashes for each number that is tried, for each event of the change.
    assert max(per_change) <= 2 * 2 * 512


def test_what_cannot_come_last_of_its_moment_is_refused(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def proposed(tag: str) -> Any:  # noqa: ANN401  a response
        proposal = _proposal(OUT, "globalTags", {"tags": [{"tag": f"urn:li:tag:{tag}"}]})
        return _propose(client, {**proposal, "systemMetadata": {"lastObserved": 1_767_225_600_000}})

    assert proposed("a").status_code == 200
    monkeypatch.setattr(last_word, "_NUMBERS", 0)
    monkeypatch.setattr(last_word, "_FEWEST", 0)
    answers = [proposed(f"b{number}") for number in range(12)]
    refused = [answer.json()["message"] for answer in answers if answer.status_code == 422]
    assert refused
    assert all("Too many changes have the same time" in message for message in refused)
    kept = (
        max(number for number, answer in enumerate(answers) if answer.status_code == 200) if len(refused) < 12 else None
    )
    assert _aspects(client, OUT)["globalTags"]["tags"] == [
        {"tag": "urn:li:tag:a" if kept is None else f"urn:li:tag:b{kept}"}
    ]


def test_an_unknown_aspect_is_given_back_as_it_came(client: TestClient) -> None:
    odd = {"z": [1, 1.0, None, True, {"é☃": "\u2028"}], "a": {"com.linkedin.x.Y": {}}, "big": 2**63, "": "empty"}
    tag = "urn:li:tag:pii"
    answer = _propose(client, _proposal(ORDERS, "somethingNew", odd), _proposal(tag, "somethingElse", odd))
    assert answer.status_code == httpx.codes.OK
    for urn, aspect in ((ORDERS, "somethingNew"), (tag, "somethingElse")):
        kind, inside = urn.split(":")[2], quote(urn, safe="")
        given = [
            client.get(f"/openapi/v3/entity/{kind}/{inside}/{aspect}").json()["value"],
            client.get(f"/aspects/{inside}?aspect={aspect}&version=0").json()["aspect"][aspect],
            client.get(f"/entitiesV2/{inside}?aspects=List({aspect})").json()["aspects"][aspect]["value"],
        ]
        assert [json.dumps(value, sort_keys=True) for value in given] == [json.dumps(odd, sort_keys=True)] * 3


def test_an_entity_has_several_aspects_and_one_that_is_there_stays_if_asked(client: TestClient) -> None:
    def body(words: str) -> list[dict[str, Any]]:
        return [
            {
                "urn": ORDERS,
                "status": {"value": {"removed": False}},
                "datasetProperties": {"value": {"description": words}},
            }
        ]

    path = "/openapi/v3/entity/dataset"
    assert client.post(f"{path}?async=true", json=body("first")).json()[0]["urn"] == ORDERS
    assert client.post(f"{path}?createIfNotExists=true", json=body("second")).status_code == httpx.codes.OK
    assert _aspects(client, ORDERS)["datasetProperties"] == {"description": "first"}
    client.post(path, json=body("third"))
    assert _aspects(client, ORDERS, aspects="datasetProperties") == {"datasetProperties": {"description": "third"}}
    address = f"{path}/{quote(ORDERS, safe='')}/datasetProperties"
    client.post(address, json={"value": {"description": "fourth"}})
    client.patch(address, json={"patch": [{"op": "add", "path": "/name", "value": "orders"}]})
    assert client.get(address).json() == {"value": {"description": "fourth", "name": "orders"}}
    wrong = client.post(path, json=[{"urn": "urn:li:tag:a", "status": {"value": {}}}])
    assert (wrong.status_code, "is not the URN of a dataset" in wrong.json()["message"]) == (422, True)


def test_what_is_deleted_is_gone_and_can_be_asked_for_as_it_was(client: TestClient) -> None:
    then = {"systemMetadata": {"lastObserved": 1_700_000_000_000}}
    _propose(
        client,
        *(
            {**_proposal(urn, aspect, value), **then}
            for urn, aspect, value in (
                (ORDERS, "schemaMetadata", schema("a")),
                (ORDERS, "somethingNew", {"x": 1}),
                (FACTS, "schemaMetadata", schema("x")),
                (FACTS, "upstreamLineage", lineage(derived(field(FACTS, "x"), field(ORDERS, "a")), upstreams=[ORDERS])),
                ("urn:li:tag:pii", "tagProperties", {"name": "pii"}),
            )
        ),
    )
    path = f"/openapi/v3/entity/dataset/{quote(ORDERS, safe='')}"
    assert client.delete(f"{path}/somethingNew").status_code == httpx.codes.OK
    assert sorted(_aspects(client, ORDERS)) == ["datasetKey", "schemaMetadata"]
    assert client.delete(path).status_code == httpx.codes.OK
    tag = {"urn": "urn:li:tag:pii"}
    assert client.post("/entities?action=delete", json=tag).json() == {"value": {**tag, "rows": 1, "timeseriesRows": 0}}
    assert (_aspects(client, ORDERS), _aspects(client, tag["urn"])) == ({}, {})
    assert sorted(_aspects(client, ORDERS, asOf="2024-01-01")) == ["datasetKey", "schemaMetadata", "somethingNew"]
    assert ("HasField", f"urn:li:datasetField:({ORDERS},/a)") in _related(client, ORDERS, "OUTGOING", asOf="2024-01-01")
    assert _related(client, ORDERS, "OUTGOING") == []


def test_a_snapshot_and_its_batch_are_taken_compressed(client: TestClient) -> None:
    snapshot = {
        "com.linkedin.metadata.snapshot.DatasetSnapshot": {
            "urn": FACTS,
            "aspects": [
                {"com.linkedin.schema.SchemaMetadata": schema("x")},
                {"com.linkedin.dataset.UpstreamLineage": lineage(derived(field(FACTS, "x"), field(ORDERS, "a")))},
            ],
        }
    }
    body = gzip.compress(json.dumps({"entities": [{"value": snapshot}, {"no": "value"}]}).encode())
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    answer = client.post("/entities?action=ingestBatch", content=body, headers=headers)
    assert (answer.status_code, [refusal["index"] for refusal in answer.json()["refused"]]) == (422, [1])
    assert sorted(_aspects(client, FACTS)) == ["datasetKey", "schemaMetadata", "upstreamLineage"]


def test_what_openlineage_said_is_read_as_aspects_and_relations(client: TestClient) -> None:
    answer = client.post("/openapi/openlineage/api/v1/lineage", json=RUN)
    assert (answer.status_code, answer.content) == (200, b"")
    aspects = _aspects(client, OUT)
    assert [item["fieldPath"] for item in aspects["schemaMetadata"]["fields"]] == ["a"]
    assert [item["dataset"] for item in aspects["upstreamLineage"]["upstreams"]] == [IN]
    (entry,) = aspects["upstreamLineage"]["fineGrainedLineages"]
    assert (entry["upstreams"], entry["downstreams"]) == ([field(IN, "b")], [field(OUT, "a")])
    assert sorted(_aspects(client, IN)) == ["datasetKey"]
    job = _aspects(client, JOB)["dataJobInputOutput"]
    assert [item["destinationUrn"] for item in job["outputDatasetEdges"]] == [OUT]
    assert _related(client, JOB, "OUTGOING") == [("Consumes", IN), ("Produces", OUT)]
    assert _related(client, IN, "INCOMING") == [("Consumes", JOB), ("DownstreamOf", OUT)]
    assert _related(client, OUT, "INCOMING", relationshipTypes="Produces") == [("Produces", JOB)]
    rfc = f"urn:li:datasetField:({OUT},/a)"
    assert _related(client, rfc, "OUTGOING") == [("DataDerivedFrom", f"urn:li:datasetField:({IN},/b)")]
    assert _related(client, rfc, "INCOMING") == [("HasField", OUT)]


def test_relations_come_in_pages_and_in_both_shapes(client: TestClient) -> None:
    tags = {"tags": [{"tag": f"urn:li:tag:{name}"} for name in ("a", "b", "c")]}
    _propose(client, _proposal(ORDERS, "globalTags", tags), _proposal(ORDERS, "schemaMetadata", schema("x")))
    asked: dict[str, str | int] = {
        "urn": ORDERS,
        "direction": "OUTGOING",
        "types": "List(TaggedWith)",
        "start": 1,
        "count": 1,
    }
    assert client.get("/relationships", params=asked).json() == {
        "start": 1,
        "count": 1,
        "total": 3,
        "partial": False,
        "relationships": [{"type": "TaggedWith", "entity": "urn:li:tag:b"}],
    }
    page = _related(client, ORDERS, "OUTGOING", relationshipTypes=["TaggedWith", "HasField"], count=2)
    assert page == [("HasField", f"urn:li:datasetField:({ORDERS},/x)"), ("TaggedWith", "urn:li:tag:a")]


def test_what_many_send_at_once_is_kept_and_each_is_told_of_its_own(any_store: Store) -> None:
    urns = [f"urn:li:dataset:(urn:li:dataPlatform:hive,demo.t{number},PROD)" for number in range(24)]

    with served(any_store) as url, httpx.Client(base_url=url, timeout=30, trust_env=False) as client:

        def send(number: int) -> int:
            value = schema("a") if number % 6 else {"fields": 7}
            proposal = {"proposal": _proposal(urns[number], "schemaMetadata", value)}
            return client.post("/aspects?action=ingestProposal", json=proposal).status_code

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(send, range(24))) == [200 if number % 6 else 422 for number in range(24)]
        there = [client.get(f"/aspects/{quote(urn)}?aspect=schemaMetadata").status_code for urn in urns]
    assert there == [200 if number % 6 else 404 for number in range(24)]


def test_the_last_that_was_sent_holds_whatever_stamp_it_carries(client: TestClient) -> None:
    for stamp, path in ((1_700_000_000_000, "new"), (1_500_000_000_000, "newer")):
        told = {**schema(path), "lastModified": {"time": stamp, "actor": "urn:li:corpuser:me"}}
        _propose(client, _proposal(ORDERS, "schemaMetadata", told))
    assert [field["fieldPath"] for field in _aspects(client, ORDERS)["schemaMetadata"]["fields"]] == ["newer"]


def test_the_environment_and_platform_instances_are_the_operators(any_store: Store) -> None:
    settings = ServerSettings(allow_open=True, datahub_env="dev", datahub_instances=("postgres://eu:5432=eu",))
    with TestClient(create_app(any_store, settings)) as client:
        output = {**RUN["outputs"][0], "namespace": "postgres://eu:5432", "name": "shop.out"}  # type: ignore[index]
        client.post("/api/v1/lineage", json={**RUN, "outputs": [output]})
        urn = "urn:li:dataset:(urn:li:dataPlatform:postgres,eu.shop.out,DEV)"
        assert sorted(_aspects(client, urn)) == ["datasetKey", "schemaMetadata", "upstreamLineage"]
        assert _aspects(client, urn.replace("eu.", "")) == {}


def test_an_emitter_is_told_what_it_talks_to(client: TestClient) -> None:
    config = client.get("/config").json()
    assert (config["noCode"], config["patchCapable"], config["telemetry"]["enabledCli"]) == ("true", True, False)
