"""The roots of a column: the source columns at the start of all paths to it, without what is in between.

A path starts where nothing is known to write the dataset, where a job writes the column from no other, or where nobody
says what it is written from; the answer tells these apart.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from headwater.common.groups import lists_by_key
from headwater.notebook.rows import Tabular
from headwater.query.graph.aliases import Aliases
from headwater.query.graph.answer import (
    Answer,
    Direction,
    Dropped,
    FieldName,
    Kind,
    Moment,
    Node,
    TableName,
    Unknown,
    Why,
    place_of_field,
)
from headwater.query.graph.conditions import conditions_of
from headwater.query.graph.intervals import span_of
from headwater.query.graph.labels import tables
from headwater.query.lineage.ask import start_of
from headwater.query.lineage.traversal import Walk, traverse_to_ends
from headwater.query.lineage.unknown import unknown_of
from headwater.query.lineage.unknown_columns import Columns
from headwater.query.questions import RootsOf
from headwater.store.db.session import Session
from headwater.store.reads.edges import store_features
from headwater.store.reads.names import names_met
from headwater.store.reads.slots import Writer, inputs_by_id, writers


class RootKind(Enum):
    """Why a path starts at a column."""

    SOURCE = "source"
    """Nothing is known to write its dataset."""
    CONSTANT = "constant"
    """Jobs write it, and name no column that they write it from: a constant, or a value that they generate."""
    UNKNOWN = "unknown"
    """A job writes its dataset, and does not say from which columns."""
    CUT = "cut"
    """The depth, the namespaces or the limit of the question end the walk here; there may be more behind it."""


@dataclass(frozen=True, slots=True)
class Root:
    """A column at the start of a path, with what holds over all paths from it.

    Attributes:
        node: the column: its distance, its most direct class, and whether it is masked on every path.
        root: why the path starts here.
        conditions: what it decides, where no value of it arrives: FILTER, JOIN, GROUP_BY, …
        jobs: the jobs that write its dataset.
    """

    node: Node
    root: RootKind
    conditions: tuple[str, ...] = ()
    jobs: tuple[TableName, ...] = ()


@dataclass(frozen=True, slots=True)
class SilentWriter:
    """A job on the way that writes a dataset and does not say which columns from which: all that it reads may count.

    `job` is None for what an event about the dataset itself declares.
    """

    dataset: TableName
    job: TableName | None
    reads: tuple[TableName, ...]
    distance: int


@dataclass(frozen=True, slots=True)
class Roots(Tabular):
    """The roots of a column, or of all columns of a dataset where `column` has no field; those with values first.

    `unknown` are jobs on the way that may add roots which nobody names. `doubts` are inputs of which jobs on the way
    name no column, which may add roots too, and what is shown and not certain. `partial`: a limit was reached.
    """

    COLUMNS: ClassVar[tuple[str, ...]] = (
        *("namespace", "name", "field", "type", "distance", "class", "conditions", "masked", "root", "jobs"),
    )

    column: FieldName
    moment: Moment
    roots: tuple[Root, ...]
    unknown: tuple[SilentWriter, ...]
    partial: bool = False
    doubts: tuple[Unknown, ...] = ()
    dropped: Dropped | None = None

    @property
    def complete(self) -> bool:
        """Whether these are all the roots there are."""
        stopped = any(root.root in {RootKind.UNKNOWN, RootKind.CUT} for root in self.roots)
        return not (stopped or self.unknown or self.partial or any(doubt.why.may_reach for doubt in self.doubts))

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, one for each root; then one for each job that does not say what it reads, without a field."""
        return [*map(_row, self.roots), *(_unknown_row(writer) for writer in self.unknown)]


def roots(asked: RootsOf, session: Session) -> Roots:
    """The source columns of a column, or of all columns of a dataset."""
    walk = Walk.of(asked, Direction.UPSTREAM, asked.moment)
    start = start_of(session, asked.dataset, asked.column, walk)
    walk = start.walk
    answer, stopped = traverse_to_ends(session, start.dataset, start.column, walk)
    nodes = (*answer.nodes, *rows_read(answer))
    distances: dict[TableName, int] = {}
    for node in nodes:
        distances[node.field.table] = min(node.distance, distances.get(node.field.table, node.distance))
    written = _Written(session, walk, distances)
    doubts = _doubts(session, answer, walk)
    left_out = Columns(
        FieldName(name.namespace, name.name, path)
        for entry in doubts
        if (name := entry.dataset) is not None
        for path in entry.columns
    )
    found = [
        Root(node, RootKind.UNKNOWN if left_out.touch(node.field) else kind, conditions, written.jobs(node.field.table))
        for node, kind, conditions in _starts(nodes, answer, stopped, written.kinds)
    ]
    found.sort(key=_place)
    return Roots(answer.root, answer.moment, tuple(found), written.silent(), answer.partial, doubts, start.dropped)


def _doubts(session: Session, answer: Answer, walk: Walk) -> tuple[Unknown, ...]:
    """What is not known but for the jobs that name no columns at all, and what lies behind those."""
    listed = {Why.NO_COLUMNS, Why.AFTER_UNKNOWN}
    return tuple(entry for entry in unknown_of(session, answer, walk).found if entry.why not in listed)


