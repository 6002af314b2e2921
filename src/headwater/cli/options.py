"""Arguments and options that several commands share."""

from enum import Enum
from typing import Annotated, TypeAlias

import typer

from headwater.cli.times import beginning, moment


class OutputFormat(str, Enum):
    """For people or for programs."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"


class Way(str, Enum):
    """Which way to go."""

    UPSTREAM = "upstream"
    DOWNSTREAM = "downstream"


# The default is said here again: to import it from the store would make `--help` wait for the store.
StoreOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--store",
        envvar="HEADWATER_STORE",
        metavar="URL",
        help="The store: sqlite:///file.db, a path to the file, or postgresql://user@host/database.",
    ),
]
AnyStoreOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--store",
        envvar="HEADWATER_STORE",
        metavar="URL",
        help="The store: sqlite:///file.db, a path to the file, postgresql://user@host/database, or a server's http://host:5000.",
    ),
]
LineageStoreOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--store",
        envvar="HEADWATER_STORE",
        metavar="URL",
        help="The store: sqlite:///file.db, a path to the file, postgresql://user@host/database, a server's"
        " http://host:5000, or a lake's lake:/path.",
    ),
]
STORE_DEFAULT = "sqlite:///headwater.db"

OutputOption: TypeAlias = Annotated[
    OutputFormat,
    typer.Option(
        "--output", "-o", metavar="text|json|csv", help="How to print the answer: for people, or for programs."
    ),
]

DatasetArgument: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="DATASET",
        help="namespace/name, or any end of the name that no other dataset has.",
        show_default=False,
    ),
]
OptionalDatasetArgument: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="DATASET",
        help="namespace/name, or any end of the name that no other dataset has; not with --job.",
        show_default=False,
    ),
]
ColumnArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="COLUMN", help="A column, or a path to a nested field.", show_default=False)
]
OptionalColumnArgument: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="COLUMN",
        help="A column, a path to a nested field, or * for all columns; without it, the dataset as a whole.",
        show_default=False,
    ),
]

JobOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--job",
        metavar="NAME",
        help="Ask about a job in place of a dataset: namespace/name, or an end of it.",
        show_default=False,
    ),
]
AsOfOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--as-of",
        metavar="TIME",
        parser=moment,
        help="Look at this moment: 2025-05-13 (the end of that day), 2025-05-13T09:30Z, today or yesterday.",
        show_default="now",
    ),
]
SinceOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--since",
        metavar="TIME",
        parser=beginning,
        help="Look at all that held at any moment from here on; a date is the start of that day.",
        show_default=False,
    ),
]
UntilOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--until",
        metavar="TIME",
        parser=moment,
        help="Look at all that held at any moment up to here; a date is the end of that day.",
        show_default=False,
    ),
]
VersionOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--version",
        metavar="ID",
        help="Look at this version of the dataset: its UUID, its name in a version facet, or the UUID of its run.",
        show_default=False,
    ),
]
ContentsOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--contents", help="Count every write since the dataset was last overwritten as a whole, not only the last."
    ),
]
DirectionOption: TypeAlias = Annotated[
    Way,
    typer.Option("--direction", metavar="upstream|downstream", help="Where it comes from, or what it reaches."),
]
DepthOption: TypeAlias = Annotated[
    int | None, typer.Option("--depth", min=0, metavar="N", help="Follow at most N edges.", show_default="all")
]
DirectOption: TypeAlias = Annotated[
    bool, typer.Option("--direct", help="Leave out what only filters, joins, groups, sorts or decides.")
]
NamespaceOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--namespace",
        metavar="NAME",
        help="Keep to datasets of this namespace; may be repeated.",
        show_default="all",
    ),
]
LimitOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--limit", min=1, metavar="N", help="Show the first N, nearest first; the answer says if there is more."
    ),
]
CollapseOption: TypeAlias = Annotated[
    bool, typer.Option("--collapse", help="Show the applications that jobs belong to, in place of the jobs.")
]
