"""The analysis of a plan, bottom up: each operator by its rule; one without a rule is opaque."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from headwater.common.column_path import join_path
from headwater.common.masking import Masking
from headwater.rules.expressions import text
from headwater.rules.expressions.expressions import evaluate
from headwater.rules.expressions.names import Inputs, Names, everything, name_of, renamed
from headwater.rules.expressions.shapes import whole
from headwater.rules.operators import operators, relations
from headwater.rules.plan import types
from headwater.rules.plan.budget import Exceeded, spend
from headwater.rules.plan.sources import (
    Column,
    How,
    Mark,
    Output,
    Relation,
    Shared,
    SourceField,
    Sources,
    counts_of,
    merge,
    through,
)
from headwater.rules.plan.tree import Dataset, Expr, Node, Plan, drain
from headwater.rules.session.links import Definition, Known, Links
from headwater.rules.session.variables import Value, Variables, united, value_of
from headwater.rules.sqltext import dialect_of, lineage_of_text

_log = logging.getLogger(__name__)
_COPIED = frozenset({Mark(How.IDENTITY)})


class Analysis:
    """The analysis of one plan.

    Args:
        qualify: write columns with the name of their dataset, for plans that read more than one.
        links: what is known from earlier statements.
        by_views: read the views of catalogs as datasets, not what is behind them.

    Attributes:
        reads: every dataset read, with the attributes that the plan knows of it.
        opaque: what was not understood, by the name of Spark's class, and how often.
        shared: relations that other places refer to, such as the queries of WITH, by their ids.
        views: the views of catalogs that were looked through, each with its node and its relation.
        definitions: the definitions of these, where they were worked out.
        behind_by_views: whether something that earlier statements explain reads a view.
    """

    def __init__(self, *, qualify: bool = False, links: Links | None = None, by_views: bool = False) -> None:
        self._qualify = qualify
        self._links = links
        self._by_views = by_views
        self.views: dict[Dataset, tuple[Plan, Relation]] = {}
        self.definitions: dict[Dataset, Definition] = {}
        self.behind_by_views = False
        self.reads: dict[Dataset, tuple[Expr, ...]] = {}
        self.opaque: Counter[str] = Counter()
        self.shared: dict[object, Relation] = {}

    def relation(self, plan: Plan, outer: Names | None = None) -> Relation:
        """The relation that a plan gives, bottom up with an explicit stack: a plan may be thousands deep."""
        done: dict[int, Relation] = {}
        stack = [plan]
        while stack:
            node = stack[-1]
            spend(1)
            if id(node) in done:
                stack.pop()
                continue
            below = () if self._by_views and node.is_view else operators.inputs(node)
            waiting = [child for child in below if id(child) not in done]
            if waiting:
                stack.extend(reversed(waiting))
            else:
                done[id(stack.pop())] = self._apply(node, [done[id(child)] for child in below], outer)
        return done[id(plan)]

    def _apply(self, node: Plan, below: Inputs, outer: Names | None) -> Relation:
        names = Names(below, self, outer)
        rule = operators.RULES.get(node.kind)
        view = relations.view_of(node)
        try:
            if view is not None and not below:
                return self._copy(relations.Read((view,)), node.output or ())
            if rule is not None:
                relation = rule(node, below, names)
                if view is not None:
                    self.views.setdefault(view, (node, relation))
                return relation
            if not below:
                return self._leaf(node)
        except RecursionError:
            # Queries inside each other, deeper than Python's stack: every level of them would be tried once more.
            raise Exceeded("depth") from None
        except Exception:  # noqa: BLE001 (not the shape that the rule knows: say so rather than guess)
            _log.debug("The rule for %s failed.", node.kind, exc_info=True)
        self.opaque[node.kind] += 1
        return _opaque(node, below, names)

    def _leaf(self, node: Plan) -> Relation:  # noqa: PLR0911 (one way out for each kind of leaf)
        known = self._links.behind(node) if self._links is not None else None
        if known is not None:
            known = self._taken(known)
            return renamed(known.relation, node.output)
        if node.kind == "Transpose":
            return self._transposed(node)
        values = self._local_values(node) if node.kind == "LocalRelation" else None
        if values is not None:
            pairs = zip(node.output or (), map(self.take, values), strict=True)
            return Relation.of(Output(attribute.id, attribute.name, column) for attribute, column in pairs)
        if node.kind == "Range" and (bounds := self._bounds(node)) is not None:
            return _counted(node, self.take(bounds))
        read = relations.read(node)
        if read.columns is not None:
            return self._opaque_leaf(node, read, read.columns)
        if not read.known or read.about == ():
            self.opaque[node.kind] += 1
        attributes = tuple(attribute for attribute in node.output or () if attribute.id is not None)
        if read.about is not None:
            return self._about(read.datasets, read.about, attributes)
        if read.query is not None:
            relation = self._text(read.query, read.datasets[0], attributes)
        else:
            relation = self._copy(read, attributes)
        if read.filter is None:
            return relation
        rows = merge([relation.rows, self._filter(read.filter, read.datasets[0], relation)])
        return replace(relation, rows=rows)

    def _transposed(self, node: Plan) -> Relation:
        """Columns that were rows, under names that were values: each may come from anything in the frame."""
        self.opaque[node.kind] += 1
        known = self._links.transposed(node) if self._links is not None else None
        below = () if known is None else (self._taken(known).relation,)
        return _opaque(node, below, Names(below, self, None))

    def _taken(self, known: Known) -> Known:
        """What is known from an earlier statement, noted as read here."""
        if known.by_views is not None:
            self.behind_by_views = True
            known = known.by_views if self._by_views else known
        self.reads.update(known.reads)
        self.opaque.update(known.opaque)
        return known

    def _copy(self, read: relations.Read, attributes: Sequence[Expr]) -> Relation:
        """The columns of datasets as they are."""
        offered = tuple(column for column in attributes if not column.hidden and column.name not in read.beside)
        for dataset in read.datasets:
            if not self.reads.get(dataset):
                self.reads[dataset] = offered
        prefix = f"{text.identifier(read.datasets[0].short_name)}." if self._qualify and read.datasets else ""
        outputs = []
        spend(len(read.datasets) * len(attributes))
        for attribute in attributes:
            if attribute.name in read.beside:
                outputs.append(_row_metadata(attribute, read.datasets, offered))
                continue
            leaves = {
                path: {SourceField(dataset, join_path((attribute.name, *names))): _COPIED for dataset in read.datasets}
                for path, names in types.leaves(attribute.type)
            }
            if len(leaves) > 1:
                spend(len(read.datasets) * len(leaves))
            outputs.append(
                Output(attribute.id, attribute.name, Column(leaves, prefix + text.identifier(attribute.name)))
            )
        return Relation.of(outputs, counts_of(read.datasets))

    def _filter(self, query: str, table: Dataset, relation: Relation) -> Sources:
        """The columns of a table that another engine's conditions on its rows have in them."""
        names = [output.name for output in relation.outputs]
        at = replace(table, table=())
        lineage = lineage_of_text(query, dialect_of(at.location or ""), names, at, qualify=self._qualify)
        self.opaque.update(lineage.opaque)
        if lineage.opaque:
            return merge(through(output.column.sources, How.FILTER, text="filter") for output in relation.outputs)
        own = next(iter(lineage.reads), None)  # what stands behind FROM comes first
        for dataset, columns in lineage.reads.items():
            if dataset != own:
                self.reads.setdefault(dataset, tuple(Expr("AttributeReference", name=name) for name in columns))
        return {
            SourceField(table if source.dataset == own else source.dataset, source.field): marks
            for source, marks in lineage.relation.rows.items()
        }

    def _about(self, datasets: Sequence[Dataset], columns: Sequence[str], attributes: Sequence[Expr]) -> Relation:
        """A metadata table (snapshots, files of another one): it has none of the other's columns.

        Its values, and how many rows it has, follow from all columns of the other table.
        """
        decides = frozenset({Mark(How.FILTER, text="metadata")})
        for dataset in datasets:
            self.reads.setdefault(dataset, ())
        rows = {SourceField(dataset, join_path((name,))): decides for dataset in datasets for name in columns}
        outputs = (
            Output(attribute.id, attribute.name, Column(whole({}), text.identifier(attribute.name)))
            for attribute in attributes
        )
        return Relation.of(outputs, rows)

    def _text(self, query: str, at: Dataset, attributes: tuple[Expr, ...]) -> Relation:
        """A query that another engine runs, in its language, over tables where the dataset is."""
        outputs = tuple(attribute.name for attribute in attributes)
        lineage = lineage_of_text(query, dialect_of(at.location or ""), outputs, at, qualify=self._qualify)
        self.opaque.update(lineage.opaque)
        for dataset, names in lineage.reads.items():
            known = {attribute.name: attribute for attribute in self.reads.get(dataset, ())}
            known |= {name: Expr("AttributeReference", name=name) for name in names if name not in known}
            self.reads[dataset] = tuple(known.values())
        return renamed(lineage.relation, attributes)

    def _local_values(self, node: Plan) -> list[Value] | None:
        """The values of rows in the plan itself: a script's result, or VALUES with variables in it.

        None for the job's own data, which have no sources.
        """
        variables = Variables() if self._links is None else self._links.variables
        values, names = node.args.get("sql"), [attribute.name for attribute in node.output or ()]
        if isinstance(values, str):
            columns = variables.columns(values, len(names), _place(node))
            return None if all(value.plain for value in columns) else columns
        if values is not None:  # too long to look at
            either = variables.parameters()
            return None if either is None else [either] * len(names)
        results = variables.results(names)
        if not results:
            return None
        return [
            united([value_of(result, result.relation.outputs[n].column) for result in results])
            for n in range(len(names))
        ]

    def _bounds(self, node: Plan) -> Value | None:
        """The bounds of range(), which Spark has evaluated; None if they depend on no data."""
        call = node.args.get("sql")
        if self._links is None or call is None:
            return None
        variables = self._links.variables
        return variables.bounds(call, _place(node)) if isinstance(call, str) else variables.parameters()

    def variable(self, reference: Expr) -> Column:
        """What a variable was set from, or a parameter's value; one that was set before tracking began is opaque."""
        value: Value | None = None
        if self._links is not None:
            variables = self._links.variables
            value = variables.parameters() if reference.kind == "PosParameter" else variables.value(reference)
        if value is not None:
            return self.take(value)
        if reference.kind != "PosParameter":
            self.opaque[reference.kind] += 1
        return Column(whole({}), text.write(reference, ()))

    def take(self, value: Value) -> Column:
        """The column that a variable's value is, noted as read here."""
        if value.by_views is not None:
            self.behind_by_views = True
            value = value.by_views if self._by_views else value
        for dataset, attributes in value.reads.items():
            self.reads.setdefault(dataset, attributes)
        self.opaque.update(value.opaque)
        return value.column

    def _opaque_leaf(self, node: Plan, read: relations.Read, columns: Mapping[Dataset, Sequence[str]]) -> Relation:
        """Every column may come from every column of what is behind the leaf, and so may the rows."""
        below = []
        for dataset, names in columns.items():
            self.reads.setdefault(dataset, tuple(Expr("AttributeReference", name=name) for name in names))
            spend(len(names))
            fields = (SourceField(dataset, join_path((name,))) for name in names)
            below.append(
                Relation.of(Output(None, field.field, Column(whole({field: _COPIED}), field.field)) for field in fields)
            )
        unknown = not read.known
        for rdd in read.behind:
            known = self._links.of_rdd(rdd) if self._links is not None else None
            unknown = unknown or known is None
            if known is not None:
                below.append(self._taken(known).relation)
        if unknown:
            self.opaque[relations.INPUTS_OF_RDD] += 1
        if unknown or any(map(_comes_from_somewhere, below)):  # rows of the job's own need no mention
            self.opaque[node.kind] += 1
        return _opaque(node, below, Names(below, self, None), "RDD")


