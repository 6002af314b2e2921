"""Edges between columns: what mappings say, in force in a span or of versions.

Every statement starts from the columns at hand and goes by index from there, so its cost is that of what it finds.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeAlias

from headwater.common.masking import Masking
from headwater.store.db.codes import (
    FIELD_BITS,
    FIELD_NUMBERS,
    NO_LIMIT,
    RENAME_STEP,
    ROWS,
    ROWS_ON_STEP,
    ROWS_STEP,
    Kin,
)
from headwater.store.db.predicates import dataset_of_field, has_source, is_of_dataset, is_rename
from headwater.store.db.session import Given, Session, Soon, ids
from headwater.store.model.meaning import LEFT_OUT, RENAMED
from headwater.store.reads.slots import MOST_AHEAD, Span
from headwater.store.reads.table_reads import EMPTY_LINEAGE, IS_UNNAMED

_FEATURES = """
SELECT CASE WHEN EXISTS (SELECT 1 FROM alias) THEN 1 ELSE 0 END,
       CASE WHEN EXISTS (SELECT 1 FROM mapping WHERE origin IS NOT NULL) THEN 1 ELSE 0 END,
       CASE WHEN EXISTS (SELECT 1 FROM kin) THEN 1 ELSE 0 END,
       CASE WHEN EXISTS (SELECT 1 FROM named) THEN 1 ELSE 0 END,
       CASE WHEN EXISTS (SELECT 1 FROM step WHERE step.type = :renamed) THEN 1 ELSE 0 END,
       CASE WHEN EXISTS (SELECT 1 FROM step WHERE step.type = :left_out) THEN 1 ELSE 0 END
