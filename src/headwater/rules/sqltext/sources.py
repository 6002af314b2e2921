"""FROM: tables, queries and functions that give rows, how they are joined, and PIVOT."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from headwater.common.masking import Masking
from headwater.rules.expressions.shapes import influenced, merge_leaves, stepped, whole
from headwater.rules.plan.sources import NOTHING, Column, How, Output, Sources, counts_of, merge, through
from headwater.rules.plan.types import ELEMENT
from headwater.rules.sqltext.findings import Findings, NotUnderstood
from headwater.rules.sqltext.frames import Frame, Item, Named, Others, closed, inside, renamed
from headwater.rules.sqltext.functions import multiplies, written_name
from headwater.rules.sqltext.nodes import Node, alias_of, part, table_parts
from headwater.rules.sqltext.scope import Scope, Source
from headwater.rules.sqltext.terms import evaluated, influence

Names = Sequence[str] | None


class From:
    """The FROM of a query, read from left to right.

    Attributes:
        scope: what it lets the query refer to.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.findings = scope.findings
        self._rows: list[Sources] = []
        self._conditions: list[tuple[Node, int]] = []

    def read(self, select: Node, names: Names) -> None:
        """Read all of it.

        Args:
            select: the query.
            names: the names of the query's columns, if they are known and it selects `*` alone.
        """
        first = part(select, "from")
        joins, laterals = (select.args.get(name) or [] for name in ("joins", "laterals"))
        if first is not None:
            self.add(first.this, None if joins or laterals else names)
        self._more(select)

    def add(self, node: Node, names: Names = None) -> None:
        """Read what stands in one place, and what is joined to it there."""
        rule = _RULES.get(type(node).__name__)
        if rule is None:
            raise NotUnderstood(type(node).__name__)
        rule(self, node, names)
        self._more(node)

    def _more(self, node: Node) -> None:
        for join in node.args.get("joins") or []:
            self._join(join)
        for lateral in node.args.get("laterals") or []:
            self.add(lateral)

    def rows(self) -> Sources:
        """What decides the rows. To be asked when all is known that can be about the sources' columns."""
        conditions = [influence([node], self.scope.up_to(count), How.JOIN) for node, count in self._conditions]
        return merge([*self._rows, *conditions])

    def source(self, node: Node, frame: Frame, names: Sequence[str] = (), outputs: Names = None) -> None:
        """One more source, under its alias or its own name, with the columns that it is known to have."""
        frame = aliased(frame, column_names(node, self.findings), self.findings)
        for pivot in node.args.get("pivots") or []:
            frame = aliased(_pivoted(pivot, frame, self.scope), column_names(pivot, self.findings), self.findings)
            node = pivot if pivot.alias else node
        frame = closed(frame, outputs, self.findings.either)
        alias = alias_of(node)
        self.scope.sources.append(Source((self.findings.name(alias),) if alias else tuple(names), frame))
        self._rows.append(frame.rows)

    def _join(self, join: Node) -> None:
        if join.args.get("kind") == "ARRAY":
            self._array_join(join)
            return
        before = len(self.scope.sources)
        left = self.scope.up_to(before)
        self.add(join.this)
        for identifier in join.args.get("using") or []:
            self._merge(self.findings.name(identifier), left, str(join.args.get("side") or ""))
        if join.args.get("method") == "NATURAL":
            self._natural(left, str(join.args.get("side") or ""))
        for name in ("on", "match_condition"):
            if join.args.get(name):
                self._conditions.append((join.args[name], len(self.scope.sources)))
        if join.args.get("kind") in {"SEMI", "ANTI"} and self.findings.language != "clickhouse":
            for source in self.scope.sources[before:]:
                source.shown = False

    def _merge(self, name: str, left: Scope, side: str) -> None:
        """USING: one column of two, from the side that has it in every row."""
        right = Scope(self.findings)
        right.sources = self.scope.sources[len(left.sources) :]
        ours, theirs = left.column([name]), right.column([name])
        both, condition = (ours, theirs), f"{ours.text} = {theirs.text}"
        self._rows += [through(key.sources, How.JOIN, text=condition) for key in both]
        if side == "FULL":
            shape = merge_leaves(stepped(key.leaves, How.TRANSFORMATION) for key in both)
            conditions = (through(key.sources, How.CONDITIONAL, text=key.text) for key in both)
            column = Column(influenced(shape, *conditions), f"coalesce({ours.text}, {theirs.text})")
        else:
            column = theirs if side == "RIGHT" else ours
        self.scope.merged[name] = Output(None, name, column)

    def _natural(self, left: Scope, side: str) -> None:
        """By all columns of the same name: they are known if those of both sides are, else it may be any."""
        sources = self.scope.sources
        ours = [output for source in left.sources if source.shown for output in source.frame.outputs]
        theirs = [output for source in sources[len(left.sources) :] for output in source.frame.outputs]
        if not any(source.frame.others for source in sources):
            known = Named(theirs)
            for output in ours:
                if known.find(output.name):
                    self._merge(output.name, left, side)
            return
        self.findings.note("NATURAL JOIN of tables whose columns are not known")
        self.scope.natural = {} if self.scope.natural is None else self.scope.natural
        for output in (*ours, *theirs):
            possible = [column for source in sources for column in source.frame.possible(output.name)]
            self._rows += [through(column.sources, How.JOIN, text=output.name) for column in possible]

    def _array_join(self, join: Node) -> None:
        """ClickHouse: a row for each element of an array."""
        for node in (join.this, *join.expressions):
            array = evaluated(node, self.scope)
            element = Output(None, node.alias_or_name, Column(inside(array, (ELEMENT,)).leaves, array.text))
            self.scope.sources.append(Source((), Frame((element,))))
            self._rows.append(through(element.column.sources, How.JOIN, text=array.text))

    def function(self, node: Node, calls: Sequence[Node]) -> None:
        """Functions that give rows: their columns come from their arguments, which decide how many rows there are."""
        if not all(multiplies(call) for call in calls):
            self.findings.note("a function that gives rows")
        arguments = _evaluated_arguments(calls, self.scope)
        computed = computed_by(calls, self.scope)
        names = self._function_columns(node, calls)
        if isinstance(calls[0], (exp.Unnest, exp.Explode)) and len(names) == len(arguments):
            columns = [Column(inside(column, (ELEMENT,)).leaves, computed.text) for column in arguments]
        else:
            columns = [computed] * len(names)
        outputs = [Output(None, name, column) for name, column in zip(names, columns, strict=True)]
        counter = part(calls[0], "offset")
        if counter is not None:
            outputs.append(Output(None, self.findings.name(counter), Column(whole(NOTHING), "offset")))
        unnamed = () if outputs else (Others(lambda _name: computed),)
        alias = alias_of(node)
        self.scope.sources.append(Source((self.findings.name(alias),) if alias else (), Frame((*outputs, *unnamed))))
        deciding = columns or [computed]
        self._rows += [through(column.sources, How.JOIN, text=computed.text) for column in deciding]

    def _function_columns(self, node: Node, calls: Sequence[Node]) -> list[str]:
        """The names of the columns that some functions give, as far as the text tells."""
        kinds = (exp.ColumnDef, exp.JSONColumnDef, exp.OpenJSONColumnDef)
        defined = [column.this for call in calls for column in call.find_all(*kinds)]
        identifiers = [name for name in defined if isinstance(name, exp.Identifier)]
        alias = alias_of(node)
        is_flatten = self.findings.language == "snowflake"
        single = [alias] if alias and written_name(calls[0]) in _OF_ONE_COLUMN and not is_flatten else []
        return column_names(node, self.findings) or [self.findings.name(name) for name in identifiers or single]


