"""`headwater purge`."""

from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.asking import store_there
from headwater.cli.failures import FAILED, said_to_the_user
from headwater.cli.options import STORE_DEFAULT, OutputFormat, OutputOption, StoreOption
from headwater.cli.output import output_for

if TYPE_CHECKING:
    from headwater.graph.answer import TableName
    from headwater.store import Store


def purge(
    *,
    dataset: Annotated[
        str | None,
        typer.Option("--dataset", metavar="NAME", help="Forget this dataset and its columns.", show_default=False),
    ] = None,
    text: Annotated[
        str | None,
        typer.Option(
            "--text",
            metavar="TEXT",
            help="Forget this text wherever it stands, in upper or lower case: a person's name or address.",
            show_default=False,
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask first.")] = False,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Remove a dataset, or a text, for good: from raw events, from facts, and from what was derived from them.

    Events that held it are kept without it; in the place of a text stands [purged]. It cannot be undone.

    Example: headwater purge --dataset landing/customers

    Example: headwater purge --text jane@example.com --yes
    """
    if (dataset is None) == (text is None):
        raise typer.BadParameter("write one of --dataset and --text.")
    if not (dataset or text or "").strip():
        raise typer.BadParameter("must not be empty.", param_hint="--dataset" if text is None else "--text")
    with said_to_the_user(), store_there(store) as target:
        found = None if dataset is None else _dataset(target, dataset)
        what = f"the dataset {found.full}" if found else f"the text {text!r} wherever it stands"
        if not yes and not typer.confirm(f"Remove {what} for good?", err=True):
            typer.echo("Nothing was removed.", err=True)
            raise typer.Exit(FAILED)
        events = target.purge_dataset(found.namespace, found.name) if found else target.purge_text(text or "")
    _say(output, events)


def _say(output: OutputFormat, events: int) -> None:
    from headwater.graph.words import count  # noqa: PLC0415

    output_for(output).done(f"Removed from {count(events, 'event')}.", {"events": events})


def _dataset(store: "Store", name: str) -> "TableName":
    """The one dataset that a person means."""
    from headwater.graph.answer import TableName  # noqa: PLC0415
    from headwater.graph.names import resolve_dataset  # noqa: PLC0415

    with store.read() as session:
        found = resolve_dataset(session, name)
    return TableName(found.namespace, found.name)
