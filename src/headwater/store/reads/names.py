"""Datasets and jobs by their names: the two tables have the same columns for these."""

from collections.abc import Iterable
from typing import NamedTuple

from headwater.store.db.codes import Kind
from headwater.store.db.session import Given, Session
from headwater.store.entities.keys import hash_of
from headwater.store.reads.visibility import NOT_HIDDEN

_TABLES = {Kind.DATASET: "dataset", Kind.JOB: "job"}
_BY_KEY = {
    kind: f"SELECT t.id, t.namespace, t.name FROM {{given}} {{join}} {table} t ON t.key = given.key"  # noqa: S608  our own words
    for kind, table in _TABLES.items()
}
# By the hash of the name: an index has it, and the same names are in the same order in every store. An index could not
# hold the names themselves, which may be of any length; and to sort them for each page takes longer the more there are.
_PAGE = {
    kind: f"SELECT t.key, t.namespace, t.name FROM {table} t WHERE t.key > :after ORDER BY t.key LIMIT :most"  # noqa: S608  our own words
    for kind, table in _TABLES.items()
}
# Names only are read, all of them: there are as many as there are datasets and jobs.
_LIKE = {
    kind: f"SELECT t.id, t.namespace, t.name FROM {table} t"  # noqa: S608  our own words
    r" WHERE lower(t.name) LIKE lower(:pattern) ESCAPE '\'"
    f" AND t.namespace = coalesce(:namespace, t.namespace) AND {NOT_HIDDEN[kind]}"
    " ORDER BY t.name, t.namespace LIMIT :most"
    for kind, table in _TABLES.items()
}
_IN_NAMESPACE = {
    kind: f"SELECT t.id FROM {table} t WHERE t.namespace = :namespace AND {NOT_HIDDEN[kind]}"  # noqa: S608  our own words
    for kind, table in _TABLES.items()
}
_IS_USED = {kind: f"{statement} LIMIT 1" for kind, statement in _IN_NAMESPACE.items()}
# The first dataset and the first job of a namespace tell since when it is there.
_FIRST = {
    kind: f"SELECT t.namespace, min(t.id) FROM {table} t"  # noqa: S608  our own words
    " WHERE t.namespace = coalesce(:name, t.namespace) GROUP BY t.namespace"
    for kind, table in _TABLES.items()
}


class NameRow(NamedTuple):
    """A dataset or a job."""

    id: int
    namespace: str
    name: str


class KeyedName(NamedTuple):
    """A dataset or a job, by the hash of its name."""

    key: bytes
    namespace: str
    name: str


def by_name(session: Session, kind: Kind, names: Iterable[tuple[str, str]]) -> list[NameRow]:
    """The datasets or jobs that have one of these namespaces and names."""
    keys = Given("key bytes", sorted({(hash_of(namespace, name),) for namespace, name in names}))
    return [NameRow._make(row) for row in session.rows(_BY_KEY[kind], keys)]


def page_by_key(session: Session, kind: Kind, after: bytes, most: int) -> list[KeyedName]:
    """A page of all datasets or jobs, in the order of their keys."""
    rows = session.rows(_PAGE[kind], after=after, most=most)
    return [KeyedName(bytes(key), namespace, name) for key, namespace, name in rows]


def like(session: Session, kind: Kind, pattern: str, namespace: str | None, most: int) -> list[NameRow]:
    """The visible datasets or jobs whose names match a LIKE pattern in which a backslash escapes, by name."""
    rows = session.rows(_LIKE[kind], pattern=pattern, namespace=namespace, most=most)
    return [NameRow._make(row) for row in rows]


def all_ids(session: Session, kind: Kind) -> list[int]:
    """All datasets or jobs."""
    return [key for (key,) in session.rows(f"SELECT t.id FROM {_TABLES[kind]} t")]  # noqa: S608  our own words


def ids_in_namespace(session: Session, kind: Kind, namespace: str) -> list[int]:
    """The visible datasets or jobs of a namespace."""
    return [key for (key,) in session.rows(_IN_NAMESPACE[kind], namespace=namespace)]


def first_ids(session: Session, kind: Kind, namespace: str | None) -> dict[str, int]:
    """The first dataset or job of each namespace, or of one."""
    return dict(session.rows(_FIRST[kind], name=namespace))


def is_namespace_used(session: Session, namespace: str) -> bool:
    """Whether a namespace has a visible dataset or job."""
    return any(session.rows(statement, namespace=namespace) for statement in _IS_USED.values())