def _place(node: Plan) -> int | None:
    """Where the text of a leaf begins that Spark has evaluated."""
    at = node.args.get("at")
    return at if isinstance(at, int) else None


def _counted(node: Plan, bounds: Column) -> Relation:
    """The numbers between two bounds, which decide what they are and how many."""
    rows = through(bounds.sources, How.FILTER, text="range")
    numbers = Column(whole(through(bounds.sources, How.TRANSFORMATION)), "range")
    return Relation.of((Output(attribute.id, attribute.name, numbers) for attribute in node.output or ()), rows)


def _comes_from_somewhere(relation: Relation) -> bool:
    return bool(relation.rows) or any(output.column.sources for output in relation.outputs)


def _row_metadata(attribute: Expr, datasets: Sequence[Dataset], columns: Sequence[Expr]) -> Output:
    """A column about a row, such as how it changed: all columns of the row decide it."""
    decides = frozenset({Mark(How.CONDITIONAL, text=attribute.name)})
    spend(len(datasets) * len(columns))
    sources = {SourceField(dataset, join_path((column.name,))): decides for dataset in datasets for column in columns}
    return Output(attribute.id, attribute.name, Column(whole(sources), text.identifier(attribute.name)))


def _opaque(node: Plan, below: Inputs, names: Names, label: str | None = None) -> Relation:
    """Every output may depend on everything below, and so may the rows; `said` is the text that stands for it."""
    label = label or node.kind
    own = {attribute.id for attribute in node.output or ()}  # an operator that makes columns lists them in its fields
    arguments = (expr for expr in node.children if expr.id is None or expr.id not in own)
    below_it = merge(
        [
            everything(below),
            *(through(_argument_sources(expr, names), How.TRANSFORMATION) for expr in arguments),
        ]
    )
    sources = Shared(through(below_it, How.TRANSFORMATION, masking=Masking.MAY_UNMASK))
    if node.output is not None:
        given = [(attribute.id, attribute.name) for attribute in node.output]
    elif node.kind in _GIVES_EXPRESSIONS:
        given = [(expr.id, name_of(expr)) for expr in node.exprs(_GIVES_EXPRESSIONS[node.kind])]
    else:
        given = [(output.id, output.name) for relation in below for output in relation.outputs]
    rows = merge([*(relation.rows for relation in below), through(sources, How.FILTER, text=label)])
    return Relation.of((Output(id_, name, Column(whole(sources), label)) for id_, name in given), rows)


