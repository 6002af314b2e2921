"""Symlinks (rule 9): an alias's fields are those of the dataset that it stood for, shown under that dataset's name."""

from collections import defaultdict
from collections.abc import Collection, Iterable

from headwater.query.graph.intervals import Span
from headwater.store.db.codes import Kin
from headwater.store.db.predicates import in_force_within
from headwater.store.db.session import Given, Row, Session, ids
from headwater.store.entities.keys import dataset_of, rows_of

_RELATED = f"""
SELECT alias.dataset, alias.physical FROM {{given}}
{{join}} alias ON alias.dataset = given.id AND {in_force_within("alias", ":since", ":until")}
UNION
SELECT alias.dataset, alias.physical FROM {{given}}
{{join}} alias ON alias.physical = given.id AND {in_force_within("alias", ":since", ":until")}
"""  # noqa: S608  our own words
# By the same path; and by the path of a struct around or inside, where only that is known on the other side.
_SAME_PATH = f"""
SELECT given.field, other.id, 1 FROM {{given}}
{{join}} field ON field.id = given.field
{{join}} field other ON other.dataset = given.dataset AND other.key = field.key
UNION ALL
SELECT given.field, other.id, 0 FROM {{given}}
{{join}} kin ON kin.field = given.field AND kin.how < {Kin.ALIKE}
{{join}} field ON field.id = kin.other
{{join}} field other ON other.dataset = given.dataset AND other.key = field.key
"""  # noqa: S608  our own words


class Aliases:
    """The aliases of one span of time; learns of datasets when they are met."""

    def __init__(self, session: Session, span: Span) -> None:
        self._session = session
        self._span = span
        self._known: set[int] = set()
        self._physical: dict[int, set[int]] = defaultdict(set)
        self._aliases: dict[int, set[int]] = defaultdict(set)
        self._shown: dict[int, int] = {}
        self._met: set[int] = set()
        self._same: dict[int, dict[int, int]] = {}
        self._alike: dict[int, list[int]] = {}

    def learn_datasets(self, datasets: Iterable[int]) -> None:
        """Look up what these stand for, what stands for them, and so on."""
        new = set(datasets) - self._known
        while new:
            self._known |= new
            found = self._session.rows(_RELATED, ids(new), since=self._span.since, until=self._span.until)
            for alias, physical in found:
                if alias != physical:
                    self._physical[alias].add(physical)
                    self._aliases[physical].add(alias)
            new = {dataset for row in found for dataset in row} - self._known

    def learn(self, fields: Collection[int]) -> None:
        """Look up the fields of the same paths on the other sides."""
        self.learn_datasets({dataset_of(field) for field in fields})
        wanted: list[Row] = []
        for field in sorted(set(fields) - self._met):
            self._met.add(field)
            dataset = dataset_of(field)
            if field != rows_of(dataset):
                wanted += [(field, other) for other in self.other_names(dataset)]
        if not wanted:
            return
        for field, other, same in self._session.rows(_SAME_PATH, Given("field int, dataset int", wanted)):
            if same:
                self._same.setdefault(field, {})[dataset_of(other)] = other
            else:
                self._alike.setdefault(field, []).append(other)

    def shown_dataset(self, dataset: int) -> int:
        """The dataset that this one stands for, or itself; one that stood for several is itself."""
        found = self._shown.get(dataset)
        if found is None:
            path = [dataset]
            while len(self._physical.get(path[-1], ())) == 1:
                (physical,) = self._physical[path[-1]]
                if physical in path:
                    path.append(self._first(path[path.index(physical) :]))
                    break
                path.append(physical)
            found = self._shown[dataset] = path[-1]
        return found

    def shown(self, field: int) -> int:
        """The field under whose name this one is shown; it has been learned."""
        return self.field_in(field, self.shown_dataset(dataset_of(field)))

    def field_in(self, field: int, dataset: int) -> int:
        """The field of the same path in another dataset; the field itself where there is none."""
        if field == rows_of(dataset_of(field)):
            return rows_of(dataset)
        return self._same.get(field, {}).get(dataset, field)

    def matches(self, fields: Iterable[int]) -> list[Row]:
        """Rows of a field, one that is the same, and whether structs around or inside are to be looked for, too."""
        found: list[Row] = []
        for field in fields:
            found.append((field, field, 1))
            dataset = dataset_of(field)
            if field == rows_of(dataset):
                found += [(field, rows_of(other), 0) for other in self.other_names(dataset)]
            else:
                same = self._same.get(field, {}).values()
                found += [(field, other, 1) for other in same]
                found += [(field, other, 0) for other in self._alike.get(field, ()) if other not in same]
        return found

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
        tops = {self.shown_dataset(one) for one in up} if len(self._physical.get(dataset, ())) <= 1 else up
        # Also through those on the way up: what else stands for them is met only there.
        found = set(tops)
        rest = [*tops]
        while rest:
            new = self._aliases.get(rest.pop(), set()) - found
            found |= new
            rest += new
        return (found | up) - {dataset}

    def _first(self, datasets: list[int]) -> int:
        """Of datasets that stand for each other in a circle, the one that every store would choose."""
        rows = self._session.rows(
            "SELECT dataset.key, dataset.id FROM {given} {join} dataset USING (id)", ids(datasets)
        )
        return int(min((bytes(key), found) for key, found in rows)[1])
