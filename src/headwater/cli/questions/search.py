"""`headwater search`."""

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.options import (
    STORE_DEFAULT,
    AnyStoreOption,
    NamespaceOption,
    OutputFormat,
    OutputOption,
    argument,
    option,
)
from headwater.cli.output import print_answer
from headwater.cli.questions.ask import ask, question

if TYPE_CHECKING:
    from rich.console import RenderableType

    from headwater.query.search.fuzzy import SearchResult


class EntityKind(str, Enum):
    """Kinds of entities."""

    DATASET = "dataset"
    COLUMN = "column"
    JOB = "job"


def search(  # noqa: PLR0913  a command's options
    words: Annotated[
        list[str] | None, argument("WORDS", "Words from names, tags or descriptions. Typos are tolerated.")
    ] = None,
    *,
    field: Annotated[
        str | None, option("--field", "NAME", "Instead of words: the exact name of a column or nested field.")
    ] = None,
    path: Annotated[
        str | None,
        option("--path", "PATH", "Instead of words: the exact path of a field: a.b, /a/b or [version=2.0]…."),
    ] = None,
    tag: Annotated[str | None, option("--tag", "TAG", "Instead of words: the exact tag or glossary term.")] = None,
    kind: Annotated[
        list[EntityKind] | None,
        option("--kind", "dataset|column|job", "Only find this kind. Can be repeated.", default="all"),
    ] = None,
    namespace: NamespaceOption = None,
    limit: Annotated[int, option("--limit", "N", "Show the N best matches.", default=True, min=1)] = 20,
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
    kinds = ["field" if entity is EntityKind.COLUMN else entity.value for entity in kind] if kind else None
    text = " ".join(words or ())
    exact = {"field": field, "path": path, "tag": tag}
    query = question("search", text=text, kinds=kinds, limit=limit, namespaces=namespace, **exact)
    answer = ask(store, query)
    print_answer(output, answer, lambda: _draw(answer))


def _draw(answer: "SearchResult") -> "Iterator[RenderableType]":
    from rich.text import Text  # noqa: PLC0415

    from headwater.notebook.words import count, printable  # noqa: PLC0415
    from headwater.render.text.grid import grid  # noqa: PLC0415

    if not answer.hits:
        yield Text(printable(f"Nothing matches {answer.text!r}."))
        return
    kinds = {"FIELD": "column"}
    yield from grid(
        (kinds.get(hit.kind.name, hit.kind.name.lower()), hit.full, hit.type, _why(hit.row())) for hit in answer.hits
    )
    more = "; there may be more" if answer.partial else ""
    yield Text(f"{count(len(answer.hits), 'hit')}{more}.", "dim")


def _why(row: dict[str, object]) -> str:
    return f"{row['matched']} (in {str(row['in']).lower()})"
