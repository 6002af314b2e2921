"""`headwater serve` as operators run it: how it starts, how it ends, and what workers share."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient
from tests.server.conftest import ENVIRONMENT, PROGRAM, Serve, connected
from tests.waiting import SECONDS, wait_for
from typer.testing import CliRunner

from headwater.cli import app as commands
from headwater.server.app import create_app
from headwater.store import StoreError, open_store

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store

PATH = "/api/v1/lineage"


def test_it_says_where_it_is_what_it_serves_and_where_the_interface_is_shown(
    serve: Serve, any_url: str, maker: EventMaker
) -> None:
    served = serve(any_url)
    output = "\n".join(served.said)
    assert served.url.startswith("http://127.0.0.1:")
    assert f"page       {served.url}/" in output
    assert f"interface  {served.url}/docs" in output
    assert "Kept-Secret" not in output
    with open_store(any_url) as store:
        assert f"store      {store.database.name}, {store.database}" in output
    with served.client() as client:
        assert client.post(PATH, json=maker(1)).status_code == 201
    assert served.stop() == 0


def test_without_flags_it_makes_the_embedded_store_in_the_working_directory(tmp_path: Path, serve: Serve) -> None:
    served = serve("sqlite:///headwater.db")
    assert (tmp_path / "headwater.db").is_file()
    assert str(tmp_path / "headwater.db") in served.said[1]


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        port = listening.getsockname()[1]
        result = CliRunner().invoke(commands, ["serve", "--port", str(port), "--store", str(tmp_path / "x.db")])
    assert result.exit_code == 1
    assert result.output.startswith(f"Cannot listen on 127.0.0.1:{port}: Address already in use.")
    assert "--port" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--host", "203.0.113.1", "--allow-open"], "Cannot listen on 203.0.113.1:0"),
        (["--host", "no such host", "--allow-open"], "host: no such host is not an address of this machine"),
        (
            ["--tls-cert", "/none.pem", "--tls-key", "/none.key"],
            "tls_cert, tls_key: cannot use /none.pem and /none.key",
        ),
        (["--store", "/none/x.db"], "Cannot open the store /none/x.db"),
    ],
)
def test_what_it_cannot_start_with_is_said(tmp_path: Path, arguments: list[str], message: str) -> None:
    command = [*PROGRAM, "serve", "--port", "0", *arguments]
    done = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(message)
    assert "Traceback" not in done.stderr


def test_without_its_packages_it_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    # By the module's name: in the package, it stands for the command.
    module = sys.modules["headwater.cli.server.serve"]
    monkeypatch.setattr(module, "find_spec", lambda name: None if name == "fastapi" else name)
    result = CliRunner().invoke(commands, ["serve"])
    assert (result.exit_code, result.output) == (1, "The server needs fastapi: pip install 'headwater[server]'.\n")


def test_the_command_line_starts_without_the_packages_of_the_server() -> None:
    program = (
        "import sys, headwater.cli; print([name for name in ('fastapi', 'uvicorn', 'yaml') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_was_begun_is_finished_before_it_stops(
    serve: Serve, tmp_path: Path, maker: EventMaker, workers: str
) -> None:
    url = f"sqlite:///{tmp_path}/x.db"
    served = serve(url, "--workers", workers)
    with served.client() as client:
        body = client.build_request("POST", PATH, json=maker(1)).content
    with connected(served.url) as begun:
        head = f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        begun.sendall(head + body[:10])
        wait_for("the request", lambda: b"headwater_bytes_in_flight 0.0" not in _metrics(served.url))
        served.process.send_signal(signal.SIGTERM)
        wait_for("the end of listening", lambda: not _listens(served.url))
        begun.sendall(body[10:])
        received = b""
        while part := begun.recv(65536):
            received += part
        assert received.startswith(b"HTTP/1.1 201 Created\r\n")
    assert served.process.wait(SECONDS) == 0
    with open_store(url) as store:
        assert store.ingest([maker(1)]).duplicates == 1


def _metrics(url: str) -> bytes:
    with connected(url) as connection:
        connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        received = b""
        while part := connection.recv(65536):
            received += part
    return received


def _listens(url: str) -> bool:
    try:
        connected(url).close()
    except ConnectionRefusedError:
        return False
    return True


def test_running_requests_have_the_grace_and_no_more(serve: Serve, tmp_path: Path) -> None:
    served = serve(f"sqlite:///{tmp_path}/x.db", environment={"HEADWATER_SHUTDOWN_GRACE": "1"})
    with connected(served.url) as stuck:
        stuck.sendall(f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{{".encode())
        wait_for("the request", lambda: b"headwater_bytes_in_flight 0.0" not in _metrics(served.url))
        assert served.stop() == 0


def test_workers_count_together_and_one_that_dies_is_replaced(serve: Serve, any_url: str, maker: EventMaker) -> None:
    served = serve(any_url, "--workers", "2")
    for minute in range(20):
        with served.client() as client:  # a connection each, which any worker may take
            assert client.post(PATH, json=maker(minute)).status_code == 201
    counted = b'headwater_events_total{result="accepted"} 20.0'
    assert counted in _metrics(served.url)
    before = _workers(served.process.pid)
    assert len(before) == 2
    os.kill(before[0], signal.SIGKILL)
    wait_for("another worker", lambda: len(set(_workers(served.process.pid)) - {before[0]}) == 2)
    wait_for("it to answer", lambda: _listens(served.url))
    assert counted in _metrics(served.url)
    assert served.stop() == 0


def test_workers_whose_parent_was_killed_stop(serve: Serve, tmp_path: Path) -> None:
    served = serve(f"sqlite:///{tmp_path}/x.db", "--workers", "2")
    workers = _workers(served.process.pid)
    os.kill(served.process.pid, signal.SIGKILL)
    wait_for("the end of the workers", lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
    assert not _listens(served.url)


def _workers(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    # multiprocessing has a process of its own to clean up after the others.
    return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def test_it_serves_https(serve: Serve, tmp_path: Path, maker: EventMaker) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl, to make a certificate")
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert],
        check=True, capture_output=True,
    )  # fmt: skip
    process = [f"sqlite:///{tmp_path}/x.db", "--tls-cert", str(cert), "--tls-key", str(key)]
    served = serve(*process, verify=str(cert))
    assert served.url.startswith("https://")
    with served.client() as client:
        assert client.post(PATH, json=maker(1)).status_code == 201


def test_two_servers_on_one_postgresql_see_each_others_events_at_once(
    serve: Serve, postgres_url: str, maker: EventMaker
) -> None:
    first, other = serve(postgres_url), serve(postgres_url)
    with first.client() as writes, other.client() as reads:
        for minute in range(10):
            assert writes.post(f"{PATH}/batch", json=[maker(minute)]).json()["accepted"] == 1
            assert reads.post(f"{PATH}/batch", json=[maker(minute)]).json()["duplicates"] == 1


def test_a_locked_store_is_said_and_nothing_is_acknowledged(tmp_path: Path, maker: EventMaker) -> None:
    import sqlite3  # noqa: PLC0415

    with open_store(str(tmp_path / "x.db"), timeout=0.1) as store, TestClient(create_app(store)) as client:
        other = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        answer = client.post(PATH, json=maker(1))
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert "is locked by another process" in answer.json()["message"]
        other.execute("ROLLBACK")
        other.close()
        assert client.post(f"{PATH}/batch", json=[maker(1)]).json()["accepted"] == 1


def test_a_store_error_while_it_asks_is_said(store: Store) -> None:
    app = create_app(store)

    @app.get("/broken")
    async def broken() -> None:
        raise StoreError("The store x failed.")

    with TestClient(app) as client:
        answer = client.get("/broken")
    assert (answer.status_code, answer.json()) == (503, {"code": 503, "message": "The store x failed."})
