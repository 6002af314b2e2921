"""`headwater pipeline`: each of its commands is a module beside this one, `pipeline_….py`, and is registered here."""

import typer

from headwater.cli.pipeline_close import close
from headwater.cli.pipeline_export import export
from headwater.cli.pipeline_load import load
from headwater.cli.pipeline_path import path
from headwater.cli.pipeline_run import run
from headwater.cli.pipeline_stream import stream
from headwater.cli.pipeline_vacuum import vacuum

pipeline = typer.Typer(no_args_is_help=True)


@pipeline.callback()
def _about() -> None:
    """Turn lineage events into a lake on Spark: at volume, and with the same answers as the server gives.

    Example: headwater pipeline run events/ --lake lake

    Example: headwater pipeline stream events/ --lake lake --checkpoint lake-checkpoint
    """


pipeline.command()(run)
pipeline.command()(stream)
pipeline.command()(close)
pipeline.command()(load)
pipeline.command()(export)
pipeline.command()(vacuum)
pipeline.command()(path)
