"""Requests that were sent to Marquez, sent again: the answers have the same shape, but for what the document lists."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from headwater.server.app import create_app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.store import Store

REPO = Path(__file__).resolve().parents[3]
DOC = REPO / "docs" / "differences-marquez.md"
CAPTURED = Path(os.environ.get("HEADWATER_ANCHORS") or REPO.parent / "shared" / "anchors") / "marquez_captured.json"
if not CAPTURED.is_file():
    pytest.skip(
        "needs captured answers: set HEADWATER_ANCHORS to the folder of marquez_captured.json", allow_module_level=True
    )

REQUESTS: dict[str, Any] = json.loads(CAPTURED.read_text(encoding="utf-8"))
_COMPLETE = REQUESTS["_posted_event_COMPLETE_job1"]
_VERSION = "7021c164-2958-4f2e-97a3-9455348fff95"
_UUID = re.compile(r"(?!01900000)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z?")
# Marquez answers in HTML, or that it went wrong.
STATUSES = {
    "GET lineage dataset#version": (500, 200),
    "GET runlineage upstream": (500, 200),
    "GET v2beta search jobs (search disabled)": (503, 404),
    "GET v2beta search datasets (search disabled)": (503, 404),
    "POST graphql": (200, 404),
}
# What differs, by the name of the field: in Marquez, in Headwater.
DIFFERENCES = {
    ("columnLineage", "absent", "there"),
    ("columnLineage", "null", "there"),
    ("currentVersion", "there", "null"),
    ("datasetVersion", "there", "null"),
    ("deleted", "false", "true"),
    ("description", "other", "other"),
    ("destination", "other", "other"),
    ("documentation", "there", "absent"),
    ("fieldType", "other", "other"),
    ("id", "other", "other"),
    ("inputDatasetVersions", "longer", "shorter"),
    ("lastModifiedAt", "null", "there"),
    ("latestRun", "null", "there"),
    ("latestRuns", "null", "there"),
    ("nominalStartTime", "null", "there"),
    ("nominalTime", "absent", "there"),
    ("origin", "other", "other"),
    ("outputs", "shorter", "longer"),
    ("sql", "there", "absent"),
    ("tags", "longer", "shorter"),
    ("transformationDescription", "null", "there"),
    ("transformationDescription", "there", "null"),
    ("transformationType", "null", "there"),
    ("transformationType", "other", "other"),
    ("transformations", "absent", "there"),
}


def _without_nulls(value: Any) -> Any:  # noqa: ANN401  JSON
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _events() -> dict[str, Any]:
    """The events that the requests sent; those that were not kept are written as the answers tell of them."""
    complete, start = _without_nulls(REQUESTS["GET events lineage"]["body"]["events"])
    orders = _COMPLETE["inputs"][0]
    static = {**orders, "name": "public.static_ds"}
    about = {"producer": _COMPLETE["producer"], "eventTime": "2026-11-15T06:05:00Z"}
    schema = _COMPLETE["schemaURL"].rsplit("/", 1)[0]
    return {
        "POST lineage START job1": {
            **_COMPLETE,
            "eventType": "START",
            "eventTime": "2026-11-15T06:00:00Z",
            "outputs": [],
        },
        "POST lineage COMPLETE job1": _COMPLETE,
        "POST lineage START job2": start,
        "POST lineage COMPLETE job2": complete,
        "POST DatasetEvent": {**about, "schemaURL": f"{schema}/DatasetEvent", "dataset": static},
        "POST JobEvent": {
            **about,
            "schemaURL": f"{schema}/JobEvent",
            "job": {"namespace": "food_delivery", "name": "static_job"},
            "inputs": [static],
            "outputs": [],
        },
        "POST same COMPLETE again (duplicate)": _COMPLETE,
        "PUT tag": {"description": "gold data"},
    }


def _plain(value: Any) -> Any:  # noqa: ANN401  JSON
    """Without ids and times, and with the columns of a dataset in one order."""
    if isinstance(value, dict):
        plain = {key: _plain(item) for key, item in value.items()}
        if isinstance(plain.get("columnLineage"), list):
            plain["columnLineage"].sort(key=lambda column: column["name"])
        if "results" in plain:  # Marquez says that it sorts them, and does not
            plain["results"].sort(key=lambda result: result["nodeId"])
        return plain
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return _TIME.sub("<time>", _UUID.sub("<id>", value)) if isinstance(value, str) else value


def _differences(marquez: Any, ours: Any, field: str) -> Iterator[tuple[str, str, str]]:  # noqa: ANN401  JSON
    if isinstance(marquez, dict) and isinstance(ours, dict):
        for key in marquez.keys() | ours.keys():
            if key not in ours or key not in marquez:
                yield key, _is(marquez, key), _is(ours, key)
            else:
                yield from _differences(marquez[key], ours[key], key)
    elif isinstance(marquez, list) and isinstance(ours, list):
        if len(marquez) != len(ours):
            yield (field, "longer", "shorter") if len(marquez) > len(ours) else (field, "shorter", "longer")
        for item, other in zip(marquez, ours, strict=False) if len(marquez) == len(ours) else ():
            yield from _differences(item, other, field)
    elif marquez != ours:
        yield field, *_words(marquez, ours)


def _words(marquez: Any, ours: Any) -> tuple[str, str]:  # noqa: ANN401  JSON
    if marquez is None or ours is None:
        return ("null", "there") if marquez is None else ("there", "null")
    if isinstance(marquez, str) and isinstance(ours, str):
        return "other", "other"
    return json.dumps(marquez), json.dumps(ours)


def _is(holder: dict[str, Any], key: str) -> str:
    return "absent" if key not in holder else "null" if holder[key] is None else "there"


def _documented() -> set[str]:
    section = DOC.read_text(encoding="utf-8").partition("## In the answers")[2].partition("\n## ")[0]
    return set(re.findall(r"`([^`]+)`", "".join(re.findall(r"^\| (`.*?) \|", section, re.MULTILINE))))


def test_every_request_is_answered_in_marquez_shape(any_store: Store) -> None:
    sent, differences = _events(), set()
    with TestClient(create_app(any_store)) as client:
        version = None
        for name, request in REQUESTS.items():
            if name.startswith("_"):
                continue
            if version is None and name.startswith("GET"):
                path = "/api/v1/namespaces/food_delivery/datasets/public.delivery_7_days"
                version = client.get(path).json()["currentVersion"]
            method, url = request["request"].split(" ", 1)
            answer = client.request(method, url.replace(_VERSION, version or ""), json=sent.get(name))
            theirs, ours = STATUSES.get(name, (request["status"], request["status"]))
            assert (request["status"], answer.status_code) == (theirs, ours), (name, answer.text)
            assert method == "POST" or answer.headers["content-type"] == "application/json", name
            if name in STATUSES or not isinstance(request["body"], dict | list):
                continue
            expected = _without_nulls(request["body"]) if name == "GET events lineage" else request["body"]
            if "stats" in name:  # as many hours and days as there were, and numbers of another day
                expected, actual = set(expected[0]), set(answer.json()[0])
                assert actual == expected, name
                continue
            differences |= {
                (name, *difference) for difference in _differences(_plain(expected), _plain(answer.json()), "")
            }
    assert {difference[1:] for difference in differences} == DIFFERENCES, sorted(differences)


def test_the_document_lists_what_differs_and_nothing_else() -> None:
    assert _documented() == {field for field, *_ in DIFFERENCES}