"""

# Origin, destination, step, description; dataset, job and end of the slot; mapping, match and how (`Kin`). Tuples,
# since there are many; either end may be a dataset's rows.
Hop: TypeAlias = tuple[int, int, int, str, int, int, int, int, int, int]
# A column, one that is the same under another name, and whether structs around or inside count (1) or not (0).
Match: TypeAlias = tuple[int, int, int]

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
{{join}} edge ON edge.mapping = held.mapping AND edge.out_field = held.match AND {has_source}
"""
_DOWN = """
SELECT given.id, edge.out_field, edge.step, edge.description, slot.dataset, slot.job, slot.until_us,
       slot.mapping, {match}, {how}
FROM {{given}} {kin}
{{join}} edge ON edge.in_field = {match} AND {has_source}
{{join}} slot ON slot.mapping = edge.mapping AND {in_force}
"""
# The same for columns, their rows, and all that lies beyond, the nearest first. So a walk need not ask for each level.
# A row whose step is none tells that a node was looked at. PostgreSQL stops at the limit; SQLite would find all first.
_AHEAD = """
WITH RECURSIVE reached(id) AS (
    SELECT given.id FROM {{given}}
    UNION
    SELECT {far} FROM reached {way}
), around(id) AS (SELECT reached.id FROM reached LIMIT :most)
SELECT around.id, around.id, {looked}, '', 0, 0, 0, 0, 0, 0 FROM around
UNION ALL {hops}
LIMIT :rows
"""
_AHEAD_UP = """
{{join}} slot ON slot.dataset = {dataset} AND {in_force}
{{join}} edge ON edge.mapping = slot.mapping AND edge.out_field = reached.id AND {has_source}
"""
_AHEAD_DOWN = """
{{join}} edge ON edge.in_field = reached.id AND {has_source}
{{join}} slot ON slot.mapping = edge.mapping AND {in_force}
"""
# Upwards, each column is read together with its rows.
_AND_ROWS = f"{{{{join}}}} (SELECT 0 AS bits UNION ALL SELECT {FIELD_NUMBERS}) part ON 1 = 1"
_LOOKED = -9
# From rows to rows, where a job reads a dataset and names no column of it: it counts them, at least.
_COUNTING = f"""
SELECT {{origin}}, {{destination}}, {ROWS_STEP}, '', slot.dataset, slot.job, slot.until_us, slot.mapping,
       {{match}}, {{how}}
FROM {{{{given}}}} {{ways}}
{{{{join}}}} mapping ON mapping.id = slot.mapping
WHERE given.id & {FIELD_NUMBERS} = {ROWS} AND mapping.structure <> :nothing AND {{unnamed}}
"""  # noqa: S608  our own words
_COUNTED_UP = {
    "origin": f"input.dataset << {FIELD_BITS}",
    "destination": "given.id",
    "ways": "{{join}} slot ON slot.dataset = {dataset} AND {in_force} {{join}} input ON input.inputs = slot.inputs",
}
_COUNTED_DOWN = {
    "origin": "given.id",
    "destination": f"slot.dataset << {FIELD_BITS}",
    "ways": "{{join}} input ON input.dataset = {dataset} {{join}} slot ON slot.inputs = input.inputs AND {in_force}",
}
# From rows to rows, where columns lead from one dataset to the other, and none decides about rows.
_ROWS_ON = f"""
SELECT DISTINCT {{origin}}, {{destination}}, {ROWS_ON_STEP}, '', slot.dataset, slot.job, slot.until_us, slot.mapping,
       {{match}}, {{how}}
FROM {{{{given}}}} {{ways}}
WHERE given.id & {FIELD_NUMBERS} = {ROWS} AND {dataset_of_field("edge.in_field")} <> slot.dataset AND NOT EXISTS (
    SELECT 1 FROM edge deciding WHERE deciding.mapping = slot.mapping
    AND deciding.out_field = slot.dataset << {FIELD_BITS}
    AND {dataset_of_field("deciding.in_field")} = {dataset_of_field("edge.in_field")}
)
"""  # noqa: S608  our own words
_ROWS_ON_UP = {
    "origin": f"({dataset_of_field('edge.in_field')}) << {FIELD_BITS}",
    "destination": "given.id",
    "ways": "{{join}} slot ON slot.dataset = {dataset} AND {in_force} {{join}} edge ON edge.mapping = slot.mapping",
}
_ROWS_ON_DOWN = {
    "origin": "given.id",
    "destination": f"slot.dataset << {FIELD_BITS}",
    "ways": "{{join}} edge ON {of_dataset} {{join}} slot ON slot.mapping = edge.mapping AND {in_force}",
}
# The same upwards, where the mapping is known.
_ROWS_ON_OF_MAPPING = f"""
SELECT DISTINCT ({dataset_of_field("edge.in_field")}) << {FIELD_BITS}, given.id, {ROWS_ON_STEP}, '', 0, 0, 0,
       given.mapping, given.match, {int(Kin.ITSELF)}
FROM {{given}} {{join}} edge ON edge.mapping = given.mapping
WHERE {dataset_of_field("edge.in_field")} <> {dataset_of_field("given.match")} AND NOT EXISTS (
    SELECT 1 FROM edge deciding WHERE deciding.mapping = given.mapping AND deciding.out_field = given.match
    AND {dataset_of_field("deciding.in_field")} = {dataset_of_field("edge.in_field")}
)
"""  # noqa: S608  our own words
_OF_MAPPING = """
SELECT edge.in_field, given.id, edge.step, edge.description, 0, 0, 0, given.mapping, {match}, {how}
FROM {{given}} {kin}
{{join}} edge ON edge.mapping = given.mapping AND edge.out_field = {match} AND {has_source}
"""
_RENAME_OF_MAPPING = """
SELECT old.id, given.id, {renamed}, '', 0, 0, 0, given.mapping, {match}, {how}
FROM {{given}} {kin}
{{join}} mapping ON mapping.id = given.mapping AND {is_rename}
{{join}} field ON field.id = {match}
{{join}} field old ON old.dataset = mapping.origin AND old.key = field.key
"""
_KIN = "{join} kin ON kin.field = given.id"
_KIN_OF_MATCH = "{join} kin ON kin.field = given.match"
_DIRECT = "{{join}} step ON step.id = edge.step AND step.type <> 'INDIRECT'\n"
_WRITTEN_IN_SPAN = f"""
SELECT DISTINCT given.id, edge.out_field FROM {{{{given}}}}
{{{{join}}}} slot ON slot.dataset = given.id AND {{in_force}}
{{{{join}}}} edge ON edge.mapping = slot.mapping AND {has_source("edge")}
"""  # noqa: S608  our own words
_WRITTEN = f"""
SELECT DISTINCT edge.out_field FROM edge
WHERE edge.mapping = :mapping AND edge.out_field <> :rows AND {has_source("edge")}
"""  # noqa: S608  our own words
# A rename takes every field from the one of its name.
_OF_MAPPINGS = """
SELECT edge.mapping, edge.out_field, edge.in_field, edge.step, edge.description FROM {{given}}
{{join}} edge ON edge.mapping = given.id AND {has_source} {into}
UNION ALL
SELECT mapping.id, field.id, old.id, {renamed}, '' FROM {{given}}
{{join}} mapping ON mapping.id = given.id AND {is_rename}
{{join}} field ON {field}
{{join}} field old ON old.dataset = mapping.origin AND old.key = field.key
"""
_OF_ALL = {"into": "", "field": "field.dataset = mapping.dataset"}
_INTO = {"into": "AND edge.out_field = given.field", "field": "field.id = given.field"}
_STEPS = "SELECT step.id, step.type, step.subtype, step.masking FROM {given} {join} step ON step.id = given.id"


