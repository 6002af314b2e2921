"""A query: SELECT or a set operation, with the queries of its WITH."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from headwater.rules.expressions.names import everything
from headwater.rules.expressions.shapes import whole
from headwater.rules.plan.sources import Column, How, Output, Relation, merge
from headwater.rules.sets import compared, matched, same, union
from headwater.rules.sqltext.findings import UNKNOWN_STAR, Findings, NotUnderstood
from headwater.rules.sqltext.frames import Frame, Item, Others, closed
from headwater.rules.sqltext.nodes import Node, part
from headwater.rules.sqltext.scope import Cte, Scope
from headwater.rules.sqltext.selects import ordered, select
from headwater.rules.sqltext.sources import aliased, values


def query(node: Node, around: Scope, names: Sequence[str] | None = None) -> Frame:
    """What a query gives.

    Args:
        node: the query.
        around: what it may use from around it.
        names: the names of its columns, where they are known.
    """
    around = _with(node, around)
    if isinstance(node, exp.Select):
        return select(node, around, names)
    if isinstance(node, exp.SetOperation):
        frame = _set_operation(node, around, names)
    elif isinstance(node, exp.Values):
        frame = values(node, around)
    elif isinstance(node, (exp.Subquery, exp.Alias)):
        frame = query(node.this, around, names)
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


# --- UNION, INTERSECT, EXCEPT ----------------------------------------------------------------------------------------


def _set_operation(node: Node, around: Scope, names: Sequence[str] | None) -> Frame:
    """A chain of them, from left to right: it may be hundreds long."""
    findings = around.findings
    chain = [node]
    while isinstance(node.this, exp.SetOperation) and not part(node.this, "with"):
        node = node.this
        chain.append(node)
    frame = findings.query(node.this, around, names)
    for operation in reversed(chain):
        right = findings.query(operation.expression, around, None)
        frame = _combined(operation, *_aligned(operation, frame, right, findings), findings)
    return frame


def _combined(operation: Node, left: Frame, right: Frame, findings: Findings) -> Frame:
    is_union = isinstance(operation, exp.Union)
    whole_rows = not is_union or bool(operation.args.get("distinct"))
    if whole_rows and (left.others or right.others):
        findings.note(UNKNOWN_STAR)
    if not is_union:
        return Frame(left.items, matched(left.relation, right.relation).rows)
    items = tuple(_united(ours, theirs) for ours, theirs in zip(left.items, right.items, strict=True))
    frame = Frame(items, merge([left.rows, right.rows]))
    return Frame(items, merge([frame.rows, compared(frame.relation, How.GROUP_BY)])) if whole_rows else frame


def _united(ours: Item, theirs: Item) -> Item:
    if isinstance(ours, Output) and isinstance(theirs, Output):
        return union([Relation.of([ours]), Relation.of([theirs])]).outputs[0]
    sides = [side for side in (ours, theirs) if isinstance(side, Others)]

    def find(name: str) -> Column | None:
        columns = [column for column in (side.find(name) for side in sides) if column is not None]
        relations = [Relation.of([Output(None, name, column)]) for column in columns]
        return union(relations).outputs[0].column if relations else None

    tables = {side.table for side in sides}
    return Others(find, tables.pop() if len(tables) == 1 else None)


def _aligned(operation: Node, left: Frame, right: Frame, findings: Findings) -> tuple[Frame, Frame]:
    """Both sides with their columns in the same places."""
    if operation.args.get("by_name"):
        return _by_name(left, right, findings)
    if not right.others:
        return _spread(left, right, findings) if left.others else (left, right)
    if not left.others:
        # As many columns are on the right. That they have the same names is likely; it is sure if it is the same table.
        fitted = closed(right, [output.name for output in left.outputs], findings.either)
        pairs = zip(left.outputs, fitted.outputs, strict=True)
        own = {id(output) for output in right.outputs}
        if any(id(b) not in own and a.column.leaves != b.column.leaves for a, b in pairs):
            findings.note(UNKNOWN_STAR)
        return left, fitted
    ours, theirs = ([item.table if isinstance(item, Others) else "" for item in side.items] for side in (left, right))
    if ours != theirs or None in ours or len(left.others) > 1:
        findings.note(UNKNOWN_STAR)
    if [item == "" for item in ours] == [item == "" for item in theirs]:
        return left, right
    return _blurred(left, findings), _blurred(right, findings)


def _spread(left: Frame, right: Frame, findings: Findings) -> tuple[Frame, Frame]:
    """The known columns of the right side, where nobody can tell which of them meets which of the left side's."""
    findings.note(UNKNOWN_STAR)
    if len(left.others) > 1:
        left = _blurred(left, findings)
    place = left.items.index(left.others[0])
    end = len(right.outputs) - (len(left.items) - place - 1)
    any_of = Column(whole(everything([Relation.of(right.outputs[place:end])])), "*")
    middle = Others(lambda _name: any_of)
    return left, Frame((*right.outputs[:place], middle, *right.outputs[end:]), right.rows)


def _blurred(frame: Frame, findings: Findings) -> Frame:
    """A frame whose columns are only known by their names."""
    return Frame((Others(lambda name: findings.either(frame.possible(name), name)),), frame.rows)


def _by_name(left: Frame, right: Frame, findings: Findings) -> tuple[Frame, Frame]:
    """UNION BY NAME: what one side does not have is null there."""
    if left.others or right.others:
        findings.note(UNKNOWN_STAR)
        return _blurred(left, findings), _blurred(right, findings)
    null = Column(whole({}), "NULL")
    names = dict.fromkeys(output.name for frame in (left, right) for output in frame.outputs)
    ours, theirs = (
        Frame(tuple(Output(None, name, (frame.known(name) or [null])[0]) for name in names), frame.rows)
        for frame in (left, right)
    )
    return ours, theirs
