"""From when until when a column is there: added, renamed, dropped, by what schemas and renames say.

Of a column that no schema ever lists nothing is known: it has no lifetime.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from headwater.common.column_path import split_path
from headwater.common.groups import lists_by_key
from headwater.query.graph.columns import not_yet
from headwater.query.graph.intervals import Span
from headwater.store.db.codes import ALWAYS, FOREVER, NOW
from headwater.store.db.session import Session
from headwater.store.entities.fields import schema_contents
from headwater.store.entities.keys import dataset_of
from headwater.store.reads.events import first_ahead
from headwater.store.reads.fields import (
    SchemaChange,
    current_fields,
    field_keys,
    paths_by_id,
    schema_changes,
    seen_later,
    was_read,
    was_written,
)
from headwater.store.reads.names import names_by_id
from headwater.store.reads.renamed_columns import Rename, column_renames


class Turn(Enum):
    """A turn in the life of a column."""

    ADDED = "added"
    RENAMED = "renamed"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Turned:
    """When and how a column's life turned, and by which run of which job; `before` and `after` are its paths."""

    us: int
    turn: Turn
    before: str | None
    after: str | None
    run: str | None
    job: int


@dataclass(frozen=True, slots=True)
class Lifetime:
    """The turns of a column, in their order; and when it was there: from (included) until (not included)."""

    turns: tuple[Turned, ...] = ()
    there: tuple[tuple[int, int], ...] = ((ALWAYS, FOREVER),)

    def dropped(self, at: int) -> Turned | None:
        """How it came that the column is not there at a moment, if it was dropped before."""
        past = [turned for turned in self.turns if turned.us <= at]
        return past[-1] if past and past[-1].turn is Turn.DROPPED else None


class Sighting(NamedTuple):
    """A schema that a dataset has from a moment on: its paths, whose event says so, and whether it is the first."""

    change: SchemaChange
    paths: frozenset[str]
    first: bool = False


def lifetime(sightings: Iterable[Sighting], names: Sequence[tuple[int, str]]) -> Lifetime:
    """The life of a column that has these names, each from a moment on; pure.

    What the first schema lists may have been there before. Schemas may be left out that do not list the column, but for
    the one after those that do.
    """
    turns: list[Turned] = []
    there: list[tuple[int, int]] = []
    since: int | None = None
    before: str | None = None
    at = 0
    for change, paths, first in sightings:
        while at + 1 < len(names) and names[at + 1][0] <= change.us:
            at += 1
        name = names[at][1]
        is_there = name in paths
        if is_there and before is None:
            since = ALWAYS if first else change.us
            if not first:
                turns.append(Turned(change.us, Turn.ADDED, None, name, change.run, change.job))
        elif is_there and name != before:
            turns.append(Turned(change.us, Turn.RENAMED, before, name, change.run, change.job))
        elif not is_there and before is not None:
            there.append((ALWAYS if since is None else since, change.us))
            since = None
            turns.append(Turned(change.us, Turn.DROPPED, before, None, change.run, change.job))
        before = name if is_there else None
    if since is not None:
        there.append((since, FOREVER))
    return Lifetime(tuple(turns), tuple(there)) if there else Lifetime()


def lifetime_of(session: Session, column: int) -> Lifetime:
    """The life of a column, with what lies ahead of the clock."""
    changes = schema_changes(session, dataset_of(column), NOW)
    return _life(session, column, changes, NOW) if changes else Lifetime()


def _life(session: Session, column: int, changes: Collection[SchemaChange], until: int) -> Lifetime:
    names = names_over_time(session, column, until)
    paths = paths_by_id(session, {name for _, name in names})
    return lifetime(_sightings(session, changes), [(us, paths[name]) for us, name in names])


def _sightings(session: Session, changes: Collection[SchemaChange]) -> list[Sighting]:
    contents = schema_contents(session, {change.schema for change in changes})
    paths = {schema: frozenset(path for path, *_ in content) for schema, content in contents.items()}
    return [Sighting(change, paths[change.schema], place == 0) for place, change in enumerate(changes)]


def turns_of_dataset(session: Session, dataset: int) -> list[Turned]:
    """The turns in the lives of all columns of a dataset; of structs, not those of what is in them."""
    keys = {key for _, key in field_keys(session, [dataset])}
    paths = {key: path for key, path in paths_by_id(session, keys).items() if len(split_path(path)) == 1}
    sightings = _sightings(session, schema_changes(session, dataset, NOW))
    renames = column_renames(session, [dataset], NOW)
    lives = lifetimes(
        sightings,
        ([(us, paths.get(name, "")) for us, name in chain] for chain in names_of_columns(renames, paths)),
    )
    gone = {(rename.us, paths.get(rename.old)) for rename in renames}
    return [
        turned
        for life in lives
        for turned in life.turns
        # Under a name that goes on as another, nothing is dropped.
        if turned.turn is not Turn.DROPPED or (turned.us, turned.before) not in gone
    ]


