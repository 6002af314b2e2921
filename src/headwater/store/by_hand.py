"""What people write over the API: tags, deletions, descriptions. No event holds it, so nothing derives it again."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

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
_NAMESPACES = """
SELECT namespace.name, namespace.created_us, namespace.updated_us, namespace.owner, namespace.description,
       namespace.hidden_us
FROM namespace WHERE namespace.key = coalesce(:key, namespace.key)
"""
_SOURCES = (
    "SELECT source.name, source.type, source.url, source.description, source.created_us, source.updated_us FROM source"
)


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


def set_tag(session: Session, kind: Kind, key: int, tag: str, *, given: bool) -> None:
    """Give a tag to a dataset, a job or a field, or take it away."""
    session.insert(
        "tagged",
        "kind, entity, key, state, tag",
        [(int(kind), key, hash_of(tag), int(TagState.GIVEN if given else TagState.TAKEN), tag)],
        conflict="(kind, entity, key) DO UPDATE SET state = excluded.state",
    )


def describe_tag(session: Session, tag: TagRow) -> None:
    """Describe a tag."""
    session.insert(
        "tag",
        "key, name, description",
        [(hash_of(tag.name), *tag)],
        conflict="(key) DO UPDATE SET description = excluded.description",
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


def describe_namespace(session: Session, namespace: NamespaceRow) -> None:
    """Describe a namespace, or hide it; when it was created stays as it is."""
    session.insert(
        "namespace",
        "key, name, created_us, updated_us, owner, description, hidden_us",
        [(hash_of(namespace.name), *namespace)],
        conflict="(key) DO UPDATE SET updated_us = excluded.updated_us, hidden_us = excluded.hidden_us,"
        " owner = excluded.owner, description = excluded.description",
    )


def describe_source(session: Session, source: SourceRow) -> None:
    """Describe a source; when it was created stays as it is."""
    session.insert(
        "source",
        "key, name, type, url, description, created_us, updated_us",
        [(hash_of(source.name), *source)],
        conflict="(key) DO UPDATE SET updated_us = excluded.updated_us, type = excluded.type, url = excluded.url,"
        " description = excluded.description",
    )


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
    return [TagRow._make(row) for row in session.rows("SELECT tag.name, tag.description FROM tag")]


def described_namespaces(session: Session, name: str | None) -> list[NamespaceRow]:
    """All described namespaces, or the one of a name."""
    rows = session.rows(_NAMESPACES, key=None if name is None else hash_of(name))
    return [NamespaceRow._make(row) for row in rows]


def described_sources(session: Session) -> list[SourceRow]:
    """The sources that people described."""
    return [SourceRow._make(row) for row in session.rows(_SOURCES)]
