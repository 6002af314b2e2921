"""`headwater history`."""

from dataclasses import replace
from math import inf
from typing import Annotated

import typer

from headwater.cli.failures import said_to_the_user
from headwater.cli.options import (
    STORE_DEFAULT,
    ColumnArgument,
    DatasetArgument,
    LineageStoreOption,
    OutputFormat,
    OutputOption,
)
from headwater.cli.output import output_for
from headwater.cli.times import beginning, moment


def history(  # noqa: PLR0913  a command's options
    dataset: DatasetArgument,
    column: ColumnArgument,
    *,
    since: Annotated[
        int | None,
        typer.Option(
            "--since",
            metavar="TIME",
            parser=beginning,
            help="Show changes from this time on. A date means the start of that day.",
            show_default=False,
        ),
    ] = None,
    until: Annotated[
        int | None,
        typer.Option(
            "--until",
            metavar="TIME",
            parser=moment,
            help="Show changes up to this time. A date means the end of that day.",
            show_default=False,
        ),
    ] = None,
    output: OutputOption = OutputFormat.TEXT,
    store: LineageStoreOption = STORE_DEFAULT,
) -> None:
    """Show each change to a column's inputs or expression, with the run that made it.

    Example: headwater history warehouse/customers email

    Example: headwater history warehouse/customers email --since 2025-05-01 --output csv
    """
    if since is not None and until is not None and since > until:
        raise typer.BadParameter("must not be before --since.", param_hint="--until")
    # Here, not above: `--help` starts without them.
    from headwater.client.connect import connect  # noqa: PLC0415
    from headwater.render.text.history import history_lines  # noqa: PLC0415

    with said_to_the_user(), connect(store) as lineage:
        found = lineage.history(dataset, column)
    first, last = since if since is not None else -inf, until if until is not None else inf
    asked = replace(found, changes=tuple(change for change in found.changes if first <= change.us <= last))
    output_for(output).show(asked, lambda: history_lines(asked, all_times=since is None and until is None))
