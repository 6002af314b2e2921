"""`headwater pipeline load`."""

from typing import Any

from headwater.cli.failures import plain_errors
from headwater.cli.options import STORE_DEFAULT, StoreOption, with_options
from headwater.cli.output import print_summary
from headwater.cli.pipeline.options import SPARK, LakeOption, ReportFormat, ReportOption, spark_session
from headwater.cli.pipeline.progress import show_progress


@with_options(SPARK)
def load(
    *,
    lake: LakeOption,
    store: StoreOption = STORE_DEFAULT,
    output: ReportOption = ReportFormat.TEXT,
    **options: Any,  # noqa: ANN401  those of the bundle
) -> None:
    """Load a lake into a store, to serve it from there.

    An empty store receives the tables as they are, in one transaction. Any other store ingests the events it does not
    have yet; the next load of the same lake reads only later events.

    Example: headwater pipeline load --lake lake --store postgresql://db/lineage
    """
    # Here, not above: `--help` starts without them.
    from headwater.lake.address import lake_needs  # noqa: PLC0415
    from headwater.notebook.words import count  # noqa: PLC0415
    from headwater.store import open_store  # noqa: PLC0415

    with plain_errors(), show_progress() as begun, open_store(store) as target:
        begun("start")
        with spark_session(lake_needs(lake), **options) as spark:
            # Not before it is known that PySpark is there.
            from headwater.pipeline.load.load import load as load_lake  # noqa: PLC0415

            begun("load")
            done = load_lake(spark, target, lake)
    how = "Copied" if done.copied else "Merged"
    known = f", {count(done.duplicates, 'event')} already stored" if done.duplicates else ""
    print_summary(
        output,
        f"{how} snapshot {done.snapshot} of the lake: {count(done.accepted, 'new event')}{known}.",
        {
            "snapshot": done.snapshot,
            "copied": done.copied,
            "accepted": done.accepted,
            "duplicates": done.duplicates,
            "rows": dict(done.rows),
        },
    )
