"""`headwater pipeline`: each of its commands is a module beside this one, and is registered here."""

from pathlib import Path

import typer

from headwater.cli.help import Commands
from headwater.cli.pipeline.close import close
from headwater.cli.pipeline.export import export
from headwater.cli.pipeline.load import load
from headwater.cli.pipeline.run import run
from headwater.cli.pipeline.stream import stream
from headwater.cli.pipeline.vacuum import vacuum

pipeline = Commands()


@pipeline.callback()
def _about() -> None:
    """Build a lake from lineage events on Spark, for large volumes, with the same answers as the server.

    Example: headwater pipeline run events/ --lake lake

    Example: headwater pipeline stream events/ --lake lake --checkpoint lake-checkpoint
    """


pipeline.command()(run)
pipeline.command()(stream)
pipeline.command()(close)
pipeline.command()(load)
pipeline.command()(export)
pipeline.command()(vacuum)


@pipeline.command()
def path() -> None:
    """Print the path of the file to pass to spark-submit, to run these commands on a cluster.

    Example: headwater pipeline path

    Example: spark-submit --master yarn $(headwater pipeline path) run hdfs:///events --lake hdfs:///lake
    """
    typer.echo(Path(__file__).with_name("submit.py"))
