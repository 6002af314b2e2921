"""What the listener's messages say: the statement that was read, and what it measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from headwater.openlineage.statistics import Counts, Scan, Statistics
from headwater.rules.lineage import lineage_of
from headwater.rules.links import Links
from headwater.rules.statements import Statement, behind, carried_out, change_variables, statement
from headwater.rules.tree import CatalogOf
from headwater.rules.variables import COMMANDS, has_markers, mark_parameters
from headwater.spark.decode import decode
from headwater.spark.described import Catalogs, described


def statement_of(
    message: Mapping[str, Any],
    links: Links,
    *,
    shallow: bool = False,
    reads: bool = False,
    catalogs: Catalogs = CatalogOf,
) -> Statement | None:
    """The statement in a message, or None if there is none, or none of interest.

    Args:
        message: from the listener.
        links: what earlier statements said; what this one says to later ones is added.
        shallow: only what is written matters, not from what.
        reads: queries that write nothing are of interest, too.
        catalogs: what is known of a catalog by its name.
    """
    plan = message.get("plan")
    if plan is None:
        return None
    tree = decode(plan, shallow=shallow and "link" not in message, catalogs=catalogs)
    variables = links.variables
    variables.session, variables.text = message.get("session") or "", message.get("sql") or ""
    if tree.kind in COMMANDS:
        change_variables(tree, links, message.get("definitions") or {})
        return None
    if has_markers(variables.text) and variables.parameters() is not None:
        mark_parameters(tree, variables.text)
    link = message.get("link")
    if link in {"checkpoint", "localCheckpoint"}:
        links.remember(behind(tree, links), message["rdd"])
    elif link == "toLocalIterator":
        variables.loop(behind(tree, links), message.get("script") or "", message.get("before") or "")
    elif link == "collect":
        variables.result(behind(tree, links))
    elif link is not None:
        return carried_out(tree, links)
    if link is not None and not (reads and link in {"collect", "toLocalIterator"}):
        return None  # a checkpoint is no query of the user's; what a script runs is
    found = statement(tree, message.get("limit") or plan.get("stopped"), links)
    if found is None and reads:
        return Statement(tree.kind, {one: tuple(columns) for one, columns in lineage_of(tree).reads.items()}, ())
    return found


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
        scans=tuple(Scan(described(read).datasets, Counts(*counts)) for read, *counts in found["scans"]),
    )
