"""`headwater history`."""

from dataclasses import replace
from math import inf
from typing import Annotated

import typer

from headwater.cli.failures import plain_errors
from headwater.cli.options import (
    STORE_DEFAULT,
    DatasetArgument,
    LineageStoreOption,
    OptionalColumnArgument,
    OutputFormat,
    OutputOption,
    option,
)
from headwater.cli.output import print_answer
from headwater.cli.questions.ask import note_future
from headwater.cli.times import beginning, moment


def history(  # noqa: PLR0913  a command's options
    dataset: DatasetArgument,
    column: OptionalColumnArgument = None,
    *,
    since: Annotated[
        int | None,
        option(
            "--since", "TIME", "Show changes from this time on. A date means the start of that day.", parser=beginning
        ),
    ] = None,
    until: Annotated[
        int | None,
        option("--until", "TIME", "Show changes up to this time. A date means the end of that day.", parser=moment),
    ] = None,
    output: OutputOption = OutputFormat.TEXT,
    store: LineageStoreOption = STORE_DEFAULT,
) -> None:
    """Show each change to a column's inputs or expression, with the run that made it.

    Without a column, show the changes to all columns of the dataset.

    Example: headwater history warehouse/customers email

    Example: headwater history warehouse/customers

    Example: headwater history warehouse/customers email --since 2025-05-01 --output csv
    """
    if since is not None and until is not None and since > until:
        raise typer.BadParameter("must not be before --since.", param_hint="--until")
    # Here, not above: `--help` starts without them.
    from headwater.client.connect import connect  # noqa: PLC0415
    from headwater.query.graph.answer import Moment  # noqa: PLC0415
    from headwater.query.moments import lies_ahead  # noqa: PLC0415
    from headwater.render.text.history import history_lines  # noqa: PLC0415

    with plain_errors(), connect(store) as lineage:
        answer = lineage.history(dataset, column)
    note_future(Moment(ahead=lies_ahead(us)) for us in (since, until))
    first, last = since if since is not None else -inf, until if until is not None else inf
    selected = replace(answer, changes=tuple(change for change in answer.changes if first <= change.us <= last))
    print_answer(output, selected, lambda: history_lines(selected, all_times=since is None and until is None))
