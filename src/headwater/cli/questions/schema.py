"""`headwater schema`."""

import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.failures import NOT_UNDERSTOOD, exit_with
from headwater.cli.options import OutputFormat, OutputOption, argument, option
from headwater.cli.output import print_answer

if TYPE_CHECKING:
    from rich.console import RenderableType

    from headwater.datahub.schemas.listing import FieldList


class PathKind(str, Enum):
    """Styles of field paths."""

    RFC = "rfc"
    V2 = "v2"
    V1 = "v1"


# Repeated here: importing them would make `--help` wait for all readers; a test compares the two.
_FORMATS = "avro|json-schema|proto|descriptors|parquet|orc|spark|spark-json|hive|sql|openlineage"


def schema(
    file: Annotated[str, argument("FILE", "The schema file; - for standard input.")],
    *,
    kind: Annotated[
        PathKind,
        option(
            "--as",
            "rfc|v2|v1",
            "The path style: the RFC's leaf paths, or DataHub's field paths v2 or v1.",
            default=True,
        ),
    ] = PathKind.RFC,
    format_: Annotated[
        str | None, option("--format", _FORMATS, "The schema format.", "-f", default="detected from the file name")
    ] = None,
    key: Annotated[
        bool, typer.Option("--key", help="The schema describes the keys of a topic. Only v2 paths show this.")
    ] = False,
    output: OutputOption = OutputFormat.TEXT,
) -> None:
    """Show the DataHub field paths of a schema: Avro, JSON Schema, Protobuf, Parquet, ORC, Spark, SQL.

    Example: headwater schema orders.avsc

    Example: headwater schema orders.proto --as v2 --output json
    """
    # Here, not above: `--help` starts without them.
    from headwater.datahub.schemas.formats import Format, guess_format, tree_of  # noqa: PLC0415
    from headwater.datahub.schemas.listing import field_list  # noqa: PLC0415
    from headwater.fields.errors import DataHubError  # noqa: PLC0415

    if format_ is not None and format_ not in {known.value for known in Format}:
        raise exit_with(f"Unknown format {format_!r}. Choose one of {_FORMATS.replace('|', ', ')}.", NOT_UNDERSTOOD)
    content = _read(file)
    try:
        chosen = Format(format_) if format_ is not None else guess_format(file, content)
        folder = None if file == "-" else Path(file).resolve().parent
        fields = field_list(tree_of(content, chosen, folder), kind.value, is_key=key)
    except DataHubError as error:
        raise exit_with(f"{file}: {error}") from error
    print_answer(output, fields, lambda: _draw(fields))


def _read(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise exit_with(f"Cannot read {file}: {error.strerror or error}.", NOT_UNDERSTOOD) from error


def _draw(fields: "FieldList") -> "Iterator[RenderableType]":
    from headwater.render.text.grid import grid  # noqa: PLC0415

    yield from grid(
        (
            (row["path"], row["type"], "nullable" if row["nullable"] else "", "recursive" if row["recursive"] else "")
            for row in fields.rows()
        ),
        styles=("cyan", "", "dim", "dim"),
    )
