"""`headwater pipeline close`."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headwater.cli.failures import plain_errors
from headwater.cli.options import AsOfOption, option, with_options
from headwater.cli.pipeline.options import (
    TRACKED_SPARK,
    LakeOption,
    ReportFormat,
    ReportOption,
    spark_session,
)
from headwater.cli.pipeline.progress import show_progress

if TYPE_CHECKING:
    from rich.console import RenderableType

    from headwater.pipeline.close.close import Closed


@with_options(TRACKED_SPARK)
def close(
    *,
    lake: LakeOption,
    as_of: AsOfOption = None,
    top: Annotated[int, option("--top", "N", "Number of hot spots to show.", default=True, min=0)] = 20,
    output: ReportOption = ReportFormat.TEXT,
    **options: Any,  # noqa: ANN401  those of the bundle
) -> None:
    """Find the root columns of every column in a lake, and how much each column reaches.

    Rewrites the lake's tables closure_root, closure_column and column_edge, and shows the columns that most others
    depend on, and how many columns nothing reads.

    Example: headwater pipeline close --lake lake

    Example: headwater pipeline close --lake lake --as-of 2026-01-31 --top 5 --output json
    """
    # Here, not above: `--help` starts without them.
    from headwater.lake.address import lake_needs  # noqa: PLC0415
    from headwater.pipeline.stages import Stages  # noqa: PLC0415

    with plain_errors(), show_progress() as begun, ExitStack() as undo:
        stages = Stages(begun)
        with stages("start"):
            spark = undo.enter_context(spark_session(lake_needs(lake), **options))
        # Not before it is known that PySpark is there.
        from headwater.lake.lake import Lake  # noqa: PLC0415
        from headwater.pipeline.close.close import close as close_lake  # noqa: PLC0415

        closed = close_lake(Lake.open(spark, lake, make=False), as_of, top=top, stages=stages)
    _print(closed, output)


def _print(closed: "Closed", output: ReportFormat) -> None:
    if output is ReportFormat.JSON:
        import json  # noqa: PLC0415  not needed for --help

        typer.echo(json.dumps(closed.to_dict(), indent=2))
        return
    from headwater.cli.output import make_console  # noqa: PLC0415

    console = make_console()
    for part in draw(closed):
        console.print(part)


def draw(closed: "Closed") -> "Iterator[RenderableType]":
    """The result for people."""
    from headwater.notebook.words import count  # noqa: PLC0415
    from headwater.render.text.grid import grid  # noqa: PLC0415  not needed for --help

    took = sum(closed.seconds.values())
    yield (
        f"{count(closed.columns, 'column')} and {count(closed.edges, 'edge')}: {count(closed.pairs, 'root')} in"
        f" total, {count(closed.orphans, 'orphan')}; {took:.1f} s."
    )
    if closed.hot_spots:
        yield ""
        yield "Columns with the most dependents:"
        rows = [
            (
                f"{spot.namespace}/{spot.name}.{spot.field}",
                f"{count(spot.columns, 'column')} in {count(spot.datasets, 'dataset')} by {count(spot.jobs, 'job')}",
            )
            for spot in closed.hot_spots
        ]
        yield from grid(rows, styles=("bold", ""))
