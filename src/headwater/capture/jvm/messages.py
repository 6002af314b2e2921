"""What the listener's messages say: the statement that was read, and what it measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from headwater.capture.jvm.datasets import Catalogs, described
from headwater.capture.jvm.decode import decode
from headwater.capture.spark_catalog import Dropped, Found
from headwater.openlineage.build.statistics import Counts, Partitions, Scan, Statistics
from headwater.rules.plan.budget import Budget, Exceeded
from headwater.rules.plan.tree import CatalogOf, Dataset, Expr, Plan, Value
from headwater.rules.session.links import Links
from headwater.rules.session.variables import COMMANDS, Variables, mark_parameters
from headwater.rules.statements.lineage import lineage_of
from headwater.rules.statements.statements import Field, Statement, behind, carried_out, change_variables, statement
from headwater.rules.statements.writes import DYNAMIC, STAGING

# What a script runs is a query of the user's; a checkpoint is none.
_OF_SCRIPTS = frozenset({"collect", "toLocalIterator"})


def statement_of(  # noqa: PLR0913 (what a statement may depend on)
    message: Mapping[str, Any],
    links: Links,
    *,
    shallow: bool = False,
    reads: bool = False,
    catalogs: Catalogs = CatalogOf,
    budget: Budget | None = None,
) -> Statement | None:
    """The statement in a message, or None if there is none, or none of interest.

    Args:
        message: from the listener.
        links: what earlier statements said; what this one says to later ones is added.
        shallow: only what is written matters, not from what.
        reads: queries that write nothing are of interest, too.
        catalogs: what is known of a catalog by its name.
        budget: what it may cost, from the first node to the last edge.
    """
    budget = budget or Budget()
    if "save" in message:
        return statement(_saving(message["save"]), None, links, budget)
    plan = message.get("plan")
    if plan is None:
        return None
    try:
        with budget.applied():
            tree = decode(plan, shallow=shallow and "link" not in message, catalogs=catalogs)
            return _statement_in(message, tree, links, reads=reads, budget=budget)
    except Exceeded as exceeded:
        tree = decode(plan, leaves=True, catalogs=catalogs)
        return _statement_in(message, tree, links, reads=reads, budget=Budget.spent(str(exceeded)))


def _statement_in(
    message: Mapping[str, Any], tree: Plan, links: Links, *, reads: bool, budget: Budget
) -> Statement | None:
    for said, setting in (("dynamic", DYNAMIC), ("staging", STAGING)):
        if message.get(said):
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
    found = _in_database(statement(tree, unread, links, budget), message.get("database"))
    if found is None and reads:
        read = lineage_of(tree, links, budget=budget).reads
        return Statement(tree.kind, {one: tuple(columns) for one, columns in read.items()}, ())
    return found


def _in_session(tree: Plan, setting: str) -> Plan:
    """A command, or several of one statement, in a session that is set to something."""
    if tree.kind == "Union":
        return _with(tree, "children", tuple(_with(one, setting, value=True) for one in tree.plans))
    return _with(tree, setting, value=True)


def _with(plan: Plan, argument: str, value: Value) -> Plan:
    """A plan with another argument. Of a large one only the leaves may have been decoded: they stay what they are."""
    changed = replace(plan, args={**plan.args, argument: value})
    changed.__dict__["leaves"] = plan.leaves
    return changed


def _turn_to(message: Mapping[str, Any], variables: Variables) -> None:
    """Say which statement is at hand."""
    variables.session, variables.text = message.get("session") or "", message.get("sql") or ""
    variables.within, variables.at = message.get("within") or "", message.get("at")


def _mark(tree: Plan, plan: Mapping[str, Any], variables: Variables) -> None:
    """Find the parameters in a plan that may hold what a variable holds."""
    if "texts" in plan and variables.parameters() is not None:
        mark_parameters(tree, *plan["texts"])


def _linked(message: Mapping[str, Any], tree: Plan, links: Links, budget: Budget) -> Statement | None:
    """A plan that says what later statements read, or what an earlier one has written."""
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
    """Remember what is behind a frame that a plan shows without it.

    That is an RDD, which runs a query or was made from other RDDs; or a transposed frame, whose query Spark ran to see
    the rows.
    """
    _turn_to(message, links.variables)
    budget = budget or Budget()
    try:
        with budget.applied():
            known = behind(_made_of(message, links, catalogs), links, budget)
    except Exceeded as exceeded:
        known = behind(_made_of(message, links, catalogs, leaves=True), links, Budget.spent(str(exceeded)))
    if message["event"] == "transposed":
        links.remember_transposed(message["ids"], known)
    else:
        links.remember_rdd(message["id"], known)


def _made_of(message: Mapping[str, Any], links: Links, catalogs: Catalogs, *, leaves: bool = False) -> Plan:
    if "plan" not in message:
        return _rows_of(message["rdd"])
    tree = decode(message["plan"], leaves=leaves, catalogs=catalogs)
    _mark(tree, message["plan"], links.variables)
    return tree


def _saving(save: Mapping[str, Any]) -> Plan:
    """An RDD that is saved, as a command that writes what is in it."""
    pairs = "Hadoop" in save["method"] or "Sequence" in save["method"]
    columns = ("key", "value") if pairs else ("value",)
    return Plan(save["method"], args={"query": _rows_of(save["rdd"], columns), "path": save["path"]})


def _rows_of(rdd: Mapping[str, Any], columns: Sequence[str] = ("value",)) -> Plan:
    """The rows of an RDD, as a leaf of a plan.

    Its own number is left out: functions in Python may lie between it and the frame that is known by that number, so
    that its columns are not the frame's, however many there are.
    """
    output = tuple(Expr("AttributeReference", name=name, id=-number) for number, name in enumerate(columns, 1))
    return Plan("LogicalRDD", args={"rdd": replace(described(rdd), rdd=None)}, output=output)


def _in_database(found: Statement | None, database: str | None) -> Statement | None:
    """A table that a statement without data calls by its name alone is in the session's database."""
    if found is None or database is None:
        return found
    if any(one.fields is not None for one in found.writes):
        return found

    def placed(dataset: Dataset) -> Dataset:
        if len(dataset.table) != 1 or dataset.catalog is not None:
            return dataset
        return replace(dataset, table=("spark_catalog", database, *dataset.table))

    return replace(
        found,
        reads={placed(dataset): fields for dataset, fields in found.reads.items()},
        writes=tuple(replace(one, dataset=placed(one.dataset)) for one in found.writes),
    )


