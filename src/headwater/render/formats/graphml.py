"""Answers as GraphML, for yEd, Gephi, NetworkX and the like."""

import re
from xml.sax.saxutils import escape, quoteattr

from headwater.query.graph.answer import Answer, TableAnswer
from headwater.render.formats.graph import Arc, Graph, Vertex, graph_of

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"


def text(answer: Answer | TableAnswer) -> str:
    """One graph; columns have their dataset as an attribute. Characters that XML does not allow are escaped."""
    graph = graph_of(answer)
    keys = _keys(graph)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<graphml xmlns="{_NAMESPACE}">']
    for (domain, name), (key, kind) in keys.items():
        lines.append(f'  <key id="{key}" for="{domain}" attr.name={quoteattr(name)} attr.type="{kind}"/>')
    lines.append('  <graph edgedefault="directed">')
    for vertex in graph.vertices:
        lines.append(f'    <node id="{vertex.id}">')
        lines += _data(_vertex(graph, vertex), "node", keys)
        lines.append("    </node>")
    for number, arc in enumerate(graph.arcs):
        lines.append(f'    <edge id="e{number}" source="{arc.start}" target="{arc.end}">')
        lines += _data(_arc(arc), "edge", keys)
        lines.append("    </edge>")
    lines += ["  </graph>", "</graphml>"]
    return "\n".join(lines) + "\n"


def _vertex(graph: Graph, vertex: Vertex) -> dict[str, object]:
    dataset = {} if vertex.group is None else {"dataset": graph.groups[vertex.group].title}
    return {"label": vertex.label, **dataset, **vertex.attributes, "root": vertex.root}


def _arc(arc: Arc) -> dict[str, object]:
    return {"label": arc.label, **arc.attributes}


def _keys(graph: Graph) -> dict[tuple[str, str], tuple[str, str]]:
    """The attributes that occur, each with an id and a type."""
    keys: dict[tuple[str, str], tuple[str, str]] = {}
    domains = (
        ("node", [_vertex(graph, vertex) for vertex in graph.vertices]),
        ("edge", [_arc(arc) for arc in graph.arcs]),
    )
    for domain, elements in domains:
        for attributes in elements:
            for name, value in attributes.items():
                if value is not None:
                    keys.setdefault((domain, name), (f"d{len(keys)}", _kind(value)))
    return keys


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "int" if isinstance(value, int) else "string"


def _data(attributes: dict[str, object], domain: str, keys: dict[tuple[str, str], tuple[str, str]]) -> list[str]:
    lines = []
    for name, value in attributes.items():
        if value is not None:
            written = str(value).lower() if isinstance(value, bool) else _xml(str(value))
            lines.append(f'      <data key="{keys[domain, name][0]}">{written}</data>')
    return lines


def _xml(value: str) -> str:
    r"""Text of an element; XML turns a carriage return into a line feed unless it is written as a number.

    >>> _xml("a<b\x1b\r")
    'a&lt;b\\x1b&#13;'
    """
    plain = _NOT_IN_XML.sub(lambda match: match[0].encode("unicode_escape").decode(), value)
    return escape(plain, {"\r": "&#13;"})
