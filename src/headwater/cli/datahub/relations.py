"""`headwater datahub relations`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.datahub.options import EnvOption, InstanceOption, naming_of
from headwater.cli.failures import plain_errors
from headwater.cli.options import STORE_DEFAULT, AsOfOption, OutputFormat, OutputOption, StoreOption, argument, option
from headwater.cli.output import print_answer

if TYPE_CHECKING:
    from rich.console import RenderableType

    from headwater.datahub.entities.relations import Relations


def relations(  # noqa: PLR0913  a command's options
    urn: Annotated[str, argument("URN", "The URN of a DataHub dataset, schemaField, datasetField or dataJob.")],
    *,
    incoming: Annotated[
        bool,
        typer.Option(
            "--incoming/--outgoing", help="Show relations that point to the entity instead of those that start at it."
        ),
    ] = False,
    types: Annotated[
        list[str] | None,
        option(
            "--type",
            "TYPE",
            "Show only relations of this type, such as HasField, DataDerivedFrom, DownstreamOf, Consumes or"
            " Produces. Can be repeated.",
            default="all",
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
    from headwater.cli.stores import existing_store  # noqa: PLC0415
    from headwater.datahub.entities.relations import relations_of  # noqa: PLC0415

    with (
        naming_of(env, instance) as naming,
        plain_errors(),
        existing_store(store) as target,
        target.read() as session,
    ):
        answer = relations_of(session, naming, urn, incoming=incoming, types=types or (), at=as_of)
    print_answer(output, answer, lambda: _draw(answer))


def _draw(answer: "Relations") -> "Iterator[RenderableType]":
    from rich.text import Text  # noqa: PLC0415

    from headwater.notebook.words import count, printable  # noqa: PLC0415
    from headwater.render.text.grid import grid  # noqa: PLC0415

    if not answer.relations:
        incoming = answer.direction == "INCOMING"
        yield Text(printable(f"Nothing points to {answer.urn}." if incoming else f"{answer.urn} points to nothing."))
        return
    yield from grid((relation.type, relation.urn) for relation in answer.relations)
    more = "; there may be more" if answer.partial else ""
    yield Text(f"{count(len(answer.relations), 'relation')}{more}.", "dim")
