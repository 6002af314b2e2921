"""`headwater pii`."""

from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.options import (
    STORE_DEFAULT,
    TIME,
    WALK,
    AnyStoreOption,
    OutputFormat,
    OutputOption,
    with_options,
)
from headwater.cli.output import output_for
from headwater.cli.questions.ask import ask, question
from headwater.cli.questions.fail_on import end_with, said_of

if TYPE_CHECKING:
    from headwater.query.privacy.pii import Pii


class FailOn(str, Enum):
    """What must not be."""

    CLEAR = "clear"
    POSSIBLE = "possible"


@with_options(TIME, WALK)
def pii(  # noqa: PLR0913  a command's options
    dataset: Annotated[
        str | None,
        typer.Argument(
            metavar="DATASET",
            help="Only columns of this dataset: namespace/name, or a unique ending of it.",
            show_default=False,
        ),
    ] = None,
    column: Annotated[
        str | None,
        typer.Argument(
            metavar="COLUMN", help="Only this column of the dataset, whatever its tags.", show_default=False
        ),
    ] = None,
    *,
    tag: Annotated[
        str | None,
        typer.Option(
            "--tag",
            metavar="NAME",
            help="Start from columns with this tag instead of a personal-data tag.",
            show_default=False,
        ),
    ] = None,
    fail_on: Annotated[
        FailOn | None,
        typer.Option(
            "--fail-on",
            metavar="clear|possible",
            help=(
                "Exit with code 3 if a column holds the data in the clear; with possible, also if it may, or if"
                " nothing is known about it."
            ),
            show_default=False,
        ),
    ] = None,
    output: OutputOption = OutputFormat.TEXT,
    store: AnyStoreOption = STORE_DEFAULT,
    **options: object,
) -> None:
    """Show where personal data goes: in the clear, possibly, masked (and at which step), or only as a condition.

    Without a column, start from all columns with a tag that has one of these words: pii, phi, personal, gdpr, email,
    phone, ssn, sensitive, confidential.

    Example: headwater pii landing/customers email

    Example: headwater pii --tag gdpr --fail-on clear
    """
    found = ask(store, question("pii", dataset=dataset, column=column, tag=tag, **options))
    # Here, not above: `--help` starts without it.
    from headwater.render.text.pii import pii_lines  # noqa: PLC0415

    output_for(output).show(found, lambda: pii_lines(found))
    if fail_on is not None:
        said = said_of(fail_on.value, _broken(found, fail_on))
        end_with([said] if said else [], partial=found.partial)


def _broken(found: "Pii", fail_on: FailOn) -> list[str]:
    """What must not be reached, by name."""
    from headwater.query.privacy.exposure import Exposure  # noqa: PLC0415

    least = Exposure.CLEAR if fail_on is FailOn.CLEAR else Exposure.POSSIBLE
    reached = [one for source in found.sources for one in source.reached if one.exposure <= least]
    names = [f"{one.field.table.full}.{one.field.field}" for one in reached]
    unknown = [one.dataset.full for one in found.unknown] if fail_on is FailOn.POSSIBLE else []
    return list(dict.fromkeys([*names, *unknown]))
