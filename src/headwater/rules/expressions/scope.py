"""What a rule takes: the columns of its arguments, and what its expression may refer to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Protocol, TypeAlias

from headwater.rules.plan.sources import NOTHING, Column, Leaves, Relation
from headwater.rules.plan.tree import Expr, Plan, Unread


class Scope(Protocol):
    """What an expression may refer to."""

    def column(self, reference: Expr) -> Column:
        """The column that an attribute refers to."""

    def knows(self, reference: Expr) -> bool:
        """Whether there is a column that an attribute refers to."""

    def outer_column(self, reference: Expr) -> Column:
        """The column of the enclosing query that a correlated subquery refers to."""

    def subquery(self, plan: Plan) -> Relation:
        """The relation of a query inside the expression."""

    def bound(self, reference: Expr) -> Column:
        """What a variable inside the expression stands for: a lambda's argument, a common expression."""

    def variable(self, reference: Expr) -> Column:
        """What a variable of the session was set from."""


class Columns:
    """The columns of the arguments of an expression."""

    def __init__(self, done: Mapping[int, Column]) -> None:
        self._done = done

    def __call__(self, argument: Expr) -> Column:
        """The column of one argument."""
        return self._done[id(argument)]


Rule: TypeAlias = "Callable[[Expr, Columns], Leaves]"
LeafRule: TypeAlias = "Callable[[Expr, Scope], Column]"
Evaluate: TypeAlias = "Callable[[Expr, Scope], Column]"


class Bound:
    """A scope with more names on top: a lambda's arguments, or common expressions."""

    def __init__(self, around: Scope, names: Mapping[Hashable, Column]) -> None:
        self._around = around
        self._names = names
        self.column = around.column
        self.knows = around.knows
        self.variable = around.variable
        self.outer_column = around.outer_column

    def bound(self, reference: Expr) -> Column:
        """The column that a name stands for here, or further out."""
        column = self._names.get(key(reference))
        return column if column is not None else self._around.bound(reference)

    def subquery(self, plan: Plan) -> Relation:
        """A query inside."""
        return self._around.subquery(plan)


def key(reference: Expr) -> Hashable:
    """What identifies a name: an expression id, or the id of a common expression."""
    if reference.id is not None:
        return reference.id
    id_ = reference.args.get("id", reference.args.get("exprId"))
    return id_ if not isinstance(id_, Unread) else (id_.name, id_.fields)


EMPTY = Column({(): NOTHING}, "")
