"""`headwater ingest`."""

import os
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.failures import FAILED, plain_errors
from headwater.cli.options import STORE_DEFAULT, AnyStoreOption, OutputFormat, OutputOption, argument, option
from headwater.cli.output import print_summary
from headwater.cli.progress import progress_bar

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from headwater.cli.store.event_lines import EventLine, RawLine
    from headwater.cli.store.loading import Loaded
    from headwater.client.lineage import Lineage

_BATCH = 500


def ingest(
    files: Annotated[
        list[str] | None, argument("FILE...", "Files of JSON lines, plain or gzip; - for standard input.")
    ] = None,
    *,
    spool: Annotated[
        bool,
        typer.Option(
            "--spool",
            help=(
                "Load the events that wait in the spool because their endpoint was down, and remove them from it."
                " FILE is then the spool directory, by default your own."
            ),
        ),
    ] = False,
    jobs: Annotated[int, option("--jobs", "N", "Number of processes.", "-j", default=True, min=1, max=64)] = 1,
    output: OutputOption = OutputFormat.TEXT,
    store: AnyStoreOption = STORE_DEFAULT,
) -> None:
    """Load OpenLineage events from files into the store.

    Lines that are not events are reported by number and the rest is stored; the exit code is then 1.
    Events that are already stored are skipped.

    Example: headwater ingest events.jsonl archive/*.jsonl.gz

    Example: cat events.jsonl | headwater ingest - --store lineage.db

    Example: headwater ingest --jobs 4 --store postgresql://lineage@db/lineage year.jsonl.gz

    Example: headwater ingest --spool
    """
    if not files and not spool:
        raise typer.BadParameter("name a file, or add --spool.", param_hint="FILE...")
    if spool and jobs > 1:
        raise typer.BadParameter("only one process can read a spool: remove --jobs.", param_hint="--jobs")
    # Here, not above: `--help` starts without them.
    from headwater.cli.store.event_lines import opened, raw_lines  # noqa: PLC0415
    from headwater.cli.store.loading import load_in_processes  # noqa: PLC0415
    from headwater.client.connect import connect  # noqa: PLC0415

    with plain_errors(), connect(store) as target:
        loading = _Loading(target)
        if spool:
            _load_spools(files or [], loading)
        for path in () if spool else files or ():
            try:
                with opened(path) as file, _progress(path, file) as advance:
                    batches = _batches(raw_lines(file))
                    for loaded in loading.load_all(batches) if jobs == 1 else load_in_processes(store, jobs, batches):
                        loading.count(path, loaded)
                        advance()
            except OSError as error:  # noqa: PERF203  one file that cannot be read does not stop the others
                loading.reject(path, 0, "", error.strerror or str(error))
    accepted, duplicates, rejected = loading.accepted, loading.duplicates, loading.rejected
    sentence = f"{accepted} new {'event' if accepted == 1 else 'events'}, {duplicates} already stored"
    sentence = f"{sentence}, {len(rejected)} bad." if rejected else f"{sentence}."
    counts = {"accepted": accepted, "duplicates": duplicates, "rejected": rejected}
    print_summary(output, sentence, counts | ({"ahead": loading.ahead} if loading.ahead else {}))
    if loading.ahead:
        typer.echo(
            f"{loading.ahead} of them {'lies' if loading.ahead == 1 else 'lie'} ahead of the clock, and"
            f" {'counts' if loading.ahead == 1 else 'count'} from the time that they give; see `headwater stats`.",
            err=True,
        )
    if rejected:
        raise typer.Exit(FAILED)


class _Loading:
    """Stores lines, counts them, and reports bad ones."""

    def __init__(self, target: "Lineage") -> None:
        self._target = target
        self.accepted = 0
        self.duplicates = 0
        self.ahead = 0
        self.rejected: list[dict[str, object]] = []

    def load(self, path: str, lines: "Sequence[EventLine]") -> set[int]:
        """Store a batch of lines; returns the numbers of those that could not be stored."""
        from headwater.cli.store.loading import load  # noqa: PLC0415

        return self.count(path, load(self._target, lines))

    def load_all(self, batches: "Iterable[Sequence[RawLine]]") -> "Iterator[Loaded]":
        """Store batches; one is read while another is written."""
        from headwater.cli.store.loading import events_of, loaded  # noqa: PLC0415

        waiting: deque[Sequence[EventLine]] = deque()

        def events() -> "Iterator[list[Mapping[str, object]]]":
            for batch in batches:
                waiting.append([line.read() for line in batch])
                yield events_of(waiting[-1])

        for result in self._target.ingest_many(events()):
            yield loaded(waiting.popleft(), result)

    def count(self, path: str, loaded: "Loaded") -> set[int]:
        """Add to the counts; returns the numbers of the bad lines."""
        self.accepted += loaded.accepted
        self.duplicates += loaded.duplicates
        self.ahead += loaded.ahead
        for line in loaded.bad:
            self.reject(path, line.number, line.field, line.reason)
        return {line.number for line in loaded.bad}

    def reject(self, path: str, number: int, field: str, reason: str) -> None:
        """Report a line, or with number 0 a whole file."""
        place = f"{path}:{number}" if number else path
        typer.echo(f"{place}: {field}: {reason}" if field else f"{place}: {reason}", err=True)
        self.rejected.append({"file": path, "line": number or None, "field": field or None, "reason": reason})


def _load_spools(directories: "Sequence[str]", loading: _Loading) -> None:
    from headwater.cli.store.spool import load_spool  # noqa: PLC0415

    owned = 0
    for directory in directories or [""]:
        try:
            owned += load_spool(directory, loading.load, loading.reject)
        except OSError as error:  # noqa: PERF203  one spool that cannot be read does not stop the others
            loading.reject(directory or "The spool", 0, "", error.strerror or str(error))
    if owned:
        typer.echo(
            f"Skipped {owned} {'file' if owned == 1 else 'files'} that running applications still use.", err=True
        )


def _batches(lines: "Iterator[RawLine]") -> "Iterator[list[RawLine]]":
    while batch := list(islice(lines, _BATCH)):
        yield batch


@contextmanager
def _progress(path: str, file: "io.BufferedReader") -> "Iterator[Callable[[], None]]":
    """A bar of the bytes read; the function it yields advances it."""
    size = os.fstat(file.fileno()).st_size if path != "-" else None
    with progress_bar(path, size, in_bytes=True) as update:
        yield lambda: update(completed=file.tell() if size is not None else 0)
