"""`--fail-on …`: what must not be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import typer

from headwater.cli.failures import BROKEN, FAILED

if TYPE_CHECKING:
    from headwater.query.lineage.impact import Impact

_SHOWN = 3
HELP = (
    "Exit with code 3 if the impact matches: any, direct, unmasked, the largest number of columns allowed,"
    " dataset:GLOB or owner:NAME. Can be repeated."
)


@dataclass(frozen=True, slots=True)
class Reached:
    """What is known of a column, or of a dataset without columns, that a change reaches."""

    name: str
    dataset: str
    direct: bool
    masked: bool
    owners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """What must not be; `broken` says which of the things reached break it."""

    text: str
    broken: Callable[[list[Reached]], list[Reached]]

    def said(self, reached: Iterable[Reached]) -> str | None:
        """In words how it is broken; None if it holds."""
        return said_of(self.text, [one.name for one in self.broken(list(reached))])


def said_of(condition: str, names: Sequence[str]) -> str | None:
    """In words what breaks a condition; None if nothing does.

    >>> said_of("any", ["a", "b", "c", "d"])
    'any: a, b, c and 1 more'
    """
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return f"{condition}: {', '.join(names[:_SHOWN])}{more}" if names else None


def end_with(broken: Sequence[str], *, partial: bool) -> None:
    """End the command where conditions are broken, or where an answer that was cut does not tell."""
    for said in broken:
        typer.echo(f"Failed by --fail-on {said}.", err=True)
    if broken:
        raise typer.Exit(BROKEN)
    if partial:
        typer.echo("Cannot evaluate --fail-on: the answer reached its limit. Raise --limit.", err=True)
        raise typer.Exit(FAILED)


def condition(text: str) -> Condition:
    """Read what stands after --fail-on.

    >>> condition("dataset:*/newsletter").said([Reached("newsletter.name", "file//food/newsletter", True, False)])
    'dataset:*/newsletter: newsletter.name'
    >>> condition("2").said([Reached("a", "d", True, False)] * 2) is None
    True
    """
    word, colon, pattern = text.partition(":")
    if colon and pattern and word == "dataset":
        return Condition(text, lambda reached: [one for one in reached if _matches(one.dataset, pattern)])
    if colon and pattern and word == "owner":
        return Condition(text, lambda reached: [one for one in reached if pattern in one.owners])
    if text.isdecimal():
        return Condition(text, lambda reached: reached if len(reached) > int(text) else [])
    if text not in _WORDS:
        raise typer.BadParameter(f"{text!r} must be one of: any, direct, unmasked, a number, dataset:GLOB, owner:NAME.")
    return Condition(text, lambda reached: [one for one in reached if _WORDS[text](one)])


_WORDS: dict[str, Callable[[Reached], bool]] = {
    "any": lambda _: True,
    "direct": lambda one: one.direct,
    "unmasked": lambda one: one.direct and not one.masked,
}


def _matches(dataset: str, pattern: str) -> bool:
    """Whether a dataset's full name matches, or an end of it after a slash."""
    return fnmatchcase(dataset, pattern) or fnmatchcase(dataset, f"*/{pattern}")


def reached(impact: Impact) -> list[Reached]:
    """What conditions are held against; what is unknown may take values, and in the clear."""
    from headwater.query.lineage.unknown import by_dataset  # noqa: PLC0415  not needed for --help

    by_job = {job.name: job.owners for job in impact.jobs}
    found = []
    for dataset in impact.datasets:
        owners = [*dataset.owners, *(owner for job in dataset.jobs for owner in by_job.get(job, ()))]
        names = tuple(owner.name for owner in owners)
        for column in dataset.columns:
            node = column.node
            full = f"{dataset.name.full}.{node.field.field}"
            found.append(Reached(full, dataset.name.full, node.kind.name != "INDIRECT", node.masked, names))
    for name, some in by_dataset(impact.unknown).items():
        names = tuple(owner.name for one in some for owner in one.owners)
        found.append(Reached(name.full, name.full, direct=True, masked=False, owners=names))
    return found
