"""`headwater simulate`."""

import sys
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.failures import FAILED, NOT_UNDERSTOOD, exit_with
from headwater.cli.options import OutputFormat, OutputOption, option
from headwater.cli.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from headwater.simulate.parts import Part
    from headwater.simulate.settings import Settings
    from headwater.simulate.summary import Summary


def simulate(  # noqa: PLR0913  a command's options
    *,
    datasets: Annotated[int, option("--datasets", "N", "Number of tables, including raw tables.", default=True)] = 200,
    days: Annotated[int, option("--days", "N", "Number of days of history.", default=True)] = 30,
    start: Annotated[
        datetime, option("--start", "DATE", "The first day.", default=True, formats=["%Y-%m-%d"])
    ] = datetime(2026, 1, 1),  # noqa: DTZ001  a date
    seed: Annotated[
        int, option("--seed", "N", "The random seed: the same seed and options produce the same events.", default=True)
    ] = 1,
    columns: Annotated[
        int | None, option("--columns", "N", "Number of columns per table.", default="a mix of narrow and wide tables")
    ] = None,
    layers: Annotated[int, option("--layers", "N", "Number of layers of tables.", default=True)] = 5,
    runs_per_day: Annotated[int, option("--runs-per-day", "N", "How often each job runs per day.", default=True)] = 1,
    change: Annotated[
        float, option("--change", "SHARE", "Share of jobs that change their mapping in a month.", default=True)
    ] = 0.1,
    failures: Annotated[float, option("--failures", "SHARE", "Share of runs that fail.", default=True)] = 0.02,
    late: Annotated[
        float, option("--late", "SHARE", "Share of events that arrive one to five days late.", default=True)
    ] = 0.01,
    duplicates: Annotated[
        float, option("--duplicates", "SHARE", "Share of events that arrive twice.", default=True)
    ] = 0.01,
    nested: Annotated[float, option("--nested", "SHARE", "Share of tables with structs.", default=True)] = 0.1,
    dated: Annotated[
        float, option("--dated", "SHARE", "Share of jobs with the date as a literal in their SQL.", default=True)
    ] = 0.25,
    to: Annotated[
        Path | None,
        option(
            "--to",
            "DIR",
            "Write gzip files to this directory, by year, month and day.",
            default="JSON lines on standard output",
        ),
    ] = None,
    events_per_file: Annotated[
        int, option("--events-per-file", "N", "The most events to write to one file.", default=True, min=1)
    ] = 10_000,
    files: Annotated[
        int | None, option("--files", "N", "Write exactly this many files of similar size.", min=1)
    ] = None,
    jobs: Annotated[int, option("--jobs", "N", "Number of processes.", "-j", default=True, min=1, max=64)] = 1,
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
        raise exit_with(f"{error}.", NOT_UNDERSTOOD) from error
    began = time.perf_counter()
    try:
        if to is None:
            parts = in_pieces(settings)
            summary = _add_up(write_stream(settings, parts, sys.stdout.buffer, jobs), parts)
            sys.stdout.buffer.flush()
        else:
            _check_new(to)
            parts = in_a_tree(settings, to, events_per_file) if files is None else in_files(settings, to, files)
            summary = _add_up(write_files(settings, parts, jobs), parts)
    except OSError as error:
        _give_up(error, to)
    _report(settings, summary, time.perf_counter() - began, output, aside=to is None)


def _check_new(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise exit_with(f"{folder} already exists and is not empty. Choose a new folder.")


def _give_up(error: OSError, to: Path | None) -> None:
    """Say why writing ended early, unless the reader of the stream has just closed it."""
    if to is None and isinstance(error, BrokenPipeError):
        # Python would try to flush the rest at exit, and complain.
        import os  # noqa: PLC0415

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(FAILED) from error
    where = to or "standard output"
    raise exit_with(f"Cannot write the events to {where}: {error.strerror or error}.") from error


def _add_up(summaries: "Iterator[Summary]", parts: "Sequence[Part]") -> "Summary":
    """Add up summaries, with a bar on a terminal."""
    from headwater.simulate.summary import Summary  # noqa: PLC0415

    total = Summary()
    with progress_bar("simulating", len(parts)) as update:
        for summary in summaries:
            total.merge(summary)
            update(advance=1)
    return total


def _report(settings: "Settings", summary: "Summary", seconds: float, output: OutputFormat, *, aside: bool) -> None:
    from headwater.render.text.sizes import size  # noqa: PLC0415

    totals = summary.to_dict()
    counts: dict[str, object] = {
        "datasets": settings.datasets,
        "days": settings.days,
        "seed": settings.seed,
        **totals,
        "seconds": round(seconds, 1),
    }
    sentence = (
        f"{totals['events']:,} events over {settings.days} {'day' if settings.days == 1 else 'days'}"
        f" ({size(totals['json_bytes'])}; {totals['late']:,} late, {totals['duplicates']:,}"
        f" duplicates, {totals['fail']:,} from failed runs) in {seconds:.1f} s."
    )
    if aside:
        # Standard output has the events.
        import json  # noqa: PLC0415

        typer.echo(json.dumps(counts) if output is OutputFormat.JSON else sentence, err=True)
        return
    from headwater.cli.output import print_summary  # noqa: PLC0415

    print_summary(output, f"{sentence} {totals['files']:,} files, {size(totals['file_bytes'])}.", counts)
