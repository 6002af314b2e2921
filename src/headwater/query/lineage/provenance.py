"""Provenance of a version: its run, the versions that the run read, and so on, back to what nobody is known to write.

A node is a column of a version. Which versions a run read is not stored: they are those in force when it read, so a
producer that is told of late counts, too.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from headwater.common.groups import sets_by_key
from headwater.common.masking import Passage
from headwater.query.graph.answer import Answer, Direction, Edge, FieldName, Moment, Node, place_of
from headwater.query.graph.columns import listed
from headwater.query.graph.intervals import span_of
from headwater.query.graph.labels import Step, label_fields, steps, tables
from headwater.query.graph.steps import only_match_without_case, without_wider_renames
from headwater.query.lineage.reads import UNKNOWN, Read, Reads
from headwater.query.lineage.summary import Arc, classes, in_the_clear
from headwater.query.lineage.traversal import Fence, Walk
from headwater.query.lineage.unknown import unknown_of_versions
from headwater.query.search.resolve import DatasetName
from headwater.store.db.codes import FIELD_NUMBERS, Kin
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of, rows_of
from headwater.store.reads.edges import columns_of_mapping, hops_of_mappings, rows_on_of_mappings, store_features
from headwater.store.reads.fields import kin_pairs
from headwater.store.reads.versions import Version


def provenance(session: Session, dataset: DatasetName, version: Version, column: int | None, walk: Walk) -> Answer:
    """Follow a version of a column, or of all columns of its dataset, to the versions that it was made of."""
    walker = _Walker(session, version, walk)
    walker.go([column] if column else _columns(session, version))
    nodes, edges = walker.named()
    root = nodes[0].field if column else FieldName(dataset.namespace, dataset.name, None, version.id)
    moment = Moment(version.us, version.us, version.id)
    provisional = not version.stamp
    answer = Answer(Direction.UPSTREAM, root, moment, nodes, edges, walker.partial, provisional)
    return replace(answer, unknown=unknown_of_versions(session, answer, walker.versions(), walker.columns()))


def _columns(session: Session, version: Version) -> list[int]:
    """The columns of a version: what it wrote, and what its dataset's schema listed then."""
    dataset = version.dataset
    written = columns_of_mapping(session, version.mapping or 0, rows_of(dataset))
    there = written | listed(session, [dataset], span_of(session, Moment.at(version.us)))[dataset]
    structs = {outer for outer, inner in kin_pairs(session, there, Kin.INSIDE) if inner in there}
    return sorted(there - structs)


