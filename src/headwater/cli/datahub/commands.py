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
from headwater.cli.failures import FAILED, NOT_UNDERSTOOD, exit_with, plain_errors
from headwater.cli.help import Commands
from headwater.cli.options import (
    STORE_DEFAULT,
    AsOfOption,
    DirectOption,
    OutputFormat,
    OutputOption,
    StoreOption,
    argument,
    option,
)
from headwater.cli.output import print_summary
from headwater.cli.times import moment

if TYPE_CHECKING:
    from headwater.datahub.imports.ingest import Refused
    from headwater.datahub.imports.state import Located

datahub = Commands()


@datahub.callback()
def _about() -> None:
    """Exchange lineage with DataHub: import, export and send.

    Example: headwater datahub export lineage.json
    """


@datahub.command("import")
def import_(  # noqa: PLR0913  a command's options
    files: Annotated[
        list[str],
        argument(
            "FILE...", "DataHub files: a JSON array, or one MCP, MCL, MCE or MAE per line. Use - for standard input."
        ),
    ],
    *,
    at: Annotated[
        int | None,
        option(
            "--at",
            "TIME",
            "The time to use for changes that carry none.",
            default="when the file was last written",
            parser=moment,
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
        with plain_errors(), open_store(store) as target:
            done = import_changes(target, changes, naming, own_process=len(changes) >= MANY)
    refused += done.refused
    for item in refused:
        typer.echo(f"{item.place.file}:{item.place.line}: {item.reason}", err=True)
    summary = f"{done.changes} changes, {done.events} new events"
    rows = [{"file": item.place.file, "line": item.place.line, "reason": item.reason} for item in refused]
    counts = {"changes": done.changes, "events": done.events, "refused": rows}
    print_summary(output, f"{summary}, {len(refused)} refused." if refused else f"{summary}.", counts)
    if refused:
        raise typer.Exit(FAILED)


@datahub.command("export")
def export_(  # noqa: PLR0913  a command's options
    file: Annotated[str, argument("FILE", "The file to write; - for standard output.")],
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
    from headwater.cli.stores import existing_store  # noqa: PLC0415
    from headwater.datahub.exports.proposals import Form, export_of  # noqa: PLC0415
    from headwater.datahub.files import write_records  # noqa: PLC0415

    with naming_of(env, instance) as naming, plain_errors(), existing_store(store) as target:
        export = export_of(
            target, naming, at=as_of, form=Form(form.value), today=form is not LineageForm.RFC, indirect=not direct
        )
    try:
        with nullcontext(sys.stdout) if file == "-" else Path(file).open("w", encoding="utf-8") as written:
            count = write_records(export.records(), written)
    except OSError as error:
        raise exit_with(f"Cannot write {file}: {error.strerror or error}.") from error
    for name, why in export.problems:
        typer.echo(f"{name}: {why}", err=True)
    if file != "-":
        print_summary(
            output, f"Wrote {count} proposals to {file}.", {"proposals": count, "left_out": len(export.problems)}
        )
    if export.problems:
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
        raise exit_with(f"Cannot read {file}: {why}.", NOT_UNDERSTOOD) from error
