"""Lineage by tables: every column of a plan may come from every column that it reads.

The answer for a plan whose columns cost too much to follow. It reads only the leaves of the plan and the variables in
it, each once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from headwater.common.column_path import join_path
from headwater.common.masking import Masking
from headwater.rules.expressions.names import name_of
from headwater.rules.expressions.shapes import whole
from headwater.rules.operators import relations
from headwater.rules.plan import types
from headwater.rules.plan.sources import Column, How, Mark, Output, Relation, Shared, SourceField, Sources, merge
from headwater.rules.plan.tree import Dataset, Expr, Plan, walk
from headwater.rules.session.links import Known, Links
from headwater.rules.session.variables import UNSEEN, Value, Variables

_ANYHOW = frozenset({Mark(How.TRANSFORMATION, Masking.MAY_UNMASK), Mark(How.FILTER)})
# What Spark evaluates before the plan: parameters, PIVOT … IN, VALUES and range().
_EVALUATED = frozenset({"LocalRelation", "PivotFirst", "PosParameter", "Range"})
# With more, no column is named: only the datasets are.
_MOST_FIELDS = 50_000


def everything_read(plan: Plan, links: Links | None = None) -> Known:
    """The relation of a plan, from its leaves and variables alone; up to its views, from the views as well."""
    links = links or Links()
    reads: dict[Dataset, tuple[Expr, ...]] = {}
    opaque: Counter[str] = Counter()
    for leaf in plan.leaves:
        _read(leaf, links, reads, opaque)
    for value in _values(plan, links.variables):
        for dataset, attributes in value.reads.items():
            reads.setdefault(dataset, attributes)
        opaque.update(value.opaque)
    sources = Shared(dict.fromkeys(_fields(reads), _ANYHOW))
    outputs = (Output(expr.id, name_of(expr), Column(whole(sources), plan.kind)) for expr in _output(plan))
    return _with_views(Known(Relation.of(outputs, sources), reads, opaque), views_read(plan, links))


def _with_views(known: Known, views: Mapping[Dataset, tuple[Expr, ...]]) -> Known:
    if not views:
        return known
    rows = merge([known.relation.rows, anything_of(views)])
    by_views = Known(replace(known.relation, rows=rows), {**known.reads, **views}, known.opaque)
    return replace(known, by_views=by_views)


def views_read(plan: Plan, links: Links | None = None) -> dict[Dataset, tuple[Expr, ...]]:
    """The views of catalogs that a plan reads, with their columns; those behind other views too."""
    views = {view: node.output or () for node in plan.views if (view := relations.view_of(node)) is not None}
    for leaf in plan.leaves if links is not None else ():
        read = relations.read(leaf)
        behind = [links.behind(leaf), links.transposed(leaf), *map(links.of_rdd, read.behind)] if links else []
        for known in behind:
            if known is not None and known.by_views is not None:
                views |= {name: known.by_views.reads[name] for name in known.by_views.reads if name not in known.reads}
    return views


def anything_of(datasets: Mapping[Dataset, tuple[Expr, ...]]) -> Sources:
    """All columns of datasets, where it is unknown what is taken from them."""
    return dict.fromkeys(_fields(datasets), _ANYHOW)


def _read(leaf: Plan, links: Links, reads: dict[Dataset, tuple[Expr, ...]], opaque: Counter[str]) -> None:
    """Note what a leaf reads."""
    known = links.behind(leaf)
    if known is not None:
        reads.update(known.reads)
        opaque.update(known.opaque)
        return
    transposed = links.transposed(leaf)
    if transposed is not None:
        reads.update(transposed.reads)
        opaque.update(transposed.opaque)
    read = relations.read(leaf)
    if not read.known or read.query is not None:
        opaque[leaf.kind] += 1
    if read.query is not None:  # its tables are in a text, which may be what costs too much
        return
    unknown = read.columns is not None and not read.known
    for rdd in read.behind:
        known = links.of_rdd(rdd)
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


def _values(plan: Plan, variables: Variables) -> Iterator[Value | Known]:
    """What is behind the variables in a plan. Where it has their values alone, it may be any variable."""
    any_variable = False
    for node in walk([plan]):
        if isinstance(node, Expr) and node.kind == "VariableReference":
            yield variables.value(node) or UNSEEN
        elif node.kind in _EVALUATED and (isinstance(node, Expr) or node.args.get("sql") is not None):
            any_variable = True
        elif isinstance(node, Plan) and node.kind == "LocalRelation":
            yield from variables.results([attribute.name for attribute in node.output or ()])
    either = variables.parameters() if any_variable else None
    if either is not None:
        yield either


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


def _fields(reads: Mapping[Dataset, tuple[Expr, ...]]) -> list[SourceField]:
    """All columns that are read; none if they are too many to be named."""
    fields: list[SourceField] = []
    for dataset, attributes in reads.items():
        for attribute in attributes:
            leaves = types.leaves(attribute.type)
            fields.extend(SourceField(dataset, join_path((attribute.name, *names))) for _, names in leaves)
            if len(fields) > _MOST_FIELDS:
                return []
    return fields
