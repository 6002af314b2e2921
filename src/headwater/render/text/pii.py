"""Where fields go, as text: each field with its paths, and the step that masks it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.text import Text

from headwater.common.groups import lists_by_key
from headwater.notebook.words import count, in_words, printable
from headwater.query.privacy.exposure import Exposure
from headwater.query.privacy.legs import stations
from headwater.render.text.names import PARTIAL, Naming

if TYPE_CHECKING:
    from headwater.query.graph.answer import FieldName, TableName
    from headwater.query.privacy.exposure import Exposed, Way
    from headwater.query.privacy.legs import Leg
    from headwater.query.privacy.pii import Pii, Source

_TITLES = {
    Exposure.CLEAR: ("In the clear", "bold red"),
    Exposure.POSSIBLE: ("Possibly, through a step that cannot be analyzed", "bold yellow"),
    Exposure.PARTIAL: ("Partly masked, and readable in part", "bold yellow"),
    Exposure.MASKED: ("Masked", "bold magenta"),
    Exposure.INDIRECT: ("Only as a condition", "bold"),
}
_ALSO = {
    Exposure.CLEAR: "in the clear",
    Exposure.POSSIBLE: "possibly",
    Exposure.PARTIAL: "partly masked",
    Exposure.MASKED: "masked",
}


# What a masking that cannot be undone, or that nobody described, needs no word for.
_KINDS = {"keyed": " with a key", "partial": " in part"}


def pii_lines(pii: Pii) -> Iterator[Text]:
    """Each field of the question, and where it goes."""
    if not pii.sources:
        yield Text("No column has a matching tag. Add one with `headwater tags set DATASET COLUMN TAG`.")
        return
    naming = Naming(_names(pii))
    for source in pii.sources:
        yield from _source(source, naming)
        yield Text("")
    if pii.unknown:
        yield Text("Derived from this data (no column lineage recorded):", "bold yellow")
    for silent in pii.unknown:
        how = f"written by {silent.job.name}" if silent.job else "declared"
        reads = ", ".join(naming.table(name) for name in silent.reads)
        line = Text("  ").append(printable(naming.table(silent.dataset)), "cyan")
        yield line.append(printable(f"  {how} from {reads}"))
    yield from naming.legend()
    if pii.partial:
        yield Text(PARTIAL, "dim")


def _source(source: Source, naming: Naming) -> Iterator[Text]:
    tags = f"  [{', '.join(source.tags)}]" if source.tags else ""
    line = Text(printable(naming.label(source.field)), "bold").append(printable(tags), "yellow")
    yield line.append("" if source.reached else "  has no recorded readers")
    for exposure, group in groupby(source.reached, key=lambda exposed: exposed.exposure):
        reached = list(group)
        title, style = _TITLES[exposure]
        yield Text(f"{title}: {count(len(reached), 'column')}", style)
        if exposure is Exposure.INDIRECT:
            yield from _conditions(reached, naming)
            continue
        for exposed in reached:
            yield from _ways(exposed, naming)


def _ways(exposed: Exposed, naming: Naming) -> Iterator[Text]:
    first, *others = exposed.ways
    yield Text("  ").append(printable(naming.label(exposed.field)), "bold")
    yield from _way(first, naming)
    for way in others:
        yield Text(f"    also {_ALSO[way.exposure]}:", "dim")
        yield from _way(way, naming)


def _way(way: Way, naming: Naming) -> Iterator[Text]:
    yield Text(printable(f"    {' → '.join(naming.label(name) for name in stations(way.path))}"), "dim")
    masked, unmasked = way.masked_at, way.unmasked_at
    if masked is not None:
        kind = _KINDS.get(masked.how.effect, "")
        yield Text(printable(f"    masked{kind} {_where(masked, naming)}"), "magenta")
    if unmasked is not None:
        word = "unmasked" if way.exposure is Exposure.CLEAR else "possibly unmasked"
        yield Text(printable(f"    {word} {_where(unmasked, naming)}"), "red")
    elif masked is None and way.path[-1].how.subtype != "IDENTITY":
        yield Text(printable(f"    {in_words(way.path[-1].how)}"), "green")


def _where(leg: Leg, naming: Naming) -> str:
    by = f" by {leg.job.name}" if leg.job else ""
    how = f": {' '.join(leg.how.description.split())}" if leg.how.description else ""
    return f"at {naming.label(leg.destination)}{by}{how}"


def _conditions(reached: Sequence[Exposed], naming: Naming) -> Iterator[Text]:
    """Fields that are reached through conditions only: by dataset, since there are many."""
    names = sorted((exposed.field.table, exposed.field.field or "") for exposed in reached)
    for table, fields in lists_by_key(names).items():
        yield (
            Text("  ").append(printable(naming.table(table)), "cyan").append(printable(f"  {', '.join(fields)}"), "dim")
        )


def _names(pii: Pii) -> Iterator[FieldName | TableName]:
    for source in pii.sources:
        yield source.field
        for exposed in source.reached:
            yield exposed.field
            for way in exposed.ways:
                yield from stations(way.path)
    for unknown in pii.unknown:
        yield unknown.dataset
        yield from unknown.reads
