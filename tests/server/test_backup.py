"""A copy that is made while the server runs, put elsewhere, answers the same questions: by the commands of the docs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from headwater.client.connect import connect

if TYPE_CHECKING:
    from tests.conftest import EventMaker
    from tests.postgres import Postgres
    from tests.server.conftest import Serve

DOCS = Path(__file__).parents[2] / "docs" / "server.md"


def _commands(database: str) -> list[str]:
    """The commands that the docs give for a database."""
    section = DOCS.read_text(encoding="utf-8").partition("## Backup and restore")[2].partition("\n## ")[0]
    _, _, part = section.partition(f"### {database}")
    return re.findall(r"^```sh\n(.*?)^```", part.partition("\n### ")[0], re.MULTILINE | re.DOTALL)


def _run(script: str, folder: Path, **environment: str) -> None:
    scripts = str(Path(sys.executable).parent)
    path = os.pathsep.join([environment.pop("binaries", ""), scripts, os.environ["PATH"]])
    done = subprocess.run(
        ["/bin/sh", "-ec", script], cwd=folder, env={**os.environ, "PATH": path, **environment}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def _answer(url: str) -> dict[str, object]:
    with connect(url) as lineage:
        return lineage.upstream("lake/out", "a", as_of="2026-01-01T00:02:30Z").to_dict()


def _fill(serve: Serve, url: str, maker: EventMaker) -> None:
    served = serve(url)
    with served.client() as client:
        for minute in range(5):
            event = maker(minute, run=f"run {minute}", columns={"a": [f"in.x{minute}"]})
            assert client.post("/api/v1/lineage", json=event).status_code == 201


def test_a_file_is_copied_and_restored(serve: Serve, tmp_path: Path, maker: EventMaker) -> None:
    url = f"sqlite:///{tmp_path}/headwater.db"
    _fill(serve, url, maker)
    before = _answer(url)
    backup, restore = _commands("SQLite")
    _run(backup, tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "backup.db").rename(elsewhere / "backup.db")
    _run(restore, elsewhere)
    restored = f"sqlite:///{elsewhere}/headwater.db"
    assert _answer(restored) == before
    assert "x2" in str(before)
    served = serve(restored)
    with served.client() as client:
        assert client.post("/api/v1/lineage", json=maker(9)).status_code == 201


def test_a_database_is_dumped_and_restored(
    serve: Serve, tmp_path: Path, postgres_server: Postgres, postgres_url: str, maker: EventMaker
) -> None:
    if not (postgres_server.binaries / "pg_dump").exists():
        pytest.skip("needs pg_dump, of PostgreSQL's client programs")
    _fill(serve, postgres_url, maker)
    before = _answer(postgres_url)
    backup, restore = _commands("PostgreSQL")
    name = postgres_url.rpartition("/")[2]
    place = {
        "PGHOST": "127.0.0.1", "PGPORT": str(postgres_server.port), "PGUSER": postgres_server.user,
        "PGPASSWORD": postgres_server.password, "binaries": str(postgres_server.binaries),
    }  # fmt: skip
    _run(backup.replace("lineage", name), tmp_path, **place)
    try:
        _run(restore.replace("restored", f"{name}_restored"), tmp_path, **place)
        restored = f"{postgres_url}_restored"
        assert _answer(restored) == before
        served = serve(restored)
        with served.client() as client:
            assert client.post("/api/v1/lineage", json=maker(9)).status_code == 201
            assert client.post("/api/v1/lineage/batch", json=[maker(9)]).json()["duplicates"] == 1
        served.stop()
    finally:
        postgres_server.run(f'DROP DATABASE IF EXISTS "{name}_restored" WITH (FORCE)', "postgres")
