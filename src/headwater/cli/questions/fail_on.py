"""`--fail-on …`: conditions that end the command with exit code 3."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import typer

from headwater.cli.failures import BROKEN, exit_with

if TYPE_CHECKING:
    from headwater.query.lineage.impact import Impact

_SHOWN = 3
HELP = (
    "Exit with code 3 if the impact matches: any, direct, unmasked, unknown, the largest number of columns allowed,"
    " dataset:GLOB or owner:NAME. Can be repeated."
)


@dataclass(frozen=True, slots=True)
class Reached:
    """A column that a change reaches, or a dataset without known columns, or a job that only reads.

    `unknown`: it may be reached, or is in a way that is not certain. Where `counts` is false, its columns are listed
    themselves, and this only says that they are not certain.
    """

    name: str
    dataset: str
    direct: bool
    masked: bool
    owners: tuple[str, ...] = ()
    unknown: bool = False
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition; `broken` selects the columns that break it."""

    text: str
    broken: Callable[[list[Reached]], list[Reached]]

    def reason(self, reached: Iterable[Reached]) -> str | None:
        """How it is broken; None if it holds."""
        return describe(self.text, [column.name for column in self.broken(list(reached))])


def describe(condition: str, names: Sequence[str]) -> str | None:
    """A condition and the names that break it; None without any.

    >>> describe("any", ["a", "b", "c", "d"])
    'any: a, b, c and 1 more'
    """
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return f"{condition}: {', '.join(names[:_SHOWN])}{more}" if names else None


def end_with(broken: Sequence[str], *, partial: bool) -> None:
    """End the command if conditions are broken, or if a partial answer cannot tell."""
    for reason in broken:
        typer.echo(f"Failed by --fail-on {reason}.", err=True)
    if broken:
        raise typer.Exit(BROKEN)
    if partial:
        raise exit_with("Cannot evaluate --fail-on: the answer reached its limit. Raise --limit.")


def condition(text: str) -> Condition:
    """Read a value of --fail-on.

    >>> condition("dataset:*/newsletter").reason([Reached("newsletter.name", "file//food/newsletter", True, False)])
    'dataset:*/newsletter: newsletter.name'
    >>> condition("2").reason([Reached("a", "d", True, False)] * 2) is None
    True
    """
    word, colon, pattern = text.partition(":")
    if colon and pattern and word == "dataset":
        return Condition(
            text, lambda reached: [column for column in _counted(reached) if _matches(column.dataset, pattern)]
        )
    if colon and pattern and word == "owner":
        return Condition(text, lambda reached: [column for column in _counted(reached) if pattern in column.owners])
    if text.isdecimal():
        most = int(text)
        return Condition(text, lambda reached: _counted(reached) if len(_counted(reached)) > most else [])
    if text not in _WORDS:
        words = "any, direct, unmasked, unknown, a number, dataset:GLOB, owner:NAME"
        raise typer.BadParameter(f"{text!r} must be one of: {words}.")
    return Condition(text, lambda reached: [column for column in reached if _WORDS[text](column)])


_WORDS: dict[str, Callable[[Reached], bool]] = {
    "any": lambda column: column.counts,
    "direct": lambda column: column.counts and column.direct,
    "unmasked": lambda column: column.counts and column.direct and not column.masked,
    "unknown": lambda column: column.unknown,
}


def _counted(reached: list[Reached]) -> list[Reached]:
    return [column for column in reached if column.counts]


def _matches(dataset: str, pattern: str) -> bool:
    """Whether a dataset's full name matches, or an end of it after a slash."""
    return fnmatchcase(dataset, pattern) or fnmatchcase(dataset, f"*/{pattern}")


def reached(impact: Impact) -> list[Reached]:
    """The columns to check; unknown ones may hold values in the clear."""
    from headwater.query.lineage.unknown import by_dataset  # noqa: PLC0415  not needed for --help

    by_job = {job.name: job.owners for job in impact.jobs}
    columns = []
    for dataset in impact.datasets:
        owners = [*dataset.owners, *(owner for job in dataset.jobs for owner in by_job.get(job, ()))]
        names = tuple(owner.name for owner in owners)
        for column in dataset.columns:
            node = column.node
            full = f"{dataset.name.full}.{node.field.field}"
            columns.append(Reached(full, dataset.name.full, node.kind.name != "INDIRECT", node.masked, names))
    for name, entries in by_dataset(impact.unknown).items():
        names = tuple(owner.name for entry in entries for owner in entry.owners)
        columns.append(Reached(name.full, name.full, direct=True, masked=False, owners=names, unknown=True))
    for entry in impact.unknown:
        if not entry.why.may_reach:
            names = tuple(owner.name for owner in entry.owners)
            job = f"job {entry.job.full}" if entry.job else ""
            full = entry.dataset.full if entry.dataset else ""
            # A job that only reads is affected itself; of the others the columns are listed.
            columns.append(Reached(full or job, full, True, False, names, unknown=True, counts=not full))  # noqa: FBT003
    return columns
