"""`headwater pipeline export`."""

from typing import Any

from headwater.cli.failures import plain_errors
from headwater.cli.options import STORE_DEFAULT, StoreOption, with_options
from headwater.cli.output import print_summary
from headwater.cli.pipeline.options import (
    SPARK,
    LakeFormatOption,
    LakeOption,
    ReportFormat,
    ReportOption,
    spark_session,
)
from headwater.cli.pipeline.progress import show_progress
from headwater.cli.stores import existing_store


@with_options(SPARK)
def export(
    *,
    lake: LakeOption,
    store: StoreOption = STORE_DEFAULT,
    format: LakeFormatOption = None,  # noqa: A002  as Spark calls it
    output: ReportOption = ReportFormat.TEXT,
    **options: Any,  # noqa: ANN401  those of the bundle
) -> None:
    """Export a store to a new lake, as the pipeline would build it from the same events.

    Includes tags and everything else set by hand. Pipeline runs can continue from there.

    Example: headwater pipeline export --store postgresql://db/lineage --lake s3a://bucket/lake
    """
    chosen = format.value if format else None
    # Here, not above: `--help` starts without them.
    from headwater.lake.address import needs_of_format  # noqa: PLC0415
    from headwater.notebook.words import count  # noqa: PLC0415

    with plain_errors(), show_progress() as begun, existing_store(store) as source:
        begun("start")
        with spark_session(needs_of_format(chosen), **options) as spark:
            # Not before it is known that PySpark is there.
            from headwater.pipeline.load.export import export as export_store  # noqa: PLC0415

            begun("export")
            done = export_store(spark, source, lake, format=chosen)
    print_summary(
        output,
        f"Exported {count(done.events, 'event')} to {lake}, snapshot {done.snapshot}.",
        {"events": done.events, "snapshot": done.snapshot},
    )
