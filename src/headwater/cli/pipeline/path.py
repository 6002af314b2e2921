"""`headwater pipeline path`."""

import typer


def path() -> None:
    """Print the path of the file to pass to spark-submit, to run these commands on a cluster.

    Example: headwater pipeline path

    Example: spark-submit --master yarn $(headwater pipeline path) run hdfs:///events --lake hdfs:///lake
    """
    from importlib.util import find_spec  # noqa: PLC0415  not needed for --help

    spec = find_spec("headwater.cli.pipeline.submit")
    typer.echo(spec.origin if spec else "")
