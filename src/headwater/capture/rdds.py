"""What happens to RDDs in PySpark, told to the listener: Spark itself announces none of it.

A frame that becomes an RDD (`df.rdd`) runs as RDDs that do not say all that its query reads: a broadcast table, a
subquery's table and what a scan is over are not among their dependencies. A checkpoint cuts off what an RDD depends on.
`saveAsTextFile` is a job without a query. `df.transpose()` has run its query before there is a plan, which only has the
rows. So PySpark's methods are watched while an application is tracked: each calls
the original, and hands what it was called with to the listener. What goes wrong in that is logged, and never raised.
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

# Frames, RDDs and what their methods are called with: PySpark's own, without types.
_PySpark: TypeAlias = Any

_OUTPUT = ("mapreduce.output.fileoutputformat.outputdir", "mapred.output.dir")

_log = logging.getLogger(__name__)
_listeners: list[Listener] = []
_replaced: list[tuple[type, str, _PySpark, _PySpark]] = []
_lock = threading.Lock()


def watch_rdds(listener: Listener) -> Callable[[], None]:
    """Tell a listener what happens to RDDs, until the function that is returned is called."""
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
    _put(frame, "rdd", _rdd)
    _put(frame, "toJSON", _to_json)
    _put(frame, "transpose", _transposed)
    for name in ("checkpoint", "localCheckpoint"):
        _put(frame, name, _frame_kept)
        _put(rdd, name, _rdd_kept)
    for name in SAVED_RDDS:
        _put(rdd, name, _saved)


def _class(module: str, name: str) -> _PySpark:
    try:
        return getattr(importlib.import_module(f"pyspark.{module}"), name)
    except ModuleNotFoundError:
        return None


def _put(owner: type | None, name: str, watched: Callable[[_PySpark], _PySpark]) -> None:
    original = None if owner is None else vars(owner).get(name)  # PySpark for Connect alone has no RDDs
    if owner is not None and original is not None:
        _replaced.append((owner, name, original, watched(original)))
        setattr(owner, name, _replaced[-1][-1])


def _restore_methods() -> None:
    """Put the originals back, except where somebody else has replaced ours."""
    while _replaced:
        owner, name, original, ours = _replaced.pop()
        if vars(owner).get(name) is ours:
            setattr(owner, name, original)


@contextmanager
def _never_raises() -> Iterator[None]:
    try:
        yield
    except Exception:  # noqa: BLE001 (whatever it is, the user's job goes on)
        _log.debug("Cannot determine what happened to an RDD.", exc_info=True)


def _rdd(original: _PySpark) -> property:
    def rdd(frame: _PySpark) -> _PySpark:
        made = original.__get__(frame, type(frame))
        _frame_as_rdd(frame, made)
        return made

    return property(rdd, doc=original.__doc__)


def _to_json(original: Callable[..., _PySpark]) -> Callable[..., _PySpark]:
    @functools.wraps(original)
    def to_json(frame: _PySpark, *args: _PySpark, **kwargs: _PySpark) -> _PySpark:
        made = original(frame, *args, **kwargs)
        if hasattr(made, "_jrdd"):  # newer Sparks may give a frame
            _frame_as_rdd(frame, made)
        return made

    return to_json


def _frame_as_rdd(frame: _PySpark, rdd: _PySpark) -> None:
    with _never_raises():
        for listener in tuple(_listeners):
            listener.frame_as_rdd(frame._jdf, rdd._jrdd)  # noqa: SLF001


def _frame_kept(original: Callable[..., _PySpark]) -> Callable[..., _PySpark]:
    """An eager checkpoint is an execution that names its RDD; of a lazy one Spark does not say which RDD is meant."""

    @functools.wraps(original)
    def keep(frame: _PySpark, eager: bool = True, *args: _PySpark, **kwargs: _PySpark) -> _PySpark:  # noqa: FBT001, FBT002 (PySpark's)
        kept = original(frame, eager, *args, **kwargs)
        if not eager:
            with _never_raises():
                for listener in tuple(_listeners):
                    listener.frame_kept(frame._jdf, kept._jdf)  # noqa: SLF001
        return kept

    return keep


def _transposed(original: Callable[..., _PySpark]) -> Callable[..., _PySpark]:
    @functools.wraps(original)
    def transpose(frame: _PySpark, *args: _PySpark, **kwargs: _PySpark) -> _PySpark:
        made = original(frame, *args, **kwargs)
        with _never_raises():
            for listener in tuple(_listeners):
                listener.frame_transposed(frame._jdf, made._jdf)  # noqa: SLF001
        return made

    return transpose


def _rdd_kept(original: Callable[..., _PySpark]) -> Callable[..., _PySpark]:
    @functools.wraps(original)
    def keep(rdd: _PySpark) -> None:
        with _never_raises():
            for listener in tuple(_listeners):
                listener.rdd_kept(rdd._jrdd)  # noqa: SLF001 (the original asks for it, too)
        original(rdd)

    return keep


def _saved(original: Callable[..., _PySpark]) -> Callable[..., _PySpark]:
    @functools.wraps(original)
    def save(rdd: _PySpark, *args: _PySpark, **kwargs: _PySpark) -> _PySpark:
        saves: list[tuple[Listener, int]] = []
        with _never_raises():
            path = _target(args[0] if args else kwargs.get("path", kwargs.get("conf")))
            # What an RDD that is not made yet will depend on: to make it now would pickle the user's function twice.
            made = getattr(rdd, "_prev_jrdd", None) or rdd._jrdd  # noqa: SLF001
            saves += [(one, one.rdd_saving(made, original.__name__, path)) for one in tuple(_listeners)]
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
    """Why it failed: Spark's own words, where it was Spark."""
    with _never_raises():
        raised_by_spark: _PySpark = getattr(raised, "java_exception", None)
        if raised_by_spark is not None:
            return str(raised_by_spark.toString())
    return str(raised) or type(raised).__name__


def _target(given: object) -> str | None:
    """The folder that is written: an argument, or one of the settings of a Hadoop job.

    >>> _target("/lake/out"), _target({"mapred.output.dir": "/lake/old"}), _target({"hbase.table": "t"})
    ('/lake/out', '/lake/old', None)
    """
    if isinstance(given, dict):
        return next((str(given[key]) for key in _OUTPUT if key in given), None)
    return given if isinstance(given, str) else None
