"""Help that names values as the docs do: no type where there is no value, no braces around arguments."""

from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup


def _plain(parameters: list[Any]) -> list[Any]:
    """Parameters without the types that typer would show: a flag has no value, and an argument's name says enough."""
    for parameter in parameters:
        if getattr(parameter, "is_flag", False) and parameter.metavar is None:
            parameter.metavar = ""
        elif isinstance(parameter, TyperArgument):
            parameter.display_type_rich = _no_type  # type: ignore[method-assign]
    return parameters


def _no_type(ctx: object) -> None:
    del ctx


class _Command(TyperCommand):
    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401  typer brings its own click
        """The parameters, as the help shows them."""
        return _plain(super().get_params(ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ANN401  as above
        """The words of the line of usage."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]


class _Group(TyperGroup):
    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401  as above
        """The parameters, as the help shows them."""
        return _plain(super().get_params(ctx))


class Commands(typer.Typer):
    """A group of commands with such help."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401  typer's own
        super().__init__(cls=_Group, no_args_is_help=True, **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # type: ignore[override]  # noqa: ANN401  as above
        """Add a command."""
        return super().command(name, cls=_Command, **settings)
