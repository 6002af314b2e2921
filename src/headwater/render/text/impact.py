"""An impact as text: each dataset that is reached with its owners, columns and paths; then what may be affected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from headwater.notebook.words import class_in_words, count, in_words, printable
from headwater.query.graph.answer import Direction, Kind
from headwater.query.graph.conditions import conditions_of
from headwater.query.lineage.paths import deciding_step, stations
from headwater.render.text.names import FEW, PARTIAL, Naming, dropped_text
from headwater.render.text.unknown import names_in, owned_by, unknown_lines

if TYPE_CHECKING:
    from headwater.query.graph.answer import FieldName, TableName
    from headwater.query.lineage.impact import Impact
    from headwater.query.lineage.reach import ReachedColumn


def impact_lines(impact: Impact, *, every: bool = False) -> Iterator[Text]:
    """What is reached, dataset by dataset, nearest first. `every`: also one by one what only conditions lead to."""
    naming = Naming([impact.root, *_names(impact)])
    root = naming.label(impact.root) if impact.root.field is not None else naming.table(impact.root.table)
    if impact.dropped is not None:
        yield dropped_text(impact.dropped, root, Direction.DOWNSTREAM)
    if not impact:
        yield Text(printable(f"No lineage recorded downstream of {root}."))
        return
    yield Text(printable(root), "bold").append(printable(f"  reaches {_summary(impact)}"))
    conditions = conditions_of(impact.answer)
    folded = bool(impact.counts.direct) and impact.counts.indirect > FEW and not every
    for dataset in impact.datasets:
        jobs = f"  written by {', '.join(job.name for job in dataset.jobs)}" if dataset.jobs else ""
        line = Text(printable(naming.table(dataset.name)), "cyan").append(printable(jobs), "dim")
        yield line.append(printable(owned_by(dataset.owners)), "yellow")
        yield from _columns(dataset.columns, naming, conditions, folded=folded)
    yield from unknown_lines(impact.unknown, naming, "Possibly affected (no column lineage recorded):")
    yield Text("")
    owned = [job for job in impact.jobs if job.owners]
    for job in owned:
        yield Text(printable(f"job {job.name.name}{owned_by(job.owners)}"), "dim")
    yield from naming.legend()
    if impact.owners:
        yield Text(printable(f"Owners to notify: {', '.join(dict.fromkeys(owner.name for owner in impact.owners))}."))
    if impact.partial:
        yield Text(PARTIAL, "dim")


def _columns(
    columns: Sequence[ReachedColumn],
    naming: Naming,
    conditions: Mapping[FieldName, Sequence[str]],
    *,
    folded: bool,
) -> Iterator[Text]:
    """The columns of a dataset: those that take a value first; the others one by one, or in one line."""
    valued = [column for column in columns if column.node.kind is not Kind.INDIRECT]
    deciding = [column for column in columns if column.node.kind is Kind.INDIRECT]
    for column in valued if folded else (*valued, *deciding):
        yield _column(column, naming, conditions.get(column.node.field, ()))
    if folded and deciding:
        words = sorted({word for column in deciding for word in conditions.get(column.node.field, ())})
        line = f"  + {count(len(deciding), 'column')} by conditions: {class_in_words('INDIRECT', words)} (--all)"
        yield Text(printable(line), "italic")


def _column(column: ReachedColumn, naming: Naming, conditions: Iterable[str]) -> Text:
    node = column.node
    line = Text("  ").append(printable(node.field.field or ""), "bold")
    line.append(f"  {printable(class_in_words(node.kind.name, conditions))}", "green")
    if node.masked:
        line.append("  [masked]", "magenta")
    way = " → ".join(naming.label(name) for name in stations(column.path))
    line.append(printable(f"  {way}"), "dim")
    step = deciding_step(column.path)
    if step is not None and step.kind is not Kind.IDENTITY and step.description:
        line.append(printable(f"  {in_words(step).partition(': ')[2]}"), "green")
    return line


def _summary(impact: Impact) -> str:
    counts = impact.counts
    if not counts.columns:
        return "no known columns"
    summary = (
        f"{count(counts.columns, 'column')} in {count(counts.datasets, 'dataset')} through"
        f" {count(counts.jobs, 'job')}: {counts.direct:,} directly, {counts.indirect:,} indirectly"
    )
    return f"{summary}, {counts.masked:,} masked on every path" if counts.masked else summary


def _names(impact: Impact) -> Iterator[FieldName | TableName]:
    for dataset in impact.datasets:
        for column in dataset.columns:
            yield column.node.field
            yield from stations(column.path)
    yield from names_in(impact.unknown)
