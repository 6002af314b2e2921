"""Retention: raw events that are old enough are dropped; what they said stays, as facts."""

import time
from dataclasses import dataclass

from headwater.store.db.predicates import last_event
from headwater.store.db.session import Session
from headwater.store.upkeep.sweep import sweep_bodies

_DAY_US = 86_400_000_000
# The last event of each shape by now is kept whole, and what lies ahead: their facets are what is known of the job and
# the datasets.
_DROP = f"""
UPDATE event SET body = NULL, rest = NULL
WHERE us < :before AND rest IS NOT NULL
    AND us < {last_event("event.shape", ":now")}
"""  # noqa: S608  our own words


@dataclass(frozen=True, slots=True)
class Vacuumed:
    """What was dropped: `events` lost their raw form; the store's size before and after."""

    events: int
    bytes_before: int
    bytes_after: int


def drop_raw(session: Session, keep_days: int) -> int:
    """Drop the raw form of events older than some days; returns of how many."""
    session.alone()
    dropped = session.soon(_DROP, before=int(time.time() * 1_000_000) - keep_days * _DAY_US, now=session.now).count()
    if dropped:
        sweep_bodies(session)
        forget(session)
    return dropped


def forget(session: Session) -> None:
    """Tell all processes that what they remember of the store may be gone."""
    session.insert(
        "meta",
        "key, value",
        [("epoch", str(time.time_ns()))],
        conflict="(key) DO UPDATE SET value = excluded.value",
    )
