"""The bridge to the JVM: compiles the reader in the driver, and registers its listener with Spark."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.capture.settings.settings import Settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Each may use those before it.
_SOURCES = (
    "Json", "Reflection", "Recent",
    "datasets/DatasetJson", "datasets/DatasetOptions", "datasets/Rdds", "datasets/SavedRdds", "datasets/V1Tables",
    "datasets/JdbcRelations", "datasets/Streams", "datasets/V2Tables", "datasets/Datasets", "datasets/CatalogTables",
    "datasets/CatalogSettings", "datasets/Tables",
    "plan/ClassFields", "plan/SourceTexts", "plan/Expressions", "plan/PlanReader",
    "listener/MessageQueue", "listener/Limits", "listener/SessionVariables", "listener/SqlTexts",
    "listener/ExecutionPlans", "listener/Frames", "listener/Metrics", "listener/CaptureListener",
)  # fmt: skip
_QUEUE = "headwater"
_MOST_AT_ONCE = 64


class Drained(NamedTuple):
    """A batch of the listener's messages.

    Attributes:
        messages: the messages.
        dropped: how many messages were dropped so far because the queue was full.
        unread: how many plans could not be read so far.
        limited: how many plans were only read to their root because a limit was reached.
    """

    messages: list[Mapping[str, Any]]
    dropped: int = 0
    unread: int = 0
    limited: int = 0


class Listener:
    """A `CaptureListener` in the driver. Every method is one call into the JVM."""

    def __init__(self, spark: SparkSession, settings: Settings) -> None:
        context = spark.sparkContext
        self._bus: Any = context._jsc.sc().listenerBus()  # noqa: SLF001 (PySpark has no public way to the bus)
        gateway: Any = context._gateway  # noqa: SLF001
        session: Any = spark
        state = session._jsparkSession.sharedState()  # noqa: SLF001
        self._tables: Any = _new(gateway, "Tables", context._jsc.sc(), state)  # noqa: SLF001
        long = gateway.jvm.java.lang.Long.valueOf
        self._listener: Any = _new(
            gateway,
            "CaptureListener",
            settings.queue_length,
            long(settings.queue_chars),
            long(settings.plan_millis),
            settings.plan_chars,
            long(settings.application_millis),
            settings.free_heap_percent,
            settings.gc_percent,
            long(settings.check_millis),
            settings.events.reads_wanted,
            self._tables,
        )
        self._messages: Any = self._listener.messages()
        self._frames: Any = self._listener.frames()
        # A queue of its own: other listeners do not wait for this one, nor it for them.
        self._bus.addToQueue(self._listener, _QUEUE)

    def drain(self, wait_millis: int) -> Drained:
        """Take the waiting messages, or wait for one."""
        return Drained(**json.loads(self._messages.drain(_MOST_AT_ONCE, wait_millis)))

    def wait_until_seen(self, millis: int) -> None:
        """Wait until everything that Spark has announced so far has reached the listener, or the time is over."""
        self._bus.waitUntilEmpty(millis)

    def queued(self) -> int:
        """How many messages the listener has queued so far."""
        return int(self._messages.queued())

    def frame_as_rdd(self, frame: Any, rdd: Any) -> None:  # noqa: ANN401 (py4j has no types)
        """A frame has become an RDD."""
        self._frames.frameAsRdd(frame, rdd)

    def frame_checkpointed(self, frame: Any, checkpoint: Any) -> None:  # noqa: ANN401
        """A frame is the lazy checkpoint of another frame."""
        self._frames.frameCheckpointed(frame, checkpoint)

    def frame_transposed(self, frame: Any, transposed: Any) -> None:  # noqa: ANN401
        """A frame is the transpose of another frame."""
        self._frames.frameTransposed(frame, transposed)

    def rdd_checkpointed(self, rdd: Any) -> None:  # noqa: ANN401
        """An RDD will be read from a checkpoint instead of its dependencies."""
        self._frames.rddCheckpointed(rdd)

    def rdd_saving(self, rdd: Any, method: str, path: str | None) -> int:  # noqa: ANN401
        """An RDD is about to be saved; the number is for `rdd_saved`."""
        return int(self._frames.rddSaving(rdd, method, path))

    def rdd_saved(self, save: int, error: str | None) -> None:
        """An RDD was saved, or saving failed."""
        self._frames.rddSaved(save, error)

    def last_error(self) -> str:
        """The listener's last error, or an empty text."""
        return str(self._messages.lastError())

    def find_table(self, database: str, name: str) -> Mapping[str, Any] | None:
        """A table of Spark's own catalog; None if there is none, or the catalog is unavailable."""
        table = self._tables.find(database, name)
        return None if table is None else json.loads(table)

    def place_of(self, database: str, name: str) -> str | None:
        """Where Spark's own catalog puts a new table; None if that is unknown."""
        place = self._tables.place(database, name)
        return None if place is None else str(place)

    def remove(self) -> None:
        """Remove the listener from the bus and the catalog."""
        self._bus.removeListener(self._listener)
        self._tables.remove()


