"""`headwater pipeline vacuum`."""

from typing import Annotated, Any

from headwater.cli.failures import plain_errors
from headwater.cli.options import option, with_options
from headwater.cli.output import print_summary
from headwater.cli.pipeline.options import SPARK, LakeOption, ReportFormat, ReportOption, spark_session


@with_options(SPARK)
def vacuum(
    *,
    lake: LakeOption,
    keep: Annotated[int, option("--keep", "N", "Number of snapshots to keep.", default=True, min=1)] = 10,
    output: ReportOption = ReportFormat.TEXT,
    **options: Any,  # noqa: ANN401  those of the bundle
) -> None:
    """Remove old snapshots of a lake, and files that no snapshot uses.

    Files from the last day are kept: they may belong to a current run.

    Example: headwater pipeline vacuum --lake lake

    Example: headwater pipeline vacuum --lake s3a://bucket/lake --keep 30
    """
    # Here, not above: `--help` starts without them.
    from headwater.lake.address import lake_needs  # noqa: PLC0415
    from headwater.notebook.words import count  # noqa: PLC0415

    with plain_errors(), spark_session(lake_needs(lake), **options) as spark:
        # Not before it is known that PySpark is there.
        from headwater.lake.lake import Lake  # noqa: PLC0415
        from headwater.lake.vacuum import vacuum as vacuum_lake  # noqa: PLC0415

        done = vacuum_lake(Lake.open(spark, lake, make=False), keep)
    print_summary(
        output,
        f"Removed {count(done.removed, 'snapshot')} of the lake; {done.left:,} left.",
        {"removed": done.removed, "left": done.left},
    )
