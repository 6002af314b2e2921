"""A question as it stands on the command line: made, asked of a store, and what is wrong with it told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from headwater.cli.failures import said_to_the_user

if TYPE_CHECKING:
    from headwater.query.questions import Question

# What a part of a question is called on the command line, where that is not `--part`.
_ARGUMENTS = {"dataset": "DATASET", "column": "COLUMN", "text": "WORDS", "namespaces": "--namespace"}


def ask(store: str, question: Question[Any]) -> Any:  # noqa: ANN401  by the question
    """The answer of a store; what is wrong is said to the user."""
    # Here, not above: `--help` starts without it.
    from headwater.client.connect import connect  # noqa: PLC0415

    with said_to_the_user(), connect(store) as lineage:
        return lineage.ask(question)


def question(name: str, called: dict[str, str] | None = None, /, **values: object) -> Question[Any]:
    """The question of a name from the options that were given.

    Args:
        name: the question's name.
        called: options that go by another name on the command line than `--part`.
        values: the parts of the question.

    Raises:
        typer.BadParameter: they contradict each other.
    """
    from headwater.query.errors import BadQuestion  # noqa: PLC0415  `--help` starts without it
    from headwater.query.names import read_question  # noqa: PLC0415

    try:
        return read_question(name, {part: value for part, value in values.items() if value is not None})
    except BadQuestion as error:
        known = {**_ARGUMENTS, **(called or {})}
        hint = [known.get(part, f"--{part.replace('_', '-')}") for part in error.parts]
        raise typer.BadParameter(f"{error}.", param_hint=hint or None) from None