def dropped_of(message: Mapping[str, Any]) -> Dropped | None:
    """The tables that an execution dropped, if the catalog saw any; `reader/Tables.java` says what it looks like.

    >>> dropped_of({"dropped": {"tables": [], "known": True}})
    Dropped(tables=(), known=True)
    """
    said = message.get("dropped")
    if said is None:
        return None
    return Dropped(tuple(described(table).dataset for table in said["tables"]), said["known"])


def found_table(said: Mapping[str, Any] | None) -> Found | None:
    """A table as the catalog has it, if it has it."""
    if said is None:
        return None
    fields = tuple(Field(one["name"], one["type"]) for one in said["schema"]["fields"])
    return Found(described(said["table"]).dataset, fields, said["managed"])


def nodes_in(message: Mapping[str, Any]) -> int:
    """How large the plan in a message is.

    >>> nodes_in({"event": "end"})
    0
    """
    return len(message["plan"]["nodes"]) if "plan" in message else 0


def statistics_of(message: Mapping[str, Any]) -> Statistics:
    """What an execution measured; `reader/Metrics.java` says what it looks like.

    >>> statistics_of({"statistics": {"writes": [[3, 120, None]], "scans": []}}).writes
    (Counts(rows=3, bytes=120, files=None),)
    """
    found = message.get("statistics", {"writes": (), "scans": ()})
    return Statistics(
        writes=tuple(Counts(*counts) for counts in found["writes"]),
        scans=tuple(
            Scan(described(read).datasets, Counts(*counts), _partitions(partitions))
            for read, *counts, partitions in found["scans"]
        ),
    )


def _partitions(said: Mapping[str, Any] | None) -> Partitions | None:
    if said is None:
        return None
    return Partitions(tuple(said["table"]), tuple(Dataset(place) for place in said["places"]), said["known"])
