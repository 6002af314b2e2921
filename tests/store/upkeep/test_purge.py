"""What is purged is nowhere in a store, and what it leaves is what a store without it would have."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

import pytest
from tests.secret_corpus import S, event, planted_events, seen_in
from tests.store.conftest import View

from headwater.store import open_store
from headwater.store.ingest import prepared_event
from headwater.store.model.order import canonical

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from headwater.store import Store

EVENTS, SECRETS = planted_events()


def _ingest_as_before(store: Store, events: list[dict[str, Any]]) -> None:
    """As a store took them that removed no secrets."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(prepared_event, "without_secrets", lambda part: (part, canonical(part), 0))
        patched.setattr(prepared_event, "redact_name", lambda name: name)
        assert store.ingest(events).rejected == ()
    store.cache.clear()  # as of another process


def _all_texts(store: Store) -> str:
    """All that the tables hold as text, and the events."""
    with store.read() as session:
        texts = [
            str(row[0])
            for table, column in (
                ("dataset", "namespace"), ("dataset", "name"), ("job", "namespace"), ("job", "name"), ("field", "path"),
                ("field", "type"), ("field", "description"), ("edge", "description"), ("note", "content"),
                ("named", "version"), ("version", "name"), ("term", "word"),
            )
            for row in session.rows(f"SELECT {column} FROM {table}")
        ]  # fmt: skip
    return "\n".join([*texts, *map(json.dumps, store.events())])


def test_secrets_from_before_are_purged(
    any_store: Store, tmp_path: Path, natural_view: Callable[[Store], View]
) -> None:
    _ingest_as_before(any_store, EVENTS)
    assert set(seen_in(_all_texts(any_store), SECRETS)) == set(SECRETS)
    assert any_store.purge_secrets() > len(EVENTS) / 2
    assert list(seen_in(_all_texts(any_store), SECRETS)) == []
    with open_store(str(tmp_path / "fresh.db")) as fresh:
        fresh.ingest(EVENTS)
        assert list(any_store.events()) == list(fresh.events())
        assert natural_view(any_store) == natural_view(fresh)
    # They are known when they arrive again.
    assert any_store.ingest(EVENTS).accepted == 0


def test_secrets_are_purged_where_the_raw_events_are_gone(any_store: Store) -> None:
    _ingest_as_before(any_store, EVENTS[::4])
    any_store.vacuum(keep_raw_days=0)
    any_store.purge_secrets()
    assert list(seen_in(_all_texts(any_store), SECRETS)) == []
    assert any_store.purge_secrets() == 0


def test_an_event_that_came_with_and_without_its_secret_stays_once(any_store: Store) -> None:
    _ingest_as_before(any_store, EVENTS[::4])
    any_store.ingest(EVENTS[::4])
    any_store.purge_secrets()
    assert any_store.stats().events == len(EVENTS[::4])


@pytest.mark.parametrize("text", ["Swordfish & co", 'x"wordfish', "jane@example.com"])
@pytest.mark.parametrize("keep", [False, True])
def test_a_text_is_purged_in_any_form(any_store: Store, text: str, keep: bool) -> None:  # noqa: FBT001  a table of cases
    any_store.keep_secrets = keep
    held = event()
    held["job"]["facets"]["sql"] = {"query": f"-- log in with {text.upper()}"}
    held["run"]["facets"]["custom"] = {
        "url": f"https://host/?q={quote(text, safe='')}",
        "plus": quote_plus(text).lower(),
        "json": json.dumps({"a": text}),
        "password": f"{S} {text}",
        text: 1,
    }
    any_store.ingest([held])
    assert any_store.purge_text(text) == 1
    left = _all_texts(any_store).casefold()
    assert "wordfish" not in left
    assert "jane" not in left
    assert ("hunter2zq9" in left) is keep


def test_a_secret_that_was_kept_is_purged(any_store: Store) -> None:
    any_store.keep_secrets = True
    held = event()
    held["run"]["facets"]["custom"] = {"password": S}
    any_store.ingest([held, event(1)])
    assert S in _all_texts(any_store)
    assert any_store.purge_text(S) == 1
    assert S not in _all_texts(any_store)
    assert any_store.ingest([held]).accepted == 0
