"""Arguments and options that several commands share."""

import inspect
from collections.abc import Callable, Mapping
from enum import Enum
from functools import wraps
from types import MappingProxyType
from typing import Annotated, Any, TypeAlias, get_args, get_type_hints

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
        help="The store: sqlite:///file.db, a file path, or postgresql://user@host/database.",
    ),
]
AnyStoreOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--store",
        envvar="HEADWATER_STORE",
        metavar="URL",
        help=(
            "The store: sqlite:///file.db, a file path, postgresql://user@host/database, or a server at"
            " http://host:5000."
        ),
    ),
]
LineageStoreOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--store",
        envvar="HEADWATER_STORE",
        metavar="URL",
        help=(
            "The store: sqlite:///file.db, a file path, postgresql://user@host/database, a server at"
            " http://host:5000, or a lake at lake:/path."
        ),
    ),
]
STORE_DEFAULT = "sqlite:///headwater.db"

OutputOption: TypeAlias = Annotated[
    OutputFormat,
    typer.Option(
        "--output", "-o", metavar="text|json|csv", help="Output format: text for people, json or csv for programs."
    ),
]

DatasetArgument: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="DATASET",
        help="Dataset: namespace/name, or a unique ending of it.",
        show_default=False,
    ),
]
OptionalDatasetArgument: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="DATASET",
        help="Dataset: namespace/name, or a unique ending of it. Cannot be combined with --job.",
        show_default=False,
    ),
]
ColumnArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="COLUMN", help="Column, or path of a nested field.", show_default=False)
]
OptionalColumnArgument: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="COLUMN",
        help="Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset.",
        show_default=False,
    ),
]

JobOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--job",
        metavar="NAME",
        help="Ask about a job instead of a dataset: namespace/name, or a unique ending of it.",
        show_default=False,
    ),
]
AsOfOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--as-of",
        metavar="TIME",
        parser=moment,
        help="Show lineage as of this time: 2025-05-13 (the end of that day), 2025-05-13T09:30Z, today or yesterday.",
        show_default="now",
    ),
]
SinceOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--since",
        metavar="TIME",
        parser=beginning,
        help="Show all lineage in effect at or after this time. A date means the start of that day.",
        show_default=False,
    ),
]
UntilOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--until",
        metavar="TIME",
        parser=moment,
        help="Show all lineage in effect up to this time. A date means the end of that day.",
        show_default=False,
    ),
]
VersionOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--version",
        metavar="ID",
        help=(
            "Show this version of the dataset: its UUID, its name in a version facet, or the UUID of the run that"
            " wrote it."
        ),
        show_default=False,
    ),
]
ContentsOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--contents", help="Include every write since the dataset was last fully overwritten, not only the latest."
    ),
]
DirectionOption: TypeAlias = Annotated[
    Way,
    typer.Option(
        "--direction",
        metavar="upstream|downstream",
        help="upstream: where it comes from; downstream: what it reaches.",
    ),
]
DepthOption: TypeAlias = Annotated[
    int | None, typer.Option("--depth", min=0, metavar="N", help="Follow at most N edges.", show_default="all")
]
DirectOption: TypeAlias = Annotated[
    bool,
    typer.Option("--direct", help="Follow values only: leave out filters, joins, grouping, sorting and conditions."),
]
NamespaceOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--namespace",
        metavar="NAME",
        help="Only include datasets in this namespace. Can be repeated.",
        show_default="all",
    ),
]
LimitOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--limit", min=1, metavar="N", help="Show at most N, nearest first. The answer says if there are more."
    ),
]
CollapseOption: TypeAlias = Annotated[
    bool, typer.Option("--collapse", help="Show applications instead of the jobs that belong to them.")
]

# What belongs together, by the names that questions have for it. `with_options` gives a command all of a bundle.
WALK: Mapping[str, Any] = MappingProxyType(
    {"direct": DirectOption, "depth": DepthOption, "namespaces": NamespaceOption, "limit": LimitOption}
)
TIME: Mapping[str, Any] = MappingProxyType({"as_of": AsOfOption, "since": SinceOption, "until": UntilOption})
FOLLOW: Mapping[str, Any] = MappingProxyType(
    {"job": JobOption, **TIME, "contents": ContentsOption, **WALK, "collapse": CollapseOption}
)


_LAST = ("output", "store")


def with_options(*bundles: Mapping[str, Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of bundles, in place of its `**options`; those that the user leaves out are not there.

    >>> @with_options(WALK)
    ... def show(dataset: str, *, store: str = "here", **options: object) -> None: ...
    >>> list(inspect.signature(show).parameters)
    ['dataset', 'direct', 'depth', 'namespaces', 'limit', 'store']
    """
    options = {name: option for bundle in bundles for name, option in bundle.items()}

    def given(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**values: object) -> None:
            left_out = [name for name in options if values[name] is None or values[name] is False]
            command(**{name: value for name, value in values.items() if name not in left_out})

        own = inspect.signature(command).parameters.values()
        before = [one for one in own if one.kind is one.POSITIONAL_OR_KEYWORD]
        before += [one for one in own if one.kind is one.KEYWORD_ONLY and one.name not in _LAST]
        after = [one for one in own if one.name in _LAST]
        more = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=option, default=_default(option))
            for name, option in options.items()
        ]
        # All are given by name, so a command's own options may stand before those of a bundle.
        run.__signature__ = inspect.Signature([*before, *more, *after])  # type: ignore[attr-defined]
        hints = get_type_hints(command, include_extras=True)
        run.__annotations__ = {one.name: hints[one.name] for one in (*before, *after)} | options
        return run

    return given


def _default(option: Any) -> object:  # noqa: ANN401  a type
    return False if get_args(option)[0] is bool else None
