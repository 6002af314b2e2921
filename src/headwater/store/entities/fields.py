"""What is known of datasets beside their history: the fields of the last schema, and the names they also go by."""

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import FOREVER, MOST_RENAMES, Flag
from headwater.store.db.predicates import last_event
from headwater.store.db.session import Given, Hold, Row, Session, ids
from headwater.store.entities.keys import Keys
from headwater.store.model.compression import unpacked
from headwater.store.model.order import LAST, before, stamp, stamp_us

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


_STORED_ALIASES = """
SELECT alias.dataset, alias.until_us, alias.from_us, alias.physical FROM {given}
{join} alias ON alias.dataset = given.id
"""
AliasEvent: TypeAlias = tuple[int, bytes, str, str, int, bool]
"""When an alias begins or ends to stand for a dataset: time, stamp, name of the dataset, its key, whether it begins."""
# The names that datasets got by renames, and when the old name was written again.
_OLD_NAMES = f"""
SELECT version.dataset, version.stamp, dataset.namespace, dataset.name, version.renamed,
       (SELECT again.stamp FROM version again
        WHERE again.dataset = version.dataset AND again.us >= version.us AND again.stamp > version.stamp
            AND again.removal = {Flag.NO}
        ORDER BY again.us, again.stamp LIMIT 1)
FROM {{given}} {{join}} version ON version.dataset = given.id AND version.renamed IS NOT NULL
    AND version.removal = {Flag.YES}
{{join}} dataset ON dataset.id = version.renamed
"""  # noqa: S608  our own words
_OLDER_NAMES = f"""
SELECT DISTINCT alias.dataset FROM {{given}} {{join}} alias ON alias.physical = given.id
WHERE EXISTS (
    SELECT 1 FROM version
    WHERE version.dataset = alias.dataset AND version.renamed IS NOT NULL AND version.removal = {Flag.YES}
)
"""  # noqa: S608  our own words


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


def alias_changes(events: Iterable[tuple[int, int, bool]]) -> Iterator[tuple[int, int, int]]:
    """What an alias stood for (from, until, physical), by what is said of it in order (rule 9).

    An event is a time, what the alias stands for, and whether it begins or ends to: a dataset that was renamed stands
    for its new name until the old name is written again.

    >>> list(alias_changes([(1, 7, True), (2, 7, True), (3, 8, True), (3, 9, True)])) == [(1, 3, 7), (3, FOREVER, 9)]
    True
    >>> list(alias_changes([(1, 7, True), (2, 7, False), (3, 7, True), (4, 8, False)])) == [(1, 2, 7), (3, FOREVER, 7)]
    True
    """
    from_us, stood = 0, None  # what it stood for up to the moment that is looked at
    now: int | None = None
    for us, at_once in groupby(events, itemgetter(0)):
        for _, physical, begins in at_once:  # of one moment the last event counts
            if begins:
                now = physical
            elif now == physical:
                now = None
        if stood != now:
            if stood is not None:
                yield from_us, us, stood
            from_us, stood = us, now
    if stood is not None:
        yield from_us, FOREVER, stood


def refresh_aliases(keys: Keys, seen: Iterable[tuple[int, int, int]], renamed: AbstractSet[int] = frozenset()) -> None:
    """Derive what aliases stood for, where (alias, physical, time) says something that is not known yet (rule 9).

    `renamed` are datasets of which a rename, or a write of the old name, came or went.
    """
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
    renamed = _with_older_names(session, renamed)
    touched |= renamed
    if not touched:
        return
    session.lock("dataset", touched, Hold.ALONE)
    events: dict[int, list[AliasEvent]] = defaultdict(list)
    for alias, us, kind, hashed, namespace, name, physical in session.rows(_ALIASES, ids(touched)):
        place = stamp(us, EventType(kind).rank, bytes(hashed))
        events[alias].append((us, place, namespace, name, physical, True))
    _add_old_names(session, events, renamed)
    _replace_aliases(session, set(session.rows(_STORED_ALIASES, ids(touched))), events)


def _with_older_names(session: Session, renamed: AbstractSet[int]) -> set[int]:
    """Datasets that were renamed, and all that stand for one of them after renames of their own."""
    reached, new = set(renamed), set(renamed)
    while new:
        new = {old for (old,) in session.rows(_OLDER_NAMES, ids(new))} - reached
        reached |= new
    return reached


def add_old_names(session: Session, renamed: AbstractSet[int]) -> None:
    """Add the old names of datasets to the aliases that are there already, where the events behind these are not."""
    stored = set(session.rows(_STORED_ALIASES, ids(renamed)))
    events: dict[int, list[AliasEvent]] = defaultdict(list)
    for alias, until, us, physical in sorted(stored):
        events[alias] += [
            (us, before(us), "", "", physical, True),
            (until, LAST, "", "", physical, False),
        ]
    _add_old_names(session, events, renamed)
    _replace_aliases(session, stored, events)


def _add_old_names(session: Session, events: dict[int, list[AliasEvent]], renamed: AbstractSet[int]) -> None:
    """Add what datasets stand for after renames, until the old name is written again.

    `a` that became `b` stands for it. Where that became `c`, and another table takes the name `b`, `a` stands for `c`.
    """
    olds: dict[int, list[_OldName]] = {}
    ahead = set(renamed)
    while ahead:
        rows: list[Row] = session.rows(_OLD_NAMES, ids(ahead))
        olds |= {old: [] for old in ahead}
        for old, at, namespace, name, physical, again in sorted(rows, key=lambda row: bytes(row[1])):
            rename = _OldName(bytes(at), (namespace, name, physical), None if again is None else bytes(again))
            olds[old].append(rename)
        ahead = {rename.new[-1] for old in ahead for rename in olds[old]} - olds.keys()
    for old in sorted(renamed):
        for rename in olds[old]:
            for begins, new in _stood_for(rename, olds):
                events[old].append((stamp_us(begins), begins, *new, True))
                if rename.again is not None:
                    events[old].append((stamp_us(rename.again), rename.again, *new, False))


class _OldName(NamedTuple):
    """A rename: when, the new name and its key, and when the old name is written again."""

    at: bytes
    new: tuple[str, str, int]
    again: bytes | None


def _stood_for(rename: _OldName, olds: Mapping[int, Sequence[_OldName]]) -> list[tuple[bytes, tuple[str, str, int]]]:
    """What a dataset stands for after a rename, and from when on."""
    found = [(rename.at, rename.new)]
    step = rename
    for _ in range(MOST_RENAMES):
        after = olds[step.new[-1]]
        place = bisect_left(after, step.at, key=lambda each: each.at)
        if place == len(after) or (taken := after[place].again) is None:
            break
        step = after[place]
        if taken <= found[-1][0]:
            found[-1] = found[-1][0], step.new
        elif rename.again is not None and taken >= rename.again:
            break
        else:
            found.append((taken, step.new))
    return found


def _replace_aliases(session: Session, stored: set[Row], events: Mapping[int, list[AliasEvent]]) -> None:
    rows: set[Row] = set()
    for alias, ordered_events in events.items():
        changes = alias_changes((us, physical, begins) for us, *_, physical, begins in sorted(ordered_events))
        rows |= {(alias, until, us, physical) for us, until, physical in changes}
    columns = "dataset, until_us, from_us, physical"
    session.delete("alias", columns, sorted(stored - rows))
    session.insert("alias", columns, sorted(rows - stored))
