"""The progress of a pipeline run, on standard error if that is a terminal."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LOOK_SECONDS = 0.5


@contextmanager
def show_progress() -> "Iterator[Callable[[str], None]]":
    """Show the current stage; the function it yields takes the name of each stage as it begins.

    Once Spark runs, a bar shows how many of its tasks are done.
    """
    from rich.console import Console  # noqa: PLC0415  not needed for --help
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("tasks"),
        TimeElapsedColumn(),
    )
    if not console.is_terminal:
        yield lambda _stage: None
        return
    ended = threading.Event()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=None)

        def look() -> None:
            while not ended.wait(_LOOK_SECONDS):
                done, total = _tasks()
                progress.update(task, completed=done, total=total or None)

        watcher = threading.Thread(target=look, name="headwater-progress", daemon=True)
        watcher.start()
        try:
            yield lambda stage: progress.update(task, description=stage, completed=0, total=None)
        finally:
            ended.set()
            watcher.join()


def _tasks() -> tuple[int, int]:
    """How many tasks of Spark's active stages are done, and how many there are."""
    from pyspark import SparkContext  # noqa: PLC0415  an option, and there by now

    context = SparkContext._active_spark_context  # noqa: SLF001  there is no other way to see it
    if context is None:
        return 0, 0
    try:
        tracker = context.statusTracker()
        known = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
    except Exception:  # noqa: BLE001  a session that is being stopped; the bar is not worth an error
        return 0, 0
    stages = [stage for stage in known if stage is not None]
    return sum(stage.numCompletedTasks for stage in stages), sum(stage.numTasks for stage in stages)
