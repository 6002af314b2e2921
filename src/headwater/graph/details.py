"""The datasets and jobs of a store, listed."""

from collections.abc import Collection, Iterator
from typing import Literal

from headwater.graph.answer import TableName
from headwater.store import Store

_PAGE = 1_000
_NAMES = "SELECT t.id, t.namespace, t.name FROM {table} t WHERE t.id > :after ORDER BY t.id LIMIT :most"


def list_names(
    store: Store, table: Literal["dataset", "job"], namespaces: Collection[str] | None = None
) -> Iterator[TableName]:
    """The names of all datasets or jobs, in the order in which they were first seen; a page is read at a time."""
    statement = _NAMES.format(table=table)
    after = 0
    while True:
        with store.read() as session:
            rows = session.rows(statement, after=after, most=_PAGE)
        for _, namespace, name in rows:
            if namespaces is None or namespace in namespaces:
                yield TableName(namespace, name)
        if len(rows) < _PAGE:
            return
        after = rows[-1][0]
