"""No secret of an event that others send reaches an answer, a page, a file or a log, whichever way it came in."""

from __future__ import annotations

import json
import logging
import re
from itertools import islice, product
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from tests.secret_corpus import S, event, planted_events, seen_in
from typer.testing import CliRunner

from headwater.cli import app
from headwater.server.app import create_app
from headwater.server.http.logs import JsonLines, TextLines
from headwater.store import Store, open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

EVENTS, SECRETS = planted_events()
MOST_REQUESTS = 6
WORDS = ("password", "jane", "hunter", "postgresql", "daily", "token", "users")
ASPECTS = {"dataset": "schemaMetadata", "dataJob": "dataJobInfo", "dataFlow": "dataFlowInfo"}
run = CliRunner().invoke


def _names(store: Store, table: str) -> list[tuple[str, str]]:
    statement = f"SELECT namespace, name FROM {table} ORDER BY namespace, name"
    with store.read() as session:
        return [(namespace, name) for namespace, name in session.rows(statement)]


def _urns(store: Store, folder: Path) -> list[str]:
    path = folder / "datahub.json"
    result = run(app, ["datahub", "export", str(path), "--store", store.url])
    # Some names in the corpus have the same URN, which is said.
    assert list(seen_in(result.output, SECRETS)) == []
    assert list(seen_in(path.read_text(), SECRETS)) == []
    urns = dict.fromkeys(re.findall(r'"entityUrn": ?"([^"]+)"', path.read_text()))
    assert urns
    return [urn for urn in urns if urn.split(":")[2] in ASPECTS]


