"""`headwater demo`: the whole way, from jobs to answers, in a minute."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from headwater.cli.failures import exit_with, plain_errors
from headwater.cli.options import option


def demo(
    folder: Annotated[
        Path, option("--folder", "DIR", "The folder for the demo's files and store.", default=True)
    ] = Path("headwater-demo"),
) -> None:
    """Run three days of a food-delivery warehouse on Spark, and show the lineage of its columns.

    Example: headwater demo

    Example: headwater demo --folder /tmp/food-delivery
    """
    if find_spec("pyspark") is None:
        raise exit_with("The demo runs on Spark, which is not installed: pip install 'headwater[spark,java]'.")
    # Here, not above: other commands start without what only this one needs.
    from headwater.capture.jvm.java import NoJava  # noqa: PLC0415
    from headwater.cli.output import make_console  # noqa: PLC0415
    from headwater.demo.play import FolderInUse, play  # noqa: PLC0415

    try:
        with plain_errors():
            play(folder, make_console())
    except (FolderInUse, NoJava) as error:
        raise exit_with(str(error)) from error
