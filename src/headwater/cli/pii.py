"""`headwater pii`."""

from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.asking import check_times
from headwater.cli.fail_on import end_with, said_of
from headwater.cli.failures import said_to_the_user
from headwater.cli.options import (
    STORE_DEFAULT,
    AnyStoreOption,
    AsOfOption,
    DepthOption,
    DirectOption,
    LimitOption,
    NamespaceOption,
    OutputFormat,
    OutputOption,
    SinceOption,
    UntilOption,
)
from headwater.cli.output import output_for

if TYPE_CHECKING:
    from headwater.travel.pii import Pii


class FailOn(str, Enum):
    """What must not be."""

    CLEAR = "clear"
    POSSIBLE = "possible"


def pii(  # noqa: PLR0913  a command's options
    dataset: Annotated[
        str | None,
        typer.Argument(
            metavar="DATASET",
            help="Only fields of this dataset: namespace/name, or any end of the name that no other dataset has.",
            show_default=False,
        ),
    ] = None,
    column: Annotated[
        str | None,
        typer.Argument(metavar="COLUMN", help="This one field of the dataset, whatever its tags.", show_default=False),
    ] = None,
    *,
    tag: Annotated[
        str | None,
        typer.Option(
            "--tag", metavar="NAME", help="Fields with this tag, in place of a personal one.", show_default=False
        ),
    ] = None,
    fail_on: Annotated[
        FailOn | None,
        typer.Option(
            "--fail-on",
            metavar="clear|possible",
            help="Exit with 3 if a field is reached in the clear; or possibly so, or nothing is known of it.",
            show_default=False,
        ),
    ] = None,
    as_of: AsOfOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    direct: DirectOption = False,
    depth: DepthOption = None,
    namespace: NamespaceOption = None,
    limit: LimitOption = None,
    output: OutputOption = OutputFormat.TEXT,
    store: AnyStoreOption = STORE_DEFAULT,
) -> None:
    """Show where fields with personal data went: in the clear, possibly, masked at which step, or as a condition.

    Without a field, all that have a tag with one of these words: pii, phi, personal, gdpr, email, phone, ssn,
    sensitive, confidential.

    Example: headwater pii landing/customers email

    Example: headwater pii --tag gdpr --fail-on clear
    """
    check_times(as_of, since, until)
    # Here, not above: `--help` starts without them.
    from headwater.cli.pii_in_words import told_pii  # noqa: PLC0415
    from headwater.client import connect  # noqa: PLC0415

    with said_to_the_user(), connect(store) as lineage:
        found = lineage.pii(
            dataset,
            column,
            tag=tag,
            as_of=as_of,
            since=since,
            until=until,
            direct=direct,
            depth=depth,
            namespaces=namespace,
            limit=limit,
        )
    output_for(output).show(found, lambda: told_pii(found))
    if fail_on is not None:
        said = said_of(fail_on.value, _broken(found, fail_on))
        end_with([said] if said else [], partial=found.partial)


def _broken(found: "Pii", fail_on: FailOn) -> list[str]:
    """What must not be reached, by name."""
    from headwater.travel.exposure import Exposure  # noqa: PLC0415

    least = Exposure.CLEAR if fail_on is FailOn.CLEAR else Exposure.POSSIBLE
    reached = [one for source in found.sources for one in source.reached if one.exposure <= least]
    names = [f"{one.field.table.full}.{one.field.field}" for one in reached]
    unknown = [one.dataset.full for one in found.unknown] if fail_on is FailOn.POSSIBLE else []
    return list(dict.fromkeys([*names, *unknown]))
