"""`headwater upstream` and `headwater downstream`."""

from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.failures import said_to_the_user
from headwater.cli.options import STORE_DEFAULT, OutputFormat, OutputOption, StoreOption
from headwater.cli.output import output_for

if TYPE_CHECKING:
    from headwater.graph.answer import Direction

DatasetArgument = Annotated[
    str,
    typer.Argument(
        metavar="DATASET",
        help="namespace/name, or any end of the name that no other dataset has.",
        show_default=False,
    ),
]
ColumnArgument = Annotated[
    str, typer.Argument(metavar="COLUMN", help="A column, or a path to a nested field.", show_default=False)
]
DepthOption = Annotated[
    int | None, typer.Option("--depth", min=0, metavar="N", help="Follow at most N edges.", show_default="all")
]
DirectOption = Annotated[
    bool, typer.Option("--direct", help="Leave out what only filters, joins, groups, sorts or decides.")
]


def upstream(  # noqa: PLR0913  a command's options
    dataset: DatasetArgument,
    column: ColumnArgument,
    *,
    depth: DepthOption = None,
    direct: DirectOption = False,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Show where a column comes from, back to its sources.

    Example: headwater upstream top_delivery_times order_id

    Example: headwater upstream file//lake/orders total --depth 2 --output json
    """
    # Here, not above: `--help` starts without it.
    from headwater.graph.answer import Direction  # noqa: PLC0415

    _ask(Direction.UPSTREAM, dataset, column, depth=depth, direct=direct, output=output, store=store)


def downstream(  # noqa: PLR0913  a command's options
    dataset: DatasetArgument,
    column: ColumnArgument,
    *,
    depth: DepthOption = None,
    direct: DirectOption = False,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Show what a column reaches: all that a change to it may change.

    Example: headwater downstream orders placed_on

    Example: headwater downstream customers email --direct
    """
    from headwater.graph.answer import Direction  # noqa: PLC0415

    _ask(Direction.DOWNSTREAM, dataset, column, depth=depth, direct=direct, output=output, store=store)


def _ask(  # noqa: PLR0913  a command's options
    direction: "Direction",
    dataset: str,
    column: str,
    *,
    depth: int | None,
    direct: bool,
    output: OutputFormat,
    store: str,
) -> None:
    from headwater.graph.ask import ask  # noqa: PLC0415
    from headwater.store import open_store  # noqa: PLC0415

    with said_to_the_user():
        answer = ask(open_store(store), direction, dataset, column, depth=depth, direct=direct)
    output_for(output).answer(answer)
