"""Tags in words: which fields have them, and what a propagation carries where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from headwater.notebook.words import count, in_words, printable
from headwater.query.privacy.legs import stations
from headwater.query.privacy.propagation import Verdict
from headwater.query.privacy.rules import What
from headwater.render.text.grid import grid
from headwater.render.text.names import Naming

if TYPE_CHECKING:
    from headwater.query.graph.answer import FieldName
    from headwater.query.privacy.propagation import Outcome
    from headwater.query.privacy.tag_changes import Propagation, Written
    from headwater.query.privacy.tag_listing import FieldTag, TagList

_STYLES = {
    Verdict.CARRIED: "green",
    Verdict.MAY: "yellow",
    Verdict.KEPT: "dim",
    Verdict.REFUSED: "magenta",
    Verdict.STOPPED: "magenta",
}
_WHY = {Verdict.KEPT: "already has its own", Verdict.REFUSED: "removed by hand"}


def told_tags(found: TagList) -> Iterator[Text]:
    """One line a tag."""
    yield from grid(map(_line, found.tags), ("yellow", "cyan", "dim"))
    yield Text(f"{count(len(found.tags), 'tag')}.", "dim")


def _line(tag: FieldTag) -> tuple[str, str, str]:
    row = tag.row()
    source = f" from {row['source']}{'' if tag.certain else ', possibly'}" if row["source"] else ""
    return tag.tag, f"{tag.field.table.full}.{tag.field.field}", f"{row['from']}{source}"


def told_propagation(found: Propagation, written: Written | None) -> Iterator[Text]:
    """Field by field, what arrives and what does not; descriptions that do not are only counted."""
    shown = [one for one in found.outcomes if one.what is not What.DESCRIPTION or one.arrives]
    naming = Naming(name for one in shown for name in _names(one))
    for one in shown:
        yield from _told(one, naming)
    if shown:
        yield Text("")
        yield from naming.legend()
    arriving = sum(one.arrives for one in found.outcomes)
    stopped = sum(one.verdict is Verdict.STOPPED for one in found.outcomes)
    said = (
        f"{arriving:,} to be set, {stopped:,} stopped" if written is None else f"{arriving:,} set, {stopped:,} stopped"
    )
    said += f", {len(found.outcomes) - arriving - stopped:,} left unchanged."
    yield Text(said if written is None else f"{said} {count(written.datasets, 'dataset')} changed.", "dim")


def _told(one: Outcome, naming: Naming) -> Iterator[Text]:
    value = "description" if one.what is What.DESCRIPTION else one.name
    line = Text(printable(naming.label(one.field)), "bold").append(printable(f"  {value}"), "yellow")
    why = _WHY.get(one.verdict, f"by rule {one.rule}")
    yield line.append(f"  {one.verdict.value}", _STYLES[one.verdict]).append(printable(f"  {why}"), "dim")
    yield Text(printable(f"    {' → '.join(naming.label(name) for name in stations(one.path))}"), "dim")
    if one.verdict is Verdict.STOPPED:
        yield Text(printable(f"    stopped: {in_words(one.path[-1].how)}"), "magenta")
    elif one.stopped_at is not None:
        start = naming.label(one.stopped_at.origin)
        yield Text(printable(f"    stopped on another path, from {start}: {in_words(one.stopped_at.how)}"), "magenta")


def _names(one: Outcome) -> Iterator[FieldName]:
    yield one.field
    yield from stations(one.path)
    if one.stopped_at is not None:
        yield one.stopped_at.origin
