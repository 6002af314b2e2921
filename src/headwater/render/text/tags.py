"""Tags as text: the fields that have them, and what a propagation carries where."""

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


def tag_lines(listing: TagList) -> Iterator[Text]:
    """One line for each tag of a field."""
    yield from grid(map(_line, listing.tags), ("yellow", "cyan", "dim"))
    yield Text(f"{count(len(listing.tags), 'tag')}.", "dim")


def _line(tag: FieldTag) -> tuple[str, str, str]:
    row = tag.row()
    source = f" from {row['source']}{'' if tag.certain else ', possibly'}" if row["source"] else ""
    return tag.tag, f"{tag.field.table.full}.{tag.field.field}", f"{row['from']}{source}"


def propagation_lines(propagation: Propagation, written: Written | None) -> Iterator[Text]:
    """Each tag and description that arrives at a field; of those that do not, the tags, with the reason."""
    shown = [outcome for outcome in propagation.outcomes if outcome.what is not What.DESCRIPTION or outcome.arrives]
    naming = Naming(name for outcome in shown for name in _names(outcome))
    for outcome in shown:
        yield from _outcome(outcome, naming)
    if shown:
        yield Text("")
        yield from naming.legend()
    arriving = sum(outcome.arrives for outcome in propagation.outcomes)
    stopped = sum(outcome.verdict is Verdict.STOPPED for outcome in propagation.outcomes)
    action = "to be set" if written is None else "set"
    unchanged = len(propagation.outcomes) - arriving - stopped
    changed = "" if written is None else f" {count(written.datasets, 'dataset')} changed."
    yield Text(f"{arriving:,} {action}, {stopped:,} stopped, {unchanged:,} left unchanged.{changed}", "dim")


def _outcome(outcome: Outcome, naming: Naming) -> Iterator[Text]:
    value = "description" if outcome.what is What.DESCRIPTION else outcome.name
    line = Text(printable(naming.label(outcome.field)), "bold").append(printable(f"  {value}"), "yellow")
    why = _WHY.get(outcome.verdict, f"by rule {outcome.rule}")
    yield line.append(f"  {outcome.verdict.value}", _STYLES[outcome.verdict]).append(printable(f"  {why}"), "dim")
    yield Text(printable(f"    {' → '.join(naming.label(name) for name in stations(outcome.path))}"), "dim")
    if outcome.verdict is Verdict.STOPPED:
        yield Text(printable(f"    stopped: {in_words(outcome.path[-1].how)}"), "magenta")
    elif outcome.stopped_at is not None:
        start = naming.label(outcome.stopped_at.origin)
        yield Text(
            printable(f"    stopped on another path, from {start}: {in_words(outcome.stopped_at.how)}"), "magenta"
        )


def _names(outcome: Outcome) -> Iterator[FieldName]:
    yield outcome.field
    yield from stations(outcome.path)
    if outcome.stopped_at is not None:
        yield outcome.stopped_at.origin
