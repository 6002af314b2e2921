"""`headwater.track(spark)`: the thread that turns the listener's messages into events."""

from __future__ import annotations

import atexit
import functools
import logging
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from openlineage.client import OpenLineageClient
from openlineage.client.event_v2 import RunState
from openlineage.client.uuid import generate_new_uuid

from headwater.capture.calls import Called, tables_of, unwatch, watch
from headwater.capture.executions import Event, Executions
from headwater.capture.jvm.bridge import Drained, Listener
from headwater.capture.jvm.catalogs import catalog_of, catalogs_of
from headwater.capture.jvm.messages import (
    catalog_table,
    dropped_tables,
    nodes_in,
    remember_frame,
    statement_of,
    statistics_of,
    without_changed,
)
from headwater.capture.rdds import watch_rdds
from headwater.capture.settings.client import make_client
from headwater.capture.settings.settings import Settings, settings
from headwater.capture.spark_catalog import CatalogTable
from headwater.capture.watchdog import bounded_with_links
from headwater.common.garbage import collector_paused
from headwater.common.redaction.text import redact
from headwater.openlineage.build.events import Application
from headwater.openlineage.delivery.remote import delivery_counts, wait_for_delivery
from headwater.openlineage.naming.datasets import Catalog
from headwater.openlineage.naming.resolvers import resolvers
from headwater.rules.expressions.masking import DeclaredMasking
from headwater.rules.plan.budget import Budget
from headwater.rules.session.links import Links
from headwater.rules.statements.procedures import statement_of_call
from headwater.rules.statements.statements import Statement

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OLDEST_SPARK = (3, 5)
SUPPORTED = "Spark 3.5 to 4.3"
_FLUSH_SECONDS = 30.0
_LINKS_SECONDS = 5.0
_POLL_MILLIS = 500
_WITH_DATABASE = 2
# An error that differs in every statement must not fill the log.
_MOST_WARNINGS = 100
_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})
_CONNECT_SERVER = "SparkConnectPlugin"
_BETWEEN = "\x1f"
_T = TypeVar("_T")

_log = logging.getLogger("headwater")
_trackers: dict[str, Tracker] = {}
_trackers_lock = threading.Lock()


def track(spark: SparkSession) -> Tracker:
    """Follow every query of a Spark application from now on, and send its lineage as OpenLineage events.

    Call it once after creating the session; a second call for the same application returns the same tracker. It never
    raises: if the application cannot be tracked, it logs the reason and the job continues.

    Example:
        >>> tracker = headwater.track(spark)                         # doctest: +SKIP
        >>> spark.table("orders").write.parquet("copy_of_orders")    # doctest: +SKIP
        >>> tracker.flush()                                          # doctest: +SKIP
        True
    """
    try:
        return _track(spark)
    except Exception as error:  # noqa: BLE001 (the user's job must continue)
        _log.warning("Headwater is not tracking this application: %s", redact(str(error)))
        return Tracker.off()


def _track(spark: SparkSession) -> Tracker:
    reason = _reason_not_to_track(spark)
    if reason is not None:
        _log.warning("%s", reason)
        return Tracker.off()
    spark = _with_jvm(spark) or spark
    chosen = settings(_conf(spark), os.environ)
    if chosen.disabled:
        return Tracker.off()
    for problem in chosen.problems:
        _log.warning("%s", redact(problem))
    id_ = spark.sparkContext.applicationId
    with _trackers_lock:
        known = _trackers.get(id_)
        if known is None or not known.active:
            client = make_client(chosen.transport, chosen.store, chosen.spool)
            known = _trackers[id_] = Tracker(spark, chosen, client)
        return known


def links_of(spark: SparkSession) -> Links | None:
    """The links of an application so far: its variables, and the RDDs behind its frames."""
    with _trackers_lock:
        tracker = _trackers.get(spark.sparkContext.applicationId)
    return tracker.links() if tracker is not None and tracker.active else None


def masking_of(spark: SparkSession) -> DeclaredMasking:
    """The functions that the settings of a session declare as masking or unmasking."""
    return settings(_conf(spark), os.environ).masking


def _conf(spark: SparkSession) -> dict[str, str]:
    """The application's settings, overridden by the session's: a builder over a running Spark only sets those."""
    conf = dict(spark.sparkContext.getConf().getAll())
    session: Any = spark
    # One call into the JVM instead of two for each setting.
    entries = str(session._jsparkSession.conf().getAll().mkString(_BETWEEN))  # noqa: SLF001
    for entry in entries.split(_BETWEEN):
        key, arrow, value = entry.partition(" -> ")
        if arrow:
            conf[key] = value
    return conf


