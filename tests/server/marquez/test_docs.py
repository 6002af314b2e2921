"""docs/api/marquez.md: every call gives the answer that the page shows, and the page has every route."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from headwater.server.app import create_app
from headwater.server.marquez import router

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.store import Store

PAGE = Path(__file__).resolve().parents[3] / "docs" / "api" / "marquez.md"
MORE = "…"


def _calls() -> Iterator[tuple[str, str, str | None, str]]:
    """The calls of the page: method, path, body, and the answer that is shown."""
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for block in blocks:
        for call in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, answer = call.partition("\n")
            words = shlex.split(command)
            body = words[words.index("-d") + 1] if "-d" in words else None
            method = words[words.index("-X") + 1] if "-X" in words else "POST" if body else "GET"
            (url,) = (word for word in words if word.startswith("localhost:5000"))
            yield method, url.removeprefix("localhost:5000"), body, answer.strip()


def _agrees(shown: Any, real: Any) -> bool:  # noqa: ANN401  JSON
    """Whether what the page shows is what there is, but for what it leaves out."""
    if shown == MORE:
        return True
    if isinstance(shown, dict) and isinstance(real, dict):
        named = {key: value for key, value in shown.items() if key != MORE}
        whole = MORE in shown or shown.keys() == real.keys()
        return whole and all(key in real and _agrees(value, real[key]) for key, value in named.items())
    if isinstance(shown, list) and isinstance(real, list):
        named_items = shown[:-1] if shown[-1:] == [MORE] else shown
        enough = len(real) >= len(named_items) if shown[-1:] == [MORE] else len(real) == len(shown)
        return enough and all(_agrees(part, other) for part, other in zip(named_items, real, strict=False))
    return bool(shown == real)


def test_every_call_gives_what_the_page_shows(store: Store) -> None:
    with TestClient(create_app(store)) as client:
        for method, path, body, shown in _calls():
            headers = {"content-type": "application/json"} if body else {}
            answer = client.request(method, path, content=body, headers=headers)
            if not shown:
                assert (answer.status_code, answer.text) == (201, ""), path
            else:
                assert _agrees(json.loads(shown), answer.json()), (method, path, answer.text)


def test_the_page_has_every_route() -> None:
    called = {(method, unquote(urlsplit(path).path)) for method, path, _, _ in _calls()}
    routes = [
        (method, route) for route in router.routes if isinstance(route, APIRoute) for method in route.methods or ()
    ]
    missing = [
        (method, route.path)
        for method, route in routes
        if not any(method == verb and route.path_regex.match(path) for verb, path in called)
    ]
    assert missing == []
