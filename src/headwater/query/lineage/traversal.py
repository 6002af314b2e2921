"""Upstream and downstream of columns: breadth first, a level at a time, each column visited once."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from headwater.common.groups import lists_by_key
from headwater.common.masking import Passage
from headwater.query.graph.answer import (
    Answer,
    Direction,
    Edge,
    FieldName,
    Moment,
    Node,
    TableName,
    Transformation,
    place_of,
)
from headwater.query.graph.intervals import span_of
from headwater.query.graph.labels import Labels, Step, label_fields, steps, tables
from headwater.query.graph.steps import Steps
from headwater.query.lineage.summary import Arc, classes, in_the_clear
from headwater.query.questions import Walked
from headwater.store.db.codes import ROWS_ON_STEP
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of, rows_of
from headwater.store.reads.edges import Hop, store_features
from headwater.store.reads.versions import NEVER, LastWrite, last_versions

LIMIT = 10_000
"""How many nodes an answer has at most, where a question names no limit."""
# A walk of so many levels or more, which may have so many nodes or more, reads so many ahead.
_LONG, _WIDE, _AHEAD = 8, 100, 400


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk along edges.

    Attributes:
        direction: towards the sources, or away from them.
        moment: when to look; a version is for `provenance`.
        contents: look back to each dataset's last whole overwrite.
        depth: how many edges to follow at most; None for all.
        direct: leave out what only decides on rows or conditions (INDIRECT).
        rows: follow what decides on the rows of a dataset, which all its columns read.
        namespaces: enter datasets of these only; None for all.
        limit: how many nodes to return at most.
    """

    direction: Direction
    moment: Moment
    contents: bool = False
    depth: int | None = None
    direct: bool = False
    rows: bool = True
    namespaces: frozenset[str] | None = None
    limit: int = LIMIT

    @classmethod
    def of(cls, asked: Walked[Any], direction: Direction, moment: Moment, *, contents: bool = False) -> "Walk":
        """The walk that a question asks for."""
        namespaces = None if asked.namespaces is None else frozenset(asked.namespaces)
        limit = LIMIT if asked.limit is None else asked.limit
        return cls(direction, moment, contents, asked.depth, asked.direct, namespaces=namespaces, limit=limit)


@dataclass(frozen=True, slots=True)
class Reach:
    """What several columns reach together: under which name each is shown, by its key; the columns and the edges."""

    starts: Mapping[int, FieldName]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    partial: bool


def traverse(session: Session, dataset: int, column: int | None, walk: Walk) -> Answer:
    """Follow the edges in force from one column, or from all columns of a dataset."""
    return _traverse(session, dataset, column, walk)[0]


def traverse_to_ends(
    session: Session, dataset: int, column: int | None, walk: Walk
) -> tuple[Answer, frozenset[FieldName]]:
    """The same, and the columns at which the depth, a namespace or a limit ended the walk, whatever lies beyond."""
    answer, walker = _traverse(session, dataset, column, walk)
    return answer, walker.stopped()


def _traverse(session: Session, dataset: int, column: int | None, walk: Walk) -> tuple[Answer, "_Walker"]:
    walker = _Walker(session, walk)
    if column is None:
        walker.go(walker.columns_of(dataset), [dataset])
    else:
        walker.go([column])
    if column is None:
        walker.leave_out_unused(dataset)
    reach = walker.reach()
    if column is None:
        (name,) = tables(session, "dataset", [dataset]).values()
        root = FieldName(name.namespace, name.name, None)
    else:
        root = reach.starts[column]
    return Answer(walk.direction, root, walk.moment, reach.nodes, reach.edges, reach.partial), walker


def traverse_from(session: Session, columns: Collection[int], walk: Walk) -> Reach:
    """Follow the edges in force from several columns at once, each edge once."""
    walker = _Walker(session, walk)
    walker.go(columns)
    return walker.reach()


