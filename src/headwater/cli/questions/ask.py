"""Questions on the command line: built from options, asked of a store, errors reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from headwater.cli.failures import plain_errors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from headwater.query.graph.answer import Moment
    from headwater.query.questions import Question

# Names on the command line of a question's fields, where they are not `--field`.
_ARGUMENTS = {"dataset": "DATASET", "column": "COLUMN", "text": "WORDS", "namespaces": "--namespace"}


def ask(store: str, question: Question[Any]) -> Any:  # noqa: ANN401  by the question
    """Ask a store, and report errors to the user."""
    # Here, not above: `--help` starts without it.
    from headwater.client.connect import connect  # noqa: PLC0415

    with plain_errors(), connect(store) as lineage:
        answer = lineage.ask(question)
    note_future(getattr(answer, name, None) for name in ("moment", "before", "after"))
    return answer


def note_future(moments: Iterable[Moment | None]) -> None:
    """Say so if an answer is about a moment that lies ahead, or if events about the same thing do."""
    known = [moment for moment in moments if moment is not None]
    if any(moment.ahead for moment in known):
        typer.echo("The time asked for is in the future: this is what is known now.", err=True)
    later = [moment.next_us for moment in known if moment.next_us is not None]
    if later:
        from headwater.openlineage.model.instants import time_text  # noqa: PLC0415  `--help` starts without it

        typer.echo(
            f"Events about it lie ahead of the clock, the first at {time_text(min(later))}: they do not count yet."
            " --as-of shows what they say.",
            err=True,
        )


def question(name: str, called: dict[str, str] | None = None, /, **values: object) -> Question[Any]:
    """Build a question from its name and fields; `called` names the options that are not `--field`.

    Options that contradict each other are a bad parameter.
    """
    from headwater.query.errors import BadQuestion  # noqa: PLC0415  `--help` starts without it
    from headwater.query.names import read_question  # noqa: PLC0415

    try:
        return read_question(name, {part: value for part, value in values.items() if value is not None})
    except BadQuestion as error:
        known = {**_ARGUMENTS, **(called or {})}
        hint = [known.get(part, f"--{part.replace('_', '-')}") for part in error.parts]
        raise typer.BadParameter(f"{error}.", param_hint=hint or None) from None
