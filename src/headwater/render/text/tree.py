"""An answer as a tree. Each node unfolds once: the tree is as long as the answer, not as all its paths."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rich.console import RenderableType
from rich.text import Text
from rich.tree import Tree

from headwater.common.groups import lists_by_key, sets_by_key
from headwater.notebook.words import count, edge_in_words, printable, short_names, table_label
from headwater.openlineage.model.instants import instant_text
from headwater.query.graph.answer import Answer, Direction, Edge, FieldName, Kind, TableAnswer, TableKind, TableName
from headwater.render.text.names import PARTIAL, Naming
from headwater.render.text.unknown import names_in, unknown_lines

_MISSING = {
    Direction.UPSTREAM: "May also come from there (no column lineage recorded):",
    Direction.DOWNSTREAM: "May also reach there (no column lineage recorded):",
}

End = tuple[TableKind, TableName]
Name = TypeVar("Name", FieldName, End)


@dataclass(frozen=True, slots=True)
class Branch(Generic[Name]):
    """A line of the tree: its node, and in words the edge to the line above."""

    to: Name
    words: str


def tree_lines(answer: Answer | TableAnswer) -> Iterator[RenderableType]:
    """An answer, ready to print: the tree, then its legend."""
    yield draw(answer)
    for line in legend(answer):
        yield Text(line, "dim")
    if isinstance(answer, Answer):
        naming = Naming([answer.root, *names_in(answer.unknown)])
        yield from unknown_lines(answer.unknown, naming, _MISSING[answer.direction])


def draw(answer: Answer | TableAnswer) -> Tree:
    """Draw an answer as a tree, with the subject of the question at the root."""
    if isinstance(answer, Answer):
        columns = _Columns(answer)
        return _unfold(Branch(answer.root, ""), columns.branches, columns.label)
    tables = _Tables(answer)
    return _unfold(Branch(tables.root, ""), tables.branches, tables.label)


def _unfold(
    start: Branch[Name], branches: Mapping[Name, Sequence[Branch[Name]]], label: Callable[[Branch[Name]], Text]
) -> Tree:
    root = Tree(label(start), guide_style="dim")
    shown: set[Name] = set()
    rest = [(root, start)]
    # An explicit stack: chains may be longer than Python's recursion limit.
    while rest:
        line, branch = rest.pop()
        onward = branches.get(branch.to, ())
        if branch.to not in shown:
            shown.add(branch.to)
            below = [(line.add(label(inner)), inner) for inner in onward]
            rest.extend(reversed(below))
        elif onward:
            line.label = label(branch).append("  (shown above)", "dim italic")
    return root


class _Columns:
    """Labels and branches of a tree of columns."""

    def __init__(self, answer: Answer) -> None:
        self.upstream = answer.direction is Direction.UPSTREAM
        self.root = answer.root
        self.nodes = {node.field: node for node in answer.nodes}
        named = [answer.root, *(name for edge in answer.edges for name in (edge.origin, edge.destination))]
        self.short = short_names((name.namespace, name.name) for name in named)
        self.branches = _branches(answer, upstream=self.upstream)
        self.sizes: dict[FieldName, int] = defaultdict(int)
        for node in answer.nodes:
            self.sizes[node.field.rows] += 1

    def label(self, branch: Branch[FieldName]) -> Text:
        """One line: the column, its type, and its transformation."""
        name, short = branch.to, printable(table_label(branch.to, self.short))
        text = Text()
        if name == self.root and name.field is None:
            text.append(short, "cyan")
        elif name.field is None:
            many = not self.upstream and self.sizes[name] > 1
            text.append(f"all {self.sizes[name]} columns of " if many else "rows of ", "italic")
            text.append(short, "cyan")
        else:
            text.append(short, "cyan").append(".").append(printable(name.field), "bold")
            node = self.nodes.get(name)
            if node and node.type:
                text.append(f"  {printable(node.type)}", "dim")
        if branch.words:
            text.append("  ← " if self.upstream else "  → ", "dim").append(printable(branch.words), "green")
        if name in self.nodes and self.nodes[name].masked:
            text.append("  [masked]", "magenta")
        return text


def _branches(answer: Answer, *, upstream: bool) -> dict[FieldName, list[Branch[FieldName]]]:
    branches: defaultdict[FieldName, list[Branch[FieldName]]] = defaultdict(list)
    for edge in sorted(answer.edges, key=lambda edge: (edge.dataset_level, _closest(edge))):
        start, end = (edge.destination, edge.origin) if upstream else (edge.origin, edge.destination)
        branches[start].append(Branch(end, _words(edge)))
    if answer.root.field is None:
        # The question is about all columns of a dataset: the root stands for them, and for its rows.
        branches[answer.root][:0] = [Branch(node.field, "") for node in answer.nodes if node.distance == 0]
    for name in [node.field for node in answer.nodes if node.field.rows != answer.root]:
        # Rows stand between a column and the columns that decide on them; columns that lead nowhere are only counted.
        if upstream and name.rows in branches:
            branches[name].append(Branch(name.rows, ""))
        elif not upstream and name in branches:
            branches[name.rows].append(Branch(name, ""))
    return branches


def _closest(edge: Edge) -> int:
    return min((step.kind for step in edge.transformations), default=Kind.INDIRECT)


def _words(edge: Edge) -> str:
    """The transformation on an edge, and how certain it is."""
    notes = [word for word, holds in (("carried", edge.carried), ("assumed", edge.assumed)) if holds]
    return edge_in_words(edge) + (f" ({', '.join(notes)})" if notes else "")


class _Tables:
    """Labels and branches of a tree of datasets and jobs."""

    def __init__(self, answer: TableAnswer) -> None:
        self.upstream = answer.direction is Direction.UPSTREAM
        first = answer.nodes[0]
        self.root: End = (first.kind, first.name)
        self.short = short_names(
            (node.name.namespace, node.name.name) for node in answer.nodes if node.kind is TableKind.DATASET
        )
        ends = ((edge.origin, edge.destination) for edge in answer.edges)
        ways = ((end, start) if self.upstream else (start, end) for start, end in ends)
        self.branches = lists_by_key((start, Branch(end, "")) for start, end in ways)

    def label(self, branch: Branch[End]) -> Text:
        """One line: a dataset, or a job."""
        kind, name = branch.to
        if kind is TableKind.DATASET:
            short = self.short.get((name.namespace, name.name), name.full)
            return Text(printable(short), "cyan")
        return Text("job ", "italic").append(printable(name.name), "green")


def legend(answer: Answer | TableAnswer) -> list[str]:
    """The full names of the datasets in the tree, the jobs that write them, and the totals."""
    lines = _column_legend(answer) if isinstance(answer, Answer) else _table_legend(answer)
    if answer.partial:
        lines.append(PARTIAL)
    if isinstance(answer, Answer) and answer.provisional:
        lines.append("Provisional: the run that wrote this failed or has not completed.")
    return [printable(line) for line in lines]


def _column_legend(answer: Answer) -> list[str]:
    others = [node for node in answer.nodes if node.distance]
    if not others:
        column = f"{answer.root.namespace}/{answer.root.name} {answer.root.field or ''}".rstrip()
        # Rows may lead on without a column; and what is not known is not nothing.
        return [] if answer.edges or answer.unknown else [_nothing(answer, column)]
    jobs = sets_by_key((edge.destination.table, edge.job.name) for edge in answer.edges if edge.job)
    datasets = {(node.field.namespace, node.field.name) for node in others}
    masked = sum(node.masked for node in others)
    total = f"{count(len(others), 'column')} in {count(len(datasets), 'dataset')}"
    total += f", {masked} of them masked on every path." if masked else "."
    return ["", *_names(_Columns(answer).short, jobs), total]


def _table_legend(answer: TableAnswer) -> list[str]:
    others = answer.nodes[1:]
    if not others:
        return [_nothing(answer, answer.root.full)]
    # A dataset that declares its inputs has no job in between.
    jobs = sets_by_key(
        (edge.destination[1], edge.origin[1].name)
        for edge in answer.edges
        if edge.destination[0] is TableKind.DATASET and edge.origin[0] is TableKind.JOB
    )
    datasets = sum(node.kind is TableKind.DATASET for node in others)
    total = f"{count(datasets, 'dataset')} and {count(len(others) - datasets, 'job')}."
    return ["", *_names(_Tables(answer).short, jobs), total]


def _names(short: Mapping[tuple[str, str], str], jobs: Mapping[TableName, set[str]]) -> Iterator[str]:
    for name in sorted(short, key=lambda name: short[name]):
        writers = jobs.get(TableName(*name))
        written = f", written by {', '.join(sorted(writers))}" if writers else ""
        yield f"{short[name]}: {name[0]}/{name[1]}{written}"


def _nothing(answer: Answer | TableAnswer, name: str) -> str:
    then = "" if answer.moment.until is None else f" at {instant_text(answer.moment.until)}"
    return f"No lineage recorded {answer.direction.value} of {name}{then}."
