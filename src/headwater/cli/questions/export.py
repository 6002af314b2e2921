"""`headwater export`."""

import json
import sys
from typing import Annotated, cast

import typer

from headwater.cli.failures import plain_errors
from headwater.cli.options import (
    FOLLOW,
    STORE_DEFAULT,
    DirectionOption,
    LineageStoreOption,
    OptionalColumnArgument,
    OptionalDatasetArgument,
    VersionOption,
    Way,
    option,
    with_options,
)
from headwater.cli.questions.ask import ask, question
from headwater.render.formats import Format


@with_options(FOLLOW)
def export(  # noqa: PLR0913  a command's options
    dataset: OptionalDatasetArgument = None,
    column: OptionalColumnArgument = None,
    *,
    chosen: Annotated[
        Format,
        option(
            "--format",
            "json|csv|graphml|mermaid|dot",
            "The format: JSON, CSV, or a graph for other tools to draw.",
            "-f",
            default=True,
        ),
    ] = Format.JSON,
    events: Annotated[
        bool,
        typer.Option(
            "--events",
            help="Write the raw events as JSON lines, ordered by time. Limit them with --since and --until.",
        ),
    ] = False,
    direction: DirectionOption = Way.UPSTREAM,
    version: VersionOption = None,
    store: LineageStoreOption = STORE_DEFAULT,
    **options: object,
) -> None:
    """Export lineage as JSON, CSV, GraphML, Mermaid or DOT, or export the raw events.

    Example: headwater export --format mermaid revenue_by_city revenue

    Example: headwater export --format dot --direction downstream landing/orders | dot -Tsvg > orders.svg

    Example: headwater export --events --since 2025-05-01 | gzip > may.jsonl.gz
    """
    if events:
        if dataset is not None or "job" in options:
            raise typer.BadParameter("writes all events: remove the dataset or --job.", param_hint="--events")
        _events(store, cast("int | None", options.get("since")), cast("int | None", options.get("until")))
        return
    asked = question(direction.value, dataset=dataset, column=column, version=version, **options)
    # Here, not above: `--help` starts without it.
    from headwater.render.formats import text  # noqa: PLC0415

    typer.echo(text(ask(store, asked), chosen).encode(), nl=False)


def _events(store: str, since: int | None, until: int | None) -> None:
    from headwater.client.connect import connect  # noqa: PLC0415

    with plain_errors(), connect(store) as lineage:
        for event in lineage.events(since=since, until=until):
            # ASCII only: any event can be written, whatever the terminal's encoding.
            sys.stdout.write(json.dumps(event, separators=(",", ":")) + "\n")
