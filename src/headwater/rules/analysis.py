"""The way through a plan, bottom up: each operator by its rule, and what has none as opaque."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from headwater.paths import join_path
from headwater.rules import operators, relations, text, types
from headwater.rules.expressions import evaluate
from headwater.rules.links import Links
from headwater.rules.model import Column, How, Mark, Output, Relation, SourceField, Sources, merge, through
from headwater.rules.names import Inputs, Names, everything, renamed
from headwater.rules.shapes import whole
from headwater.rules.sqltext import dialect_of, lineage_of_text
from headwater.rules.tree import Dataset, Expr, Plan
from headwater.rules.variables import Value, Variables, has_default, united, value_of

_log = logging.getLogger(__name__)
_COPIED = frozenset({Mark(How.IDENTITY)})


class Analysis:
    """What is found out on the way through one plan.

    Args:
        qualify: write columns with the name of their dataset, for plans that read more than one.
        links: what earlier statements said.

    Attributes:
        reads: every dataset read, with the attributes that the plan knows of it.
        opaque: how often what was not understood, by the name of Spark's class.
        shared: relations that other places refer to: the queries of WITH, by their id.
    """

    def __init__(self, *, qualify: bool = False, links: Links | None = None) -> None:
        self._qualify = qualify
        self._links = links
        self.reads: dict[Dataset, tuple[Expr, ...]] = {}
        self.opaque: Counter[str] = Counter()
        self.shared: dict[object, Relation] = {}

    def relation(self, plan: Plan, outer: Names | None = None) -> Relation:
        """The relation that a plan gives, bottom up with an explicit stack: a plan may be thousands deep."""
        done: dict[int, Relation] = {}
        stack = [plan]
        while stack:
            node = stack[-1]
            if id(node) in done:
                stack.pop()
                continue
            below = operators.inputs(node)
            waiting = [child for child in below if id(child) not in done]
            if waiting:
                stack.extend(reversed(waiting))
            else:
                done[id(stack.pop())] = self._apply(node, [done[id(child)] for child in below], outer)
        return done[id(plan)]

    def _apply(self, node: Plan, below: Inputs, outer: Names | None) -> Relation:
        names = Names(below, self, outer)
        rule = operators.RULES.get(node.kind)
        try:
            if rule is not None:
                return rule(node, below, names)
            if not below:
                return self._leaf(node)
        except Exception:  # noqa: BLE001 (not the shape that the rule knows: say so rather than guess)
            _log.debug("The rule for %s failed.", node.kind, exc_info=True)
        self.opaque[node.kind] += 1
        return _opaque(node, below, names)

    def _leaf(self, node: Plan) -> Relation:
        known = self._links.behind(node) if self._links is not None else None
        if known is not None:
            self.reads.update(known.reads)
            self.opaque.update(known.opaque)
            return renamed(known.relation, node.output)
        held = self._held(node) if node.kind == "LocalRelation" else None
        if held is not None:
            taken = ((one, self._taken(value)) for one, value in zip(node.output or (), held, strict=True))
            return Relation.of(Output(one.id, one.name, column) for one, column in taken)
        found = relations.read(node)
        attributes = tuple(attribute for attribute in node.output or () if attribute.id is not None)
        if found.query is not None:
            return self._text(found.query, found.datasets[0], attributes)
        if not found.known or found.columns is not None:
            self.opaque[node.kind] += 1
        if found.columns is not None:
            return self._opaque_leaf(found.datasets, found.columns, attributes)
        offered = tuple(attribute for attribute in attributes if not attribute.hidden)
        for dataset in found.datasets:
            self.reads.setdefault(dataset, offered)
        prefix = f"{text.identifier(found.datasets[0].short_name)}." if self._qualify and found.datasets else ""
        outputs = []
        for attribute in attributes:
            leaves = {
                path: {SourceField(dataset, join_path((attribute.name, *path))): _COPIED for dataset in found.datasets}
                for path in types.leaves(attribute.type)
            }
            outputs.append(
                Output(attribute.id, attribute.name, Column(leaves, prefix + text.identifier(attribute.name)))
            )
        if found.filter is None:
            return Relation.of(outputs)
        return Relation.of(outputs, self._filter(found.filter, found.datasets[0], Relation.of(outputs)))

    def _filter(self, query: str, table: Dataset, relation: Relation) -> Sources:
        """The columns of a table that another engine's conditions on its rows have in them."""
        names = [output.name for output in relation.outputs]
        at = replace(table, table=())
        found = lineage_of_text(query, dialect_of(at.location or ""), names, at, qualify=self._qualify)
        self.opaque.update(found.opaque)
        if found.opaque:
            return merge(through(output.column.sources, How.FILTER, text="filter") for output in relation.outputs)
        own = next(iter(found.reads), None)  # what stands behind FROM comes first
        for dataset, columns in found.reads.items():
            if dataset != own:
                self.reads.setdefault(dataset, tuple(Expr("AttributeReference", name=name) for name in columns))
        return {
            SourceField(table if source.dataset == own else source.dataset, source.field): marks
            for source, marks in found.relation.rows.items()
        }

    def _text(self, query: str, at: Dataset, attributes: tuple[Expr, ...]) -> Relation:
        """A query that another engine runs, in its language, over tables where the dataset is."""
        outputs = tuple(attribute.name for attribute in attributes)
        found = lineage_of_text(query, dialect_of(at.location or ""), outputs, at, qualify=self._qualify)
        self.opaque.update(found.opaque)
        for dataset, names in found.reads.items():
            known = {attribute.name: attribute for attribute in self.reads.get(dataset, ())}
            known |= {name: Expr("AttributeReference", name=name) for name in names if name not in known}
            self.reads[dataset] = tuple(known.values())
        return renamed(found.relation, attributes)

    def _held(self, node: Plan) -> list[Value] | None:
        """What the columns of rows hold that are in the plan itself: a script's result, or VALUES with variables in it.

        None for the job's own data, which come from nowhere.
        """
        variables = Variables() if self._links is None else self._links.variables
        values, names = node.args.get("sql"), [attribute.name for attribute in node.output or ()]
        if isinstance(values, str):
            held = variables.columns(values, len(names))
            return None if all(value.plain for value in held) else held
        if values is not None:  # too long to look at
            either = variables.parameters()
            return None if either is None else [either] * len(names)
        results = variables.results(names)
        if not results:
            return None
        return [united([value_of(one, one.relation.outputs[n].column) for one in results]) for n in range(len(names))]

    def variable(self, reference: Expr) -> Column:
        """What a variable was set from, or a parameter given; what was set before we looked may be anything."""
        held: Value | None = None
        if self._links is not None:
            variables = self._links.variables
            held = variables.parameters() if reference.kind == "PosParameter" else variables.value(reference)
        if held is not None:
            return self._taken(held)
        # Where nobody watches the session, a default is taken for one.
        if reference.kind != "PosParameter" and not (self._links is None and has_default(reference)):
            self.opaque[reference.kind] += 1
        return Column(whole({}), text.write(reference, ()))

    def _taken(self, value: Value) -> Column:
        for dataset, attributes in value.reads.items():
            self.reads.setdefault(dataset, attributes)
        self.opaque.update(value.opaque)
        return value.column

    def _opaque_leaf(self, datasets: Sequence[Dataset], columns: Sequence[str], attributes: Sequence[Expr]) -> Relation:
        """Every column may come from every column that was read, and so may the rows."""
        for dataset in datasets:
            self.reads.setdefault(dataset, tuple(Expr("AttributeReference", name=name) for name in columns))
        changed = frozenset({Mark(How.TRANSFORMATION)})
        sources = {SourceField(dataset, join_path((name,))): changed for dataset in datasets for name in columns}
        outputs = (Output(one.id, one.name, Column(whole(sources), "RDD")) for one in attributes)
        return Relation.of(outputs, through(sources, How.FILTER, text="RDD"))


def _opaque(node: Plan, below: Inputs, names: Names) -> Relation:
    """Every output may depend on everything below, and so may the rows."""
    own = {attribute.id for attribute in node.output or ()}  # an operator that makes columns lists them in its fields
    arguments = (expr for expr in node.children if expr.id is None or expr.id not in own)
    found = merge(
        [
            everything(below),
            *(through(evaluate(expr, names).sources, How.TRANSFORMATION) for expr in arguments),
        ]
    )
    if node.output is not None:
        given = [(attribute.id, attribute.name) for attribute in node.output]
    else:
        given = [(output.id, output.name) for relation in below for output in relation.outputs]
    rows = merge([*(relation.rows for relation in below), through(found, How.FILTER, text=node.kind)])
    return Relation.of((Output(id_, name, Column(whole(found), node.kind)) for id_, name in given), rows)


def reads_several(plan: Plan) -> bool:
    """Whether a plan reads more than one dataset."""
    return len({dataset for leaf in plan.leaves for dataset in relations.read(leaf).datasets}) > 1