# Functions whose alias is the name of their column, too.
_OF_ONE_COLUMN = frozenset({"explode", "exploding_generate_series", "generate_date_array", "generate_series", "unnest"})


def aliased(frame: Frame, names: Sequence[str], findings: Findings) -> Frame:
    """A frame under other names, by position: `AS t(a, b)`."""
    if len(frame.outputs) < len(names):
        findings.note("columns of a table under other names")
    return renamed(frame, names)


def column_names(node: Node, findings: Findings) -> list[str]:
    """The names that an alias gives to the columns."""
    alias = node.args.get("alias")
    columns = alias.args.get("columns") or [] if isinstance(alias, exp.TableAlias) else []
    return [findings.name(column) for column in columns]


def computed_by(calls: Sequence[Node], scope: Scope) -> Column:
    """A column that some functions give, where nobody can tell what of their arguments is in it."""
    arguments = _evaluated_arguments(calls, scope)
    masking = Masking.NONE if all(map(multiplies, calls)) else Masking.MAY_UNMASK
    sources = merge(through(column.sources, How.TRANSFORMATION, masking=masking) for column in arguments)
    return Column(whole(sources), f"{written_name(calls[0])}({', '.join(column.text for column in arguments)})")


def values(node: Node, scope: Scope) -> Frame:
    """The rows of VALUES: each column from what stands in its place."""
    rows = [row.expressions if isinstance(row, exp.Tuple) else [row] for row in node.expressions]
    columns = [[evaluated(value, scope) for value in values] for values in zip(*rows, strict=True)]
    return Frame(
        tuple(Output(None, "", Column(merge_leaves(c.leaves for c in column), "VALUES")) for column in columns)
    )


def _evaluated_arguments(calls: Sequence[Node], scope: Scope) -> list[Column]:
    """The arguments of functions that give rows, without what they say about their own columns."""
    own = {"alias", "columns", "offset", "schema"}
    arguments = [value for call in calls for name, value in call.args.items() if name not in own]
    flat = [item for value in arguments for item in (value if isinstance(value, list) else [value])]
    names = (exp.Identifier, exp.JSONSchema, exp.OpenJSONColumnDef)
    nodes = [item for item in flat if isinstance(item, exp.Expression) and not isinstance(item, names)]
    return [evaluated(node, scope) for node in nodes]


