"""Changes of DataHub into a store: read, in the order of their time, built into events, ingested."""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from headwater.datahub.builder import DATASET, Builder, Built, Located, Memory
from headwater.datahub.changes import changes_of
from headwater.datahub.errors import DataHubError
from headwater.datahub.files import read_records
from headwater.datahub.inventory import all_names
from headwater.datahub.kept import Key, kept_aspects, readers_of
from headwater.datahub.names import Naming
from headwater.datahub.reading import Name
from headwater.store import Store

_BATCH = 1_000


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
) -> Imported:
    """Bring changes into a store.

    Args:
        store: where to.
        changes: in any order; those of one moment in the order in which they were made.
        naming: how datasets' names and URNs belong together.
        progress: is told how many changes are done.
    """
    naming = naming or Naming()
    store.prepare()
    with store.read() as session:
        names = all_names(session, naming)
    builder = Builder(names, naming.env, _memory(store, names.datasets))
    result = Imported()
    waiting: deque[tuple[list[Located], Built]] = deque()

    def events() -> Iterator[list[dict[str, Any]]]:
        for batch in _batches(sorted(changes, key=lambda one: one.us)):
            waiting.append((batch, builder.build(batch)))
            yield waiting[-1][1].events

    # While one batch is written, the next is built: what that has to know of the one before, the builder remembers.
    for stored in store.ingest_many(events()):
        batch, built = waiting.popleft()
        result.refused += [Refused(problem.place, problem.reason) for problem in built.problems]
        result.changes += len(batch)
        result.events += stored.accepted
        for bad in stored.rejected:
            event = built.events[bad.index]
            named = event.get("dataset") or event["job"]
            result.refused.append(Refused(batch[0].place, f"{named['namespace']}/{named['name']}: {bad}"))
        if progress is not None:
            progress(result.changes)
    return result


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


def _memory(store: Store, there: frozenset[Name]) -> Memory:
    """What the store knows of the datasets that it had at the start; what came since, the builder remembers."""

    def aspects(table: str, names: Collection[Name], at: int) -> dict[Name, dict[Key, Any]]:
        wanted = there.intersection(names) if table == DATASET else names
        if not wanted:
            return {}
        with store.read() as session:
            return kept_aspects(session, table, wanted, at)

    def readers(names: Collection[Name]) -> tuple[set[Name], set[Name]]:
        if not (wanted := there.intersection(names)):
            return set(), set()
        with store.read() as session:
            return readers_of(session, wanted)

    return Memory(aspects, readers)
