"""PySpark's RDD methods, reported to the listener: Spark itself announces none of them.

A frame that becomes an RDD (`df.rdd`) runs as RDDs that do not name all that its query reads: a broadcast table, a
subquery's table and the dataset of a scan are not among their dependencies. A checkpoint cuts off an RDD's
dependencies. `saveAsTextFile` is a job without a query. `df.transpose()` runs its query before there is a plan, which
only has the rows. So these methods are wrapped while an application is tracked: each wrapper calls the original, and
passes its arguments to the listener. Errors in that are logged, never raised.
"""

from __future__ import annotations

import functools
import importlib
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from headwater.rules.statements.inserts import SAVED_RDDS

if TYPE_CHECKING:
    from headwater.capture.jvm.bridge import Listener

# Frames, RDDs and the arguments of their methods: PySpark's own, without types.
_PySpark: TypeAlias = Any

_OUTPUT = ("mapreduce.output.fileoutputformat.outputdir", "mapred.output.dir")

_log = logging.getLogger(__name__)
_listeners: list[Listener] = []
_replaced: list[tuple[type, str, _PySpark, _PySpark]] = []
_lock = threading.Lock()


def watch_rdds(listener: Listener) -> Callable[[], None]:
    """Report to a listener what happens to RDDs, until the returned function is called."""
    with _lock:
        if not _listeners:
            _replace_methods()
        _listeners.append(listener)

    def unwatch() -> None:
        with _lock:
            _listeners.remove(listener)
            if not _listeners:
                _restore_methods()

    return unwatch


def _replace_methods() -> None:
    frame, rdd = _class("sql.classic.dataframe", "DataFrame"), _class("rdd", "RDD")
    frame = frame or _class("sql", "DataFrame")  # before Spark 4 there is one kind of frame
    _replace(frame, "rdd", _rdd)
    _replace(frame, "toJSON", _to_json)
    _replace(frame, "transpose", _transpose)
    for name in ("checkpoint", "localCheckpoint"):
        _replace(frame, name, _frame_checkpoint)
        _replace(rdd, name, _rdd_checkpoint)
    for name in SAVED_RDDS:
        _replace(rdd, name, _save)


def _class(module: str, name: str) -> _PySpark:
    try:
        return getattr(importlib.import_module(f"pyspark.{module}"), name)
    except ModuleNotFoundError:
        return None


def _replace(owner: type | None, name: str, watched: Callable[[_PySpark], _PySpark]) -> None:
    original = None if owner is None else vars(owner).get(name)  # PySpark for Connect alone has no RDDs
    if owner is not None and original is not None:
        _replaced.append((owner, name, original, watched(original)))
        setattr(owner, name, _replaced[-1][-1])


def _restore_methods() -> None:
    """Restore the original methods, except where another library has replaced ours."""
    while _replaced:
        owner, name, original, ours = _replaced.pop()
        if vars(owner).get(name) is ours:
            setattr(owner, name, original)


@contextmanager
def _never_raises() -> Iterator[None]:
    try:
        yield
    except Exception:  # noqa: BLE001 (the user's job must continue)
        _log.debug("Cannot determine what happened to an RDD.", exc_info=True)


def _report(call: Callable[[Listener], None]) -> None:
    with _never_raises():
        for listener in tuple(_listeners):
            call(listener)


def _rdd(original: _PySpark) -> property:
    def rdd(frame: _PySpark) -> _PySpark:
        result = original.__get__(frame, type(frame))
        _frame_as_rdd(frame, result)
        return result

    return property(rdd, doc=original.__doc__)


def _to_json(original: Callable[..., _PySpark]) -> Callable[..., _PySpark]:
    @functools.wraps(original)
    def to_json(frame: _PySpark, *args: _PySpark, **kwargs: _PySpark) -> _PySpark:
        result = original(frame, *args, **kwargs)
        if hasattr(result, "_jrdd"):  # newer Sparks may return a frame
            _frame_as_rdd(frame, result)
        return result

    return to_json


def _frame_as_rdd(frame: _PySpark, rdd: _PySpark) -> None:
    _report(lambda listener: listener.frame_as_rdd(frame._jdf, rdd._jrdd))  # noqa: SLF001


def _frame_checkpoint(original: Callable[..., _PySpark]) -> Callable[..., _PySpark]:
    """An eager checkpoint is an execution that names its RDD; for a lazy one, Spark does not name it."""

    @functools.wraps(original)
    def keep(frame: _PySpark, eager: bool = True, *args: _PySpark, **kwargs: _PySpark) -> _PySpark:  # noqa: FBT001, FBT002 (PySpark's)
        result = original(frame, eager, *args, **kwargs)
        if not eager:
            _report(lambda listener: listener.frame_checkpointed(frame._jdf, result._jdf))  # noqa: SLF001
        return result

    return keep


def _transpose(original: Callable[..., _PySpark]) -> Callable[..., _PySpark]:
    @functools.wraps(original)
    def transpose(frame: _PySpark, *args: _PySpark, **kwargs: _PySpark) -> _PySpark:
        result = original(frame, *args, **kwargs)
        _report(lambda listener: listener.frame_transposed(frame._jdf, result._jdf))  # noqa: SLF001
        return result

    return transpose


def _rdd_checkpoint(original: Callable[..., _PySpark]) -> Callable[..., _PySpark]:
    @functools.wraps(original)
    def keep(rdd: _PySpark) -> None:
        _report(lambda listener: listener.rdd_checkpointed(rdd._jrdd))  # noqa: SLF001
        original(rdd)

    return keep


def _save(original: Callable[..., _PySpark]) -> Callable[..., _PySpark]:
    @functools.wraps(original)
    def save(rdd: _PySpark, *args: _PySpark, **kwargs: _PySpark) -> _PySpark:
        saves: list[tuple[Listener, int]] = []
        with _never_raises():
            path = _target(args[0] if args else kwargs.get("path", kwargs.get("conf")))
            # The parent of an RDD that is not built yet: building it now would pickle the user's function twice.
            source = getattr(rdd, "_prev_jrdd", None) or rdd._jrdd  # noqa: SLF001
            for listener in tuple(_listeners):
                saves.append((listener, listener.rdd_saving(source, original.__name__, path)))  # noqa: PERF401
        error: str | None = "interrupted"
        try:
            result = original(rdd, *args, **kwargs)
            error = None
        except Exception as raised:
            error = _reason(raised)
            raise
        finally:
            with _never_raises():
                for listener, number in saves:
                    listener.rdd_saved(number, error)
        return result

    return save


def _reason(raised: Exception) -> str:
    """Why it failed: Spark's own message if Spark raised it."""
    with _never_raises():
        raised_by_spark: _PySpark = getattr(raised, "java_exception", None)
        if raised_by_spark is not None:
            return str(raised_by_spark.toString())
    return str(raised) or type(raised).__name__


def _target(target: object) -> str | None:
    """The output folder: an argument, or one of the settings of a Hadoop job.

    >>> _target("/lake/out"), _target({"mapred.output.dir": "/lake/old"}), _target({"hbase.table": "t"})
    ('/lake/out', '/lake/old', None)
    """
    if isinstance(target, dict):
        return next((str(target[key]) for key in _OUTPUT if key in target), None)
    return target if isinstance(target, str) else None
