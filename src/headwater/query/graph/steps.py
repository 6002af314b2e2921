"""One step up or down from a set of columns, in one statement for the whole set.

Every statement starts from the columns at hand and goes by index from there, so its cost is that of what it finds.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple, TypeAlias

from headwater.query.graph.aliases import Aliases
from headwater.query.graph.answer import Direction
from headwater.query.graph.columns import listed, not_yet
from headwater.query.graph.intervals import Span
from headwater.store.db.codes import FIELD_NUMBERS, NO_LIMIT, RENAME_STEP, Kin
from headwater.store.db.predicates import dataset_of_field, is_rename
from headwater.store.db.session import Given, Row, Session, ids
from headwater.store.entities.keys import dataset_of, rows_of

# As plain numbers: they are compared with every hop.
_EXACT, _ALIKE = int(Kin.ITSELF), int(Kin.ALIKE)
_STEP, _MAPPING, _MATCH, _HOW = 2, 7, 8, 9
_PAIRS = "id int, match int, wide int"

# Each part gives: the edge, who makes it and until when; its mapping, the column that stands for the one at hand, how.
# A limit that is never reached has PostgreSQL find the slots first; else it may read all edges of their mappings.
_UP = """
SELECT edge.in_field, held.id, edge.step, edge.description, held.dataset, held.job, held.until_us,
       held.mapping, held.match, held.how
FROM (
    SELECT given.id, {match} AS match, {how} AS how, slot.dataset, slot.job, slot.until_us, slot.mapping
    FROM {{given}} {kin}
    {{join}} slot ON slot.dataset = {dataset} AND {in_force}
    LIMIT {no_limit}
) held
{{join}} edge ON edge.mapping = held.mapping AND edge.out_field = held.match
"""
_DOWN = """
SELECT given.id, edge.out_field, edge.step, edge.description, slot.dataset, slot.job, slot.until_us,
       slot.mapping, {match}, {how}
FROM {{given}} {kin}
{{join}} edge ON edge.in_field = {match}
{{join}} slot ON slot.mapping = edge.mapping AND {in_force}
"""
_RENAME_UP = """
SELECT old.id, given.id, {renamed}, '', slot.dataset, slot.job, slot.until_us, slot.mapping, {match}, {how}
FROM {{given}} {kin}
{{join}} slot ON slot.dataset = {dataset} AND {in_force}
{{join}} mapping ON mapping.id = slot.mapping AND {is_rename}
{{join}} field ON field.id = {match}
{{join}} field old ON old.dataset = mapping.origin AND old.key = field.key
"""
_RENAME_DOWN = """
SELECT given.id, renamed.id, {renamed}, '', slot.dataset, slot.job, slot.until_us, slot.mapping, {match}, {how}
FROM {{given}} {kin}
{{join}} mapping ON mapping.origin = {dataset}
{{join}} slot ON slot.mapping = mapping.id AND {in_force}
{{join}} field ON field.id = {match}
{{join}} field renamed ON renamed.dataset = slot.dataset AND renamed.key = field.key
"""
_KIN = "{{join}} kin ON kin.field = given.id"
_KIN_OF_NAMES = "{{join}} kin ON kin.field = given.match AND given.wide = 1"
_DIRECT = "{{join}} step ON step.id = edge.step AND step.type <> 'INDIRECT'"
_HAS = """
SELECT CASE WHEN EXISTS (SELECT 1 FROM alias) THEN 1 ELSE 0 END,
       CASE WHEN EXISTS (SELECT 1 FROM mapping WHERE origin IS NOT NULL) THEN 1 ELSE 0 END,
       CASE WHEN EXISTS (SELECT 1 FROM kin) THEN 1 ELSE 0 END,
       CASE WHEN EXISTS (SELECT 1 FROM named) THEN 1 ELSE 0 END
