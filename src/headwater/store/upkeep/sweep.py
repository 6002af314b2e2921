"""Removing what nothing refers to any more, after raw events were dropped or something was purged."""

from headwater.store.db.session import Session

# From what refers to what is referred to, so that each statement sees what the ones before it left.
_UNUSED = (
    "DELETE FROM shape WHERE NOT EXISTS (SELECT 1 FROM event WHERE event.shape = shape.id)",
    "DELETE FROM mention WHERE NOT EXISTS (SELECT 1 FROM shape WHERE shape.id = mention.shape)",
    "DELETE FROM symlink WHERE NOT EXISTS (SELECT 1 FROM shape WHERE shape.id = symlink.shape)",
    "DELETE FROM made_of WHERE NOT EXISTS (SELECT 1 FROM shape WHERE shape.id = made_of.shape)",
    "DELETE FROM note WHERE NOT EXISTS (SELECT 1 FROM shape WHERE shape.id = note.shape)",
    "DELETE FROM mapping WHERE id NOT IN (SELECT mapping FROM mention WHERE mapping IS NOT NULL)",
    "DELETE FROM edge WHERE NOT EXISTS (SELECT 1 FROM mapping WHERE mapping.id = edge.mapping)",
    "DELETE FROM schema WHERE id NOT IN (SELECT schema FROM mention WHERE schema IS NOT NULL)",
)
_UNUSED_BODIES = "DELETE FROM body WHERE id NOT IN (SELECT body FROM event WHERE body IS NOT NULL)"


def sweep_bodies(session: Session) -> None:
    """Remove the bodies of which no raw event is left."""
    session.run(_UNUSED_BODIES)


def sweep(session: Session) -> None:
    """Remove all that no event refers to; names stay, but for those that are purged."""
    sweep_bodies(session)
    for statement in _UNUSED:
        session.run(statement)
