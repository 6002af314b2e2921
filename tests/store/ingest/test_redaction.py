"""Events with secrets: what is stored of them, under which hash, and what is kept as it came."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.secret_corpus import S, event, planted_events, seen_in
from tests.work import work

from headwater.client.connect import connect
from headwater.openlineage.model.redaction import REDACTION
from headwater.store import open_store
from headwater.store.ingest.prepared_event import make_ready
from headwater.store.model.order import canonical


def _planted(secret: str = S, number: int = 0) -> dict[str, Any]:
    held = event(number)
    held["job"]["facets"]["sql"] = {"query": f"SET password='{secret}'"}
    held["run"]["facets"]["custom"] = {"token": secret, "url": f"https://jane:{secret}@host"}
    held["outputs"][0]["namespace"] = f"postgres://jane:{secret}@db.example:5432"
    held["outputs"][0]["facets"]["version"] = {"datasetVersion": "7"}
    return held


def _contents(path: Path) -> Iterator[str]:
    """All that a store's file holds, unpacked."""
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for row in connection.execute(f"SELECT * FROM {table}"):
                for value in row:
                    if isinstance(value, bytes):
                        try:
                            yield zlib.decompress(value).decode()
                        except (zlib.error, UnicodeDecodeError):
                            yield value.decode(errors="replace")
                    elif isinstance(value, str):
                        yield value


def test_nothing_of_a_secret_is_stored(tmp_path: Path) -> None:
    events, secrets = planted_events()
    with open_store(str(tmp_path / "a.db")) as store:
        result = store.ingest(events)
    assert (result.accepted, result.rejected) == (len(events), ())
    assert list(seen_in("\n".join(_contents(tmp_path / "a.db")), secrets)) == []


def test_an_event_says_how_many_values_were_removed(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        store.ingest([_planted(), event(1)])
        planted, harmless = store.events()
    assert planted["run"]["facets"][REDACTION]["values"] == 2
    assert planted["job"]["facets"][REDACTION]["values"] == 2
    assert harmless == event(1)


def test_lineage_does_not_change() -> None:
    planted, plain = make_ready(_planted()).read(), make_ready(event()).read()
    assert [mention.dataset for mention in planted.mentions] == [mention.dataset for mention in plain.mentions]
    assert [mention.lineage for mention in planted.mentions] == [mention.lineage for mention in plain.mentions]
    assert [mention.schema for mention in planted.mentions] == [mention.schema for mention in plain.mentions]


def test_the_same_event_again_is_a_duplicate(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        store.ingest([_planted(), _planted(number=1)])
        again = store.ingest([_planted(), _planted(number=1)])
        # The same event when the password has changed.
        changed = store.ingest([_planted("other2secret")])
    assert (again.accepted, again.duplicates) == (0, 2)
    assert (changed.accepted, changed.duplicates) == (0, 1)


def test_a_body_that_is_known_is_not_read_again(tmp_path: Path) -> None:
    def of_run(number: int) -> dict[str, Any]:
        held = _planted()
        held["run"]["runId"] = event(number)["run"]["runId"]
        return held

    with open_store(str(tmp_path / "a.db")) as store:
        store.ingest([of_run(1)])
        first = make_ready(of_run(2))
        known = store.ready(of_run(2))
        assert (known.hash, known.versions, known.parent) == (first.hash, first.versions, first.parent)
        assert (known.meaning, known.body) == (None, b"")
        assert (known.content(), known.read()) == (first.content(), first.read())
        assert work(lambda: store.ready(of_run(3))) * 2 < work(lambda: make_ready(of_run(3)))
        store.ingest([of_run(2)])
        assert S not in json.dumps(list(store.events()))


def test_an_exported_store_is_the_same_when_it_is_read_again(tmp_path: Path) -> None:
    events, _ = planted_events()
    with open_store(str(tmp_path / "a.db")) as store, open_store(str(tmp_path / "b.db")) as copy:
        store.ingest(events)
        exported = list(store.events())
        assert copy.ingest(exported).accepted == len(exported)
        assert list(copy.events()) == exported
        assert store.ingest(exported).accepted == 0


def test_events_are_kept_as_they_came_where_that_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events, secrets = planted_events()
    monkeypatch.setenv("HEADWATER_KEEP_SECRETS", "yes")
    with open_store(str(tmp_path / "a.db")) as store:
        store.ingest([*events, event(1000)])
        assert store.ingest(events).accepted == 0
        kept = [held for held in store.events() if held != event(1000)]
        assert sorted(map(canonical, kept)) == sorted(map(canonical, events))
        with store.read() as session:
            named = session.rows("SELECT namespace, name FROM dataset")
        assert list(seen_in(json.dumps(named), secrets)) == []
    with connect(str(tmp_path / "a.db")) as lineage:
        shown = json.dumps(list(lineage.events()))
    assert list(seen_in(shown, secrets)) == []
    monkeypatch.delenv("HEADWATER_KEEP_SECRETS")
    with open_store(str(tmp_path / "a.db")) as store:
        assert store.ingest(events).accepted == 0


def test_a_message_about_a_bad_event_holds_no_secret() -> None:
    held = event()
    held["eventTime"] = f"password={S}"
    with pytest.raises(ValueError, match="eventTime") as caught:
        make_ready(held)
    assert S not in str(caught.value)
