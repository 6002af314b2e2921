"""What the listener's messages say: the statement that was read, and what it measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from headwater.openlineage.catalogued import Dropped, Found
from headwater.openlineage.statistics import Counts, Partitions, Scan, Statistics
from headwater.rules.lineage import lineage_of
from headwater.rules.links import Links
from headwater.rules.statements import Field, Statement, behind, carried_out, statement
from headwater.rules.tree import CatalogOf, Dataset
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
    links.session = message.get("session") or ""
    if message.get("link") in {"checkpoint", "localCheckpoint"}:
        links.remember(behind(tree, links), message["rdd"])
        return None
    if "link" in message:
        return carried_out(tree, links)
    found = _in_database(statement(tree, message.get("limit") or plan.get("stopped"), links), message.get("database"))
    if found is None and reads:
        return Statement(tree.kind, {one: tuple(columns) for one, columns in lineage_of(tree).reads.items()}, ())
    return found


def _in_database(found: Statement | None, database: str | None) -> Statement | None:
    """A table that a statement without data calls by its name alone is in the session's database."""
    if found is None or database is None:
        return found
    writes = (
        replace(one, dataset=replace(one.dataset, table=("spark_catalog", database, *one.dataset.table)))
        if one.fields is None and len(one.dataset.table) == 1 and one.dataset.catalog is None
        else one
        for one in found.writes
    )
    return replace(found, writes=tuple(writes))


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
