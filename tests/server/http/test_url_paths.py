"""Names of any characters in every segment of a path, and paths with and without a slash at the end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import pytest
from fastapi import APIRouter, Depends
from fastapi.testclient import TestClient
from tests.server.conftest import connected, listening

from headwater.server.app import create_app
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.store import Store

NAMES = [
    "plain",
    "s3://bucket:2024/x",
    "/begins and ends/",
    "%",
    "100%25",
    "%2F",
    "a+b c&d=e?f#g",
    "arn:aws:glue:eu-west-1:123:table/db/t",
    "🌊 Grüße",
    "line\nbreak\r\tand\x7f",
    "..",
    "n" * 2000,
    "é/%" * 700,
]


def _namespace(namespace: str) -> str:
    return namespace


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Echoes the names in its paths."""
    router = APIRouter(prefix="/things")

    @router.get("/{namespace}/of/{name}")
    async def of(namespace: str, name: str) -> list[str]:
        return [namespace, name]

    @router.get("/{namespace}/asked/{name}")
    async def asked(namespace: Annotated[str, Depends(_namespace)], name: str) -> list[str]:
        return [namespace, name]

    @router.get("/all/{rest:path}")
    async def rest(rest: str) -> list[str]:
        return [rest]

    with open_store(str(tmp_path_factory.mktemp("paths") / "lineage.db")) as store:
        app = create_app(store)
        app.include_router(router)
        with TestClient(app) as opened:
            yield opened


def test_names_come_through_a_real_connection(store: Store) -> None:
    app = create_app(store)

    @app.get("/things/{namespace}/of/{name}")
    async def of(namespace: str, name: str) -> list[str]:
        return [namespace, name]

    with listening(app) as client:
        for name in NAMES:
            with connected(client.base_url) as connection:  # by hand: clients write paths in ways of their own
                path = f"/things/{quote(name, safe='')}/of/{quote(name, safe='')}/"
                connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
                received = b""
                while part := connection.recv(65536):
                    received += part
            assert json.loads(received.partition(b"\r\n\r\n")[2]) == [name, name]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("end", ["", "/"], ids=["", "slash"])
def test_a_name_comes_through_every_segment(client: TestClient, name: str, end: str) -> None:
    encoded = quote(name, safe="").replace(".", "%2E")
    assert client.get(f"/things/{encoded}/of/{encoded}{end}").json() == [name, name]
    assert client.get(f"/things/{encoded}/asked/{encoded}{end}").json() == [name, name]


def test_the_rest_of_a_path_is_decoded(client: TestClient) -> None:
    assert client.get("/things/all/a/b%2Fc/100%2525/%0A").json() == ["a/b/c/100%25/\n"]


@pytest.mark.parametrize("path", ["/things/a%00b/of/c", "/things/a/of/b?c=%00"])
def test_a_nul_is_refused(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 400
    assert answer.json() == {"code": 400, "message": "url: contains a NUL character."}


def test_what_is_no_text_finds_nothing_and_does_no_harm(client: TestClient) -> None:
    assert client.get("/things/%FF%FE/of/%C3").json() == ["\ufffd\ufffd", "\ufffd"]


def test_an_unknown_path_is_said_in_the_one_shape(client: TestClient) -> None:
    answer = client.get("/nowhere/")
    assert (answer.status_code, answer.json()) == (404, {"code": 404, "message": "Not Found"})
