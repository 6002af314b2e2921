"""SELECT: its clauses, in the order in which they work, and what `*` stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sqlglot import exp

from headwater.rules.expressions.names import everything
from headwater.rules.expressions.shapes import influence_of, whole
from headwater.rules.plan.sources import Column, How, Output, Sources, merge, through
from headwater.rules.sets import compared
from headwater.rules.sqltext.findings import UNKNOWN_STAR, NotUnderstood
from headwater.rules.sqltext.frames import Frame, Item, Named, Others, closed, inside
from headwater.rules.sqltext.functions import is_aggregate, multiplies
from headwater.rules.sqltext.nodes import Node, name_parts
from headwater.rules.sqltext.scope import Aliases, Scope, Source
from headwater.rules.sqltext.sources import From, computed_by
from headwater.rules.sqltext.terms import evaluated, influence

# What says by expressions which rows there are, in which order.
_CONDITIONS = {
    "cluster": How.SORT, "connect": How.JOIN, "prewhere": How.FILTER, "sort": How.SORT, "where": How.FILTER,
}  # fmt: skip
# What is seen to below, or changes neither columns nor rows. Anything else may mean anything.
_KNOWN = frozenset({
    *_CONDITIONS, "distinct", "distribute", "expressions", "for", "for_", "format", "from", "from_", "group", "having",
    "hint", "joins", "kind", "laterals", "limit", "locks", "offset", "operation_modifiers", "options", "order",
    "qualify", "sample", "settings", "windows", "with", "with_",
})  # fmt: skip

# Where the names of the select list cannot be used in these clauses.
_NO_ALIASES = {
    "group": frozenset({"athena", "presto", "trino", "tsql"}),
    "having": frozenset({"athena", "oracle", "postgres", "presto", "trino", "tsql"}),
    "qualify": frozenset[str](),
}
# Where a query of groups may use columns that are no keys.
_LENIENT = {"group": frozenset({"", "mysql", "sqlite"}), "having": frozenset({"", "sqlite"})}


def select(node: Node, around: Scope, names: Sequence[str] | None) -> Frame:
    """What a SELECT gives; `queries.query` says what it is given."""
    for name, value in node.args.items():
        if value and name not in _KNOWN:
            raise NotUnderstood(name.strip("_").upper())
    scope = Scope(around.findings, around)
    scope.windows = {scope.findings.name(window.this).casefold(): window for window in node.args.get("windows") or []}
    source = From(scope)
    alone = (
        len(node.expressions) == 1
        and isinstance(node.expressions[0], exp.Star)
        and not _is_changed(node.expressions[0])
    )
    source.read(node, names if alone else None)
    _prove(node, scope)
    _complete_source(node.expressions, scope, names)
    frame = closed(Frame(tuple(_items(node, scope))), names, scope.findings.either)
    rows = [source.rows(), *_rows(node, scope, frame)]
    if scope.natural is not None:
        stars = any(_is_star(item) for item in node.expressions)
        rows.append(compared(frame.relation, How.JOIN) if stars else {})
        rows += [through(column.sources, How.JOIN, text=name) for name, column in scope.natural.items()]
    return Frame(frame.items, merge(rows))


def _prove(node: Node, scope: Scope) -> None:
    """Note the columns that the text uses with the name of their table: they are there."""
    for column in node.find_all(exp.Column):
        table = column.args.get("table")
        if table and not column.args.get("db") and column.find_ancestor(exp.Query) is node:
            scope.prove(scope.findings.name(table), column.name)


def _items(node: Node, scope: Scope) -> Iterator[Item]:
    """The select list."""
    before = Aliases()
    seeing = scope.with_aliases_in_select(before)
    for item in node.expressions:
        if _is_star(item):
            yield from _star_columns(item, scope)
        elif isinstance(item, exp.Aliases):
            column = computed_by([item.this], seeing)
            yield from (Output(None, scope.findings.name(alias), column) for alias in item.expressions)
        else:
            output = Output(None, _name(item, scope), evaluated(item, seeing))
            if isinstance(item, exp.Alias):
                before.add(output)
            yield output


def _name(item: Node, scope: Scope) -> str:
    if isinstance(item, exp.Alias):
        return scope.findings.name(item.args["alias"])
    parts = name_parts(item)
    return scope.findings.name(parts[-1]) if parts else ""


def _rows(node: Node, scope: Scope, frame: Frame) -> Iterator[Sources]:
    """What the clauses say about the rows."""
    seeing = scope.with_aliases_in_where(Aliases(frame.outputs))
    for clause, how in _CONDITIONS.items():
        if node.args.get(clause):
            yield influence(node.args[clause].iter_expressions(), seeing, how)
    keys = _keys(node)
    yield from _grouping(node, keys, scope, frame)
    # Of a group there are only its keys and its aggregates: any other name is one of the select list.
    grouped = node.args.get("group") or any(_has_aggregate(item) for item in node.expressions)
    used = {column.name.casefold() for key in keys for column in _key(key, node).find_all(exp.Column)}
    strict = grouped and scope.findings.language not in _LENIENT["having"]
    sure = [output.name for output in frame.outputs if output.name.casefold() not in used] if strict else []
    for clause in ("having", "qualify"):
        if node.args.get(clause):
            hidden = scope.findings.language in _NO_ALIASES[clause]
            seeing = scope if hidden else scope.with_aliases(Aliases(frame.outputs, sure))
            yield influence([node.args[clause].this], seeing, How.FILTER)
    yield _distinct(node, scope, frame)
    yield ordered(node, scope.with_aliases(Aliases(frame.outputs)), frame)
    yield from _multiplied(node, scope)


# --- GROUP BY, DISTINCT ----------------------------------------------------------------------------------------------


def _grouping(node: Node, keys: Sequence[Node], scope: Scope, frame: Frame) -> Iterator[Sources]:
    if node.args.get("group") and node.args["group"].args.get("all"):
        yield influence([item for item in node.expressions if not _has_aggregate(item)], scope, How.GROUP_BY)
    hidden = scope.findings.language in _NO_ALIASES["group"]
    for key in keys:
        position = _position(key)
        if position is not None:
            yield influence_of(_at(position, frame, scope), How.GROUP_BY)
        elif hidden or not _is_bare(key):
            yield influence(
                [key], scope if hidden else scope.with_aliases_in_where(Aliases(frame.outputs)), How.GROUP_BY
            )
        else:
            strict = scope.findings.language not in _LENIENT["group"]
            sure = [scope.findings.name(key.this)] if strict and _is_alias(key, node, keys) else []
            yield influence([key], scope.with_aliases(Aliases(frame.outputs, sure)), How.GROUP_BY)


def _is_alias(key: Node, node: Node, keys: Sequence[Node]) -> bool:
    """Whether a key can only be what the select list calls so.

    If it were a column, the columns that the select list makes that of would be no keys, and could not be used there.
    """
    columns = [_key(other, node).unalias() for other in keys]
    if not all(isinstance(column, exp.Column) for column in columns):
        return False
    names = {column.name.casefold() for column in columns}
    aliased = [item for item in node.expressions if isinstance(item, exp.Alias)]
    meant = [item for item in aliased if item.alias.casefold() == key.name.casefold()]
    return any(column.name.casefold() not in names for item in meant for column in item.find_all(exp.Column))


def _is_bare(key: Node) -> bool:
    return isinstance(key, exp.Column) and not key.args.get("table")


def _keys(node: Node) -> list[Node]:
    """The keys of GROUP BY, those in ROLLUP, CUBE and GROUPING SETS as well."""
    keys: list[Node] = []
    waiting = list(node.args["group"].iter_expressions()) if node.args.get("group") else []
    while waiting:
        key = waiting.pop()
        if isinstance(key, (exp.Rollup, exp.Cube, exp.GroupingSets, exp.Tuple, exp.Paren)):
            waiting.extend(key.iter_expressions())
        else:
            keys.append(key)
    return keys


def _key(key: Node, node: Node) -> Node:
    """A key, or what stands in the place of the select list that it gives."""
    position = _position(key)
    return node.expressions[position - 1] if position and position <= len(node.expressions) else key


def _has_aggregate(item: Node) -> bool:
    return any(is_aggregate(call) for call in item.find_all(exp.Func))


def _distinct(node: Node, scope: Scope, frame: Frame) -> Sources:
    distinct = node.args.get("distinct")
    on = distinct.args.get("on") if distinct else None
    if on:
        return influence(on.expressions if isinstance(on, exp.Tuple) else [on], scope, How.GROUP_BY)
    if distinct and frame.others:
        scope.findings.note(UNKNOWN_STAR)
    return compared(frame.relation, How.GROUP_BY) if distinct else {}


# --- ORDER BY --------------------------------------------------------------------------------------------------------


def ordered(node: Node, scope: Scope, frame: Frame) -> Sources:
    """ORDER BY, and what says how many rows there are. A name alone is first of all one of the result."""
    order = node.args.get("order")
    keys = [_order_key(key, scope, frame) for key in (order.expressions if order else ())]
    limits = [node.args[name] for name in ("limit", "offset") if node.args.get(name)]
    return merge([*keys, *(influence(limit.iter_expressions(), scope, How.FILTER) for limit in limits)])


def _order_key(key: Node, scope: Scope, frame: Frame) -> Sources:
    column = key.this if isinstance(key, exp.Ordered) else key
    position = _position(column)
    if position is not None:
        return influence_of(_at(position, frame, scope), How.SORT)
    if isinstance(column, exp.Var) and column.name.upper() == "ALL":
        return compared(frame.relation, How.SORT)
    own = frame.known(scope.findings.name(column.this)) if _is_bare(column) else []
    if own:
        return influence_of(scope.findings.either(own, column.name), How.SORT)
    if not scope.sources:
        scope = Scope(scope.findings, scope)
        scope.sources.append(Source((), frame))
    return influence([key], scope, How.SORT)


def _position(node: Node) -> int | None:
    return int(node.name) if isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit() else None


def _at(position: int, frame: Frame, scope: Scope) -> Column:
    """The column in a place of the result."""
    before = frame.items[:position]
    if len(before) == position and isinstance(before[-1], Output) and all(isinstance(item, Output) for item in before):
        return before[-1].column
    scope.findings.note(UNKNOWN_STAR)
    return Column(whole(everything([frame.relation])), str(position))


def _multiplied(node: Node, scope: Scope) -> Iterable[Sources]:
    """A function in the select list that gives several rows decides how many there are."""
    for item in node.expressions:
        for call in item.find_all(exp.Unnest, exp.Func):
            if multiplies(call) and call.find_ancestor(exp.Query) is node and not isinstance(call.parent, exp.In):
                yield influence([call], scope, How.JOIN)


# --- `*`: all columns of all sources, of one, or all fields of a struct ----------------------------------------------


def _is_star(item: Node) -> bool:
    """Whether something in a select list stands for many columns."""
    parts = name_parts(item)
    return parts is not None and isinstance(parts[-1], exp.Star)


def _is_changed(star: Node) -> bool:
    """Whether it has EXCEPT, REPLACE or RENAME behind it."""
    return any(value for node in star.find_all(exp.Star) for value in node.args.values())


def _star_columns(item: Node, scope: Scope) -> list[Item]:
    """The columns that it stands for."""
    called, sources = _star_sources(item, scope)
    if called and not sources:
        struct = scope.column(called)
        return [Others(lambda name: inside(struct, (name,)))]
    items = [item for source in sources for item in source.frame.items]
    if not called:
        # USING: the columns that are one of two come once, before the others.
        merged = Named(scope.merged.values())
        items = [
            *scope.merged.values(),
            *(column for column in items if isinstance(column, Others) or not merged.find(column.name)),
        ]
    (star,) = item.find_all(exp.Star)
    return _with_changes(star, items, scope) if _is_changed(item) else items


def _complete_source(items: Sequence[Node], scope: Scope, outputs: Sequence[str] | None) -> None:
    """Give a source its columns, where the names of the result tell them: the only source of the only `*`."""
    stars = [item for item in items if _is_star(item)]
    if outputs is None or len(stars) != 1 or _is_changed(stars[0]) or scope.merged or scope.natural is not None:
        return
    _, sources = _star_sources(stars[0], scope)
    unknown = [source for source in sources if source.frame.others]
    if len(unknown) != 1:
        return
    place = sources.index(unknown[0])
    before = next(place for place, item in enumerate(items) if item is stars[0])
    first = before + sum(len(source.frame.items) for source in sources[:place])
    after = len(items) - before - 1 + sum(len(source.frame.items) for source in sources[place + 1 :])
    if first + after <= len(outputs):
        names = outputs[first : len(outputs) - after]
        unknown[0].frame = closed(unknown[0].frame, names, scope.findings.either)


def _star_sources(item: Node, scope: Scope) -> tuple[list[str], list[Source]]:
    """What stands before the star, and the sources that are called so: all of them if there is nothing."""
    called = [scope.findings.name(part) for part in (name_parts(item) or [])[:-1]]
    return called, [source for source in scope.sources if source.shown and (not called or source.called(called))]


def _with_changes(star: Node, items: Sequence[Item], scope: Scope) -> list[Item]:
    """`* EXCEPT (a) REPLACE (b + 1 AS b) RENAME (c AS d)`."""

    def name(node: Node) -> str:
        return scope.findings.name(node.this if isinstance(node, exp.Column) else node)

    dropped = {name(clause).casefold() for clause in star.args.get("except") or star.args.get("except_") or ()}
    replaced = {name(clause.args["alias"]).casefold(): clause for clause in star.args.get("replace") or ()}
    renamed = {name(clause.this): name(clause.args["alias"]) for clause in star.args.get("rename") or ()}
    new_names = {old.casefold(): new for old, new in renamed.items()}
    old_names = {new.casefold(): old for old, new in renamed.items()}

    def changed(own: str, column: Column) -> Output:
        new = replaced.get(own.casefold())
        return Output(None, new_names.get(own.casefold(), own), evaluated(new, scope) if new else column)

    def others(among: Others) -> Others:
        def find(asked: str) -> Column | None:
            own = old_names.get(asked.casefold(), asked)
            if own.casefold() in dropped or (own == asked and own.casefold() in new_names):
                return None
            column = among.find(own)
            return None if column is None else changed(own, column).column

        return Others(find)

    return [
        others(item) if isinstance(item, Others) else changed(item.name, item.column)
        for item in items
        if isinstance(item, Others) or item.name.casefold() not in dropped
    ]