def names_over_time(session: Session, column: int, until: int = NOW) -> list[tuple[int, int]]:
    """The names of a column up to a moment, each from a moment on; the last is the one that is asked about."""
    (names,) = names_of_columns(column_renames(session, [dataset_of(column)], until), [column])
    return names


def names_of_columns(renames: Sequence[Rename], columns: Iterable[int]) -> Iterator[list[tuple[int, int]]]:
    """The names of each column, each from a moment on, by renames in their order; pure.

    The renames are read once, and each column takes as long as it has names.

    >>> [names] = names_of_columns([Rename(1, 2, b"", 5), Rename(2, 3, b"", 7)], [3])
    >>> names == [(ALWAYS, 1), (5, 2), (7, 3)]
    True
    """
    by_new = lists_by_key((rename.new, (place, rename.us, rename.old)) for place, rename in enumerate(renames))
    for column in columns:
        names: list[tuple[int, int]] = []
        name, place = column, len(renames)
        while before := bisect_left(by_new.get(name, ()), (place,)):
            place, us, old = by_new[name][before - 1]
            names.append((us, name))
            name = old
        yield [(ALWAYS, name), *reversed(names)]


def lifetimes(sightings: Sequence[Sighting], columns: Iterable[Sequence[tuple[int, str]]]) -> Iterator[Lifetime]:
    """The lives of columns by their names; pure. Each takes as long as there are schemas that list the column."""
    listing = lists_by_key((path, place) for place, sighting in enumerate(sightings) for path in sighting.paths)
    times = [sighting.change.us for sighting in sightings]
    for names in columns:
        places: set[int] = set()
        for (since, name), (until, _) in zip(names, (*names[1:], (FOREVER, "")), strict=True):
            listed = listing.get(name, [])
            span = slice(*(bisect_left(listed, bisect_left(times, us)) for us in (since, until)))
            places.update(after for place in listed[span] for after in (place, place + 1))
        places.discard(len(sightings))
        yield lifetime([sightings[place] for place in sorted(places)], names)


class Absence(NamedTuple):
    """Why a column is not there at a moment: it was `dropped` before, or only `came` later; neither if it may be."""

    dropped: Turned | None = None
    came: Turned | None = None


def absence(session: Session, column: int, at: int) -> Absence:
    """Whether a column is not there at a moment, and why: nobody wrote it since, or had heard of it until then."""
    if at == session.now and current_fields(session, [column]):
        return Absence()
    dataset = dataset_of(column)
    known = max(at, session.now)
    if column in seen_later(session, [dataset], known):
        return Absence(came=_comes(session, column))
    changes = schema_changes(session, dataset, known)
    life = _life(session, column, changes, known) if changes else Lifetime()
    if dropped := life.dropped(at):
        return Absence() if was_written(session, column, dropped.us, at) else Absence(dropped)
    came = _came(session, column, life) if life.turns else None
    if came is None and changes and at < changes[0].us and not_yet(session, [dataset], Span(at, at)):
        (path,) = paths_by_id(session, [column]).values()
        came = Turned(changes[0].us, Turn.ADDED, None, path, changes[0].run, changes[0].job)
    if came is None or came.us <= at:
        return Absence()
    used = was_written(session, column, ALWAYS, at) or was_read(session, column, ALWAYS, at)
    return Absence() if used else Absence(came=came)


def _comes(session: Session, column: int) -> Turned:
    """How a column that only events ahead of the clock name gets its name."""
    life = lifetime_of(session, column)
    if came := _came(session, column, life) if life.turns else None:
        return came
    dataset = dataset_of(column)
    changes = schema_changes(session, dataset, NOW)
    us = changes[-1].us if changes else first_ahead(session, names_by_id(session, "dataset", [dataset]).values())
    (path,) = paths_by_id(session, [column]).values()
    return Turned(NOW if us is None else us, Turn.ADDED, None, path, None, 0)


def _came(session: Session, column: int, life: Lifetime) -> Turned | None:
    """How a column got its name, as far as that is known."""
    (path,) = paths_by_id(session, [column]).values()
    return next((turned for turned in life.turns if turned.after == path), None)
