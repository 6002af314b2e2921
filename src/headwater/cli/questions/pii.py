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
    UNKNOWN = "unknown"


@with_options(TIME, WALK)
def pii(  # noqa: PLR0913  a command's options
    dataset: Annotated[
        str | None,
        argument("DATASET", "What this dataset holds, and where it goes: namespace/name, or a unique ending of it."),
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
            "clear|possible|unknown",
            "Exit with code 3 if a column holds the data in the clear or has the tag; with possible, also if it may, or"
            " if nothing is known about it; with unknown, only if something is not known.",
        ),
    ] = None,
    output: OutputOption = OutputFormat.TEXT,
    store: AnyStoreOption = STORE_DEFAULT,
    **options: object,
) -> None:
    """Show where personal data goes: in the clear, possibly, masked (and at which step), or only as a condition.

    With a dataset, first show which personal data is in it, and from which columns of other datasets it came.

    Without a column, start from all columns with a tag that has one of these words: pii, phi, personal, gdpr, email,
    phone, ssn, sensitive, confidential.

    Example: headwater pii landing/customers email

    Example: headwater pii warehouse/customers --fail-on possible

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

    if fail_on is FailOn.UNKNOWN:
        names = [str(entry.dataset.full if entry.dataset else entry.job and entry.job.full) for entry in answer.unknown]
        return list(dict.fromkeys(names))
    least = Exposure.CLEAR if fail_on is FailOn.CLEAR else Exposure.POSSIBLE
    tagged = [column.field for column in answer.tagged if column.certain or fail_on is FailOn.POSSIBLE]
    columns = [column for arrival in answer.arrivals for column in arrival.reached]
    columns += [column for source in answer.sources for column in source.reached]
    reached = [column.field for column in columns if column.exposure <= least]
    names = [f"{field.table.full}.{field.field}" if field.field else field.table.full for field in (*tagged, *reached)]
    unknown = [entry.dataset.full for entry in answer.unknown if entry.why.may_reach and entry.dataset]
    return list(dict.fromkeys([*names, *(unknown if fail_on is FailOn.POSSIBLE else [])]))
