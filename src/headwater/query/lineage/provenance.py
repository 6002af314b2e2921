"""Provenance of a version: its run, the versions that the run read, and so on, back to what nobody is known to write.

A node is a column of a version. Which versions a run read is not stored: they are those in force when it read, so a
producer that is told of late counts, too.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence

from headwater.query.graph.answer import Answer, Direction, Edge, FieldName, Moment, Node, Transformation
from headwater.query.graph.columns import listed
from headwater.query.graph.intervals import span_of
from headwater.query.graph.labels import Step, label_fields, steps, tables
from headwater.query.graph.steps import Has, only_match_without_case, what_store_has, without_wider_renames
from headwater.query.lineage.reads import UNKNOWN, Read, Reads
from headwater.query.lineage.summary import Arc, classes, in_the_clear
from headwater.query.lineage.traversal import Fence, Walk, place_of
from headwater.query.lineage.versions import Version
from headwater.query.search.resolve import DatasetName
from headwater.store.db.codes import RENAME_STEP, Kin
from headwater.store.db.predicates import is_rename
from headwater.store.db.session import Given, Row, Session, ids
from headwater.store.entities.keys import dataset_of, rows_of

# These are hops up, as in steps; a slot is not needed.
_EDGES = """
SELECT edge.in_field, given.id, edge.step, edge.description, 0, 0, 0, given.mapping, {match}, {how}
FROM {{given}} {kin} {{join}} edge ON edge.mapping = given.mapping AND edge.out_field = {match}
"""
_RENAMES = """
SELECT old.id, given.id, {renamed}, '', 0, 0, 0, given.mapping, {match}, {how}
FROM {{given}} {kin}
{{join}} mapping ON mapping.id = given.mapping AND {is_rename}
{{join}} field ON field.id = {match}
{{join}} field old ON old.dataset = mapping.origin AND old.key = field.key
"""
_EXACT = {"match": "given.match", "how": str(Kin.ITSELF.value), "kin": ""}
_KIN = {"match": "kin.other", "how": "kin.how", "kin": "{join} kin ON kin.field = given.match"}
_DIRECT = "{{join}} step ON step.id = edge.step AND step.type <> 'INDIRECT'\n"
_WRITTEN = "SELECT DISTINCT edge.out_field FROM edge WHERE edge.mapping = :mapping AND edge.out_field <> :rows"
_INSIDE = f"""
SELECT kin.field, kin.other FROM {{given}} {{join}} kin ON kin.field = given.id AND kin.how = {Kin.INSIDE}
"""  # noqa: S608  our own words


def provenance(session: Session, dataset: DatasetName, version: Version, column: int | None, walk: Walk) -> Answer:
    """Follow a version of a column, or of all columns of its dataset, to the versions that it was made of."""
    walker = _Walker(session, version, walk)
    walker.go([column] if column else _columns(session, version))
    nodes, edges = walker.named()
    root = nodes[0].field if column else FieldName(dataset.namespace, dataset.name, None, version.id)
    moment = Moment(version.us, version.us, version.id)
    provisional = not version.stamp
    return Answer(Direction.UPSTREAM, root, moment, nodes, edges, walker.partial, provisional)


def _columns(session: Session, version: Version) -> list[int]:
    """The columns of a version: what it wrote, and what its dataset's schema listed then."""
    dataset = version.dataset
    written = session.rows(_WRITTEN, mapping=version.mapping or 0, rows=rows_of(dataset))
    there = {field for (field,) in written} | listed(session, [dataset], span_of(Moment.at(version.us)))[dataset]
    structs = {outer for outer, inner in session.rows(_INSIDE, ids(there)) if inner in there}
    return sorted(there - structs)


