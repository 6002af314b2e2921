"""Options that the commands of `headwater pipeline` share."""

from enum import Enum
from typing import Annotated, TypeAlias

import typer


class LakeFormat(str, Enum):
    """How a lake keeps its tables."""

    PARQUET = "parquet"
    ICEBERG = "iceberg"
    DELTA = "delta"


class ReportFormat(str, Enum):
    """For people or for programs."""

    TEXT = "text"
    JSON = "json"


LakeOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--lake",
        metavar="PATH",
        help="The lake's directory, on any file system that Spark can access.",
        show_default=False,
    ),
]
LakeFormatOption: TypeAlias = Annotated[
    LakeFormat | None,
    typer.Option(
        "--format",
        metavar="parquet|iceberg|delta",
        help="The table format of a new lake. An existing lake keeps its own.",
        show_default="parquet",
    ),
]
ColumnOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--column",
        metavar="NAME",
        help="For tables: the column that holds the event text.",
        show_default="the only text or binary column, else value",
    ),
]
ReaderOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option for Spark's reader, such as kafka.bootstrap.servers=host:9092. Can be repeated.",
        show_default=False,
    ),
]
MasterOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--master",
        metavar="URL",
        help="The Spark master, such as local[4] or spark://host:7077.",
        show_default="local[*], or the one spark-submit sets",
    ),
]
ConfOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--conf", metavar="NAME=VALUE", help="A Spark setting. Can be repeated.", show_default=False),
]
TrackOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--track",
        metavar="URL",
        help="A store to receive the lineage of the pipeline's own jobs.",
        show_default="none",
    ),
]
StrictOption: TypeAlias = Annotated[
    bool, typer.Option("--strict", help="Exit with code 1 if any event went to quarantine.")
]
ReportOption: TypeAlias = Annotated[
    ReportFormat,
    typer.Option("--output", "-o", metavar="text|json", help="Output format: text for people, json for programs."),
]


def pairs(given: list[str] | None, option: str) -> dict[str, str]:
    """What an option of names and values says.

    >>> pairs(["spark.ui.enabled=false"], "--conf")
    {'spark.ui.enabled': 'false'}
    """
    found = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not name or not equals:
            # Without what was written: it may be a password.
            raise typer.BadParameter("must be NAME=VALUE.", param_hint=option)
        found[name] = value
    return found
