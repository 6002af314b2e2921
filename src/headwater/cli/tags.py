"""`headwater tags`."""

import time
from typing import Annotated, TypeAlias

import typer

from headwater.cli.failures import NOT_UNDERSTOOD, said_to_the_user
from headwater.cli.options import (
    STORE_DEFAULT,
    AsOfOption,
    ColumnArgument,
    DatasetArgument,
    OutputFormat,
    OutputOption,
    StoreOption,
)
from headwater.cli.output import output_for

tags = typer.Typer(no_args_is_help=True)

TagArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="TAG", help="The tag; a term of a glossary is glossaryTerm:NAME.", show_default=False)
]


@tags.callback()
def _about() -> None:
    """Give tags to fields, see them, and let them travel to the fields that are made of those.

    Example: headwater tags set landing/customers email PII
    """


@tags.command("list")
def list_(
    dataset: Annotated[
        str | None,
        typer.Argument(
            metavar="DATASET",
            help="Only this dataset: namespace/name, or any end of the name that no other dataset has.",
            show_default=False,
        ),
    ] = None,
    column: Annotated[
        str | None, typer.Argument(metavar="COLUMN", help="Only this field of it.", show_default=False)
    ] = None,
    *,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """List the tags of fields: who set them, or which field they came from.

    Example: headwater tags list

    Example: headwater tags list warehouse/customers email --output csv
    """
    # Here, not above: `--help` starts without them.
    from headwater.cli.asking import store_there  # noqa: PLC0415
    from headwater.cli.tags_in_words import told_tags  # noqa: PLC0415
    from headwater.travel.listing import list_tags  # noqa: PLC0415

    with said_to_the_user(), store_there(store) as target, target.read() as session:
        found = list_tags(session, dataset, column)
    output_for(output).show(found, lambda: told_tags(found))


@tags.command("set")
def set_(
    dataset: DatasetArgument,
    column: ColumnArgument,
    tag: TagArgument,
    *,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Give a tag to a field; it stays until it is taken away by hand.

    Example: headwater tags set landing/customers email PII
    """
    _change(dataset, column, tag, output, store, given=True)


@tags.command()
def unset(
    dataset: DatasetArgument,
    column: ColumnArgument,
    tag: TagArgument,
    *,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Take a tag away from a field, whoever set it; it will not reach the field, nor what is made of it, again.

    Example: headwater tags unset newsletter mail_host PII
    """
    _change(dataset, column, tag, output, store, given=False)


def _change(  # noqa: PLR0913  a command's options
    dataset: str, column: str, tag: str, output: OutputFormat, store: str, *, given: bool
) -> None:
    if not tag.strip() or not tag.isprintable():
        raise typer.BadParameter("must be some text in one line.", param_hint="TAG")
    # Here, not above: `--help` starts without them.
    from headwater.cli.asking import store_there  # noqa: PLC0415
    from headwater.travel.setting import set_field_tag  # noqa: PLC0415

    with said_to_the_user(), store_there(store) as target:
        field = target.transact(lambda session: set_field_tag(session, dataset, column, tag, given=given))
    done = "has" if given else "no longer has"
    counts = {**field.to_dict(), "tag": tag, "given": given}
    output_for(output).done(f"{field.table.full}.{field.field} {done} the tag {tag}.", counts)


@tags.command()
def propagate(  # noqa: PLR0913  a command's options
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be set where, and set nothing.")] = False,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules", metavar="FILE", help="Rules that come before the usual ones, in YAML.", show_default=False
        ),
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option(
            "--tag",
            metavar="NAME",
            help="Only this tag, and no descriptions; may be repeated.",
            show_default="all, and descriptions",
        ),
    ] = None,
    as_of: AsOfOption = None,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Let tags, terms and descriptions of fields reach the fields that are made of them, as far as the rules allow.

    What arrives is kept apart from what people and sources set, and is replaced the next time.

    Example: headwater tags propagate --dry-run

    Example: headwater tags propagate --tag PII --rules rules.yml
    """
    if as_of is not None and not dry_run:
        raise typer.BadParameter("shows a moment that is over: add --dry-run.", param_hint="--as-of")
    # Here, not above: `--help` starts without them.
    from headwater.cli.asking import store_there  # noqa: PLC0415
    from headwater.cli.tags_in_words import told_propagation  # noqa: PLC0415
    from headwater.travel.propagation import propagation, write  # noqa: PLC0415
    from headwater.travel.rules import Rules  # noqa: PLC0415
    from headwater.travel.rules_file import BadRules, read_rules  # noqa: PLC0415

    try:
        wanted = read_rules(rules) if rules else Rules()
    except BadRules as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(NOT_UNDERSTOOD) from error
    with said_to_the_user(), store_there(store) as target:
        with target.read() as session:
            found = propagation(session, wanted, tag or (), as_of=as_of)
        written = None if dry_run else write(target, found, time.time_ns() // 1000)
    output_for(output).show(found, lambda: told_propagation(found, written))
