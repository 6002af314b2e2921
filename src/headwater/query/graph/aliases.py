"""Other names (rule 9), of datasets and of columns.

An alias's fields are those of the dataset that it stood for, shown under that dataset's name. A renamed column is shown
under its new name.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from headwater.query.graph.column_names import ColumnNames
from headwater.query.graph.intervals import Span
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of, hash_of, rows_of
from headwater.store.reads.aliases import alias_pairs, same_paths
from headwater.store.reads.edges import Match
from headwater.store.reads.names import names_by_id


class Aliases:
    """The aliases of one span of time, if any `exist`; learns of datasets when they are met.

    `renamed`: also the other names of renamed columns.
    """

    def __init__(self, session: Session, span: Span, *, exist: bool = True, renamed: bool = False) -> None:
        self._session = session
        self._exist = exist
        self._span = span
        self._columns = ColumnNames(session, span) if renamed else None
        self._known: set[int] = set()
        self._physical: dict[int, set[int]] = defaultdict(set)
        self._aliases: dict[int, set[int]] = defaultdict(set)
        self._shown: dict[int, int] = {}
        self._met: set[int] = set()
        self._same: dict[int, dict[int, int]] = {}
        self._alike: dict[int, list[int]] = {}

    def learn_datasets(self, datasets: Iterable[int]) -> None:
        """Look up what these stand for, what stands for them, and so on."""
        new = set(datasets) - self._known if self._exist else set()
        while new:
            self._known |= new
            pairs = alias_pairs(self._session, new, self._span.since, self._span.until)
            for alias, physical in pairs:
                if alias != physical:
                    self._physical[alias].add(physical)
                    self._aliases[physical].add(alias)
            new = {dataset for pair in pairs for dataset in pair} - self._known

    def learn(self, fields: Collection[int]) -> None:
        """Look up the fields of the same paths on the other sides."""
        datasets = {dataset_of(field) for field in fields}
        self.learn_datasets(datasets)
        new = set(fields) - self._met
        if self._columns is not None:
            self._columns.learn(datasets | {other for dataset in datasets for other in self.other_names(dataset)})
            new = self._columns.every(new) - self._met
        pairs: list[tuple[int, int]] = []
        for field in sorted(new):
            self._met.add(field)
            dataset = dataset_of(field)
            if field != rows_of(dataset):
                pairs += [(field, other) for other in self.other_names(dataset)]
        for field, other, same in same_paths(self._session, pairs):
            if same:
                self._same.setdefault(field, {})[dataset_of(other)] = other
            else:
                self._alike.setdefault(field, []).append(other)

    def shown_dataset(self, dataset: int) -> int:
        """The dataset that this one stands for, or itself; one that stood for several is itself."""
        shown = self._shown.get(dataset)
        if shown is None:
            path = [dataset]
            while len(self._physical.get(path[-1], ())) == 1:
                (physical,) = self._physical[path[-1]]
                if physical in path:
                    path.append(self._first(path[path.index(physical) :]))
                    break
                path.append(physical)
            shown = self._shown[dataset] = path[-1]
        return shown

    def shown_datasets(self, datasets: Collection[int]) -> dict[int, int]:
        """For each dataset, the one that it stands for, or itself."""
        self.learn_datasets(datasets)
        return {dataset: self.shown_dataset(dataset) for dataset in datasets}

    def shown(self, field: int) -> int:
        """The field under whose name this one is shown; it has been learned."""
        current = self.current(field)
        return self.current(self.field_in(current, self.shown_dataset(dataset_of(current))))

    def field_in(self, field: int, dataset: int) -> int:
        """The field of the same path in another dataset; the field itself where there is none."""
        if field == rows_of(dataset_of(field)):
            return rows_of(dataset)
        return self._same.get(field, {}).get(dataset, field)

    def matches(self, fields: Iterable[int], *, up: bool) -> list[Match]:
        """Rows of a field, one that is the same, and whether structs around or inside are to be looked for, too."""
        matches: dict[tuple[int, int], int] = {}
        for field in fields:
            dataset = dataset_of(field)
            if field == rows_of(dataset):
                matches[field, field] = 1
                matches |= {(field, rows_of(other)): 0 for other in self.other_names(dataset)}
                continue
            for name in (field, *self._others(field, up=up)):
                matches[field, name] = 1
                for same in self._same.get(name, {}).values():
                    matches |= {(field, other): 1 for other in (same, *self._others(same, up=up))}
                for alike in self._alike.get(name, ()):
                    matches.setdefault((field, alike), 0)
        return [(field, other, wide) for (field, other), wide in matches.items()]

    def current(self, field: int) -> int:
        """The field under the name that it has now in its own dataset; it has been learned."""
        return field if self._columns is None else self._columns.shown(field)

    def _others(self, field: int, *, up: bool) -> Collection[int]:
        return () if self._columns is None else self._columns.others(field, up=up)

    def other_names(self, dataset: int) -> set[int]:
        """The other names of a dataset: up to what it stands for, and down to all that stand for that.

        From one that stood for several, all of them are met; from one of these, not the others.
        """
        if dataset not in self._physical and dataset not in self._aliases:
            return set()
        up, rest = {dataset}, [dataset]
        while rest:
            new = self._physical.get(rest.pop(), set()) - up
            up |= new
            rest += new
        tops = {self.shown_dataset(name) for name in up} if len(self._physical.get(dataset, ())) <= 1 else up
        # Also through those on the way up: what else stands for them is met only there.
        names = set(tops)
        rest = [*tops]
        while rest:
            new = self._aliases.get(rest.pop(), set()) - names
            names |= new
            rest += new
        return (names | up) - {dataset}

    def _first(self, datasets: list[int]) -> int:
        """Of datasets that stand for each other in a circle, the one that every store would choose."""
        names = names_by_id(self._session, "dataset", datasets)
        return min(names, key=lambda dataset: hash_of(*names[dataset]))
