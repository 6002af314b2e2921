"""Tokens: no way in without, none with the wrong scope, none in the store or in a log."""

from __future__ import annotations

import json
import re
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient
from tests.server.conftest import Serve
from tests.waiting import wait_for
from typer.testing import CliRunner

from headwater.cli import app as commands
from headwater.server.app import create_app
from headwater.server.http import known_tokens
from headwater.server.settings.settings import ServerSettings
from headwater.store import Store, open_store
from headwater.store.tokens import Scope, Tokens, all_tokens, create_token, revoke_tokens

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import EventMaker

INGEST = "/api/v1/lineage"
CLOSED = ServerSettings(host="0.0.0.0")  # noqa: S104  what others reach


def _make(store: Store, scope: Scope) -> dict[str, str]:
    token = store.transact(lambda session: create_token(session, f"for {scope.value}", scope, 0))
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What changes in the store is known with the next request."""
    monkeypatch.setattr(known_tokens, "_KNOWN_SECONDS", 0)


@pytest.mark.parametrize(
    ("scope", "allowed"),
    [
        (None, set()),
        (Scope.READ, {"GET"}),
        (Scope.WRITE, {"POST", "PUT"}),
        (Scope.ADMIN, {"GET", "POST", "PUT", "DELETE"}),
    ],
)
def test_each_scope_opens_what_it_is_for_and_nothing_else(
    any_store: Store, scope: Scope | None, allowed: set[str]
) -> None:
    app = create_app(any_store, CLOSED)

    @app.api_route("/thing", methods=["GET", "POST", "PUT", "DELETE"])
    async def thing() -> str:
        return "done"

    headers = _make(any_store, scope) if scope else {}
    with TestClient(app) as client:
        statuses = {
            method: client.request(method, "/thing", headers=headers) for method in ("GET", "POST", "PUT", "DELETE")
        }
    assert {method for method, answer in statuses.items() if answer.status_code == 200} == allowed
    for method in statuses.keys() - allowed:
        refused = statuses[method]
        assert refused.status_code == (403 if scope else 401)
        assert refused.json()["code"] == refused.status_code
        assert refused.headers["WWW-Authenticate"].startswith('Bearer realm="headwater"')


@pytest.mark.parametrize(
    "given",
    [
        "", "Bearer", "Bearer ", "Basic aGVsbG8=", "Bearer hw_x_y", "Bearer _", "Bearer __", "Bearer é_é_é",
        "Bearer {public}", "Bearer hw_{public}_", "Bearer hw_{public}_wrong", "Bearer {token}x", "{token}",
    ],
)  # fmt: skip
def test_what_is_no_token_does_not_open(store: Store, given: str) -> None:
    token = _make(store, Scope.ADMIN)["Authorization"].split()[1]
    header = given.format(token=token, public=token.split("_")[1]).encode()
    with TestClient(create_app(store, CLOSED)) as client:
        answer = client.get("/metrics", headers=[(b"Authorization", header)])
        assert answer.status_code == 401
        assert answer.json()["message"].startswith("Authorization: ")
        assert token not in answer.text
        assert client.get("/metrics", headers={"Authorization": f"bearer  {token}"}).status_code == 200


def test_what_a_load_balancer_and_a_browser_need_is_open(store: Store) -> None:
    _make(store, Scope.ADMIN)
    with TestClient(create_app(store, CLOSED)) as client:
        paths = ["/livez", "/readyz", "/readyz/", "/docs", "/docs/docs.js", "/openapi.json"]
        assert {path: client.get(path).status_code for path in paths} == dict.fromkeys(paths, 200)
        closed = ["/metrics", "/api/v1/lineage", "/nowhere", "/docs%2F..%2Fmetrics", "//metrics", "/metrics/"]
        assert {path: client.get(f"http://testserver{path}").status_code for path in closed} == dict.fromkeys(
            closed, 401
        )


@pytest.mark.usefixtures("at_once")
def test_a_revoked_token_opens_nothing_and_leaves_the_store_closed(any_store: Store) -> None:
    headers = _make(any_store, Scope.ADMIN)
    with TestClient(create_app(any_store, ServerSettings())) as client:
        client.base_url = "http://localhost"
        assert client.get("/metrics", headers=headers).status_code == 200
        assert any_store.transact(lambda session: revoke_tokens(session, "for admin", 1)) == 1
        assert client.get("/metrics", headers=headers).status_code == 401
        assert client.get("/metrics").status_code == 401
        assert any_store.transact(lambda session: revoke_tokens(session, "for admin", 1)) == 0


@pytest.mark.usefixtures("at_once")
def test_without_tokens_only_this_machine_is_served_until_the_first_is_made(store: Store) -> None:
    with TestClient(create_app(store, CLOSED)) as client:
        assert client.get("/metrics").status_code == 401
    with TestClient(create_app(store, ServerSettings(host="0.0.0.0", allow_open=True))) as client:  # noqa: S104
        assert client.get("/metrics").status_code == 200
    with TestClient(create_app(store, ServerSettings()), base_url="http://127.0.0.1:5000") as client:
        assert client.get("/metrics").status_code == 200
        headers = _make(store, Scope.READ)
        assert client.get("/metrics").status_code == 401
        assert client.get("/metrics", headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [("localhost", 200), ("127.0.0.1:5000", 200), ("[::1]:5000", 200), ("evil.example", 403), ("", 403), ("[", 403)],
)
def test_a_name_that_leads_here_does_not_open_what_only_this_machine_may_use(
    store: Store, host: str, status: int
) -> None:
    with TestClient(create_app(store, ServerSettings())) as client:
        assert client.get("/metrics", headers={"Host": host}).status_code == status


def test_under_the_name_of_a_proxy_once_a_setting_allows_it(store: Store) -> None:
    with TestClient(create_app(store, ServerSettings()), base_url="http://lineage.example") as client:
        refused = client.get("/metrics")
    assert refused.status_code == 403
    assert "HEADWATER_ALLOWED_HOSTS" in refused.json()["message"]
    settings = ServerSettings(allowed_hosts=("Lineage.Example",))
    with TestClient(create_app(store, settings), base_url="http://lineage.example:3000") as client:
        assert client.get("/metrics").status_code == 200
        same = {"Origin": "http://lineage.example:3000"}
        assert client.put("/api/v1/tags/PII", json={}, headers=same).status_code == 200
        other = client.put("/api/v1/tags/PII", json={}, headers={"Origin": "http://lineage.example"})
        assert other.status_code == 403
        assert "cors_origins" in other.json()["message"]
        assert client.get("/metrics", headers={"Host": "evil.example"}).status_code == 403
    # The name is no key: once there is a token, everyone needs one, and so does whoever listens to other machines.
    with TestClient(create_app(store, ServerSettings(host="0.0.0.0", allowed_hosts=("lineage.example",)))) as client:  # noqa: S104
        assert client.get("/metrics", headers={"Host": "lineage.example"}).status_code == 401


def test_pages_of_others_may_not_send_events_through_a_browser(store: Store, maker: EventMaker) -> None:
    with TestClient(create_app(store, ServerSettings()), base_url="http://localhost:5000") as client:
        for origin, status in (
            ("https://evil.example", 403),
            ("null", 403),
            ("http://[x", 403),
            ("http://localhost:5000", 201),
        ):
            assert client.post(INGEST, json=maker(1), headers={"Origin": origin}).status_code == status


def test_the_store_keeps_no_token(any_store: Store) -> None:
    token = _make(any_store, Scope.WRITE)["Authorization"].split()[1]
    with any_store.read() as session:
        (stored,) = all_tokens(session)
        assert Tokens([stored]).find(token) == stored
    _, public, secret = token.split("_", 2)
    assert (stored.public, len(stored.hash)) == (public, 32)
    assert secret.encode() not in stored.hash
    assert len(secret) >= 43  # 256 bits


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_no_token_and_no_password_is_in_a_log(
    serve: Serve, postgres_url: str, maker: EventMaker, log_format: str
) -> None:
    with open_store(postgres_url) as store:
        right, wrong = _make(store, Scope.WRITE), {"Authorization": "Bearer hw_0123456789ab_Not-To-Be-Seen"}
    served = serve(postgres_url, "--log-format", log_format, "--log-level", "debug")
    with served.client() as client:
        for headers in (right, wrong, {"Authorization": "Basic Not-To-Be-Seen"}):
            client.post(INGEST, json=maker(1), headers=headers)
            client.get("/metrics?token=Not-To-Be-Seen", headers=headers)
            client.post(INGEST, content=b"{", headers=headers)
    served.stop()
    shown = served.log + "\n".join(served.said)
    assert "/api/v1/lineage" in served.log
    assert right["Authorization"].split("_")[1] in served.log, "whose token it was is said by its public part"
    for secret in (right["Authorization"].split("_", 2)[2], "Not-To-Be-Seen", "Kept-Secret"):
        assert secret not in shown


def test_a_token_is_revoked_on_all_workers_within_seconds(serve: Serve, any_url: str) -> None:
    with open_store(any_url) as store:
        headers = _make(store, Scope.READ)
        served = serve(any_url, "--workers", "2")
        with served.client() as client:
            assert client.get("/metrics", headers=headers).status_code == 200
        store.transact(lambda session: revoke_tokens(session, "for read", 1))

    def is_refused_everywhere() -> bool:
        statuses = []

        def ask() -> None:
            with served.client() as own:  # a new connection may come to the other worker
                statuses.append(own.get("/metrics", headers=headers).status_code)

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return statuses == [401] * 8

    wait_for("the revocation", is_refused_everywhere)


def test_the_commands_make_list_and_revoke(any_url: str) -> None:
    def run(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(commands, ["token", *arguments, "--store", any_url])
        return result.exit_code, result.output

    code, created = run("create", "--scope", "write", "--name", "airflow")
    assert code == 0
    token = created.strip()
    assert re.fullmatch(r"hw_[0-9a-f]{12}_[\w-]{43}", token)
    public = token.split("_")[1]
    assert run("list") == (0, f"{public}  write  airflow  never used\n1 token.\n")
    with open_store(any_url) as store, store.read() as session:
        assert Tokens(all_tokens(session)).find(token)
    assert run("revoke", "airflow") == (0, "Revoked 1 token.\n")
    assert re.search(r"revoked 20\d\d-\d\d-\d\dT[\d:]{8}(\.\d*[1-9])?Z\n", run("list")[1])
    assert run("revoke", public)[0] == 2
    assert run("create", "--scope", "owner", "--name", "x")[0] == 2
    assert run("create", "--scope", "read", "--name", "a\nb")[0] == 2
    for expires, code in (("90d", 0), ("2w", 0), ("2000-01-01", 2), ("0d", 2), ("99999d", 2), ("soon", 2)):
        assert run("create", "--scope", "read", "--name", "short", "--expires", expires)[0] == code, expires
    listed = json.loads(run("list", "-o", "json")[1])["tokens"]
    assert [token["expires"] is None for token in listed] == [True, False, False]
    assert {token["used"] for token in listed} == {None}


@pytest.mark.usefixtures("at_once")
def test_a_token_ends_when_it_expires_and_says_so(any_store: Store) -> None:
    now = time.time_ns() // 1000
    over = any_store.transact(lambda session: create_token(session, "x", Scope.READ, 0, now))
    valid = any_store.transact(lambda session: create_token(session, "x", Scope.READ, 0, now + 3_600_000_000))
    with TestClient(create_app(any_store, CLOSED)) as client:
        assert client.get("/metrics", headers={"Authorization": f"Bearer {valid}"}).status_code == 200
        refused = client.get("/metrics", headers={"Authorization": f"Bearer {over}"})
        assert refused.status_code == 401
        assert f"the token {over.split('_')[1]} expired at 20" in refused.json()["message"]
        assert 'error="invalid_token"' in refused.headers["WWW-Authenticate"]
        # Who does not have the whole of it does not learn that it was one.
        guessed = client.get("/metrics", headers={"Authorization": f"Bearer {over}x"})
        assert guessed.json()["message"] == "Authorization: the token is unknown or revoked."


@pytest.mark.usefixtures("at_once")
def test_the_last_use_of_a_token_is_kept_without_a_write_for_each(any_store: Store) -> None:
    headers, _ = _make(any_store, Scope.READ), _make(any_store, Scope.WRITE)
    began, noted = time.time_ns() // 1000, []
    transact = any_store.transact

    def counted(work: Any, cache: Any = None) -> Any:  # noqa: ANN401  any work
        noted.append(work)
        return transact(work, cache)

    any_store.transact = counted  # type: ignore[method-assign]

    def used() -> list[int | None]:
        with any_store.read() as session:
            return [token.used for token in all_tokens(session)]

    with TestClient(create_app(any_store, CLOSED)) as client:
        for _ in range(20):
            assert client.get("/api/v1/namespaces", headers=headers).status_code == 200
        wait_for("the use", lambda: used()[0] is not None)
    assert began <= (used()[0] or 0) <= time.time_ns() // 1000
    assert used()[1] is None
    assert len(noted) == 1


_CHANGES: list[tuple[str, str, dict[str, Any] | None]] = [
    ("PUT", "/api/v1/namespaces/lake", {"ownerName": "me"}),
    ("PUT", "/api/v1/sources/s", {"type": "POSTGRESQL", "connectionUrl": "jdbc:postgresql://db/x"}),
    ("PUT", "/api/v1/namespaces/lake/datasets/out", {"type": "DB_TABLE", "physicalName": "out", "sourceName": "s"}),
    ("PUT", "/api/v1/namespaces/jobs/jobs/job", {"type": "BATCH", "inputs": [], "outputs": []}),
    ("POST", "/api/v1/namespaces/jobs/jobs/job/runs", {"args": {"a": "b"}}),
    ("PUT", "/api/v1/tags/PII", {"description": "mine"}),
    ("POST", "/api/v1/namespaces/lake/datasets/out/tags/PII", None),
    ("POST", "/api/v1/namespaces/lake/datasets/out/fields/kept_secret/tags/PII", None),
    ("POST", "/api/v1/namespaces/jobs/jobs/job/tags/PII", None),
    ("POST", "/api/v1/jobs/runs/{run}/fail", None),
]


def test_who_may_only_write_gets_back_what_it_sent_and_nothing_more(any_store: Store, maker: EventMaker) -> None:
    secret = {"documentation": {"description": "Kept-Secret words"}}
    any_store.ingest(
        [maker(1, run="r", columns={"kept_secret": ["kept_source.x"]}, schema={"kept_secret": "int"}, facets=secret)]
    )
    write, admin = _make(any_store, Scope.WRITE), _make(any_store, Scope.ADMIN)
    with TestClient(create_app(any_store, CLOSED)) as client:
        changing = {
            (method, path)
            for path, methods in client.get("/openapi.json").json()["paths"].items()
            for method in methods
            if method in {"put", "post"} and path.startswith("/api/v1/") and not path.startswith(_NO_ENTITY)
        }
        assert len(changing) == len(_CHANGES) + 3, "a change is not tested here: runs have four states"
        for method, path, body in _CHANGES:
            url = path.format(run=maker.run_id("r"))
            given = client.request(method, url, json=body, headers=write)
            assert given.status_code in {200, 201}, given.text
            answer = given.json()
            assert answer.keys() <= {"id", "name", "namespace", *(body or ())}, path
            assert {key: answer[key] for key in body or ()} == (body or {})
            sent = url.removesuffix("/fields/kept_secret/tags/PII")
            assert "kept_" not in given.text.lower()
            assert "Kept-Secret" not in given.text
            assert client.request(method, sent, json=body, headers=admin).status_code in {200, 201, 404, 405}
        full = client.put(_CHANGES[2][1], json=_CHANGES[2][2], headers=admin).json()
        assert full["facets"]


_NO_ENTITY = ("/api/v1/lineage", "/api/v1/questions")


def test_where_to_listen_without_tokens(serve: Serve, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/x.db"
    refused = CliRunner().invoke(commands, ["serve", "--store", url, "--host", "0.0.0.0", "--port", "0"])  # noqa: S104
    assert refused.exit_code == 1
    assert "There is no token yet" in refused.output
    assert "headwater token create" in refused.output
    assert "--allow-open" in refused.output
    served = serve(url, "--host", "0.0.0.0", "--allow-open")  # noqa: S104
    assert "open to everyone who can reach it" in served.said[-1]
