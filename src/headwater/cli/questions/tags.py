"""`headwater tags`."""

import time
from typing import Annotated, TypeAlias

import typer

from headwater.cli.failures import NOT_UNDERSTOOD, exit_with, plain_errors
from headwater.cli.help import Commands
from headwater.cli.options import (
    STORE_DEFAULT,
    AsOfOption,
    ColumnArgument,
    DatasetArgument,
    OutputFormat,
    OutputOption,
    StoreOption,
    argument,
    option,
)
from headwater.cli.output import print_answer, print_summary

tags = Commands()

TagArgument: TypeAlias = Annotated[str, argument("TAG", "The tag. Write a glossary term as glossaryTerm:NAME.")]


@tags.callback()
def _about() -> None:
    """Tag columns, list tags, and propagate them to the columns derived from them.

    Example: headwater tags set landing/customers email PII
    """


@tags.command("list")
def list_(
    dataset: Annotated[
        str | None, argument("DATASET", "Only this dataset: namespace/name, or a unique ending of it.")
    ] = None,
    column: Annotated[str | None, argument("COLUMN", "Only this column of the dataset.")] = None,
    *,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """List the tags of columns, and who set them or which column they came from.

    Example: headwater tags list

    Example: headwater tags list warehouse/customers email --output csv
    """
    # Here, not above: `--help` starts without them.
    from headwater.cli.stores import existing_store  # noqa: PLC0415
    from headwater.query.privacy.tag_listing import list_tags  # noqa: PLC0415
    from headwater.render.text.tags import tag_lines  # noqa: PLC0415

    with plain_errors(), existing_store(store) as target, target.read() as session:
        answer = list_tags(session, dataset, column)
    print_answer(output, answer, lambda: tag_lines(answer))


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
    from headwater.cli.stores import existing_store  # noqa: PLC0415
    from headwater.query.privacy.tag_listing import set_field_tag  # noqa: PLC0415

    with plain_errors(), existing_store(store) as target:
        field = target.transact(lambda session: set_field_tag(session, dataset, column, tag, given=given))
    done = "has" if given else "no longer has"
    where = {"namespace": field.namespace, "name": field.name, "field": field.field}
    counts = {**where, "tag": tag, "given": given}
    print_summary(output, f"{field.table.full}.{field.field} {done} the tag {tag}.", counts)


@tags.command()
def propagate(  # noqa: PLR0913  a command's options
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be set, without setting it.")] = False,
    rules: Annotated[
        str | None, option("--rules", "FILE", "A YAML file of rules that take precedence over the built-in ones.")
    ] = None,
    tag: Annotated[
        list[str] | None,
        option(
            "--tag",
            "NAME",
            "Only this tag, and no descriptions. Can be repeated.",
            default="all tags, and descriptions",
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
    from headwater.cli.stores import existing_store  # noqa: PLC0415
    from headwater.query.privacy.rules import Rules  # noqa: PLC0415
    from headwater.query.privacy.rules_file import BadRules, read_rules  # noqa: PLC0415
    from headwater.query.privacy.tag_changes import propagation, write  # noqa: PLC0415
    from headwater.render.text.tags import propagation_lines  # noqa: PLC0415

    try:
        chosen_rules = read_rules(rules) if rules else Rules()
    except BadRules as error:
        raise exit_with(str(error), NOT_UNDERSTOOD) from error
    with plain_errors(), existing_store(store) as target:
        with target.read() as session:
            changes = propagation(session, chosen_rules, tag or (), as_of=as_of)
        written = None if dry_run else write(target, changes, time.time_ns() // 1000)
    print_answer(output, changes, lambda: propagation_lines(changes, written))
