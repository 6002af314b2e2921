"""What a session asks: once what stays as it is, and together what is foreseen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.store import open_store
from headwater.store.db.libpq_pipeline import Wire
from headwater.store.db.session import ids
from headwater.store.reads.names import names_by_id, names_by_name, names_met

if TYPE_CHECKING:
    import pytest
    from tests.conftest import EventMaker

    from headwater.store import Store

_GIVEN = "SELECT given.id FROM {given}"


def test_what_is_foreseen_travels_with_what_is_asked_next(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = []
    flush = Wire.flush

    def counted(wire: Wire) -> None:
        sent.append(len(wire._waiting))
        flush(wire)

    monkeypatch.setattr(Wire, "flush", counted)
    with open_store(postgres_url) as store, store.read() as session:
        session.rows("SELECT 1")
        sent.clear()
        found: list[list[Any]] = []
        session.foresee(lambda: found.extend([session.rows(_GIVEN, ids([1, 2])), session.rows("SELECT 3")]))
        assert (found, sent) == ([[], []], [])
        assert session.rows("SELECT 4") == [(4,)]
        assert session.rows("SELECT 3") == [(3,)]
        assert session.rows(_GIVEN, ids([2, 1])) == [(1,), (2,)]
        assert sent == [3]
        # The answer is taken once, and only by who asks for the same.
        assert session.rows(_GIVEN, ids([1])) == [(1,)]
        assert session.rows(_GIVEN, ids([1, 2])) == [(1,), (2,)]
        assert sent == [3, 1, 1]


def test_a_session_that_writes_foresees_and_remembers_nothing(any_store: Store) -> None:
    done = []
    any_store.transact(lambda session: session.foresee(lambda: done.append(session.rows("SELECT 1"))))
    assert done == []
    assert any_store.transact(lambda session: session.memory("names") is not session.memory("names"))


def test_names_are_read_once(any_store: Store, maker: EventMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    any_store.ingest([maker(1, reads=["in"])])
    with any_store.read() as session:
        (row,) = names_by_name(session, "dataset", [("lake", "in")])
        monkeypatch.setattr(type(session), "_soon", None)
        assert names_by_id(session, "dataset", [row.id]) == {row.id: ("lake", "in")}
        assert names_met(session, "dataset", [("lake", "in")]) == [row]
