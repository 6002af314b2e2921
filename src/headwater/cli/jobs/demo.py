"""`headwater demo`: the whole way, from jobs to answers, in a minute."""

from pathlib import Path
from typing import Annotated

import typer

from headwater.cli.failures import FAILED, said_to_the_user


def demo(
    folder: Annotated[
        Path, typer.Option("--folder", metavar="DIR", help="The folder for the demo's files and store.")
    ] = Path("headwater-demo"),
) -> None:
    """Run three days of a food-delivery warehouse on Spark, and show the lineage of its columns.

    Example: headwater demo

    Example: headwater demo --folder /tmp/food-delivery
    """
    # Here, not above: other commands start without what only this one needs.
    from headwater.capture.jvm.java import NoJava  # noqa: PLC0415
    from headwater.cli.output import make_console  # noqa: PLC0415
    from headwater.demo.play import FolderInUse, play  # noqa: PLC0415

    try:
        with said_to_the_user():
            play(folder, make_console())
    except (FolderInUse, NoJava) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(FAILED) from error
