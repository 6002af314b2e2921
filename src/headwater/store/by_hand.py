"""What people write over the API: tags, deletions, descriptions. No event holds it, so nothing derives it again."""

from collections.abc import Iterable

from headwater.store.db.codes import Kind, TagState
from headwater.store.db.session import Session
from headwater.store.entities.keys import hash_of
from headwater.store.reads.namespaces import NamespaceRow
from headwater.store.reads.sources import SourceRow
from headwater.store.reads.tags import TagRow


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
