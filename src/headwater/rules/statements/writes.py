"""What a command says about its writing: the dataset, the query, and what becomes of the rows that were there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from headwater.rules.operators import relations
from headwater.rules.plan.tree import Dataset, Described, Expr, NotAsExpected, Plan
from headwater.rules.plan.types import parts
from headwater.rules.statements.row_changes import RowChange

DYNAMIC = "overwritesPartitions"
"""A field of a command with a setting of its session: an overwrite keeps partitions that get no rows."""
STAGING = "staging"
"""Another one: writes are staged for an audit, where the table allows it."""


class Change(Enum):
    """What a command does to the rows that were there before."""

    APPEND = "APPEND"
    CREATE = "CREATE"
    OVERWRITE = "OVERWRITE"
    OVERWRITE_PARTITIONS = "OVERWRITE_PARTITIONS"
    TRUNCATE = "TRUNCATE"
    DROP = "DROP"
    ALTER = "ALTER"
    RENAME = "RENAME"


@dataclass(frozen=True)
class Write:
    """What a command says about its writing.

    Attributes:
        query: where the data comes from, or how its rows change; None for commands that bring none, such as DROP.
        columns: the names that the query's columns have in the target, by position; empty if they keep theirs.
        schema: the target's columns as they are: what is written under one of their names is spelled as they are, and
            those that a query does not bring by name are still there. For commands that bring no data, those that it
            has then.
        previous: the target under the name that it had before, where it is renamed.
        renamed: the target's columns under the names that they had before, where some of them are renamed.
        view: whether only the query is kept, under a name.
        reads: what a command reads that it has no query for.
        files: what becomes part of the target as it is, without a query that would say what is in it.
        if_absent: whether nothing is written where the target is there already.
        asked: what Spark calls the statement, where the command only says how Spark carries it out.
    """

    dataset: Dataset
    change: Change
    query: Plan | RowChange | None = None
    columns: Sequence[str] = ()
    schema: tuple[Expr, ...] = ()
    previous: Dataset | None = None
    renamed: tuple[Expr, ...] = ()
    view: bool = False
    reads: Sequence[Dataset] = ()
    files: Dataset | None = None
    if_absent: bool = False
    asked: str | None = None


# --- targets ---------------------------------------------------------------------------------------------------------


def described_in(command: Plan, name: str) -> Described:
    """The description in a field; empty if there is none."""
    return command.described(name) or Described("")


def table_in(command: Plan, name: str) -> Dataset:
    """The table that a field describes."""
    described = command.described(name)
    if described is None or not described.datasets:
        raise NotAsExpected(command.kind, name)
    return described.dataset


def named_in(command: Plan, name: str) -> Dataset:
    """The table that a field names, part by part."""
    parts = command.strings(name)
    if not parts:
        raise NotAsExpected(command.kind, name)
    return Dataset(table=parts)


def named_dataset(plan: Plan) -> Dataset:
    """The dataset of a table that exists, or of the name of one that is to be created."""
    catalog = plan.described("catalog")
    own = catalog is not None and catalog.catalog is not None and catalog.catalog.name != "spark_catalog"
    if plan.kind == "ResolvedPersistentView" and not own:
        return Dataset(table=plan.strings("identifier"))
    if plan.kind in {"ResolvedIdentifier", "ResolvedPersistentView", "ResolvedV2View"}:
        if catalog is None or catalog.catalog is None:
            raise NotAsExpected(plan.kind, "catalog")
        return relations.in_catalog(Dataset(), catalog.catalog, plan.strings("identifier"))
    return dataset_of(plan)


def dataset_of(plan: Plan) -> Dataset:
    """The dataset that a relation stands for."""
    dataset = target_of(plan)
    if dataset is None:
        raise NotAsExpected(plan.kind, "table")
    return dataset


def target_of(plan: Plan) -> Dataset | None:
    """The dataset that a relation stands for, as a place to write to; None for what keeps nothing."""
    while plan.kind == "SubqueryAlias":
        plan = plan.plan("child")
    read = relations.read(plan)
    if not read.known:
        raise NotAsExpected(plan.kind, "table")
    # Which version will be written is not known before it is.
    return replace(read.datasets[0], version=None) if read.datasets else None


# --- columns and strings ---------------------------------------------------------------------------------------------


def column_names(attributes: Sequence[Expr] | None) -> tuple[str, ...]:
    """The names of the attributes that are columns of a table."""
    return tuple(attribute.name for attribute in visible(attributes))


def visible(attributes: Sequence[Expr] | None) -> tuple[Expr, ...]:
    """The attributes that are columns of a table, without what its source offers beside them."""
    return tuple(attribute for attribute in attributes or () if not attribute.hidden)


def schema_columns(described: Described) -> tuple[Expr, ...]:
    """The columns that a description lists."""
    return tuple(Expr("AttributeReference", name=name, type=type_) for name, type_ in parts(described.schema))


def string_in(command: Plan, name: str) -> str | None:
    """The string in a field, if it is one."""
    value = command.args.get(name)
    return value if isinstance(value, str) else None


# --- what becomes of the rows that were there ------------------------------------------------------------------------


def change_by_mode(command: Plan, *, partial: bool = False) -> Change:
    """The change by the mode of a writer; `partial` where an overwrite replaces only a part."""
    if command.args.get("mode") != "Overwrite":
        return Change.APPEND
    return Change.OVERWRITE_PARTITIONS if partial else Change.OVERWRITE


def is_dynamic(command: Plan) -> bool:
    """Whether the session keeps partitions that an overwrite brings no rows for."""
    return command.args.get(DYNAMIC) is True


def is_staged(command: Plan, target: Plan) -> bool:
    """Whether a change leaves the table's rows alone: on a branch, or until it is published."""
    table = target.described("table")
    staged = command.args.get(STAGING) is True and table is not None and "staging" in table.options
    return staged or relations.is_branch(target)


def is_partial(options: Mapping[str, str], *, dynamic: bool = False) -> bool:
    """Whether the options of a writer that overwrites make it replace only a part.

    >>> is_partial({"replacewhere": "given"}), is_partial({"partitionoverwritemode": "static"}, dynamic=True)
    (True, False)
    """
    if any(options.get(name) for name in ("replacewhere", "replaceon", "replaceusing")):
        return True
    mode = options.get("partitionoverwritemode") or options.get("overwrite-mode")
    return dynamic if mode is None else mode.lower() == "dynamic"
