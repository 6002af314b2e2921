"""`headwater ingest`."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.failures import FAILED, said_to_the_user
from headwater.cli.options import STORE_DEFAULT, AnyStoreOption, OutputFormat, OutputOption
from headwater.cli.output import output_for

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from headwater.cli.event_lines import EventLine
    from headwater.client import Lineage
    from headwater.store import IngestResult

_BATCH = 500


def ingest(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE...", help="JSON lines, plain or gzip; - is standard input.", show_default=False),
    ] = None,
    *,
    spool: Annotated[
        bool,
        typer.Option(
            "--spool",
            help="Read what waits in the spool for an endpoint that was down, and remove it from there; "
            "FILE is then the spool's directory, by default your own.",
        ),
    ] = False,
    output: OutputOption = OutputFormat.TEXT,
    store: AnyStoreOption = STORE_DEFAULT,
) -> None:
    """Read OpenLineage events from files into the store.

    Lines that are no event are reported by number, and the others are kept; the exit code is then 1.
    An event that the store has already changes nothing.

    Example: headwater ingest events.jsonl archive/*.jsonl.gz

    Example: cat events.jsonl | headwater ingest - --store lineage.db

    Example: headwater ingest --spool
    """
    if not files and not spool:
        raise typer.BadParameter("name a file, or write --spool.", param_hint="FILE...")
    # Here, not above: `--help` starts without them.
    from headwater.cli.event_lines import event_lines, opened  # noqa: PLC0415
    from headwater.client import connect  # noqa: PLC0415

    with said_to_the_user(), connect(store) as target:
        loading = _Loading(target)
        if spool:
            _load_spools(files or [], loading)
        for path in () if spool else files or ():
            try:
                with opened(path) as file, _progress(path, file) as advance:
                    for _ in loading.load_all(path, _batches(event_lines(file))):
                        advance()
            except OSError as error:  # noqa: PERF203  one file that cannot be read does not stop the others
                loading.reject(path, 0, "", error.strerror or str(error))
    output_for(output).ingested(loading.accepted, loading.duplicates, loading.rejected)
    if loading.rejected:
        raise typer.Exit(FAILED)


class _Loading:
    """Counts what becomes of lines, and says of each bad one where it is."""

    def __init__(self, target: "Lineage") -> None:
        self._target = target
        self.accepted = 0
        self.duplicates = 0
        self.rejected: list[dict[str, object]] = []

    def load(self, path: str, lines: "Sequence[EventLine]") -> set[int]:
        """Store a batch of lines; returns the numbers of those that could not be stored."""
        return self._count(path, lines, self._target.ingest(_events(lines)))

    def load_all(self, path: str, batches: "Iterable[Sequence[EventLine]]") -> "Iterator[set[int]]":
        """Store batch after batch, one being read while another is written."""
        waiting: deque[Sequence[EventLine]] = deque()

        def events() -> "Iterator[list[Mapping[str, object]]]":
            for lines in batches:
                waiting.append(lines)
                yield _events(lines)

        for result in self._target.ingest_many(events()):
            yield self._count(path, waiting.popleft(), result)

    def _count(self, path: str, lines: "Sequence[EventLine]", result: "IngestResult") -> set[int]:
        numbers = [line.number for line in lines if line.is_event]
        bad = [(line.number, "", line.reason) for line in lines if not line.is_event]
        bad += [(numbers[item.index], item.field, item.reason) for item in result.rejected]
        self.accepted += result.accepted
        self.duplicates += result.duplicates
        for number, field, reason in sorted(bad):
            self.reject(path, number, field, reason or "must be an object, not null")
        return {number for number, _, _ in bad}

    def reject(self, path: str, number: int, field: str, reason: str) -> None:
        """Report a line, or with number 0 a whole file."""
        place = f"{path}:{number}" if number else path
        typer.echo(f"{place}: {field}: {reason}" if field else f"{place}: {reason}", err=True)
        self.rejected.append({"file": path, "line": number or None, "field": field or None, "reason": reason})


def _events(lines: "Sequence[EventLine]") -> "list[Mapping[str, object]]":
    return [line.event for line in lines if line.event is not None and line.is_event]


def _load_spools(directories: "Sequence[str]", loading: _Loading) -> None:
    from headwater.cli.spooled import load_spool  # noqa: PLC0415

    owned = 0
    for directory in directories or [""]:
        try:
            owned += load_spool(directory, loading.load, loading.reject)
        except OSError as error:  # noqa: PERF203  one spool that cannot be read does not stop the others
            loading.reject(directory or "The spool", 0, "", error.strerror or str(error))
    if owned:
        typer.echo(
            f"Left alone: {owned} {'file' if owned == 1 else 'files'} of applications that are running.", err=True
        )


def _batches(lines: "Iterator[EventLine]") -> "Iterator[list[EventLine]]":
    batch: list[EventLine] = []
    for line in lines:
        batch.append(line)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


@contextmanager
def _progress(path: str, file: "io.BufferedReader") -> "Iterator[Callable[[], None]]":
    """A bar on standard error, where that is a terminal; what is yielded moves it on."""
    import os  # noqa: PLC0415

    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        size = os.fstat(file.fileno()).st_size if path != "-" else None
        task = progress.add_task(path, total=size)
        yield lambda: progress.update(task, completed=file.tell() if size is not None else 0)