class _Walker:
    def __init__(self, session: Session, walk: Walk) -> None:
        self._session = session
        self._walk = walk
        self._up = walk.direction is Direction.UPSTREAM
        self._span = span_of(session, walk.moment, contents=walk.contents)
        features = store_features(session)
        self._steps = Steps(
            session,
            self._span,
            features,
            walk.direction,
            direct=walk.direct,
            rows=walk.rows,
            ahead=nodes_ahead(session, walk, _AHEAD),
        )
        self._fence = Fence(session, walk.namespaces)
        self._starts: dict[int, int] = {}
        self._distances: dict[int, int] = {}
        # The hops of each edge, by origin, destination and job; there are many, so they stay the tuples that they are.
        self._edges: dict[tuple[int, int, int], list[Hop]] = {}
        self._by_rows: defaultdict[int, list[int]] = defaultdict(list)
        # The rows of datasets that lead on by themselves: how many there are decides how many others have.
        self._rows: set[int] = set()
        self._asked_rows: set[int] = set()
        self._partial = False
        self._full = False
        self._stopped: set[int] = set()

    def columns_of(self, dataset: int) -> Collection[int]:
        """All columns of a dataset that were ever seen."""
        return self._steps.columns_of([dataset], all_fields=True)[dataset]

    def go(self, columns: Collection[int], whole: Collection[int] = ()) -> None:
        """Visit every node once; `whole` are datasets whose rows are asked about, too."""
        walk = self._walk
        self._starts = self._steps.shown(columns)
        frontier = self._visit(self._first(set(self._starts.values())), 0)
        rows = self._asked_rows = self._steps.rows_read_by(map(rows_of, whole)) if walk.rows else set()
        self._rows |= rows
        level = 0
        while (frontier or rows) and not self._full and (walk.depth is None or level < walk.depth):
            level += 1
            # Upstream, the columns that are asked about have what their rows are made of.
            counted = () if rows is self._asked_rows else rows
            hops, reached, beyond = self._steps.take(frontier, rows, counted)
            self._keep(hops)
            frontier = self._visit(self._fence.inside(reached - self._distances.keys()), level)
            rows = self._enter(beyond)
        self._stopped.update(frontier)
        self._leave_out()

    def reach(self) -> Reach:
        """What was found, by names."""
        shown = {*self._distances, *self._starts.values()}
        rows = {key for origin, destination, _ in self._edges for key in (origin, destination)} - shown
        keys = {hop[2] for hops in self._edges.values() for hop in hops}
        ends = self._ends()
        jobs = {key[2] for key in self._edges} - {0}
        self._session.foresee(
            lambda: (
                label_fields(self._session, shown),
                steps(self._session, keys),
                last_versions(self._session, ends, self._span),
                tables(self._session, "job", jobs),
            )
        )
        labels = label_fields(self._session, shown, rows)
        ways = steps(self._session, keys)
        last = last_versions(self._session, ends, self._span)
        starts = {column: labels.names[key] for column, key in self._starts.items()}
        edges = _name_edges(self._edges, labels, ways, tables(self._session, "job", jobs), last)
        return Reach(starts, self._nodes(labels, ways), edges, self._partial)

    def stopped(self) -> frozenset[FieldName]:
        """The columns beyond which nobody looked."""
        stopped = self._stopped & self._distances.keys()
        return frozenset(label_fields(self._session, stopped).names.values()) if stopped else frozenset()

    def _first(self, starts: Collection[int]) -> Collection[int]:
        """Of more columns than there is room for, as many as leave half of it for what they lead to.

        They are the first that lead anywhere: of a very wide table, the first ones alone would say nothing.
        """
        if len(starts) <= self._walk.limit:
            return starts
        self._partial = True
        places = label_fields(self._session, starts).places
        ordered = sorted(starts, key=places.__getitem__)
        most = max(self._walk.limit // 2, 1)
        parts = (ordered[begin : begin + most] for begin in range(0, len(ordered), most))
        return next((part for part in parts if self._steps.lead_on(part)), ordered[:most])

    def _visit(self, nodes: Collection[int], level: int) -> Collection[int]:
        """Take new nodes in, the first by name where there is no room for all."""
        room = self._walk.limit - len(self._distances)
        if len(nodes) > room:
            self._partial = self._full = True
            places = label_fields(self._session, nodes).places
            nodes = sorted(nodes, key=places.__getitem__)[: max(room, 0)]
        self._distances.update(dict.fromkeys(nodes, level))
        return nodes

    def _enter(self, rows: set[int]) -> set[int]:
        """Take in new rows that lead on; after a limit none does."""
        new = set() if self._full else set(self._fence.inside(rows - self._rows))
        self._rows |= new
        return new

    def _keep(self, hops: Iterable[Hop]) -> None:
        edges = self._edges
        for hop in hops:
            key = hop[0], hop[1], hop[5]
            known = edges.get(key)
            if known is None:
                edges[key] = [hop]
            else:
                known.append(hop)

    def _leave_out(self) -> None:
        """Leave out edges to what the answer has not, and downstream to rows that nobody counts."""
        if not self._up:
            self._leave_out_uncounted()
        if self._partial or self._walk.namespaces is not None:
            nodes = self._distances
            there = self._rows | nodes.keys() | {rows for node in nodes for rows in self._steps.rows_around(node)}
            left_out = [key for key in self._edges if key[0] not in there or key[1] not in there]
            for key in left_out:
                del self._edges[key]
            self._stopped.update(key[1] if self._up else key[0] for key in left_out)

    def _leave_out_uncounted(self) -> None:
        on = {key for key, hops in self._edges.items() if all(hop[2] == ROWS_ON_STEP for hop in hops)}
        into = lists_by_key((key[1], key) for key in on)
        leading = Counter(key[0] for key in self._edges if key[0] in into)
        uncounted = [rows for rows in into if not leading[rows]]
        while uncounted:
            for key in into.pop(uncounted.pop()):
                del self._edges[key]
                leading[key[0]] -= 1
                if not leading[key[0]] and key[0] in into:
                    uncounted.append(key[0])

    def leave_out_unused(self, dataset: int) -> None:
        """Leave out columns of the dataset asked about that are neither there nor used."""
        known = {field for fields in self._steps.columns_of([dataset]).values() for field in fields}
        known = set(self._steps.shown(known).values())
        known |= {key[1] if self._up else key[0] for key in self._edges}
        roots = {node for node, distance in self._distances.items() if distance == 0}
        if known & roots or self._steps.not_yet(dataset):
            for node in roots - known:
                del self._distances[node]

    def _nodes(self, labels: Labels, ways: dict[int, Step]) -> tuple[Node, ...]:
        arcs: defaultdict[int, list[Arc]] = defaultdict(list)
        hows = {key: (step.kind, step.masking.passage) for key, step in ways.items()}
        for (origin, destination, _), hops in self._edges.items():
            start, end = (destination, origin) if self._up else (origin, destination)
            for hop in hops:
                arcs[start].append((end, *hows[hop[2]]))
        for rows in {key[1] for key in self._edges} - self._distances.keys():
            # Every column reads its rows: a step that costs nothing.
            for node in self._columns_in(rows):
                start, end = (node, rows) if self._up else (rows, node)
                arcs[start].append((end, 0, Passage.AS_IT_IS))
        roots = [*self._asked_rows, *(node for node, distance in self._distances.items() if distance == 0)]
        kinds, clear = classes(roots, arcs), in_the_clear(roots, arcs, up=self._up)
        names, types, places = labels
        distances = self._distances
        first = sorted(distances, key=lambda key: (distances[key], places[key]))
        return tuple(Node(names[key], types[key], distances[key], kinds[key], key not in clear) for key in first)

    def _columns_in(self, rows: int) -> list[int]:
        """The columns of the answer that read these rows."""
        if not self._by_rows:
            for node in self._distances:
                for read in self._steps.rows_around(node):
                    self._by_rows[read].append(node)
        return self._by_rows[rows]

    def _ends(self) -> dict[tuple[int, int], int]:
        """Until when each slot (dataset, job) is in force, at the latest."""
        ends: dict[tuple[int, int], int] = {}
        for dataset, job, until in {hop[4:7] for hops in self._edges.values() for hop in hops}:
            ends[dataset, job] = max(until, ends.get((dataset, job), until))
        return ends


def _name_edges(
    edges: dict[tuple[int, int, int], list[Hop]],
    labels: Labels,
    ways: dict[int, Step],
    jobs: dict[int, TableName],
    last: dict[tuple[int, int], LastWrite],
) -> tuple[Edge, ...]:
    """Edges by name, in the order of their names."""
    names, _, place = labels
    of_job = {0: 0} | {key: at for at, key in enumerate(sorted(jobs, key=jobs.__getitem__), start=1)}
    size = len(place)
    many = len(of_job)
    order = sorted(edges, key=lambda key: (place[key[1]] * size + place[key[0]]) * many + of_job[key[2]])
    texts: dict[tuple[int, str], Transformation] = {}
    named: list[Edge] = []
    for key in order:
        origin, destination, job = key
        hops = edges[key]
        for _, _, step, text, *_ in hops:
            if (step, text) not in texts:
                texts[step, text] = ways[step].transformation(text)
        if len(hops) == 1:
            ((_, _, step, text, dataset, *_),) = hops
            transformations: tuple[Transformation, ...] = (texts[step, text],)
            version = last.get((dataset, job), NEVER)
        else:
            transformations = tuple(sorted({texts[hop[2], hop[3]] for hop in hops}, key=place_of))
            version = max((last.get((hop[4], job), NEVER) for hop in hops), key=_stamp)
        named.append(
            Edge(names[origin], names[destination], transformations, jobs.get(job), version.run, version.carried)
        )
    return tuple(named)


def nodes_ahead(session: Session, walk: Walk, most: int) -> int:
    """How many nodes a walk reads ahead: none where it ends soon, may end anywhere, or would save no way."""
    is_long = walk.limit >= _WIDE and (walk.depth is None or walk.depth >= _LONG)
    return min(most, walk.limit) if session.has_way and is_long and walk.namespaces is None else 0


class Fence:
    """Which datasets may be entered, by their namespaces."""

    def __init__(self, session: Session, namespaces: frozenset[str] | None) -> None:
        self._session = session
        self._namespaces = namespaces
        self._inside: dict[int, bool] = {}

    def inside(self, fields: Collection[int]) -> Collection[int]:
        """The fields that may be entered."""
        if self._namespaces is None:
            return fields
        allowed = self.datasets({dataset_of(field) for field in fields})
        return {field for field in fields if dataset_of(field) in allowed}

    def datasets(self, datasets: Collection[int]) -> Collection[int]:
        """The datasets that may be entered."""
        if self._namespaces is None:
            return datasets
        new = set(datasets) - self._inside.keys()
        for key, name in tables(self._session, "dataset", new).items():
            self._inside[key] = name.namespace in self._namespaces
        return {dataset for dataset in datasets if self._inside[dataset]}


def _stamp(write: LastWrite) -> bytes:
    return write.stamp
