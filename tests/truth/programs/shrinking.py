"""Make a program with a miss smaller: leave out steps, from the last to the first, as long as the miss stays."""

from __future__ import annotations

from collections.abc import Callable

from .program import Program

MOST_TRIES = 30


def shrink(program: Program, still: Callable[[Program], bool]) -> Program:
    """The smallest program found for which `still` is true.

    >>> from .program import Step
    >>> program = Program(1, 1, "", tuple(Step("", text) for text in "abc"))
    >>> [step.text for step in shrink(program, lambda one: "b" in one.text).steps]
    ['b']
    """
    tries = 0
    place = len(program.steps) - 1
    while place >= 0 and tries < MOST_TRIES:
        tries += 1
        smaller = program.without(place)
        if still(smaller):
            program = smaller
        place -= 1
    return program
