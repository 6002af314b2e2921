"""Spark, made to run one query very often: planned from its optimized plan, over rows in memory, one task a run."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pyspark.sql import functions as F  # noqa: N812 (as everyone calls it)

from .tables import ROWS, TABLES, Change, blocks

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SETTINGS: Mapping[str, str] = {
    # What would end a query with an error gives null instead.
    "spark.sql.ansi.enabled": "false",
    "spark.sql.mapKeyDedupPolicy": "LAST_WIN",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    "spark.sql.crossJoin.enabled": "true",
    # The rest is for speed: a run is one task over ten rows.
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.leafNodeDefaultParallelism": "1",
}
# What the queries may refer to beside the tables, since Spark 4.
DECLARED = (
    "DECLARE OR REPLACE VARIABLE shift INT DEFAULT 2",
    "CREATE OR REPLACE TEMPORARY FUNCTION scaled(a INT, b STRING) RETURNS INT RETURN a * 2 + COALESCE(length(b), 0)",
    """CREATE OR REPLACE TEMPORARY FUNCTION total_of(who INT) RETURNS INT
    RETURN SELECT CAST(sum(qty) AS INT) FROM orders WHERE cust = who""",
    """CREATE OR REPLACE TEMPORARY FUNCTION orders_of(who INT, least INT) RETURNS TABLE (id INT, note STRING)
    RETURN SELECT o.id, upper(o.note) FROM orders AS o WHERE o.cust = who AND o.qty > least""",
)


class Engine:
    """The tables in a session of their own.

    Args:
        spark: any running session; it is left as it is.
        root: an empty folder for the tables' files.
        seed: decides the data and its changes.

    Attributes:
        spark: the session in which queries are to be made.
        changes: every change of every table.
        columns: what each table has.
    """

    def __init__(self, spark: SparkSession, root: Path, seed: int) -> None:
        self.spark = spark.newSession()
        for name, setting in SETTINGS.items():
            self.spark.conf.set(name, setting)
        self.changes: list[Change] = []
        self._context: Any = self.spark.sparkContext
        self._jvm = cast("Any", self._context._jvm)
        self._session: Any = self.spark._jsparkSession
        self._java = self._compile()
        self._settings = self._jvm.java.util.HashMap(dict(SETTINGS))
        self._thread = threading.local()
        self._blocks: dict[str, Any] = {}
        self._base: dict[str, Any] = {}
        self._turned: dict[str, Any] = {}
        for table in TABLES:
            self._load(table, root, seed)
        for statement in () if spark.version.startswith("3.") else DECLARED:
            self.spark.sql(statement)

    def prepare(self, frame: DataFrame) -> Any:  # noqa: ANN401 (py4j has no types)
        """The plan of a query, optimized, with each row as one JSON text."""
        rows = frame.select(F.to_json(F.struct("*"), {"ignoreNullFields": "false"}))
        return rows._jdf.queryExecution().optimizedPlan()

    def tables_of(self, plan: Any) -> set[str]:  # noqa: ANN401
        """The tables that a prepared query reads."""
        return set(str(self._call("reads", plan)).strip("[]").split(", "))

    def run(self, plan: Any, changes: Iterable[Change] = ()) -> list[dict[str, Any]]:  # noqa: ANN401
        """The rows that a prepared query gives when the inputs are changed so."""
        chosen: dict[str, list[int]] = {}
        for change in changes:
            columns = [col.name for col in TABLES[change.table]]
            picked = chosen.setdefault(change.table, [0] * len(columns))
            picked[columns.index(change.column)] = change.block
        tables = self._jvm.java.util.HashMap(self._base)
        for table, picked in chosen.items():
            tables[table] = self._pick(table, picked)
        return self._collect(plan, tables)

    def run_backwards(self, plan: Any) -> list[dict[str, Any]]:  # noqa: ANN401
        """The rows that a prepared query gives when its tables are read from the last row to the first."""
        return self._collect(plan, self._jvm.java.util.HashMap(self._turned))

    def _collect(self, plan: Any, tables: Any) -> list[dict[str, Any]]:  # noqa: ANN401
        self._activate()
        planner = self._jvm.org.apache.spark.sql.execution.QueryExecution
        physical = planner.prepareExecutedPlan(self._session, self._call("swap", plan, tables))
        rows: list[dict[str, Any]] = json.loads(self._call("collect", physical, self._settings))
        return rows

    def _activate(self) -> None:
        """Make this session the one of the running thread, for the driver and for its tasks."""
        if getattr(self._thread, "ready", False):
            return
        self._thread.ready = True
        self._jvm.org.apache.spark.sql.SparkSession.setActiveSession(self._session)
        # Else Spark reads the stack for every step of every plan, to say where it was called.
        places = {"callSite.short": "truth", "callSite.long": "truth"}
        for name, setting in {**SETTINGS, **places}.items():
            self._context.setLocalProperty(name, setting)

    def _load(self, table: str, root: Path, seed: int) -> None:
        rows, changes = blocks(table, seed)
        self.changes += changes
        schema = ", ".join(f"{col.name} {col.kind.ddl}" for col in TABLES[table])
        for folder, lines in (("blocks", list(itertools.chain.from_iterable(rows))), ("data", rows[0])):
            place = root / folder / table
            place.mkdir(parents=True)
            text = "".join(json.dumps(line) + "\n" for line in lines)
            (place / "part.json").write_text(text, encoding="utf-8")
        every = self.spark.read.schema(schema).json(str(root / "blocks" / table), mode="FAILFAST").coalesce(1)._jdf
        local = self._session.createDataFrame(every.collectAsList(), every.schema())
        self._blocks[table] = local.queryExecution().analyzed()
        self._base[table] = self._pick(table, [0] * len(TABLES[table]))
        self._turned[table] = self._pick(table, [0] * len(TABLES[table]), backwards=True)
        # One partition: nothing has to be shuffled.
        self.spark.read.schema(schema).json(str(root / "data" / table)).coalesce(1).createOrReplaceTempView(table)

    def _pick(self, table: str, chosen: list[int], *, backwards: bool = False) -> Any:  # noqa: ANN401
        numbers = self._jvm.java.util.ArrayList()
        for number in chosen:
            numbers.append(number)
        return self._call("pick", self._blocks[table], numbers, ROWS, backwards)

    def _compile(self) -> dict[str, Any]:
        """Compile Swap.java in the driver, with the compiler that Spark brings."""
        compiler = self._jvm.org.codehaus.janino.SimpleCompiler()
        compiler.setParentClassLoader(self._jvm.java.lang.Thread.currentThread().getContextClassLoader())
        compiler.cook((Path(__file__).parent / "Swap.java").read_text(encoding="utf-8"))
        methods = compiler.getClassLoader().loadClass("truth.Swap").getDeclaredMethods()
        return {str(method.getName()): method for method in methods}

    def _call(self, name: str, *arguments: object) -> Any:  # noqa: ANN401
        array = self._context._gateway.new_array(self._jvm.java.lang.Object, len(arguments))
        for place, argument in enumerate(arguments):
            array[place] = argument
        return self._java[name].invoke(None, array)
