"""`headwater export`."""

import json
import sys
from typing import Annotated

import typer

from headwater.cli.asking import Question
from headwater.cli.failures import said_to_the_user
from headwater.cli.options import (
    STORE_DEFAULT,
    AsOfOption,
    CollapseOption,
    ContentsOption,
    DepthOption,
    DirectionOption,
    DirectOption,
    JobOption,
    LimitOption,
    LineageStoreOption,
    NamespaceOption,
    OptionalColumnArgument,
    OptionalDatasetArgument,
    SinceOption,
    UntilOption,
    VersionOption,
    Way,
)
from headwater.export import Format


def export(  # noqa: PLR0913  a command's options
    dataset: OptionalDatasetArgument = None,
    column: OptionalColumnArgument = None,
    *,
    chosen: Annotated[
        Format,
        typer.Option(
            "--format",
            "-f",
            metavar="json|csv|graphml|mermaid|dot",
            help="JSON, CSV, or a graph for other programs to draw.",
        ),
    ] = Format.JSON,
    events: Annotated[
        bool,
        typer.Option("--events", help="Write the raw events as JSON lines, by time; --since and --until choose some."),
    ] = False,
    direction: DirectionOption = Way.UPSTREAM,
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
    store: LineageStoreOption = STORE_DEFAULT,
) -> None:
    """Write an answer as JSON, CSV, GraphML, Mermaid or DOT; or the raw events.

    Example: headwater export --format mermaid revenue_by_city revenue

    Example: headwater export --format dot --direction downstream landing/orders | dot -Tsvg > orders.svg

    Example: headwater export --events --since 2025-05-01 | gzip > may.jsonl.gz
    """
    if events:
        if dataset is not None or job is not None:
            raise typer.BadParameter("all events are written, not those of one dataset or job.", param_hint="--events")
        _events(store, since, until)
        return
    question = Question(
        dataset=dataset, column=column, job=job,
        as_of=as_of, since=since, until=until, version=version, contents=contents,
        direct=direct, depth=depth, namespace=namespace, limit=limit, collapse=collapse,
    )  # fmt: skip
    # Here, not above: `--help` starts without them.
    from headwater.export import text  # noqa: PLC0415
    from headwater.graph.answer import Direction  # noqa: PLC0415

    typer.echo(text(question.answer(Direction(direction.value), store), chosen).encode(), nl=False)


def _events(store: str, since: int | None, until: int | None) -> None:
    from headwater.client import connect  # noqa: PLC0415

    with said_to_the_user(), connect(store) as lineage:
        for event in lineage.events(since=since, until=until):
            # ASCII only: any event can be written, whatever the terminal's encoding.
            sys.stdout.write(json.dumps(event, separators=(",", ":")) + "\n")