def read_plan(spark: SparkSession, plan: Any, settings: Settings | None = None) -> Mapping[str, Any]:  # noqa: ANN401 (py4j)
    """Read an existing logical plan, without running anything."""
    settings = settings or Settings()
    gateway: Any = spark.sparkContext._gateway  # noqa: SLF001
    millis = gateway.jvm.java.lang.Long.valueOf(settings.plan_millis)
    arguments = _array(gateway, plan, millis, settings.plan_chars)
    read: Mapping[str, Any] = json.loads(_method(gateway, "PlanReader", "read").invoke(None, arguments))
    return read


def current_namespace(spark: SparkSession) -> tuple[str, ...]:
    """A session's current catalog and namespace; empty if they are unavailable."""
    session: Any = spark
    try:
        catalogs = session._jsparkSession.sessionState().catalogManager()  # noqa: SLF001
        return (str(catalogs.currentCatalog().name()), *map(str, catalogs.currentNamespace()))
    except Exception:  # noqa: BLE001 (the statement continues, and reports the error itself)
        return ()


def find_table(spark: SparkSession, catalog: str, name: str, here: Sequence[str] = ()) -> Mapping[str, Any]:
    """A table of one of a session's catalogs.

    Args:
        spark: the session.
        catalog: the catalog of the name; empty for that of `here`.
        name: the table's name as it was written.
        here: the session's catalog and namespace at the time; empty for the current ones.
    """
    session: Any = spark
    gateway: Any = spark.sparkContext._gateway  # noqa: SLF001
    state = session._jsparkSession.sessionState()  # noqa: SLF001
    current, *namespace = here or current_namespace(spark)
    arguments = _array(gateway, state, catalog or current, name, current, "\0".join(namespace))
    table: Mapping[str, Any] = json.loads(_method(gateway, "CatalogTables", "find").invoke(None, arguments))
    return table


def _new(gateway: Any, name: str, *values: Any) -> Any:  # noqa: ANN401 (py4j has no types)
    return _class(gateway, name).getConstructors()[0].newInstance(_array(gateway, *values))


def _array(gateway: Any, *values: Any) -> Any:  # noqa: ANN401
    arguments = gateway.new_array(gateway.jvm.java.lang.Object, len(values))
    for place, value in enumerate(values):
        arguments[place] = value
    return arguments


def _class(gateway: Any, name: str) -> Any:  # noqa: ANN401 (py4j has no types)
    return _compiled(gateway).loadClass(f"headwater.{name}")


@functools.lru_cache(maxsize=2)
def _method(gateway: Any, class_name: str, name: str) -> Any:  # noqa: ANN401 (py4j has no types)
    """A static method, looked up once: searching the methods of a class takes a call into the JVM for each."""
    for method in _class(gateway, class_name).getDeclaredMethods():
        if method.getName() == name:
            return method
    raise AttributeError(f"{class_name}.{name}")


@functools.lru_cache(maxsize=1)
def _compiled(gateway: Any) -> Any:  # noqa: ANN401 (py4j has no types)
    """Compile the Java sources with Janino, which Spark ships for its own generated code, once per JVM."""
    jvm = gateway.jvm
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    folder = files(__package__) / "reader"
    for name in _SOURCES:
        compiler = jvm.org.codehaus.janino.SimpleCompiler()
        compiler.setParentClassLoader(loader)
        compiler.cook((folder / f"{name}.java").read_text(encoding="utf-8"))
        loader = compiler.getClassLoader()
    return loader
