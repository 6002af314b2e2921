"""Answers: the columns, or the tables and jobs, that a question found, and the edges between them."""

from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import lru_cache
from typing import ClassVar

from headwater.common.masking import Masking, read_masking
from headwater.notebook.html import column_page, table_page
from headwater.notebook.rows import EDGE_COLUMNS, TABLE_COLUMNS, Tabular, edge_rows, table_rows


class Direction(Enum):
    """Which way a question goes."""

    UPSTREAM = "upstream"
    DOWNSTREAM = "downstream"


class Kind(IntEnum):
    """How close a column is to another, the closest first."""

    IDENTITY = 0
    TRANSFORMATION = 1
    AGGREGATION = 2
    INDIRECT = 3


@dataclass(frozen=True, slots=True)
class Moment:
    """When a question looks at the store: the last moment there is, one moment, a window, or a version.

    `since` and `until` are equal for one moment, in microseconds UTC; both None is now. `version` is the UUID of the
    version whose provenance is asked for; the times are then that version's. `ahead`: it lies after the day of the
    answer, which is what is known now. `next_us`: of a question about now, when the first event about what was asked
    happens that lies ahead of the clock; it does not count yet.
    """

    since: int | None = None
    until: int | None = None
    version: str | None = None
    ahead: bool = False
    next_us: int | None = None

    @staticmethod
    def at(us: int | None) -> "Moment":
        """One moment; None is now."""
        return Moment(us, us)


@dataclass(frozen=True, slots=True, order=True)
class TableName:
    """A dataset or a job by its full name."""

    namespace: str
    name: str

    @property
    def full(self) -> str:
        """The name that always works."""
        return f"{self.namespace}/{self.name}"


@dataclass(frozen=True, slots=True, order=True)
class FieldName:
    """A column by its full name; `field` is None for the rows of the dataset, which all its columns read.

    `version` is set in the provenance of a version only: the same column of two versions is then two nodes.
    """

    namespace: str
    name: str
    field: str | None
    version: str | None = None

    @property
    def rows(self) -> "FieldName":
        """The rows that this column is in."""
        return FieldName(self.namespace, self.name, None, self.version)

    @property
    def table(self) -> TableName:
        """The dataset."""
        return _table_of(self.namespace, self.name)


# Each of the thousands of columns of an answer is asked for its dataset.
_table_of = lru_cache(maxsize=10_000)(TableName)


def place_of_field(name: FieldName) -> tuple[str, str, str]:
    """Where a field stands among others; the rows of a dataset come before its columns."""
    return name.namespace, name.name, name.field or ""


@dataclass(frozen=True, slots=True)
class Transformation:
    """What happens on an edge, in OpenLineage's words.

    `effect` says what it does to the masking of the value: how it masks (irreversible, keyed, partial, unknown), or
    that it undoes a keyed masking (unmask) or may do so (may-unmask). It is empty where it does neither.
    """

    type: str
    subtype: str
    masking: bool
    description: str
    effect: str = ""

    @property
    def kind(self) -> Kind:
        """Its class."""
        return kind_of(self.type, self.subtype)

    @property
    def masks(self) -> Masking:
        """What it does to the masking of the value."""
        return read_masking(self.effect, masks=self.masking)


@lru_cache(maxsize=1_000)  # there are few, and each edge is asked for its own
def kind_of(type_: str, subtype: str) -> Kind:
    """The class of a transformation; an unknown way of passing a value on is one, since a copy would be a promise."""
    if type_ == "INDIRECT":
        return Kind.INDIRECT
    return Kind.__members__.get(subtype, Kind.TRANSFORMATION)


def place_of(step: Transformation) -> tuple[Kind, str, bool, str, str]:
    """Where a transformation stands among those of one edge."""
    return step.kind, step.subtype, step.masking, step.description, step.effect


@dataclass(frozen=True, slots=True)
class Edge:
    """From the column that is read to the one that is written, with the job that does it and its last run.

    `job` and `run` are None for what an event about the dataset itself declares. `carried`: the last run said nothing
    of columns, and what the job said before still holds. `assumed`: which version was read is known by time only.
    """

    origin: FieldName
    destination: FieldName
    transformations: tuple[Transformation, ...]
    job: TableName | None
    run: str | None
    carried: bool = False
    assumed: bool = False

    @property
    def dataset_level(self) -> bool:
        """Whether the origin decides on the rows of the destination's dataset, and so reaches all its columns."""
        return self.destination.field is None


@dataclass(frozen=True, slots=True)
class Node:
    """A column of the answer, with what holds over all paths to it.

    `distance` is the fewest hops, `kind` the most direct class, `masked` is true only if every path is masked.
    """

    field: FieldName
    type: str
    distance: int
    kind: Kind
    masked: bool


