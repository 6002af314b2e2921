"""`headwater vacuum`."""

from typing import Annotated

import typer

from headwater.cli.asking import store_there
from headwater.cli.failures import said_to_the_user
from headwater.cli.options import STORE_DEFAULT, OutputFormat, OutputOption, StoreOption
from headwater.cli.output import output_for


def vacuum(
    *,
    keep_raw: Annotated[
        int | None,
        typer.Option(
            "--keep-raw",
            min=0,
            metavar="DAYS",
            help="Drop the raw text of events that are older; what they said stays, and every answer with it.",
            show_default="all",
        ),
    ] = None,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Make the store as small as it can be; drop old raw events if asked to.

    Example: headwater vacuum

    Example: headwater vacuum --keep-raw 90
    """
    # Here, not above: `--help` starts without them.
    from headwater.cli.sizes import size  # noqa: PLC0415
    from headwater.graph.words import count  # noqa: PLC0415

    with said_to_the_user(), store_there(store) as target:
        found = target.vacuum(keep_raw)
    dropped = f"Dropped the raw text of {count(found.events, 'event')}. " if keep_raw is not None else ""
    output_for(output).done(
        f"{dropped}The store was {size(found.bytes_before)}, and is {size(found.bytes_after)}.",
        {"events": found.events, "bytes_before": found.bytes_before, "bytes_after": found.bytes_after},
    )
