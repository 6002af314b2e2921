"""CALL statements, captured in `SparkSession.sql`.

Spark 4 runs a procedure while it analyses the statement, and announces no execution. So `SparkSession.sql` is wrapped
while an application is tracked: other statements pass through unchanged, and a CALL is reported when it is done.
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
    """A finished CALL.

    Attributes:
        here: the session's current catalog and namespace, to which unqualified names belong.
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
        """The procedure and its arguments; None if the text cannot be parsed."""
        return read_call(self.sql, self.parameters)


Watcher = Callable[[Called], None]
_lock = threading.Lock()
_watchers: list[Watcher] = []


def watch(watcher: Watcher) -> None:
    """Call a watcher after every CALL from now on. The watcher must not raise."""
    with _lock:
        if not hasattr(SparkSession.sql, "headwater_watches"):
            SparkSession.sql = _watched(SparkSession.sql)  # type: ignore[method-assign]
        _watchers.append(watcher)


def unwatch(watcher: Watcher) -> None:
    """Remove a watcher; with the last one, restore `SparkSession.sql`."""
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
        parameters = args[1] if len(args) > 1 else kwargs.get("args")
        called = functools.partial(Called, session, str(text), parameters or (), current_namespace(session), _now())
        try:
            frame = sql(session, *args, **kwargs)
        except Exception as error:
            _notify(called(_now(), str(error) or type(error).__name__))
            raise
        _notify(called(_now()))
        return frame

    watched.headwater_watches = True  # type: ignore[attr-defined]
    return watched


def _notify(called: Called) -> None:
    for watcher in _watchers:
        watcher(called)


def _now() -> int:
    return time.time_ns() // 1_000_000


def tables_of(called: Called, catalogs: Catalogs) -> Tables:
    """Find the tables of a session's catalogs, each by one call into the JVM."""

    def find(catalog: str, name: str) -> Table:
        table = find_table(called.session, catalog, name, called.here)
        identifier = tuple(table["name"])
        dataset = described(table["table"], catalogs).dataset if "table" in table else Dataset()
        if not dataset.table:
            dataset = in_catalog(dataset, catalogs(table["catalog"]), identifier)
        return Table(dataset, tuple(Field(*column) for column in parts(table.get("schema"))))

    return find
