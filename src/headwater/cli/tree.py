"""An answer as a tree. What was shown once is not unfolded again: the tree is as long as the answer, not its paths."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.console import RenderableType
from rich.text import Text
from rich.tree import Tree

from headwater.cli.words import edge_in_words, printable, short_names
from headwater.graph.answer import Answer, Direction, Edge, FieldName, Node


@dataclass(frozen=True, slots=True)
class Branch:
    """A line of the tree: what it shows, and in words how it hangs on the line above."""

    to: FieldName
    words: str


def drawn(answer: Answer) -> Iterator[RenderableType]:
    """An answer, ready to print: the tree, then what its short names stand for."""
    yield draw(answer)
    for line in legend(answer):
        yield Text(line, "dim")


def draw(answer: Answer) -> Tree:
    """Draw an answer, the column asked about at the root."""
    drawing = _Drawing(answer)
    start = Branch(answer.root, "")
    root = Tree(drawing.label(start), guide_style="dim")
    shown: set[FieldName] = set()
    rest = [(root, start)]
    # An explicit stack: chains may be longer than Python's own.
    while rest:
        line, branch = rest.pop()
        if branch.to not in shown:
            shown.add(branch.to)
            below = [(line.add(drawing.label(found)), found) for found in drawing.branches[branch.to]]
            rest.extend(reversed(below))
        elif drawing.branches[branch.to]:
            line.label = drawing.label(branch).append("  (shown above)", "dim italic")
    return root


class _Drawing:
    """What is needed to label and unfold the lines of one tree."""

    def __init__(self, answer: Answer) -> None:
        self.upstream = answer.direction is Direction.UPSTREAM
        self.nodes = {node.field: node for node in answer.nodes}
        named = [answer.root, *(name for edge in answer.edges for name in (edge.origin, edge.destination))]
        self.short = short_names((name.namespace, name.name) for name in named)
        self.branches = _branches(answer.edges, answer.nodes, upstream=self.upstream)
        self.sizes: dict[FieldName, int] = defaultdict(int)
        for node in answer.nodes:
            self.sizes[node.field.rows] += 1

    def label(self, branch: Branch) -> Text:
        """One line: the column, its type, what happens to it."""
        name, short = branch.to, printable(self.short[branch.to.namespace, branch.to.name])
        text = Text()
        if name.field is None:
            many = not self.upstream and self.sizes[name] > 1
            text.append(f"all {self.sizes[name]} columns of " if many else "rows of ", "italic")
            text.append(short, "cyan")
        else:
            text.append(short, "cyan").append(".").append(printable(name.field), "bold")
            node = self.nodes[name]
            if node.type:
                text.append(f"  {printable(node.type)}", "dim")
        if branch.words:
            text.append("  ← " if self.upstream else "  → ", "dim").append(printable(branch.words), "green")
        if name in self.nodes and self.nodes[name].masked:
            text.append("  [masked]", "magenta")
        return text


def _branches(edges: Iterable[Edge], nodes: Iterable[Node], *, upstream: bool) -> defaultdict[FieldName, list[Branch]]:
    branches: defaultdict[FieldName, list[Branch]] = defaultdict(list)
    for edge in sorted(edges, key=lambda edge: (edge.dataset_level, edge.transformations[0].kind)):
        start, end = (edge.destination, edge.origin) if upstream else (edge.origin, edge.destination)
        branches[start].append(Branch(end, edge_in_words(edge)))
    for name in [node.field for node in nodes]:
        # The rows stand between a column and what decides on them; columns that lead nowhere are only counted.
        if upstream and name.rows in branches:
            branches[name].append(Branch(name.rows, ""))
        elif not upstream and name in branches:
            branches[name.rows].append(Branch(name, ""))
    return branches


def legend(answer: Answer) -> list[str]:
    """What the tree's short names stand for, who wrote them, and how much was found."""
    others = [node for node in answer.nodes if node.field != answer.root]
    if not others:
        column = f"{answer.root.namespace}/{answer.root.name} {answer.root.field}"
        found = "Nothing is known to feed" if answer.direction is Direction.UPSTREAM else "Nothing is known to read"
        return [printable(f"{found} {column}.")]
    short = _Drawing(answer).short
    jobs: dict[tuple[str, str], set[str]] = defaultdict(set)
    for edge in answer.edges:
        jobs[edge.destination.namespace, edge.destination.name].add(edge.job[1])
    lines = [""]
    for name in sorted(short, key=lambda name: short[name]):
        written = f", written by {', '.join(sorted(jobs[name]))}" if jobs[name] else ""
        lines.append(printable(f"{short[name]}: {name[0]}/{name[1]}{written}"))
    datasets = {(node.field.namespace, node.field.name) for node in others}
    masked = sum(node.masked for node in others)
    said = f"{_count(len(others), 'column')} in {_count(len(datasets), 'dataset')}"
    return [*lines, f"{said}, {masked} of them masked on every path." if masked else f"{said}."]


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
