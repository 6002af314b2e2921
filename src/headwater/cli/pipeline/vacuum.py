"""`headwater pipeline vacuum`."""

from typing import Annotated

import typer

from headwater.cli.failures import said_to_the_user
from headwater.cli.options import OutputFormat
from headwater.cli.output import output_for
from headwater.cli.pipeline.options import ConfOption, LakeOption, MasterOption, ReportFormat, ReportOption, pairs


def vacuum(
    *,
    lake: LakeOption,
    keep: Annotated[int, typer.Option("--keep", min=1, metavar="N", help="Number of snapshots to keep.")] = 10,
    master: MasterOption = None,
    conf: ConfOption = None,
    output: ReportOption = ReportFormat.TEXT,
) -> None:
    """Remove old snapshots of a lake, and files that no snapshot uses.

    Files from the last day are kept: they may belong to a current run.

    Example: headwater pipeline vacuum --lake lake

    Example: headwater pipeline vacuum --lake s3a://bucket/lake --keep 30
    """
    settings = pairs(conf, "--conf")
    # Here, not above: `--help` starts without them.
    from headwater.lake.address import lake_needs  # noqa: PLC0415
    from headwater.lake.session.session import SessionOptions, pipeline_session  # noqa: PLC0415
    from headwater.notebook.words import count  # noqa: PLC0415

    with said_to_the_user(), pipeline_session(SessionOptions(master, settings, lake_needs(lake))) as spark:
        # Not before it is known that PySpark is there.
        from headwater.lake.lake import Lake  # noqa: PLC0415
        from headwater.lake.vacuum import vacuum as vacuum_lake  # noqa: PLC0415

        done = vacuum_lake(Lake.open(spark, lake, make=False), keep)
    output_for(OutputFormat(output.value)).done(
        f"Removed {count(done.removed, 'snapshot')} of the lake; {done.left:,} left.",
        {"removed": done.removed, "left": done.left},
    )
