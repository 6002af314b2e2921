"""Assignments: which column gets which value, read from the rows that a plan writes.

A plan writes whole rows. A column that keeps its value is not an assignment, and a struct that is rebuilt is one for
each of its fields, so that SET s.x = … is about s.x alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from headwater.rules.expressions.nested import place_of
from headwater.rules.plan.tree import Expr, NotAsExpected, Plan
from headwater.rules.plan.types import Path, placed
from headwater.rules.statements.row_changes import Assignment

# Iceberg hands these on as if they were columns of the table, where it keeps track of rows (format version 3).
_ROW_LINEAGE = frozenset({"_row_id", "_last_updated_sequence_number"})


def table_of(command: Plan, *names: str) -> Plan:
    """The table that a command changes, with its real columns alone."""
    name = next((name for name in names if name in command.args), names[0])
    table = command.plan(name)
    output = table.output
    while table.kind == "SubqueryAlias":
        table = table.plan("child")
    output = table.output or output
    if output is None:
        raise NotAsExpected(command.kind, name)
    return replace(
        table,
        output=tuple(attribute for attribute in output if not attribute.hidden and attribute.name not in _ROW_LINEAGE),
    )


def condition_of(node: Plan | Expr, name: str = "condition") -> Expr | None:
    """A condition, unless there is none or it is always true."""
    condition = next(iter(node.exprs(name)), None)
    return None if condition is None or condition.args.get("sql") == "true" else condition


def assignments_by_name(target: Plan, names: Sequence[str], exprs: Sequence[Expr]) -> tuple[Assignment, ...]:
    """The assignments to the columns of the target, from a row that may have more columns."""
    row = dict(zip(names, exprs, strict=False))
    if not all(attribute.name in row for attribute in target.output or ()):
        raise NotAsExpected(target.kind, "output")
    return changed_assignments(target, (((attribute.name,), row[attribute.name]) for attribute in target.output or ()))


def changed_assignments(target: Plan, assignments: Iterable[tuple[Path, Expr]]) -> tuple[Assignment, ...]:
    """The assignments that change something, down to the fields of rebuilt structs."""
    own = {attribute.name.lower(): attribute for attribute in target.output or ()}
    changed: list[Assignment] = []
    for (name, *inside), expr in assignments:
        attribute = own.get(str(name).lower(), Expr("AttributeReference", name=str(name)))
        path = (attribute.name, *inside)
        changed += (
            (place, value) for place, value in _struct_fields(path, expr) if not _is_unchanged(attribute, place, value)
        )
    return tuple(changed)


def _struct_fields(path: Path, expr: Expr) -> Iterator[Assignment]:
    """A rebuilt struct, field by field: in a plan, SET s.x = … is one."""
    value = bare(expr)
    if value.kind != "CreateNamedStruct":
        yield path, expr
        return
    for place, field in enumerate(value.arguments[1::2]):
        yield from _struct_fields((*path, place), field)


def _is_unchanged(attribute: Expr, path: Path, expr: Expr) -> bool:
    """Whether a value is what its place has already."""
    value = bare(expr)
    for place in reversed(path[1:]):
        if value.kind != "GetStructField" or place_of(value) != place:
            return False
        value = bare(value.expr("child"))
    return value.kind == "AttributeReference" and value.id is not None and value.id == attribute.id


def path_of(key: Expr) -> Path:
    """The path that a key refers to: a column, or a field inside one."""
    inside: list[int] = []
    while key.kind == "GetStructField":
        inside.append(place_of(key))
        key = key.expr("child")
    return (key.name, *reversed(inside))


def path_to(target: Plan, names: Sequence[str]) -> Path:
    """The path that names lead to: a column, or a field inside one, in any case."""
    column, *inside = names
    own = next((attribute for attribute in target.output or () if attribute.name.lower() == column.lower()), None)
    places = placed(inside, own.type if own is not None else None)
    if places is None:
        raise NotAsExpected(target.kind, ".".join(names))
    return (column, *places)


def bare(expr: Expr) -> Expr:
    """An expression without its alias."""
    while expr.kind == "Alias":
        expr = expr.expr("child")
    return expr


def names_of(exprs: Iterable[Expr]) -> list[str]:
    """The names of attributes and aliases."""
    aliases = ((expr, expr.args.get("name")) for expr in exprs)
    return [alias if isinstance(alias, str) else expr.name for expr, alias in aliases]
