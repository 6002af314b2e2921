"""Twice the input takes about twice the work, wherever text comes in: counted in lines of our own code and in bytes.

Every operation of the OpenAPI page is here: its texts in the URL by themselves, its body by `BODIES`. A new one with a
body and none in `BODIES` fails. Regular expressions and JSON, which are not lines, are in tests/test_patterns.py.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import tracemalloc
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
import starlette
from fastapi.testclient import TestClient
from tests.work import MOST, Work

from headwater.server.app import create_app
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SIZE = 300
TRIES = 3
SOME_BYTES = 200_000
"""What twice the size may take beside twice the memory."""
TEXTS = {"letters and marks": "a/:.`"}
RUN = "3f5e83fa-3480-44ff-99c5-ff943904e5e8"
_KAFKA = "urn:li:dataset:(urn:li:dataPlatform:kafka,{},PROD)"
_WHOLE = {"nodeId": "dataset:lake:{}", "urn": _KAFKA, "entity": "dataset", "aspect": "status", "id": RUN, "runId": RUN}
"""What is around a text in the URL, or in its place."""
_SOURCE = {"namespace": "lake", "name": "orders", "field": "id"}


def event(**changes: object) -> dict[str, Any]:
    """An event of a run."""
    return {
        "eventType": "COMPLETE", "eventTime": "2026-01-01T00:00:00Z", "run": {"runId": RUN},
        "job": {"namespace": "shop", "name": "daily"}, "producer": "https://example.com",
    } | changes  # fmt: skip


def output(**facets: object) -> dict[str, Any]:
    """An event with facets of what is written."""
    return event(outputs=[{"namespace": "lake", "name": "sales", "facets": facets}])


def _listed(size: int, text: str = "c") -> list[dict[str, Any]]:
    return [{"name": f"{text}{number}"} for number in range(size)]


def _edges(size: int, name: str, **more: object) -> dict[str, Any]:
    return output(
        columnLineage={"fields": {name.format(number): {"inputFields": [_SOURCE]} | more for number in range(size)}}
    )


EVENTS: dict[str, Callable[[int], dict[str, Any]]] = {
    "a namespace": lambda size: event(job={"namespace": "/." * size, "name": "j"}),
    "a name": lambda size: event(inputs=[{"namespace": "lake", "name": "a/" * size}]),
    "inputs": lambda size: event(inputs=[{"namespace": "lake", "name": f"t{number}"} for number in range(size)]),
    "one input": lambda size: event(inputs=[{"namespace": "lake", "name": "t"}] * size),
    "mentions": lambda size: event(
        outputs=[
            {"namespace": "lake", "name": "sales", "facets": {"schema": {"fields": [each]}}} for each in _listed(size)
        ]
    ),
    "columns": lambda size: output(schema={"fields": _listed(size)}),
    "fields of a struct": lambda size: output(schema={"fields": [{"name": "s", "fields": _listed(size)}]}),
    "a long column": lambda size: output(schema={"fields": [{"name": "`." * size}]}),
    "output columns": lambda size: _edges(size, "c{}"),
    "nested output columns": lambda size: _edges(size, "s.c{}"),
    "sources": lambda size: output(
        columnLineage={"fields": {"x": {"inputFields": [_SOURCE | {"field": f"c{n}"} for n in range(size)]}}}
    ),
    "rows": lambda size: output(
        columnLineage={"fields": {}, "dataset": [_SOURCE | {"field": f"c{n}"} for n in range(size)]}
    ),
    "a description": lambda size: _edges(1, "x", transformationDescription="'a\\" * size),
    "a description of many": lambda size: output(
        columnLineage={"fields": {"x": {"inputFields": [_SOURCE | {"field": f"c{n}"} for n in range(size)],
                                        "transformationDescription": "because " * 100}}}
    ),
    "symlinks": lambda size: output(
        symlinks={"identifiers": [{"namespace": "hive", "name": f"t{n}", "type": "TABLE"} for n in range(size)]}
    ),
    "tags": lambda size: output(tags={"tags": [{"key": f"k{n}", "field": f"c{n}"} for n in range(size)]}),
    "a location": lambda size: output(dataSource={"name": "pwd." * size, "uri": "pwd." * size + " @"}),
    "an SQL text": lambda size: event(
        job={"namespace": "shop", "name": "j", "facets": {"sql": {"query": "SELECT 'pwd=' || \"" * size}}}
    ),
    "an error": lambda size: event(
        run={"runId": RUN, "facets": {"errorMessage": {"message": "password=" * size, "programmingLanguage": "x"}}}
    ),
    "entries": lambda size: event(
        job={"namespace": "shop", "name": "j", "facets": {"lineage": {"entries": [
            {"type": "DATASET", "namespace": "lake", "name": "sales"} for _ in range(size)]}}}
    ),
    "facets": lambda size: output(**{f"f{number}": {"x": 1} for number in range(size // 2)}),
}  # fmt: skip

_PROPOSAL = {
    "entityType": "dataset", "entityUrn": _KAFKA.format("orders"), "changeType": "UPSERT", "aspectName": "status",
    "aspect": {"contentType": "application/json", "value": '{"removed": false}'},
}  # fmt: skip
BODIES: dict[str, Callable[[int], Any]] = {
    "post /api/v1/lineage": EVENTS["columns"],
    "post /openapi/openlineage/api/v1/lineage": EVENTS["columns"],
    "post /api/v1/lineage/batch": lambda size: [
        event(job={"namespace": "n", "name": f"j{n}"}) for n in range(size // 10)
    ],
    "put /api/v1/namespaces/{namespace}/datasets/{dataset}": lambda size: {
        "type": "DB_TABLE", "physicalName": "t", "sourceName": "s", "description": "'a\\" * size,
        "fields": [{"name": f"c{n}", "type": "int"} for n in range(size // 10)],
    },
    "put /api/v1/namespaces/{namespace}/jobs/{job}": lambda size: {
        "type": "BATCH", "inputs": [{"namespace": "lake", "name": f"t{n}"} for n in range(size // 10)], "outputs": [],
        "description": "x'" * size, "location": "https://e.com/" + "a/" * size,
    },
    "put /api/v1/namespaces/{namespace}": lambda size: {"ownerName": "o" * size, "description": "d" * size},
    "post /api/v1/namespaces/{namespace}/jobs/{job}/runs": lambda size: {"args": {f"k{n}": "v" for n in range(size)}},
    "put /api/v1/sources/{source}": lambda size: {
        "type": "POSTGRESQL", "connectionUrl": "jdbc:postgresql://h/" + "pwd." * size, "description": "d" * size,
    },
    "put /api/v1/tags/{tag}": lambda size: {"description": "d'" * size},
    "post /api/v1/questions/batch": lambda size: {
        "questions": [{"question": "search", "text": f"t{n}"} for n in range(min(size // 50, 100))]
    },
    "post /aspects": lambda size: {"proposal": _PROPOSAL | {"entityUrn": _KAFKA.format("a." * size)}},
    "post /entities": lambda size: {
        "entity": {"value": {"x" * size: {"urn": _KAFKA.format("a%" * size), "aspects": []}}}
    },
    "post /openapi/v3/entity/{entity}": lambda size: [
        {"urn": _KAFKA.format(f"t{n}"), "status": {"value": {"removed": False}}} for n in range(size // 20)
    ],
    "patch /openapi/v3/entity/{entity}": lambda size: [{"urn": _KAFKA.format("a(" * size), "status": {"value": {}}}],
    "post /openapi/v3/entity/{entity}/{urn}/{aspect}": lambda size: {"value": {"removed": False, "x": "y" * size}},
    "patch /openapi/v3/entity/{entity}/{urn}/{aspect}": lambda size: {"value": {"patch": [{"op": "x" * size}]}},
    "post /openapi/v3/entity/{entity}/batchGet": lambda size: [
        {"urn": _KAFKA.format(f"t{n}")} for n in range(size // 10)
    ],
}  # fmt: skip
"""A body of about a size, for every operation that takes one; questions take what their URL takes."""


class Counted:
    """A server whose work is counted, in all its threads."""

    def __init__(self, client: TestClient, work: Work) -> None:
        self.client = client
        self._work = work

    def cost(self, ask: Callable[[int], object], size: int) -> tuple[int, int]:
        """Lines and bytes for a size."""
        before = self._work.lines
        tracemalloc.reset_peak()
        held = tracemalloc.get_traced_memory()[0]
        ask(size)
        return self._work.lines - before, tracemalloc.get_traced_memory()[1] - held

    def grows(self, ask: Callable[[int], object], size: int = SIZE) -> str:
        """What grows faster than the size; empty if nothing does."""
        ask(size // 5)  # what is kept from the first time on must not look like growth
        found = ""
        for more in range(TRIES):
            # A table that is kept, such as a cache, takes much at once when it grows, and nothing at the next size.
            found = self._growth(ask, size + more)
            if not found:
                break
        return found

    def _growth(self, ask: Callable[[int], object], size: int) -> str:
        (lines, memory), (more_lines, more_memory) = self.cost(ask, size), self.cost(ask, 2 * size)
        if more_lines > MOST * lines + 500:
            return f"{lines} lines become {more_lines}"
        return f"{memory} bytes become {more_memory}" if more_memory > MOST * memory + SOME_BYTES else ""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Counted]:
    """A server with a few datasets, among them one whose name is long."""
    work = Work(float("inf"))
    path: Path = tmp_path_factory.mktemp("growth") / "store.db"
    threading.settrace(work._call)
    tracemalloc.start()
    try:
        with TestClient(create_app(open_store(f"sqlite:///{path}"))) as client:
            for name in ("orders", "a" * 3_000, "/a" * 1_000, ":a" * 1_000):
                made = output(schema={"fields": [*_listed(20), {"name": "a" * 2_000}]}, columnLineage={"fields": {}})
                made["outputs"][0]["name"] = name
                made["job"]["name"] = name
                assert client.post("/api/v1/lineage", json=made).status_code == 201
            yield Counted(client, work)
    finally:
        tracemalloc.stop()
        threading.settrace(None)


def _operations() -> dict[str, dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/store.db") as store:
        page = create_app(store).openapi()
    return {f"{method} {path}": operation for path, ways in page["paths"].items() for method, operation in ways.items()}


OPERATIONS = _operations()


def _texts(operation: dict[str, Any], place: str) -> list[str]:
    """The names of an operation's parameters that are texts of any kind."""
    listed = [given for given in operation.get("parameters", ()) if given["in"] == place]
    schemas = {given["name"]: json.dumps(given["schema"]) for given in listed}
    return [name for name, schema in schemas.items() if '"string"' in schema and "enum" not in schema]


