"""`headwater pii`."""

from enum import Enum
from typing import TYPE_CHECKING, Annotated

from headwater.cli.options import (
    STORE_DEFAULT,
    TIME,
    WALK,
    AnyStoreOption,
    OutputFormat,
    OutputOption,
    argument,
    option,
    with_options,
)
from headwater.cli.output import print_answer
from headwater.cli.questions.ask import ask, question
from headwater.cli.questions.fail_on import describe, end_with

if TYPE_CHECKING:
    from headwater.query.privacy.pii import Pii


class FailOn(str, Enum):
    """Which exposures fail."""

    CLEAR = "clear"
    POSSIBLE = "possible"
    PARTIAL = "partial"


@with_options(TIME, WALK)
def pii(  # noqa: PLR0913  a command's options
    dataset: Annotated[
        str | None, argument("DATASET", "Only columns of this dataset: namespace/name, or a unique ending of it.")
    ] = None,
    column: Annotated[str | None, argument("COLUMN", "Only this column of the dataset, whatever its tags.")] = None,
    *,
    tag: Annotated[
        str | None, option("--tag", "NAME", "Start from columns with this tag instead of a personal-data tag.")
    ] = None,
    fail_on: Annotated[
        FailOn | None,
        option(
            "--fail-on",
            "clear|possible|partial",
            "Exit with code 3 if a column holds the data in the clear; with possible, also if it may, or if"
            " nothing is known about it; with partial, also if it holds a part of it.",
        ),
    ] = None,
    output: OutputOption = OutputFormat.TEXT,
    store: AnyStoreOption = STORE_DEFAULT,
    **options: object,
) -> None:
    """Show where personal data goes: in the clear, possibly, masked (and at which step), or only as a condition.

    What is masked with a key counts as masked until a step undoes it; that step is shown, too.

    Without a column, start from all columns with a tag that has one of these words: pii, phi, personal, gdpr, email,
    phone, ssn, sensitive, confidential.

    Example: headwater pii landing/customers email

    Example: headwater pii --tag gdpr --fail-on clear
    """
    answer = ask(store, question("pii", dataset=dataset, column=column, tag=tag, **options))
    # Here, not above: `--help` starts without it.
    from headwater.render.text.pii import pii_lines  # noqa: PLC0415

    print_answer(output, answer, lambda: pii_lines(answer))
    if fail_on is not None:
        reason = describe(fail_on.value, _broken(answer, fail_on))
        end_with([reason] if reason else [], partial=answer.partial)


def _broken(answer: "Pii", fail_on: FailOn) -> list[str]:
    """The names that break the condition."""
    from headwater.query.privacy.exposure import Exposure  # noqa: PLC0415

    least = Exposure[fail_on.name]
    reached = [column for source in answer.sources for column in source.reached if column.exposure <= least]
    names = [f"{column.field.table.full}.{column.field.field}" for column in reached]
    unknown = [entry.dataset.full for entry in answer.unknown] if fail_on is not FailOn.CLEAR else []
    return list(dict.fromkeys([*names, *unknown]))
