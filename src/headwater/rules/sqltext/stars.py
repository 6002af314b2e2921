"""`*`: all columns of all sources, of one, or all fields of a struct."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from headwater.rules.plan.sources import Column, Output
from headwater.rules.sqltext.frames import Item, Named, Others, closed, inside
from headwater.rules.sqltext.nodes import Node, name_parts
from headwater.rules.sqltext.scope import Scope, Source
from headwater.rules.sqltext.terms import evaluated


def is_star(item: Node) -> bool:
    """Whether something in a select list stands for many columns."""
    parts = name_parts(item)
    return parts is not None and isinstance(parts[-1], exp.Star)


def changes(star: Node) -> bool:
    """Whether it has EXCEPT, REPLACE or RENAME behind it."""
    return any(value for one in star.find_all(exp.Star) for value in one.args.values())


def starred(item: Node, scope: Scope) -> list[Item]:
    """The columns that it stands for."""
    called, sources = _meant(item, scope)
    if called and not sources:
        struct = scope.column(called)
        return [Others(lambda name: inside(struct, (name,)))]
    items = [item for source in sources for item in source.frame.items]
    if not called:
        # USING: the columns that are one of two come once, before the others.
        merged = Named(scope.merged.values())
        items = [
            *scope.merged.values(),
            *(one for one in items if isinstance(one, Others) or not merged.find(one.name)),
        ]
    (star,) = item.find_all(exp.Star)
    return _changed(star, items, scope) if changes(item) else items


def tell_columns(items: Sequence[Node], scope: Scope, wanted: Sequence[str] | None) -> None:
    """Give a source its columns, where the names of the result tell them: the only source of the only `*`."""
    stars = [item for item in items if is_star(item)]
    if wanted is None or len(stars) != 1 or changes(stars[0]) or scope.merged or scope.natural is not None:
        return
    _, sources = _meant(stars[0], scope)
    unknown = [source for source in sources if source.frame.others]
    if len(unknown) != 1:
        return
    place = sources.index(unknown[0])
    before = next(place for place, item in enumerate(items) if item is stars[0])
    first = before + sum(len(source.frame.items) for source in sources[:place])
    after = len(items) - before - 1 + sum(len(source.frame.items) for source in sources[place + 1 :])
    if first + after <= len(wanted):
        names = wanted[first : len(wanted) - after]
        unknown[0].frame = closed(unknown[0].frame, names, scope.findings.either)


def _meant(item: Node, scope: Scope) -> tuple[list[str], list[Source]]:
    """What stands before the star, and the sources that are called so: all of them if there is nothing."""
    called = [scope.findings.name(one) for one in (name_parts(item) or [])[:-1]]
    return called, [source for source in scope.sources if source.shown and (not called or source.called(called))]


def _changed(star: Node, items: Sequence[Item], scope: Scope) -> list[Item]:
    """`* EXCEPT (a) REPLACE (b + 1 AS b) RENAME (c AS d)`."""

    def name(node: Node) -> str:
        return scope.findings.name(node.this if isinstance(node, exp.Column) else node)

    dropped = {name(one).casefold() for one in star.args.get("except") or star.args.get("except_") or ()}
    replaced = {name(one.args["alias"]).casefold(): one for one in star.args.get("replace") or ()}
    renamed = {name(one.this): name(one.args["alias"]) for one in star.args.get("rename") or ()}
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
