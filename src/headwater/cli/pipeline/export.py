"""`headwater pipeline export`."""

from headwater.cli.failures import said_to_the_user
from headwater.cli.options import STORE_DEFAULT, OutputFormat, StoreOption
from headwater.cli.output import output_for
from headwater.cli.pipeline.options import (
    ConfOption,
    LakeFormatOption,
    LakeOption,
    MasterOption,
    ReportFormat,
    ReportOption,
    pairs,
)
from headwater.cli.pipeline.progress import watching
from headwater.cli.stores import store_there


def export(  # noqa: PLR0913  a command's options
    *,
    lake: LakeOption,
    store: StoreOption = STORE_DEFAULT,
    format: LakeFormatOption = None,  # noqa: A002  as Spark calls it
    master: MasterOption = None,
    conf: ConfOption = None,
    output: ReportOption = ReportFormat.TEXT,
) -> None:
    """Export a store to a new lake, as the pipeline would build it from the same events.

    Includes tags and everything else set by hand. Pipeline runs can continue from there.

    Example: headwater pipeline export --store postgresql://db/lineage --lake s3a://bucket/lake
    """
    settings = pairs(conf, "--conf")
    chosen = format.value if format else None
    # Here, not above: `--help` starts without them.
    from headwater.lake.address import needs_of_format  # noqa: PLC0415
    from headwater.lake.session.session import SessionOptions, pipeline_session  # noqa: PLC0415
    from headwater.notebook.words import count  # noqa: PLC0415

    with said_to_the_user(), watching() as begun, store_there(store) as source:
        begun("start")
        with pipeline_session(SessionOptions(master, settings, needs_of_format(chosen))) as spark:
            # Not before it is known that PySpark is there.
            from headwater.pipeline.load.export import export as export_store  # noqa: PLC0415

            begun("export")
            done = export_store(spark, source, lake, format=chosen)
    output_for(OutputFormat(output.value)).done(
        f"Exported {count(done.events, 'event')} to {lake}, snapshot {done.snapshot}.",
        {"events": done.events, "snapshot": done.snapshot},
    )
