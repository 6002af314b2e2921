"""How commands print: one interface, with text for people, JSON and CSV for programs."""

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import typer

from headwater.cli.options import OutputFormat

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from headwater.render.formats import Exportable

_WIDTH_OF_A_PIPE = 1_000_000

Row: TypeAlias = Mapping[str, object]


def make_console() -> "Console":
    """A console for standard output."""
    from rich.console import Console  # noqa: PLC0415  not needed for --help

    console = Console(highlight=False)
    if not console.is_terminal:
        # In a pipe a long line stays one line, so that grep and diff work on it.
        console.width = _WIDTH_OF_A_PIPE
    return console


class Output(ABC):
    """A command's standard output."""

    @abstractmethod
    def show(self, answer: "Exportable", draw: "Callable[[], Iterable[RenderableType]]") -> None:
        """Print an answer; `draw` renders it for people."""

    @abstractmethod
    def done(self, sentence: str, counts: Row) -> None:
        """Print what a command did: in a sentence, or as names and numbers."""

    @abstractmethod
    def ingested(self, accepted: int, duplicates: int, rejected: Sequence[Row]) -> None:
        """Print the counts of an ingest."""


class TextOutput(Output):
    """For people: trees, tables and sentences."""

    def show(self, answer: "Exportable", draw: "Callable[[], Iterable[RenderableType]]") -> None:
        """Print what `draw` yields."""
        del answer
        console = make_console()
        for part in draw():
            console.print(part)

    def done(self, sentence: str, counts: Row) -> None:
        """The sentence."""
        del counts
        typer.echo(sentence)

    def ingested(self, accepted: int, duplicates: int, rejected: Sequence[Row]) -> None:
        """One sentence."""
        sentence = f"{accepted} new {'event' if accepted == 1 else 'events'}, {duplicates} already stored"
        typer.echo(f"{sentence}, {len(rejected)} bad." if rejected else f"{sentence}.")


class JsonOutput(Output):
    """For programs: one JSON document."""

    def show(self, answer: "Exportable", draw: "Callable[[], Iterable[RenderableType]]") -> None:
        """The whole answer."""
        del draw
        from headwater.render.formats.as_json import text  # noqa: PLC0415  not needed for --help

        typer.echo(text(answer, ascii_only=_cannot_write_all()), nl=False)

    def done(self, sentence: str, counts: Row) -> None:
        """The numbers."""
        del sentence
        typer.echo(json.dumps(dict(counts), indent=2, ensure_ascii=_cannot_write_all()))

    def ingested(self, accepted: int, duplicates: int, rejected: Sequence[Row]) -> None:
        """The counts, and each bad line."""
        self.done("", {"accepted": accepted, "duplicates": duplicates, "rejected": list(rejected)})


class CsvOutput(Output):
    """For spreadsheets: a line of names, then a line for each row."""

    def show(self, answer: "Exportable", draw: "Callable[[], Iterable[RenderableType]]") -> None:
        """The rows of the answer."""
        del draw
        from headwater.render.formats.as_csv import text  # noqa: PLC0415  not needed for --help

        _write_as_it_is(text(answer))

    def done(self, sentence: str, counts: Row) -> None:
        """The numbers, in one row."""
        del sentence
        from headwater.render.formats.as_csv import table  # noqa: PLC0415  not needed for --help

        _write_as_it_is(table([dict(counts)]))

    def ingested(self, accepted: int, duplicates: int, rejected: Sequence[Row]) -> None:
        """The counts; bad lines go to standard error."""
        self.done("", {"accepted": accepted, "duplicates": duplicates, "rejected": len(rejected)})


def _cannot_write_all() -> bool:
    """Whether the terminal's encoding lacks characters, which JSON can escape."""
    return (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"


def _write_as_it_is(text: str) -> None:
    """Write text unchanged: line ends inside cells are data."""
    typer.echo(text.encode(), nl=False)


_OUTPUTS: Mapping[OutputFormat, type[Output]] = {
    OutputFormat.TEXT: TextOutput,
    OutputFormat.JSON: JsonOutput,
    OutputFormat.CSV: CsvOutput,
}


def output_for(chosen: OutputFormat) -> Output:
    """The output that the user chose."""
    return _OUTPUTS[chosen]()
