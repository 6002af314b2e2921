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
        "--lake", metavar="PATH", help="Where the lake is, on any file system that Spark knows.", show_default=False
    ),
]
LakeFormatOption: TypeAlias = Annotated[
    LakeFormat | None,
    typer.Option(
        "--format",
        metavar="parquet|iceberg|delta",
        help="How a new lake keeps its tables; one that is there says so itself.",
        show_default="parquet",
    ),
]
ColumnOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--column",
        metavar="NAME",
        help="Of tables, the column that holds the text of events.",
        show_default="the only one of text or bytes, else value",
    ),
]
ReaderOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="What Spark's reader of the source is told, such as kafka.bootstrap.servers=host:9092; may be repeated.",
        show_default=False,
    ),
]
MasterOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--master",
        metavar="URL",
        help="Spark's master, such as local[4] or spark://host:7077.",
        show_default="local[*], or what spark-submit says",
    ),
]
ConfOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--conf", metavar="NAME=VALUE", help="A setting of Spark; may be repeated.", show_default=False),
]
TrackOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--track",
        metavar="URL",
        help="A store that is to have the lineage of the pipeline's own jobs.",
        show_default="none",
    ),
]
StrictOption: TypeAlias = Annotated[
    bool, typer.Option("--strict", help="Exit with 1 where an event was put into quarantine.")
]
ReportOption: TypeAlias = Annotated[
    ReportFormat,
    typer.Option("--output", "-o", metavar="text|json", help="How to print the report: for people, or for programs."),
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
            raise typer.BadParameter("write NAME=VALUE.", param_hint=option)
        found[name] = value
    return found
