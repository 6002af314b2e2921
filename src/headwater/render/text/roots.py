"""The roots of a column as text: one line for each source column, then what is not known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from headwater.notebook.words import class_in_words, count, printable
from headwater.query.graph.answer import Direction, Kind
from headwater.query.lineage.roots import RootKind
from headwater.render.text.names import FEW, PARTIAL, Naming, dropped_text, subject
from headwater.render.text.unknown import names_in, unknown_lines

if TYPE_CHECKING:
    from headwater.query.graph.answer import TableName
    from headwater.query.lineage.roots import Root, Roots, SilentWriter


def root_lines(answer: Roots, *, every: bool) -> Iterator[Text]:
    """The roots with values, nearest first; then those that only decide on rows or conditions, each or in one line."""
    valued = [root for root in answer.roots if root.node.kind is not Kind.INDIRECT]
    deciding = answer.roots[len(valued) :]
    folded = bool(valued) and len(deciding) > FEW and not every
    shown = valued if folded else answer.roots
    naming = Naming(
        [answer.column, *(root.node.field for root in shown), *_names(answer.unknown), *names_in(answer.doubts)]
    )
    column = subject(answer.column, naming)
    if answer.dropped is not None:
        yield dropped_text(answer.dropped, column, Direction.UPSTREAM)
    yield Text(printable(column), "bold")
    for root in shown:
        yield _line(root, naming)
    if folded:
        yield Text(f"  + {count(len(deciding), 'column')} that only decide on rows or conditions (--all)", "italic")
    if answer.unknown:
        yield Text("There may be more (no column lineage recorded):")
    for writer in answer.unknown:
        yield _unknown(writer, naming)
    yield from unknown_lines(answer.doubts, naming, "There may be more (inputs without a named column):")
    yield Text("")
    yield from naming.legend()
    yield Text(f"{_summary(answer)}.", "dim")
    if answer.partial:
        yield Text(PARTIAL, "dim")


def _line(root: Root, naming: Naming) -> Text:
    node = root.node
    line = Text("  ").append(printable(naming.label(node.field)), "bold")
    if node.type:
        line.append(f"  {printable(node.type)}", "dim")
    if node.distance:
        line.append(f"  {class_in_words(node.kind.name, root.conditions)}", "green")
    if node.masked:
        line.append("  [masked]", "magenta")
    if node.distance:
        line.append(f"  {count(node.distance, 'step')}", "dim")
    return line.append(printable(f"  {_why(root)}"), "dim" if root.root is RootKind.SOURCE else "yellow")


def _why(root: Root) -> str:
    jobs = ", ".join(job.name for job in root.jobs)
    if root.root is RootKind.CONSTANT:
        return f"written by {jobs} from no column" if jobs else "declared without inputs"
    if root.root is RootKind.UNKNOWN:
        return f"unknown: {jobs} does not say from which columns" if jobs else "unknown: declared without columns"
    return "source" if root.root is RootKind.SOURCE else "not followed further"


def _unknown(writer: SilentWriter, naming: Naming) -> Text:
    by = f"written by {writer.job.name}" if writer.job else "declared"
    reads = ", ".join(naming.table(name) for name in writer.reads)
    how = f"{by}, which reads {reads}" if reads else f"{by}, which names no inputs"
    return Text("  ").append(printable(naming.table(writer.dataset)), "cyan").append(printable(f"  {how}"), "dim")


def _summary(answer: Roots) -> str:
    datasets = {root.node.field.table for root in answer.roots}
    masked = sum(root.node.masked for root in answer.roots)
    total = f"{count(len(answer.roots), 'root')} in {count(len(datasets), 'dataset')}"
    return f"{total}, {masked} of them masked on every path" if masked else total


def _names(unknown: Iterable[SilentWriter]) -> Iterator[TableName]:
    for writer in unknown:
        yield writer.dataset
        yield from writer.reads
