"""`headwater pipeline stream`."""

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.failures import FAILED, said_to_the_user
from headwater.cli.pipeline.options import (
    ConfOption,
    LakeFormatOption,
    LakeOption,
    MasterOption,
    ReaderOption,
    ReportFormat,
    ReportOption,
    StrictOption,
    TrackOption,
    pairs,
)
from headwater.cli.pipeline.progress import watching
from headwater.cli.pipeline.report import print_report

if TYPE_CHECKING:
    from headwater.pipeline.report import Report


def stream(  # noqa: PLR0913  a command's options
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE", help="A directory that receives new files, or kafka:TOPIC.", show_default=False
        ),
    ],
    *,
    lake: LakeOption,
    checkpoint: Annotated[
        str,
        typer.Option(
            "--checkpoint",
            metavar="DIR",
            help="The directory for the stream's progress. Run with the same one to resume.",
            show_default=False,
        ),
    ],
    format: LakeFormatOption = None,  # noqa: A002  as Spark calls it
    every: Annotated[
        str, typer.Option("--every", metavar="TIME", help="How often to check for new events, such as '1 minute'.")
    ] = "10 seconds",
    once: Annotated[bool, typer.Option("--once", help="Process the events that are there, then stop.")] = False,
    most_files: Annotated[
        int | None,
        typer.Option("--max-files", min=1, metavar="N", help="Process at most N files at a time.", show_default="all"),
    ] = None,
    option: ReaderOption = None,
    master: MasterOption = None,
    conf: ConfOption = None,
    track: TrackOption = None,
    strict: StrictOption = False,
    output: ReportOption = ReportFormat.TEXT,
) -> None:
    """Load events into a lake as they arrive, each exactly once, even across failures.

    On Ctrl+C or SIGTERM it finishes the current batch, prints a report and stops. After a crash, run the same command
    to resume from the checkpoint.

    Example: headwater pipeline stream events/ --lake lake --checkpoint lake-checkpoint

    Example: headwater pipeline stream events/ --lake lake --checkpoint lake-checkpoint --once --max-files 100

    Example: headwater pipeline stream kafka:lineage --option kafka.bootstrap.servers=db:9092 --lake lake --checkpoint c
    """
    options, settings = pairs(option, "--option"), pairs(conf, "--conf")
    chosen = format.value if format else None
    # Here, not above: `--help` starts without them.
    from headwater.lake.session.session import SessionOptions, pipeline_session  # noqa: PLC0415
    from headwater.pipeline.land.sources import needs_of  # noqa: PLC0415
    from headwater.pipeline.report import Report  # noqa: PLC0415

    total = Report()

    def done(report: "Report") -> None:
        nonlocal total
        total += report

    with said_to_the_user(), watching() as begun, ExitStack() as undo:
        begun("start")
        spark = undo.enter_context(
            pipeline_session(SessionOptions(master, settings, needs_of([source], chosen), track))
        )
        # Not before it is known that PySpark is there.
        from headwater.pipeline.stream import stream  # noqa: PLC0415

        how = stream.StreamOptions(None if once else every, most_files, options, chosen)
        with _stopped_by_signals() as stopping:
            stream.stream(spark, source, lake, checkpoint, options=how, stopping=stopping, done=done, begun=begun)
    print_report(total, output, lake)
    if strict and total.bad:
        raise typer.Exit(FAILED)


@contextmanager
def _stopped_by_signals() -> "Iterator[threading.Event]":
    """An event that the first interrupt or termination sets; a second one ends the process as usual."""
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
