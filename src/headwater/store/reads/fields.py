"""Fields of datasets: their paths, types and places in the last schema."""

from collections.abc import Collection
from typing import NamedTuple

from headwater.store.db.codes import Kind
from headwater.store.db.predicates import in_last_schema
from headwater.store.db.session import Session, ids

_OF_DATASETS = """
SELECT field.dataset, field.id, field.path, field.type, field.description, field.position FROM {given}
{join} field ON field.dataset = given.id
"""
_COUNTS = f"""
SELECT field.dataset, count(*) FROM {{given}}
{{join}} field ON field.dataset = given.id AND {in_last_schema("field")} GROUP BY field.dataset
"""  # noqa: S608  our own words
_PATHS = "SELECT field.dataset, field.id, field.path FROM {given} {join} field ON field.dataset = given.id"
_TAGGED_PATHS = f"""{_PATHS}
{{join}} tagged ON tagged.kind = {Kind.FIELD} AND tagged.entity = field.id
"""


class FieldRow(NamedTuple):
    """A field; without a position it is not in its dataset's last schema."""

    dataset: int
    id: int
    path: str
    type: str
    description: str
    position: int | None


class FieldPath(NamedTuple):
    """A field's path."""

    dataset: int
    id: int
    path: str


def fields_of(session: Session, datasets: Collection[int]) -> list[FieldRow]:
    """The fields of datasets, in no order."""
    return [FieldRow._make(row) for row in session.rows(_OF_DATASETS, ids(datasets))]


def count_fields(session: Session, datasets: Collection[int]) -> dict[int, int]:
    """How many fields the last schema of each dataset has; a dataset without one is not there."""
    return {dataset: int(count) for dataset, count in session.rows(_COUNTS, ids(datasets))}


def paths_of(session: Session, datasets: Collection[int]) -> list[FieldPath]:
    """The paths of the fields of datasets."""
    return [FieldPath._make(row) for row in session.rows(_PATHS, ids(datasets))]


def tagged_paths(session: Session, datasets: Collection[int]) -> list[FieldPath]:
    """The paths of those fields of datasets whose tags someone changed by hand."""
    return [FieldPath._make(row) for row in session.rows(_TAGGED_PATHS, ids(datasets))]
