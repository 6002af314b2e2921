"""`headwater rebuild`."""

from headwater.cli.asking import store_there
from headwater.cli.failures import said_to_the_user
from headwater.cli.options import STORE_DEFAULT, OutputFormat, OutputOption, StoreOption
from headwater.cli.output import output_for


def rebuild(*, output: OutputOption = OutputFormat.TEXT, store: StoreOption = STORE_DEFAULT) -> None:
    """Derive everything again from the facts.

    The answers are the same afterwards. It is for a store whose derived tables were damaged, or changed by hand.

    Example: headwater rebuild

    Example: headwater rebuild --store postgresql://lineage@db/lineage
    """
    # Here, not above: `--help` starts without them.
    from headwater.cli.progress import counting  # noqa: PLC0415
    from headwater.graph.words import count  # noqa: PLC0415

    with said_to_the_user(), store_there(store) as target, counting("Deriving") as progress:
        events = target.rebuild(progress)
    output_for(output).done(f"Derived everything again from {count(events, 'event')}.", {"events": events})
