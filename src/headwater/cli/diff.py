"""`headwater diff`."""

from typing import Annotated

import typer

from headwater.cli.failures import said_to_the_user
from headwater.cli.options import (
    STORE_DEFAULT,
    DatasetArgument,
    DepthOption,
    DirectionOption,
    DirectOption,
    LineageStoreOption,
    NamespaceOption,
    OptionalColumnArgument,
    OutputFormat,
    OutputOption,
    Way,
)
from headwater.cli.output import output_for
from headwater.cli.times import moment


def diff(  # noqa: PLR0913  a command's options
    dataset: DatasetArgument,
    column: OptionalColumnArgument = None,
    *,
    before: Annotated[
        int | None,
        typer.Option("--from", metavar="TIME", parser=moment, help="The moment before.", show_default=False),
    ] = None,
    after: Annotated[
        int | None, typer.Option("--to", metavar="TIME", parser=moment, help="The moment after.", show_default="now")
    ] = None,
    from_version: Annotated[
        str | None, typer.Option("--from-version", metavar="ID", help="The version before.", show_default=False)
    ] = None,
    to_version: Annotated[
        str | None, typer.Option("--to-version", metavar="ID", help="The version after.", show_default=False)
    ] = None,
    direction: DirectionOption = Way.UPSTREAM,
    direct: DirectOption = False,
    depth: DepthOption = None,
    namespace: NamespaceOption = None,
    output: OutputOption = OutputFormat.TEXT,
    store: LineageStoreOption = STORE_DEFAULT,
) -> None:
    """Show what changed between two moments, or two versions: columns, their inputs and their expressions.

    All that is upstream counts: with --depth 1 only what the columns themselves read.

    Example: headwater diff warehouse/customers --from 2025-05-13 --to 2025-05-14

    Example: headwater diff warehouse/customers email --from yesterday

    Example: headwater diff warehouse/orders --from-version 5510 --to-version 5511 --depth 1
    """
    versions = _versions(from_version, to_version)
    if (before is None) == (versions is None) or (versions is not None and after is not None):
        raise typer.BadParameter("write --from and perhaps --to, or --from-version and --to-version.")
    if before is not None and after is not None and before > after:
        raise typer.BadParameter("is before --from.", param_hint="--to")
    if versions is not None and direction is Way.DOWNSTREAM:
        raise typer.BadParameter("versions are asked where they come from.", param_hint="--direction")
    # Here, not above: `--help` starts without them.
    from headwater.cli.diff_in_words import told_diff  # noqa: PLC0415
    from headwater.client import connect  # noqa: PLC0415
    from headwater.graph.answer import Direction  # noqa: PLC0415

    with said_to_the_user(), connect(store) as lineage:
        found = lineage.diff(
            dataset,
            column,
            since=before,
            until=after,
            versions=versions,
            direction=Direction(direction.value),
            depth=depth,
            direct=direct,
            namespaces=namespace,
        )
    output_for(output).show(found, lambda: told_diff(found))


def _versions(before: str | None, after: str | None) -> tuple[str, str] | None:
    if before is None and after is None:
        return None
    if before is None or after is None:
        raise typer.BadParameter("--from-version and --to-version go together.")
    return before, after
