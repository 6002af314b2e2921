"""Lineage of tables: which jobs read and write which datasets.

A hop is one edge, as Marquez counts them: from a dataset to the job that writes it, and from there to a dataset that
it reads, are two. Where an event about the dataset itself declares its inputs there is no job between; it is two hops
all the same.

A job that wrote several datasets is followed for those that are on the way only: what it read to write another one
stays out.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from headwater.query.graph.aliases import Aliases
from headwater.query.graph.answer import Direction, TableAnswer, TableEdge, TableKind, TableName, TableNode
from headwater.query.graph.applications import Applications
from headwater.query.graph.former_names import FormerNames, SlotOf
from headwater.query.graph.intervals import span_of
from headwater.query.graph.labels import tables
from headwater.query.lineage.traversal import Fence, Walk, nodes_ahead
from headwater.query.search.resolve import DatasetName, JobName
from headwater.store.db.codes import NOTHING
from headwater.store.db.session import Session
from headwater.store.reads.edges import store_features
from headwater.store.reads.names import Table
from headwater.store.reads.slots import TableUse, uses_ahead, uses_of_datasets, uses_of_jobs
from headwater.store.reads.versions import NEVER, LastWrite, last_versions

_TABLES: dict[TableKind, Table] = {TableKind.DATASET: "dataset", TableKind.JOB: "job"}


# How many datasets a walk reads ahead.
_AHEAD = 100


class Item(NamedTuple):
    """A dataset or a job by its key."""

    kind: TableKind
    key: int


class _Use(NamedTuple):
    """A job writes a dataset, if any, and reads another where one is known; job 0 is a declaration."""

    written: int | None
    job: int
    read: int | None
    slot: tuple[int, int]


def follow_tables(session: Session, root: DatasetName | JobName, walk: Walk, *, collapse: bool) -> TableAnswer:
    """Follow what is in force from a dataset, or from a job; `collapse` shows executions as their application."""
    walker = _Walker(session, root, walk, collapse=collapse)
    walker.go()
    return walker.answer()


class _Walker:
    def __init__(self, session: Session, root: DatasetName | JobName, walk: Walk, *, collapse: bool) -> None:
        self._session = session
        self._walk = walk
        self._up = walk.direction is Direction.UPSTREAM
        self._span = span_of(session, walk.moment, contents=walk.contents)
        features = store_features(session)
        self._renames = features.renames
        self._former = FormerNames(session, self._span, renames=features.renames)
        self._aliases = Aliases(session, self._span, exist=features.aliases)
        self._fence = Fence(session, walk.namespaces)
        self._root = root
        self._applications = Applications(session, self._span) if collapse else None
        self._ahead = 0 if features.aliases or features.renames else nodes_ahead(session, walk, _AHEAD)
        # By dataset, what was read ahead.
        self._known: dict[int, list[TableUse]] = {}
        self._distances: dict[Item, int] = {}
        # By both ends, in the way that data flows: the slots that say so.
        self._edges: dict[tuple[Item, Item], set[tuple[int, int]]] = {}
        self._ends: dict[tuple[int, int], int] = {}
        self._partial = False

    def go(self) -> None:
        """Visit every dataset once; jobs stand between them."""
        level = 0
        if isinstance(self._root, DatasetName):
            frontier = self._visit(map(_dataset, self._aliases.shown_datasets([self._root.id]).values()), level)
        else:
            frontier = self._from_job(self._root.id)
            level = 1
        while frontier and self._within(level + 1):
            uses = self._uses_at({item.key for item in frontier})
            self._visit({_job(use.job) for use in uses if use.job}, level + 1)
            frontier = self._enter(uses, level + 2) if self._within(level + 2) else set()
            self._keep(uses)
            level += 2

    def answer(self) -> TableAnswer:
        """The answer by names."""
        there = self._distances.keys()
        edges = {ends: slots for ends, slots in self._edges.items() if ends[0] in there and ends[1] in there}
        slots = {slot for slots in edges.values() for slot in slots}
        self._session.foresee(lambda: (self._last(slots), self._names()))
        last = self._last(slots)
        names = self._names()
        nodes = [TableNode(item.kind, names[item], distance) for item, distance in self._distances.items()]
        nodes.sort(key=lambda node: (node.distance, node.name, node.kind.value))
        written = [
            TableEdge(
                (origin.kind, names[origin]),
                (destination.kind, names[destination]),
                max((last[slot] for slot in slots if slot in last), key=lambda write: write.stamp, default=NEVER).run,
            )
            for (origin, destination), slots in edges.items()
        ]
        written.sort(key=lambda edge: (_sortable(edge.destination), _sortable(edge.origin)))
        root = next(node.name for node in nodes if node.distance == 0)
        walk = self._walk
        return TableAnswer(walk.direction, root, walk.moment, tuple(nodes), tuple(written), self._partial)

    def _names(self) -> dict[Item, TableName]:
        names: dict[Item, TableName] = {}
        for kind, table in _TABLES.items():
            keys = {item.key for item in self._distances if item.kind is kind}
            names |= {Item(kind, key): name for key, name in tables(self._session, table, keys).items()}
        return names

    def _within(self, level: int) -> bool:
        return not self._partial and (self._walk.depth is None or level <= self._walk.depth)

    def _from_job(self, job: int) -> set[Item]:
        """The datasets that a job reads or writes, or that the executions of an application do."""
        self._visit([_job(job)], 0)
        jobs = {job}
        if self._applications is not None:
            jobs |= self._applications.executions(job)
        if not self._within(1):
            return set()
        uses = [use._replace(job=job) for use in self._uses(uses_of_jobs(self._session, self._span, jobs))]
        entered = self._enter(uses, 1)
        self._keep(uses)
        return entered

    def _uses_at(self, datasets: Collection[int]) -> list[_Use]:
        """Who writes datasets, or who reads them, under any of their names."""
        datasets = {name for key in datasets for name in (key, *self._aliases.other_names(key))}
        if self._ahead:
            return self._uses(self._read_ahead(datasets))
        uses = uses_of_datasets(self._session, self._span, datasets, up=self._up, renames=self._renames)
        return self._uses([*uses, *self._by_former_names(datasets, uses)])

    def _read_ahead(self, datasets: Collection[int]) -> list[TableUse]:
        """Who writes datasets, or reads them, asked for together with what lies beyond, as long as there are few."""
        new = {dataset for dataset in datasets if dataset not in self._known}
        uses = [use for dataset in datasets if dataset not in new for use in self._known[dataset]]
        if len(new) > self._ahead:
            return uses + uses_of_datasets(self._session, self._span, new, up=self._up, renames=False)
        read = uses_ahead(self._session, self._span, new, self._ahead, up=self._up) if new else {}
        if new and not read:
            self._ahead = 0
            return uses + uses_of_datasets(self._session, self._span, new, up=self._up, renames=False)
        self._known |= read
        return uses + [use for dataset in new for use in read[dataset]]

    def _by_former_names(self, datasets: Collection[int], uses: Sequence[TableUse]) -> list[TableUse]:
        """Who read names while they were those of datasets that were renamed."""
        names = (
            self._former.after({use.read for use in uses if use.read}) if self._up else self._former.before(datasets)
        )
        if not names:
            return []
        if not self._up:
            old = {name.old for name in names}
            uses = uses_of_datasets(self._session, self._span, old, up=False, renames=self._renames)
        read = self._former.read_then(
            names, uses, lambda use: use.read or NOTHING, lambda use: SlotOf(use.written, use.job, use.until_us)
        )
        return [use._replace(read=name.new) for use, name in read]

    def _uses(self, rows: Sequence[TableUse]) -> list[_Use]:
        shown = self._aliases.shown_datasets({key for _, written, _, _, read in rows for key in (written, read) if key})
        for _, written, job, until, _ in rows:
            self._ends[written, job] = max(until, self._ends.get((written, job), until))
        applications = self._collapsed({(written, job) for _, written, job, _, _ in rows if job})
        return [
            _Use(
                shown[written] if written else None,
                applications.get((written, job)) or job,
                None if read is None else shown[read],
                (written, job),
            )
            for _, written, job, _, read in rows
        ]

    def _collapsed(self, slots: Collection[tuple[int, int]]) -> dict[tuple[int, int], int]:
        if self._applications is None:
            return {}
        return self._applications.of_slots({slot: self._ends[slot] for slot in slots})

    def _last(self, slots: Collection[tuple[int, int]]) -> dict[tuple[int, int], LastWrite]:
        ends = {slot: self._ends[slot] for slot in slots}
        if self._applications is None:
            return last_versions(self._session, ends, self._span)
        return self._applications.last_runs(ends)

    def _enter(self, uses: Iterable[_Use], level: int) -> set[Item]:
        """The datasets on the far side of jobs, as far as they may be entered."""
        beyond = {use.read if self._up else use.written for use in uses}
        allowed = self._fence.datasets({dataset for dataset in beyond if dataset is not None})
        return self._visit(map(_dataset, allowed), level)

    def _visit(self, items: Iterable[Item], level: int) -> set[Item]:
        """Take new items in, the first by name where there is no room for all."""
        new = set(items) - self._distances.keys()
        room = max(self._walk.limit - len(self._distances), 0)
        if len(new) > room:
            self._partial = True
            kind = next(iter(new)).kind
            names = tables(self._session, _TABLES[kind], {item.key for item in new})
            new = set(sorted(new, key=lambda item: names[item.key])[:room])
        self._distances.update(dict.fromkeys(new, level))
        return new

    def _keep(self, uses: Iterable[_Use]) -> None:
        for use in uses:
            ends = [] if use.read is None else [_dataset(use.read)]
            ends += [_job(use.job)] if use.job else []
            ends += [] if use.written is None else [_dataset(use.written)]
            for origin, destination in pairwise(ends):
                self._edges.setdefault((origin, destination), set()).add(use.slot)


def _dataset(key: int) -> Item:
    return Item(TableKind.DATASET, key)


def _job(key: int) -> Item:
    return Item(TableKind.JOB, key)


def _sortable(end: tuple[TableKind, TableName]) -> tuple[str, str, str]:
    kind, name = end
    return name.namespace, name.name, kind.value
