"""The datasets and jobs that changes touch, at the moment that the builder is at, and what the store has of them later.

The store gives the state when the first change was made, and every change after it. These are applied again in their
place: a change that arrives late meets the state of its own time, and what holds later stays.
"""

import heapq
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple, Protocol, TypeAlias

from headwater.datahub.aspects.aspect_store import AspectChange, Key
from headwater.datahub.aspects.changes import Change, How
from headwater.datahub.aspects.reading import Known, Name
from headwater.datahub.imports.entity_state import DATASET_KEY, OF_LINEAGE, EntityState, mentioned, moves_fields
from headwater.datahub.imports.events import has_facet
from headwater.datahub.naming.store_names import ENTITIES
from headwater.fields.errors import DataHubError
from headwater.store.reads.notes import NoteRef

DATASET, JOB = "dataset", "job"
Entity: TypeAlias = tuple[str, Name]
"""A dataset or a job."""
_OTHERS: Entity = (DATASET, ENTITIES)


class Located(NamedTuple):
    """A change, its time, and its place in a file."""

    change: Change
    us: int
    place: Any


class EntityChange(NamedTuple):
    """A change, the dataset or job that it changes, and the aspect."""

    located: Located
    entity: Entity
    key: Key


class StoredChange(NamedTuple):
    """A change that the store has from a moment after a change that arrives only now; None is deleted."""

    entity: Entity
    key: Key
    value: Any


class Names(Protocol):
    """Finds the datasets of URNs."""

    def name_of(self, urn: str) -> Name:
        """The dataset of a URN; raises `DataHubError` where it has none."""

    def look_up(self, urns: Iterable[str]) -> None:
        """Look up many at once, which costs less than one by one."""


@dataclass(frozen=True)
class Memory:
    """What the store knows.

    Attributes:
        aspects: the aspects of datasets or jobs at a moment.
        since: the changes to them after a moment.
        entities: some aspects of other entities at a moment.
        values: the values that changes set.
        readers: the datasets and jobs that read datasets.
    """

    aspects: Callable[[str, Collection[Name], int], dict[Name, dict[Key, Any]]]
    since: Callable[[str, Collection[Name], int], dict[Name, list[AspectChange]]]
    entities: Callable[[Collection[Key], int], dict[Key, Any]]
    values: Callable[[Sequence[NoteRef]], list[Any]]
    readers: Callable[[Collection[Name]], tuple[set[Name], set[Name]]]


