"""From what a person types to a dataset and a column."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from headwater.paths import normal_path, split_path

_BOUNDARIES = ("/", ".", ":")
_SHOWN = 5


class NameNotFound(LookupError):  # noqa: N818  raised as one of the two below
    """A name that leads to no single thing; `candidates` are names that would."""

    def __init__(self, message: str, candidates: Sequence[str]) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)


class UnknownName(NameNotFound):
    """Nothing has that name; the candidates are the nearest."""


class AmbiguousName(NameNotFound):
    """Several things have that name: the candidates."""


@dataclass(frozen=True, slots=True)
class DatasetName:
    """A dataset of the store."""

    id: int
    namespace: str
    name: str

    @property
    def full(self) -> str:
        """The name that always works."""
        return f"{self.namespace}/{self.name}"


# One pass over the names; what ends with the text only by chance is sorted out afterwards.
_ENDING = """
SELECT id, namespace, name FROM dataset
WHERE substr(namespace || '/' || name, -length(:text)) = :text OR name = :text
ORDER BY namespace, name
"""


def resolve_dataset(connection: sqlite3.Connection, text: str) -> DatasetName:
    """Find a dataset by `namespace/name`, by its name, or by any end of the name that no other dataset has."""
    found = [DatasetName(*row) for row in connection.execute(_ENDING, {"text": text})] if text else []
    for matches in (
        [dataset for dataset in found if dataset.full == text],
        [dataset for dataset in found if dataset.name == text],
        [dataset for dataset in found if _ends_at_boundary(dataset.full, text)],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            names = [dataset.full for dataset in matches]
            raise AmbiguousName(f"{text!r} is the name of {len(names)} datasets", names[: _SHOWN * 2])
    everything = [DatasetName(*row) for row in connection.execute("SELECT id, namespace, name FROM dataset")]
    raise UnknownName(f"There is no dataset {text!r}", _nearest_datasets(text, everything))


def _ends_at_boundary(full: str, text: str) -> bool:
    """Whether the text is an end of the name, by whole parts.

    >>> _ends_at_boundary("file//lake/orders", "orders"), _ends_at_boundary("file//lake/orders", "ders")
    (True, False)
    """
    return full.endswith(text) and (full[: -len(text)].endswith(_BOUNDARIES) or text.startswith(_BOUNDARIES))


def _nearest_datasets(text: str, datasets: Iterable[DatasetName]) -> list[str]:
    """Datasets whose name, or last part of it, looks like the text."""
    spelled: dict[str, list[str]] = {}
    for dataset in sorted(datasets, key=lambda dataset: dataset.full):
        last = max((dataset.name.rsplit(mark, 1)[-1] for mark in _BOUNDARIES), key=lambda part: -len(part))
        for spelling in {dataset.full, dataset.name, last}:
            spelled.setdefault(spelling.lower(), []).append(dataset.full)
    close = get_close_matches(text.lower(), spelled, n=_SHOWN, cutoff=0.5)
    return list(dict.fromkeys(full for spelling in close for full in spelled[spelling]))[:_SHOWN]


def resolve_column(connection: sqlite3.Connection, dataset: DatasetName, text: str) -> int:
    """Find a column of a dataset: by its exact path, else by the only one that differs in case alone."""
    paths: dict[str, int] = dict(
        connection.execute("SELECT path, id FROM field WHERE dataset = ? ORDER BY path", (dataset.id,)).fetchall()
    )
    for path in (normal_path(text), "`" + text.replace("`", "``") + "`"):
        if path in paths:
            return paths[path]
    matches = [path for path in paths if path.casefold() == normal_path(text).casefold()]
    if len(matches) == 1:
        return paths[matches[0]]
    if matches:
        raise AmbiguousName(f"{text!r} is the name of {len(matches)} columns of {dataset.full}", matches)
    raise UnknownName(f"There is no column {text!r} in {dataset.full}", _nearest_columns(text, list(paths)))


def _nearest_columns(text: str, paths: Sequence[str]) -> list[str]:
    spelled: dict[str, list[str]] = {}
    for path in paths:
        for spelling in {path, split_path(path)[-1]}:
            spelled.setdefault(spelling.lower(), []).append(path)
    close = get_close_matches(text.lower(), spelled, n=_SHOWN, cutoff=0.5)
    near = list(dict.fromkeys(path for spelling in close for path in spelled[spelling]))
    # With nothing alike, the columns there are say more than silence.
    return (near or list(paths))[:_SHOWN]
