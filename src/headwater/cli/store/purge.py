"""`headwater purge`."""

from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.failures import FAILED, said_to_the_user
from headwater.cli.options import STORE_DEFAULT, OutputFormat, OutputOption, StoreOption
from headwater.cli.output import output_for
from headwater.cli.stores import store_there

if TYPE_CHECKING:
    from headwater.query.graph.answer import TableName
    from headwater.store import Store


def purge(
    *,
    dataset: Annotated[
        str | None,
        typer.Option("--dataset", metavar="NAME", help="Remove this dataset and its columns.", show_default=False),
    ] = None,
    text: Annotated[
        str | None,
        typer.Option(
            "--text",
            metavar="TEXT",
            help="Remove this text everywhere, ignoring case: for example, a person's name or address.",
            show_default=False,
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Permanently remove a dataset or a text: from raw events, from facts, and from everything derived from them.

    Events that contain it are kept without it; [purged] replaces a text. You cannot undo this.

    Example: headwater purge --dataset landing/customers

    Example: headwater purge --text jane@example.com --yes
    """
    if (dataset is None) == (text is None):
        raise typer.BadParameter("use either --dataset or --text.")
    if not (dataset or text or "").strip():
        raise typer.BadParameter("must not be empty.", param_hint="--dataset" if text is None else "--text")
    with said_to_the_user(), store_there(store) as target:
        found = None if dataset is None else _dataset(target, dataset)
        what = f"the dataset {found.full}" if found else f"the text {text!r} everywhere"
        if not yes and not typer.confirm(f"Remove {what} permanently?", err=True):
            typer.echo("Nothing removed.", err=True)
            raise typer.Exit(FAILED)
        events = target.purge_dataset(found.namespace, found.name) if found else target.purge_text(text or "")
    _say(output, events)


def _say(output: OutputFormat, events: int) -> None:
    from headwater.notebook.words import count  # noqa: PLC0415

    output_for(output).done(f"Removed from {count(events, 'event')}.", {"events": events})


def _dataset(store: "Store", name: str) -> "TableName":
    """The one dataset that a person means."""
    from headwater.query.graph.answer import TableName  # noqa: PLC0415
    from headwater.query.search.resolve import resolve_dataset  # noqa: PLC0415

    with store.read() as session:
        found = resolve_dataset(session, name)
    return TableName(found.namespace, found.name)
