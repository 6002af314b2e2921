"""What jobs read as tables: inputs of which their lineage names no column; and what else leads beyond a dataset.

A job that has no lineage of columns, or one that is empty, may take anything from what it reads. One that lists its
columns, and takes none from an input, depends on how many rows that input has, and maybe on more: it need not be
complete. Only where no column takes anything from anywhere, as after `count(*)`, is the number of rows all there is.
That a column counts the rows of an input of which others take a column is an edge of the mapping, from these rows.
One that leaves out a column of its schema may take anything to that column.
"""

from collections.abc import Collection, Iterable, Sequence
from enum import IntEnum
from typing import NamedTuple

from headwater.common.groups import lists_by_key
from headwater.openlineage.model.event import ColumnLineage
from headwater.store.db.codes import FIELD_BITS, NO_JOB
from headwater.store.db.predicates import dataset_of_field, is_rename
from headwater.store.db.session import Given, Session, ids
from headwater.store.model.meaning import fingerprint
from headwater.store.reads.slots import Span

_EMPTY = fingerprint(ColumnLineage((), ()))
EMPTY_LINEAGE: dict[str, bytes] = {"nothing": _EMPTY.structure, "no_edges": _EMPTY.text}
"""Values of the statements: lineage of no column at all, as of those who know tables only; and that without an edge."""


class Says(IntEnum):
    """What a job says of the columns of an input: nothing at all, none of this one, only rows; or it names some.

    LEFT_OUT is about some columns that the job writes: it does not say what they are made of.
    """

    NOTHING = 0
    NONE_OF_THIS = 1
    ONLY_ROWS = 2
    COLUMNS = 3
    LEFT_OUT = 4


class TableRead(NamedTuple):
    """A job that writes a dataset, or nothing (0), and reads another; `mapping` is its lineage of columns, if any."""

    written: int
    job: int
    read: int
    mapping: int | None
    says: int

    @property
    def leaves_out(self) -> bool:
        """Whether this is about the columns that the lineage leaves out."""
        return self.says == Says.LEFT_OUT


_IS_EMPTY = "(slot.mapping IS NULL OR mapping.structure = :nothing)"
_NAMES = """EXISTS (
    SELECT 1 FROM field {join} edge ON edge.in_field = field.id AND edge.mapping = slot.mapping
    WHERE field.dataset = input.dataset
)"""
# A run lists the inputs of all that it writes: one that another of its outputs names is explained by that.
_NAMES_ELSEWHERE = f"""EXISTS (
    SELECT 1 FROM slot other {{join}} field ON field.dataset = input.dataset
    {{join}} edge ON edge.in_field = field.id AND edge.mapping = other.mapping
    WHERE other.inputs = slot.inputs AND other.job = slot.job AND slot.job <> {NO_JOB}
      AND other.dataset <> slot.dataset AND other.from_us < slot.until_us AND other.until_us > slot.from_us
)"""  # noqa: S608  our own words
IS_UNNAMED = f"(NOT {is_rename('mapping')} AND NOT {_NAMES} AND NOT {_NAMES_ELSEWHERE})"
"""Whether the `mapping` of a `slot` names no column of its `input`, and no other output of the job's run does."""

_SELECT = "SELECT DISTINCT slot.dataset, slot.job, {read}, {mapping}, {says} "
_SAYS = f"""CASE WHEN {_IS_EMPTY} THEN {Says.NOTHING} WHEN mapping.text = :no_edges THEN {Says.ONLY_ROWS}
     ELSE {Says.NONE_OF_THIS} END"""
