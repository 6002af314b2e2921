"""CALL statements, seen where they are given to Spark.

Spark 4 runs a procedure while it analyses the statement, and announces no execution. So `SparkSession.sql` is looked
at while somebody tracks: a statement that is no CALL passes through untouched, and of a CALL the text is kept until it
is done.
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import SparkSession

from headwater.capture.jvm.bridge import current_namespace, find_table
from headwater.capture.jvm.datasets import Catalogs, described
from headwater.rules.operators.relations import in_catalog
from headwater.rules.plan.tree import Dataset
from headwater.rules.plan.types import parts
from headwater.rules.statements.procedures import Call, Table, Tables, is_call, read_call
from headwater.rules.statements.statements import Field


@dataclass(frozen=True)
class Called:
    """A CALL that is done.

    Attributes:
        here: the catalog and the namespace that the session was in, which names that leave them out belong to.
        started: when it began, in milliseconds since 1970; `ended` likewise.
        error: why it failed, if it did.
    """

    session: SparkSession
    sql: str
    parameters: Mapping[str, object] | Sequence[object]
    here: tuple[str, ...]
    started: int
    ended: int
    error: str | None = None

    @property
    def call(self) -> Call | None:
        """What was called."""
        return read_call(self.sql, self.parameters)


Watcher = Callable[[Called], None]
_lock = threading.Lock()
_watchers: list[Watcher] = []


def watch(watcher: Watcher) -> None:
    """Tell a watcher of every CALL from now on, after it is done. The watcher must not raise."""
    with _lock:
        if not hasattr(SparkSession.sql, "headwater_watches"):
            SparkSession.sql = _watched(SparkSession.sql)  # type: ignore[method-assign]
        _watchers.append(watcher)


def unwatch(watcher: Watcher) -> None:
    """Tell a watcher no more; with the last one `SparkSession.sql` is again what it was."""
    with _lock:
        if watcher in _watchers:
            _watchers.remove(watcher)
        own: Any = SparkSession.sql
        if not _watchers and hasattr(own, "headwater_watches"):
            SparkSession.sql = own.__wrapped__  # type: ignore[method-assign]


def _watched(sql: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(sql)
    def watched(session: SparkSession, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 (whatever Spark takes and gives)
        text = args[0] if args else kwargs.get("sqlQuery")
        if not is_call(text):
            return sql(session, *args, **kwargs)
        given = args[1] if len(args) > 1 else kwargs.get("args")
        here, started = current_namespace(session), _now()
        try:
            frame = sql(session, *args, **kwargs)
        except Exception as error:
            _tell(Called(session, str(text), given or (), here, started, _now(), str(error) or type(error).__name__))
            raise
        _tell(Called(session, str(text), given or (), here, started, _now()))
        return frame

    watched.headwater_watches = True  # type: ignore[attr-defined]
    return watched


def _tell(called: Called) -> None:
    for watcher in _watchers:
        watcher(called)


def _now() -> int:
    return time.time_ns() // 1_000_000


def tables_of(called: Called, catalogs: Catalogs) -> Tables:
    """Find the tables of a session's catalogs, each by one call into the JVM."""

    def find(catalog: str, name: str) -> Table:
        found = find_table(called.session, catalog, name, called.here)
        identifier = tuple(found["name"])
        known = described(found["table"], catalogs) if "table" in found else None
        dataset = known.dataset if known is not None else Dataset()
        if not dataset.table:
            dataset = in_catalog(dataset, catalogs(found["catalog"]), identifier)
        return Table(dataset, tuple(Field(*column) for column in parts(found.get("schema"))))

    return find
