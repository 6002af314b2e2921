"""Tags that people gave or took away by hand, and the tags that they described."""

from collections.abc import Collection
from typing import NamedTuple

from headwater.store.db.codes import Kind, TagState
from headwater.store.db.session import Session, ids

_TAGGED = """
SELECT given.id, tagged.tag, tagged.state FROM {given}
{join} tagged ON tagged.kind = :kind AND tagged.entity = given.id
"""
_ALL_TAGGED = """
SELECT tagged.entity, tagged.tag, tagged.state FROM tagged JOIN {table} there ON there.id = tagged.entity
WHERE tagged.kind = :kind
"""
_IN_USE = f"SELECT DISTINCT tagged.tag FROM tagged WHERE tagged.state = {TagState.GIVEN}"  # noqa: S608  our own words


class TagChange(NamedTuple):
    """A tag that someone gave to a dataset, a field or a job, or took away from it (`TagState`)."""

    entity: int
    tag: str
    state: int


class TagRow(NamedTuple):
    """A tag with its description."""

    name: str
    description: str | None


def tag_changes(session: Session, kind: Kind, keys: Collection[int]) -> list[TagChange]:
    """What people did by hand with the tags of these datasets, fields or jobs."""
    return [TagChange._make(row) for row in session.rows(_TAGGED, ids(keys), kind=int(kind))]


def all_tag_changes(session: Session, kind: Kind) -> list[TagChange]:
    """What people did by hand with the tags of all datasets, fields or jobs that still exist."""
    rows = session.rows(_ALL_TAGGED.format(table=kind.name.lower()), kind=int(kind))
    return [TagChange._make(row) for row in rows]


def tags_in_use(session: Session) -> list[str]:
    """The tags that people gave."""
    return [tag for (tag,) in session.rows(_IN_USE)]


def described_tags(session: Session) -> list[TagRow]:
    """The tags that people described."""
    return [TagRow._make(row) for row in session.rows("SELECT tag.name, tag.description FROM tag")]
