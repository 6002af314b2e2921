"""An expression of a text, evaluated by the rules for Spark's expressions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from headwater.rules.expressions.expressions import evaluate
from headwater.rules.expressions.shapes import influence_of
from headwater.rules.plan.sources import Column, How, Relation, Sources, merge
from headwater.rules.plan.tree import Expr, Plan
from headwater.rules.sqltext.expressions import RULES, call, constant, function
from headwater.rules.sqltext.findings import UNKNOWN_STAR
from headwater.rules.sqltext.nodes import Node, name_parts
from headwater.rules.sqltext.scope import Scope


def evaluated(node: Node, scope: Scope) -> Column:
    """The column that an expression gives."""
    terms = Terms(scope)
    return evaluate(terms.term(node), terms)


def influence(nodes: Iterable[Node], scope: Scope, how: How) -> Sources:
    """What some expressions take, as influence on the rows."""
    return merge([influence_of(evaluated(node, scope), how) for node in nodes])


class Terms:
    """One expression, and what it refers to: columns and queries, by number."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._columns: list[Column] = []
        self._relations: list[Relation] = []

    def column(self, reference: Expr) -> Column:
        """A column that was looked up when its name was read."""
        return self._columns[reference.id or 0]

    outer_column = bound = variable = column

    def knows(self, _reference: Expr) -> bool:
        """Every reference was looked up when its name was read."""
        return True

    def subquery(self, plan: Plan) -> Relation:
        """A query that was read when it was met."""
        return self._relations[int(plan.kind)]

    def term(self, root: Node) -> Expr:
        """The expression, bottom up with an explicit stack: a chain of ORs may be thousands long."""
        done: dict[int, Expr] = {}
        stack = [root]
        while stack:
            node = stack[-1]
            leaf = self._leaf(node)
            waiting = [] if leaf else [child for child in node.iter_expressions() if id(child) not in done]
            if waiting:
                stack.extend(waiting)
                continue
            rule = RULES.get(type(node).__name__, call)
            done[id(stack.pop())] = leaf or rule(node, lambda part: done.get(id(part)) or self.term(part), self)
        return done[id(root)]

    def reference(self, column: Column) -> Expr:
        """An expression that is a column which is known already."""
        self._columns.append(column)
        return Expr("AttributeReference", id=len(self._columns) - 1)

    def _leaf(self, node: Node) -> Expr | None:
        """What refers to something outside of the expression, and what has nothing inside."""
        if isinstance(node, exp.Query):
            return self._query(node)
        if isinstance(node, exp.Exists) and isinstance(node.this, exp.Query):
            return self._over("Exists", self.scope.findings.query(node.this, self.scope, None).relation)
        if isinstance(node, (exp.Star, exp.Column, exp.Dot)):
            return self._name(node)
        if isinstance(node, exp.Parameter) and self.scope.findings.language == "snowflake" and node.name.isdigit():
            return self.reference(self.scope.column([f"${node.name}"]))  # a column of a file, by its number
        if isinstance(node, exp.JSONPath) or not any(True for _ in node.iter_expressions()):
            return None if isinstance(node, exp.Func) else constant(node.sql(self.scope.findings.dialect))
        return None

    def _query(self, node: Node) -> Expr:
        frame = self.scope.findings.query(node, self.scope, None)
        listed = isinstance(node.parent, (exp.In, exp.Any, exp.All, exp.Array)) or len(frame.outputs) != 1
        if frame.others:
            self.scope.findings.note(UNKNOWN_STAR)
        return self._over("ListQuery" if listed or frame.others else "ScalarSubquery", frame.relation)

    def _over(self, kind: str, relation: Relation) -> Expr:
        self._relations.append(relation)
        return Expr(kind, args={"plan": Plan(str(len(self._relations) - 1))})

    def _name(self, node: Node) -> Expr | None:
        """A column by its name, `*` as a value; a field of something else, or a call of a method, is no leaf."""
        parts = name_parts(node)
        if parts is None:
            return None
        if not isinstance(parts[-1], exp.Star):
            names = [self.scope.findings.name(part) for part in parts]
            if _is_no_column(names, self.scope.findings.language):
                return constant(names[-1])
            return self.reference(self.scope.column(names, node))
        if isinstance(node.parent, exp.Count) and len(parts) == 1:
            return constant("*")
        called = [self.scope.findings.name(part) for part in parts[:-1]]
        rows = [self.scope.row(source) for source in self.scope.sources if not called or source.called(called)]
        return function("*", [self.reference(row) for row in rows])


def _is_no_column(names: Sequence[str], language: str) -> bool:
    """Whether a name is one that Oracle reads as something else."""
    return language == "oracle" and (names[-1] in _SEQUENCE if len(names) > 1 else names[0] in _ORACLE)


_SEQUENCE = frozenset({"CURRVAL", "NEXTVAL"})
_ORACLE = frozenset({
    "CONNECT_BY_ISCYCLE", "CONNECT_BY_ISLEAF", "LEVEL", "ORA_ROWSCN", "ROWID", "ROWNUM", "SYSDATE", "SYSTIMESTAMP",
    "UID", "USER",
})  # fmt: skip
