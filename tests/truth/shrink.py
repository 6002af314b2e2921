"""Make a query with a miss smaller: take out select items, on every level, as long as the miss stays."""

from __future__ import annotations

import copy
from collections.abc import Callable

from .relations import Query

MOST_TRIES = 25


def shrink(query: Query, still: Callable[[Query], bool]) -> Query:
    """The smallest query found for which `still` is true."""
    if query.python:
        return query
    tries = 0
    level = 0
    while level < len(_lists(query)):
        place = 0
        while place < len(_lists(query)[level]) and tries < MOST_TRIES:
            smaller = copy.deepcopy(query)
            entries = _lists(smaller)[level]
            if len(entries) > 1:
                del entries[place]
                tries += 1
                if still(smaller):
                    query = smaller
                    continue
            place += 1
        level += 1
    return query


def _lists(query: Query) -> list[list[tuple[str, str]]]:
    rels = [query.rel, *query.views.values()]
    return [items.entries for rel in rels for items in rel.lists()]
