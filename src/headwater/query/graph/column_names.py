"""Columns that were renamed: from then on the old name is another name of the column (rule 9)."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain

from headwater.common.groups import lists_by_key
from headwater.query.graph.columns import listed
from headwater.query.graph.intervals import Span
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of
from headwater.store.reads.edges import store_features
from headwater.store.reads.renamed_columns import Rename, column_renames


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a dataset's renamed columns.

    Attributes:
        shown: for each name that a column no longer has, the one that it has now.
        up: for each name the others that lead to what the column is made from.
        down: the same for what is made from the column.
    """

    shown: Mapping[int, int] = field(default_factory=dict)
    up: Mapping[int, frozenset[int]] = field(default_factory=dict)
    down: Mapping[int, frozenset[int]] = field(default_factory=dict)


def fold_names(renames: Iterable[Rename], there: Collection[int]) -> Names:
    """The names after renames in their order; `there` are the names that the dataset's schema lists then.

    A name that is there again may be a column of its own. It then stands for itself, while what read or wrote it may
    be about either: too much is shown rather than too little.

    >>> fold_names([Rename(1, 2, b"", 0)], {2}).shown
    {1: 2}
    >>> again = fold_names([Rename(1, 2, b"", 0)], {1, 2})
    >>> again.shown, again.down, again.up
    ({}, {2: frozenset({1})}, {2: frozenset({1}), 1: frozenset({2})})
    """
    former: dict[int, set[int]] = {}
    for rename in renames:
        names = former.pop(rename.old, set()) | {rename.old}
        former[rename.new] = (former.get(rename.new, set()) | names) - {rename.new}
    shown: dict[int, int] = {}
    up: defaultdict[int, set[int]] = defaultdict(set)
    down: defaultdict[int, set[int]] = defaultdict(set)
    for current, names in former.items():
        for name in names:
            up[current].add(name)
            down[current].add(name)
            up[name].add(current)
            if name not in there and name not in former:
                shown[name] = current
            if name not in there or current not in there:
                down[name].add(current)
    return Names(shown, _frozen(up), _frozen(down))


def _frozen(sets: Mapping[int, set[int]]) -> dict[int, frozenset[int]]:
    return {key: frozenset(values) for key, values in sets.items()}


class ColumnNames:
    """The names of renamed columns at the end of a span; learns of datasets when they are met."""

    def __init__(self, session: Session, span: Span) -> None:
        self._session = session
        self._span = Span(span.until, span.until)
        self._names: dict[int, Names] = {}

    def learn(self, datasets: Iterable[int]) -> None:
        """Look up what columns of these were renamed."""
        new = set(datasets) - self._names.keys()
        if not new:
            return
        self._names.update(dict.fromkeys(new, Names()))
        renames = lists_by_key(
            (dataset_of(rename.new), rename) for rename in column_renames(self._session, new, self._span.until)
        )
        there = listed(self._session, renames, self._span) if renames else {}
        self._names |= {dataset: fold_names(found, there[dataset]) for dataset, found in renames.items()}

    def shown(self, column: int) -> int:
        """The name of a column now; its dataset has been learned."""
        return self._of(column).shown.get(column, column)

    def others(self, column: int, *, up: bool) -> frozenset[int]:
        """Its other names."""
        names = self._of(column)
        return (names.up if up else names.down).get(column, frozenset())

    def every(self, columns: Collection[int]) -> set[int]:
        """Columns, and their other names; their datasets have been learned."""
        others = (self.others(column, up=up) for column in columns for up in (True, False))
        return {*columns, *chain.from_iterable(others)}

    def _of(self, column: int) -> Names:
        return self._names.get(dataset_of(column), Names())


def current_name(session: Session, column: int, at: int | None = None) -> int:
    """The name that a column has at a moment, or now: another, where it was renamed."""
    if not store_features(session).renamed_columns:
        return column
    moment = session.moment(at)
    names = ColumnNames(session, Span(moment, moment))
    names.learn([dataset_of(column)])
    return names.shown(column)
