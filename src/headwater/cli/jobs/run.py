"""`headwater run`: an unchanged PySpark script, with tracking on."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from headwater.cli.options import argument, option

RUN_SETTINGS: dict[str, Any] = {"allow_interspersed_args": False}
"""Typer's `context_settings` for the command: whatever follows the script, options too, is the script's."""


def run(
    script: Annotated[str, argument("SCRIPT", "The PySpark script to run.")],
    args: Annotated[list[str] | None, argument("ARGS", "Arguments to pass to the script unchanged.")] = None,
    store: Annotated[str | None, option("--store", "URL", "The store that receives the lineage.")] = None,
) -> None:
    """Run a PySpark script with lineage tracking, without changing it.

    The script runs as with `python SCRIPT ARGS…`, and the command exits with the script's exit code.
    Put Headwater's options before the script.

    Example: headwater run --store lineage.db jobs/orders.py --day 2024-05-01
    """
    # Here, not above: other commands start without what only this one needs.
    from headwater.capture.jvm.java import NoJava  # noqa: PLC0415
    from headwater.capture.launch import LaunchError, run_script  # noqa: PLC0415

    before = os.environ.get("HEADWATER_STORE")
    if store is not None:
        os.environ["HEADWATER_STORE"] = store
    try:
        code = run_script(script, args or [])
    except (LaunchError, NoJava) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(getattr(error, "exit_code", 1)) from error
    finally:
        if before is not None:
            os.environ["HEADWATER_STORE"] = before
        elif store is not None:
            del os.environ["HEADWATER_STORE"]
    raise typer.Exit(code)
