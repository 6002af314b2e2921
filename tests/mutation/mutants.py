r"""Mutants: the source of a module with one small change in it; pure.

>>> for one in mutants("def f(a, b):\n    return a < b or not b\n"):
...     print(one.what)
line 2: return a < b or not b → return None
line 2: a < b or not b → a < b and (not b)
line 2: a < b → a <= b
line 2: not b → b
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_SHOWN = 70


class Mutant(NamedTuple):
    """A change: what it is, the lines of its statement down to its own, and the whole module with it."""

    what: str
    lines: range
    tree: ast.Module


def mutants(source: str) -> list[Mutant]:
    """Every mutant of a module's source, in its order."""
    return [mutant(source, *where) for where in places(source)]


def places(source: str) -> list[tuple[int, int]]:
    """Where a source can be changed: the number of a node, and which of its changes."""
    nodes = enumerate(_inside_functions(ast.parse(source)))
    return [(place, change) for place, node in nodes for change, _ in enumerate(_changed(node))]


def mutant(source: str, place: int, change: int) -> Mutant:
    """The source with one of its changes."""
    tree = ast.parse(source)
    node = next(node for number, node in enumerate(_inside_functions(tree)) if number == place)
    other = list(_changed(node))[change]
    was, now = (" ".join(ast.unparse(one).split())[:_SHOWN] for one in (node, other))
    line: int = getattr(node, "lineno", 0)
    first = max(one.lineno for one in ast.walk(tree) if isinstance(one, ast.stmt) and one.lineno <= line)
    _put(tree, node, other)
    return Mutant(f"line {line}: {was} → {now}", range(first, line + 1), ast.fix_missing_locations(tree))


def _inside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a module's functions, without annotations, docstrings, messages of errors and the like."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in child.body:
                yield from _within(statement)
        elif isinstance(child, ast.ClassDef):
            yield from _inside_functions(child)


def _within(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Raise | ast.FormattedValue) or _is_text(node) or _is_aside(node):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list"}:
            continue
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, ast.AST):
                yield from _within(inner)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_aside(node: ast.AST) -> bool:
    """Whether no answer can show a change: what only counts costs, goes to a log, or checks two lengths for a bug."""
    if isinstance(node, ast.keyword):
        return node.arg == "strict"
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call):
        return False
    names = {name.id for name in ast.walk(call.func) if isinstance(name, ast.Name)}
    return not names.isdisjoint({"spend", "hold", "look", "_log"})


def _changed(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.expr):
        yield from _changed_value(node)
    elif isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield ast.Return(ast.Constant(None))
    elif isinstance(node, ast.Continue):
        yield ast.Break()
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield ast.Pass()


def _changed_value(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.Compare) and (kind := _COMPARED.get(type(node.ops[0]))):
        yield ast.Compare(node.left, [kind(), *node.ops[1:]], node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.BinOp) and (changed := _COMPUTED.get(type(node.op))):
        if not any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in (node.left, node.right)):
            yield ast.BinOp(node.left, changed(), node.right)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(not node.value if isinstance(node.value, bool) else node.value + 1)
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _put(tree: ast.AST, wanted: ast.AST, other: ast.AST) -> None:
    """Put one node in the place of another."""
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is wanted:
                setattr(parent, name, other)
                return
            for number, one in enumerate(value if isinstance(value, list) else ()):
                if one is wanted:
                    value[number] = other
                    return