class _Walker:
    """A node is known by its number: `_nodes` has its field as shown and the place of its version."""

    def __init__(self, session: Session, version: Version, walk: Walk) -> None:
        self._session = session
        self._walk = walk
        self._features = store_features(session)
        self._fence = Fence(session, walk.namespaces)
        self._reads = Reads(session, version, aliases=self._features.aliases, named=self._features.named)
        self._nodes: list[tuple[int, int]] = []
        self._fields: list[int] = []
        self._numbers: dict[tuple[int, int], int] = {}
        self._distances: dict[int, int] = {}
        # The rows of versions that lead on by themselves, with the hops to each; and all that were looked at.
        self._rows: dict[int, int] = {}
        self._rows_read: set[int] = set()
        self._edges: dict[tuple[int, int], dict[tuple[int, str], bool]] = defaultdict(dict)
        self.partial = False

    def go(self, columns: Sequence[int]) -> None:
        """Visit every node once."""
        depth, level = self._walk.depth, 0
        frontier = self._visit({self._number(Read(column, 0, column, assumed=False)) for column in columns}, 0)
        rows: set[int] = set()
        while (frontier or rows) and not self.partial and (depth is None or level < depth):
            level += 1
            reached = self._step(frontier, rows) - self._distances.keys() - self._rows.keys()
            allowed = self._fence.datasets({self._dataset(node) for node in reached})
            entered = {node for node in reached if self._dataset(node) in allowed}
            rows = {node for node in entered if not self._nodes[node][0] & FIELD_NUMBERS}
            self._rows.update(dict.fromkeys(rows, level))
            frontier = self._visit(entered - rows, level)

    def named(self) -> tuple[tuple[Node, ...], tuple[Edge, ...]]:
        """Nodes and edges by name."""
        there = self._distances.keys() | self._rows.keys() | {self._rows_of(node) for node in self._distances}
        edges = {ends: texts for ends, texts in self._edges.items() if ends[0] in there and ends[1] in there}
        used = sorted(self._distances.keys() | {node for ends in edges for node in ends})
        names, types = self._names(used)
        ways = steps(self._session, {step for texts in edges.values() for step, _ in texts})
        return self._named_nodes(names, types, edges, ways), self._named_edges(names, edges, ways)

    def versions(self) -> dict[Version, int]:
        """The completed versions that were entered and left again, with the fewest hops to each."""
        depth, found = self._walk.depth, dict[Version, int]()
        for node, distance in (*self._distances.items(), *self._rows.items()):
            place = self._nodes[node][1]
            if place != UNKNOWN and (depth is None or distance < depth):
                version = self._reads.versions[place]
                if version.stamp:
                    found[version] = min(distance, found.get(version, distance))
        return found

    def columns(self) -> dict[Version, set[int]]:
        """The columns of each version that were visited, as fields of the version's own dataset."""
        places = ((self._nodes[node][1], self._fields[node]) for node in self._distances)
        return sets_by_key((self._reads.versions[place], key) for place, key in places if place != UNKNOWN)

    def _dataset(self, node: int) -> int:
        return dataset_of(self._nodes[node][0])

    def _number(self, read: Read) -> int:
        number = self._numbers.setdefault((read.shown, read.version), len(self._nodes))
        if number == len(self._nodes):
            self._nodes.append((read.shown, read.version))
            self._fields.append(read.field)
        return number

    def _rows_of(self, node: int) -> int:
        shown, version = self._nodes[node]
        dataset = dataset_of(shown) if version == UNKNOWN else self._reads.versions[version].dataset
        return self._number(Read(rows_of(dataset_of(shown)), version, rows_of(dataset), assumed=False))

    def _visit(self, nodes: Collection[int], level: int) -> Collection[int]:
        room = self._walk.limit - len(self._distances)
        if len(nodes) > room:
            self.partial = True
            names, _ = self._names(nodes)
            nodes = sorted(nodes, key=lambda node: _sortable(names[node]))[: max(room, 0)]
        self._distances.update(dict.fromkeys(nodes, level))
        return nodes

    def _step(self, frontier: Collection[int], rows: Collection[int]) -> set[int]:
        """Find the edges into nodes, into the rows that they are in and into others; returns where these come from."""
        rows_read = set(rows)
        if self._walk.rows:
            rows_read |= {self._rows_of(node) for node in frontier}
        rows_read -= self._rows_read
        self._rows_read |= rows_read
        columns = self._mapped([*frontier, *sorted(rows_read)])
        counted = [] if self._walk.direct else self._mapped(sorted(rows))
        if not columns and not counted:
            return set()
        hops = hops_of_mappings(self._session, self._features, columns, direct=self._walk.direct)
        if self._features.kin:
            hops = only_match_without_case(self._session, hops)
        if self._features.renames:
            hops = without_wider_renames(hops, up=True)
        if counted:
            hops = [*hops, *rows_on_of_mappings(self._session, counted)]
        if not self._walk.rows:
            hops = [hop for hop in hops if hop[0] & FIELD_NUMBERS]
        behind = self._reads.resolve({(self._nodes[hop[1]][1], hop[0]) for hop in hops})
        reached: set[int] = set()
        for field, node, step, description, *_ in hops:
            for read in behind[self._nodes[node][1], field]:
                origin = self._number(read)
                self._edges[origin, node][step, description] = read.assumed
                reached.add(origin)
        return reached

    def _mapped(self, nodes: Iterable[int]) -> list[tuple[int, int, int]]:
        """Those of nodes that a mapping is known for: the node, its field and the mapping."""
        places = [(node, self._nodes[node][1]) for node in nodes]
        mappings = [(node, self._reads.versions[place].mapping) for node, place in places if place != UNKNOWN]
        return [(node, self._fields[node], mapping) for node, mapping in mappings if mapping is not None]

    def _names(self, nodes: Collection[int]) -> tuple[dict[int, FieldName], dict[int, str]]:
        shown = {self._nodes[node][0] for node in nodes}
        rows = {field for field in shown if field == rows_of(dataset_of(field))}
        labels = label_fields(self._session, shown - rows, rows)
        names: dict[int, FieldName] = {}
        for node in nodes:
            field, place = self._nodes[node]
            name, version = labels.names[field], None if place == UNKNOWN else self._reads.versions[place].id
            names[node] = FieldName(name.namespace, name.name, name.field, version)
        return names, {node: labels.types.get(self._nodes[node][0], "") for node in nodes}

    def _named_nodes(
        self,
        names: dict[int, FieldName],
        types: dict[int, str],
        edges: dict[tuple[int, int], dict[tuple[int, str], bool]],
        ways: dict[int, Step],
    ) -> tuple[Node, ...]:
        arcs: defaultdict[int, list[Arc]] = defaultdict(list)
        for (origin, destination), texts in edges.items():
            arcs[destination] += [(origin, ways[step].kind, ways[step].masking.passage) for step, _ in texts]
        for node in self._distances:
            if (rows := self._rows_of(node)) in arcs:
                arcs[node].append((rows, 0, Passage.AS_IT_IS))
        roots = [node for node, distance in self._distances.items() if distance == 0]
        kinds, clear = classes(roots, arcs), in_the_clear(roots, arcs, up=True)
        nodes = [
            Node(names[node], types[node], distance, kinds[node], node not in clear)
            for node, distance in self._distances.items()
        ]
        nodes.sort(key=lambda node: (node.distance, _sortable(node.field)))
        # A view is read at several times: it is one node, the nearest.
        return tuple({node.field: node for node in reversed(nodes)}.values())[::-1]

    def _named_edges(
        self,
        names: dict[int, FieldName],
        edges: dict[tuple[int, int], dict[tuple[int, str], bool]],
        ways: dict[int, Step],
    ) -> tuple[Edge, ...]:
        writers = {key: self._reads.versions[self._nodes[key[1]][1]] for key in edges}
        jobs = tables(self._session, "job", {version.job for version in writers.values()} - {0})
        named: dict[tuple[FieldName, FieldName], Edge] = {}
        for ends, texts in edges.items():
            origin, destination = (names[end] for end in ends)
            hows = tuple(sorted((ways[step].transformation(text) for step, text in texts), key=place_of))
            version, assumed = writers[ends], any(texts.values())
            named[origin, destination] = Edge(
                origin, destination, hows, jobs.get(version.job), version.run_id, version.carried, assumed
            )
        return tuple(sorted(named.values(), key=lambda edge: (_sortable(edge.destination), _sortable(edge.origin))))


def _sortable(name: FieldName) -> tuple[str, str, bool, str, str]:
    return name.namespace, name.name, name.field is not None, name.field or "", name.version or ""
