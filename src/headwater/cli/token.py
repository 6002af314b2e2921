"""`headwater token`."""

import time
from enum import Enum
from typing import Annotated

import typer

from headwater.cli.failures import NOT_UNDERSTOOD, said_to_the_user
from headwater.cli.options import STORE_DEFAULT, OutputFormat, OutputOption, StoreOption
from headwater.cli.output import output_for

token = typer.Typer(no_args_is_help=True)


class ScopeName(str, Enum):
    """What a token is for."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


@token.callback()
def _about() -> None:
    """Say who may use the server: make tokens, list them, revoke them.

    Example: headwater token create --scope write --name airflow
    """


@token.command()
def create(
    *,
    scope: Annotated[
        ScopeName,
        typer.Option(
            "--scope",
            metavar="read|write|admin",
            help="read to ask, write to send events (and not to ask), admin for both and to delete.",
            show_default=False,
        ),
    ],
    name: Annotated[
        str, typer.Option("--name", metavar="TEXT", help="Who will have it, for the list.", show_default=False)
    ],
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Make a token, and print it: this is the only time that it can be seen. The store keeps a hash of it.

    From the first token on, the server on this store lets nobody in without one.

    Example: headwater token create --scope write --name airflow
    """
    if not name.strip() or not name.isprintable():
        raise typer.BadParameter("must be some text in one line.", param_hint="--name")
    # Here, not above: `--help` starts without them.
    from headwater.store import open_store  # noqa: PLC0415
    from headwater.store.tokens import Scope, create_token  # noqa: PLC0415

    with said_to_the_user(), open_store(store) as target:
        made = target.transact(lambda session: create_token(session, name, Scope(scope.value), _now()))
    typer.echo(made)


@token.command("list")
def list_(*, output: OutputOption = OutputFormat.TEXT, store: StoreOption = STORE_DEFAULT) -> None:
    """List the tokens: the part of each that may be shown, its scope, its name, and whether it was revoked.

    Example: headwater token list
    """
    # Here, not above: `--help` starts without them.
    from headwater.cli.asking import store_there  # noqa: PLC0415
    from headwater.cli.token_list import TokenList  # noqa: PLC0415
    from headwater.store.tokens import all_tokens  # noqa: PLC0415

    with said_to_the_user(), store_there(store) as target, target.read() as session:
        found = TokenList(all_tokens(session))
    output_for(output).show(found, found.draw)


@token.command()
def revoke(
    which: Annotated[
        str,
        typer.Argument(
            metavar="TOKEN", help="The name of a token, or its part that the list shows.", show_default=False
        ),
    ],
    *,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Revoke a token: within seconds no server on the store lets it in any more.

    Example: headwater token revoke airflow
    """
    # Here, not above: `--help` starts without them.
    from headwater.cli.asking import store_there  # noqa: PLC0415
    from headwater.graph.words import count  # noqa: PLC0415
    from headwater.store.tokens import revoke_tokens  # noqa: PLC0415

    with said_to_the_user(), store_there(store) as target:
        revoked = target.transact(lambda session: revoke_tokens(session, which, _now()))
    if not revoked:
        typer.echo("No valid token has this name or part: `headwater token list` shows them.", err=True)
        raise typer.Exit(NOT_UNDERSTOOD)
    output_for(output).done(f"Revoked {count(revoked, 'token')}.", {"revoked": revoked})


def _now() -> int:
    return time.time_ns() // 1000
