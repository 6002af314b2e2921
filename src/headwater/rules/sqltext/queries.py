"""A query: with the queries of its WITH, SELECT, or several put together."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from headwater.rules.plan.sources import merge
from headwater.rules.sets import same
from headwater.rules.sqltext.combining import set_operation
from headwater.rules.sqltext.findings import NotUnderstood
from headwater.rules.sqltext.frames import Frame
from headwater.rules.sqltext.nodes import Node, part
from headwater.rules.sqltext.scope import Cte, Scope
from headwater.rules.sqltext.selects import ordered, select
from headwater.rules.sqltext.sources import aliased, values


def query(node: Node, around: Scope, wanted: Sequence[str] | None = None) -> Frame:
    """What a query gives.

    Args:
        node: the query.
        around: what it may use from around it.
        wanted: the names of its columns, where somebody knows them.
    """
    around = _with(node, around)
    if isinstance(node, exp.Select):
        return select(node, around, wanted)
    if isinstance(node, exp.SetOperation):
        frame = set_operation(node, around, wanted)
    elif isinstance(node, exp.Values):
        frame = values(node, around)
    elif isinstance(node, (exp.Subquery, exp.Alias)):
        frame = query(node.this, around, wanted)
    else:
        raise NotUnderstood(type(node).__name__)
    return Frame(frame.items, merge([frame.rows, ordered(node, Scope(around.findings, around), frame)]))


# --- WITH ------------------------------------------------------------------------------------------------------------

# Where a query of WITH may use itself without being called RECURSIVE.
_RECURSIVE_ANYWAY = frozenset({"", "oracle", "teradata", "tsql"})

# Every step of a recursion adds at least one edge, or it was the last.
_MOST_STEPS = 100


def _with(node: Node, around: Scope) -> Scope:
    """What the query may use, with the queries of its WITH.

    Each may use those before it; itself as well, if it is recursive; and all of them, if they are called so.
    """
    clause = part(node, "with")
    if clause is None:
        return around
    if clause.args.get("recursive"):
        scope = Scope(around.findings, around, dict(around.ctes))
        for definition in clause.expressions:
            _define(definition, scope, scope, around)
        return scope
    for definition in clause.expressions:
        scope = Scope(around.findings, around, dict(around.ctes))
        _define(definition, scope, scope if around.findings.language in _RECURSIVE_ANYWAY else around, around)
        around = scope
    return around


def _define(definition: Node, into: Scope, scope: Scope, outside: Scope) -> None:
    """Put a query of WITH into a scope; it may use what is in another."""
    findings = scope.findings
    alias = definition.args["alias"]
    name = findings.name(alias.this).casefold()
    names = [findings.name(column) for column in alias.args.get("columns") or []]
    body = definition.this

    def read(cte: Cte) -> Frame:
        # Without itself: the same name may be that of a table, or of a query further out.
        others = {own: other for own, other in scope.ctes.items() if other is not cte}
        if name in outside.ctes:
            others[name] = outside.ctes[name]
        without = Scope(findings, scope, others)
        if not isinstance(body, exp.SetOperation) or scope.ctes.get(name) is not cte or not _uses(body, name):
            return aliased(query(body, without), names, findings)
        first: Node = body
        while isinstance(first, exp.SetOperation):
            first = first.this
        cte.so_far = aliased(query(first, _with(body, without)), names, findings)
        for _ in range(_MOST_STEPS):
            # What a step gives goes into the next one, until nothing new comes.
            grown = aliased(query(body, scope), names, findings)
            if same(grown.relation, cte.so_far.relation):
                break
            cte.so_far = grown
        return cte.so_far

    into.ctes[name] = Cte(read)


def _uses(body: Node, name: str) -> bool:
    return any(table.name.casefold() == name and not table.db for table in body.find_all(exp.Table))
