"""`headwater serve`."""

from importlib.util import find_spec
from typing import Annotated

import typer

from headwater.cli.failures import FAILED, NOT_UNDERSTOOD, said_to_the_user

_NEEDED = ("fastapi", "httptools", "prometheus_client", "uvicorn", "yaml")


def serve(  # noqa: PLR0913  the settings that are worth a flag
    *,
    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            metavar="URL",
            help="The store: sqlite:///file.db, a file path, or postgresql://user@host/database.",
            show_default="sqlite:///headwater.db",
        ),
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help="The address to listen on. Any address other than this machine's own requires tokens.",
            show_default="127.0.0.1",
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            metavar="N",
            min=0,
            max=65535,
            help="The port to listen on; 0 for any free port.",
            show_default="5000",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", metavar="N", min=1, help="Number of server processes.", show_default="1"),
    ] = None,
    config: Annotated[
        str | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="A YAML file with settings. Flags and HEADWATER_… environment variables override it.",
            show_default="headwater.yml, if it exists",
        ),
    ] = None,
    tls_cert: Annotated[
        str | None,
        typer.Option("--tls-cert", metavar="FILE", help="Serve HTTPS with this certificate.", show_default=False),
    ] = None,
    tls_key: Annotated[
        str | None,
        typer.Option("--tls-key", metavar="FILE", help="The private key of the certificate.", show_default=False),
    ] = None,
    allow_open: Annotated[
        bool | None,
        typer.Option(
            "--allow-open",
            help="Accept requests from other machines without tokens. Anyone who can reach the server has full access.",
        ),
    ] = None,
    log_format: Annotated[
        str | None,
        typer.Option(
            "--log-format", metavar="text|json", help="The format of the log on standard error.", show_default="text"
        ),
    ] = None,
    log_level: Annotated[
        str | None,
        typer.Option(
            "--log-level",
            metavar="debug|info|warning|error",
            help="The log level; info logs one line per request.",
            show_default="info",
        ),
    ] = None,
) -> None:
    """Serve the store over HTTP: events in, lineage out. Works with OpenLineage and Marquez clients.

    See docs/server.md for all settings. Stops on Ctrl+C or SIGTERM after finishing running requests.

    Example: headwater serve

    Example: headwater serve --store postgresql://lineage@db/lineage --host 0.0.0.0 --workers 4

    Example: headwater serve --config /etc/headwater.yml --log-format json
    """
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        typer.echo(f"The server needs {', '.join(missing)}: pip install 'headwater[server]'.", err=True)
        raise typer.Exit(FAILED)
    # Here, not above: `--help` starts without them.
    from headwater.server.serving import CannotServe  # noqa: PLC0415
    from headwater.server.serving import serve as run  # noqa: PLC0415
    from headwater.server.settings.settings import load_settings  # noqa: PLC0415
    from headwater.server.settings.values import BadSetting  # noqa: PLC0415

    flags = {
        "store": store,
        "host": host,
        "port": port,
        "workers": workers,
        "tls_cert": tls_cert,
        "tls_key": tls_key,
        "allow_open": allow_open,
        "log_format": log_format,
        "log_level": log_level,
    }
    try:
        with said_to_the_user():
            run(load_settings(flags, config), typer.echo)
    except BadSetting as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(NOT_UNDERSTOOD) from error
    except CannotServe as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(FAILED) from error
