"""`headwater search`."""

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.failures import said_to_the_user
from headwater.cli.options import STORE_DEFAULT, AnyStoreOption, NamespaceOption, OutputFormat, OutputOption
from headwater.cli.output import output_for

if TYPE_CHECKING:
    from rich.console import RenderableType

    from headwater.graph.search import SearchResult


class What(str, Enum):
    """What to look for."""

    DATASET = "dataset"
    COLUMN = "column"
    JOB = "job"


def search(  # noqa: PLR0913  a command's options
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="WORDS", help="Words of names, tags or descriptions; a typo is forgiven.", show_default=False
        ),
    ],
    *,
    kind: Annotated[
        list[What] | None,
        typer.Option("--kind", metavar="dataset|column|job", help="Only these; may be repeated.", show_default="all"),
    ] = None,
    namespace: NamespaceOption = None,
    limit: Annotated[int, typer.Option("--limit", min=1, metavar="N", help="Show the best N.")] = 20,
    output: OutputOption = OutputFormat.TEXT,
    store: AnyStoreOption = STORE_DEFAULT,
) -> None:
    """Find datasets, columns and jobs by words of their names, tags and descriptions.

    Example: headwater search delivery time

    Example: headwater search custmer emial --kind column
    """
    # Here, not above: `--help` starts without it.
    from headwater.client import connect  # noqa: PLC0415

    kinds = ["field" if what is What.COLUMN else what.value for what in kind] if kind else None
    with said_to_the_user(), connect(store) as lineage:
        found = lineage.search(" ".join(words), kinds=kinds, limit=limit, namespaces=namespace)
    output_for(output).show(found, lambda: _drawn(found))


def _drawn(found: "SearchResult") -> "Iterator[RenderableType]":
    from rich.text import Text  # noqa: PLC0415

    from headwater.cli.grid import grid  # noqa: PLC0415
    from headwater.graph.words import count, printable  # noqa: PLC0415

    if not found.hits:
        yield Text(printable(f"Nothing is called {found.text!r}, or like it."))
        return
    kinds = {"FIELD": "column"}
    yield from grid(
        (kinds.get(hit.kind.name, hit.kind.name.lower()), hit.full, hit.type, _why(hit.row())) for hit in found.hits
    )
    more = "; there may be more" if found.partial else ""
    yield Text(f"{count(len(found.hits), 'hit')}{more}.", "dim")


def _why(row: dict[str, object]) -> str:
    return f"{row['matched']} (in {str(row['in']).lower()})"