def _naming(spark: SparkSession, chosen: Settings) -> Catalog:
    """The naming of datasets; invalid settings are logged and ignored."""
    try:
        return catalog_of(
            spark,
            resolve=resolvers(chosen.namespace_resolvers),
            remove_path=chosen.remove_path,
            disabled_trimmers=chosen.disabled_trimmers,
        )
    except ValueError as error:
        _log.warning("%s Datasets are named without it.", redact(str(error)))
        return catalog_of(spark)


def _reason_not_to_track(spark: SparkSession) -> str | None:
    """Why this session cannot be tracked, or None."""
    version = spark.version
    major, minor = (int(part) for part in version.split(".")[:2])
    if (major, minor) < OLDEST_SPARK:
        return f"Headwater supports {SUPPORTED} and is not tracking this application, which runs Spark {version}."
    if _with_jvm(spark) is None:
        return "Headwater cannot track a Spark Connect client session: track the session on the server instead."
    return None


def _with_jvm(spark: SparkSession) -> SparkSession | None:
    """The session with a JVM: a Spark Connect session has none, but the server of `remote("local")` is in this process.

    All sessions of a server share one Spark application, which is what is tracked.
    """
    if hasattr(spark, "_jsparkSession"):
        return spark
    host = getattr(getattr(spark, "client", None), "host", None)
    classic: Any = getattr(sys.modules.get("pyspark.sql.session"), "SparkSession", None)
    server = getattr(classic, "_instantiatedSession", None)
    if host not in _THIS_MACHINE or server is None or server._sc._jsc is None:  # noqa: SLF001 (stopped, or never here)
        return None
    return server if _CONNECT_SERVER in server.sparkContext.getConf().get("spark.plugins", "") else None


