"""`headwater datahub relations`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.datahub.options import EnvOption, InstanceOption, naming_of
from headwater.cli.failures import said_to_the_user
from headwater.cli.options import STORE_DEFAULT, AsOfOption, OutputFormat, OutputOption, StoreOption
from headwater.cli.output import output_for

if TYPE_CHECKING:
    from rich.console import RenderableType

    from headwater.datahub.entities.relations import Relations


def relations(  # noqa: PLR0913  a command's options
    urn: Annotated[
        str,
        typer.Argument(
            metavar="URN",
            help="The URN of a DataHub dataset, schemaField, datasetField or dataJob.",
            show_default=False,
        ),
    ],
    *,
    incoming: Annotated[
        bool,
        typer.Option(
            "--incoming/--outgoing", help="Show relations that point to the entity instead of those that start at it."
        ),
    ] = False,
    types: Annotated[
        list[str] | None,
        typer.Option(
            "--type",
            metavar="TYPE",
            help=(
                "Show only relations of this type, such as HasField, DataDerivedFrom, DownstreamOf, Consumes or"
                " Produces. Can be repeated."
            ),
            show_default="all",
        ),
    ] = None,
    as_of: AsOfOption = None,
    env: EnvOption = "PROD",
    instance: InstanceOption = None,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Show the relations of a DataHub entity, outgoing or incoming.

    Example: headwater datahub relations 'urn:li:dataset:(urn:li:dataPlatform:kafka,demo.orders,PROD)' --incoming
    """
    # Here, not above: `--help` starts without them.
    from headwater.cli.stores import store_there  # noqa: PLC0415
    from headwater.datahub.entities.relations import relations_of  # noqa: PLC0415

    with (
        naming_of(env, instance) as naming,
        said_to_the_user(),
        store_there(store) as target,
        target.read() as session,
    ):
        found = relations_of(session, naming, urn, incoming=incoming, types=types or (), at=as_of)
    output_for(output).show(found, lambda: _drawn(found))


def _drawn(found: "Relations") -> "Iterator[RenderableType]":
    from rich.text import Text  # noqa: PLC0415

    from headwater.notebook.words import count, printable  # noqa: PLC0415
    from headwater.render.text.grid import grid  # noqa: PLC0415

    if not found.relations:
        incoming = found.direction == "INCOMING"
        yield Text(printable(f"Nothing points to {found.urn}." if incoming else f"{found.urn} points to nothing."))
        return
    yield from grid((one.type, one.urn) for one in found.relations)
    more = "; there may be more" if found.partial else ""
    yield Text(f"{count(len(found.relations), 'relation')}{more}.", "dim")
