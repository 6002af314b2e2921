"""Options that several commands share."""

from enum import Enum
from typing import Annotated, TypeAlias

import typer


class OutputFormat(str, Enum):
    """For people or for programs."""

    TEXT = "text"
    JSON = "json"


# The default is said here again: to import it from the store would make `--help` wait for the store.
StoreOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--store", envvar="HEADWATER_STORE", metavar="URL", help="The store: sqlite:///file.db, or a path to the file."
    ),
]
STORE_DEFAULT = "sqlite:///headwater.db"

OutputOption: TypeAlias = Annotated[
    OutputFormat, typer.Option("--output", "-o", help="How to print the answer: for people, or for programs.")
]
