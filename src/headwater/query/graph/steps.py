"""One step up or down from a set of columns, in one statement for the whole set."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from itertools import product
from typing import Final, NamedTuple

from headwater.query.graph.aliases import Aliases
from headwater.query.graph.answer import Direction
from headwater.query.graph.columns import listed, not_yet
from headwater.query.graph.former_names import FormerNames, slot_of
from headwater.query.graph.intervals import Span
from headwater.query.graph.table_reads import not_named_otherwise
from headwater.store.db.codes import FIELD_NUMBERS, RENAME_STEP, ROWS_ON_STEP, ROWS_STEP, Kin
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of, rows_of
from headwater.store.reads.edges import EdgesInForce, Features, Hop, written_columns
from headwater.store.reads.fields import field_keys, kin_pairs, seen_later
from headwater.store.reads.renamed_columns import rename_steps

# As plain numbers: they are compared with every hop.
_EXACT, _ALIKE = int(Kin.ITSELF), int(Kin.ALIKE)
# Places in a hop.
_STEP: Final = 2
_MAPPING: Final = 7
_MATCH: Final = 8
_HOW: Final = 9
# More nodes at once are a level of a wide graph: what lies beyond may be much more than is wanted.
_FEW: Final = 100


class Taken(NamedTuple):
    """A step: its edges, the columns beyond them, and the rows of datasets beyond them."""

    hops: list[Hop]
    columns: set[int]
    rows: set[int]


class Steps:
    """Steps in one span of the history."""

    def __init__(  # noqa: PLR0913  what a walk is made of
        self,
        session: Session,
        span: Span,
        features: Features,
        direction: Direction,
        *,
        direct: bool,
        rows: bool = True,
        ahead: int = 0,
    ) -> None:
        """Steps; `ahead` is how many nodes to look at beyond those that are asked for, so that few are asked for."""
        self._session = session
        self._span = span
        self._features = features
        self._edges = EdgesInForce(session, span, features)
        self._up = direction is Direction.UPSTREAM
        self._direct = direct
        self._rows = rows
        renamed = features.renamed_columns
        self._aliases = (
            Aliases(session, span, exist=features.aliases, renamed=renamed) if features.other_names else None
        )
        self._renames = rename_steps(session) if renamed else frozenset[int]()
        self._former = FormerNames(session, span, renames=features.renames)
        self._ahead = 0 if features.other_names else ahead
        # By node, what was read ahead.
        self._known: dict[int, list[Hop]] = {}
        self._rows_read: set[int] = set()
        self._columns: dict[int, list[int]] = {}

    def take(self, nodes: Collection[int], rows: Collection[int] = (), counted: Collection[int] = ()) -> Taken:
        """The edges at these columns, and at the rows of datasets, on the side asked for, and what is beyond them.

        Upstream, of the rows those that are `counted` lead on to the rows of what their datasets are made of.
        """
        return self._take_up(nodes, rows, counted) if self._up else self._take_down(nodes, rows)

    def lead_on(self, nodes: Collection[int]) -> bool:
        """Whether there are edges at columns, beside those of their rows."""
        return bool(self._hops([*nodes], up=self._up))

    def shown(self, fields: Collection[int]) -> dict[int, int]:
        """Under which field each is shown: its own, or the one of the dataset that an alias stands for."""
        if self._aliases is None:
            return {field: field for field in fields}
        self._aliases.learn(fields)
        shown = {field: self._aliases.shown(field) for field in fields}
        self._aliases.learn(set(shown.values()))
        return shown

    def rows_read_by(self, columns: Iterable[int]) -> set[int]:
        """The rows that columns are in."""
        rows = {column & ~FIELD_NUMBERS for column in columns}
        return rows if self._aliases is None else {self._aliases.shown(node) for node in rows}

    def rows_around(self, column: int) -> set[int]:
        """The rows that lead to a column: those that it is in, under any name that the dataset had in the span."""
        rows = self.rows_read_by([column])
        if self._aliases is not None:
            dataset = dataset_of(column)
            rows |= {rows_of(name) for name in (dataset, *self._aliases.other_names(dataset))}
        return rows

    def columns_of(self, datasets: Collection[int], *, all_fields: bool = False) -> dict[int, list[int]]:
        """The columns of datasets: those that schemas listed and those written; or all that were ever seen."""
        new = [dataset for dataset in datasets if dataset not in self._columns]
        if new:
            fields = self._every(new) if all_fields else self._present(new)
            structs: set[int] = set()
            if self._features.kin:
                # A struct is there by its fields.
                there = {field for _, field in fields}
                structs = {outer for outer, inner in kin_pairs(self._session, there, Kin.INSIDE) if inner in there}
            columns: dict[int, list[int]] = {dataset: [] for dataset in new}
            for dataset, field in fields:
                if field not in structs:
                    columns[dataset].append(field)
            if all_fields:
                return columns
            self._columns |= columns
        return {dataset: self._columns[dataset] for dataset in datasets}

    def not_yet(self, dataset: int) -> bool:
        """Whether nobody had heard of a dataset in the span."""
        return bool(not_yet(self._session, [dataset], self._span))

    def _every(self, datasets: Collection[int]) -> list[tuple[int, int]]:
        """All columns that were ever seen in datasets by the end of the span."""
        later = seen_later(self._session, datasets, max(self._span.until, self._session.now))
        return [(dataset, field) for dataset, field in field_keys(self._session, datasets) if field not in later]

    def _present(self, datasets: Collection[int]) -> list[tuple[int, int]]:
        """The columns that datasets had in the span, each with its dataset; of a struct also what is in it."""
        written = written_columns(self._session, self._span, datasets)
        columns = {(dataset, field) for dataset, field in written if field != rows_of(dataset)}
        for dataset, fields in listed(self._session, datasets, self._span).items():
            columns |= {(dataset, field) for field in fields}
        return sorted(columns)

    def _take_up(self, nodes: Collection[int], rows: Collection[int], counted: Collection[int]) -> Taken:
        read = {*self.rows_read_by(nodes), *rows} - self._rows_read if self._rows else set()
        self._rows_read |= read
        hops = [*self._hops([*nodes, *sorted(read)], up=True), *self._rows_on(counted)]
        if not self._rows:
            hops = [hop for hop in hops if hop[0] & FIELD_NUMBERS]
        if self._aliases is not None:
            shown = self.shown({hop[0] for hop in hops})
            hops = [(shown[hop[0]], *hop[1:]) for hop in hops]
        reached = {hop[0] for hop in hops}
        beyond = {field for field in reached if not field & FIELD_NUMBERS}
        return Taken(hops, reached - beyond, beyond)

    def _take_down(self, nodes: Collection[int], rows: Collection[int]) -> Taken:
        hops = self._hops([*nodes, *sorted(rows)], up=False)
        if not self._rows:
            hops = [hop for hop in hops if hop[1] & FIELD_NUMBERS]
        if self._aliases is not None:
            shown = self.shown({hop[1] for hop in hops})
            hops = [(hop[0], shown[hop[1]], *hop[2:]) for hop in hops]
        reached = {hop[1] for hop in hops if hop[_STEP] != ROWS_ON_STEP}
        whole = {field for field in reached if not field & FIELD_NUMBERS}
        if whole:
            reached -= whole
            datasets = set(map(dataset_of, whole))
            if self._aliases is not None:
                datasets |= {other for dataset in datasets for other in self._aliases.other_names(dataset)}
            columns = [field for fields in self.columns_of(datasets).values() for field in fields]
            reached.update(self.shown(columns).values())
        # Columns that depend on how many rows there are have edges that say so.
        return Taken(hops, reached, whole | {hop[1] for hop in hops if hop[_STEP] == ROWS_ON_STEP})

    def _rows_on(self, rows: Collection[int]) -> list[Hop]:
        """The hops up from rows that are counted to those that there are as many of."""
        if not rows or self._direct:
            return []
        hops = self._edges.rows_on(rows, () if self._aliases is None else self._aliases.matches(rows, up=True))
        return self._without_named_rows([*hops, *self._former.renamed(hops)], up=True)

    def _hops(self, nodes: Collection[int], *, up: bool) -> list[Hop]:
        if self._aliases is not None:
            self._aliases.learn_datasets({dataset_of(node) for node in nodes})
        matches = () if self._aliases is None else self._aliases.matches(nodes, up=up)
        direct = self._direct and up is self._up
        if self._ahead and up is self._up:
            hops = self._read_ahead(nodes)
        else:
            hops = self._edges.hops(nodes, matches, up=up, direct=direct)
        if self._features.renames:
            hops = [*hops, *(self._former.renamed(hops) if up else self._by_former_names(nodes, direct=direct))]
        if self._renames:
            # Under its other name it is the same column.
            hops = [hop for hop in hops if hop[_STEP] not in self._renames]
        if self._features.kin:
            hops = self._by_case(hops, up=up)
        return self._without_named_rows(hops, up=up)

    def _read_ahead(self, nodes: Collection[int]) -> list[Hop]:
        """The edges at nodes, which are asked for together with those beyond, as long as there are few."""
        new = {node for node in nodes if node not in self._known}
        known = [hop for node in nodes if node not in new for hop in self._known[node]]
        if len(new) > min(_FEW, self._ahead):
            return known + self._edges.hops(new, up=self._up, direct=self._direct)
        read = self._edges.hops_ahead(new, self._ahead, up=self._up, direct=self._direct, rows=self._rows)
        if new and not read:
            self._ahead = 0
            return known + self._edges.hops(new, up=self._up, direct=self._direct)
        self._known |= read
        return known + [hop for node in new for hop in read[node]]

    def _by_former_names(self, nodes: Collection[int], *, direct: bool) -> list[Hop]:
        """The edges down from columns under former names, as far as those were read when they were these columns."""
        matches, names = self._former.matches(nodes)
        if not matches:
            return []
        columns = {match for _, match, _ in matches}
        hops = self._edges.hops(columns, matches, up=False, direct=direct)
        return [hop for hop, _ in self._former.read_then(names, hops, lambda hop: dataset_of(hop[_MATCH]), slot_of)]

    def _without_named_rows(self, hops: list[Hop], *, up: bool) -> list[Hop]:
        """Leave out rows that lead to themselves, and those of a dataset whose columns stand under another name."""
        of_rows = [hop for hop in hops if not hop[0] & FIELD_NUMBERS]
        if not of_rows:
            return hops
        others = [hop for hop in hops if hop[0] & FIELD_NUMBERS]
        # What a mapping says of rows holds; the others are read as tables, as far as known.
        said = [hop for hop in of_rows if hop[_STEP] != ROWS_STEP]
        counting = [hop for hop in of_rows if hop[_STEP] == ROWS_STEP]
        if self._aliases is not None and counting:
            counting = not_named_otherwise(
                self._session,
                self._aliases,
                counting,
                lambda hop: (hop[_MAPPING], dataset_of(hop[0] if up else hop[_MATCH])),
            )
        rows = self.shown({end & ~FIELD_NUMBERS for hop in of_rows for end in hop[:2]})
        return others + [hop for hop in (*said, *counting) if rows[hop[0]] != rows[hop[1] & ~FIELD_NUMBERS]]

    def _by_case(self, hops: list[Hop], *, up: bool) -> list[Hop]:
        if up:
            return only_match_without_case(self._session, hops)
        alike = {hop[_MATCH] for hop in hops if hop[_HOW] == _ALIKE}
        if not alike:
            return hops
        # What reads a column by another case reads this one, if from there the way up leads here.
        leads = {(hop[1], hop[_MATCH]) for hop in self._hops(alike, up=True) if hop[_HOW] == _ALIKE}
        return [hop for hop in hops if hop[_HOW] != _ALIKE or (hop[_MATCH], hop[0]) in leads]


def only_match_without_case(session: Session, hops: list[Hop]) -> list[Hop]:
    """Of hops up, leave out matches that differ in case, unless a mapping has no other and they are one (rule 11)."""
    weak: dict[tuple[int, int], set[int]] = defaultdict(set)
    for hop in hops:
        if hop[_HOW] == _ALIKE:
            weak[hop[1], hop[_MAPPING]].add(hop[_MATCH])
    if not weak:
        return hops
    for hop in hops:
        if hop[_HOW] != _ALIKE:
            weak.pop((hop[1], hop[_MAPPING]), None)
    several = {field for fields in weak.values() if len(fields) > 1 for field in fields}
    rivals = set(kin_pairs(session, several, Kin.ALIKE))
    good = {key for key, fields in weak.items() if rivals.isdisjoint(product(fields, fields))}
    return [hop for hop in hops if hop[_HOW] != _ALIKE or (hop[1], hop[_MAPPING]) in good]


def without_wider_renames(hops: Iterable[Hop], *, up: bool) -> list[Hop]:
    """A column is renamed from the one of its own path; structs around or inside stand in only where there is none."""
    hops = list(hops)
    node = 1 if up else 0
    exact = {(hop[node], hop[_MAPPING]) for hop in hops if hop[_STEP] == RENAME_STEP and hop[_HOW] == _EXACT}
    return [
        hop
        for hop in hops
        if hop[_STEP] != RENAME_STEP or hop[_HOW] == _EXACT or (hop[node], hop[_MAPPING]) not in exact
    ]