def rows_read(answer: Answer) -> list[Node]:
    """The rows of datasets that others read without any of their columns, as one that counts them does."""
    distances: dict[FieldName, int] = {}
    for node in answer.nodes:
        for name in (node.field, node.field.rows):
            distances[name] = min(node.distance, distances.get(name, node.distance))
    found: dict[FieldName, int] = {}
    for edge in answer.edges:
        if edge.origin.field is None:
            distance = distances.get(edge.destination, 0) + 1
            found[edge.origin] = min(distance, found.get(edge.origin, distance))
    return [Node(name, "", distance, Kind.INDIRECT, masked=False) for name, distance in found.items()]


def _starts(
    nodes: Iterable[Node], answer: Answer, stopped: Collection[FieldName], kinds: Mapping[TableName, RootKind]
) -> Iterable[tuple[Node, RootKind, tuple[str, ...]]]:
    """The columns that nothing is written into, and those at which the walk was stopped; pure."""
    written = {edge.destination for edge in answer.edges}
    conditions = conditions_of(answer) | {node.field: ("ROWS",) for node in nodes if node.field.field is None}
    for node in nodes:
        name = node.field
        if name in stopped:
            yield node, RootKind.CUT, conditions.get(name, ())
        elif name not in written:
            yield node, kinds[name.table], conditions.get(name, ())


class _Written:
    """Who writes the datasets on the way, under any of their names."""

    def __init__(self, session: Session, walk: Walk, distances: Mapping[TableName, int]) -> None:
        self._session = session
        self._distances = distances
        span = span_of(session, walk.moment, contents=walk.contents)
        aliases = Aliases(session, span, exist=store_features(session).aliases)
        keys = {TableName(*name): key for key, *name in names_met(session, "dataset", map(_pair, distances))}
        aliases.learn_datasets(keys.values())
        shown = lists_by_key(
            (key, name) for name, dataset in keys.items() for key in (dataset, *aliases.other_names(dataset))
        )
        self._by_table = lists_by_key(
            (name, writer) for writer in writers(session, span, shown) for name in shown[writer.dataset]
        )
        jobs = {writer.job for listed in self._by_table.values() for writer in listed} - {0}
        self._jobs = tables(session, "job", jobs)

    @property
    def kinds(self) -> dict[TableName, RootKind]:
        """Why a path starts at a column of each dataset that nothing is written into."""
        return {name: _kind(self._by_table.get(name, ())) for name in self._distances}

    def jobs(self, name: TableName) -> tuple[TableName, ...]:
        """The jobs that write a dataset."""
        return tuple(sorted({self._jobs[writer.job] for writer in self._by_table.get(name, ()) if writer.job}))

    def silent(self) -> tuple[SilentWriter, ...]:
        """Those that do not say which columns they write from which, the nearest first."""
        silent = {
            (name, writer.job, writer.inputs)
            for name, listed in self._by_table.items()
            for writer in listed
            if writer.silent
        }
        read = inputs_by_id(self._session, {inputs for *_, inputs in silent if inputs is not None})
        names = tables(self._session, "dataset", {key for keys in read.values() for key in keys})
        by_job = lists_by_key(
            ((name, self._jobs.get(job)), read.get(inputs or 0, set())) for name, job, inputs in silent
        )
        listed = [
            SilentWriter(
                name, job, tuple(sorted({names[key] for part in parts for key in part})), self._distances[name]
            )
            for (name, job), parts in by_job.items()
        ]
        return tuple(
            sorted(
                listed, key=lambda item: (item.distance, item.dataset, item.job is not None, item.job or item.dataset)
            )
        )


def _kind(listed: Iterable[Writer]) -> RootKind:
    silences = [writer.silent for writer in listed]
    if not silences:
        return RootKind.SOURCE
    return RootKind.UNKNOWN if any(silences) else RootKind.CONSTANT


def _pair(name: TableName) -> tuple[str, str]:
    return name.namespace, name.name


def _place(root: Root) -> tuple[bool, int, tuple[str, str, str]]:
    return root.node.kind is Kind.INDIRECT, root.node.distance, place_of_field(root.node.field)


def _row(root: Root) -> dict[str, object]:
    node = root.node
    return {
        "namespace": node.field.namespace,
        "name": node.field.name,
        "field": node.field.field,
        "type": node.type,
        "distance": node.distance,
        "class": node.kind.name,
        "conditions": " ".join(root.conditions),
        "masked": node.masked,
        "root": root.root.value,
        "jobs": " ".join(job.full for job in root.jobs),
    }


def _unknown_row(writer: SilentWriter) -> dict[str, object]:
    return {
        "namespace": writer.dataset.namespace,
        "name": writer.dataset.name,
        "field": None,
        "type": "",
        "distance": writer.distance,
        "class": "UNKNOWN",
        "conditions": "",
        "masked": False,
        "root": RootKind.UNKNOWN.value,
        "jobs": writer.job.full if writer.job else "",
    }
