"""Changes of DataHub into a store: read, in the order of their time, built into events, ingested."""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from headwater.common.garbage import collecting_rarely
from headwater.datahub.aspects.aspect_store import (
    Key,
    Later,
    Ref,
    kept_aspects,
    kept_by_key,
    kept_since,
    kept_values,
    readers_of,
)
from headwater.datahub.aspects.changes import changes_of
from headwater.datahub.aspects.reading import Name
from headwater.datahub.files import read_records
from headwater.datahub.imports.builder import Builder, Built, Told
from headwater.datahub.imports.last_word import be_last
from headwater.datahub.imports.state import DATASET, JOB, Located, Memory
from headwater.datahub.naming.datasets import Naming
from headwater.datahub.naming.lookup import AskedNames
from headwater.datahub.naming.store_names import ENTITIES
from headwater.fields.errors import DataHubError
from headwater.store import IngestResult, Store
from headwater.store.writer_process import ingest_apart

_BATCH = 1_000
# From so many changes on, a second process is worth its start.
MANY = 3_000
"""From so many changes on, a process of its own is worth its start."""


class Place(NamedTuple):
    """A line of a file."""

    file: str
    line: int


class Refused(NamedTuple):
    """What was not taken, and why."""

    place: Place
    reason: str


@dataclass
class Imported:
    """What became of changes: how many there were, how many events were made of them, and what was refused."""

    changes: int = 0
    events: int = 0
    refused: list[Refused] = field(default_factory=list)


def read_changes(file: str, text: str, default_us: int, refused: list[Refused]) -> Iterator[Located]:
    """The changes of a file; one that does not say when it was, was at `default_us`."""
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
    apart: bool = False,
) -> Imported:
    """Bring changes into a store, once; see `Importer.take`."""
    with collecting_rarely():
        return Importer(store, naming or Naming()).take(changes, progress, apart=apart)


class Importer:
    """Brings changes into a store, again and again; one caller at a time.

    Args:
        store: where to.
        naming: how datasets' names and URNs belong together.
    """

    def __init__(self, store: Store, naming: Naming) -> None:
        self._store = store
        self._naming = naming

    def take(
        self, changes: Sequence[Located], progress: Callable[[int], None] | None = None, *, apart: bool = False
    ) -> Imported:
        """Bring in changes; when this returns, what is not refused is on disk.

        Args:
            changes: in any order; those of one moment in the order in which they were made.
            progress: is told how many changes are done.
            apart: let a process of its own write; `in_processes` says what that asks of the main module.
        """
        self._store.prepare()
        names = AskedNames(self._naming, self._store.read)
        builder = Builder(names, self._naming.env, _memory(self._store, names))
        result = Imported()
        waiting: deque[tuple[list[Located], Built]] = deque()

        def events() -> Iterator[list[dict[str, Any]]]:
            for batch in _batches(sorted(changes, key=lambda one: one.us)):
                waiting.append((batch, builder.build(batch)))
                yield self._events(waiting[-1][1], names)
            if (rest := builder.finish()).told:
                waiting.append(([], rest))
                yield self._events(rest, names)

        # While one batch is written, the next is built: what that has to know of the one before, the builder remembers.
        for stored in self._ingested(events(), apart=apart, few=len(changes) <= _BATCH):
            batch, built = waiting.popleft()
            result.refused += [Refused(problem.place, problem.reason) for problem in built.problems]
            result.changes += len(batch)
            result.events += stored.accepted
            for bad in stored.rejected:
                _, name = built.told[bad.index].whose
                result.refused.append(Refused((batch or changes)[0].place, f"{'/'.join(name)}: {bad}"))
            if progress is not None:
                progress(result.changes)
        return result

    def _ingested(self, batches: Iterator[list[dict[str, Any]]], *, apart: bool, few: bool) -> Iterator[IngestResult]:
        if apart:
            return ingest_apart(self._store, batches)
        return map(self._store.ingest, batches) if few else self._store.ingest_many(batches)

    def _events(self, built: Built, names: AskedNames) -> list[dict[str, Any]]:
        """The events, each the last of its moment that the store has of its dataset or job."""
        stored = names.stored({told.whose[1] for told in built.told if told.whose[0] == DATASET})
        asked: list[Told] = []
        new: list[Told] = []
        for told in built.told:
            known = told.whose[1] != ENTITIES and (told.whose[0] == JOB or told.whose[1] in stored)
            (asked if known else new).append(told)
        if asked:
            with self._store.read() as session:
                asked = be_last(session, asked)
        built.told = [*new, *asked]
        return [told.event for told in built.told]


def _batches(changes: Sequence[Located]) -> Iterator[list[Located]]:
    """Batches of about one size; what is of one moment stays together, since it becomes one event a dataset."""
    batch: list[Located] = []
    for _, group in groupby(changes, key=lambda one: one.us):
        batch += group
        if len(batch) >= _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _memory(store: Store, asked: AskedNames) -> Memory:
    """What the store knows; it is not asked for datasets that it does not have."""

    def there(table: str, names: Collection[Name]) -> Collection[Name]:
        return asked.stored(names) if table == DATASET else names

    def aspects(table: str, names: Collection[Name], at: int) -> dict[Name, dict[Key, Any]]:
        if not (wanted := there(table, names)):
            return {}
        with store.read() as session:
            return kept_aspects(session, table, wanted, at)

    def since(table: str, names: Collection[Name], at: int) -> dict[Name, list[Later]]:
        if not (wanted := there(table, names)):
            return {}
        with store.read() as session:
            return kept_since(session, table, wanted, at)

    def entities(keys: Collection[Key], at: int) -> dict[Key, Any]:
        with store.read() as session:
            return kept_by_key(session, ENTITIES, keys, at)

    def values(refs: Sequence[Ref]) -> list[Any]:
        with store.read() as session:
            return kept_values(session, refs)

    def readers(names: Collection[Name]) -> tuple[set[Name], set[Name]]:
        if not (wanted := asked.stored(names)):
            return set(), set()
        with store.read() as session:
            datasets, jobs = readers_of(session, wanted)
        asked.add_stored(datasets)
        return datasets, jobs

    return Memory(aspects, since, entities, values, readers)