# --- what may stand there --------------------------------------------------------------------------------------------


def _table(into: From, node: Node, outputs: Names) -> None:
    if isinstance(node.this, exp.Func) or node.args.get("rows_from"):
        into.function(node, [node.this] if node.this else [table.this for table in node.args["rows_from"]])
        return
    findings = into.findings
    parts = table_parts(node)
    names = [findings.name(identifier) for identifier in parts]
    cte = into.scope.cte(names[0]) if len(names) == 1 else None
    if cte is not None:
        into.source(node, cte.frame, names, outputs)
    elif names[-1].casefold() in {"dual", "sysdummy1"}:
        into.source(node, Frame(()), names)
    else:
        dataset = findings.table(parts)
        columns = Others(lambda name: findings.field(dataset, name), dataset)
        into.source(node, Frame((columns,), counts_of([dataset])), names, outputs)


def _query(into: From, node: Node, outputs: Names) -> None:
    """A query in parentheses, or a join in them."""
    content = node.this
    while isinstance(content, exp.Subquery) and not alias_of(content):
        content = content.this
    if not isinstance(content, exp.Table):
        changed = node.args.get("pivots") or column_names(node, into.findings)
        # DuckDB sees by itself that a query uses what stands before it.
        around = into.scope if into.findings.language == "duckdb" else into.scope.outer
        frame = into.findings.query(node, around or into.scope, None if changed else outputs)
        into.source(node, frame, outputs=outputs)
    elif alias_of(node) is None:
        into.add(content, outputs)
    else:
        inner = From(Scope(into.findings, into.scope.outer))
        inner.add(content)
        items = [item for source in inner.scope.sources for item in source.frame.items]
        into.source(node, Frame(tuple(items), inner.rows()), outputs=outputs)


def _lateral(into: From, node: Node, _outputs: Names) -> None:
    """A query or a function for each row of what stands before it."""
    if isinstance(node.this, exp.Query):
        into.source(node, into.findings.query(node.this, into.scope, None))
    else:
        into.function(node, [node.this])


def _unnest(into: From, node: Node, _outputs: Names) -> None:
    into.function(node, [node])


def _values(into: From, node: Node, outputs: Names) -> None:
    into.source(node, values(node, into.scope), outputs=outputs)


def _final(into: From, node: Node, outputs: Names) -> None:
    into.add(node.this, outputs)


_RULES: dict[str, Callable[[From, Node, Names], None]] = {
    "Final": _final,
    "Lateral": _lateral,
    "Subquery": _query,
    "Table": _table,
    "TableFromRows": _lateral,
    "Unnest": _unnest,
    "Values": _values,
}


# --- PIVOT and UNPIVOT -----------------------------------------------------------------------------------------------


def _pivoted(pivot: Node, frame: Frame, around: Scope) -> Frame:
    """What PIVOT or UNPIVOT makes of a frame."""
    scope = Scope(around.findings, around.outer)
    scope.sources.append(Source((), frame))
    return _unpivot(pivot, frame, scope) if pivot.args.get("unpivot") else _pivot(pivot, frame, scope)


def _pivot(pivot: Node, frame: Frame, scope: Scope) -> Frame:
    """Aggregates of the rows where a column has some value, for each group of the columns that are not used so."""
    findings = scope.findings
    values = [evaluated(item, scope) for item in pivot.expressions]
    keys = [evaluated(field.this, scope) for field in _fields(pivot)]
    deciding = (through(key.sources, How.CONDITIONAL, text=key.text) for key in keys)
    shape = influenced(merge_leaves(stepped(value.leaves, How.AGGREGATION) for value in values), *deciding)
    pivoted = Column(shape, ", ".join(value.text for value in values))
    unused = _without(frame, [column.name for column in pivot.find_all(exp.Column)])
    if frame.others:
        findings.note("PIVOT of a table whose columns are not known")
    groups = [through(item.column.sources, How.GROUP_BY, text=item.name) for item in unused if isinstance(item, Output)]
    names = [findings.name(name) for name in pivot.args.get("columns") or []]
    new: list[Item] = [Output(None, name, pivoted) for name in names]
    if not new:
        new.append(Others(lambda _name: pivoted))
    return Frame((*unused, *new), merge([frame.rows, *groups]))


def _unpivot(pivot: Node, frame: Frame, scope: Scope) -> Frame:
    """A row for each of some columns, unless it is null there and nulls are left out."""
    findings = scope.findings
    nodes = [column for field in _fields(pivot) for item in field.expressions for column in item.find_all(exp.Column)]
    listed = [evaluated(node, scope) for node in nodes]
    shape = merge_leaves(column.leaves for column in listed)
    values = [findings.name(name) for item in pivot.expressions for name in item.find_all(exp.Identifier)]
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
