"""How commands print: text for people, JSON and CSV for programs."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import typer

from headwater.cli.options import OutputFormat

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from headwater.render.formats import Exportable

_WIDTH_OF_A_PIPE = 1_000_000


def make_console() -> Console:
    """A console for standard output."""
    from rich.console import Console  # noqa: PLC0415  not needed for --help

    console = Console(highlight=False)
    if not console.is_terminal:
        # In a pipe a long line stays one line, so that grep and diff work on it.
        console.width = _WIDTH_OF_A_PIPE
    return console


def print_answer(output: str, answer: Exportable, draw: Callable[[], Iterable[RenderableType]]) -> None:
    """Print an answer; `draw` renders it for people."""
    from headwater.render.formats import as_csv, as_json  # noqa: PLC0415  not needed for --help

    if output == OutputFormat.JSON:
        typer.echo(as_json.text(answer, ascii_only=_cannot_write_all()), nl=False)
    elif output == OutputFormat.CSV:
        # As bytes, unchanged: line ends inside cells are data.
        typer.echo(as_csv.text(answer).encode(), nl=False)
    else:
        console = make_console()
        for part in draw():
            console.print(part)


def print_summary(output: str, sentence: str, counts: Mapping[str, object]) -> None:
    """Print what a command did: in a sentence, or as names and numbers. CSV has numbers in place of lists."""
    if output == OutputFormat.JSON:
        typer.echo(json.dumps(dict(counts), indent=2, ensure_ascii=_cannot_write_all()))
    elif output == OutputFormat.CSV:
        from headwater.render.formats.as_csv import table  # noqa: PLC0415  not needed for --help

        typer.echo(table([{name: _number(value) for name, value in counts.items()}]).encode(), nl=False)
    else:
        typer.echo(sentence)


def _number(value: object) -> object:
    return value.total() if isinstance(value, Counter) else len(value) if isinstance(value, list) else value


def _cannot_write_all() -> bool:
    """Whether the terminal's encoding lacks characters, which JSON can escape."""
    return (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
