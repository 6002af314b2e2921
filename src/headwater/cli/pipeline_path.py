"""`headwater pipeline path`."""

import typer


def path() -> None:
    """Print the file that spark-submit takes to run these commands on a cluster.

    Example: headwater pipeline path

    Example: spark-submit --master yarn $(headwater pipeline path) run hdfs:///events --lake hdfs:///lake
    """
    from importlib.util import find_spec  # noqa: PLC0415  not needed for --help

    found = find_spec("headwater.pipeline.__main__")
    typer.echo(found.origin if found else "")
