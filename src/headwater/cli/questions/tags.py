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
    str,
    typer.Argument(metavar="TAG", help="The tag. Write a glossary term as glossaryTerm:NAME.", show_default=False),
]


@tags.callback()
def _about() -> None:
    """Tag columns, list tags, and propagate them to the columns derived from them.

    Example: headwater tags set landing/customers email PII
    """


@tags.command("list")
def list_(
    dataset: Annotated[
        str | None,
        typer.Argument(
            metavar="DATASET",
            help="Only this dataset: namespace/name, or a unique ending of it.",
            show_default=False,
        ),
    ] = None,
    column: Annotated[
        str | None, typer.Argument(metavar="COLUMN", help="Only this column of the dataset.", show_default=False)
    ] = None,
    *,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """List the tags of columns, and who set them or which column they came from.

    Example: headwater tags list

    Example: headwater tags list warehouse/customers email --output csv
    """
    # Here, not above: `--help` starts without them.
    from headwater.cli.stores import store_there  # noqa: PLC0415
    from headwater.query.privacy.tag_listing import list_tags  # noqa: PLC0415
    from headwater.render.text.tags import tag_lines  # noqa: PLC0415

    with said_to_the_user(), store_there(store) as target, target.read() as session:
        found = list_tags(session, dataset, column)
    output_for(output).show(found, lambda: tag_lines(found))


@tags.command("set")
def set_(
    dataset: DatasetArgument,
    column: ColumnArgument,
    tag: TagArgument,
    *,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Tag a column. The tag stays until someone removes it.

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
    """Remove a tag from a column, whoever set it. Propagation does not bring it back, nor carry it on from there.

    Example: headwater tags unset newsletter mail_host PII
    """
    _change(dataset, column, tag, output, store, given=False)


def _change(  # noqa: PLR0913  a command's options
    dataset: str, column: str, tag: str, output: OutputFormat, store: str, *, given: bool
) -> None:
    if not tag.strip() or not tag.isprintable():
        raise typer.BadParameter("must be a non-empty single line of text.", param_hint="TAG")
    # Here, not above: `--help` starts without them.
    from headwater.cli.stores import store_there  # noqa: PLC0415
    from headwater.query.privacy.tagging import set_field_tag  # noqa: PLC0415

    with said_to_the_user(), store_there(store) as target:
        field = target.transact(lambda session: set_field_tag(session, dataset, column, tag, given=given))
    done = "has" if given else "no longer has"
    where = {"namespace": field.namespace, "name": field.name, "field": field.field}
    counts = {**where, "tag": tag, "given": given}
    output_for(output).done(f"{field.table.full}.{field.field} {done} the tag {tag}.", counts)


@tags.command()
def propagate(  # noqa: PLR0913  a command's options
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be set, without setting it.")] = False,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            metavar="FILE",
            help="A YAML file of rules that take precedence over the built-in ones.",
            show_default=False,
        ),
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option(
            "--tag",
            metavar="NAME",
            help="Only this tag, and no descriptions. Can be repeated.",
            show_default="all tags, and descriptions",
        ),
    ] = None,
    as_of: AsOfOption = None,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Propagate tags, glossary terms and descriptions to derived columns, as far as the rules allow.

    Propagated metadata is kept apart from what people and sources set, and each run replaces it.

    Example: headwater tags propagate --dry-run

    Example: headwater tags propagate --tag PII --rules rules.yml
    """
    if as_of is not None and not dry_run:
        raise typer.BadParameter("only shows the past: add --dry-run.", param_hint="--as-of")
    # Here, not above: `--help` starts without them.
    from headwater.cli.stores import store_there  # noqa: PLC0415
    from headwater.query.privacy.rules import Rules  # noqa: PLC0415
    from headwater.query.privacy.rules_file import BadRules, read_rules  # noqa: PLC0415
    from headwater.query.privacy.tag_changes import propagation, write  # noqa: PLC0415
    from headwater.render.text.tags import propagation_lines  # noqa: PLC0415

    try:
        wanted = read_rules(rules) if rules else Rules()
    except BadRules as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(NOT_UNDERSTOOD) from error
    with said_to_the_user(), store_there(store) as target:
        with target.read() as session:
            found = propagation(session, wanted, tag or (), as_of=as_of)
        written = None if dry_run else write(target, found, time.time_ns() // 1000)
    output_for(output).show(found, lambda: propagation_lines(found, written))
