"""From what a person types to a dataset, a job or a column."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from heapq import nlargest
from itertools import islice
from typing import ClassVar

from headwater.common.column_path import join_path, normal_path, split_path
from headwater.common.groups import lists_by_key
from headwater.query.graph.answer import TableName
from headwater.query.search.fuzzy import nearest
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.model.short_names import tail_of
from headwater.store.reads.aliases import alias_targets, aliases_of
from headwater.store.reads.edges import begin_question
from headwater.store.reads.fields import count_fields, field_paths, find_path
from headwater.store.reads.names import NameRow, Table, names_by_name, names_ending, names_with_tail

_BOUNDARIES = ("/", ".", ":")
_SHOWN = 5
_MOST_READINGS = 8
_MOST_ALIKE = 10_000
_MOST_SPLITS = 400
_COMPARED, _MOST_COMPARED = 100, 200  # characters, and spellings
_QUOTED = re.compile(r"`([^`]+)`|\"([^\"]+)\"")


class NameNotFound(LookupError):  # noqa: N818  raised as one of the two below
    """A name that leads to no single thing; `candidates` are names that would, and `message` leaves them out."""

    LEAD: ClassVar[str]
    """What comes before the candidates."""

    def __init__(self, message: str, candidates: Sequence[str]) -> None:
        super().__init__(message, tuple(candidates))
        self.message = message
        self.candidates = tuple(candidates)

    def __str__(self) -> str:
        return f"{self.message}. {self.LEAD} {', '.join(self.candidates)}." if self.candidates else self.message


class UnknownName(NameNotFound):
    """Nothing has that name; the candidates are the nearest. `of_column`: the dataset is there, its column is not."""

    LEAD = "Closest names:"
    of_column = False


class NotKnownThen(UnknownName):
    """The dataset or the column is known, and was not yet at the moment that is asked about."""

    LEAD = "Its name until then:"


class AmbiguousName(NameNotFound):
    """Several things have that name: the candidates."""

    LEAD = "Choose one:"


@dataclass(frozen=True, slots=True)
class _Entity:
    """A dataset or a job of the store, by its key and its name."""

    id: int
    namespace: str
    name: str

    @property
    def full(self) -> str:
        """The name that always works."""
        return f"{self.namespace}/{self.name}"

    @property
    def table(self) -> TableName:
        """The name without the key."""
        return TableName(self.namespace, self.name)


class JobName(_Entity):
    """A job of the store."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class DatasetName(_Entity):
    """A dataset of the store; `alias` is the key of the one that was asked for, where that stands for this one."""

    alias: int | None = None


def readings(text: str) -> Iterator[tuple[str, str]]:
    """What a dataset and a column in one word may mean, the longest name of a dataset first.

    >>> list(readings("gold.orders.header.id"))
    [('gold.orders.header', 'id'), ('gold.orders', 'header.id'), ('gold', 'orders.header.id')]
    >>> list(readings("orders.`a.b`"))
    [('orders', '`a.b`'), ('orders.`a', 'b`')]
    """
    segments = split_path(text)
    quoted = len(segments) <= text.count(".")
    first = (join_path(segments[:-1]), join_path(segments[-1:])) if quoted and len(segments) > 1 else None
    if first:
        yield first
    end = len(text)
    for _ in range(_MOST_READINGS):
        end = text.rfind(".", 0, end)
        if end <= 0:
            return
        if (reading := (text[:end], text[end + 1 :])) != first:
            yield reading


def unquoted(text: str) -> str:
    """A name without the quotes around its parts.

    >>> unquoted('`gold`."orders"')
    'gold.orders'
    """
    return _QUOTED.sub(lambda match: match[1] or match[2], text)


def resolve_dataset(session: Session, text: str, at: int | None = None) -> DatasetName:
    """Find a dataset by `namespace/name`, by its name, or by any end of the name that no other dataset has.

    Parts may be in quotes; where nothing has the name as it is written, its case does not count.

    An alias that was never written itself leads to the dataset that it stood for at a moment (now, without one).

    Raises:
        UnknownName: no dataset has that name; carries the nearest.
        AmbiguousName: several have it; carries them.
    """
    begin_question(session)
    for matches in _tiers(session, "dataset", text):
        datasets = _physical(session, [DatasetName(*row) for row in matches], session.moment(at))
        if len(datasets) == 1:
            return datasets[0]
        if datasets:
            raise _ambiguous(text, "datasets", [dataset.full for dataset in datasets])
    raise UnknownName(f"No dataset matches {text!r}", nearest(session, text, Kind.DATASET))


def resolve_job(session: Session, text: str) -> JobName:
    """Find a job by `namespace/name`, by its name, or by any end of the name that no other job has.

    Raises:
        UnknownName: no job has that name; carries the nearest.
        AmbiguousName: several have it; carries them.
    """
    for matches in _tiers(session, "job", text):
        if len(matches) == 1:
            return JobName(*matches[0])
        if matches:
            raise _ambiguous(text, "jobs", [f"{namespace}/{name}" for _, namespace, name in matches])
    raise UnknownName(f"No job matches {text!r}", nearest(session, text, Kind.JOB))


