"""Where fields go, as text: each field with its paths, and the step that masks it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.text import Text

from headwater.common.groups import lists_by_key
from headwater.notebook.words import count, in_words, printable
from headwater.query.graph.answer import Direction
from headwater.query.privacy.exposure import Exposure
from headwater.query.privacy.legs import stations
from headwater.query.privacy.tag_listing import Origin
from headwater.render.text.names import PARTIAL, Naming, dropped_text
from headwater.render.text.unknown import names_in, unknown_lines

if TYPE_CHECKING:
    from headwater.query.graph.answer import FieldName, TableName
    from headwater.query.privacy.exposure import Exposed, Way
    from headwater.query.privacy.holdings import Arrival
    from headwater.query.privacy.legs import Leg
    from headwater.query.privacy.pii import Pii, Source

_TITLES = {
    Exposure.CLEAR: ("In the clear", "bold red"),
    Exposure.POSSIBLE: ("Possibly, through a step that cannot be analyzed", "bold yellow"),
    Exposure.PARTIAL: ("Partly masked, and readable in part", "bold yellow"),
    Exposure.MASKED: ("Masked", "bold magenta"),
    Exposure.INDIRECT: ("Only as a condition", "bold"),
}
_MAY_HOLD = "May hold this data (no column lineage recorded):"
_SET = {Origin.HAND: "set by hand", Origin.SOURCE: "sent by a source", Origin.DERIVED: "derived"}
_ALSO = {
    Exposure.CLEAR: "in the clear",
    Exposure.POSSIBLE: "possibly",
    Exposure.PARTIAL: "partly masked",
    Exposure.MASKED: "masked",
}
# What a masking that cannot be undone, or that nobody described, needs no word for.
_KINDS = {"keyed": " with a key", "partial": " in part"}


def pii_lines(pii: Pii) -> Iterator[Text]:
    """What the dataset of the question holds; then each field of the question, and where it goes."""
    naming = Naming(_names(pii))
    if pii.dataset is not None:
        yield from _held(pii, pii.dataset, naming)
    elif not pii.sources:
        yield Text("No column has a matching tag. Add one with `headwater tags set DATASET COLUMN TAG`.")
        return
    for source in pii.sources:
        if pii.dropped is not None:
            yield dropped_text(pii.dropped, naming.label(source.field), Direction.DOWNSTREAM)
        yield from _source(source, naming)
        yield Text("")
    yield from unknown_lines(pii.unknown, naming, _MAY_HOLD)
    yield from naming.legend()
    if pii.partial:
        yield Text(PARTIAL, "dim")


def _held(pii: Pii, dataset: TableName, naming: Naming) -> Iterator[Text]:
    """Whether there is such data in a dataset, and from where."""
    name = printable(naming.table(dataset))
    if pii.tagged:
        yield Text(f"Tagged in {name}: {count(len({column.field for column in pii.tagged}), 'column')}", "bold red")
    for column in pii.tagged:
        certain = "" if column.certain else ", through a step that cannot be analyzed"
        source = f" from {naming.label(column.source)}" if column.source else ""
        label = naming.table(dataset) if column.field.field is None else naming.label(column.field)
        line = Text("  ").append(printable(label), "bold").append(printable(f"  [{column.tag}]"), "yellow")
        yield line.append(printable(f"  {_SET[column.origin]}{source}{certain}"), "dim")
    if pii.arrivals:
        yield Text(f"Arrives in {name} from {count(len(pii.arrivals), 'tagged column')} of other datasets:", "bold")
    for arrival in pii.arrivals:
        yield from _source(arrival, naming)
    if not pii.tagged and not pii.arrivals:
        may = any(entry.why.may_reach for entry in pii.unknown)
        hint = "but lineage by columns is missing: see below" if may else "and none arrives from tagged columns"
        yield Text(f"No column of {name} has a matching tag, {hint}.")
    yield Text("")


def _source(source: Source | Arrival, naming: Naming) -> Iterator[Text]:
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
    starts: list[Source | Arrival] = [*pii.arrivals, *pii.sources]
    for source in starts:
        yield source.field
        for exposed in source.reached:
            yield exposed.field
            for way in exposed.ways:
                yield from stations(way.path)
    yield from names_in(pii.unknown)
    if pii.dataset is not None:
        yield pii.dataset
    for column in pii.tagged:
        if column.source is not None:
            yield column.source
