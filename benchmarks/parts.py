"""The way of one plan through Headwater, part by part, in CPU time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from benchmarks.measure import cpu_seconds, jvm_of
from openlineage.client.event_v2 import RunState
from openlineage.client.serde import Serde

from headwater.capture.jvm import bridge as reader
from headwater.capture.jvm.decode import decode
from headwater.capture.settings.settings import Settings
from headwater.openlineage.build.events import Application
from headwater.openlineage.naming.datasets import Catalog
from headwater.rules.plan.tree import Dataset
from headwater.rules.statements.lineage import lineage_of
from headwater.rules.statements.statements import Change, Field, Statement, Written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_T = TypeVar("_T")
_RUN = "01890000-0000-7000-8000-000000000000"
PARTS = ("read in the JVM", "transfer + json", "decode", "rules", "facet + event", "event to JSON")


class Parts:
    """Times the parts for one Spark."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        jvm = jvm_of(spark)
        compiler = jvm.org.codehaus.janino.SimpleCompiler()
        compiler.cook((Path(__file__).parent / "Clock.java").read_text(encoding="utf-8"))
        clock = compiler.getClassLoader().loadClass("Clock")
        self._clock: Any = clock.getConstructors()[0].newInstance(self._array(0))

    def _array(self, length: int) -> Any:  # noqa: ANN401 (py4j has no types)
        gateway: Any = self._spark.sparkContext._gateway  # noqa: SLF001
        return gateway.new_array(gateway.jvm.java.lang.Object, length)

    def time(self, plan: Any) -> tuple[int, dict[str, float]]:  # noqa: ANN401 (py4j has no types)
        """How many nodes a logical plan has, and the CPU seconds of each part."""
        spent: dict[str, float] = {"read in the JVM": self._read(plan)}
        before = cpu_seconds(self._spark)
        read = json.loads(self._clock.text())
        spent["transfer + json"] = cpu_seconds(self._spark) - before
        tree, spent["decode"] = timed(lambda: decode(read))
        lineage, spent["rules"] = timed(lambda: lineage_of(tree))
        schema = tuple(Field(name, "integer") for name in lineage.columns)
        written = Written(Dataset("file:/out"), schema, Change.APPEND, lineage.columns, lineage.rows)
        statement = Statement("InsertIntoHadoopFsRelationCommand", lineage.reads, (written,))  # type: ignore[arg-type]
        application = Application("bench", "bench", _RUN, "4", Catalog("file:/warehouse"))
        event, spent["facet + event"] = timed(
            lambda: application.statement_event(RunState.COMPLETE, 0, run_id=_RUN, job="bench", statement=statement)
        )
        _, spent["event to JSON"] = timed(lambda: Serde.to_json(event))
        return len(read["nodes"]), spent

    def _read(self, plan: Any) -> float:  # noqa: ANN401 (py4j has no types)
        gateway: Any = self._spark.sparkContext._gateway  # noqa: SLF001
        settings = Settings()
        arguments = self._array(3)
        arguments[0] = plan
        arguments[1] = gateway.jvm.java.lang.Long.valueOf(settings.plan_millis)
        arguments[2] = settings.plan_chars
        for method in reader._class(gateway, "PlanReader").getDeclaredMethods():  # noqa: SLF001 (there is no other way)
            if method.getName() == "read":
                return int(self._clock.nanos(method, arguments)) / 1e9
        raise AttributeError("PlanReader.read")


def timed(call: Callable[[], _T]) -> tuple[_T, float]:
    """What a call gives, and the CPU time of this thread that it took."""
    before = time.thread_time()
    given = call()
    return given, time.thread_time() - before
