"""Arguments and options that several commands share."""

import inspect
from collections.abc import Callable, Mapping
from enum import Enum
from functools import wraps
from types import MappingProxyType
from typing import Annotated, Any, TypeAlias, get_args, get_type_hints

import typer

from headwater.cli.times import beginning, moment


def option(flag: str, metavar: str, text: str, *flags: str, default: bool | str = False, **settings: Any) -> Any:  # noqa: ANN401  typer's own types
    """An option with a value; `default` is what `--help` shows as its default."""
    return typer.Option(flag, *flags, metavar=metavar, help=text, show_default=default, **settings)


def argument(metavar: str, text: str, **settings: Any) -> Any:  # noqa: ANN401  as above
    """An argument."""
    return typer.Argument(metavar=metavar, help=text, show_default=False, **settings)


class OutputFormat(str, Enum):
    """Output formats for people and programs."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"


class Way(str, Enum):
    """The direction of lineage."""

    UPSTREAM = "upstream"
    DOWNSTREAM = "downstream"


def _store(places: str) -> Any:  # noqa: ANN401  as above
    text = f"The store: sqlite:///file.db, a file path, {places}."
    return option("--store", "URL", text, default=True, envvar="HEADWATER_STORE")


StoreOption: TypeAlias = Annotated[str, _store("or postgresql://user@host/database")]
AnyStoreOption: TypeAlias = Annotated[str, _store("postgresql://user@host/database, or a server at http://host:5000")]
LineageStoreOption: TypeAlias = Annotated[
    str, _store("postgresql://user@host/database, a server at http://host:5000, or a lake at lake:/path")
]
# The default is repeated here: importing it would make `--help` wait for the store.
STORE_DEFAULT = "sqlite:///headwater.db"

OutputOption: TypeAlias = Annotated[
    OutputFormat,
    option(
        "--output", "text|json|csv", "Output format: text for people, json or csv for programs.", "-o", default=True
    ),
]

DatasetArgument: TypeAlias = Annotated[str, argument("DATASET", "Dataset: namespace/name, or a unique ending of it.")]
OptionalDatasetArgument: TypeAlias = Annotated[
    str | None, argument("DATASET", "Dataset: namespace/name, or a unique ending of it. Cannot be combined with --job.")
]
ColumnArgument: TypeAlias = Annotated[str, argument("COLUMN", "Column, or path of a nested field.")]
OptionalColumnArgument: TypeAlias = Annotated[
    str | None,
    argument("COLUMN", "Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset."),
]

JobOption: TypeAlias = Annotated[
    str | None,
    option("--job", "NAME", "Ask about a job instead of a dataset: namespace/name, or a unique ending of it."),
]
AsOfOption: TypeAlias = Annotated[
    int | None,
    option(
        "--as-of",
        "TIME",
        "Show lineage as of this time: 2025-05-13 (the end of that day), 2025-05-13T09:30Z, today or yesterday.",
        default="now",
        parser=moment,
    ),
]
SinceOption: TypeAlias = Annotated[
    int | None,
    option(
        "--since",
        "TIME",
        "Show all lineage in effect at or after this time. A date means the start of that day.",
        parser=beginning,
    ),
]
UntilOption: TypeAlias = Annotated[
    int | None,
    option(
        "--until",
        "TIME",
        "Show all lineage in effect up to this time. A date means the end of that day.",
        parser=moment,
    ),
]
VersionOption: TypeAlias = Annotated[
    str | None,
    option(
        "--version",
        "ID",
        "Show this version of the dataset: its UUID, its name in a version facet, or the UUID of the run that"
        " wrote it.",
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
    option(
        "--direction",
        "upstream|downstream",
        "upstream: where it comes from; downstream: what it reaches.",
        default=True,
    ),
]
DepthOption: TypeAlias = Annotated[int | None, option("--depth", "N", "Follow at most N edges.", default="all", min=0)]
DirectOption: TypeAlias = Annotated[
    bool,
    typer.Option("--direct", help="Follow values only: leave out filters, joins, grouping, sorting and conditions."),
]
NamespaceOption: TypeAlias = Annotated[
    list[str] | None,
    option("--namespace", "NAME", "Only include datasets in this namespace. Can be repeated.", default="all"),
]
LimitOption: TypeAlias = Annotated[
    int | None,
    option("--limit", "N", "Show at most N, nearest first. The answer says if there are more.", default=True, min=1),
]
AllOption: TypeAlias = Annotated[
    bool, typer.Option("--all", help="Show conditions on rows in full, instead of in one line. Only affects text.")
]
CollapseOption: TypeAlias = Annotated[
    bool, typer.Option("--collapse", help="Show applications instead of the jobs that belong to them.")
]

# Bundles of options, by the names of the questions' fields; `with_options` adds them to a command.
WALK: Mapping[str, Any] = MappingProxyType(
    {"direct": DirectOption, "depth": DepthOption, "namespaces": NamespaceOption, "limit": LimitOption}
)
TIME: Mapping[str, Any] = MappingProxyType({"as_of": AsOfOption, "since": SinceOption, "until": UntilOption})
FOLLOW: Mapping[str, Any] = MappingProxyType(
    {"job": JobOption, **TIME, "contents": ContentsOption, **WALK, "collapse": CollapseOption}
)


_LAST = ("output", "store")


def with_options(*bundles: Mapping[str, Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of bundles in place of its `**options`; options that the user leaves out are omitted.

    >>> @with_options(WALK)
    ... def show(dataset: str, *, store: str = "here", **options: object) -> None: ...
    >>> list(inspect.signature(show).parameters)
    ['dataset', 'direct', 'depth', 'namespaces', 'limit', 'store']
    """
    options = {name: option for bundle in bundles for name, option in bundle.items()}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**values: object) -> None:
            left_out = [name for name in options if values[name] is None or values[name] is False]
            command(**{name: value for name, value in values.items() if name not in left_out})

        own = inspect.signature(command).parameters.values()
        before = [parameter for parameter in own if parameter.kind is parameter.POSITIONAL_OR_KEYWORD]
        before += [
            parameter for parameter in own if parameter.kind is parameter.KEYWORD_ONLY and parameter.name not in _LAST
        ]
        after = [parameter for parameter in own if parameter.name in _LAST]
        more = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=option, default=_default(option))
            for name, option in options.items()
        ]
        # All are passed by name, so a command's own options may come before those of a bundle.
        run.__signature__ = inspect.Signature([*before, *more, *after])  # type: ignore[attr-defined]
        hints = get_type_hints(command, include_extras=True)
        run.__annotations__ = {parameter.name: hints[parameter.name] for parameter in (*before, *after)} | options
        return run

    return decorate


def _default(option: Any) -> object:  # noqa: ANN401  a type
    return False if get_args(option)[0] is bool else None
