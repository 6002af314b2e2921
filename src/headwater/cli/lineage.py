"""`headwater upstream` and `headwater downstream`."""

from typing import TYPE_CHECKING

from headwater.cli.asking import Question
from headwater.cli.options import (
    STORE_DEFAULT,
    AsOfOption,
    CollapseOption,
    ContentsOption,
    DepthOption,
    DirectOption,
    JobOption,
    LimitOption,
    LineageStoreOption,
    NamespaceOption,
    OptionalColumnArgument,
    OptionalDatasetArgument,
    OutputFormat,
    OutputOption,
    SinceOption,
    UntilOption,
    VersionOption,
)
from headwater.cli.output import output_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType


def upstream(  # noqa: PLR0913  a command's options
    dataset: OptionalDatasetArgument = None,
    column: OptionalColumnArgument = None,
    *,
    job: JobOption = None,
    as_of: AsOfOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    version: VersionOption = None,
    contents: ContentsOption = False,
    direct: DirectOption = False,
    depth: DepthOption = None,
    namespace: NamespaceOption = None,
    limit: LimitOption = None,
    collapse: CollapseOption = False,
    output: OutputOption = OutputFormat.TEXT,
    store: LineageStoreOption = STORE_DEFAULT,
) -> None:
    """Show where a column comes from, back to its sources; without a column, where the dataset comes from.

    Example: headwater upstream top_delivery_times order_id

    Example: headwater upstream warehouse/customers email --as-of 2025-05-13

    Example: headwater upstream warehouse/orders --version 5511 --output json
    """
    question = Question(
        dataset=dataset, column=column, job=job,
        as_of=as_of, since=since, until=until, version=version, contents=contents,
        direct=direct, depth=depth, namespace=namespace, limit=limit, collapse=collapse,
    )  # fmt: skip
    _show("upstream", question, output, store)


def downstream(  # noqa: PLR0913  a command's options
    dataset: OptionalDatasetArgument = None,
    column: OptionalColumnArgument = None,
    *,
    job: JobOption = None,
    as_of: AsOfOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    contents: ContentsOption = False,
    direct: DirectOption = False,
    depth: DepthOption = None,
    namespace: NamespaceOption = None,
    limit: LimitOption = None,
    collapse: CollapseOption = False,
    output: OutputOption = OutputFormat.TEXT,
    store: LineageStoreOption = STORE_DEFAULT,
) -> None:
    """Show what a column reaches: all that a change to it may change; without a column, what the dataset reaches.

    Example: headwater downstream landing/orders placed_on

    Example: headwater downstream warehouse/customers email --direct

    Example: headwater downstream --job newsletter
    """
    question = Question(
        dataset=dataset, column=column, job=job,
        as_of=as_of, since=since, until=until, version=None, contents=contents,
        direct=direct, depth=depth, namespace=namespace, limit=limit, collapse=collapse,
    )  # fmt: skip
    _show("downstream", question, output, store)


def _show(direction: str, question: Question, output: OutputFormat, store: str) -> None:
    # Here, not above: `--help` starts without it.
    from headwater.graph.answer import Direction  # noqa: PLC0415

    answer = question.answer(Direction(direction), store)

    def draw() -> "Iterable[RenderableType]":
        from headwater.cli.tree import drawn  # noqa: PLC0415

        return drawn(answer)

    output_for(output).show(answer, draw)