class _Walker:
    """A node is known by its number: `_nodes` has its field as shown and the place of its version."""

    def __init__(self, session: Session, version: Version, walk: Walk) -> None:
        self._session = session
        self._walk = walk
        self._has = what_store_has(session)
        self._statement = _statement(self._has, direct=walk.direct)
        self._fence = Fence(session, walk.namespaces)
        self._reads = Reads(session, version, aliases=self._has.aliases, named=self._has.named)
        self._nodes: list[tuple[int, int]] = []
        self._fields: list[int] = []
        self._numbers: dict[tuple[int, int], int] = {}
        self._distances: dict[int, int] = {}
        self._rows_read: set[int] = set()
        self._edges: dict[tuple[int, int], dict[tuple[int, str], bool]] = defaultdict(dict)
        self.partial = False

    def go(self, columns: Sequence[int]) -> None:
        """Visit every node once."""
        depth, level = self._walk.depth, 0
        frontier = self._visit({self._number(Read(column, 0, column, assumed=False)) for column in columns}, 0)
        while frontier and not self.partial and (depth is None or level < depth):
            level += 1
            reached = self._step(frontier) - self._distances.keys()
            allowed = self._fence.datasets({self._dataset(node) for node in reached})
            frontier = self._visit({node for node in reached if self._dataset(node) in allowed}, level)

    def named(self) -> tuple[tuple[Node, ...], tuple[Edge, ...]]:
        """Nodes and edges by name."""
        there = self._distances.keys() | {self._rows_of(node) for node in self._distances}
        edges = {key: what for key, what in self._edges.items() if key[0] in there and key[1] in there}
        used = sorted(self._distances.keys() | {end for key in edges for end in key})
        names, types = self._names(used)
        found = steps(self._session, {step for what in edges.values() for step, _ in what})
        return self._named_nodes(names, types, edges, found), self._named_edges(names, edges, found)

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

    def _step(self, frontier: Collection[int]) -> set[int]:
        """Find the edges into nodes and into the rows that they are in; returns where these come from."""
        rows_read = {self._rows_of(node) for node in frontier} - self._rows_read
        self._rows_read |= rows_read
        wanted: list[Row] = []
        for node in (*frontier, *sorted(rows_read)):
            version = self._nodes[node][1]
            mapping = None if version == UNKNOWN else self._reads.versions[version].mapping
            if mapping is not None:
                wanted.append((node, self._fields[node], mapping))
        if not wanted:
            return set()
        found = self._session.rows(self._statement, Given("id int, match int, mapping int", wanted))
        if self._has.kin:
            found = only_match_without_case(self._session, found)
        if self._has.renames:
            found = without_wider_renames(found, up=True)
        behind = self._reads.resolve({(self._nodes[hop[1]][1], hop[0]) for hop in found})
        reached: set[int] = set()
        for field, node, step, description, *_ in found:
            for read in behind[self._nodes[node][1], field]:
                origin = self._number(read)
                self._edges[origin, node][step, description] = read.assumed
                reached.add(origin)
        return reached

    def _names(self, nodes: Collection[int]) -> tuple[dict[int, FieldName], dict[int, str]]:
        shown = {self._nodes[node][0] for node in nodes}
        rows = {field for field in shown if field == rows_of(dataset_of(field))}
        labels = label_fields(self._session, shown - rows, rows)
        names: dict[int, FieldName] = {}
        for node in nodes:
            field, version = self._nodes[node]
            name = labels.names[field]
            names[node] = FieldName(
                name.namespace,
                name.name,
                name.field,
                None if version == UNKNOWN else self._reads.versions[version].id,
            )
        return names, {node: labels.types.get(self._nodes[node][0], "") for node in nodes}

    def _named_nodes(
        self,
        names: dict[int, FieldName],
        types: dict[int, str],
        edges: dict[tuple[int, int], dict[tuple[int, str], bool]],
        found: dict[int, Step],
    ) -> tuple[Node, ...]:
        arcs: defaultdict[int, list[Arc]] = defaultdict(list)
        for (origin, destination), what in edges.items():
            arcs[destination] += [(origin, found[step].kind, found[step].masking) for step, _ in what]
        for node in self._distances:
            if (rows := self._rows_of(node)) in arcs:
                arcs[node].append((rows, 0, False))
        roots = [node for node, distance in self._distances.items() if distance == 0]
        kinds, clear = classes(roots, arcs), in_the_clear(roots, arcs)
        nodes = [
            Node(names[node], types[node], distance, kinds[node], node not in clear)
            for node, distance in self._distances.items()
        ]
        nodes.sort(key=lambda node: (node.distance, _sortable(node.field)))
        return tuple(nodes)

    def _named_edges(
        self,
        names: dict[int, FieldName],
        edges: dict[tuple[int, int], dict[tuple[int, str], bool]],
        found: dict[int, Step],
    ) -> tuple[Edge, ...]:
        writers = {key: self._reads.versions[self._nodes[key[1]][1]] for key in edges}
        jobs = tables(self._session, "job", {version.job for version in writers.values()} - {0})
        made = [
            Edge(
                names[origin],
                names[destination],
                tuple(
                    sorted(
                        (
                            Transformation(found[step].type, found[step].subtype, found[step].masking, text)
                            for step, text in what
                        ),
                        key=place_of,
                    )
                ),
                jobs.get(writers[origin, destination].job),
                writers[origin, destination].run_id,
                writers[origin, destination].carried,
                assumed=any(what.values()),
            )
            for (origin, destination), what in edges.items()
        ]
        made.sort(key=lambda edge: (_sortable(edge.destination), _sortable(edge.origin)))
        return tuple(made)


def _statement(has: Has, *, direct: bool) -> str:
    ways = [_EXACT, _KIN] if has.kin else [_EXACT]
    parts = [(_EDGES + (_DIRECT if direct else "")).format(**way) for way in ways]
    if has.renames:
        renames = {"renamed": RENAME_STEP, "is_rename": is_rename("mapping")}
        parts += [_RENAMES.format(**way, **renames) for way in ways]
    return "UNION ALL".join(parts)


def _sortable(name: FieldName) -> tuple[str, str, bool, str, str]:
    return name.namespace, name.name, name.field is not None, name.field or "", name.version or ""
