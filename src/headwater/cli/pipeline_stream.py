"""`headwater pipeline stream`."""

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.failures import FAILED, said_to_the_user
from headwater.cli.pipeline_options import (
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
from headwater.cli.pipeline_progress import watching
from headwater.cli.pipeline_report import print_report

if TYPE_CHECKING:
    from headwater.pipeline.report import Report


def stream(  # noqa: PLR0913  a command's options
    source: Annotated[
        str,
        typer.Argument(metavar="SOURCE", help="A directory that grows, or kafka:TOPIC.", show_default=False),
    ],
    *,
    lake: LakeOption,
    checkpoint: Annotated[
        str,
        typer.Option(
            "--checkpoint",
            metavar="DIR",
            help="The stream's memory; the same again goes on where the last one ended.",
            show_default=False,
        ),
    ],
    format: LakeFormatOption = None,  # noqa: A002  as Spark calls it
    every: Annotated[
        str, typer.Option("--every", metavar="TIME", help="How often to look for new events, such as '1 minute'.")
    ] = "10 seconds",
    once: Annotated[bool, typer.Option("--once", help="Take what is there, and end.")] = False,
    most_files: Annotated[
        int | None,
        typer.Option("--max-files", min=1, metavar="N", help="Take at most N files at a time.", show_default="all"),
    ] = None,
    option: ReaderOption = None,
    master: MasterOption = None,
    conf: ConfOption = None,
    track: TrackOption = None,
    strict: StrictOption = False,
    output: ReportOption = ReportFormat.TEXT,
) -> None:
    """Take events into a lake as they come, each once, whatever happens in between.

    Interrupted or terminated, it finishes what it is at, prints the report of all it did, and ends. After a crash, the
    same command goes on from the checkpoint.

    Example: headwater pipeline stream events/ --lake lake --checkpoint lake-checkpoint

    Example: headwater pipeline stream events/ --lake lake --checkpoint lake-checkpoint --once --max-files 100

    Example: headwater pipeline stream kafka:lineage --option kafka.bootstrap.servers=db:9092 --lake lake --checkpoint c
    """
    options, settings = pairs(option, "--option"), pairs(conf, "--conf")
    chosen = format.value if format else None
    # Here, not above: `--help` starts without them.
    from headwater.pipeline.report import Report  # noqa: PLC0415
    from headwater.pipeline.session import SessionOptions, pipeline_session  # noqa: PLC0415
    from headwater.pipeline.sources import needs_of  # noqa: PLC0415

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
        from headwater.pipeline import streaming  # noqa: PLC0415

        how = streaming.StreamOptions(None if once else every, most_files, options, chosen)
        with _stopped_by_signals() as stopping:
            streaming.stream(spark, source, lake, checkpoint, options=how, stopping=stopping, done=done, begun=begun)
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
