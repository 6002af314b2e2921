"""A program: its steps as Python texts, in order, and how they read as a script."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Step:
    """One step.

    Attributes:
        label: what kind of step it is, to count by.
        text: lines of Python, in the names `spark`, `root`, `F` and those of the steps before.
        completes: how many runs it completes: one for each statement that writes, and for each stream.
    """

    label: str
    text: str
    completes: int = 0


@dataclass(frozen=True)
class Program:
    """A program by its seed and number; the same two always give the same program.

    Attributes:
        head: what every run begins with: settings and the source tables.
        steps: what may be left out, if what depends on it is left out, too.
    """

    seed: int
    number: int
    head: str
    steps: tuple[Step, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The kinds of steps that it has."""
        return tuple(dict.fromkeys(step.label for step in self.steps))

    @property
    def text(self) -> str:
        """The program as a script; `spark` and `root` must be there."""
        return "\n".join([self.head, *(step.text for step in self.steps)]) + "\n"

    @property
    def completes(self) -> int:
        """How many runs it completes."""
        return sum(step.completes for step in self.steps)

    def without(self, place: int) -> Program:
        """The program with one step left out."""
        return replace(self, steps=self.steps[:place] + self.steps[place + 1 :])
