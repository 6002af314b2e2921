"""Answers in DOT, the language of Graphviz: `dot -Tsvg`."""

from collections.abc import Mapping

from headwater.notebook.words import printable
from headwater.query.graph.answer import Answer, TableAnswer
from headwater.render.formats.graph import Vertex, graph_of

_SHAPES = {"JOB": "cds", "ROWS": "plaintext"}


def text(answer: Answer | TableAnswer) -> str:
    """A directed graph, the columns of a dataset in one cluster."""
    graph = graph_of(answer)
    grouped = graph.by_group()
    lines = ["digraph lineage {", "  rankdir=LR;", '  node [shape=box, fontname="sans-serif"];']
    for number, group in enumerate(graph.groups):
        lines += [f"  subgraph cluster_{number} {{", f"    label={quoted(group.label)};"]
        lines += [f"    tooltip={quoted(group.title)};"]
        lines += [f"    {_node(vertex)}" for vertex in grouped[number]]
        lines.append("  }")
    lines += [f"  {_node(vertex)}" for vertex in grouped[None]]
    for arc in graph.arcs:
        style = {"label": arc.label} if arc.label else {}
        dashed = {} if arc.direct else {"style": "dashed"}
        lines.append(f"  {arc.start} -> {arc.end}{_attributes({**style, **dashed})};")
    return "\n".join([*lines, "}"]) + "\n"


def _node(vertex: Vertex) -> str:
    shape = _SHAPES.get(str(vertex.attributes["kind"]))
    attributes = {
        "label": vertex.label,
        **({"shape": shape} if shape else {}),
        **({"penwidth": "2"} if vertex.root else {}),
    }
    return f"{vertex.id}{_attributes(attributes)};"


def _attributes(attributes: Mapping[str, str]) -> str:
    written = ", ".join(f"{name}={quoted(value)}" for name, value in attributes.items())
    return f" [{written}]" if written else ""


def quoted(value: str) -> str:
    r"""A quoted string of DOT, safe from Graphviz's escapes and entities.

    >>> print(quoted('say "a\\N" & go'))
    "say \"a\\N\" &amp; go"
    """
    plain = printable(value).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'
