"""`headwater.lineage(…)`: the lineage of a query or statement from its plan alone. Nothing is run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.openlineage.explained import Explained
from headwater.openlineage.naming import Catalog
from headwater.rules.lineage import lineage_of
from headwater.spark.catalogs import catalog_of, catalogs_of
from headwater.spark.decode import decode
from headwater.spark.jvm import read_plan
from headwater.spark.tracker import links_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from headwater.rules.links import Links
    from headwater.rules.tree import Plan

# What Spark carries out while it analyses, by a part of the names of the parsed plan's classes, which differ between
# versions (ExecuteImmediateQuery, UnresolvedExecuteImmediate).
_RUNS_WHEN_ANALYSED = {"Call": "CALL", "CompoundBody": "a script", "ExecuteImmediate": "EXECUTE IMMEDIATE"}


class CannotExplain(ValueError):  # noqa: N818 (a sentence for the user)
    """The statement's lineage cannot be told without running it."""


def lineage(subject: DataFrame | SparkSession, sql: str | None = None) -> Explained:
    """The lineage of a frame, or of any SQL statement, from the plan alone: no job is started, nothing is written.

    Args:
        subject: a frame; or a session, together with `sql`.
        sql: a query, or a statement that writes.

    Raises:
        CannotExplain: Spark would carry out the statement, or a part of it, while it analyses it (CALL, EXECUTE
            IMMEDIATE, scripts, WITH SCHEMA EVOLUTION); or the session is one of Spark Connect, which has no plans.

    Example:
        >>> print(headwater.lineage(spark.sql("SELECT upper(name) AS big FROM users")))     # doctest: +SKIP
        >>> headwater.lineage(spark, "INSERT INTO copy SELECT * FROM users").to_facet()     # doctest: +SKIP
    """
    frame: Any = subject
    session = frame.sparkSession if sql is None else frame
    if not hasattr(session, "_jsparkSession"):
        raise CannotExplain(
            "A Spark Connect session has no plans, its server has them: ask for lineage there, or track what is run."
        )
    # PySpark has no public way to the plan.
    analyzed = frame._jdf.queryExecution().analyzed() if sql is None else _analyze(session, sql)  # noqa: SLF001
    plan = decode(read_plan(session, analyzed), catalogs=catalogs_of(session))
    return _explained(plan, catalog_of(session), links_of(session))


def _explained(plan: Plan, catalog: Catalog, links: Links | None) -> Explained:
    found = lineage_of(plan, links)
    return Explained(
        columns=found.columns,
        rows=found.rows,
        reads=found.reads,
        opaque=found.opaque,
        writes=found.writes,
        catalog=catalog,
    )


def _analyze(session: Any, sql: str) -> Any:  # noqa: ANN401 (py4j has no types)
    """Analyse a statement in a mode in which Spark leaves commands alone."""
    state = session._jsparkSession.sessionState()  # noqa: SLF001
    parsed = state.sqlParser().parsePlan(sql)
    stack = [decode(read_plan(session, parsed))]
    while stack:
        node = stack.pop()
        stack.extend(node.plans)
        for part, what in _RUNS_WHEN_ANALYSED.items():
            if part in node.kind:
                raise CannotExplain(
                    f"Spark would run {what} in order to analyse it: its lineage is known only from a run."
                )
        if node.args.get("withSchemaEvolution") is True:
            raise CannotExplain(
                "Spark would give the table its new columns in order to analyse WITH SCHEMA EVOLUTION: "
                "its lineage is known only from a run."
            )
    mode = session.sparkContext._jvm.org.apache.spark.sql.execution.CommandExecutionMode.SKIP()  # noqa: SLF001
    return state.executePlan(parsed, mode).analyzed()
