"""Which features of lineage a store has any rows of: questions skip the joins for those that it lacks."""

from typing import NamedTuple

from headwater.store.db.session import Session

_FEATURES = """
SELECT CASE WHEN EXISTS (SELECT 1 FROM alias) THEN 1 ELSE 0 END,
       CASE WHEN EXISTS (SELECT 1 FROM mapping WHERE origin IS NOT NULL) THEN 1 ELSE 0 END,
       CASE WHEN EXISTS (SELECT 1 FROM kin) THEN 1 ELSE 0 END,
       CASE WHEN EXISTS (SELECT 1 FROM named) THEN 1 ELSE 0 END
"""


class Features(NamedTuple):
    """Whether a store has aliases, renames, fields that stand for each other, and versions named by runs."""

    aliases: bool
    renames: bool
    kin: bool
    named: bool


def store_features(session: Session) -> Features:
    """The features of a store, in one statement."""
    (row,) = session.rows(_FEATURES)
    return Features(*map(bool, row))
