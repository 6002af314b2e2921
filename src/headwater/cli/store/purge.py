"""`headwater purge`."""

from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.failures import exit_with, plain_errors
from headwater.cli.options import STORE_DEFAULT, OutputFormat, OutputOption, StoreOption, option
from headwater.cli.output import print_summary
from headwater.cli.stores import existing_store

if TYPE_CHECKING:
    from headwater.query.graph.answer import TableName
    from headwater.store import Store


def purge(  # noqa: PLR0913  a command's options
    *,
    dataset: Annotated[str | None, option("--dataset", "NAME", "Remove this dataset and its columns.")] = None,
    text: Annotated[
        str | None,
        option(
            "--text", "TEXT", "Remove this text everywhere, ignoring case: for example, a person's name or address."
        ),
    ] = None,
    secrets: Annotated[
        bool,
        typer.Option(
            "--secrets",
            help="Remove passwords, tokens and keys that were stored before Headwater removed them from events.",
        ),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Permanently remove a dataset, a text or secrets: from raw events, from facts, and from all derived from them.

    Events that contain it are kept without it; [purged] replaces a text, *** a secret. You cannot undo this.

    Lakes, backups, exports and the files that events came from keep it: export a purged store to a new lake, and delete
    the old one.

    Example: headwater purge --dataset landing/customers

    Example: headwater purge --text jane@example.com --yes

    Example: headwater purge --secrets
    """
    if [dataset is not None, text is not None, secrets].count(True) != 1:
        raise typer.BadParameter("use one of --dataset, --text and --secrets.")
    if not secrets and not (dataset or text or "").strip():
        raise typer.BadParameter("must not be empty.", param_hint="--dataset" if text is None else "--text")
    with plain_errors(), existing_store(store) as target:
        table = None if dataset is None else _dataset(target, dataset)
        subject = f"the text {text!r} everywhere"
        if table is not None:
            subject = f"the dataset {table.full}"
        elif secrets:
            subject = "all passwords, tokens and keys that are found"
        if not yes and not typer.confirm(f"Remove {subject} permanently?", err=True):
            raise exit_with("Nothing removed.")
        if table is not None:
            events = target.purge_dataset(table.namespace, table.name)
        else:
            events = target.purge_secrets() if secrets else target.purge_text(text or "")
    _report(output, events)


def _report(output: OutputFormat, events: int) -> None:
    from headwater.notebook.words import count  # noqa: PLC0415

    print_summary(output, f"Removed from {count(events, 'event')}.", {"events": events})


def _dataset(store: "Store", name: str) -> "TableName":
    """The dataset of a name."""
    from headwater.query.graph.answer import TableName  # noqa: PLC0415
    from headwater.query.search.resolve import resolve_dataset  # noqa: PLC0415

    with store.read() as session:
        entity = resolve_dataset(session, name)
    return TableName(entity.namespace, entity.name)
