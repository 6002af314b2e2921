"""`headwater token`."""

import time
from enum import Enum
from typing import Annotated

import typer

from headwater.cli.failures import NOT_UNDERSTOOD, exit_with, plain_errors
from headwater.cli.help import Commands
from headwater.cli.options import STORE_DEFAULT, OutputFormat, OutputOption, StoreOption, argument, option
from headwater.cli.output import print_answer, print_summary
from headwater.cli.times import later

token = Commands()


class ScopeName(str, Enum):
    """What a token is for."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


@token.callback()
def _about() -> None:
    """Manage access to the server: create, list and revoke tokens.

    Example: headwater token create --scope write --name airflow
    """


@token.command()
def create(
    *,
    scope: Annotated[
        ScopeName,
        option(
            "--scope",
            "read|write|admin",
            "read to ask questions, write to send events (but not to ask), admin for both and to delete.",
        ),
    ],
    name: Annotated[str, option("--name", "TEXT", "Who the token is for, as shown by `headwater token list`.")],
    expires: Annotated[
        str | None, option("--expires", "TIME", "When it ends: 12h, 90d or 4w from now, or a date; never if omitted.")
    ] = None,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Create a token and print it. It is shown only once: the store keeps only its hash.

    As soon as a token exists, every server on this store requires one.

    Example: headwater token create --scope write --name airflow --expires 90d
    """
    now = _now()
    ends = None if expires is None else later(expires, now)
    if not name.strip() or not name.isprintable():
        raise typer.BadParameter("must be a non-empty single line of text.", param_hint="--name")
    # Here, not above: `--help` starts without them.
    from headwater.store import open_store  # noqa: PLC0415
    from headwater.store.tokens import Scope, create_token  # noqa: PLC0415

    with plain_errors(), open_store(store) as target:
        secret = target.transact(lambda session: create_token(session, name, Scope(scope.value), now, ends))
    typer.echo(secret)


@token.command("list")
def list_(*, output: OutputOption = OutputFormat.TEXT, store: StoreOption = STORE_DEFAULT) -> None:
    """List the tokens: public part, scope, name, when they expire and were last used, and whether they are revoked.

    Example: headwater token list
    """
    # Here, not above: `--help` starts without them.
    from headwater.cli.server.token_list import TokenList  # noqa: PLC0415
    from headwater.cli.stores import existing_store  # noqa: PLC0415
    from headwater.store.tokens import all_tokens  # noqa: PLC0415

    with plain_errors(), existing_store(store) as target, target.read() as session:
        answer = TokenList(all_tokens(session), _now())
    print_answer(output, answer, answer.draw)


@token.command()
def revoke(
    name: Annotated[str, argument("TOKEN", "The token's name, or the public part that `headwater token list` shows.")],
    *,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Revoke a token. Every server on the store rejects it within seconds.

    Example: headwater token revoke airflow
    """
    # Here, not above: `--help` starts without them.
    from headwater.cli.stores import existing_store  # noqa: PLC0415
    from headwater.notebook.words import count  # noqa: PLC0415
    from headwater.store.tokens import revoke_tokens  # noqa: PLC0415

    with plain_errors(), existing_store(store) as target:
        revoked = target.transact(lambda session: revoke_tokens(session, name, _now()))
    if not revoked:
        raise exit_with("No valid token has this name or public part: see `headwater token list`.", NOT_UNDERSTOOD)
    print_summary(output, f"Revoked {count(revoked, 'token')}.", {"revoked": revoked})


def _now() -> int:
    return time.time_ns() // 1000