def _argument_sources(expr: Expr, names: Names) -> Sources:
    """The sources of an argument; where its rule fails, of everything in it beside the inputs."""
    try:
        return evaluate(expr, names).sources
    except Exception:  # noqa: BLE001 (its operator is opaque already)
        parts: list[Sources] = []
        stack = [expr]
        for node in drain(stack):
            parts += (everything([names.subquery(plan)]) for plan in node.plans)
            if node.kind == "OuterReference":
                parts.append(names.outer_column(node.children[0]).sources)
            elif node.kind == "VariableReference":
                parts.append(names.variable(node).sources)
            else:
                stack.extend(node.children)
        return merge(parts)


# Operators whose output is their expressions, whatever is below them.
_GIVES_EXPRESSIONS = {"Aggregate": "aggregateExpressions", "Project": "projectList"}


def reads_several(plan: Plan, *, by_views: bool = False) -> bool:
    """Whether a plan reads more than one dataset; `by_views` counts views in place of what is behind them."""
    leaves = leaves_above_views(plan) if by_views else plan.leaves
    views = (view for leaf in leaves if (view := relations.view_of(leaf)) is not None)
    return len({*views, *(dataset for leaf in leaves for dataset in relations.read(leaf).datasets)}) > 1


def leaves_above_views(plan: Plan) -> list[Plan]:
    """The leaves of a plan, where the views of catalogs are leaves."""
    leaves: list[Plan] = []
    stack: list[Node] = [plan]
    for node in drain(stack):
        if isinstance(node, Plan) and (node.is_view or not node.plans):
            leaves.append(node)
        if not (isinstance(node, Plan) and node.is_view):
            stack += node.plans
            stack += node.children
    return leaves