class Features(NamedTuple):
    """Whether a store has aliases, renames, fields that stand for each other, versions named by runs, and so on.

    The last two: columns that were renamed, and columns that mappings leave out. Questions skip the joins for those
    that it lacks.
    """

    aliases: bool
    renames: bool
    kin: bool
    named: bool
    renamed_columns: bool
    left_out: bool

    @property
    def other_names(self) -> bool:
        """Whether a column may stand under another name."""
        return self.aliases or self.renamed_columns


def begin_question(session: Session) -> None:
    """Ask what nearly all questions need together with what is asked next."""
    if session.remembered is not None:
        session.look_ahead()
        _look_for_features(session)


def _look_for_features(session: Session) -> Soon:
    return session.once(_FEATURES, renamed=RENAMED, left_out=LEFT_OUT)


def store_features(session: Session) -> Features:
    """The features of a store, in one statement."""
    known: dict[None, Features] = session.memory("features")
    if None not in known:
        (row,) = _look_for_features(session).rows()
        known[None] = Features(*map(bool, row))
    return known[None]


class MappedEdge(NamedTuple):
    """An edge of a mapping."""

    mapping: int
    destination: int
    origin: int
    step: int
    description: str


@dataclass(frozen=True, slots=True)
class EdgesInForce:
    """The edges in force in a span."""

    session: Session
    span: Span
    features: Features

    def hops(
        self, columns: Collection[int], matches: Sequence[Match] = (), *, up: bool, direct: bool = False
    ) -> list[Hop]:
        """The edges at columns, on one side; where columns may have other names, those at their matches.

        Rows lead to the rows of what is read as a table, and of what is written from there, unless `direct`; down also
        to the rows of what their columns lead to.
        """
        counting = not direct and any(not column & FIELD_NUMBERS for column in columns)
        statement = _hop_statement(self.span.in_force, self.features, up=up, direct=direct, counting=counting)
        given = Given("id int, match int, wide int", matches) if self.features.other_names else ids(columns)
        values = {"nothing": EMPTY_LINEAGE["nothing"]} if counting else {}
        return self.session.rows(statement, given, **self.span.values, **values)

    def hops_ahead(
        self, nodes: Collection[int], most: int, *, up: bool, direct: bool, rows: bool
    ) -> dict[int, list[Hop]]:
        """The edges at columns or rows, and at so many of the nodes that lie beyond, for each node.

        Only where columns have no other names. `rows`: also what decides on rows. Of none, where there would be very
        many edges.
        """
        statement = _ahead_statement(self.span.in_force, self.features, up=up, direct=direct, rows=rows)
        values: dict[str, object] = {"nothing": EMPTY_LINEAGE["nothing"]} if rows and not direct else {}
        values |= {"most": most, "rows": MOST_AHEAD, **self.span.values}
        found: list[Hop] = self.session.rows(statement, ids(nodes), **values)
        if len(found) == MOST_AHEAD:
            return {}
        by_node: dict[int, list[Hop]] = {hop[0]: [] for hop in found if hop[2] == _LOOKED}
        for hop in found:
            if hop[2] != _LOOKED:
                by_node[hop[1] if up else hop[0]].append(hop)
        return by_node

    def rows_on(self, rows: Collection[int], matches: Sequence[Match] = ()) -> list[Hop]:
        """Up from the rows of datasets to those of others, where columns lead there."""
        given = Given("id int, match int, wide int", matches) if self.features.other_names else ids(rows)
        statement = _rows_on_statement(self.span.in_force, other_names=self.features.other_names)
        return self.session.rows(statement, given, **self.span.values)


def hops_of_mappings(
    session: Session, features: Features, columns: Sequence[tuple[int, int, int]], *, direct: bool
) -> list[Hop]:
    """The edges up from columns (node, field, mapping), each as its mapping has them; the hops have no slot."""
    return session.rows(_mapping_statement(features, direct=direct), Given("id int, match int, mapping int", columns))


def rows_on_of_mappings(session: Session, rows: Sequence[tuple[int, int, int]]) -> list[Hop]:
    """From the rows of datasets (node, rows, mapping) up to those of others, where columns lead there."""
    return session.rows(_ROWS_ON_OF_MAPPING, Given("id int, match int, mapping int", rows))


def written_columns(session: Session, span: Span, datasets: Collection[int]) -> list[tuple[int, int]]:
    """The columns, or rows, that mappings in force write, each with its dataset."""
    return session.rows(_WRITTEN_IN_SPAN.format(in_force=span.in_force), ids(datasets), **span.values)


