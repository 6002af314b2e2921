"""`headwater simulate`."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.failures import FAILED, NOT_UNDERSTOOD
from headwater.cli.options import OutputFormat, OutputOption

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from headwater.simulate.parts import Part
    from headwater.simulate.settings import Settings
    from headwater.simulate.summary import Summary


def simulate(  # noqa: PLR0913  every knob is an option
    *,
    datasets: Annotated[
        int, typer.Option("--datasets", metavar="N", help="Number of tables, including raw tables.")
    ] = 200,
    days: Annotated[int, typer.Option("--days", metavar="N", help="Number of days of history.")] = 30,
    start: Annotated[
        datetime, typer.Option("--start", metavar="DATE", formats=["%Y-%m-%d"], help="The first day.")
    ] = datetime(2026, 1, 1),  # noqa: DTZ001  a date
    seed: Annotated[
        int,
        typer.Option("--seed", metavar="N", help="The random seed: the same seed and options produce the same events."),
    ] = 1,
    columns: Annotated[
        int | None,
        typer.Option(
            "--columns",
            metavar="N",
            help="Number of columns per table.",
            show_default="a mix of narrow and wide tables",
        ),
    ] = None,
    layers: Annotated[int, typer.Option("--layers", metavar="N", help="Number of layers of tables.")] = 5,
    runs_per_day: Annotated[
        int, typer.Option("--runs-per-day", metavar="N", help="How often each job runs per day.")
    ] = 1,
    change: Annotated[
        float, typer.Option("--change", metavar="SHARE", help="Share of jobs that change their mapping in a month.")
    ] = 0.1,
    failures: Annotated[float, typer.Option("--failures", metavar="SHARE", help="Share of runs that fail.")] = 0.02,
    late: Annotated[
        float, typer.Option("--late", metavar="SHARE", help="Share of events that arrive one to five days late.")
    ] = 0.01,
    duplicates: Annotated[
        float, typer.Option("--duplicates", metavar="SHARE", help="Share of events that arrive twice.")
    ] = 0.01,
    nested: Annotated[float, typer.Option("--nested", metavar="SHARE", help="Share of tables with structs.")] = 0.1,
    dated: Annotated[
        float,
        typer.Option("--dated", metavar="SHARE", help="Share of jobs with the date as a literal in their SQL."),
    ] = 0.25,
    to: Annotated[
        Path | None,
        typer.Option(
            "--to",
            metavar="DIR",
            help="Write gzip files to this directory, by year, month and day.",
            show_default="JSON lines on standard output",
        ),
    ] = None,
    events_per_file: Annotated[
        int, typer.Option("--events-per-file", min=1, metavar="N", help="The most events to write to one file.")
    ] = 10_000,
    files: Annotated[
        int | None,
        typer.Option(
            "--files", min=1, metavar="N", help="Write exactly this many files of similar size.", show_default=False
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=64, metavar="N", help="Number of processes.")] = 1,
    output: OutputOption = OutputFormat.TEXT,
) -> None:
    """Generate the events of a synthetic warehouse, for trying things out and sizing machines.

    Tables in layers, daily jobs, mappings that change, failing runs, late and duplicate events.
    A summary follows at the end: on standard error if the events go to standard output.

    Example: headwater simulate --days 7 | headwater ingest -

    Example: headwater simulate --datasets 2700 --days 365 --jobs 4 --to year

    Example: headwater simulate --columns 20 --files 16 --to bench --output json
    """
    if files is not None and to is None:
        raise typer.BadParameter("needs a directory to write to: add --to.", param_hint="--files")
    # Here, not above: `--help` starts without them.
    from headwater.simulate.parts import in_a_tree, in_files, in_pieces  # noqa: PLC0415
    from headwater.simulate.settings import BadSettings, Settings  # noqa: PLC0415
    from headwater.simulate.writing import write_files, write_stream  # noqa: PLC0415

    try:
        settings = Settings(
            datasets=datasets,
            days=days,
            start=start.date(),
            seed=seed,
            columns=columns,
            layers=layers,
            runs_per_day=runs_per_day,
            change=change,
            failures=failures,
            late=late,
            duplicates=duplicates,
            nested=nested,
            dated=dated,
        )
    except BadSettings as error:
        typer.echo(f"{error}.", err=True)
        raise typer.Exit(NOT_UNDERSTOOD) from error
    began = time.perf_counter()
    try:
        if to is None:
            parts = in_pieces(settings)
            made = _followed(write_stream(settings, parts, sys.stdout.buffer, jobs), parts)
            sys.stdout.buffer.flush()
        else:
            _refuse_what_is_there(to)
            parts = in_a_tree(settings, to, events_per_file) if files is None else in_files(settings, to, files)
            made = _followed(write_files(settings, parts, jobs), parts)
    except OSError as error:
        _give_up(error, to)
    _report(settings, made, time.perf_counter() - began, output, aside=to is None)


def _refuse_what_is_there(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        typer.echo(f"{folder} already exists and is not empty. Choose a new folder.", err=True)
        raise typer.Exit(FAILED)


def _give_up(error: OSError, to: Path | None) -> None:
    """Say why it ended early; whoever reads the stream may have had enough."""
    if to is None and isinstance(error, BrokenPipeError):
        # Python would try to write the rest when it ends, and say that it cannot.
        import os  # noqa: PLC0415

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    else:
        where = to or "standard output"
        typer.echo(f"Cannot write the events to {where}: {error.strerror or error}.", err=True)
    raise typer.Exit(FAILED) from error


def _followed(summaries: "Iterator[Summary]", parts: "Sequence[Part]") -> "Summary":
    """Add up what is made, with a bar on a terminal."""
    from headwater.simulate.summary import Summary  # noqa: PLC0415

    total = Summary()
    with _progress(len(parts)) as advance:
        for summary in summaries:
            total.merge(summary)
            advance()
    return total


@contextmanager
def _progress(parts: int) -> "Iterator[Callable[[], None]]":
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("simulating", total=parts)
        yield lambda: progress.advance(task)


def _report(settings: "Settings", made: "Summary", seconds: float, output: OutputFormat, *, aside: bool) -> None:
    from headwater.render.text.sizes import size  # noqa: PLC0415

    counts: dict[str, object] = {
        "datasets": settings.datasets,
        "days": settings.days,
        "seed": settings.seed,
        **made.to_dict(),
        "seconds": round(seconds, 1),
    }
    said = (
        f"{made.counts['events']:,} events over {settings.days} {'day' if settings.days == 1 else 'days'}"
        f" ({size(made.counts['json_bytes'])}; {made.counts['late']:,} late, {made.counts['duplicates']:,}"
        f" duplicates, {made.counts['fail']:,} from failed runs) in {seconds:.1f} s."
    )
    if aside:
        # Standard output has the events.
        import json  # noqa: PLC0415

        typer.echo(json.dumps(counts) if output is OutputFormat.JSON else said, err=True)
        return
    from headwater.cli.output import output_for  # noqa: PLC0415

    output_for(output).done(f"{said} {made.counts['files']:,} files, {size(made.counts['file_bytes'])}.", counts)
