"""`headwater diff`."""

from typing import Annotated

import typer

from headwater.cli.options import (
    STORE_DEFAULT,
    WALK,
    DatasetArgument,
    DirectionOption,
    LineageStoreOption,
    OptionalColumnArgument,
    OutputFormat,
    OutputOption,
    Way,
    option,
    with_options,
)
from headwater.cli.output import print_answer
from headwater.cli.questions.ask import ask, question
from headwater.cli.times import moment


@with_options(WALK)
def diff(  # noqa: PLR0913  a command's options
    dataset: DatasetArgument,
    column: OptionalColumnArgument = None,
    *,
    before: Annotated[int | None, option("--from", "TIME", "The earlier time.", parser=moment)] = None,
    after: Annotated[int | None, option("--to", "TIME", "The later time.", default="now", parser=moment)] = None,
    from_version: Annotated[str | None, option("--from-version", "ID", "The earlier version.")] = None,
    to_version: Annotated[str | None, option("--to-version", "ID", "The later version.")] = None,
    direction: DirectionOption = Way.UPSTREAM,
    output: OutputOption = OutputFormat.TEXT,
    store: LineageStoreOption = STORE_DEFAULT,
    **options: object,
) -> None:
    """Show what changed between two times or two versions: columns, their inputs and their expressions.

    The whole upstream is compared. Use --depth 1 to compare only what the columns read directly.

    Example: headwater diff warehouse/customers --from 2025-05-13 --to 2025-05-14

    Example: headwater diff warehouse/customers email --from yesterday

    Example: headwater diff warehouse/orders --from-version 5510 --to-version 5511 --depth 1
    """
    if (from_version is None) != (to_version is None):
        raise typer.BadParameter("--from-version and --to-version must be used together.")
    versions = None if from_version is None else (from_version, to_version)
    difference = question(
        "diff",
        {"since": "--from", "until": "--to", "versions": "--from-version"},
        dataset=dataset, column=column, since=before, until=after, versions=versions, direction=direction.value,
        **options,
    )  # fmt: skip
    answer = ask(store, difference)
    # Here, not above: `--help` starts without it.
    from headwater.render.text.diff import diff_lines  # noqa: PLC0415

    print_answer(output, answer, lambda: diff_lines(answer))
