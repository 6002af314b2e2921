"""What a command says and returns when it cannot do its work: a sentence on standard error, never a traceback.

Exit codes: 0 is well, 1 something failed, 2 the command was not understood (an unknown name, a bad option), 3 the
answer breaks what the user asked for with --fail-on.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

FAILED = 1
NOT_UNDERSTOOD = 2
BROKEN = 3


@contextmanager
def said_to_the_user() -> Iterator[None]:
    """Turn the errors that are meant for the user into words and an exit code."""
    # Here, not above: `--help` starts without them.
    from concurrent.futures import BrokenExecutor  # noqa: PLC0415

    from headwater.query.errors import BadQuestion  # noqa: PLC0415
    from headwater.query.search.resolve import AmbiguousName, NameNotFound  # noqa: PLC0415
    from headwater.store import StoreError  # noqa: PLC0415

    try:
        yield
    except StoreError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(FAILED) from error
    except BrokenExecutor as error:
        typer.echo(
            "A worker process was killed. Make sure there is enough memory, then run the command again: events"
            " that are already stored are skipped.",
            err=True,
        )
        raise typer.Exit(FAILED) from error
    except BadQuestion as error:
        typer.echo(f"{error}.", err=True)
        raise typer.Exit(NOT_UNDERSTOOD) from error
    except NameNotFound as error:
        typer.echo(f"{error}.", err=True)
        if error.candidates:
            typer.echo("Choose one:" if isinstance(error, AmbiguousName) else "Closest names:", err=True)
        for name in error.candidates:
            typer.echo(f"  {name}", err=True)
        raise typer.Exit(NOT_UNDERSTOOD) from error
