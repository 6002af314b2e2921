"""Names of datasets and jobs, by their keys, hashes or ends."""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from headwater.store.db.session import Given, Session, ids

Table: TypeAlias = Literal["dataset", "job"]

_BY_ID = "SELECT t.id, t.namespace, t.name FROM {{given}} {{join}} {table} t ON t.id = given.id"
_BY_KEY = "SELECT t.id, t.namespace, t.name FROM {{given}} {{join}} {table} t ON t.key = given.key"
# By the hash of the last part; what ends with the text only by chance is sorted out afterwards.
_ENDING = """
SELECT id, namespace, name FROM {table}
WHERE tail = :tail AND (name = :text OR (
    length(namespace || '/' || name) >= length(:text)
    AND substr(namespace || '/' || name, length(namespace || '/' || name) - length(:text) + 1) = :text
))
"""
_IDS = "SELECT given.place, dataset.id FROM {given} {join} dataset ON dataset.key = given.key"
_HASHES = "SELECT dataset.key, dataset.id FROM {given} {join} dataset USING (id)"


class NameRow(NamedTuple):
    """A dataset or a job."""

    id: int
    namespace: str
    name: str


def names_by_id(session: Session, table: Table, keys: Iterable[int]) -> list[NameRow]:
    """Datasets or jobs by their keys."""
    return [NameRow(*row) for row in session.rows(_BY_ID.format(table=table), ids(keys))]


def names_by_hash(session: Session, table: Table, hashes: Iterable[bytes]) -> list[NameRow]:
    """Datasets or jobs by the hashes of their names."""
    given = Given("key bytes", [(key,) for key in hashes])
    return [NameRow(*row) for row in session.rows(_BY_KEY.format(table=table), given)]


def names_ending(session: Session, table: Table, text: str, tail: int) -> list[NameRow]:
    """Datasets or jobs that have a text as their name or as the end of their full name; `tail` is its hash."""
    return [NameRow(*row) for row in session.rows(_ENDING.format(table=table), text=text, tail=tail)]


def dataset_places(session: Session, hashes: Sequence[bytes]) -> list[tuple[int, int]]:
    """The datasets that have names of these hashes: (place in the list, key)."""
    return session.rows(_IDS, Given("place int, key bytes", list(enumerate(hashes))))


def dataset_hashes(session: Session, datasets: Collection[int]) -> list[tuple[bytes, int]]:
    """The hashes of datasets' names, which every store has alike: (hash, key)."""
    return [(bytes(key), dataset) for key, dataset in session.rows(_HASHES, ids(datasets))]
