"""`headwater vacuum`."""

from typing import Annotated

from headwater.cli.failures import plain_errors
from headwater.cli.options import STORE_DEFAULT, OutputFormat, OutputOption, StoreOption, option
from headwater.cli.output import print_summary
from headwater.cli.stores import existing_store


def vacuum(
    *,
    keep_raw: Annotated[
        int | None,
        option(
            "--keep-raw",
            "DAYS",
            "Drop the raw text of events older than this. Answers stay the same.",
            default="all",
            min=0,
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

    with plain_errors(), existing_store(store) as target:
        result = target.vacuum(keep_raw)
    dropped = f"Dropped the raw text of {count(result.events, 'event')}. " if keep_raw is not None else ""
    print_summary(
        output,
        f"{dropped}Store size: {size(result.bytes_before)} before, {size(result.bytes_after)} after.",
        {"events": result.events, "bytes_before": result.bytes_before, "bytes_after": result.bytes_after},
    )
