"""`headwater datahub`."""

import sys
import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.datahub.options import EnvOption, FormOption, InstanceOption, LineageForm, naming_of
from headwater.cli.datahub.relations import relations
from headwater.cli.datahub.send import send
from headwater.cli.failures import FAILED, NOT_UNDERSTOOD, said_to_the_user
from headwater.cli.options import STORE_DEFAULT, AsOfOption, DirectOption, OutputFormat, OutputOption, StoreOption
from headwater.cli.output import output_for
from headwater.cli.times import moment

if TYPE_CHECKING:
    from headwater.datahub.imports.ingest import Refused
    from headwater.datahub.imports.state import Located

datahub = typer.Typer(no_args_is_help=True)


@datahub.callback()
def _about() -> None:
    """Exchange lineage with DataHub: import, export and send.

    Example: headwater datahub export lineage.json
    """


@datahub.command("import")
def import_(  # noqa: PLR0913  a command's options
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="DataHub files: a JSON array, or one MCP, MCL, MCE or MAE per line. Use - for standard input.",
            show_default=False,
        ),
    ],
    *,
    at: Annotated[
        int | None,
        typer.Option(
            "--at",
            metavar="TIME",
            parser=moment,
            help="The time to use for changes that carry none.",
            show_default="when the file was last written",
        ),
    ] = None,
    env: EnvOption = "PROD",
    instance: InstanceOption = None,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Import DataHub aspect changes from files into the store.

    Changes that cannot be used are reported by file and line and the rest is stored; the exit code is then 1.

    Example: headwater datahub import mcps.json

    Example: headwater datahub import --at 2025-05-13 --env DEV mcls.jsonl
    """
    # Here, not above: `--help` starts without them.
    from headwater.datahub.imports.ingest import MANY, import_changes, read_changes  # noqa: PLC0415
    from headwater.store import open_store  # noqa: PLC0415

    refused: list[Refused] = []
    changes: list[Located] = []
    with naming_of(env, instance) as naming:
        for file in files:
            text, written = _read(file)
            changes += read_changes(file, text, at if at is not None else written, refused)
        with said_to_the_user(), open_store(store) as target:
            done = import_changes(target, changes, naming, own_process=len(changes) >= MANY)
    refused += done.refused
    for one in refused:
        typer.echo(f"{one.place.file}:{one.place.line}: {one.reason}", err=True)
    said = f"{done.changes} changes, {done.events} new events"
    rows = [{"file": one.place.file, "line": one.place.line, "reason": one.reason} for one in refused]
    counts = {
        "changes": done.changes,
        "events": done.events,
        "refused": len(rows) if output is OutputFormat.CSV else rows,
    }
    output_for(output).done(f"{said}, {len(refused)} refused." if refused else f"{said}.", counts)
    if refused:
        raise typer.Exit(FAILED)


@datahub.command("export")
def export_(  # noqa: PLR0913  a command's options
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The file to write; - for standard output.", show_default=False)
    ],
    *,
    form: FormOption = LineageForm.JOBS,
    as_of: AsOfOption = None,
    direct: DirectOption = False,
    env: EnvOption = "PROD",
    instance: InstanceOption = None,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Export the store's lineage as a file of change proposals (MCPs) for DataHub's file source.

    Example: headwater datahub export lineage.json

    Example: headwater datahub export --as datasets --as-of 2025-05-13 - | gzip > lineage.json.gz
    """
    # Here, not above: `--help` starts without them.
    from headwater.cli.stores import store_there  # noqa: PLC0415
    from headwater.datahub.exports.proposals import Form, export_of  # noqa: PLC0415
    from headwater.datahub.files import write_records  # noqa: PLC0415

    with naming_of(env, instance) as naming, said_to_the_user(), store_there(store) as target:
        found = export_of(target, naming, at=as_of, form=Form(form.value), indirect=not direct)
    try:
        with nullcontext(sys.stdout) if file == "-" else Path(file).open("w", encoding="utf-8") as written:
            count = write_records(found.records(), written)
    except OSError as error:
        typer.echo(f"Cannot write {file}: {error.strerror or error}.", err=True)
        raise typer.Exit(FAILED) from error
    for name, why in found.problems:
        typer.echo(f"{name}: {why}", err=True)
    if file != "-":
        output_for(output).done(
            f"Wrote {count} proposals to {file}.", {"proposals": count, "left_out": len(found.problems)}
        )
    if found.problems:
        raise typer.Exit(FAILED)


datahub.command("send")(send)
datahub.command("relations")(relations)


def _read(file: str) -> tuple[str, int]:
    """The text of a file, and when it was written."""
    try:
        if file == "-":
            return sys.stdin.buffer.read().decode(), time.time_ns() // 1000
        return Path(file).read_text(encoding="utf-8"), Path(file).stat().st_mtime_ns // 1000
    except (OSError, UnicodeDecodeError) as error:
        why = (error.strerror if isinstance(error, OSError) else "it is not UTF-8") or str(error)
        typer.echo(f"Cannot read {file}: {why}.", err=True)
        raise typer.Exit(NOT_UNDERSTOOD) from error
