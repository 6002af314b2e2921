"""`headwater vacuum`."""

from typing import Annotated

import typer

from headwater.cli.failures import said_to_the_user
from headwater.cli.options import STORE_DEFAULT, OutputFormat, OutputOption, StoreOption
from headwater.cli.output import output_for
from headwater.cli.stores import store_there


def vacuum(
    *,
    keep_raw: Annotated[
        int | None,
        typer.Option(
            "--keep-raw",
            min=0,
            metavar="DAYS",
            help="Drop the raw text of events older than this. Answers stay the same.",
            show_default="all",
        ),
    ] = None,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Reclaim unused space in the store, and optionally drop old raw events.

    Example: headwater vacuum

    Example: headwater vacuum --keep-raw 90
    """
    # Here, not above: `--help` starts without them.
    from headwater.notebook.words import count  # noqa: PLC0415
    from headwater.render.text.sizes import size  # noqa: PLC0415

    with said_to_the_user(), store_there(store) as target:
        found = target.vacuum(keep_raw)
    dropped = f"Dropped the raw text of {count(found.events, 'event')}. " if keep_raw is not None else ""
    output_for(output).done(
        f"{dropped}Store size: {size(found.bytes_before)} before, {size(found.bytes_after)} after.",
        {"events": found.events, "bytes_before": found.bytes_before, "bytes_after": found.bytes_after},
    )
