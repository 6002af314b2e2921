"""How a command fails: with a sentence on standard error and an exit code, never a traceback.

Exit codes: 0 for success, 1 for a failure, 2 for a command that cannot be understood (an unknown name, a bad option),
3 for an answer that --fail-on rejects.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

FAILED = 1
NOT_UNDERSTOOD = 2
BROKEN = 3


def exit_with(message: str, code: int = FAILED) -> typer.Exit:
    """Print why the command ends; returns the exit to raise."""
    typer.echo(message, err=True)
    return typer.Exit(code)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn errors that are meant for the user into a message and an exit code."""
    # Here, not above: `--help` starts without them.
    from concurrent.futures import BrokenExecutor  # noqa: PLC0415

    from headwater.query.errors import BadQuestion  # noqa: PLC0415
    from headwater.query.search.resolve import NameNotFound  # noqa: PLC0415
    from headwater.store import StoreError  # noqa: PLC0415

    try:
        yield
    except StoreError as error:
        raise exit_with(str(error)) from error
    except BrokenExecutor as error:
        raise exit_with(
            "A worker process was killed. Make sure there is enough memory, then run the command again: events"
            " that are already stored are skipped."
        ) from error
    except BadQuestion as error:
        raise exit_with(f"{error}.", NOT_UNDERSTOOD) from error
    except NameNotFound as error:
        lines = [f"{error.message}."]
        if error.candidates:
            lines.append(error.LEAD)
        raise exit_with("\n".join([*lines, *(f"  {name}" for name in error.candidates)]), NOT_UNDERSTOOD) from error
