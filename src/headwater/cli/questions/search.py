"""`headwater search`."""

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.options import STORE_DEFAULT, AnyStoreOption, NamespaceOption, OutputFormat, OutputOption
from headwater.cli.output import output_for
from headwater.cli.questions.ask import ask, question

if TYPE_CHECKING:
    from rich.console import RenderableType

    from headwater.query.search.fuzzy import SearchResult


class What(str, Enum):
    """What to look for."""

    DATASET = "dataset"
    COLUMN = "column"
    JOB = "job"


def search(  # noqa: PLR0913  a command's options
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WORDS", help="Words from names, tags or descriptions. Typos are tolerated.", show_default=False
        ),
    ] = None,
    *,
    field: Annotated[
        str | None,
        typer.Option(
            "--field",
            metavar="NAME",
            help="Instead of words: the exact name of a column or nested field.",
            show_default=False,
        ),
    ] = None,
    path: Annotated[
        str | None,
        typer.Option(
            "--path",
            metavar="PATH",
            help="Instead of words: the exact path of a field: a.b, /a/b or [version=2.0]….",
            show_default=False,
        ),
    ] = None,
    tag: Annotated[
        str | None,
        typer.Option(
            "--tag", metavar="TAG", help="Instead of words: the exact tag or glossary term.", show_default=False
        ),
    ] = None,
    kind: Annotated[
        list[What] | None,
        typer.Option(
            "--kind", metavar="dataset|column|job", help="Only find this kind. Can be repeated.", show_default="all"
        ),
    ] = None,
    namespace: NamespaceOption = None,
    limit: Annotated[int, typer.Option("--limit", min=1, metavar="N", help="Show the N best matches.")] = 20,
    output: OutputOption = OutputFormat.TEXT,
    store: AnyStoreOption = STORE_DEFAULT,
) -> None:
    """Find datasets, columns and jobs by words in names, tags and descriptions, or by exact name, path or tag.

    Example: headwater search delivery time

    Example: headwater search custmer emial --kind column

    Example: headwater search --field email --tag pii
    """
    if not (words or field or path or tag):
        raise typer.BadParameter("give words, --field, --path or --tag.", param_hint="WORDS")
    kinds = ["field" if what is What.COLUMN else what.value for what in kind] if kind else None
    words_asked = " ".join(words or ())
    exact = {"field": field, "path": path, "tag": tag}
    asked = question("search", text=words_asked, kinds=kinds, limit=limit, namespaces=namespace, **exact)
    found = ask(store, asked)
    output_for(output).show(found, lambda: _drawn(found))


def _drawn(found: "SearchResult") -> "Iterator[RenderableType]":
    from rich.text import Text  # noqa: PLC0415

    from headwater.notebook.words import count, printable  # noqa: PLC0415
    from headwater.render.text.grid import grid  # noqa: PLC0415

    if not found.hits:
        yield Text(printable(f"Nothing matches {found.text!r}."))
        return
    kinds = {"FIELD": "column"}
    yield from grid(
        (kinds.get(hit.kind.name, hit.kind.name.lower()), hit.full, hit.type, _why(hit.row())) for hit in found.hits
    )
    more = "; there may be more" if found.partial else ""
    yield Text(f"{count(len(found.hits), 'hit')}{more}.", "dim")


def _why(row: dict[str, object]) -> str:
    return f"{row['matched']} (in {str(row['in']).lower()})"
