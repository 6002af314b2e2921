"""DataHub's changes into a store: read, put in the order of time, built into events, ingested."""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from headwater.common.garbage import collecting_rarely
from headwater.datahub.aspects.aspect_store import (
    AspectChange,
    Key,
    aspect_values,
    aspects_at,
    changes_since,
    readers_of,
    some_aspects_at,
)
from headwater.datahub.aspects.changes import changes_of
from headwater.datahub.aspects.reading import Name
from headwater.datahub.files import read_records
from headwater.datahub.imports.builder import Builder, Built, BuiltEvent, Problem
from headwater.datahub.imports.last_word import be_last
from headwater.datahub.imports.state import DATASET, JOB, Located, Memory
from headwater.datahub.naming.datasets import Naming
from headwater.datahub.naming.lookup import UrnLookup
from headwater.datahub.naming.store_names import ENTITIES
from headwater.fields.errors import DataHubError
from headwater.store import IngestResult, Store
from headwater.store.reads.notes import NoteRef
from headwater.store.writer_process import ingest_apart

_BATCH = 1_000
MANY = 3_000
"""From so many changes on, a process of its own is worth its start."""
_TOO_LATE = (
    "Too many changes have the same time: send this one again with a later time (systemMetadata.lastObserved), or"
    " without one"
)


class Place(NamedTuple):
    """A line of a file."""

    file: str
    line: int


class Refused(NamedTuple):
    """A change that was not imported, and why."""

    place: Place
    reason: str


@dataclass
class Imported:
    """The result of an import: how many changes, how many events they became, and which were refused."""

    changes: int = 0
    events: int = 0
    refused: list[Refused] = field(default_factory=list)


def read_changes(file: str, text: str, default_us: int, refused: list[Refused]) -> Iterator[Located]:
    """The changes of a file; one without a time gets `default_us`."""
    for record in read_records(text):
        place = Place(file, record.line)
        if record.problem is not None:
            refused.append(Refused(place, record.problem))
            continue
        try:
            for change in changes_of(record.value):
                yield Located(change, default_us if change.us is None else change.us, place)
        except DataHubError as error:
            refused.append(Refused(place, str(error)))


def import_changes(
    store: Store,
    changes: Sequence[Located],
    naming: Naming | None = None,
    progress: Callable[[int], None] | None = None,
    *,
    own_process: bool = False,
) -> Imported:
    """Import changes into a store, once; see `Importer.take`."""
    with collecting_rarely():
        return Importer(store, naming or Naming()).take(changes, progress, own_process=own_process)


class Importer:
    """Imports changes into a store, again and again; one caller at a time."""

    def __init__(self, store: Store, naming: Naming) -> None:
        self._store = store
        self._naming = naming

    def take(
        self, changes: Sequence[Located], progress: Callable[[int], None] | None = None, *, own_process: bool = False
    ) -> Imported:
        """Import changes; when this returns, what is not refused is on disk.

        Args:
            changes: in any order; those of one moment in the order in which they were made.
            progress: called with the number of changes that are done.
            own_process: let a process of its own write; `in_processes` says what that asks of the main module.
        """
        self._store.prepare()
        names = UrnLookup(self._naming, self._store.read)
        builder = Builder(names, self._naming.env, _memory(self._store, names))
        result = Imported()
        waiting: deque[tuple[list[Located], Built]] = deque()

        def events() -> Iterator[list[dict[str, Any]]]:
            for batch in _batches(sorted(changes, key=lambda located: located.us)):
                waiting.append((batch, builder.build(batch)))
                yield self._events(*waiting[-1], names)
            if (rest := builder.finish()).events:
                waiting.append(([], rest))
                yield self._events(changes, rest, names)

        # While one batch is written, the next is built; the builder remembers what it needs of the one before.
        for stored in self._ingest(events(), own_process=own_process, few=len(changes) <= _BATCH):
            batch, built = waiting.popleft()
            result.refused += [Refused(problem.place, problem.reason) for problem in built.problems]
            result.changes += len(batch)
            result.events += stored.accepted
            for bad in stored.rejected:
                event = built.events[bad.index]
                reason = f"{'/'.join(event.entity[1])}: {bad}"
                result.refused += [Refused(place, reason) for place in _places(batch or changes, event)]
            if progress is not None:
                progress(result.changes)
        return result

    def _ingest(
        self, batches: Iterator[list[dict[str, Any]]], *, own_process: bool, few: bool
    ) -> Iterator[IngestResult]:
        if own_process:
            return ingest_apart(self._store, batches)
        return map(self._store.ingest, batches) if few else self._store.ingest_many(batches)

    def _events(self, batch: Sequence[Located], built: Built, names: UrnLookup) -> list[dict[str, Any]]:
        """The events, each the last of its moment that the store has of its dataset or job."""
        stored = names.stored({event.entity[1] for event in built.events if event.entity[0] == DATASET})
        known: list[BuiltEvent] = []
        new: list[BuiltEvent] = []
        for event in built.events:
            table, name = event.entity
            is_known = name != ENTITIES and (table == JOB or name in stored)
            (known if is_known else new).append(event)
        if known:
            with self._store.read() as session:
                known, too_late = be_last(session, known)
            for event in too_late:
                reason = f"{'/'.join(event.entity[1])}: {_TOO_LATE}"
                built.problems += [Problem(place, reason) for place in _places(batch, event)]
        built.events = [*new, *known]
        return [event.event for event in built.events]


def _places(changes: Sequence[Located], event: BuiltEvent) -> list[Place]:
    """Where the changes stand that an event was made of: those of its moment."""
    return [located.place for located in changes if located.us == event.us] or [changes[0].place]


def _batches(changes: Sequence[Located]) -> Iterator[list[Located]]:
    """Batches of about one size; the changes of one moment stay in one batch, as they become one event a dataset."""
    batch: list[Located] = []
    for _, group in groupby(changes, key=lambda located: located.us):
        batch += group
        if len(batch) >= _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _memory(store: Store, datasets: UrnLookup) -> Memory:
    """What the store knows; no query asks for datasets that it does not have."""

    def stored(table: str, names: Collection[Name]) -> Collection[Name]:
        return datasets.stored(names) if table == DATASET else names

    def aspects(table: str, names: Collection[Name], at: int) -> dict[Name, dict[Key, Any]]:
        if not (names := stored(table, names)):
            return {}
        with store.read() as session:
            return aspects_at(session, table, names, at)

    def since(table: str, names: Collection[Name], at: int) -> dict[Name, list[AspectChange]]:
        if not (names := stored(table, names)):
            return {}
        with store.read() as session:
            return changes_since(session, table, names, at)

    def entities(keys: Collection[Key], at: int) -> dict[Key, Any]:
        with store.read() as session:
            return some_aspects_at(session, ENTITIES, keys, at)

    def values(refs: Sequence[NoteRef]) -> list[Any]:
        with store.read() as session:
            return aspect_values(session, refs)

    def readers(names: Collection[Name]) -> tuple[set[Name], set[Name]]:
        if not (names := datasets.stored(names)):
            return set(), set()
        with store.read() as session:
            reading, jobs = readers_of(session, names)
        datasets.add_stored(reading)
        return reading, jobs

    return Memory(aspects, since, entities, values, readers)