"""
_ALIKE_EACH_OTHER = f"""
SELECT kin.field, kin.other FROM {{given}} {{join}} kin ON kin.field = given.id AND kin.how = {Kin.ALIKE}
"""  # noqa: S608  our own words
_WRITTEN = """
SELECT DISTINCT given.id, edge.out_field FROM {{given}}
{{join}} slot ON slot.dataset = given.id AND {in_force}
{{join}} edge ON edge.mapping = slot.mapping
"""
_FIELDS = "SELECT given.id, field.id FROM {given} {join} field ON field.dataset = given.id"
_INSIDE = f"""
SELECT kin.field, kin.other FROM {{given}} {{join}} kin ON kin.field = given.id AND kin.how = {Kin.INSIDE}
"""  # noqa: S608  our own words


class Has(NamedTuple):
    """What a store has at all; what it has not is not looked for."""

    aliases: bool
    renames: bool
    kin: bool
    named: bool


def what_store_has(session: Session) -> Has:
    """Ask once for each question."""
    (found,) = session.rows(_HAS)
    return Has(*map(bool, found))


# A hop is an edge by keys, as it is shown: origin, destination, step, description; dataset and job of the slot, the end
# of what is in force; mapping, match and how. Tuples, since there are many; either end may be a dataset's rows.
Hop: TypeAlias = Row


class Steps:
    """Steps in one span of the history."""

    def __init__(self, session: Session, span: Span, has: Has, direction: Direction, *, direct: bool) -> None:
        self._session = session
        self._span = span
        self._has = has
        self._up = direction is Direction.UPSTREAM
        self._statements = {up: _statement(span, has, up=up, direct=direct and up is self._up) for up in (True, False)}
        self._aliases = Aliases(session, span) if has.aliases else None
        self._rows_read: set[int] = set()
        self._columns: dict[int, list[int]] = {}

    def take(self, nodes: Collection[int]) -> tuple[list[Hop], set[int]]:
        """The edges at these columns on the side asked for, and the columns beyond them."""
        return self._take_up(nodes) if self._up else self._take_down(nodes)

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
        return rows if self._aliases is None else {self._aliases.shown(found) for found in rows}

    def rows_around(self, column: int) -> set[int]:
        """The rows that lead to a column: those that it is in, under any name that the dataset had in the span."""
        found = self.rows_read_by([column])
        if self._aliases is not None:
            dataset = dataset_of(column)
            found |= {rows_of(name) for name in (dataset, *self._aliases.other_names(dataset))}
        return found

    def columns_of(self, datasets: Collection[int], *, all_fields: bool = False) -> dict[int, list[int]]:
        """The columns of datasets: those that schemas listed and those written; or all that were ever seen."""
        new = [dataset for dataset in datasets if dataset not in self._columns]
        if new:
            rows = self._session.rows(_FIELDS, ids(new)) if all_fields else self._there(new)
            structs: set[int] = set()
            if self._has.kin:
                # A struct is there by its fields.
                there = {field for _, field in rows}
                inside = self._session.rows(_INSIDE, ids(there))
                structs = {outer for outer, inner in inside if inner in there}
            found: dict[int, list[int]] = {dataset: [] for dataset in new}
            for dataset, field in rows:
                if field not in structs:
                    found[dataset].append(field)
            if all_fields:
                return found
            self._columns |= found
        return {dataset: self._columns[dataset] for dataset in datasets}

    def not_yet(self, dataset: int) -> bool:
        """Whether nobody had heard of a dataset in the span."""
        return bool(not_yet(self._session, [dataset], self._span))

    def _there(self, datasets: Collection[int]) -> list[Row]:
        """The columns that datasets had in the span, each with its dataset; of a struct also what is in it."""
        written = self._session.rows(_WRITTEN.format(in_force=self._span.in_force), ids(datasets), **self._span.values)
        found = {row for row in written if row[1] != rows_of(row[0])}
        for dataset, fields in listed(self._session, datasets, self._span).items():
            found |= {(dataset, field) for field in fields}
        return sorted(found)

    def _take_up(self, nodes: Collection[int]) -> tuple[list[Hop], set[int]]:
        rows = self.rows_read_by(nodes) - self._rows_read
        self._rows_read |= rows
        hops = self._rows([*nodes, *sorted(rows)], up=True)
        if self._aliases is not None:
            shown = self.shown({hop[0] for hop in hops})
            hops = [(shown[hop[0]], *hop[1:]) for hop in hops]
        return hops, {hop[0] for hop in hops}

    def _take_down(self, nodes: Collection[int]) -> tuple[list[Hop], set[int]]:
        hops = self._rows(nodes, up=False)
        if self._aliases is not None:
            shown = self.shown({hop[1] for hop in hops})
            hops = [(hop[0], shown[hop[1]], *hop[2:]) for hop in hops]
        reached = {hop[1] for hop in hops}
        whole = {field for field in reached if not field & FIELD_NUMBERS}
        if whole:
            reached -= whole
            datasets = set(map(dataset_of, whole))
            if self._aliases is not None:
                datasets |= {other for dataset in datasets for other in self._aliases.other_names(dataset)}
            columns = [field for some in self.columns_of(datasets).values() for field in some]
            reached.update(self.shown(columns).values())
        return hops, reached

    def _rows(self, nodes: Collection[int], *, up: bool) -> list[Row]:
        given = ids(nodes) if self._aliases is None else Given(_PAIRS, self._aliases.matches(nodes))
        found = self._session.rows(self._statements[up], given, **self._span.values)
        if self._has.kin:
            found = self._by_case(found, up=up)
        if self._has.renames:
            found = without_wider_renames(found, up=up)
        return found

    def _by_case(self, hops: list[Hop], *, up: bool) -> list[Hop]:
        if up:
            return only_match_without_case(self._session, hops)
        alike = {hop[_MATCH] for hop in hops if hop[_HOW] == _ALIKE}
        if not alike:
            return hops
        # What reads a column by another case reads this one, if from there the way up leads here.
        leads = {(hop[1], hop[_MATCH]) for hop in self._rows(alike, up=True) if hop[_HOW] == _ALIKE}
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
    rivals = {(one, other) for one, other in session.rows(_ALIKE_EACH_OTHER, ids(several))} if several else set()
    good = {key for key, some in weak.items() if not any((one, other) in rivals for one in some for other in some)}
    return [hop for hop in hops if hop[_HOW] != _ALIKE or (hop[1], hop[_MAPPING]) in good]


def _statement(span: Span, has: Has, *, up: bool, direct: bool) -> str:
    edges, renames = (_UP, _RENAME_UP) if up else (_DOWN, _RENAME_DOWN)
    node, kin_of = ("given.match", _KIN_OF_NAMES) if has.aliases else ("given.id", _KIN)
    every = {
        "dataset": dataset_of_field(node),
        "in_force": span.in_force,
        "is_rename": is_rename("mapping"),
        "renamed": RENAME_STEP,
        "no_limit": NO_LIMIT,
    }
    exact = {"match": node, "how": Kin.ITSELF, "kin": "", **every}
    kin = {"match": "kin.other", "how": "kin.how", "kin": kin_of.format(), **every}
    ways = [exact, kin] if has.kin else [exact]
    parts = [(edges + (_DIRECT if direct else "")).format(**way) for way in ways]
    if has.renames:
        parts += [renames.format(**way) for way in ways]
    return "UNION ALL".join(parts)


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
