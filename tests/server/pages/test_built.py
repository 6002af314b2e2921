"""The page that people look at, as browsers get it."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from headwater.server.app import create_app
from headwater.server.http.errors import add_error_handlers
from headwater.server.pages.web_build import BUILT, web_routes
from headwater.server.settings.settings import ServerSettings
from headwater.store.tokens import Scope, create_token

if TYPE_CHECKING:
    from headwater.store import Store

_INDEX = '<html data-root="{root}"><script type="module" src="./assets/index-1a2b.js"></script></html>'
_SCRIPT = "console.log('Headwater');\n" * 100


@pytest.fixture
def built(tmp_path: Path) -> TestClient:
    """The routes over a page that was built."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text(_INDEX, encoding="utf-8")
    (tmp_path / "assets" / "index-1a2b.js").write_text(_SCRIPT, encoding="utf-8")
    (tmp_path / "icon.svg").write_text("<svg/>", encoding="utf-8")
    (tmp_path.parent / "secret.txt").write_text("Kept-Secret", encoding="utf-8")
    app = FastAPI()
    add_error_handlers(app)
    app.include_router(web_routes(tmp_path))
    return TestClient(app)


def test_every_address_of_the_page_is_answered_with_the_same_page(built: TestClient) -> None:
    pages = [built.get(path) for path in ("/", "/view/lineage", "/view/impact?dataset=file//a&column=b")]
    assert {page.status_code for page in pages} == {200}
    assert {page.text for page in pages} == {_INDEX.replace("{root}", "").replace("./", "/static/")}
    assert pages[0].headers["Content-Type"].startswith("text/html")


def test_below_a_proxys_path_the_page_loads_from_there(built: TestClient) -> None:
    under = TestClient(built.app, root_path="/lineage")
    assert 'data-root="/lineage"' in under.get("/lineage/").text
    assert 'src="/lineage/static/assets/index-1a2b.js"' in under.get("/lineage/").text


@pytest.mark.parametrize("path", ["/lineage", "/lineage/"])
def test_the_root_of_a_server_is_the_page_below_a_proxys_path_too(store: Store, path: str) -> None:
    app = create_app(store, ServerSettings(allow_open=True, root_path="/lineage"))
    with TestClient(app, root_path="/lineage") as client:
        page, view = client.get(path), client.get("/lineage/view/lineage")
    # Whether it is built or not, it is the page, and not an error of the API.
    assert page.headers["Content-Type"].startswith("text/html")
    assert (page.status_code, page.text) == (view.status_code, view.text)


def test_files_named_by_their_content_are_kept_for_good_and_others_asked_for_again(built: TestClient) -> None:
    script, page = built.get("/static/assets/index-1a2b.js"), built.get("/")
    assert script.headers["Content-Type"].startswith("text/javascript")
    assert "immutable" in script.headers["Cache-Control"]
    assert page.headers["Cache-Control"] == "no-cache"
    assert built.get("/static/icon.svg").headers["Cache-Control"] == "no-cache"
    again = built.get("/", headers={"If-None-Match": page.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert built.get("/", headers={"If-None-Match": '"another"'}).status_code == 200


def test_what_is_large_is_compressed_for_those_who_take_it(built: TestClient) -> None:
    path = "/static/assets/index-1a2b.js"
    with built.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as small:
        assert gzip.decompress(b"".join(small.iter_raw())).decode() == _SCRIPT
    plain = built.get(path, headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    assert plain.text == _SCRIPT


@pytest.mark.parametrize("path", ["/static/none.js", "/static/..%2Fsecret.txt", "/static/%2E%2E/secret.txt"])
def test_nothing_but_the_files_of_the_page_is_given(built: TestClient, path: str) -> None:
    answer = built.get(path)
    assert answer.status_code == 404
    assert "Kept-Secret" not in answer.text


def test_a_checkout_that_was_not_built_says_how_to(tmp_path: Path) -> None:
    app = FastAPI()
    app.include_router(web_routes(tmp_path / "none"))
    answer = TestClient(app).get("/")
    assert answer.status_code == 404
    assert "make page" in answer.text


def test_the_page_needs_no_token_and_runs_no_script_but_its_own(store: Store) -> None:
    with TestClient(create_app(store)) as client:
        store.transact(lambda session: create_token(session, "someone", Scope.READ, 0))
        for path in ("/", "/view/lineage", "/static/none.js"):
            answer = client.get(path)
            assert answer.status_code in {200, 404}
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'self'" in policy
            assert "script-src" not in policy
        assert client.get("/api/v1/questions/stats").status_code == 401


def test_the_wheel_has_the_page_that_was_built(tmp_path: Path) -> None:
    checkout = Path(__file__).parents[3]
    if not (BUILT / "index.html").is_file() or not (checkout / "pyproject.toml").is_file():
        pytest.skip("needs the page: run `make page` in a checkout")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=checkout, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as packed:
        there = {name.partition("pages/web/")[2] for name in packed.namelist()}
    assert {path.relative_to(BUILT).as_posix() for path in BUILT.rglob("*") if path.is_file()} <= there
