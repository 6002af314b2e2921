"""Queries for moving events between a store and a lake."""

from headwater.store.db.session import Session


def event_span(session: Session) -> tuple[int, int] | None:
    """When the first and the last event happened; None for a store without events."""
    # Each by an index of its own: for both in one query, SQLite reads all of them.
    ((first, last),) = session.rows("SELECT (SELECT min(us) FROM event), (SELECT max(us) FROM event)")
    return None if first is None else (first, last)


def last_event_until(session: Session, until: int) -> int | None:
    """When the last event up to a moment happened; None where there is none."""
    return next(iter(session.rows("SELECT max(us) FROM event WHERE us <= :until", until=until)[0]), None)


def time_of_event(session: Session, after: int, position: int) -> int | None:
    """When the event at a position, counted from 0, after a moment happened; None where there are fewer."""
    rows = session.rows(
        "SELECT us FROM event WHERE us > :after ORDER BY us LIMIT 1 OFFSET :more", after=after, more=position
    )
    return rows[0][0] if rows else None


def lacks_raw_text(session: Session) -> bool:
    """Whether some events lost their raw text."""
    return bool(session.rows("SELECT 1 FROM event WHERE rest IS NULL LIMIT 1"))


def loaded_snapshot(session: Session, lake: str) -> int:
    """The snapshot of a lake that the store has, 0 for none."""
    rows = session.rows("SELECT value FROM meta WHERE key = :key", key=_lake_key(lake))
    return int(rows[0][0]) if rows else 0


def note_loaded_snapshot(session: Session, lake: str, snapshot: int) -> None:
    """Note which snapshot of a lake the store has."""
    row = (_lake_key(lake), str(snapshot))
    session.insert("meta", "key, value", [row], conflict="(key) DO UPDATE SET value = excluded.value")


def _lake_key(lake: str) -> str:
    return f"lake {lake}"
