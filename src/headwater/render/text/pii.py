"""Where fields went, in words: each field with its ways, and the step that masked it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.text import Text

from headwater.notebook.words import count, in_words, printable
from headwater.query.privacy.exposure import Exposure
from headwater.query.privacy.legs import stations
from headwater.render.text.names import Naming

if TYPE_CHECKING:
    from headwater.query.graph.answer import FieldName, TableName
    from headwater.query.privacy.exposure import Exposed, Way
    from headwater.query.privacy.legs import Leg
    from headwater.query.privacy.pii import Pii, Source

_TITLES = {
    Exposure.CLEAR: ("In the clear", "bold red"),
    Exposure.POSSIBLE: ("Possibly, through a step that cannot be analyzed", "bold yellow"),
    Exposure.MASKED: ("Masked", "bold magenta"),
    Exposure.INDIRECT: ("Only as a condition", "bold"),
}
_ALSO = {Exposure.CLEAR: "in the clear", Exposure.POSSIBLE: "possibly", Exposure.MASKED: "masked"}


def told_pii(found: Pii) -> Iterator[Text]:
    """Each field that was asked about, and where it went."""
    if not found.sources:
        yield Text("No column has a matching tag. Add one with `headwater tags set DATASET COLUMN TAG`.")
        return
    naming = Naming(_names(found))
    for source in found.sources:
        yield from _told(source, naming)
        yield Text("")
    if found.unknown:
        yield Text("Derived from such data (no column lineage recorded):", "bold yellow")
    for one in found.unknown:
        how = f"written by {one.job.name}" if one.job else "declared"
        reads = ", ".join(naming.table(name) for name in one.reads)
        yield Text("  ").append(printable(naming.table(one.dataset)), "cyan").append(printable(f"  {how} from {reads}"))
    yield from naming.legend()
    if found.partial:
        yield Text(
            "Partial answer: the limit was reached, and there is more. Raise --limit or narrow the question.", "dim"
        )


def _told(source: Source, naming: Naming) -> Iterator[Text]:
    tags = f"  [{', '.join(source.tags)}]" if source.tags else ""
    line = Text(printable(naming.label(source.field)), "bold").append(printable(tags), "yellow")
    yield line.append("" if source.reached else "  has no recorded readers")
    for exposure, some in groupby(source.reached, key=lambda one: one.exposure):
        reached = list(some)
        title, style = _TITLES[exposure]
        yield Text(f"{title}: {count(len(reached), 'column')}", style)
        if exposure is Exposure.INDIRECT:
            yield from _conditions(reached, naming)
            continue
        for one in reached:
            yield from _ways(one, naming)


def _ways(one: Exposed, naming: Naming) -> Iterator[Text]:
    first, *others = one.ways
    yield Text("  ").append(printable(naming.label(one.field)), "bold")
    yield from _way(first, naming)
    for way in others:
        yield Text(f"    also {_ALSO[way.exposure]}:", "dim")
        yield from _way(way, naming)


def _way(way: Way, naming: Naming) -> Iterator[Text]:
    yield Text(printable(f"    {' → '.join(naming.label(name) for name in stations(way.path))}"), "dim")
    masked = way.masked_at
    if masked is not None:
        yield Text(printable(f"    masked {_where(masked, naming)}"), "magenta")
    elif way.path[-1].how.subtype != "IDENTITY":
        yield Text(printable(f"    {in_words(way.path[-1].how)}"), "green")


def _where(leg: Leg, naming: Naming) -> str:
    by = f" by {leg.job.name}" if leg.job else ""
    how = f": {' '.join(leg.how.description.split())}" if leg.how.description else ""
    return f"at {naming.label(leg.destination)}{by}{how}"


def _conditions(reached: Sequence[Exposed], naming: Naming) -> Iterator[Text]:
    """Fields whose rows or values are only decided on: by dataset, since these are many."""
    by_table: dict[TableName, list[str]] = {}
    for one in sorted(reached, key=lambda one: (one.field.table, one.field.field or "")):
        by_table.setdefault(one.field.table, []).append(one.field.field or "")
    for table, fields in by_table.items():
        yield (
            Text("  ").append(printable(naming.table(table)), "cyan").append(printable(f"  {', '.join(fields)}"), "dim")
        )


def _names(found: Pii) -> Iterator[FieldName | TableName]:
    for source in found.sources:
        yield source.field
        for one in source.reached:
            yield one.field
            for way in one.ways:
                yield from stations(way.path)
    for unknown in found.unknown:
        yield unknown.dataset
        yield from unknown.reads
