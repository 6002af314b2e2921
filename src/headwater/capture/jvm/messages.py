"""The listener's messages: their statements and statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from headwater.capture.jvm.catalogs import catalogs_in
from headwater.capture.jvm.datasets import Catalogs, described
from headwater.capture.jvm.decode import decode, root_kind
from headwater.capture.spark_catalog import CatalogTable, DroppedTables
from headwater.openlineage.build.statistics import Counts, Partitions, Scan, Statistics
from headwater.rules.plan.budget import Budget, Exceeded
from headwater.rules.plan.tree import CatalogOf, Dataset, Expr, Plan, Value
from headwater.rules.session.links import Links
from headwater.rules.session.variables import COMMANDS, Variables, mark_parameters
from headwater.rules.statements.statements import (
    Field,
    Statement,
    behind,
    carried_out,
    change_variables,
    reading,
    statement,
)
from headwater.rules.statements.writes import DYNAMIC, STAGING

# They name a table of Spark's own catalog as the user wrote it.
_CREATIONS = frozenset({
    "CreateDataSourceTableAsSelectCommand", "CreateHiveTableAsSelectCommand", "OptimizedCreateHiveTableAsSelectCommand",
    "SaveAsV1TableCommand",
})  # fmt: skip
# In a script these are queries of the user; a checkpoint is not.
_OF_SCRIPTS = frozenset({"collect", "toLocalIterator"})


def statement_of(  # noqa: PLR0913 (options of the reading)
    message: Mapping[str, Any],
    links: Links,
    *,
    shallow: bool = False,
    reads: bool = False,
    catalogs: Catalogs = CatalogOf,
    budget: Budget | None = None,
) -> Statement | None:
    """The statement in a message, or None if there is none, or none that matters.

    Args:
        message: from the listener.
        links: what earlier statements left for this one; it adds its own for later ones.
        shallow: only the outputs matter, not the inputs.
        reads: queries that write nothing matter too.
        catalogs: returns a catalog by its name, where the message does not have its settings.
        budget: what it may cost, from the first node to the last edge.
    """
    budget, catalogs = budget or Budget(), catalogs_in(message, catalogs)
    if "save" in message:
        return statement(_saving(message["save"]), None, links, budget)
    plan = message.get("plan")
    if plan is None:
        return None
    try:
        with budget.applied(), links.all_or_nothing() as branch:
            tree = decode(plan, shallow=shallow and "link" not in message, catalogs=catalogs)
            return _statement_in(message, tree, branch, reads=reads, budget=budget)
    except Exceeded as exceeded:
        tree = decode(plan, leaves=True, catalogs=catalogs)
        return _statement_in(message, tree, links, reads=reads, budget=Budget.spent(str(exceeded)))


def _statement_in(
    message: Mapping[str, Any], tree: Plan, links: Links, *, reads: bool, budget: Budget
) -> Statement | None:
    for flag, setting in (("dynamic", DYNAMIC), ("staging", STAGING)):
        if message.get(flag):
            tree = _in_session(tree, setting)
    variables = links.variables
    _turn_to(message, variables)
    _mark(tree, message["plan"], variables)
    if tree.kind in COMMANDS:
        change_variables(tree, links, message.get("definitions") or {})
        return None
    if "link" in message:
        linked = _linked(message, tree, links, budget)
        if not (reads and message["link"] in _OF_SCRIPTS):
            return linked
    unread = message.get("limit") or message["plan"].get("stopped")
    result = _in_database(statement(tree, unread, links, budget), message.get("database"))
    if result is None and reads:
        return reading(tree, links, budget)
    return result


def _in_session(tree: Plan, setting: str) -> Plan:
    """A command, or several of one statement, in a session with a setting."""
    if tree.kind == "Union":
        return _with(tree, "children", tuple(_with(command, setting, value=True) for command in tree.plans))
    return _with(tree, setting, value=True)


def _with(plan: Plan, argument: str, value: Value) -> Plan:
    """A plan with another argument. Only the leaves and views of a large plan may be decoded: they stay as they are."""
    changed = replace(plan, args={**plan.args, argument: value})
    changed.__dict__["leaves"], changed.__dict__["views"] = plan.leaves, plan.views
    return changed


def _turn_to(message: Mapping[str, Any], variables: Variables) -> None:
    """Set the current statement."""
    variables.session, variables.text = message.get("session") or "", message.get("sql") or ""
    variables.within, variables.at = message.get("within") or "", message.get("at")


def _mark(tree: Plan, plan: Mapping[str, Any], variables: Variables) -> None:
    """Mark the parameters in a plan that may hold the value of a variable."""
    if "texts" in plan and variables.parameters() is not None:
        mark_parameters(tree, *plan["texts"])


def _linked(message: Mapping[str, Any], tree: Plan, links: Links, budget: Budget) -> Statement | None:
    """Handle a plan that defines what later statements read, or carries out an earlier one."""
    link = message["link"]
    if link in {"checkpoint", "localCheckpoint"}:
        links.remember_checkpoint(behind(tree, links, budget), message["rdd"])
    elif link == "toLocalIterator":
        known = behind(tree, links, budget)
        links.variables.loop(known, message.get("script") or "", message.get("before") or "")
    elif link == "collect":
        links.variables.result(behind(tree, links, budget))
    else:
        return carried_out(tree, links, budget)
    return None


def remember_frame(
    message: Mapping[str, Any], links: Links, catalogs: Catalogs = CatalogOf, budget: Budget | None = None
) -> None:
    """Remember the query behind a frame whose plan does not show it.

    That is an RDD, which runs a query or depends on other RDDs; or a transposed frame, whose query Spark ran to see the
    rows.
    """
    _turn_to(message, links.variables)
    budget, catalogs = budget or Budget(), catalogs_in(message, catalogs)
    try:
        with budget.applied():
            known = behind(_made_of(message, links, catalogs), links, budget)
    except Exceeded as exceeded:
        known = behind(_made_of(message, links, catalogs, leaves=True), links, Budget.spent(str(exceeded)))
    if message["event"] == "transposed":
        links.remember_transposed(message["ids"], known)
    else:
        links.remember_rdd(message["id"], known)


def without_changed(message: Mapping[str, Any], links: Links) -> Links:
    """The links after a statement that could not be analyzed: the variables that it may have set are unknown."""
    plan, link = message.get("plan"), message.get("link")
    sets = plan is not None and root_kind(plan) in COMMANDS
    if not sets and link != "toLocalIterator":
        return links
    left = links.branch()
    _turn_to(message, left.variables)
    if sets:
        left.variables.forget()
    else:
        left.variables.forget_loops()
    return left


def _made_of(message: Mapping[str, Any], links: Links, catalogs: Catalogs, *, leaves: bool = False) -> Plan:
    if "plan" not in message:
        return _rows_of(message["rdd"])
    tree = decode(message["plan"], leaves=leaves, catalogs=catalogs)
    _mark(tree, message["plan"], links.variables)
    return tree


def _saving(save: Mapping[str, Any]) -> Plan:
    """The saving of an RDD, as a command that writes its rows."""
    pairs = "Hadoop" in save["method"] or "Sequence" in save["method"]
    columns = ("key", "value") if pairs else ("value",)
    return Plan(save["method"], args={"query": _rows_of(save["rdd"], columns), "path": save["path"]})


def _rows_of(rdd: Mapping[str, Any], columns: Sequence[str] = ("value",)) -> Plan:
    """The rows of an RDD, as a leaf of a plan.

    Its own number is left out: there may be Python functions between it and the frame that is known by that number, so
    that its columns are not the frame's, even if there are as many.
    """
    output = tuple(Expr("AttributeReference", name=name, id=-number) for number, name in enumerate(columns, 1))
    return Plan("LogicalRDD", args={"rdd": replace(described(rdd), rdd=None)}, output=output)


def _in_database(parsed: Statement | None, database: str | None) -> Statement | None:
    """Qualify the bare names of tables of Spark's own catalog by the session's database.

    Those are the names in a statement without data, and that of a table that a query creates.
    """
    if parsed is None or database is None:
        return parsed
    if parsed.command not in _CREATIONS and any(written.fields is not None for written in parsed.writes):
        return parsed

    def placed(dataset: Dataset) -> Dataset:
        if len(dataset.table) != 1 or dataset.catalog is not None:
            return dataset
        return replace(dataset, table=("spark_catalog", database, *dataset.table))

    reads = parsed.reads
    if parsed.command not in _CREATIONS:
        reads = {placed(dataset): fields for dataset, fields in reads.items()}
    return replace(
        parsed,
        reads=reads,
        writes=tuple(replace(written, dataset=placed(written.dataset)) for written in parsed.writes),
    )


def dropped_tables(message: Mapping[str, Any]) -> DroppedTables | None:
    """The tables that an execution dropped, if the catalog was watched; `reader/datasets/Tables.java` has the form.

    >>> dropped_tables({"dropped": {"tables": [], "known": True}})
    DroppedTables(tables=(), known=True)
    """
    dropped = message.get("dropped")
    if dropped is None:
        return None
    return DroppedTables(tuple(described(table).dataset for table in dropped["tables"]), dropped["known"])


def catalog_table(description: Mapping[str, Any] | None) -> CatalogTable | None:
    """A table of the catalog, if it exists."""
    if description is None:
        return None
    fields = tuple(Field(column["name"], column["type"]) for column in description["schema"]["fields"])
    return CatalogTable(described(description["table"]).dataset, fields, description["managed"])


def nodes_in(message: Mapping[str, Any]) -> int:
    """The number of nodes of the plan in a message.

    >>> nodes_in({"event": "end"})
    0
    """
    return len(message["plan"]["nodes"]) if "plan" in message else 0


def statistics_of(message: Mapping[str, Any]) -> Statistics:
    """The statistics of an execution; `reader/listener/Metrics.java` documents the form.

    >>> statistics_of({"statistics": {"writes": [[3, 120, None]], "scans": []}}).writes
    (Counts(rows=3, bytes=120, files=None),)
    """
    statistics = message.get("statistics", {"writes": (), "scans": ()})
    return Statistics(
        writes=tuple(Counts(*counts) for counts in statistics["writes"]),
        scans=tuple(
            Scan(described(read).datasets, Counts(*counts), _partitions(partitions))
            for read, *counts, partitions in statistics["scans"]
        ),
    )


def _partitions(description: Mapping[str, Any] | None) -> Partitions | None:
    if description is None:
        return None
    places = tuple(Dataset(place) for place in description["places"])
    return Partitions(tuple(description["table"]), places, description["known"])
