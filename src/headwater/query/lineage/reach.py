"""What an impact lists: columns that are reached, by dataset and by job, and how many."""

from dataclasses import dataclass

from headwater.query.graph.answer import Edge, Node, TableName
from headwater.query.metadata.owners import Owner


@dataclass(frozen=True, slots=True)
class ReachedColumn:
    """A column that is reached, and the shortest way to it: edges from the column asked about.

    An edge into the rows of a dataset reaches all its columns.
    """

    node: Node
    path: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class ReachedDataset:
    """A dataset, with its columns that are reached, nearest first, and the jobs that write them."""

    name: TableName
    owners: tuple[Owner, ...]
    columns: tuple[ReachedColumn, ...]
    jobs: tuple[TableName, ...]


@dataclass(frozen=True, slots=True)
class ReachedJob:
    """A job that reads what is reached or asked about, and the datasets that it writes from it, if any."""

    name: TableName
    owners: tuple[Owner, ...]
    datasets: tuple[TableName, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """How much is reached: columns in all, and how many of them directly, only indirectly, only masked.

    `unknown` are the datasets that may be reached beside that, since jobs say nothing of columns.
    """

    columns: int
    datasets: int
    jobs: int
    direct: int
    indirect: int
    masked: int
    unknown: int = 0
