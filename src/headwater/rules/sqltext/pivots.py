"""PIVOT and UNPIVOT."""

from __future__ import annotations

from sqlglot import exp

from headwater.rules.expressions.shapes import influenced, stepped, together, whole
from headwater.rules.plan.sources import NOTHING, Column, How, Output, merge, through
from headwater.rules.sqltext.frames import Frame, Item, Others
from headwater.rules.sqltext.nodes import Node
from headwater.rules.sqltext.scope import Scope, Source
from headwater.rules.sqltext.terms import evaluated


def pivoted(pivot: Node, frame: Frame, around: Scope) -> Frame:
    """What PIVOT or UNPIVOT makes of a frame."""
    scope = Scope(around.findings, around.outer)
    scope.sources.append(Source((), frame))
    return _unpivot(pivot, frame, scope) if pivot.args.get("unpivot") else _pivot(pivot, frame, scope)


def _pivot(pivot: Node, frame: Frame, scope: Scope) -> Frame:
    """Aggregates of the rows where a column has some value, for each group of the columns that are not used so."""
    findings = scope.findings
    values = [evaluated(one, scope) for one in pivot.expressions]
    keys = [evaluated(field.this, scope) for field in _fields(pivot)]
    deciding = (through(key.sources, How.CONDITIONAL, text=key.text) for key in keys)
    shape = influenced(together(stepped(value.leaves, How.AGGREGATION) for value in values), *deciding)
    made = Column(shape, ", ".join(value.text for value in values))
    kept = _without(frame, [column.name for column in pivot.find_all(exp.Column)])
    if frame.others:
        findings.note("PIVOT of a table whose columns are not known")
    groups = [through(one.column.sources, How.GROUP_BY, text=one.name) for one in kept if isinstance(one, Output)]
    names = [findings.name(name) for name in pivot.args.get("columns") or []]
    new: list[Item] = [Output(None, name, made) for name in names]
    if not new:
        new.append(Others(lambda _name: made))
    return Frame((*kept, *new), merge([frame.rows, *groups]))


def _unpivot(pivot: Node, frame: Frame, scope: Scope) -> Frame:
    """A row for each of some columns, unless it is null there and nulls are left out."""
    findings = scope.findings
    nodes = [column for field in _fields(pivot) for one in field.expressions for column in one.find_all(exp.Column)]
    listed = [evaluated(node, scope) for node in nodes]
    shape = together(column.leaves for column in listed)
    values = [findings.name(name) for one in pivot.expressions for name in one.find_all(exp.Identifier)]
    keys = [findings.name(name) for field in _fields(pivot) for name in field.this.find_all(exp.Identifier)]
    new = (
        *(Output(None, name, Column(shape, name)) for name in values),
        *(Output(None, name, Column(whole(NOTHING), name)) for name in keys),
    )
    dropped = [] if pivot.args.get("include_nulls") else listed
    filters = (through(column.sources, How.FILTER, text=column.text) for column in dropped)
    return Frame((*_without(frame, [node.name for node in nodes]), *new), merge([frame.rows, *filters]))


def _without(frame: Frame, names: list[str]) -> list[Item]:
    used = {name.casefold() for name in names}
    return [item for item in frame.items if isinstance(item, Others) or item.name.casefold() not in used]


def _fields(pivot: Node) -> list[Node]:
    """`FOR k IN (…)`: one, or several."""
    return pivot.args.get("fields") or []
