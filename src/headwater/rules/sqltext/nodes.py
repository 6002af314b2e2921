"""What the nodes of sqlglot's trees say."""

from __future__ import annotations

from typing import TypeAlias

from sqlglot import exp

# The base of all nodes; before sqlglot 30 it was called Expression.
Node: TypeAlias = "exp.Expr"


def part(node: Node, name: str) -> Node | None:
    """What a node has under a name; sqlglot 28 put an underscore behind those that are words of Python's."""
    value = node.args.get(name) or node.args.get(f"{name}_")
    return value if isinstance(value, exp.Expression) else None


def table_parts(node: Node) -> list[Node]:
    """The parts of a table's name."""
    return [part for part in (node.args.get(key) for key in ("catalog", "db", "this")) if part]


def alias_of(node: Node) -> Node | None:
    """The name that something in FROM is given."""
    alias = node.args.get("alias")
    name = alias.this if isinstance(alias, exp.TableAlias) else alias
    return name if isinstance(name, exp.Expression) else None


def name_parts(node: Node) -> list[Node] | None:
    """The parts of a name, from the table's first to the innermost field's; None for what is no name alone."""
    fields: list[Node] = []
    while isinstance(node, (exp.Dot, exp.Paren)):
        if isinstance(node, exp.Dot):
            fields.append(node.expression)
        node = node.this
    if not isinstance(node, (exp.Column, exp.Star)) or not all(
        isinstance(f, (exp.Identifier, exp.Star)) for f in fields
    ):
        return None
    own = [node.args.get(key) for key in ("catalog", "db", "table", "this")] if isinstance(node, exp.Column) else [node]
    return [part for part in (*own, *reversed(fields)) if part]
