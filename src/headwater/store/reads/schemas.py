"""Schemas of datasets over time, and since when a dataset is known."""

from collections.abc import Collection

from headwater.store.db.session import Session, ids

_LAST = "SELECT dataset.id, dataset.schema FROM {given} {join} dataset ON dataset.id = given.id"
_BETWEEN = """
SELECT mention.dataset, mention.schema FROM {given}
{join} mention ON mention.dataset = given.id AND mention.schema IS NOT NULL
WHERE EXISTS (
    SELECT 1 FROM event WHERE event.shape = mention.shape AND event.us > :since AND event.us <= :until
)
"""
# What is only named in lineage is mentioned by no event: when it began is not known.
_FIRST_LATER = """
SELECT given.id FROM {given}
WHERE EXISTS (SELECT 1 FROM mention WHERE mention.dataset = given.id)
AND NOT EXISTS (
    SELECT 1 FROM mention {join} event ON event.shape = mention.shape AND event.us <= :until
    WHERE mention.dataset = given.id
)
AND NOT EXISTS (SELECT 1 FROM version WHERE version.dataset = given.id AND version.us <= :until)
"""


def last_schemas(session: Session, datasets: Collection[int]) -> dict[int, int | None]:
    """The last schema of each dataset."""
    return dict(session.rows(_LAST, ids(datasets)))


def schemas_between(session: Session, datasets: Collection[int], since: int, until: int) -> list[tuple[int, int]]:
    """The schemas that events give after one moment and until another: (dataset, schema)."""
    return session.rows(_BETWEEN, ids(datasets), since=since, until=until)


def first_mentioned_later(session: Session, datasets: Collection[int], until: int) -> set[int]:
    """Which datasets events first mention after a moment."""
    return {dataset for (dataset,) in session.rows(_FIRST_LATER, ids(datasets), until=until)}
