"""Run an unchanged PySpark script in this interpreter, with tracking on: what `headwater run job.py` does."""

from __future__ import annotations

import atexit
import builtins
import contextlib
import functools
import importlib.machinery
import importlib.util
import io
import logging
import os
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from headwater.capture.jvm.java import ensure_java

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType

    from pyspark.sql import SparkSession

    from headwater.capture.tracker import Tracker

_INTERRUPTED = 130
"""The exit code of a program that Ctrl-C ended."""

_log = logging.getLogger(__name__)


class LaunchError(RuntimeError):
    """The script cannot be started; the message is one sentence for the user.

    Attributes:
        exit_code: What the command line should exit with.
    """

    def __init__(self, message: str, *, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def run_script(path: str, args: Sequence[str]) -> int:
    """Run a script as `python path args…` would, tracking every Spark session that it makes; returns its exit code.

    The script sees its own `sys.argv`, its folder first on `sys.path`, and itself as `__main__`. An exception is
    printed as Python prints it. When the script ends, in whatever way, all tracked events are sent.

    >>> run_script("jobs/orders.py", ["--day", "2024-05-01"])  # doctest: +SKIP
    0

    Raises:
        LaunchError: There is no such script, or no PySpark.
        NoJava: There is no Java that Spark runs on.
    """
    script = Path(path)
    if not script.is_file():
        problem = "is a folder, not a script" if script.is_dir() else "does not exist"
        raise LaunchError(f"The script {path} {problem}.", exit_code=2)
    session_class = _session_class()
    if not _has_jvm_elsewhere():
        ensure_java()

    trackers: list[Tracker] = []
    threads_before = set(threading.enumerate())
    with contextlib.ExitStack() as undo:
        undo.enter_context(_tracking(session_class, trackers))
        undo.enter_context(_as_main(script, [path, *args]))
        try:
            code = _run_main(script)
        finally:
            if _left_running(threads_before):
                # At exit, Python waits for these threads and calls this after them; until then they may create sessions
                # and need the script as `__main__`.
                atexit.register(_end, trackers, undo.pop_all())
            else:
                _stop_all(trackers)
    return code


def _session_class() -> type[SparkSession]:
    """Return PySpark's classic session class; Spark Connect has another."""
    if importlib.util.find_spec("pyspark") is None:
        raise LaunchError("PySpark is not installed: run `pip install 'headwater[spark]'`.")
    try:
        from pyspark.sql import SparkSession  # noqa: PLC0415 - slow, and a broken PySpark needs a message
    except ImportError as error:
        raise LaunchError(f"Cannot import PySpark: {error}.") from error
    return SparkSession


def _has_jvm_elsewhere() -> bool:
    """Tell whether the script needs no Java here: spark-submit has started one, or a Connect server has it."""
    return "PYSPARK_GATEWAY_PORT" in os.environ or os.environ.get("SPARK_REMOTE", "").startswith("sc://")


@contextlib.contextmanager
def _tracking(session_class: type[SparkSession], trackers: list[Tracker]) -> Iterator[None]:
    """Track every new session, and collect the trackers in `trackers`."""
    original: Callable[..., None] = session_class.__init__
    # Tracking may itself ask PySpark for a session, which creates one.
    busy = threading.local()

    @functools.wraps(original)
    def init(self: SparkSession, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - passed on as they come
        original(self, *args, **kwargs)
        if getattr(busy, "now", False):
            return
        busy.now = True
        try:
            _track(self, trackers)
        finally:
            busy.now = False

    session_class.__init__ = init  # type: ignore[method-assign]
    try:
        yield
    finally:
        session_class.__init__ = original  # type: ignore[method-assign]


def _track(session: SparkSession, trackers: list[Tracker]) -> None:
    """Track a session; on an error the job continues."""
    try:
        from headwater.capture.tracker import track  # noqa: PLC0415 - tracking is loaded only for scripts that use Spark

        tracker = track(session)
    except Exception as error:  # noqa: BLE001 - the job must continue
        _warn("Headwater is not tracking this application: %s", error)
        return
    # One application has one tracker, however many sessions it makes.
    if not any(tracker is known for known in trackers):
        trackers.append(tracker)


def _stop_all(trackers: list[Tracker]) -> None:
    """Stop the trackers while the JVM is still there: it ends with this process."""
    for tracker in trackers:
        _stop(tracker)


def _end(trackers: list[Tracker], undo: contextlib.ExitStack) -> None:
    """Stop the trackers and restore the interpreter."""
    with undo:
        _stop_all(trackers)


def _stop(tracker: Tracker) -> None:
    try:
        tracker.stop()
    except Exception as error:  # noqa: BLE001 - the job must continue
        _warn("Headwater could not send everything it tracked: %s", error)


def _warn(message: str, error: Exception) -> None:
    """Log an error in one line; the traceback only at the DEBUG level."""
    _log.warning(message, error, exc_info=_log.isEnabledFor(logging.DEBUG))


@contextlib.contextmanager
def _as_main(script: Path, argv: list[str]) -> Iterator[None]:
    """Lend the interpreter to a script: `sys.argv`, `sys.path` and `__main__` are the script's."""
    # runpy would make sys.argv[0] and __file__ the same; Python keeps the first as written, the second absolute.
    file = str(script.absolute())
    module = ModuleType("__main__")
    vars(module).update(
        __file__=file,
        __cached__=None,
        __builtins__=builtins,
        __loader__=importlib.machinery.SourceFileLoader("__main__", file),
    )
    saved_argv, saved_path, saved_main = sys.argv, sys.path[:], sys.modules["__main__"]
    sys.argv = argv
    # With `python -P` no folder comes first. Python 3.10 has no such option.
    if not getattr(sys.flags, "safe_path", False):
        sys.path[:1] = [str(script.resolve().parent)]
    sys.modules["__main__"] = module
    try:
        yield
    finally:
        sys.argv, sys.path[:], sys.modules["__main__"] = saved_argv, saved_path, saved_main


def _run_main(script: Path) -> int:
    """Run the script as the current `__main__`; return the code that Python would exit with."""
    module = sys.modules["__main__"]
    try:
        with io.open_code(str(script.absolute())) as file:
            # Without the flag, this module's own `from __future__` would apply to the script.
            code = compile(file.read(), str(module.__file__), "exec", dont_inherit=True)
        exec(code, vars(module))  # noqa: S102 - running the user's script is the purpose
    except SystemExit as error:
        return _exit_code(error)
    except KeyboardInterrupt as error:
        _print(error)
        return _INTERRUPTED
    except BaseException as error:  # noqa: BLE001 - as Python does at the end of a script
        _print(error)
        return 1
    return 0


def _exit_code(error: SystemExit) -> int:
    """Return what Python exits with for `sys.exit(…)`: a number as it is, None as 0, any other object is printed.

    >>> _exit_code(SystemExit(3))
    3
    """
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code
    sys.stderr.write(f"{error.code}\n")
    return 1


def _print(error: BaseException) -> None:
    """Print an exception as Python would at the end of the script: with the script's own hook if it has set one."""
    trace = _without_us(error.__traceback__)
    sys.excepthook(type(error), error.with_traceback(trace), trace)


def _without_us(trace: TracebackType | None) -> TracebackType | None:
    """Remove this module's frames from a traceback: the user looks for the script's."""
    frames: list[TracebackType] = []
    while trace is not None:
        if trace.tb_frame.f_code.co_filename != __file__:
            frames.append(trace)
        trace = trace.tb_next
    following: TracebackType | None = None
    for frame in reversed(frames):
        frame.tb_next = following
        following = frame
    return following


def _left_running(before: set[threading.Thread]) -> bool:
    """Tell whether the script has left threads that Python would wait for."""
    return any(not thread.daemon for thread in threading.enumerate() if thread not in before)
