"""`headwater.lineage(…)`: the lineage of a query or statement from its plan alone. Nothing is run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from headwater.capture.explanation import Explanation
from headwater.capture.jvm.bridge import read_plan
from headwater.capture.jvm.catalogs import catalog_of, catalogs_of
from headwater.capture.jvm.decode import decode
from headwater.capture.tracker import links_of, masking_of
from headwater.capture.watchdog import bounded
from headwater.common.garbage import collector_paused
from headwater.openlineage.naming.datasets import Catalog
from headwater.rules.expressions.masking import DeclaredMasking
from headwater.rules.plan.budget import Budget, Exceeded
from headwater.rules.plan.tree import Plan, walk
from headwater.rules.statements.lineage import Lineage, lineage_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from headwater.capture.jvm.datasets import Catalogs
    from headwater.rules.session.links import Links

# Statements that Spark runs while it analyses them, by a part of the parsed class, whose name differs between versions
# (ExecuteImmediateQuery, UnresolvedExecuteImmediate).
_RUNS_WHEN_ANALYSED = {"Call": "CALL", "CompoundBody": "a script", "ExecuteImmediate": "EXECUTE IMMEDIATE"}


class CannotExplain(ValueError):  # noqa: N818 (a sentence for the user)
    """The statement's lineage is not known without running it."""


def lineage(subject: DataFrame | SparkSession, sql: str | None = None) -> Explanation:
    """The lineage of a frame, or of any SQL statement, from the plan alone: no job is started, nothing is written.

    Args:
        subject: a frame; or a session, together with `sql`.
        sql: a query, or a statement that writes.

    Raises:
        CannotExplain: Spark would run the statement, or a part of it, to analyse it (CALL, EXECUTE IMMEDIATE, scripts,
            WITH SCHEMA EVOLUTION); or the session is a Spark Connect session, which has no plans.

    Example:
        >>> print(headwater.lineage(spark.sql("SELECT upper(name) AS big FROM users")))     # doctest: +SKIP
        >>> headwater.lineage(spark, "INSERT INTO copy SELECT * FROM users").to_facet()     # doctest: +SKIP
    """
    frame: Any = subject
    session = frame.sparkSession if sql is None else frame
    if not hasattr(session, "_jsparkSession"):
        raise CannotExplain(
            "A Spark Connect session has no query plans: call this on the server, or track the queries as they run."
        )
    # PySpark has no public way to the plan.
    analyzed = frame._jdf.queryExecution().analyzed() if sql is None else _analyze(session, sql)  # noqa: SLF001
    links = links_of(session)
    if links is not None:
        links.variables.session, links.variables.text = str(session._jsparkSession.sessionUUID()), sql or ""  # noqa: SLF001
    plan = read_plan(session, analyzed)
    return _explain(plan, catalog_of(session), catalogs_of(session), links, masking_of(session))


def _explain(
    plan: Mapping[str, Any], catalog: Catalog, catalogs: Catalogs, links: Links | None, masking: DeclaredMasking
) -> Explanation:
    def work(budget: Budget) -> Lineage:
        with masking.applied():  # on the thread that does the work
            return _lineage(plan, catalogs, links and links.branch(), budget)

    with collector_paused(len(plan["nodes"])):
        result = bounded(work, Budget())
    return Explanation(
        columns=result.columns,
        rows=result.rows,
        reads=result.reads,
        opaque=result.opaque,
        writes=result.writes,
        catalog=catalog,
    )


def _lineage(plan: Mapping[str, Any], catalogs: Catalogs, links: Links | None, budget: Budget) -> Lineage:
    try:
        with budget.applied():
            return lineage_of(decode(plan, catalogs=catalogs), links, budget)
    except Exceeded as exceeded:
        return lineage_of(decode(plan, leaves=True, catalogs=catalogs), links, Budget.spent(str(exceeded)))


def _analyze(session: Any, sql: str) -> Any:  # noqa: ANN401 (py4j has no types)
    """Analyse a statement in the mode in which Spark runs no commands."""
    state = session._jsparkSession.sessionState()  # noqa: SLF001
    parsed = state.sqlParser().parsePlan(sql)
    for node in walk([decode(read_plan(session, parsed))]):
        if not isinstance(node, Plan):
            continue
        for part, statement in _RUNS_WHEN_ANALYSED.items():
            if part in node.kind:
                raise CannotExplain(
                    f"Spark would have to run {statement} to analyze it: its lineage is only known after a run."
                )
        if node.args.get("withSchemaEvolution") is True:
            raise CannotExplain(
                "Spark would have to add the new columns to the table to analyze WITH SCHEMA EVOLUTION: its"
                " lineage is only known after a run."
            )
    mode = session.sparkContext._jvm.org.apache.spark.sql.execution.CommandExecutionMode.SKIP()  # noqa: SLF001
    return state.executePlan(parsed, mode).analyzed()