@dataclass(frozen=True, slots=True, order=True)
class Owner:
    """An owner and its role, as the facet names them."""

    name: str
    type: str


class Why(Enum):
    """Why something is not known.

    Attributes:
        NO_COLUMNS: the job says what it reads and writes, and nothing about columns there.
        TABLE_ONLY: it has lineage of columns, which names none of what it reads here.
        LEFT_OUT: its lineage of columns leaves out columns of what it writes, which may be made of anything.
        AFTER_UNKNOWN: its columns are known, and what they come from is not.
        READS_ONLY: the job writes nothing that is recorded.
        OPAQUE: a value goes through a step that nobody can look into.
        CARRIED: its last run says nothing about columns, and what it said before is taken to hold.
        ASSUMED: which version was read is taken from the time.
    """

    NO_COLUMNS = "NO_COLUMNS"
    TABLE_ONLY = "TABLE_ONLY"
    LEFT_OUT = "LEFT_OUT"
    AFTER_UNKNOWN = "AFTER_UNKNOWN"
    READS_ONLY = "READS_ONLY"
    OPAQUE = "OPAQUE"
    CARRIED = "CARRIED"
    ASSUMED = "ASSUMED"

    @property
    def may_reach(self) -> bool:
        """Whether the answer may lack a dataset: its nodes and edges do not show all that there may be."""
        return self in {Why.NO_COLUMNS, Why.TABLE_ONLY, Why.LEFT_OUT, Why.AFTER_UNKNOWN}


@dataclass(frozen=True, slots=True)
class Unknown:
    """Something that an answer does not know: a job, what it writes, and what it reads.

    Attributes:
        why: what is not known about it.
        dataset: what the job writes; None for one that only reads.
        job: who writes it; None for what an event about the dataset itself declares.
        reads: what the job reads, of that which the answer is about or which is unknown itself.
        distance: the fewest hops from what was asked about to the far side: what is written, or upstream what is read.
        owners: those of the dataset and those of the job, where the question asks for owners.
        columns: the columns of the dataset that are meant, where nothing is unknown of the others; empty for all.
    """

    why: Why
    dataset: TableName | None
    job: TableName | None
    reads: tuple[TableName, ...]
    distance: int
    owners: tuple[Owner, ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    """When the column that was asked about was dropped, and by whom as far as is known.

    The answer then shows what the column was made from just before; or what was made from it, then and since.
    """

    us: int
    job: TableName | None
    run: str | None


@dataclass(frozen=True, slots=True)
class Answer(Tabular):
    """What a question about a column found; nodes by distance and name, the column asked about first.

    `partial`: a limit was reached, and these are the first nodes in order of distance and name. `provisional`: the
    version asked for is of a run that has not completed, or failed. `unknown`: what may be missing, or is not certain.
    `dropped` is set where the column is no longer there.
    """

    COLUMNS: ClassVar[tuple[str, ...]] = EDGE_COLUMNS

    direction: Direction
    root: FieldName
    moment: Moment
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    partial: bool = False
    provisional: bool = False
    unknown: tuple[Unknown, ...] = ()
    dropped: Dropped | None = None

    def rows(self) -> list[dict[str, object]]:
        """One row for each way in which a column goes into another."""
        return edge_rows(self)

    def _repr_html_(self) -> str:
        return column_page(self)


class TableKind(Enum):
    """What a node of a table answer is."""

    DATASET = "DATASET"
    JOB = "JOB"


@dataclass(frozen=True, slots=True)
class TableNode:
    """A dataset or a job, and the fewest hops to it."""

    kind: TableKind
    name: TableName
    distance: int


@dataclass(frozen=True, slots=True)
class TableEdge:
    """A job reads a dataset or writes it: data flows from origin to destination. `run` is the job's last run then."""

    origin: tuple[TableKind, TableName]
    destination: tuple[TableKind, TableName]
    run: str | None


@dataclass(frozen=True, slots=True)
class TableAnswer(Tabular):
    """What a question about a dataset or a job found; nodes by distance and name, the one asked about first."""

    COLUMNS: ClassVar[tuple[str, ...]] = TABLE_COLUMNS

    direction: Direction
    root: TableName
    moment: Moment
    nodes: tuple[TableNode, ...]
    edges: tuple[TableEdge, ...]
    partial: bool = False

    def rows(self) -> list[dict[str, object]]:
        """One row for each job that reads or writes a dataset."""
        return table_rows(self.edges)

    def _repr_html_(self) -> str:
        return table_page(self)
