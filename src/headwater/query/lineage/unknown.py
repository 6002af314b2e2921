"""What an answer does not know.

A job that only says which datasets it reads may take any column of them to any column that it writes. So the dataset on
its far side is unknown, and so is all that lies beyond, whatever is said of columns there. Of a job that leaves some
columns out, these are. Of the edges that an answer has, some are opaque, carried or assumed.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import compress, groupby
from typing import NamedTuple, TypeVar

from headwater.common.groups import lists_by_key, sets_by_key
from headwater.query.graph.aliases import Aliases
from headwater.query.graph.answer import Answer, Direction, Edge, FieldName, Kind, Node, TableName, Unknown, Why
from headwater.query.graph.former_names import FormerNames, SlotOf
from headwater.query.graph.intervals import span_of
from headwater.query.graph.labels import tables
from headwater.query.graph.table_reads import not_named_otherwise
from headwater.query.lineage.traversal import Fence, Walk
from headwater.query.lineage.unknown_columns import Part, UnknownColumns, asked_and_left_out
from headwater.store.db.codes import FOREVER
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of
from headwater.store.reads.edges import store_features
from headwater.store.reads.names import names_met
from headwater.store.reads.table_reads import Says, TableRead, table_reads, tables_read_by
from headwater.store.reads.versions import Version

T = TypeVar("T")

_KNOWN_SUBTYPES = frozenset({"IDENTITY", "TRANSFORMATION", "AGGREGATION"})
_DOUBTS = (Why.OPAQUE, Why.CARRIED, Why.ASSUMED)


class Unknowns(NamedTuple):
    """What is not known, nearest first, one for each dataset and job; `partial` where a limit was reached."""

    found: tuple[Unknown, ...] = ()
    partial: bool = False


def by_dataset(unknown: Iterable[Unknown]) -> dict[TableName, list[Unknown]]:
    """Those that may reach a dataset, for each dataset once, in their order."""
    return lists_by_key((entry.dataset, entry) for entry in unknown if entry.why.may_reach and entry.dataset)


def unknown_of(session: Session, answer: Answer, walk: Walk) -> Unknowns:
    """What an answer about columns does not know, on the side that it looks at."""
    distances = distances_of(answer)
    up = answer.direction is Direction.UPSTREAM
    # Without columns that are left out, nothing is followed by column.
    left_out = store_features(session).left_out
    near = {node.field for node in answer.nodes if up or _is_clear(node)} if left_out else ()
    beyond = unknown_beyond(session, distances, walk, near, whole=answer.root.field is None)
    known = {(entry.dataset, entry.job) for entry in beyond.found if not entry.columns}
    rows = [entry for entry in _rows_alone(answer, distances) if (entry.dataset, entry.job) not in known]
    found = sorted((*rows, *beyond.found), key=_place)
    return Unknowns((*found, *doubts(answer.nodes, answer.edges, answer.direction)), beyond.partial)


def _is_clear(node: Node) -> bool:
    """Whether values arrive there as plainly as they can: what nobody knows of a column makes nothing worse."""
    return node.kind is not Kind.INDIRECT and not node.masked


def _rows_alone(answer: Answer, distances: Mapping[TableName, int]) -> list[Unknown]:
    """Downstream, datasets whose rows are reached, and of which no column is known; pure."""
    if answer.direction is Direction.UPSTREAM:
        return []
    of_rows = [edge for edge in answer.edges if edge.destination.field is None]
    there = {answer.root.table, *(node.field.table for node in answer.nodes)} if of_rows else set()
    into = [edge for edge in of_rows if edge.destination.table not in there]
    reads = sets_by_key(((edge.destination.table, edge.job), edge.origin.table) for edge in into)
    return [
        Unknown(Why.NO_COLUMNS, dataset, job, tuple(sorted(origins)), distances[dataset])
        for (dataset, job), origins in reads.items()
    ]


def distances_of(answer: Answer) -> dict[TableName, int]:
    """The hops to each dataset that an answer names, also to those of which it has no column."""
    distances = _nearest([*answer.nodes])
    distances[answer.root.table] = 0
    # An edge may lead to the rows of a dataset without a known column.
    up = answer.direction is Direction.UPSTREAM
    ends = _distinct((edge.destination.table, edge.origin.table) for edge in answer.edges)
    rest = [(near, far) for near, far in (ends if up else map(reversed, ends)) if far not in distances]
    while found := {far: distances[near] + 1 for near, far in rest if near in distances and far not in distances}:
        distances |= found
    return distances


def doubts(nodes: Iterable[Node], edges: Iterable[Edge], direction: Direction) -> tuple[Unknown, ...]:
    """What edges show and nobody is certain of, for each dataset and job that writes it; pure."""
    doubted = _distinct(
        (edge.destination.table, edge.origin.table, edge.job, opaque, edge.carried, edge.assumed)
        for edge in edges
        if (opaque := _is_opaque(edge)) or edge.carried or edge.assumed
    )
    distances = _nearest(nodes) if doubted else {}
    reads: defaultdict[tuple[Why, TableName, TableName | None], set[TableName]] = defaultdict(set)
    hops: dict[tuple[Why, TableName, TableName | None], int] = {}
    for written, read, job, *whys in doubted:
        distance = distances.get(read if direction is Direction.UPSTREAM else written, 1)
        for why in compress(_DOUBTS, whys):
            key = why, written, job
            reads[key].add(read)
            hops[key] = min(distance, hops.get(key, distance))
    found = [Unknown(*key, tuple(sorted(read)), hops[key]) for key, read in reads.items()]
    return tuple(sorted(found, key=_place))


def unknown_of_versions(
    session: Session, answer: Answer, versions: Mapping[Version, int], columns: Mapping[Version, Collection[int]]
) -> tuple[Unknown, ...]:
    """What a provenance does not know: what versions read as tables, with the hops to each; and its own doubts.

    `columns` are those of each version that the answer has.
    """
    reads = tables_read_by(session, [(version.dataset, version.job, version.stamp) for version in versions])
    by_mapping = sets_by_key((version.mapping, key) for version, keys in columns.items() for key in keys)
    left_out = asked_and_left_out(
        session, {read.mapping: by_mapping[read.mapping] for read in reads if read.leaves_out}
    )
    reads = [read for read in reads if not read.leaves_out or left_out[read.mapping]]
    hops: dict[tuple[int, int], int] = {}
    for version, distance in versions.items():
        pair = version.dataset, version.job
        hops[pair] = min(distance + 1, hops.get(pair, distance + 1))
    names = tables(session, "dataset", {key for read in reads for key in (read.written, read.read)})
    jobs = tables(session, "job", {read.job for read in reads} - {0})
    origins = sets_by_key(((_WHY[Says(read.says)], read.written, read.job), names[read.read]) for read in reads)
    paths = sets_by_key(
        ((read.written, read.job), path) for read in reads if read.leaves_out for path in left_out[read.mapping]
    )
    found = [
        Unknown(
            why,
            names[written],
            jobs.get(job),
            tuple(sorted(read)),
            hops[written, job],
            columns=tuple(sorted(paths[written, job])) if why is Why.LEFT_OUT else (),
        )
        for (why, written, job), read in origins.items()
    ]
    return (*sorted(found, key=_place), *doubts(answer.nodes, answer.edges, answer.direction))


def _distinct(values: Iterable[T]) -> set[T]:
    """Values of which thousands are few: neighbours are mostly the same, and to compare them costs less than a hash."""
    return {value for value, _ in groupby(values)}


def _is_opaque(edge: Edge) -> bool:
    for step in edge.transformations:  # noqa: SIM110  for one step, `any` takes twice as long
        if step.subtype not in _KNOWN_SUBTYPES and step.type != "INDIRECT":
            return True
    return False


def _nearest(nodes: Iterable[Node]) -> dict[TableName, int]:
    distances: dict[TableName, int] = {}
    for node in nodes:
        distances[node.field.table] = min(node.distance, distances.get(node.field.table, node.distance))
    return distances


def _place(entry: Unknown) -> tuple[object, ...]:
    names = [(name is not None, name or TableName("", "")) for name in (entry.dataset, entry.job)]
    return entry.dataset is None, entry.distance, *names, entry.why.value


def unknown_beyond(
    session: Session,
    reached: Mapping[TableName, int],
    walk: Walk,
    near: Collection[FieldName],
    *,
    whole: bool = False,
) -> Unknowns:
    """What lies beyond datasets by jobs that say nothing of columns, or not of all, and beyond that, and so on.

    `reached` has the hops to each dataset to start from; those at 0 are what is asked about, and not listed. `near` are
    the columns that are reached for certain; upstream all that the answer has. `whole`: all columns are asked about, so
    a job that leads back to them makes none of them unknown.
    """
    walker = _Walker(session, walk, near, whole=whole)
    walker.go(walker.keys(reached))
    return walker.answer()


_WHY = {
    Says.NOTHING: Why.NO_COLUMNS,
    Says.NONE_OF_THIS: Why.TABLE_ONLY,
    Says.ONLY_ROWS: Why.TABLE_ONLY,
    Says.COLUMNS: Why.AFTER_UNKNOWN,
    Says.LEFT_OUT: Why.LEFT_OUT,
}
_LEAST_KNOWN_FIRST = (Why.NO_COLUMNS, Why.TABLE_ONLY, Why.AFTER_UNKNOWN)


class _Walker:
    def __init__(self, session: Session, walk: Walk, near: Collection[FieldName], *, whole: bool) -> None:
        self._session = session
        self._walk = walk
        self._up = walk.direction is Direction.UPSTREAM
        self._whole = whole
        self._span = span_of(session, walk.moment, contents=walk.contents)
        features = store_features(session)
        self._aliases = Aliases(session, self._span, exist=features.aliases)
        self._former = FormerNames(session, self._span, renames=features.renames)
        self._fence = Fence(session, walk.namespaces)
        self._has_left_out = features.left_out
        self._columns = UnknownColumns(session, walk, features, near)
        self._asked: set[int] = set()
        self._room = walk.limit
        # How far unknown datasets are that were visited, and those that wait, by how far they are.
        self._distances: dict[int, int] = {}
        self._waiting: dict[int, set[int]] = defaultdict(set)
        # By dataset and job: what the job reads, and how little is known; and the jobs that only read.
        self._reads: dict[tuple[int, int], set[int]] = defaultdict(set)
        self._why: dict[tuple[int, int], Why] = {}
        self._only_read: dict[int, set[int]] = defaultdict(set)
        self._hops: dict[tuple[int, int], int] = {}
        self._partial = False

    def keys(self, names: Mapping[TableName, int]) -> dict[int, int]:
        """The datasets under whose names these are shown, by key, with the hops to each."""
        rows = names_met(self._session, "dataset", ((name.namespace, name.name) for name in names))
        shown = self._aliases.shown_datasets({row.id for row in rows})
        distances: dict[int, int] = {}
        for key, *name in rows:
            distance = names[TableName(*name)]
            distances[shown[key]] = min(distance, distances.get(shown[key], distance))
        return distances

    def go(self, reached: Mapping[int, int]) -> None:
        """Visit every unknown dataset once, the nearest first."""
        self._asked = {key for key, distance in reached.items() if distance == 0}
        within = {key: distance for key, distance in reached.items() if self._may_leave(distance)}
        self._leave(within, known=False)
        left = {*within}
        while (self._waiting or self._columns.waiting) and not self._partial:
            level = min((*self._waiting, *self._columns.waiting))
            visited = self._visit(self._waiting.pop(level, set()) - self._distances.keys(), level)
            columns = {key for key in self._columns.visit(level) if dataset_of(key) not in self._distances}
            self._partial |= self._columns.partial
            if self._may_leave(level) and not self._partial:
                if visited:
                    self._leave(dict.fromkeys(visited, level), known=True)
                if columns:
                    self._leave_columns(columns, level, {dataset_of(key) for key in columns} - left)
                left |= {*visited, *(dataset_of(key) for key in columns)}

    def answer(self) -> Unknowns:
        """What was found, by names."""
        there = self._distances.keys() - self._asked
        listed = {pair: reads for pair, reads in self._reads.items() if self._is_listed(pair, reads, there)}
        keys = {key for (key, _), reads in listed.items() for key in (key, *reads)}
        keys |= {key for reads in self._only_read.values() for key in reads}
        datasets = tables(self._session, "dataset", keys)
        jobs = tables(self._session, "job", {job for _, job in listed} | self._only_read.keys() - {0})
        found = [
            Unknown(
                self._why[dataset, job],
                datasets[dataset],
                jobs.get(job),
                tuple(sorted(datasets[key] for key in reads)),
                self._hops[dataset, job] if self._up else self._distances[dataset],
            )
            for (dataset, job), reads in listed.items()
        ]
        found += [
            Unknown(Why.READS_ONLY, None, jobs[job], tuple(sorted(datasets[key] for key in reads)), self._hops[0, job])
            for job, reads in self._only_read.items()
        ]
        found += self._columns.answer(there, self._reads)
        return Unknowns(tuple(sorted(found, key=_place)), self._partial)

    def _is_listed(self, pair: tuple[int, int], reads: set[int], there: set[int]) -> bool:
        """Whether the far side was visited, and is not what is asked about; upstream that is what is read."""
        if not self._up:
            return pair[0] in there
        reads &= there
        return bool(reads)

    def _may_leave(self, distance: int) -> bool:
        return self._walk.depth is None or distance < self._walk.depth

    def _leave(self, distances: Mapping[int, int], *, known: bool) -> None:
        """Take in what is beyond datasets, and have it wait for its turn; `known`: also what columns tell."""
        origins = lists_by_key((name, key) for key in distances for name in {key, *self._aliases.other_names(key)})
        links = self._links(origins, known=known)
        self._note_readers([link for link in links if not link.written], origins, distances)
        links = [link for link in links if link.written]
        shown = self._aliases.shown_datasets({key for link in links for key in (link.written, link.read)})
        far = {shown[link.read if self._up else link.written] for link in links}
        entered = {*self._fence.datasets(far - self._asked), *(() if self._whole else self._asked & far)}
        parts: list[tuple[Part, int]] = []
        for link in links:
            near, beyond = (link.written, shown[link.read]) if self._up else (link.read, shown[link.written])
            for origin in origins[near]:
                # Upstream, a dataset that reads itself comes from nothing else.
                if beyond not in entered or (self._up and beyond == origin):
                    continue
                part = Part(
                    *((origin, link.job, beyond) if self._up else (beyond, link.job, origin)), distances[origin] + 1
                )
                if link.leaves_out:
                    parts.append((part, link.mapping or 0))
                else:
                    self._add(part, _WHY[Says(link.says)])
        for part in self._columns.leave_out(parts) if parts else ():
            if self._up:
                self._waiting[part.hops].add(part.read)

    def _leave_columns(self, columns: Collection[int], level: int, new: Collection[int]) -> None:
        """Take in what is made from some columns of datasets; `new` are those that are met for the first time."""
        if new:
            self._leave(dict.fromkeys(new, level), known=False)
        for part in self._columns.leave(columns, level):
            self._add(part, Why.AFTER_UNKNOWN)

    def _links(self, names: Collection[int], *, known: bool) -> list[TableRead]:
        """Who reads names, or what is read for them; `known`: also what columns tell."""
        reads = self._table_reads(names, known=known)
        reads += self._by_former_names(names, reads, known=known)
        unnamed = not_named_otherwise(
            self._session,
            self._aliases,
            [read for read in reads if read.says in {Says.NONE_OF_THIS, Says.ONLY_ROWS}],
            lambda read: (read.mapping, read.read),
        )
        sure = [read for read in reads if read.says in {Says.NOTHING, Says.COLUMNS} or read.leaves_out]
        return [*sure, *(read for read in unnamed if known or read.says != Says.ONLY_ROWS)]

    def _table_reads(self, names: Collection[int], *, known: bool) -> list[TableRead]:
        also = Says.COLUMNS if known else Says.LEFT_OUT if self._has_left_out else None
        return table_reads(self._session, self._span, names, up=self._up, also=also)

    def _by_former_names(self, names: Collection[int], reads: Collection[TableRead], *, known: bool) -> list[TableRead]:
        """Who read names while they were those of datasets that were renamed."""
        former = self._former.after({read.read for read in reads}) if self._up else self._former.before(names)
        if not former:
            return []
        if not self._up:
            reads = self._table_reads({name.old for name in former}, known=known)
        read = self._former.read_then(
            former, reads, lambda link: link.read, lambda link: SlotOf(link.written, link.job, FOREVER)
        )
        return [link._replace(read=name.new) for link, name in read]

    def _note_readers(
        self, links: Iterable[TableRead], origins: Mapping[int, list[int]], distances: Mapping[int, int]
    ) -> None:
        for link in links:
            self._only_read[link.job].update(origins[link.read])
            hops = min(distances[origin] for origin in origins[link.read]) + 1
            self._hops[0, link.job] = min(hops, self._hops.get((0, link.job), hops))

    def _add(self, part: Part, why: Why) -> None:
        pair = part.dataset, part.job
        self._reads[pair].add(part.read)
        self._hops[pair] = min(part.hops, self._hops.get(pair, part.hops))
        self._why[pair] = min(why, self._why.get(pair, Why.AFTER_UNKNOWN), key=_LEAST_KNOWN_FIRST.index)
        self._waiting[part.hops].add(part.read if self._up else part.dataset)

    def _visit(self, new: set[int], level: int) -> set[int]:
        """Take new datasets in, the first by name where there is no room for all; what is asked about takes none."""
        listed = new - self._asked
        if len(listed) > self._room:
            self._partial = True
            names = tables(self._session, "dataset", listed)
            new = listed = set(sorted(listed, key=names.__getitem__)[: self._room])
        self._room -= len(listed)
        self._distances.update(dict.fromkeys(new, level))
        return new
