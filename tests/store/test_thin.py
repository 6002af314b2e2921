"""A store of the first version, upgraded where it is: the same as its events ingested afresh."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.store.written import overlapping

from headwater.store import open_store
from headwater.store.order import canonical, digest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.store.conftest import View

    from headwater.store import Store

_SCHEMA = Path(__file__).with_name("data") / "thin.sql"
_KINDS = {"run": "RunEvent", "dataset": "DatasetEvent"}
_READER = (
    "import sys; from headwater.store import open_store; open_store(sys.argv[1]).read().__enter__(); print('read')"
)


def _thin_store(path: Path, events: list[dict[str, Any]]) -> None:
    """A file as the first version wrote it; of the tables, the one with the raw events is enough."""
    connection = sqlite3.connect(path)
    connection.executescript(_SCHEMA.read_text(encoding="utf-8"))
    for event in events:
        raw = canonical(event)
        kind = next((kind for part, kind in _KINDS.items() if part in event), "JobEvent")
        connection.execute(
            "INSERT INTO event (hash, kind, us, raw) VALUES (?, ?, 0, ?)", (digest(raw), kind, zlib.compress(raw))
        )
    connection.execute("PRAGMA user_version = 1")
    connection.execute(f"PRAGMA application_id = {0x48445754}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.commit()
    connection.close()


def _events() -> list[dict[str, Any]]:
    base = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/"
    time = {"eventTime": "2026-01-01T00:00:00Z"}
    schema = {"schema": {"fields": [{"name": "x", "type": "int"}]}}
    return [
        *overlapping(30),
        {**time, "schemaURL": f"{base}DatasetEvent", "dataset": {"namespace": "lake", "name": "a", "facets": schema}},
        {**time, "schemaURL": f"{base}JobEvent", "job": {"namespace": "jobs", "name": "load"}},
    ]


@pytest.fixture
def fresh(tmp_path: Path, natural_view: Callable[[Store], View]) -> View:
    """What a new store makes of the events."""
    with open_store(str(tmp_path / "fresh.db")) as store:
        store.ingest(_events())
        return natural_view(store)


@pytest.mark.parametrize("first", ["reader", "writer"])
def test_a_thin_store_is_upgraded_by_whoever_opens_it_first(
    first: str, tmp_path: Path, fresh: View, natural_view: Callable[[Store], View]
) -> None:
    path = tmp_path / "thin.db"
    _thin_store(path, _events())
    with open_store(str(path)) as store:
        if first == "writer":
            assert store.ingest(_events()).duplicates == len(_events())
        assert natural_view(store) == fresh
    tables = sqlite3.connect(path).execute("SELECT name FROM sqlite_master WHERE name IN ('facet', 'run_dataset')")
    assert tables.fetchall() == []


def test_processes_that_open_a_thin_store_at_once_upgrade_it_once(
    tmp_path: Path, fresh: View, natural_view: Callable[[Store], View]
) -> None:
    path = tmp_path / "thin.db"
    _thin_store(path, _events())
    command = [sys.executable, "-c", _READER, str(path)]
    readers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [reader.communicate()[0] for reader in readers] == ["read\n"] * 3
    with open_store(str(path)) as store:
        assert natural_view(store) == fresh


def test_a_thin_store_without_events_is_upgraded(tmp_path: Path, natural_view: Callable[[Store], View]) -> None:
    path = tmp_path / "thin.db"
    _thin_store(path, [])
    with open_store(str(path)) as store:
        assert not any(natural_view(store)[table] for table in ("event", "dataset", "run", "version"))


def test_a_thin_event_whose_raw_bytes_were_dropped_is_left_out(
    tmp_path: Path, natural_view: Callable[[Store], View]
) -> None:
    path = tmp_path / "thin.db"
    _thin_store(path, _events()[:2])
    connection = sqlite3.connect(path)
    connection.execute("UPDATE event SET raw = NULL WHERE id = 1")
    connection.commit()
    connection.close()
    with open_store(str(path)) as store:
        assert len(natural_view(store)["event"]) == 1
