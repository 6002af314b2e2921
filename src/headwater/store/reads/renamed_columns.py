"""Columns that went on under another name: what ALTER events say of them."""

from collections.abc import Collection
from typing import NamedTuple

from headwater.store.db.codes import Flag
from headwater.store.db.predicates import goes_on
from headwater.store.db.session import Session, ids
from headwater.store.model.meaning import ALTER, RENAMED

_STEPS = f"SELECT step.id FROM step WHERE step.type = '{RENAMED}'"  # noqa: S608  our own words
# What an ALTER said goes on where its table was renamed since.
_RENAMES = "UNION".join(
    f"""
SELECT edge.in_field, edge.out_field, version.stamp, version.us FROM {{given}}
{{join}} version ON version.dataset = given.id AND {said}
    AND version.carried = {Flag.NO} AND version.us <= :until
{{join}} edge ON edge.mapping = version.mapping
{{join}} step ON step.id = edge.step AND step.type = '{RENAMED}'
"""  # noqa: S608  our own words
    for said in (f"version.lifecycle = '{ALTER}'", goes_on("version"))
)


class Rename(NamedTuple):
    """A column, and the name under which it goes on from a moment on."""

    old: int
    new: int
    stamp: bytes
    us: int


def rename_steps(session: Session) -> frozenset[int]:
    """The steps that lead to a column from the name that it had before."""
    return frozenset(key for (key,) in session.rows(_STEPS))


def column_renames(session: Session, datasets: Collection[int], until: int) -> list[Rename]:
    """The renames of datasets' columns up to a moment, in their order."""
    rows = session.rows(_RENAMES, ids(datasets), until=until)
    renames = {Rename(old, new, bytes(stamp), us) for old, new, stamp, us in rows}
    return sorted(renames, key=lambda rename: (rename.stamp, rename.new))
