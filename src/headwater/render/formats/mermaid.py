"""Answers as a Mermaid flowchart, for Markdown on GitHub and GitLab."""

from headwater.notebook.words import printable
from headwater.query.graph.answer import Answer, TableAnswer
from headwater.render.formats.graph import Vertex, graph_of

_PLAIN = frozenset(" _-./,")
_ASCII = 128
# Mermaid replaces `#` and `;` by these while it reads.
_MERMAIDS_OWN = frozenset("ﬂ°¶ß")


def text(answer: Answer | TableAnswer) -> str:
    """A flowchart from left to right, the columns of a dataset in one subgraph."""
    graph = graph_of(answer)
    grouped = graph.by_group()
    lines = ["flowchart LR"]
    for number, group in enumerate(graph.groups):
        lines.append(f"  subgraph g{number}[{quoted(group.label)}]")
        lines += [f"    {_node(vertex)}" for vertex in grouped[number]]
        lines.append("  end")
    lines += [f"  {_node(vertex)}" for vertex in grouped[None]]
    for arc in graph.arcs:
        label = f"|{quoted(arc.label)}|" if arc.label else ""
        lines.append(f"  {arc.start} {'-->' if arc.direct else '-.->'}{label} {arc.end}")
    return "\n".join(lines) + "\n"


def _node(vertex: Vertex) -> str:
    label = quoted(vertex.label)
    if vertex.attributes["kind"] in {"JOB", "ROWS"}:
        return f"{vertex.id}([{label}])"
    return f"{vertex.id}[[{label}]]" if vertex.root else f"{vertex.id}[{label}]"


def quoted(value: str) -> str:
    """A quoted string of Mermaid: of ASCII, only letters, digits and a few marks stay; all else is written as numbers.

    Colons too: before it reads a chart, Mermaid cuts a character off lines that look like a style with a colour.

    >>> quoted('a["b"] 💧')
    '"a#91;#34;b#34;#93; 💧"'
    """
    return f'"{"".join(map(_letter, printable(value)))}"'


def _letter(char: str) -> str:
    plain = char in _PLAIN or ((char.isalnum() or ord(char) >= _ASCII) and char not in _MERMAIDS_OWN)
    return char if plain else f"#{ord(char)};"
