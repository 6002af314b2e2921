"""Bars on standard error, where that is a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial


@contextmanager
def progress_bar(label: str, total: int | None = None, *, in_bytes: bool = False) -> Iterator[Callable[..., None]]:
    """A progress bar; the function it yields takes how far it is: `completed` or `advance`, and `total`."""
    from rich.console import Console  # noqa: PLC0415  not needed for --help
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    amount = DownloadColumn() if in_bytes else MofNCompleteColumn()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), amount, TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield partial(progress.update, progress.add_task(label, total=total))


@contextmanager
def counting(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar; the function it yields takes how many are done, of how many."""
    with progress_bar(label) as update:
        yield lambda done, total: update(completed=done, total=total)
