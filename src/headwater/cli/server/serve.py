"""`headwater serve`."""

from importlib.util import find_spec
from typing import Annotated

import typer

from headwater.cli.failures import NOT_UNDERSTOOD, exit_with, plain_errors
from headwater.cli.options import option

_NEEDED = ("fastapi", "httptools", "prometheus_client", "uvicorn", "yaml")


def serve(  # noqa: PLR0913  the settings that are worth a flag
    *,
    store: Annotated[
        str | None,
        option(
            "--store",
            "URL",
            "The store: sqlite:///file.db, a file path, or postgresql://user@host/database.",
            default="sqlite:///headwater.db",
        ),
    ] = None,
    host: Annotated[
        str | None,
        option(
            "--host",
            "ADDRESS",
            "The address to listen on. Any address other than this machine's own requires tokens.",
            default="127.0.0.1",
        ),
    ] = None,
    port: Annotated[
        int | None,
        option("--port", "N", "The port to listen on; 0 for any free port.", default="5000", min=0, max=65535),
    ] = None,
    workers: Annotated[int | None, option("--workers", "N", "Number of server processes.", default="1", min=1)] = None,
    config: Annotated[
        str | None,
        option(
            "--config",
            "FILE",
            "A YAML file with settings. Flags and HEADWATER_… environment variables override it.",
            default="headwater.yml, if it exists",
        ),
    ] = None,
    tls_cert: Annotated[str | None, option("--tls-cert", "FILE", "Serve HTTPS with this certificate.")] = None,
    tls_key: Annotated[str | None, option("--tls-key", "FILE", "The private key of the certificate.")] = None,
    allow_open: Annotated[
        bool | None,
        typer.Option(
            "--allow-open",
            help="Accept requests from other machines without tokens. Anyone who can reach the server has full access.",
        ),
    ] = None,
    log_format: Annotated[
        str | None, option("--log-format", "text|json", "The format of the log on standard error.", default="text")
    ] = None,
    log_level: Annotated[
        str | None,
        option(
            "--log-level", "debug|info|warning|error", "The log level; info logs one line per request.", default="info"
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
        raise exit_with(f"The server needs {', '.join(missing)}: pip install 'headwater[server]'.")
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
        with plain_errors():
            run(load_settings(flags, config), typer.echo)
    except BadSetting as error:
        raise exit_with(str(error), NOT_UNDERSTOOD) from error
    except CannotServe as error:
        raise exit_with(str(error)) from error
