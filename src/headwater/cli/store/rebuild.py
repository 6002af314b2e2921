"""`headwater rebuild`."""

from headwater.cli.failures import plain_errors
from headwater.cli.options import STORE_DEFAULT, OutputFormat, OutputOption, StoreOption
from headwater.cli.output import print_summary
from headwater.cli.stores import existing_store


def rebuild(*, output: OutputOption = OutputFormat.TEXT, store: StoreOption = STORE_DEFAULT) -> None:
    """Rebuild the store's derived tables from its facts.

    Answers stay the same. Use it if derived tables were damaged or edited by hand.

    Example: headwater rebuild

    Example: headwater rebuild --store postgresql://lineage@db/lineage
    """
    # Here, not above: `--help` starts without them.
    from headwater.cli.progress import counting  # noqa: PLC0415
    from headwater.notebook.words import count  # noqa: PLC0415

    with plain_errors(), existing_store(store) as target, counting("Deriving") as progress:
        events = target.rebuild(progress)
    print_summary(output, f"Rebuilt the store from {count(events, 'event')}.", {"events": events})
