"""An answer as a tree. Each node unfolds once: the tree is as long as the answer, not as all its paths."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rich.console import RenderableType
from rich.text import Text
from rich.tree import Tree

from headwater.common.groups import lists_by_key, sets_by_key
from headwater.notebook.words import count, edge_in_words, printable, short_names, table_label
from headwater.openlineage.model.instants import time_text
from headwater.query.graph.answer import Answer, Direction, Edge, FieldName, Kind, TableAnswer, TableKind, TableName
from headwater.render.text.names import FEW, PARTIAL, Naming, dropped_text, subject
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


def tree_lines(answer: Answer | TableAnswer, *, every: bool = False) -> Iterator[RenderableType]:
    """An answer, ready to print: the tree, then its legend. `every`: with all conditions on rows, one by one."""
    if isinstance(answer, Answer) and answer.dropped is not None:
        column = subject(answer.root, Naming([answer.root]))
        yield dropped_text(answer.dropped, column, answer.direction)
    yield draw(answer, every=every)
    for line in legend(answer, every=every):
        yield Text(line, "dim")
    if isinstance(answer, Answer):
        naming = Naming([answer.root, *names_in(answer.unknown)])
        yield from unknown_lines(answer.unknown, naming, _MISSING[answer.direction])


def draw(answer: Answer | TableAnswer, *, every: bool = False) -> Tree:
    """Draw an answer as a tree, with the subject of the question at the root."""
    if isinstance(answer, Answer):
        columns = _Columns(answer, every=every)
        tree = _unfold(Branch(answer.root, ""), columns.branches, columns.label)
        if columns.folded:
            tree.add(Text(columns.folded, "italic"))
        return tree
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

    def __init__(self, answer: Answer, *, every: bool) -> None:
        self.upstream = answer.direction is Direction.UPSTREAM
        self.root = answer.root
        self.nodes = {node.field: node for node in answer.nodes}
        named = [answer.root, *(name for edge in answer.edges for name in (edge.origin, edge.destination))]
        self.short = short_names((name.namespace, name.name) for name in named)
        self.sizes: dict[FieldName, int] = defaultdict(int)
        for node in answer.nodes:
            self.sizes[node.field.rows] += 1
        self.folded = ""
        lines = _lines(answer.edges)
        conditions = [line for line in lines if line.dataset_level]
        if len(conditions) > FEW and not every:
            values = _branches(answer, [line for line in lines if not line.dataset_level], upstream=self.upstream)
            shown = _reached(answer.root, values)
            if any(node.distance and node.field in shown for node in answer.nodes):
                hidden = sum(1 for node in answer.nodes if node.distance and node.field not in shown)
                more = f", with {count(hidden, 'more column')}" if hidden else ""
                self.folded = f"+ {count(len(conditions), 'condition')} on rows{more} (--all)"
                self.branches = values
                return
        self.branches = _branches(answer, lines, upstream=self.upstream)

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


@dataclass(frozen=True, slots=True)
class _Line:
    """What all jobs that say the same say of two columns, or of a column and a dataset's rows."""

    origin: FieldName
    destination: FieldName
    closest: Kind
    words: str

    @property
    def dataset_level(self) -> bool:
        """Whether it is a condition on rows."""
        return self.destination.field is None


def _lines(edges: Iterable[Edge]) -> list[_Line]:
    """Edges in words, each once however many jobs say it: those that pass a value on first, conditions on rows last."""
    said = lists_by_key(((edge.origin, edge.destination, edge_in_words(edge)), edge) for edge in edges)
    lines = [
        _Line(origin, destination, min(map(_closest, same)), words + _certainty(same))
        for (origin, destination, words), same in said.items()
    ]
    return sorted(lines, key=lambda line: (line.dataset_level, line.closest))


def _branches(answer: Answer, lines: Iterable[_Line], *, upstream: bool) -> dict[FieldName, list[Branch[FieldName]]]:
    branches: defaultdict[FieldName, list[Branch[FieldName]]] = defaultdict(list)
    for line in lines:
        start, end = (line.destination, line.origin) if upstream else (line.origin, line.destination)
        branches[start].append(Branch(end, line.words))
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


def _reached(root: FieldName, branches: Mapping[FieldName, Sequence[Branch[FieldName]]]) -> set[FieldName]:
    """What a tree shows."""
    shown = {root}
    rest = [root]
    while rest:
        for branch in branches.get(rest.pop(), ()):
            if branch.to not in shown:
                shown.add(branch.to)
                rest.append(branch.to)
    return shown


def _closest(edge: Edge) -> Kind:
    return min((step.kind for step in edge.transformations), default=Kind.INDIRECT)


def _certainty(edges: Sequence[Edge]) -> str:
    """How certain it is what several jobs say: as certain as the one that knows best."""
    notes = [
        word
        for word, holds in (
            ("carried", all(edge.carried for edge in edges)),
            ("assumed", all(edge.assumed for edge in edges)),
        )
        if holds
    ]
    return f" ({', '.join(notes)})" if notes else ""


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


def legend(answer: Answer | TableAnswer, *, every: bool = False) -> list[str]:
    """The full names of the datasets in the tree, the jobs that write them, and the totals of the whole answer."""
    lines = _column_legend(answer, every=every) if isinstance(answer, Answer) else _table_legend(answer)
    if answer.partial:
        lines.append(PARTIAL)
    if isinstance(answer, Answer) and answer.provisional:
        lines.append("Provisional: the run that wrote this failed or has not completed.")
    return [printable(line) for line in lines]


def _column_legend(answer: Answer, *, every: bool) -> list[str]:
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
    columns = _Columns(answer, every=every)
    shown = {(name.namespace, name.name) for name in _reached(answer.root, columns.branches)}
    return ["", *_names({name: short for name, short in columns.short.items() if name in shown}, jobs), total]


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
    then = "" if answer.moment.until is None else f" at {time_text(answer.moment.until)}"
    return f"No lineage recorded {answer.direction.value} of {name}{then}."
