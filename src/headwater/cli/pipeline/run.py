"""`headwater pipeline run`."""

from contextlib import ExitStack
from dataclasses import replace
from typing import Annotated, Any

import typer

from headwater.cli.failures import FAILED, plain_errors
from headwater.cli.options import argument, option, with_options
from headwater.cli.pipeline.options import (
    TRACKED_SPARK,
    ColumnOption,
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


@with_options(TRACKED_SPARK)
def run(  # noqa: PLR0913  a command's options
    sources: Annotated[
        list[str],
        argument(
            "SOURCE...",
            "Files, directories or patterns of JSON lines, plain or gzip; - for standard input; parquet:PATH,"
            " delta:PATH or TABLE, iceberg:TABLE, kafka:TOPIC; or the URL of a store.",
        ),
    ],
    *,
    lake: LakeOption,
    format: LakeFormatOption = None,  # noqa: A002  as Spark calls it
    column: ColumnOption = None,
    reader: ReaderOption = None,
    close_too: Annotated[
        bool,
        typer.Option(
            "--close", help="Close the lake afterwards: find the roots and the reach of every column as of now."
        ),
    ] = False,
    store: Annotated[
        str | None,
        option(
            "--store",
            "URL",
            "A store to load the lake into afterwards: sqlite:///file.db, a path, or postgresql://user@host/database.",
            default="none",
        ),
    ] = None,
    strict: StrictOption = False,
    output: ReportOption = ReportFormat.TEXT,
    **options: Any,  # noqa: ANN401  those of the bundle
) -> None:
    """Load events into a lake: validate them, derive the lineage, and commit it all at once.

    Invalid events go to the lake's quarantine table, with their file, line, offset, reason and bytes.
    Events that are already in the lake are skipped.

    Example: headwater pipeline run events/ --lake lake

    Example: zcat archive.gz | headwater pipeline run - --lake lake --output json

    Example: headwater pipeline run s3a://bucket/events/2026 --lake s3a://bucket/lake --master spark://host:7077

    Example: headwater pipeline run day.jsonl.gz --lake lake --store postgresql://lineage@db/lineage

    Example: headwater pipeline run kafka:lineage --option kafka.bootstrap.servers=host:9092 --lake lake
    """
    reader_options = pairs(reader, "--option")
    chosen = format.value if format else None
    # Here, not above: `--help` starts without them.
    from headwater.pipeline.land.sources import needs_of, shown  # noqa: PLC0415
    from headwater.pipeline.stages import Stages  # noqa: PLC0415
    from headwater.store import open_store  # noqa: PLC0415

    with plain_errors(), show_progress() as begun, ExitStack() as undo:
        stages = Stages(begun)
        needs = needs_of(sources, chosen)
        with stages("start"):
            spark = undo.enter_context(spark_session(needs, **options))
        # Not before it is known that PySpark is there.
        from headwater.lake.lake import Lake  # noqa: PLC0415
        from headwater.pipeline.land.land import land  # noqa: PLC0415
        from headwater.pipeline.land.stdin import spooled_input  # noqa: PLC0415
        from headwater.pipeline.run import run_once  # noqa: PLC0415

        opened = Lake.open(spark, lake, format=chosen)
        with stages("land"):
            spooled = spooled_input(spark, opened.scratch()) if "-" in sources else None
            landed = land(spark, sources, column=column, options=reader_options, spooled=spooled)
        report = run_once(spark, opened, landed, note={"sources": shown(sources)}, stages=stages)
        if close_too:
            from headwater.pipeline.close.close import close  # noqa: PLC0415

            with stages("close"):
                close(opened)
        if store is not None:
            from headwater.pipeline.load.load import load  # noqa: PLC0415

            with stages("load"), open_store(store) as target:
                load(spark, target, lake)
        report = replace(report, seconds=dict(stages.seconds), snapshot=opened.snapshot.number)
    print_report(report, output, lake)
    if strict and report.bad:
        raise typer.Exit(FAILED)