_WHERE = f"LEFT JOIN mapping ON mapping.id = slot.mapping WHERE {_IS_EMPTY} OR {IS_UNNAMED}\n"
_UP = """FROM {given}
{join} slot ON slot.dataset = given.id AND {in_force}
"""
_INPUTS_UP = f"{_UP}{{join}} input ON input.inputs = slot.inputs\n"
_EDGES_UP = f"{_UP}{{join}} edge ON edge.mapping = slot.mapping\n"
_INPUTS_DOWN = """FROM {given}
{join} input ON input.dataset = given.id
{join} slot ON slot.inputs = input.inputs AND {in_force}
"""
# A run may tell of columns that it does not list the dataset of, and what is declared lists none.
_EDGES_DOWN = """FROM {given}
{join} field ON field.dataset = given.id
{join} edge ON edge.in_field = field.id
{join} slot ON slot.mapping = edge.mapping AND {in_force}
"""
_NAMED = """
SELECT DISTINCT given.mapping, given.dataset FROM {given}
{join} field ON field.dataset = given.dataset
{join} edge ON edge.in_field = field.id AND edge.mapping = given.mapping
"""
# By the index on what edges are from: a mapping that leaves out nothing costs one look.
_LEAVES_OUT = f"""EXISTS (
    SELECT 1 FROM edge left_out
    WHERE left_out.in_field = slot.dataset << {FIELD_BITS} AND left_out.mapping = slot.mapping
)"""  # noqa: S608  our own words
_OF_SOME_COLUMNS = {"mapping": "slot.mapping", "says": int(Says.LEFT_OUT)}
_LEFT_OUT = f"""
SELECT mapping.id, edge.out_field FROM {{given}}
{{join}} mapping ON mapping.id = given.id
{{join}} edge ON edge.in_field = mapping.dataset << {FIELD_BITS} AND edge.mapping = mapping.id
"""  # noqa: S608  our own words
# The same for what one write read; a write stands in for the slot that it keeps in force.
_VERSIONS = """FROM {given}
{join} version slot ON slot.dataset = given.dataset AND slot.job = given.job AND slot.stamp = given.stamp
{join} input ON input.inputs = slot.inputs
"""
_OF_VERSIONS = f"""{_SELECT.format(read="input.dataset", mapping="slot.mapping", says=_SAYS)}{_VERSIONS}
LEFT JOIN mapping ON mapping.id = slot.mapping
WHERE {_IS_EMPTY} OR (NOT {is_rename("mapping")} AND NOT {_NAMES})
UNION ALL {_SELECT.format(read="input.dataset", **_OF_SOME_COLUMNS)}{_VERSIONS}WHERE {_LEAVES_OUT}"""


def tables_read_by(session: Session, versions: Sequence[tuple[int, int, bytes]]) -> list[TableRead]:
    """What versions (dataset, job, stamp) read as tables."""
    given = Given("dataset int, job int, stamp bytes", versions)
    return [TableRead(*row) for row in session.rows(_OF_VERSIONS, given, **EMPTY_LINEAGE)]


def table_reads(
    session: Session, span: Span, datasets: Collection[int], *, up: bool, also: Says | None = None
) -> list[TableRead]:
    """What is read as a table for datasets (up), or who reads these as tables.

    `also` COLUMNS: what columns tell; LEFT_OUT: where some columns are left out.
    """
    unnamed = _SELECT.format(read="input.dataset", mapping="slot.mapping", says=_SAYS)
    parts = [unnamed + (_INPUTS_UP if up else _INPUTS_DOWN) + _WHERE]
    ways = {_INPUTS_UP: "input.dataset", _EDGES_UP: dataset_of_field("edge.in_field")}
    if not up:
        ways = dict.fromkeys((_INPUTS_DOWN, _EDGES_DOWN), "given.id")
    if also is Says.LEFT_OUT:
        some = [_SELECT.format(read=read, **_OF_SOME_COLUMNS) + way for way, read in ways.items()]
        parts += [f"{part}WHERE {_LEAVES_OUT}\n" for part in some]
    if also is Says.COLUMNS:
        said = {"mapping": "CAST(NULL AS bigint)", "says": int(Says.COLUMNS)}
        parts += [_SELECT.format(read=read, **said) + way for way, read in ways.items()]
    statement = "UNION ".join(parts).replace("{in_force}", span.in_force)
    rows = session.rows(statement, ids(datasets), **span.values, **EMPTY_LINEAGE)
    return [TableRead(*row) for row in rows]


def left_out_columns(session: Session, mappings: Iterable[int]) -> dict[int, list[int]]:
    """The columns that each of these mappings leaves out."""
    return lists_by_key(session.rows(_LEFT_OUT, ids(mappings)))


def named_by_mappings(session: Session, pairs: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """Of mappings and datasets, those where the mapping names a column of the dataset."""
    return set(session.rows(_NAMED, Given("mapping int, dataset int", pairs)))