def resolve_column(session: Session, dataset: DatasetName, text: str, at: int | None = None) -> int:
    """Find a column of a dataset: by its exact path, else by the only one that differs in case alone.

    A column that is known under an alias of the dataset only is found, too.

    Raises:
        UnknownName: no column has that path; carries the nearest.
        AmbiguousName: several differ from it in case alone; carries them.
    """
    if (field := find_column(session, dataset, text, at)) is not None:
        return field
    paths = _paths(session, [dataset.id])
    message = f"No column {text!r} in {dataset.full}"
    if not count_fields(session, [dataset.id]):
        message += ", whose columns no event lists: ask about the whole dataset"
    unknown = UnknownName(message, _nearest_columns(text, sorted(paths)))
    unknown.of_column = True
    raise unknown


def find_column(session: Session, dataset: DatasetName, text: str, at: int | None = None) -> int | None:
    """The same, and None where no column has that path."""
    if (field := find_path(session, dataset.id, _exact(text))) is not None:
        return field
    if (field := _column(_paths(session, [dataset.id]), dataset, text)) is not None:
        return field
    names = aliases_of(session, dataset.id, session.moment(at))
    names |= {dataset.alias} if dataset.alias else set()
    return _column(_paths(session, names), dataset, text) if names else None


def _tiers(session: Session, table: Table, text: str) -> Iterable[list[NameRow]]:
    """What has the text as its full name; as its name; as an end of its full name, by whole parts.

    Then the same for the text without its quotes, and then in any case.
    """
    if not text:
        return
    bare = unquoted(text)
    for written in dict.fromkeys((text, bare)):
        # Any slash may be the one that ends the namespace; of very many, the first ones.
        slashes = islice((place for place, letter in enumerate(written) if letter == "/"), _MOST_SPLITS)
        yield _sorted(names_by_name(session, table, [(written[:place], written[place + 1 :]) for place in slashes]))
        rows = _sorted(names_ending(session, table, written, tail_of(written)))
        yield [row for row in rows if row.name == written]
        yield [row for row in rows if _ends_at_boundary(f"{row.namespace}/{row.name}", written)]
    folded = bare.casefold()
    alike = _sorted(names_with_tail(session, table, tail_of(bare), _MOST_ALIKE))
    yield [row for row in alike if f"{row.namespace}/{row.name}".casefold() == folded]
    yield [row for row in alike if row.name.casefold() == folded]
    yield [row for row in alike if _ends_at_boundary(f"{row.namespace}/{row.name}".casefold(), folded)]


def _sorted(rows: Iterable[NameRow]) -> list[NameRow]:
    return sorted(rows, key=lambda row: (row.namespace, row.name))


def _physical(session: Session, datasets: Sequence[DatasetName], at: int) -> list[DatasetName]:
    """Each dataset, or the one that it stands for; once."""
    targets = alias_targets(session, [dataset.id for dataset in datasets], at)
    stands_for = {
        alias: DatasetName(key, namespace, name, alias) for alias, key, namespace, name in targets if alias != key
    }
    unique: dict[int, DatasetName] = {}
    for dataset in datasets:
        physical = stands_for.get(dataset.id, dataset)
        unique.setdefault(physical.id, physical)
        if physical.alias is None:
            unique[physical.id] = replace(physical, alias=unique[physical.id].alias)
    return list(unique.values())


def _ambiguous(text: str, plural: str, names: Sequence[str]) -> AmbiguousName:
    return AmbiguousName(f"{text!r} matches {len(names)} {plural}", names[: _SHOWN * 2])


def _ends_at_boundary(full: str, text: str) -> bool:
    """Whether the text is an end of the name, by whole parts.

    >>> _ends_at_boundary("file//lake/orders", "orders"), _ends_at_boundary("file//lake/orders", "ders")
    (True, False)
    """
    return full.endswith(text) and (full[: -len(text)].endswith(_BOUNDARIES) or text.startswith(_BOUNDARIES))


def _paths(session: Session, datasets: Collection[int]) -> dict[str, int]:
    return {field.path: field.id for field in field_paths(session, datasets)}


def _column(paths: dict[str, int], dataset: DatasetName, text: str) -> int | None:
    for path in _exact(text):
        if path in paths:
            return paths[path]
    folded = normal_path(text).casefold()
    matches = sorted(path for path in paths if path.casefold() == folded)
    if len(matches) > 1:
        raise AmbiguousName(f"{text!r} matches {len(matches)} columns of {dataset.full}", matches)
    return paths[matches[0]] if matches else None


def _exact(text: str) -> list[str]:
    """The paths that a text may stand for as it is written."""
    return [normal_path(text), "`" + text.replace("`", "``") + "`", normal_path(text.replace('"', "`"))]


def _nearest_columns(text: str, paths: Sequence[str]) -> list[str]:
    spellings = ((spelling, path) for path in paths for spelling in {path, split_path(path)[-1]})
    spelled = lists_by_key((spelling.lower()[-_COMPARED:], path) for spelling, path in spellings)
    # To compare takes the product of both lengths: only those that share most with the text are compared.
    typed = text.lower()[-_COMPARED:]
    pairs = {typed[place : place + 2] for place in range(len(typed) - 1)} or {typed}
    likely = nlargest(_MOST_COMPARED, spelled, key=lambda spelling: sum(pair in spelling for pair in pairs))
    close = get_close_matches(typed, likely, n=_SHOWN, cutoff=0.5)
    near = list(dict.fromkeys(path for spelling in close for path in spelled[spelling]))
    # With nothing alike, the columns there are say more than silence.
    return (near or list(paths))[:_SHOWN]
