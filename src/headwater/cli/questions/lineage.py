"""`headwater upstream` and `headwater downstream`."""

from headwater.cli.options import (
    FOLLOW,
    STORE_DEFAULT,
    AllOption,
    LineageStoreOption,
    OptionalColumnArgument,
    OptionalDatasetArgument,
    OutputFormat,
    OutputOption,
    VersionOption,
    with_options,
)
from headwater.cli.output import print_answer
from headwater.cli.questions.ask import ask, question


@with_options(FOLLOW)
def upstream(  # noqa: PLR0913  a command's options
    dataset: OptionalDatasetArgument = None,
    column: OptionalColumnArgument = None,
    *,
    version: VersionOption = None,
    show_all: AllOption = False,
    output: OutputOption = OutputFormat.TEXT,
    store: LineageStoreOption = STORE_DEFAULT,
    **options: object,
) -> None:
    """Show where a column comes from, back to its sources. Without a column, show where the dataset comes from.

    Example: headwater upstream top_delivery_times order_id

    Example: headwater upstream warehouse/customers email --as-of 2025-05-13

    Example: headwater upstream warehouse/orders --version 5511 --output json
    """
    _show("upstream", output, store, show_all, dataset=dataset, column=column, version=version, **options)


@with_options(FOLLOW)
def downstream(
    dataset: OptionalDatasetArgument = None,
    column: OptionalColumnArgument = None,
    *,
    show_all: AllOption = False,
    output: OutputOption = OutputFormat.TEXT,
    store: LineageStoreOption = STORE_DEFAULT,
    **options: object,
) -> None:
    """Show what a column reaches: all that a change to it can affect. Without a column, show what the dataset reaches.

    Example: headwater downstream landing/orders placed_on

    Example: headwater downstream warehouse/customers email --direct

    Example: headwater downstream --job newsletter
    """
    _show("downstream", output, store, show_all, dataset=dataset, column=column, **options)


def _show(direction: str, output: OutputFormat, store: str, show_all: bool, **values: object) -> None:  # noqa: FBT001  as given
    answer = ask(store, question(direction, **values))
    # Here, not above: `--help` starts without it.
    from headwater.render.text.tree import tree_lines  # noqa: PLC0415

    print_answer(output, answer, lambda: tree_lines(answer, every=show_all))
