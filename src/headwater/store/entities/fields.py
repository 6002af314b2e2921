"""What is known of datasets beside their history: the fields of the last schema, and the names they also go by."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import FOREVER
from headwater.store.db.predicates import last_event
from headwater.store.db.session import Given, Hold, Row, Session, ids
from headwater.store.entities.keys import Keys
from headwater.store.model.compression import unpacked

# Schemas that a dataset was seen with up to a moment, and when each was last: the event that is last by its order.
_SCHEMAS = f"""
SELECT mention.dataset, mention.schema, event.us, event.type, event.hash, mention.role
FROM {{given}} {{join}} mention ON mention.dataset = given.id AND mention.schema IS NOT NULL
{{join}} event ON event.shape = mention.shape
    AND event.us = {last_event("mention.shape", ":until")}
"""  # noqa: S608  our own words
_ALIASES = """
SELECT symlink.alias, event.us, event.type, event.hash, dataset.namespace, dataset.name, symlink.physical
FROM {given} {join} symlink ON symlink.alias = given.id {join} event ON event.shape = symlink.shape
    {join} dataset ON dataset.id = symlink.physical
"""


class SeenSchemas:
    """Derives types and positions of datasets that were seen with a schema that is not their last one.

    The last schema decides; a field that is no longer in it keeps its type and has no place.
    """

    def __init__(self, keys: Keys, seen: Iterable[tuple[int, int]]) -> None:
        self._keys = keys
        self._pairs = set(seen)
        datasets = {dataset for dataset, _ in self._pairs}
        # Held, so that whoever derives a dataset's fields meanwhile waits for this transaction's events, or is waited
        # for.
        locking = keys.session.holding("dataset", Hold.READ)
        self._known = keys.session.soon(
            f"SELECT dataset.id, dataset.schema FROM {{given}} {{join}} dataset ON dataset.id = given.id {locking}",  # noqa: S608  our own words
            ids(datasets),
        )

    def refresh(self) -> None:
        """Derive what has to be."""
        session = self._keys.session
        known: dict[int, int | None] = dict(self._known.rows())
        # A schema that is the dataset's last one already changes nothing by being seen again, which is the daily case.
        touched = {dataset for dataset, schema in self._pairs if known[dataset] != schema}
        if not touched:
            return
        session.lock("dataset", touched, Hold.ALONE)
        orders = schemas_by(session, touched)
        contents = schema_contents(session, {schema for schemas in orders.values() for schema in schemas})
        rows: list[Row] = []
        lasts: list[Row] = []
        for dataset, schemas in sorted(orders.items()):
            lasts.append((dataset, schemas[-1]))
            fields: Fields = {}
            for schema in schemas:
                fields = after_schema(fields, contents[schema])
            self._keys.fields((dataset, path) for path in fields)
            for path, (kind, description, position) in fields.items():
                field = self._keys.cache.fields[dataset, path]
                rows.append((field, kind, description, position))
        session.run(
            "UPDATE field SET type = given.type, description = given.description, position = given.position"
            " FROM {given} WHERE field.id = given.id AND (field.type <> given.type"
            " OR field.description <> given.description"
            " OR coalesce(field.position, -1) <> coalesce(given.position, -1))",
            Given("id int, type text, description text, position int", rows),
        )
        session.run(
            "UPDATE dataset SET schema = given.schema FROM {given} WHERE dataset.id = given.id",
            Given("id int, schema int", lasts),
        )


def schemas_by(session: Session, datasets: Iterable[int], until: int = FOREVER) -> dict[int, list[int]]:
    """The schemas that datasets were seen with up to a moment, the last one last; a dataset without any is left out."""
    orders: dict[int, dict[int, tuple[int, int, bytes, int]]] = defaultdict(dict)
    for dataset, schema, us, kind, hashed, role in session.rows(_SCHEMAS, ids(datasets), until=until):
        # Of what one event says of a dataset that it reads and writes, what is written comes last.
        place = (us, EventType(kind).rank, bytes(hashed)[:8], role)
        orders[dataset][schema] = max(orders[dataset].get(schema, place), place)
    return {dataset: sorted(order, key=order.__getitem__) for dataset, order in orders.items()}


def schema_contents(session: Session, schemas: Iterable[int]) -> dict[int, list[tuple[str, str, str]]]:
    """What schemas say: path, type and description of each field, in their order."""
    statement = "SELECT schema.id, schema.content FROM {given} {join} schema ON schema.id = given.id"
    rows = session.rows(statement, ids(schemas))
    return {key: json.loads(unpacked(content)) for key, content in rows}


Fields: TypeAlias = dict[str, tuple[str, str, int | None]]
"""Of each field its type, description and place."""


def after_schema(before: Fields, schema: Iterable[tuple[str, str, str]]) -> Fields:
    """What holds of fields after one more schema: [path, type, description] of each.

    >>> after_schema({"a": ("int", "", 0)}, [("b", "string", "")])
    {'a': ('int', '', None), 'b': ('string', '', 0)}
    """
    after: Fields = {path: (kind, words, None) for path, (kind, words, _) in before.items()}
    for position, (path, kind, words) in enumerate(schema):
        after[path] = (kind, words, position)
    return after


def alias_changes(events: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """What an alias stood for (from, until, physical), by what is said of it in order (time, physical) (rule 9).

    >>> list(alias_changes([(1, 7), (2, 7), (3, 8), (3, 9)])) == [(1, 3, 7), (3, FOREVER, 9)]
    True
    """
    from_us, stood = 0, None  # what it stood for up to the moment that is looked at
    now_us, now = 0, None
    for us, physical in events:
        if now is not None and us != now_us:
            if stood is not None and stood != now:
                yield from_us, now_us, stood
            if stood != now:
                from_us, stood = now_us, now
        now_us, now = us, physical  # of one moment the last event counts
    if now is not None:
        if stood is not None and stood != now:
            yield from_us, now_us, stood
        yield (from_us if stood == now else now_us), FOREVER, now


def refresh_aliases(keys: Keys, seen: Iterable[tuple[int, int, int]]) -> None:
    """Derive what aliases stood for, where (alias, physical, time) says something that is not known yet (rule 9)."""
    session = keys.session
    links = set(seen)
    aliases = {alias for alias, _, _ in links}
    session.lock("dataset", aliases, Hold.READ)
    known = {
        alias: (physical, from_us)
        for alias, physical, from_us in session.rows(
            "SELECT alias.dataset, alias.physical, alias.from_us FROM {given}"
            " {join} alias ON alias.dataset = given.id AND alias.until_us = given.until",
            Given("id int, until int", [(alias, FOREVER) for alias in sorted(aliases)]),
        )
    }
    touched = {
        alias
        for alias, physical, us in links
        if alias not in known or known[alias][0] != physical or us < known[alias][1]
    }
    if not touched:
        return
    session.lock("dataset", touched, Hold.ALONE)
    events: dict[int, list[tuple[int, int, bytes, str, str, int]]] = defaultdict(list)
    for alias, us, kind, hashed, namespace, name, physical in session.rows(_ALIASES, ids(touched)):
        events[alias].append((us, EventType(kind).rank, bytes(hashed), namespace, name, physical))
    session.run("DELETE FROM alias WHERE dataset IN (SELECT id FROM {given})", ids(touched))
    rows: list[Row] = []
    for alias, ordered_events in sorted(events.items()):
        changes = alias_changes((us, physical) for us, *_, physical in sorted(ordered_events))
        rows += [(alias, until, us, physical) for us, until, physical in changes]
    session.insert("alias", "dataset, until_us, from_us, physical", rows)