class Tracker:
    """Tracks one application until `stop()`, the end of the `with` block, or the end of the program.

    Example:
        >>> with headwater.track(spark):                             # doctest: +SKIP
        ...     spark.table("orders").write.parquet("copy_of_orders")
    """

    def __init__(self, spark: SparkSession, chosen: Settings, client: OpenLineageClient) -> None:
        context = spark.sparkContext
        id_ = context.applicationId
        self._application = Application(
            namespace=chosen.namespace,
            name=chosen.app_name or context.appName or id_,
            run_id=chosen.run_id or str(generate_new_uuid()),
            spark_version=spark.version,
            catalog=_naming(spark, chosen),
            options=chosen.events,
        )
        self._executions = Executions(self._application, self._lost, self._find, self._place)
        self._reads_wanted = chosen.events.reads_wanted
        self._flush_seconds = chosen.flush_seconds
        self._budget = functools.partial(
            Budget, chosen.statement_edges, chosen.statement_millis, chosen.statement_memory
        )
        self._masking = chosen.masking
        self._client = client
        self._catalogs = catalogs_of(spark)
        self._links = Links()
        self._waiting: dict[int, list[Mapping[str, Any]]] = {}
        self._listener: Listener | None = Listener(spark, chosen)
        self._unwatch = watch_rdds(self._listener)
        self._process = os.getpid()
        self._calls: queue.SimpleQueue[Called] = queue.SimpleQueue()
        self._called = 0
        self._handled = 0
        self._drained = Drained([])
        self._failed = 0
        self._undelivered = 0
        self._warnings: set[str] = set()
        self._progress = threading.Condition()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="headwater", daemon=True)
        self._thread.start()
        watch(self._queue_call)
        atexit.register(self.stop)

    @classmethod
    def off(cls) -> Tracker:
        """An inactive tracker, for applications that cannot be tracked."""
        tracker = cls.__new__(cls)
        tracker._listener = None  # noqa: SLF001 (its own)
        return tracker

    def __repr__(self) -> str:
        if not self.active:
            return "<headwater.Tracker: not tracking; the log says why, or it was stopped>"
        application = self._application
        return (
            f"<headwater.Tracker of {application.name!r}, run {application.run_id}:"
            " flush() waits until all events are sent, stop() ends tracking>"
        )

    @property
    def active(self) -> bool:
        """Whether it is tracking queries."""
        return self._listener is not None

    @property
    def run_id(self) -> str | None:
        """The id of the application's run, the parent of every statement's run."""
        return self._application.run_id if self.active else None

    def flush(self, timeout: float = _FLUSH_SECONDS) -> bool:
        """Wait until all events so far are sent; False if that takes longer than `timeout` seconds."""
        listener = self._listener
        if listener is None or os.getpid() != self._process:
            return True
        until = time.monotonic() + timeout
        handled = self._catch_up(listener, timeout)
        return handled and wait_for_delivery(self._client.transport, max(0.0, until - time.monotonic()))

    def links(self) -> Links | None:
        """The links so far: variables, and the RDDs behind frames."""
        listener = self._listener
        if listener is None or os.getpid() != self._process or not self._catch_up(listener, _LINKS_SECONDS):
            return None
        return self._links.snapshot()

    def _catch_up(self, listener: Listener, timeout: float) -> bool:
        """Wait until all messages so far are handled; False on a timeout."""
        until = time.monotonic() + timeout
        try:
            listener.wait_until_seen(int(timeout * 1000))
        except Exception:  # noqa: BLE001 (the bus is late or gone: what reached the queue is still sent)
            _log.debug("The listener bus did not drain in time.", exc_info=True)
        try:
            target = listener.queued() + self._called
        except Exception:  # noqa: BLE001 (the JVM is gone, and its queue with it)
            return False
        with self._progress:
            return self._progress.wait_for(
                lambda: self._handled >= target or not self._thread.is_alive(), max(0.0, until - time.monotonic())
            )

    def stop(self) -> None:
        """Send what is left, end the application's run, and stop tracking. A second call does nothing."""
        listener = self._listener
        if listener is None or os.getpid() != self._process:
            return
        self.flush(self._flush_seconds)
        self._stopping.set()
        self._thread.join(self._flush_seconds)
        self._listener = None
        self._unwatch()
        unwatch(self._queue_call)
        atexit.unregister(self.stop)
        try:
            self._report(listener.last_error())
            listener.remove()
        except Exception:  # noqa: BLE001 (the JVM may be gone already)
            _log.debug("Could not remove the listener.", exc_info=True)
        try:
            self._client.close(self._flush_seconds)
        except Exception as error:  # noqa: BLE001
            self._warn_of(error)

    def __enter__(self) -> Tracker:  # noqa: PYI034 (Self came with Python 3.11)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # --- the thread ---------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        self._send([self._application.event(RunState.START, _now())])
        listener = self._listener
        ended: int | None = None
        while listener is not None and ended is None and not self._stopping.is_set():
            try:
                self._drained = listener.drain(_POLL_MILLIS)
            except Exception:  # noqa: BLE001 (the JVM is gone)
                break
            for message in self._drained.messages:
                if message["event"] == "application_end":
                    ended = message["time"]
                else:
                    self._handle(message)
                self._count_handled()
            self._handle_calls()
        self._send(self._executions.over(ended or _now(), application_ended=ended is not None))
        self._send([self._application.event(RunState.COMPLETE, ended or _now(), self._lost())])
        with self._progress:
            self._progress.notify_all()

    def _count_handled(self) -> None:
        with self._progress:
            self._handled += 1
            self._progress.notify_all()

    def _queue_call(self, called: Called) -> None:
        """Queue a CALL for the tracker's thread; this runs in the user's thread."""
        with self._progress:
            self._called += 1
        self._calls.put(called)

    def _handle_calls(self) -> None:
        while not self._calls.empty():
            called = self._calls.get()
            try:
                call, catalogs = called.call, catalogs_of(called.session)
                statement = None if call is None else statement_of_call(call, tables_of(called, catalogs))
                if statement is not None:
                    self._send(self._executions.ran(called.started, called.ended, statement, called.error, called.sql))
            except Exception as error:  # noqa: BLE001 (a failure in one statement must not affect the next ones)
                self._failed += 1
                self._warn_of(error)
            self._count_handled()

    def _handle(self, message: Mapping[str, Any]) -> None:
        try:
            if "limit" in message:
                self._warn_once(f"Headwater reached a limit ({message['limit']}) and no longer reads whole plans.")
            with collector_paused(nodes_in(message)):
                self._send(self._events(message))
        except Exception as error:  # noqa: BLE001 (a failure in one statement must not affect the next ones)
            self._failed += 1
            self._warn_of(error)
            if message["event"] == "end":
                # Its run still ends, with what was known before.
                self._send(self._executions.ended(message["id"], message["time"], None, message["error"]))

    def _events(self, message: Mapping[str, Any]) -> Iterable[Event]:
        kind, millis = message["event"], message["time"]
        if kind == "stream_start":
            self._executions.stream_started(message["query"], message["run"], message["name"])
            return ()
        if kind == "stream_end":
            return self._executions.stream_ended(message["query"], millis, message["error"])
        if kind in {"rdd", "transposed"}:
            self._bounded(message, lambda links, budget: remember_frame(message, links, self._catalogs, budget))
            return ()
        id_ = message["id"]
        root = message["root"] if kind == "start" else self._executions.root_of(id_)
        read = None
        if root != id_ and "plan" in message and self._executions.awaits_plan(root):
            self._waiting.setdefault(root, []).append(message)
        else:
            read = self._statement(message, root)
        if root == id_ and kind == "end":
            for inner in self._waiting.pop(root, ()):
                self._executions.complete_nested(inner["id"], root, self._statement(inner, root))
        sql = message.get("sql")
        if kind == "start":
            return self._executions.started(id_, root, millis, read, sql)
        return self._executions.ended(
            id_,
            millis,
            read,
            message["error"],
            statistics=statistics_of(message),
            sql=sql,
            dropped=dropped_tables(message),
            created_table=message.get("made"),
        )

    def _statement(self, message: Mapping[str, Any], root: int) -> Statement | None:
        if "plan" not in message and "save" not in message:
            return None
        inside = message["id"] != root
        read = functools.partial(
            statement_of,
            message,
            shallow=inside and self._executions.knows_outputs(root),
            reads=self._reads_wanted and not inside,
            catalogs=self._catalogs,
        )
        return self._bounded(message, lambda links, budget: read(links=links, budget=budget))

    def _bounded(self, message: Mapping[str, Any], work: Callable[[Links, Budget], _T]) -> _T:
        """Work on a message within the budget of a statement, by the user's declarations.

        What it remembers counts when it is done.
        """

        def declared(links: Links, budget: Budget) -> _T:
            with self._masking.applied():  # on the thread that does the work
                return work(links, budget)

        try:
            result, self._links = bounded_with_links(declared, self._links, self._budget())
        except Exception:
            self._links = without_changed(message, self._links)
            raise
        return result

    def _find(self, name: tuple[str, ...]) -> CatalogTable | None:
        """A table of Spark's own catalog, by its name with its database."""
        listener = self._listener
        if listener is None or len(name) < _WITH_DATABASE:
            return None
        try:
            return catalog_table(listener.find_table(*name[-_WITH_DATABASE:]))
        except Exception:  # noqa: BLE001 (the JVM is gone: name the table by what is known)
            return None

    def _place(self, name: tuple[str, ...]) -> str | None:
        """Where Spark's own catalog puts a new table, by its name with its database."""
        listener = self._listener
        if listener is None or len(name) < _WITH_DATABASE:
            return None
        try:
            return listener.place_of(*name[-_WITH_DATABASE:])
        except Exception:  # noqa: BLE001 (the JVM is gone: the event does without)
            return None

    def _send(self, events: Iterable[Event]) -> None:
        for event in events:
            try:
                self._client.emit(event)
            except Exception as error:  # noqa: BLE001, PERF203 (an event that cannot be sent is counted, not raised)
                self._undelivered += 1
                self._warn_of(error)

    def _lost(self) -> dict[str, int]:
        """The counts of what has been lost so far, by kind."""
        delivery = delivery_counts(self._client.transport)
        counts = {
            "droppedMessages": self._drained.dropped,
            "unreadPlans": self._drained.unread + self._failed,
            "limitedPlans": self._drained.limited,
            "undeliveredEvents": self._undelivered + delivery.dropped + delivery.rejected,
            "spooledEvents": delivery.spooled,
        }
        return {kind: count for kind, count in counts.items() if count}

    def _warn_of(self, error: Exception) -> None:
        message = redact(str(error)) or type(error).__name__
        self._warn_once(f"Headwater: {message if message.endswith('.') else message + '.'} The job continues.")

    def _warn_once(self, sentence: str) -> None:
        if sentence not in self._warnings and len(self._warnings) < _MOST_WARNINGS:
            self._warnings.add(sentence)
            _log.warning("%s", sentence)

    def _report(self, last_error: str) -> None:
        drained = self._drained
        if drained.dropped:
            _log.warning(
                "Headwater dropped %d messages because its queue was full: some lineage is missing.", drained.dropped
            )
        if drained.unread:
            _log.warning("Headwater could not read %d plans; the last error: %s", drained.unread, redact(last_error))
        if self._undelivered:
            _log.warning("Headwater could not deliver %d events.", self._undelivered)


def _now() -> int:
    return time.time_ns() // 1_000_000