def _requests(client: TestClient, store: Store, folder: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Requests of each GET route: the route, the path and the parameters."""
    paths = client.get("/openapi.json").json()["paths"]
    datasets, jobs = _names(store, "dataset"), _names(store, "job")
    runs = [held["run"]["runId"] for held in EVENTS if "run" in held]
    both = [f"{namespace}/{name}" for namespace, name in datasets]
    nodes = [f"dataset:{namespace}:{name}" for namespace, name in datasets]
    nodes += [f"job:{namespace}:{name}" for namespace, name in jobs]
    urns = _urns(store, folder)
    sources = [source["name"] for source in client.get("/api/v1/sources").json()["sources"]]
    known: dict[str, list[Any]] = {
        "namespace": [], "dataset": both, "datasets": both, "job": [f"{n}/{m}" for n, m in jobs], "nodeId": nodes,
        "id": runs, "runId": runs, "run": runs, "q": [*WORDS], "text": [*WORDS], "type": ["run", "job"],
        "source": sources, "version": runs, "urn": urns, "direction": ["INCOMING", "OUTGOING"],
        "aspect": ["schemaMetadata"], "since": ["2025-01-01"],
        "limit": [100], "withDownstream": [True], "depth": [5],
    }  # fmt: skip
    # Texts are asked for by name, not by path: Marquez has the namespace in front.
    for route, methods in paths.items():
        if "get" not in methods:
            continue
        parameters = {item["name"]: item for item in methods["get"].get("parameters", ())}
        pairs = jobs if "{job}" in route else datasets
        places = [name for name, item in parameters.items() if item["in"] == "path"]
        if "namespace" in places and len(places) > 1:
            # The facets of each are what it has.
            filled = [dict(zip(places, [namespace, name, runs[0]], strict=False)) for namespace, name in pairs]
        elif "urn" in places:
            entities = [urn.split(":")[2] for urn in urns]
            filled = [
                {"urn": urn, "entity": kind, "aspect": ASPECTS[kind]} for urn, kind in zip(urns, entities, strict=True)
            ]
        else:
            values = [known[name] or [namespace for namespace, _ in pairs] for name in places]
            filled = [dict(zip(places, chosen, strict=True)) for chosen in product(*values)]
        wanted = [name for name, item in parameters.items() if item.get("required") and item["in"] == "query"]
        wanted += [name for name in ("dataset", "job", "limit", "withDownstream") if name in parameters]
        wanted = [name for name in dict.fromkeys(wanted) if name not in places]
        wanted += ["since"] if route.endswith("/diff") else []
        if "dataset" in wanted and "job" in wanted:
            wanted.remove("job")
        asked = [dict(zip(wanted, chosen, strict=True)) for chosen in product(*(known[name] for name in wanted))]
        every = [(path, query) for path in filled for query in asked]
        for path, query in islice(every, 0, None, max(1, len(every) // MOST_REQUESTS)):
            written = route
            for name, value in path.items():
                written = written.replace(f"{{{name}}}", quote(str(value), safe=""))
            yield route, written, query


def _over_http(store: Store, _folder: Path) -> None:
    with TestClient(create_app(store)) as client:
        for held in EVENTS[:20]:
            assert client.post("/api/v1/lineage", json=held).status_code == 201
        answer = client.post("/api/v1/lineage/batch", json=EVENTS)
        assert answer.json()["accepted"] == len(EVENTS) - 20
        bad = {**event(), "eventType": f"password={S}"}
        assert S not in client.post("/api/v1/lineage", json=bad).text


def _by_command(store: Store, folder: Path) -> None:
    lines = folder / "events.jsonl"
    bad = {**event(), "eventType": f"token={S}"}
    lines.write_text("".join(json.dumps(held) + "\n" for held in [*EVENTS, bad]))
    result = run(app, ["ingest", str(lines), "--store", store.url])
    assert f"{len(EVENTS)} new events" in result.output
    assert list(seen_in(result.output, [*SECRETS, S])) == []


@pytest.mark.parametrize("bring", [_over_http, _by_command])
def test_no_secret_is_seen(
    bring: Callable[[Store, Path], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    store = open_store(f"sqlite:///{tmp_path / 'store.db'}")
    bring(store, tmp_path)
    answered: dict[str, int] = {}
    with TestClient(create_app(store)) as client:
        for route, path, query in _requests(client, store, tmp_path):
            answer = client.get(path, params=query)
            assert answer.status_code < 500, (path, query, answer.text)
            answered[route] = answered.get(route, 0) + (answer.status_code == 200)
            assert list(seen_in(answer.content, SECRETS)) == [], (path, query)
        for path in ("/", "/docs", "/metrics", "/api/v1/questions/events?format=csv&limit=1000"):
            assert list(seen_in(client.get(path).content, SECRETS)) == []
    silent = [route for route, count in answered.items() if not count]
    assert [route for route in silent if "versions/{version}" not in route and "provenance" not in route] == []
    for command in (
        ["export", "--events"], ["search", "hunter"], ["search", "password"], ["stats"], ["stats", "-o", "json"],
        *(["export", "--format", form, "users_0"] for form in ("json", "csv", "graphml", "mermaid", "dot")),
        ["upstream", "shop.users_0", "password"], ["impact", "users_0", "-o", "json"],
    ):  # fmt: skip
        result = run(app, [*command, "--store", store.url])
        assert list(seen_in(result.output, SECRETS)) == [], command
    for record, lines in product(caplog.records, (TextLines(), JsonLines())):
        assert list(seen_in(lines.format(record), SECRETS)) == []


@pytest.mark.parametrize("lines", [TextLines(), JsonLines()])
def test_a_log_line_holds_no_secret(lines: logging.Formatter) -> None:
    record = logging.LogRecord("headwater", logging.INFO, "", 0, f"cannot reach http://jane:{S}@host", (), None)
    record.facts = {"path": f"/namespaces/postgres%3A%2F%2Fjane%3A{S}%40db", "token": "writer"}
    assert S not in lines.format(record)
    assert "writer" in lines.format(record)


def test_what_is_said_by_hand_holds_no_secret(tmp_path: Path) -> None:
    with TestClient(create_app(open_store(f"sqlite:///{tmp_path / 'store.db'}"))) as client:
        url = f"jdbc:postgresql://db/shop?user=jane&password={S}"
        client.put("/api/v1/sources/shop", json={"type": "POSTGRESQL", "connectionUrl": url, "description": url})
        client.put("/api/v1/namespaces/shop", json={"ownerName": "jane", "description": url})
        client.put("/api/v1/tags/PII", json={"description": url})
        for path in ("sources", "namespaces", "tags"):
            answer = client.get(f"/api/v1/{path}")
            assert "password=***" in answer.text
            assert S not in answer.text
