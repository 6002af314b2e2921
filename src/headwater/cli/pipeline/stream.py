"""`headwater pipeline stream`."""

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headwater.cli.failures import FAILED, plain_errors
from headwater.cli.options import argument, option, with_options
from headwater.cli.pipeline.options import (
    TRACKED_SPARK,
    LakeFormatOption,
    LakeOption,
    ReaderOption,
    ReportFormat,
    ReportOption,
    StrictOption,
    pairs,
    spark_session,
)
from headwater.cli.pipeline.progress import show_progress
from headwater.cli.pipeline.report import print_report

if TYPE_CHECKING:
    from headwater.pipeline.report import Report


@with_options(TRACKED_SPARK)
def stream(  # noqa: PLR0913  a command's options
    source: Annotated[str, argument("SOURCE", "A directory that receives new files, or kafka:TOPIC.")],
    *,
    lake: LakeOption,
    checkpoint: Annotated[
        str, option("--checkpoint", "DIR", "The directory for the stream's progress. Run with the same one to resume.")
    ],
    format: LakeFormatOption = None,  # noqa: A002  as Spark calls it
    every: Annotated[
        str, option("--every", "TIME", "How often to check for new events, such as '1 minute'.", default=True)
    ] = "10 seconds",
    once: Annotated[bool, typer.Option("--once", help="Process the events that are there, then stop.")] = False,
    most_files: Annotated[
        int | None, option("--max-files", "N", "Process at most N files at a time.", default="all", min=1)
    ] = None,
    reader: ReaderOption = None,
    strict: StrictOption = False,
    output: ReportOption = ReportFormat.TEXT,
    **options: Any,  # noqa: ANN401  those of the bundle
) -> None:
    """Load events into a lake as they arrive, each exactly once, even across failures.

    On Ctrl+C or SIGTERM it finishes the current batch, prints a report and stops. After a crash, run the same command
    to resume from the checkpoint.

    Example: headwater pipeline stream events/ --lake lake --checkpoint lake-checkpoint

    Example: headwater pipeline stream events/ --lake lake --checkpoint lake-checkpoint --once --max-files 100

    Example: headwater pipeline stream kafka:lineage --option kafka.bootstrap.servers=db:9092 --lake lake --checkpoint c
    """
    reader_options = pairs(reader, "--option")
    chosen = format.value if format else None
    # Here, not above: `--help` starts without them.
    from headwater.pipeline.land.sources import needs_of  # noqa: PLC0415
    from headwater.pipeline.report import Report  # noqa: PLC0415

    total = Report()

    def done(report: "Report") -> None:
        nonlocal total
        total += report

    with plain_errors(), show_progress() as begun, ExitStack() as undo:
        begun("start")
        spark = undo.enter_context(spark_session(needs_of([source], chosen), **options))
        # Not before it is known that PySpark is there.
        from headwater.pipeline.stream import stream  # noqa: PLC0415

        how = stream.StreamOptions(None if once else every, most_files, reader_options, chosen)
        with _stop_signals() as stopping:
            stream.stream(spark, source, lake, checkpoint, options=how, stopping=stopping, done=done, begun=begun)
    print_report(total, output, lake)
    if strict and total.bad:
        raise typer.Exit(FAILED)


@contextmanager
def _stop_signals() -> "Iterator[threading.Event]":
    """An event that the first SIGINT or SIGTERM sets; a second one ends the process as usual."""
    stopping = threading.Event()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def stop(number: int, _frame: object) -> None:
        stopping.set()
        signal.signal(number, before[signal.Signals(number)])

    for number in before:
        signal.signal(number, stop)
    try:
        yield stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
