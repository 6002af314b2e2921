"""How commands print: one interface, text for people and JSON for programs behind it."""

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import typer

from headwater.cli.options import OutputFormat

if TYPE_CHECKING:
    from rich.console import Console

    from headwater.graph.answer import Answer

_WIDTH_OF_A_PIPE = 1_000_000


def make_console() -> "Console":
    """A console for standard output."""
    from rich.console import Console  # noqa: PLC0415  not needed for --help

    console = Console(highlight=False)
    if not console.is_terminal:
        # In a pipe a long line stays one line, so that grep and diff work on it.
        console.width = _WIDTH_OF_A_PIPE
    return console


class Output(ABC):
    """What a command may have to say on standard output."""

    @abstractmethod
    def answer(self, answer: "Answer") -> None:
        """Print the answer to a question about a column."""

    @abstractmethod
    def ingested(self, accepted: int, duplicates: int, rejected: Sequence[Mapping[str, object]]) -> None:
        """Print what became of the events that were read."""


class TextOutput(Output):
    """For people: trees and sentences."""

    def answer(self, answer: "Answer") -> None:
        """Draw a tree, then say what its short names stand for."""
        from headwater.cli.tree import drawn  # noqa: PLC0415  not needed for --help

        console = make_console()
        for part in drawn(answer):
            console.print(part)

    def ingested(self, accepted: int, duplicates: int, rejected: Sequence[Mapping[str, object]]) -> None:
        """One sentence."""
        said = f"{accepted} new {'event' if accepted == 1 else 'events'}, {duplicates} known already"
        typer.echo(f"{said}, {len(rejected)} bad." if rejected else f"{said}.")


class JsonOutput(Output):
    """For programs: one JSON document."""

    def answer(self, answer: "Answer") -> None:
        """The whole answer."""
        self._print(answer.to_dict())

    def ingested(self, accepted: int, duplicates: int, rejected: Sequence[Mapping[str, object]]) -> None:
        """The counts, and each bad line."""
        self._print({"accepted": accepted, "duplicates": duplicates, "rejected": list(rejected)})

    @staticmethod
    def _print(document: object) -> None:
        # Names may hold what the terminal's encoding lacks; JSON can always escape it.
        ascii_only = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
        typer.echo(json.dumps(document, indent=2, ensure_ascii=ascii_only))


def output_for(chosen: OutputFormat) -> Output:
    """The output that the user chose."""
    return JsonOutput() if chosen is OutputFormat.JSON else TextOutput()