def ask_with_text(name: str, text: str) -> Callable[[TestClient, int], None]:
    """Asks for an operation with a text of a size in each of its texts."""
    method, path = name.split(" ")
    operation = OPERATIONS[name]

    def filled(parameter: str, size: int) -> str:
        long = (text * size)[:size]
        return _WHOLE.get(parameter, "{}").replace("{}", long)

    def ask(client: TestClient, size: int) -> None:
        url = path
        for parameter in _texts(operation, "path"):
            url = url.replace(f"{{{parameter}}}", quote(filled(parameter, size), safe=""))
        for parameter in _texts(operation, "query"):
            if parameter == "dataset" and "/questions/" in path and not path.endswith("/upstream"):
                continue  # all questions look a dataset up by the same function: an unknown one takes longest
            answer = client.request(method, url, params={parameter: filled(parameter, size), **_more(parameter)})
            assert answer.status_code < 500, answer.text
        if not _texts(operation, "query"):
            answer = client.request(method, url)
            assert answer.status_code < 500, answer.text

    return ask


def _more(parameter: str) -> dict[str, str]:
    """What else a question needs."""
    return {"dataset": "lake/orders"} if parameter in {"column", "version", "cursor"} else {}


WITH_TEXTS = [
    name
    for name, operation in OPERATIONS.items()
    if "requestBody" not in operation and (_texts(operation, "path") or _texts(operation, "query"))
]
WITH_BODIES = [name for name, operation in OPERATIONS.items() if "requestBody" in operation]