def columns_of_mapping(session: Session, mapping: int, rows: int) -> set[int]:
    """The columns that a mapping writes; `rows` is the node of the dataset's rows."""
    return {field for (field,) in session.rows(_WRITTEN, mapping=mapping, rows=rows)}


def edges_of(session: Session, mappings: Iterable[int]) -> list[MappedEdge]:
    """The edges of mappings, and those that a rename stands for."""
    return _mapped(session, _OF_ALL, ids(mappings))


def edges_into(session: Session, columns: Sequence[tuple[int, int]]) -> list[MappedEdge]:
    """The same, only into columns: (mapping, field)."""
    return _mapped(session, _INTO, Given("id int, field int", columns))


def _mapped(session: Session, of: dict[str, str], given: Given) -> list[MappedEdge]:
    known = {"renamed": RENAME_STEP, "is_rename": is_rename("mapping"), "has_source": has_source("edge")}
    statement = _OF_MAPPINGS.format(**of, **known)
    return [MappedEdge(*row) for row in session.rows(statement, given)]


def steps_by_id(session: Session, keys: Iterable[int]) -> dict[int, tuple[str, str, Masking]]:
    """The ways in which values go into others, by key: type, subtype and masking. A new name is a copy."""
    return {
        key: ("DIRECT" if type_ == RENAMED else type_, subtype, Masking(masking))
        for key, type_, subtype, masking in session.rows(_STEPS, ids(keys))
    }


@cache
def _hop_statement(in_force: str, features: Features, *, up: bool, direct: bool, counting: bool) -> str:
    node, kin = ("given.match", f"{_KIN_OF_MATCH} AND given.wide = 1") if features.other_names else ("given.id", _KIN)
    parts = [(_UP if up else _DOWN) + (_DIRECT if direct else "")]
    dataset = dataset_of_field(node)
    values: dict[str, str | int] = {"dataset": dataset, "in_force": in_force, "no_limit": NO_LIMIT}
    statement = _union(features, parts, node, kin, **values)
    if not counting:
        return statement
    ends = {part: text.format(**values) for part, text in (_COUNTED_UP if up else _COUNTED_DOWN).items()}
    counted = _COUNTING.format(**ends, match=node, how=Kin.ITSELF.value, unnamed=IS_UNNAMED)
    if up:
        return f"{statement}UNION ALL{counted}"
    of_dataset = is_of_dataset("edge.in_field", f"({dataset})")
    ends = {part: text.format(**values, of_dataset=of_dataset) for part, text in _ROWS_ON_DOWN.items()}
    on = _ROWS_ON.format(**ends, match=node, how=Kin.ITSELF.value)
    return f"{statement}UNION ALL{counted}UNION ALL{on}"


@cache
def _ahead_statement(in_force: str, features: Features, *, up: bool, direct: bool, rows: bool) -> str:
    hops = _hop_statement(in_force, features, up=up, direct=direct, counting=rows and not direct)
    values = {"dataset": dataset_of_field("reached.id"), "in_force": in_force, "has_source": has_source("edge")}
    way = (_AHEAD_UP if up else _AHEAD_DOWN).format(**values) + (_DIRECT.format() if direct else "")
    far = "edge.in_field" if up else "edge.out_field"
    if not rows:
        way += f"WHERE {far} & {FIELD_NUMBERS} <> {ROWS}"
    elif up:
        way += _AND_ROWS.format()
        far = f"{far} - ({far} & part.bits)"
    return _AHEAD.format(far=far, way=way, looked=_LOOKED, hops=hops.replace("{given}", "around given"))


@cache
def _rows_on_statement(in_force: str, *, other_names: bool) -> str:
    node = "given.match" if other_names else "given.id"
    values = {"dataset": dataset_of_field(node), "in_force": in_force}
    ends = {part: text.format(**values) for part, text in _ROWS_ON_UP.items()}
    return _ROWS_ON.format(**ends, match=node, how=Kin.ITSELF.value)


@cache
def _mapping_statement(features: Features, *, direct: bool) -> str:
    parts = [_OF_MAPPING + (_DIRECT if direct else ""), *([_RENAME_OF_MAPPING] if features.renames else [])]
    return _union(features, parts, "given.match", _KIN_OF_MATCH)


def _union(features: Features, parts: Iterable[str], node: str, kin: str, **values: str | int) -> str:
    """Each part for a column itself, and for its kin where the store has any."""
    ways: list[dict[str, str | int]] = [{"match": node, "how": Kin.ITSELF.value, "kin": ""}]
    if features.kin:
        ways.append({"match": "kin.other", "how": "kin.how", "kin": kin})
    values |= {"is_rename": is_rename("mapping"), "renamed": RENAME_STEP, "has_source": has_source("edge")}
    return "UNION ALL".join(part.format(**way, **values) for part in parts for way in ways)
