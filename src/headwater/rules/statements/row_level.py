"""MERGE, UPDATE and DELETE, read back from what Spark, Iceberg and Delta make of them.

One reader per command, found by the name of its class. Spark itself rewrites these statements for tables of the second
data source API: as `ReplaceData` where whole files are written anew (copy-on-write), as `WriteDelta` where single rows
are (merge-on-read), and as `DeleteFromTable` where the table's own metadata is enough. Delta has commands of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from headwater.rules.plan.tree import Expr, NotAsExpected, Plan, Type
from headwater.rules.plan.types import parts
from headwater.rules.statements.assignments import (
    assignments_by_name,
    bare,
    changed_assignments,
    condition_of,
    names_of,
    path_of,
    path_to,
    table_of,
)
from headwater.rules.statements.row_changes import Assignment, Clause, Delete, Merge, RowChange, Update

__all__ = [
    "KINDS", "ORIGINAL", "REWRITTEN", "Clause", "Delete", "Merge", "RowChange", "Update", "changes", "target_dataset",
]  # fmt: skip

# Columns that Spark adds on the way: what to do with a row, and which side of a join had it.
_OPERATION = "__row_operation"
_FROM_SOURCE = "__row_from_source"
_DELETES = "1"


def changes(command: Plan) -> Update | Delete | Merge | None:
    """The change of a table's rows by a command; None for any other command.

    >>> age = Expr("AttributeReference", name="age", id=1)
    >>> users = Plan("LogicalRelation", output=(age,))
    >>> old = Expr("GreaterThan", name=">", args={"left": age, "right": Expr("Literal", args={"sql": "99"})})
    >>> changes(Plan("DeleteCommand", args={"target": users, "condition": old})).condition is old
    True
    """
    reader = _READERS.get(command.kind)
    return None if reader is None else reader(command)


def target_dataset(command: Plan) -> Plan:
    """The leaf that describes the table which a command changes."""
    for name in ("originalTable", "target", "targetTable", "table", "child"):
        target = command.args.get(name)
        if isinstance(target, Plan):
            return target.leaves[0]
    raise NotAsExpected(command.kind, "target")


# --- as Spark rewrites them ------------------------------------------------------------------------------------------


def _replace_data(command: Plan) -> Update | Delete | Merge:
    """Files with a row to change are rewritten: with the rows that stay, and the changed ones."""
    target = table_of(command, "originalTable")
    query = command.plan("query")
    if query.kind == "Project" and _OPERATION in names_of(query.exprs("projectList")):
        query = query.plan("child")
    if query.kind == "MergeRows":
        return _merge_rows(target, query)
    condition = condition_of(command)
    if query.kind == "Filter":
        return Delete(target, condition)
    if query.kind == "Union":  # with a subquery in its condition: the rows that change, then those that do not
        query = query.plans[0]
    columns = _projected(query)
    chosen = (bare(column) for column in columns)
    new = [choice.expr("trueValue") if choice.kind == "If" else choice for choice in chosen]
    return Update(target, assignments_by_name(target, names_of(columns), new), condition)


def _write_delta(command: Plan) -> Update | Delete | Merge:
    """The rows to delete, by their place, and those to write."""
    target = table_of(command, "originalTable")
    query = command.plan("query")
    if query.kind == "MergeRows":
        return _merge_rows(target, query)
    if query.kind == "Expand":  # every row twice: once to delete it, once as it will be
        names = names_of(query.exprs("output"))
        rows = _rows(query)
    else:
        names = names_of(_projected(query))
        rows = [_projected(query)]
    written = [row for row in rows if not _is_deletion(names, row)]
    if not written:
        return Delete(target, condition_of(command))
    return Update(target, assignments_by_name(target, names, written[0]), condition_of(command))


def _projected(query: Plan) -> tuple[Expr, ...]:
    if query.kind != "Project":
        raise NotAsExpected(query.kind, "projectList")
    return query.exprs("projectList")


def _rows(expand: Plan) -> list[tuple[Expr, ...]]:
    """The lists of expressions, one for each copy of a row."""
    width = len(expand.exprs("output"))
    every = expand.exprs("projections")
    return [every[start : start + width] for start in range(0, len(every), width)]


def _merge_rows(target: Plan, node: Plan) -> Merge:
    """An outer join of target and source, with instructions for each of its rows."""
    join = node.plan("child")
    names = names_of(node.exprs("output"))

    def clauses(field: str) -> tuple[Clause, ...]:
        return tuple(_instruction(target, names, instruction) for instruction in node.exprs(field))

    return Merge(
        target,
        next((side.plan("child") for side in join.plans if _is_source(side)), join.plan("right")),
        next(iter(join.exprs("condition")), None),
        clauses("matchedInstructions"),
        clauses("notMatchedInstructions"),
        clauses("notMatchedBySourceInstructions"),
    )


def _instruction(target: Plan, names: Sequence[str], instruction: Expr) -> Clause:
    """Keep a row as something, discard it, or split it into the deletion of the old one and a new one.

    The last instruction may keep rows that no clause took: that changes nothing.
    """
    condition = condition_of(instruction)
    if instruction.kind == "MergeRows$Discard":
        return Clause(condition, None)
    row = instruction.exprs("otherOutput" if instruction.kind == "MergeRows$Split" else "output")
    return Clause(condition, None if _is_deletion(names, row) else assignments_by_name(target, names, row))


def _is_deletion(names: Sequence[str], row: Sequence[Expr]) -> bool:
    operations = (bare(expr) for name, expr in zip(names, row, strict=False) if name == _OPERATION)
    return any(operation.args.get("sql") == _DELETES for operation in operations)


def _is_source(side: Plan) -> bool:
    return side.kind == "Project" and _FROM_SOURCE in names_of(side.exprs("projectList"))


def _delete_from_table(command: Plan) -> Delete:
    return Delete(table_of(command, "table"), condition_of(command))


# --- as written, where Spark does not rewrite them -------------------------------------------------------------------


def _update_table(command: Plan) -> Update:
    target = table_of(command, "table")
    return Update(target, _by_key(target, command.exprs("assignments")), condition_of(command))


def _merge_into_table(command: Plan) -> Merge:
    target = table_of(command, "targetTable")

    def clauses(field: str) -> tuple[Clause, ...]:
        return tuple(
            Clause(
                condition_of(action),
                None if action.kind == "DeleteAction" else _by_key(target, _known(action).exprs("assignments")),
            )
            for action in command.exprs(field)
        )

    return Merge(
        target,
        command.plan("sourceTable"),
        condition_of(command, "mergeCondition"),
        clauses("matchedActions"),
        clauses("notMatchedActions"),
        clauses("notMatchedBySourceActions"),
    )


def _known(action: Expr) -> Expr:
    if action.kind not in {"UpdateAction", "InsertAction"}:
        raise NotAsExpected(action.kind, "assignments")
    return action


def _by_key(target: Plan, assignments: Iterable[Expr]) -> tuple[Assignment, ...]:
    return changed_assignments(
        target, ((path_of(assignment.expr("key")), assignment.expr("value")) for assignment in assignments)
    )


# --- Delta's own -----------------------------------------------------------------------------------------------------


def _delta_delete(command: Plan) -> Delete:
    return Delete(table_of(command, "target", "child"), condition_of(command))


def _delta_update(command: Plan) -> Update:
    """All columns in order, or only the named ones."""
    target = table_of(command, "target", "child")
    named = command.exprs("updateColumns") or target.output or ()
    new = command.exprs("updateExpressions")
    assignments = zip(map(path_of, named), new, strict=True)
    return Update(target, changed_assignments(target, assignments), condition_of(command))


def _delta_merge(command: Plan) -> Merge:
    target = table_of(command, "target")

    def clauses(field: str) -> tuple[Clause, ...]:
        return tuple(_delta_clause(target, clause) for clause in command.exprs(field))

    return Merge(
        target,
        command.plan("source"),
        condition_of(command),
        clauses("matchedClauses"),
        clauses("notMatchedClauses"),
        clauses("notMatchedBySourceClauses"),
        _schema(target, command),
    )


def _delta_clause(target: Plan, clause: Expr) -> Clause:
    if clause.kind.endswith("DeleteClause"):
        return Clause(condition_of(clause), None)
    if not clause.kind.endswith(("UpdateClause", "InsertClause")):
        raise NotAsExpected(clause.kind, "actions")
    actions = (
        (path_to(target, action.strings("targetColNameParts")), action.expr("expr"))
        for action in clause.exprs("actions")
    )
    return Clause(condition_of(clause), changed_assignments(target, actions))


def _schema(target: Plan, command: Plan) -> tuple[Expr, ...]:
    """The columns that the table will have: its own, with their new types, and the new ones."""
    schema = command.args.get("migratedSchema", command.args.get("finalSchema"))
    own = {attribute.name.lower(): attribute for attribute in target.output or ()}
    fields = parts(schema.json) if isinstance(schema, Type) else ()
    new = Expr("AttributeReference")
    return tuple(replace(own.get(name.lower(), replace(new, name=name)), type=type_) for name, type_ in fields)


_READERS: dict[str, Callable[[Plan], Update | Delete | Merge]] = {
    "DeleteCommand": _delta_delete,
    "DeleteFromTable": _delete_from_table,
    "DeltaDelete": _delta_delete,
    "DeltaMergeInto": _delta_merge,
    "DeltaUpdateTable": _delta_update,
    "MergeIntoCommand": _delta_merge,
    "MergeIntoCommandEdge": _delta_merge,
    "MergeIntoTable": _merge_into_table,
    "ReplaceData": _replace_data,
    "UpdateCommand": _delta_update,
    "UpdateTable": _update_table,
    "WriteDelta": _write_delta,
}
KINDS = frozenset(_READERS)
REWRITTEN = frozenset({"ReplaceData", "WriteDelta"})
"""The commands that any of the three may have become."""
ORIGINAL = {Delete: "DeleteFromTable", Merge: "MergeIntoTable", Update: "UpdateTable"}
"""What Spark calls the three before it rewrites them."""
