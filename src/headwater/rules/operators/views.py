"""Views of catalogs as datasets: what a view is made of, and what a query takes from views instead of from behind them.

A plan shows the query of a view in place of the view. People see a chain: a table, the view over it, the table that is
made from the view. So a plan that reads views is analysed twice, once through the views and once up to them, and each
view's own query up to the views below it: every operator twice, however the views stand inside each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from headwater.rules.expressions.names import renamed
from headwater.rules.operators.analysis import Analysis, reads_several
from headwater.rules.plan.budget import spend
from headwater.rules.plan.sources import Sources, merge, without_counts
from headwater.rules.plan.tree import Dataset
from headwater.rules.session.links import Definition, Links


def define(analysis: Analysis, links: Links | None) -> None:
    """Define the views that an analysis looked through, for this statement and for later ones."""
    for view, (node, relation) in analysis.views.items():
        query = node.plan("child")
        inside = Analysis(qualify=reads_several(query, by_views=True), links=links, by_views=True)
        by_views = renamed(inside.relation(query), node.output)
        reads = frozenset(inside.reads)
        nested = not analysis.views.keys().isdisjoint(reads)
        definition = Definition(
            node.output or (), relation.worked_out(), by_views.worked_out() if nested else None, reads
        )
        analysis.definitions[view] = definition
        if links is not None:
            links.remember_view(view, definition)


def defined(reads: Iterable[Dataset], analysis: Analysis, links: Links | None) -> dict[Dataset, Definition]:
    """The views among datasets that are read, and those that these read, with their definitions."""
    views: dict[Dataset, Definition] = {}
    waiting = list(reads)
    while waiting:
        dataset = waiting.pop()
        definition = analysis.definitions.get(dataset) or (None if links is None else links.view(dataset))
        if dataset not in views and definition is not None:
            views[dataset] = definition
            waiting += definition.reads
    return views


def behind_views(
    reads: Collection[Dataset], direct: Collection[Dataset], views: Mapping[Dataset, Definition]
) -> dict[Dataset, tuple[Dataset, ...]]:
    """The datasets of a plan that only views read, each with these views: those that the query itself names."""
    named = [view for view in direct if view in views]
    below = {view: set(_below(view, views)) for view in named}
    through = {
        dataset: tuple(view for view in named if dataset in below[view]) for dataset in reads if dataset not in direct
    }
    return {dataset: by for dataset, by in through.items() if by}


def _below(view: Dataset, views: Mapping[Dataset, Definition]) -> Iterator[Dataset]:
    """All that a view reads, itself and through other views."""
    seen: set[Dataset] = set()
    waiting = [view]
    while waiting:
        for dataset in views[waiting.pop()].reads - seen:
            seen.add(dataset)
            yield dataset
            if dataset in views:
                waiting.append(dataset)


def rows_with_conditions(fields: Mapping[str, Sources], rows: Sources, views: Mapping[Dataset, Definition]) -> Sources:
    """What decides about rows, so that each view that has conditions on its own rows reaches every field.

    A field that takes a column of the view is reached by what decides the view's rows. One that takes none, such as
    `count(*)` or a constant, is not, though there are as many rows as the view has: it takes the conditions themselves.
    """
    conditions = ((view, without_counts(definition.relation.rows)[0]) for view, definition in views.items())
    return merge([rows, *(own for view, own in conditions if own and not _reaches_all(view, fields, rows))])


def _reaches_all(view: Dataset, fields: Mapping[str, Sources], rows: Sources) -> bool:
    if _takes(rows, view):
        return True
    distinct = {id(sources): sources for sources in fields.values()}
    return bool(distinct) and all(_takes(sources, view) for sources in distinct.values())


def _takes(sources: Sources, view: Dataset) -> bool:
    spend(len(sources))
    return any(source.dataset == view for source in sources)
