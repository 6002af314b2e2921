"""`headwater impact`."""

from typing import Annotated

import typer

from headwater.cli.asking import check_times
from headwater.cli.fail_on import HELP, condition, end_with
from headwater.cli.failures import said_to_the_user
from headwater.cli.options import (
    STORE_DEFAULT,
    AsOfOption,
    DatasetArgument,
    DepthOption,
    DirectOption,
    LimitOption,
    LineageStoreOption,
    NamespaceOption,
    OptionalColumnArgument,
    OutputFormat,
    OutputOption,
    SinceOption,
    UntilOption,
)
from headwater.cli.output import output_for


def impact(  # noqa: PLR0913  a command's options
    dataset: DatasetArgument,
    column: OptionalColumnArgument = None,
    *,
    fail_on: Annotated[
        list[str] | None, typer.Option("--fail-on", metavar="WHAT", help=HELP, show_default=False)
    ] = None,
    as_of: AsOfOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    direct: DirectOption = False,
    depth: DepthOption = None,
    namespace: NamespaceOption = None,
    limit: LimitOption = None,
    output: OutputOption = OutputFormat.TEXT,
    store: LineageStoreOption = STORE_DEFAULT,
) -> None:
    """Show what a change or a drop of a column reaches, by dataset and job, with paths and owners.

    What is read by jobs that say nothing of columns may be reached: it is shown apart, and --fail-on counts it.

    With --fail-on the exit code is 3 where something is reached that must not be, so that CI can tell it from an error.

    Example: headwater impact landing/customers email

    Example: headwater impact landing/customers email --fail-on unmasked --fail-on owner:team:finance

    Example: headwater impact landing/menus --fail-on dataset:warehouse/revenue_* --output json
    """
    conditions = [condition(text) for text in fail_on or ()]
    check_times(as_of, since, until)
    # Here, not above: `--help` starts without them.
    from headwater.cli.impact_in_words import reached, told_impact  # noqa: PLC0415
    from headwater.client import connect  # noqa: PLC0415

    with said_to_the_user(), connect(store) as lineage:
        found = lineage.impact(
            dataset,
            column,
            as_of=as_of,
            since=since,
            until=until,
            direct=direct,
            depth=depth,
            namespaces=namespace,
            limit=limit,
        )
    output_for(output).show(found, lambda: told_impact(found))
    broken = [said for one in conditions if (said := one.said(reached(found)))]
    end_with(broken, partial=bool(conditions) and found.partial)
