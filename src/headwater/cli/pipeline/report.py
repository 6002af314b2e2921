"""Prints the report of a pipeline run."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from headwater.cli.pipeline.options import ReportFormat

if TYPE_CHECKING:
    from rich.text import Text

    from headwater.pipeline.report import Report


def print_report(report: "Report", output: ReportFormat, lake: str) -> None:
    """Print the report of a run."""
    if output is ReportFormat.JSON:
        typer.echo(json.dumps({"lake": lake, **report.to_dict()}, indent=2))
        return
    from headwater.cli.output import make_console  # noqa: PLC0415  not needed for --help

    console = make_console()
    for line in _draw(report):
        console.print(line)
    if report.bad:
        typer.echo(
            f"{report.bad:,} bad events. The lake's quarantine table has the file, line, reason and bytes of each.",
            err=True,
        )


def _draw(report: "Report") -> "Iterator[Text]":
    from headwater.render.text.grid import grid  # noqa: PLC0415

    lines: list[tuple[str, str]] = [(f"events {name}", f"{number:,}") for name, number in report.counts().items()]
    lines += [(f"rows of {table}", f"{number:,}") for table, number in report.rows.items() if number]
    lines += [(f"seconds to {stage}", f"{seconds:.1f}") for stage, seconds in report.seconds.items()]
    yield from grid([*lines, ("snapshot", str(report.snapshot))], styles=("dim", "bold"))