def _is_question(name: str) -> bool:
    return "/questions/" in name and name not in BODIES


def test_every_operation_with_a_body_is_here() -> None:
    assert {name for name in WITH_BODIES if not _is_question(name)} == BODIES.keys()


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", WITH_TEXTS)
def test_a_text_in_the_url_takes_linear_work(name: str, text: str, server: Counted) -> None:
    ask = ask_with_text(name, TEXTS[text])
    assert not server.grows(lambda size: ask(server.client, size))


@pytest.mark.parametrize("name", ["questions/upstream", "search", "lineage", "namespaces"])
def test_many_parameters_in_a_url_take_linear_work(name: str, tmp_path: Path) -> None:
    """The framework counts, too: it looks one name up among all of them."""
    counted = Work(float("inf"), starlette)
    threading.settrace(counted._call)
    try:
        with TestClient(create_app(open_store(f"sqlite:///{tmp_path}/x.db"))) as client:

            def lines(size: int) -> int:
                before = counted.lines
                url = f"/api/v1/{name}?{'&'.join(f'{number:x}=' for number in range(size))}"
                assert client.get(url).status_code < 500
                return counted.lines - before

            lines(10)
            assert lines(800) <= MOST * lines(400) + 500
    finally:
        threading.settrace(None)


def ask_with_body(name: str) -> Callable[[TestClient, int], None]:
    """Asks for an operation with a body of a size."""
    method, path = name.split(" ")
    for parameter in _texts(OPERATIONS[name], "path"):
        path = path.replace(f"{{{parameter}}}", quote(_WHOLE.get(parameter, "x").replace("{}", "orders"), safe=""))
    texts = _texts(OPERATIONS[f"get {path}"], "query") if _is_question(name) else []

    def ask(client: TestClient, size: int) -> None:
        body = dict.fromkeys(texts, "a/" * size) if _is_question(name) else BODIES[name](size)
        answer = client.request(method, path, json=body)
        assert answer.status_code < 500, answer.text

    return ask


@pytest.mark.parametrize("name", WITH_BODIES)
def test_a_body_takes_linear_work(name: str, server: Counted) -> None:
    ask = ask_with_body(name)
    assert not server.grows(lambda size: ask(server.client, size))


@pytest.mark.parametrize("name", EVENTS)
def test_a_part_of_an_event_takes_linear_work(name: str, server: Counted) -> None:
    def ask(size: int) -> None:
        answer = server.client.post("/api/v1/lineage", json=EVENTS[name](size))
        assert answer.status_code < 500, answer.text

    assert not server.grows(ask)


def test_what_grows_is_found(server: Counted) -> None:
    """Lines and bytes are counted in the server's threads as well as here."""
    assert server.cost(lambda _: server.client.get("/api/v1/search", params={"q": "a"}), 1)[0] > 50
    assert "bytes become" in server.grows(lambda size: ["x" * size for _ in range(size)] and None, 600)
    assert sys.gettrace() is None
