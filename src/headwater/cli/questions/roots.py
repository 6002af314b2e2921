"""`headwater roots`."""

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
    with_options,
)
from headwater.cli.output import print_answer
from headwater.cli.questions.ask import ask, question


@with_options(TIME, WALK)
def roots(
    dataset: DatasetArgument,
    column: OptionalColumnArgument = None,
    *,
    show_all: AllOption = False,
    output: OutputOption = OutputFormat.TEXT,
    store: LineageStoreOption = STORE_DEFAULT,
    **options: object,
) -> None:
    """Show the source columns of a column: where all paths to it start, without what is in between.

    Each line says how the value arrives, over how many steps, and why the path starts there: it is a source, a job
    writes it from no column, or a job does not say from which columns.

    Example: headwater roots revenue_by_city revenue

    Example: headwater roots warehouse/customers --as-of 2025-05-13 --output csv
    """
    answer = ask(store, question("roots", dataset=dataset, column=column, **options))
    # Here, not above: `--help` starts without it.
    from headwater.render.text.roots import root_lines  # noqa: PLC0415

    print_answer(output, answer, lambda: root_lines(answer, every=show_all))