class GraphState:
    """The datasets and jobs that changes touch, moved from moment to moment."""

    def __init__(self, names: Names, memory: Memory) -> None:
        self._names = names
        self._memory = memory
        self._entities: dict[Entity, EntityState] = {}
        self._with_readers: set[Name] = set()
        self._with_lineage: set[Entity] = set()
        self._wiped: set[Entity] = set()
        self._later: list[tuple[int, int, Entity, AspectChange]] = []
        self._count = count()
        self._named: dict[int, set[str]] = {}
        self.readers: dict[Name, set[Entity]] = defaultdict(set)
        # Aspects that changed and that nothing later sets again: what the store has since then may be wrong.
        self.open: dict[Entity, set[Key]] = defaultdict(set)
        self.known = Known(
            names.name_of,
            lambda name: self.state((DATASET, name)).fields,
            lambda name: self.state((DATASET, name)).removed,
        )

    def state(self, entity: Entity) -> EntityState:
        """The state of a dataset or a job."""
        state = self._entities.get(entity)
        if state is None:
            state = self._entities[entity] = EntityState()
        return state

    def named_in(self, change: Change) -> set[str] | None:
        """The URNs that the lineage of a change mentions, if `load` read them."""
        return self._named.get(id(change))

    def named(self, urns: Iterable[str]) -> set[Name]:
        """The datasets of URNs; bad ones are reported where lineage is read."""
        names = set()
        for urn in urns:
            try:
                names.add(self._names.name_of(urn))
            except DataHubError:  # noqa: PERF203  each is good or bad by itself
                continue
        return names

    def load(self, changes: Sequence[EntityChange]) -> list[Entity]:
        """Load all that changes touch; returns the datasets and jobs with lineage, to be derived as it is now."""
        at = changes[0].located.us
        patched = {key for located, entity, key in changes if entity == _OTHERS and located.change.how is How.PATCH}
        self._load_others(patched, at)
        touched = {entity for _, entity, _ in changes}
        self._named = {
            id(located.change): mentioned(located.change.value)
            for located, _, key in changes
            if key.aspect in OF_LINEAGE and located.change.how is How.SET
        }
        urns = set().union(*self._named.values())
        self._names.look_up(urns)
        touched |= {(DATASET, name) for name in self.named(urns)}
        touched.discard(_OTHERS)
        followed = {entity for _, entity, key in changes if moves_fields(key) or key.aspect in OF_LINEAGE} - {_OTHERS}
        moving = {entity[1] for _, entity, key in changes if moves_fields(key)} - self._with_readers
        if moving:
            self._with_readers |= moving
            datasets, jobs = self._memory.readers(moving)
            followed |= {(DATASET, name) for name in datasets} | {(JOB, name) for name in jobs}
        self._fetch(touched | followed, at)
        return self.load_lineage(followed, at)

    def load_lineage(self, entities: set[Entity], at: int) -> list[Entity]:
        """Load what lineage names; returns the datasets and jobs whose lineage was not loaded before.

        Lineage costs much: a tag or a description does not need it.
        """
        new = entities - self._with_lineage
        self._with_lineage |= new
        readers = [entity for entity in sorted(new) if self.state(entity).has_lineage]
        self._load_named({urn for entity in readers for urn in self.state(entity).mentioned()}, at)
        for entity in readers:
            self.note_readers(entity, at)
        return readers

    def _load_others(self, keys: set[Key], at: int) -> None:
        """Load only what a patch needs of all other entities: there may be very many."""
        aspects = self.state(_OTHERS).aspects
        if missing := keys - aspects.keys():
            aspects.update(self._memory.entities(missing, at))

    def _fetch(self, entities: set[Entity], at: int) -> None:
        for table in (DATASET, JOB):
            names = {entity[1] for entity in entities if entity[0] == table and entity not in self._entities}
            aspects = self._memory.aspects(table, names, at) if names else {}
            since = self._memory.since(table, names, at) if names else {}
            for name in names:
                state = self._entities[table, name] = EntityState(aspects.get(name, {}))
                for change in since.get(name, ()):
                    if change.key == DATASET_KEY:
                        self._wiped.add((table, name))
                    heapq.heappush(self._later, (change.us, next(self._count), (table, name), change))
                if state.aspects and table == DATASET:
                    state.refresh_schema()

    def _load_named(self, urns: set[str], at: int) -> set[Name]:
        """Load the datasets of URNs."""
        self._names.look_up(urns)
        names = self.named(urns)
        self._fetch({(DATASET, name) for name in names}, at)
        return names

    def note_readers(self, entity: Entity, at: int) -> None:
        """Load the datasets that the lineage of an entity names, and remember that it reads them."""
        for name in self._load_named(self.state(entity).mentioned(), at):
            self.readers[name].add(entity)

    def next_us(self) -> int | None:
        """The time of the next change that the store has."""
        return self._later[0][0] if self._later else None

    def pop_stored(self, us: int) -> list[StoredChange]:
        """Remove and return the changes that the store has from a moment."""
        changes: list[tuple[Entity, AspectChange]] = []
        while self._later and self._later[0][0] == us:
            _, _, entity, change = heapq.heappop(self._later)
            changes.append((entity, change))
        values = self._memory.values([change.ref for _, change in changes]) if changes else []
        return [
            StoredChange(entity, change.key, value) for (entity, change), value in zip(changes, values, strict=True)
        ]

    def mark_open(self, entity: Entity, keys: Iterable[Key]) -> None:
        """Note that aspects changed that facets show, or that are all deleted later."""
        wiped = entity in self._wiped
        self.open[entity] |= {key for key in keys if wiped or has_facet(key)}

    @property
    def unsettled(self) -> bool:
        """Whether anything that the store has from later moments may be wrong now."""
        return any(self.open.values())

    def stale(self, entity: Entity) -> bool:
        """Whether what the store has of an entity at this moment may be wrong now."""
        if self.open.get(entity):
            return True
        return any(
            moves_fields(key)
            for name in self.named(self.state(entity).mentioned())
            for key in self.open.get((DATASET, name), ())
        )
