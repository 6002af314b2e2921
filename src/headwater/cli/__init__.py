"""The command `headwater`. Each command is a module of this package; it imports what it needs when it is called."""

import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from headwater._version import __version__
from headwater.cli.datahub.commands import datahub as datahub_group
from headwater.cli.help import Commands
from headwater.cli.jobs.demo import demo
from headwater.cli.jobs.run import RUN_SETTINGS, run
from headwater.cli.jobs.simulate import simulate
from headwater.cli.pipeline.commands import pipeline as pipeline_group
from headwater.cli.questions.diff import diff
from headwater.cli.questions.export import export
from headwater.cli.questions.history import history
from headwater.cli.questions.impact import impact
from headwater.cli.questions.lineage import downstream, upstream
from headwater.cli.questions.pii import pii
from headwater.cli.questions.roots import roots
from headwater.cli.questions.schema import schema
from headwater.cli.questions.search import search
from headwater.cli.questions.tags import tags
from headwater.cli.server.serve import serve
from headwater.cli.server.token import token
from headwater.cli.store.ingest import ingest
from headwater.cli.store.purge import purge
from headwater.cli.store.rebuild import rebuild
from headwater.cli.store.stats import stats
from headwater.cli.store.vacuum import vacuum

app = Commands(
    name="headwater",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_show_locals=False,
)


def _show_version(value: bool) -> None:  # noqa: FBT001  typer calls it with the flag
    if value:
        typer.echo(f"headwater {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Column-level lineage for Spark: see where a column comes from and what it reaches.

    Example: headwater run job.py

    Example: headwater upstream revenue_by_city revenue

    Example: headwater impact landing/customers email

    Example: headwater serve
    """


# In the order of the help: questions, then what fills the store, then what looks after it.
app.command()(upstream)
app.command()(downstream)
app.command()(roots)
app.command()(impact)
app.command()(pii)
app.command()(diff)
app.command()(history)
app.command()(search)
app.command()(export)
app.command()(schema)
app.command()(ingest)
app.command(context_settings=RUN_SETTINGS)(run)
app.command()(serve)
app.command()(stats)
app.command()(rebuild)
app.command()(vacuum)
app.command()(purge)
app.command()(demo)
app.command()(simulate)
app.add_typer(datahub_group, name="datahub")
app.add_typer(pipeline_group, name="pipeline")
app.add_typer(tags, name="tags")
app.add_typer(token, name="token")


def main() -> None:
    """Run the command line."""
    if isinstance(sys.stdout, TextIOWrapper):
        # A name that the terminal cannot display gets question marks instead of an error.
        sys.stdout.reconfigure(errors="replace")
    app()
