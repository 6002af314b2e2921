"""`headwater pipeline close`."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.failures import said_to_the_user
from headwater.cli.options import AsOfOption
from headwater.cli.pipeline.options import (
    ConfOption,
    LakeOption,
    MasterOption,
    ReportFormat,
    ReportOption,
    TrackOption,
    pairs,
)
from headwater.cli.pipeline.progress import watching

if TYPE_CHECKING:
    from rich.console import RenderableType

    from headwater.pipeline.close.close import Closed


def close(  # noqa: PLR0913  a command's options
    *,
    lake: LakeOption,
    as_of: AsOfOption = None,
    top: Annotated[int, typer.Option("--top", min=0, metavar="N", help="Number of hot spots to show.")] = 20,
    master: MasterOption = None,
    conf: ConfOption = None,
    track: TrackOption = None,
    output: ReportOption = ReportFormat.TEXT,
) -> None:
    """Find the root columns of every column in a lake, and how much each column reaches.

    Rewrites the lake's tables closure_root, closure_column and column_edge, and shows the columns that most others
    depend on, and how many columns nothing reads.

    Example: headwater pipeline close --lake lake

    Example: headwater pipeline close --lake lake --as-of 2026-01-31 --top 5 --output json
    """
    settings = pairs(conf, "--conf")
    # Here, not above: `--help` starts without them.
    from headwater.lake.address import lake_needs  # noqa: PLC0415
    from headwater.lake.session.session import SessionOptions, pipeline_session  # noqa: PLC0415
    from headwater.pipeline.stages import Stages  # noqa: PLC0415

    with said_to_the_user(), watching() as begun, ExitStack() as undo:
        stages = Stages(begun)
        with stages("start"):
            spark = undo.enter_context(pipeline_session(SessionOptions(master, settings, lake_needs(lake), track)))
        # Not before it is known that PySpark is there.
        from headwater.lake.lake import Lake  # noqa: PLC0415
        from headwater.pipeline.close.close import close as close_lake  # noqa: PLC0415

        found = close_lake(Lake.open(spark, lake, make=False), as_of, top=top, stages=stages)
    _print(found, output)


def _print(found: "Closed", output: ReportFormat) -> None:
    if output is ReportFormat.JSON:
        import json  # noqa: PLC0415  not needed for --help

        typer.echo(json.dumps(found.to_dict(), indent=2))
        return
    from headwater.cli.output import make_console  # noqa: PLC0415

    console = make_console()
    for part in drawn(found):
        console.print(part)


def drawn(found: "Closed") -> "Iterator[RenderableType]":
    """What people read of it."""
    from headwater.notebook.words import count  # noqa: PLC0415
    from headwater.render.text.grid import grid  # noqa: PLC0415  not needed for --help

    took = sum(found.seconds.values())
    yield (
        f"{count(found.columns, 'column')} and {count(found.edges, 'edge')}: {count(found.pairs, 'root')} in"
        f" total, {count(found.orphans, 'orphan')}; {took:.1f} s."
    )
    if found.hot_spots:
        yield ""
        yield "Columns with the most dependents:"
        rows = [
            (
                f"{spot.namespace}/{spot.name}.{spot.field}",
                f"{count(spot.columns, 'column')} in {count(spot.datasets, 'dataset')} by {count(spot.jobs, 'job')}",
            )
            for spot in found.hot_spots
        ]
        yield from grid(rows, styles=("bold", ""))
