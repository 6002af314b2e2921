"""Columns: the fields of datasets, their names, and those that may stand for each other (`kin`)."""

from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple

from headwater.store.db.codes import Kin
from headwater.store.db.predicates import in_last_schema
from headwater.store.db.session import Session, ids

_NAMED = """
SELECT field.id, dataset.namespace, dataset.name, field.path, field.type FROM {given}
{join} field ON field.id = given.id
{join} dataset ON dataset.id = field.dataset
"""
# A field that its dataset's last schema does not have is gone; where there is no schema, every field may be.
_CURRENT = f"""
SELECT field.id, field.dataset, dataset.namespace, dataset.name, field.path, field.type FROM {{given}}
{{join}} field ON field.COLUMN = given.id {{join}} dataset ON dataset.id = field.dataset
WHERE {in_last_schema("field")} OR dataset.schema IS NULL
"""  # noqa: S608  our own words
_KEYS = "SELECT given.id, field.id FROM {given} {join} field ON field.dataset = given.id"
_PATHS = "SELECT field.dataset, field.id, field.path FROM {given} {join} field ON field.dataset = given.id"
_LISTED = f"""
SELECT given.id, field.id FROM {{given}} {{join}} field ON field.dataset = given.id AND {in_last_schema("field")}
"""  # noqa: S608  our own words
# Those that a schema has: what it no longer has says nothing.
_DESCRIBED = f"""
SELECT field.id, field.description FROM field WHERE field.description <> '' AND {in_last_schema("field")}
"""  # noqa: S608  our own words
_KIN = "SELECT kin.other, kin.how FROM kin WHERE kin.field = :field"
_KIN_BY_HOW = "SELECT kin.field, kin.other FROM {{given}} {{join}} kin ON kin.field = given.id AND kin.how = {how}"


class NamedField(NamedTuple):
    """A field with its full name and its type."""

    id: int
    namespace: str
    name: str
    path: str
    type: str


class CurrentField(NamedTuple):
    """A field that its dataset may still have."""

    id: int
    dataset: int
    namespace: str
    name: str
    path: str
    type: str


class FieldPath(NamedTuple):
    """A field of a dataset, by its path."""

    dataset: int
    id: int
    path: str


def fields_by_id(session: Session, fields: Iterable[int]) -> list[NamedField]:
    """The names and types of fields."""
    return [NamedField(*row) for row in session.rows(_NAMED, ids(fields))]


def current_fields(
    session: Session, keys: Collection[int], column: Literal["id", "dataset"] = "id"
) -> list[CurrentField]:
    """Fields, or all fields of datasets, that the last schemas list; all where a dataset has no schema."""
    return [CurrentField(*row) for row in session.rows(_CURRENT.replace("COLUMN", column), ids(keys))]


def field_keys(session: Session, datasets: Collection[int]) -> list[tuple[int, int]]:
    """All fields ever seen in datasets: (dataset, field)."""
    return session.rows(_KEYS, ids(datasets))


def field_paths(session: Session, datasets: Collection[int]) -> list[FieldPath]:
    """All fields ever seen in datasets, with their paths."""
    return [FieldPath(*row) for row in session.rows(_PATHS, ids(datasets))]


def listed_fields(session: Session, datasets: Collection[int]) -> list[tuple[int, int]]:
    """The fields in the last schemas of datasets: (dataset, field)."""
    return session.rows(_LISTED, ids(datasets))


def field_descriptions(session: Session) -> dict[int, str]:
    """The descriptions in the last schemas of all datasets."""
    return dict(session.rows(_DESCRIBED))


def kin_of(session: Session, field: int) -> dict[int, int]:
    """The fields that may stand for one, and how (`Kin`)."""
    return dict(session.rows(_KIN, field=field))


def fields_inside(session: Session, fields: Collection[int]) -> list[tuple[int, int]]:
    """Structs and what is in them: (outer, inner)."""
    return session.rows(_KIN_BY_HOW.format(how=Kin.INSIDE), ids(fields))


def fields_alike(session: Session, fields: Collection[int]) -> list[tuple[int, int]]:
    """Fields and those that differ from them in upper and lower case only."""
    return session.rows(_KIN_BY_HOW.format(how=Kin.ALIKE), ids(fields))
