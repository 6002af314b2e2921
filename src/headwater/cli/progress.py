"""Bars on standard error, where that is a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def counting(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar; the function it yields takes how many are done, of how many."""
    from rich.console import Console  # noqa: PLC0415  not needed for --help
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(label, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
