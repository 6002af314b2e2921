"""Lineage by tables: every column of a plan may come from every column that it reads.

The answer for a plan whose columns cost too much to follow. It reads only the leaves of the plan, each once.
"""

from __future__ import annotations

from collections import Counter

from headwater.common.column_path import join_path
from headwater.common.masking import Masking
from headwater.rules.expressions.names import name_of
from headwater.rules.expressions.shapes import whole
from headwater.rules.operators import relations
from headwater.rules.plan import types
from headwater.rules.plan.sources import Column, How, Mark, Output, Relation, Shared, SourceField
from headwater.rules.plan.tree import Dataset, Expr, Plan
from headwater.rules.session.links import Known, Links

_ANYHOW = frozenset({Mark(How.TRANSFORMATION, Masking.MAY_UNMASK), Mark(How.FILTER)})
# With more, no column is named: only the datasets are.
_MOST_FIELDS = 50_000


def everything_read(plan: Plan, links: Links | None = None) -> Known:
    """The relation of a plan, from its leaves alone."""
    reads: dict[Dataset, tuple[Expr, ...]] = {}
    opaque: Counter[str] = Counter()
    for leaf in plan.leaves:
        known = links.behind(leaf) if links is not None else None
        if known is not None:
            reads.update(known.reads)
            opaque.update(known.opaque)
            continue
        transposed = links.transposed(leaf) if links is not None else None
        if transposed is not None:
            reads.update(transposed.reads)
            opaque.update(transposed.opaque)
        read = relations.read(leaf)
        if not read.known or read.query is not None:
            opaque[leaf.kind] += 1
        if read.query is not None:  # its tables are in a text, which may be what costs too much
            continue
        unknown = read.columns is not None and not read.known
        for rdd in read.behind:
            known = links.of_rdd(rdd) if links is not None else None
            if known is None:
                opaque[leaf.kind] += 1
                unknown = True
            else:
                reads.update(known.reads)
        if unknown:
            opaque[relations.INPUTS_OF_RDD] += 1
        offered = tuple(attribute for attribute in leaf.output or () if not attribute.hidden)
        for dataset in read.datasets:
            named = None if read.columns is None else read.columns[dataset]
            reads.setdefault(dataset, offered if named is None else tuple(map(_attribute, named)))
    sources = Shared(dict.fromkeys(_fields(reads), _ANYHOW))
    outputs = (Output(expr.id, name_of(expr), Column(whole(sources), plan.kind)) for expr in _output(plan))
    return Known(Relation.of(outputs, sources), reads, opaque)


def _attribute(name: str) -> Expr:
    return Expr("AttributeReference", name=name)


def _output(plan: Plan) -> tuple[Expr, ...]:
    """The output columns of a plan, where it or an only child lists them; else none."""
    while plan.output is None:
        named = plan.exprs("projectList") or plan.exprs("aggregateExpressions")
        if named or len(plan.plans) != 1:
            return named
        plan = plan.plans[0]
    return plan.output


def _fields(reads: dict[Dataset, tuple[Expr, ...]]) -> list[SourceField]:
    """All columns that are read; none if they are too many to be named."""
    fields: list[SourceField] = []
    for dataset, attributes in reads.items():
        for attribute in attributes:
            leaves = types.leaves(attribute.type)
            fields.extend(SourceField(dataset, join_path((attribute.name, *names))) for _, names in leaves)
            if len(fields) > _MOST_FIELDS:
                return []
    return fields
