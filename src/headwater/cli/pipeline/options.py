"""Options that the commands of `headwater pipeline` share."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from headwater.cli.options import option

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class LakeFormat(str, Enum):
    """Table formats of a lake."""

    PARQUET = "parquet"
    ICEBERG = "iceberg"
    DELTA = "delta"


class ReportFormat(str, Enum):
    """Report formats for people and programs."""

    TEXT = "text"
    JSON = "json"


LakeOption: TypeAlias = Annotated[
    str, option("--lake", "PATH", "The lake's directory, on any file system that Spark can access.")
]
LakeFormatOption: TypeAlias = Annotated[
    LakeFormat | None,
    option(
        "--format",
        "parquet|iceberg|delta",
        "The table format of a new lake. An existing lake keeps its own.",
        default="parquet",
    ),
]
ColumnOption: TypeAlias = Annotated[
    str | None,
    option(
        "--column",
        "NAME",
        "For tables: the column that holds the event text.",
        default="the only text or binary column, else value",
    ),
]
ReaderOption: TypeAlias = Annotated[
    list[str] | None,
    option(
        "--option",
        "NAME=VALUE",
        "An option for Spark's reader, such as kafka.bootstrap.servers=host:9092. Can be repeated.",
    ),
]
MasterOption: TypeAlias = Annotated[
    str | None,
    option(
        "--master",
        "URL",
        "The Spark master, such as local[4] or spark://host:7077.",
        default="local[*], or the one spark-submit sets",
    ),
]
ConfOption: TypeAlias = Annotated[list[str] | None, option("--conf", "NAME=VALUE", "A Spark setting. Can be repeated.")]
TrackOption: TypeAlias = Annotated[
    str | None, option("--track", "URL", "A store to receive the lineage of the pipeline's own jobs.", default="none")
]
StrictOption: TypeAlias = Annotated[
    bool, typer.Option("--strict", help="Exit with code 1 if any event went to quarantine.")
]
ReportOption: TypeAlias = Annotated[
    ReportFormat,
    option("--output", "text|json", "Output format: text for people, json for programs.", "-o", default=True),
]

SPARK: Mapping[str, Any] = MappingProxyType({"master": MasterOption, "conf": ConfOption})
TRACKED_SPARK: Mapping[str, Any] = MappingProxyType({**SPARK, "track": TrackOption})


@contextmanager
def spark_session(
    needs: Sequence[str], *, master: str | None = None, conf: list[str] | None = None, track: str | None = None
) -> "Iterator[SparkSession]":
    """A session with what is needed, by the options of a bundle; imports of PySpark belong after it has begun."""
    from headwater.lake.session.session import SessionOptions, pipeline_session  # noqa: PLC0415  not for --help

    with pipeline_session(SessionOptions(master, pairs(conf, "--conf"), needs, track)) as spark:
        yield spark


def pairs(texts: list[str] | None, option: str) -> dict[str, str]:
    """The names and values of a repeated option.

    >>> pairs(["spark.ui.enabled=false"], "--conf")
    {'spark.ui.enabled': 'false'}
    """
    values = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not name or not equals:
            # Without the text: it may be a password.
            raise typer.BadParameter("must be NAME=VALUE.", param_hint=option)
        values[name] = value
    return values
