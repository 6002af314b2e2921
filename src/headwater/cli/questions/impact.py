"""`headwater impact`."""

from typing import Annotated

from headwater.cli.options import (
    STORE_DEFAULT,
    TIME,
    WALK,
    AllOption,
    DatasetArgument,
    LineageStoreOption,
    OptionalColumnArgument,
    OutputFormat,
    OutputOption,
    option,
    with_options,
)
from headwater.cli.output import print_answer
from headwater.cli.questions.ask import ask, question
from headwater.cli.questions.fail_on import HELP, condition, end_with, reached


@with_options(TIME, WALK)
def impact(  # noqa: PLR0913  a command's options
    dataset: DatasetArgument,
    column: OptionalColumnArgument = None,
    *,
    fail_on: Annotated[list[str] | None, option("--fail-on", "WHAT", HELP)] = None,
    show_all: AllOption = False,
    output: OutputOption = OutputFormat.TEXT,
    store: LineageStoreOption = STORE_DEFAULT,
    **options: object,
) -> None:
    """Show what changing or dropping a column affects, by dataset and job, with paths and owners.

    Datasets written by jobs without column lineage may be affected: they are listed apart, and --fail-on counts them.

    With --fail-on, the exit code is 3 if the impact matches, so that CI can tell it from an error.

    Example: headwater impact landing/customers email

    Example: headwater impact landing/customers email --fail-on unmasked --fail-on owner:team:finance

    Example: headwater impact landing/menus --fail-on dataset:warehouse/revenue_* --output json
    """
    conditions = [condition(text) for text in fail_on or ()]
    answer = ask(store, question("impact", dataset=dataset, column=column, **options))
    # Here, not above: `--help` starts without it.
    from headwater.render.text.impact import impact_lines  # noqa: PLC0415

    print_answer(output, answer, lambda: impact_lines(answer, every=show_all))
    broken = [reason for rule in conditions if (reason := rule.reason(reached(answer)))]
    end_with(broken, partial=bool(conditions) and answer.partial)
