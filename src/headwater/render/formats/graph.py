"""Answers as plain graphs: vertices in groups, and arcs between them. All graph formats are written from these."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import singledispatch

from headwater.common.groups import lists_by_key
from headwater.notebook.words import edge_in_words, short_names, table_label
from headwater.query.graph.answer import Answer, FieldName, TableAnswer, TableKind


@dataclass(frozen=True, slots=True)
class Vertex:
    """A column, the rows of a dataset, a dataset or a job. `id` is generated, and safe in every format."""

    id: str
    label: str
    group: int | None
    attributes: dict[str, str | int | bool | None]
    root: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A dataset with its columns in the answer."""

    label: str
    title: str


@dataclass(frozen=True, slots=True)
class Arc:
    """From what is read to what is written."""

    start: str
    end: str
    label: str
    attributes: dict[str, str | int | bool | None]
    direct: bool = True


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph to write."""

    groups: tuple[Group, ...]
    vertices: tuple[Vertex, ...]
    arcs: tuple[Arc, ...]

    def by_group(self) -> dict[int | None, list[Vertex]]:
        """The vertices of each group; None for those in no group."""
        return lists_by_key((vertex.group, vertex) for vertex in self.vertices)


@singledispatch
def graph_of(answer: object) -> Graph:
    """The graph of an answer."""
    raise TypeError(f"{type(answer).__name__} is not a graph")


@graph_of.register
def _columns(answer: Answer) -> Graph:
    names = list(dict.fromkeys((*(node.field for node in answer.nodes), *_ends(answer))))
    short = short_names((name.namespace, name.name) for name in names)
    ids = {name: f"n{number}" for number, name in enumerate(names)}
    tables = {rows: number for number, rows in enumerate(dict.fromkeys(name.rows for name in names))}
    nodes = {node.field: node for node in answer.nodes}
    vertices = []
    for name in names:
        node = nodes.get(name)
        attributes: dict[str, str | int | bool | None] = {
            "kind": "ROWS" if name.field is None else "COLUMN",
            "namespace": name.namespace,
            "name": name.name,
            "field": name.field,
            **({"version": name.version} if name.version else {}),
            **({"type": node.type, "distance": node.distance, "class": node.kind.name} if node else {}),
            **({"masked": node.masked} if node else {}),
        }
        label = "(rows)" if name.field is None else name.field
        root = node is not None and node.distance == 0
        vertices.append(Vertex(ids[name], label, tables[name.rows], attributes, root))
    arcs = [
        Arc(
            ids[edge.origin],
            ids[edge.destination],
            edge_in_words(edge),
            {
                "types": _joined(step.type for step in edge.transformations),
                "subtypes": _joined(step.subtype for step in edge.transformations),
                "descriptions": _joined(step.description for step in edge.transformations),
                "masking": bool(edge.transformations) and all(step.masking for step in edge.transformations),
                "job": edge.job.full if edge.job else None,
                "run": edge.run,
                "carried": edge.carried,
                "assumed": edge.assumed,
            },
            direct=any(step.type != "INDIRECT" for step in edge.transformations),
        )
        for edge in answer.edges
    ]
    # Every column reads its dataset's rows: without these, a path through the rows would end at them.
    arcs += [
        Arc(ids[name.rows], ids[name], "", {"types": "ROWS"}, direct=False)
        for name in names
        if name.field is not None and name.rows in ids
    ]
    groups = (Group(table_label(table, short), table.table.full) for table in tables)
    return Graph(tuple(groups), tuple(vertices), tuple(arcs))


def _ends(answer: Answer) -> Iterable[FieldName]:
    for edge in answer.edges:
        yield edge.origin
        yield edge.destination


def _joined(texts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(text for text in texts if text))


@graph_of.register
def _tables(answer: TableAnswer) -> Graph:
    nodes = [(node.kind, node.name) for node in answer.nodes]
    distances = {(node.kind, node.name): node.distance for node in answer.nodes}
    names = list(dict.fromkeys((*nodes, *(end for edge in answer.edges for end in (edge.origin, edge.destination)))))
    short = short_names((name.namespace, name.name) for kind, name in names if kind is TableKind.DATASET)
    ids = {end: f"n{number}" for number, end in enumerate(names)}
    vertices = [
        Vertex(
            ids[kind, name],
            short[name.namespace, name.name] if kind is TableKind.DATASET else name.name,
            None,
            {
                "kind": kind.value,
                "namespace": name.namespace,
                "name": name.name,
                "distance": distances.get((kind, name)),
            },
            root=(kind, name) == nodes[0] if nodes else False,
        )
        for kind, name in names
    ]
    arcs = [Arc(ids[edge.origin], ids[edge.destination], "", {"run": edge.run}) for edge in answer.edges]
    return Graph((), tuple(vertices), tuple(arcs))
