"""What people write over the API: tags, deletions, descriptions. No event holds it, so nothing derives it again."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from headwater.common.redaction.text import redact_name
from headwater.store.db.codes import Kind, TagState
from headwater.store.db.session import Session, ids
from headwater.store.entities.keys import hash_of

_TAGGED = """
SELECT given.id, tagged.tag, tagged.state FROM {given}
{join} tagged ON tagged.kind = :kind AND tagged.entity = given.id
"""
_ALL_TAGGED = """
SELECT tagged.entity, tagged.tag, tagged.state FROM tagged JOIN {table} there ON there.id = tagged.entity
WHERE tagged.kind = :kind
"""
_IN_USE = f"SELECT DISTINCT tagged.tag FROM tagged WHERE tagged.state = {TagState.GIVEN}"  # noqa: S608  our own words


class TagRow(NamedTuple):
    """A tag with its description."""

    name: str
    description: str | None


class NamespaceRow(NamedTuple):
    """A described namespace; times in microseconds."""

    name: str
    created_us: int
    updated_us: int
    owner: str
    description: str | None
    hidden_us: int | None = None


class SourceRow(NamedTuple):
    """A described source; times in microseconds."""

    name: str
    type: str
    url: str
    description: str | None
    created_us: int
    updated_us: int


_TABLES: dict[type, str] = {TagRow: "tag", NamespaceRow: "namespace", SourceRow: "source"}


def set_tag(session: Session, kind: Kind, key: int, tag: str, *, given: bool) -> None:
    """Give a tag to a dataset, a job or a field, or take it away."""
    tag = redact_name(tag)
    session.insert(
        "tagged",
        "kind, entity, key, state, tag",
        [(int(kind), key, hash_of(tag), int(TagState.GIVEN if given else TagState.TAKEN), tag)],
        conflict="(kind, entity, key) DO UPDATE SET state = excluded.state",
    )


def describe(session: Session, row: TagRow | NamespaceRow | SourceRow) -> None:
    """Describe a tag, a source or a namespace, or hide the latter; when it was created stays as it is.

    As in events, secrets are not stored.
    """
    values = [redact_name(value) if isinstance(value, str) else value for value in row]
    changes = ", ".join(
        f"{column} = excluded.{column}" for column in row._fields if column not in {"name", "created_us"}
    )
    session.insert(
        _TABLES[type(row)],
        ", ".join(("key", *row._fields)),
        [(hash_of(redact_name(row.name)), *values)],
        conflict=f"(key) DO UPDATE SET {changes}",
    )


def hide(session: Session, kind: Kind, keys: Iterable[int], us: int) -> None:
    """Hide datasets or jobs, until an event later than this time names them."""
    session.insert(
        "hidden",
        "kind, entity, us",
        [(int(kind), key, us) for key in sorted(keys)],
        conflict="(kind, entity) DO UPDATE SET us = excluded.us",
    )


def show(session: Session, kind: Kind, key: int) -> None:
    """Show a dataset or a job that was hidden."""
    session.delete("hidden", "kind, entity", [(int(kind), key)])


def tag_changes(session: Session, kind: Kind, keys: Collection[int]) -> list[tuple[int, str, int]]:
    """What people did by hand with the tags of these datasets, fields or jobs: entity, tag, `TagState`."""
    return session.rows(_TAGGED, ids(keys), kind=int(kind))


def all_tag_changes(session: Session, kind: Kind) -> list[tuple[int, str, int]]:
    """What people did by hand with the tags of all datasets, fields or jobs that still exist."""
    return session.rows(_ALL_TAGGED.format(table=kind.name.lower()), kind=int(kind))


def tags_in_use(session: Session) -> list[str]:
    """The tags that people gave."""
    return [tag for (tag,) in session.rows(_IN_USE)]


def described_tags(session: Session) -> list[TagRow]:
    """The tags that people described."""
    return [TagRow(*row) for row in session.rows(_select(TagRow))]


def described_namespaces(session: Session, name: str | None) -> list[NamespaceRow]:
    """All described namespaces, or the one of a name."""
    statement = f"{_select(NamespaceRow)} WHERE key = coalesce(:key, key)"
    return [NamespaceRow(*row) for row in session.rows(statement, key=None if name is None else hash_of(name))]


def described_sources(session: Session) -> list[SourceRow]:
    """The sources that people described."""
    return [SourceRow(*row) for row in session.rows(_select(SourceRow))]


def _select(row: type[TagRow | NamespaceRow | SourceRow]) -> str:
    return f"SELECT {', '.join(row._fields)} FROM {_TABLES[row]}"  # noqa: S608  our own words
