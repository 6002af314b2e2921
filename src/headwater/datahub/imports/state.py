"""What is known of datasets and jobs at the moment that the builder looks at, and what the store has of them later.

The store is asked for what changes touch: what was known when the first of them was made, and what came after. That is
applied again in its place, so that a change which arrives late meets what was known then, and what holds later stays.
"""

import heapq
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple, Protocol, TypeAlias

from headwater.datahub.aspects.aspect_store import Key, Later, Ref
from headwater.datahub.aspects.changes import Change, How
from headwater.datahub.aspects.reading import Known, Name
from headwater.datahub.imports.entity_state import DATASET_KEY, OF_LINEAGE, Thing, mentioned, moves_fields
from headwater.datahub.imports.events import is_told
from headwater.datahub.naming.store_names import ENTITIES
from headwater.fields.errors import DataHubError

DATASET, JOB = "dataset", "job"
Whose: TypeAlias = tuple[str, Name]
"""A dataset or a job."""
_ALL_ELSE: Whose = (DATASET, ENTITIES)


class Located(NamedTuple):
    """A change, when it was, and where it stands."""

    change: Change
    us: int
    place: Any


class Found(NamedTuple):
    """A change, whose it is, and which aspect it is of."""

    one: Located
    whose: Whose
    key: Key


class Due(NamedTuple):
    """What the store has of a moment that comes after a change that is made only now; None is deleted."""

    whose: Whose
    key: Key
    value: Any


class Names(Protocol):
    """Gives the datasets of URNs."""

    def name_of(self, urn: str) -> Name:
        """The dataset of a URN; raises `DataHubError` where it has none."""

    def look_up(self, urns: Iterable[str]) -> None:
        """Have many at hand, which costs less than one by one."""


@dataclass(frozen=True)
class Memory:
    """What the store knows.

    Attributes:
        aspects: of datasets or jobs, as of a moment.
        since: what came after it.
        entities: some aspects of what is no dataset, no field and no job, as of a moment.
        values: what aspects that came after were set to.
        readers: the datasets and jobs that are made of datasets.
    """

    aspects: Callable[[str, Collection[Name], int], dict[Name, dict[Key, Any]]]
    since: Callable[[str, Collection[Name], int], dict[Name, list[Later]]]
    entities: Callable[[Collection[Key], int], dict[Key, Any]]
    values: Callable[[Sequence[Ref]], list[Any]]
    readers: Callable[[Collection[Name]], tuple[set[Name], set[Name]]]


class World:
    """The datasets and jobs that changes touch, brought from moment to moment."""

    def __init__(self, names: Names, memory: Memory) -> None:
        self._names = names
        self._memory = memory
        self._things: dict[Whose, Thing] = {}
        self._asked: set[Name] = set()
        self._deep: set[Whose] = set()
        self._wiped: set[Whose] = set()
        self._later: list[tuple[int, int, Whose, Later]] = []
        self._count = count()
        self._named: dict[int, set[str]] = {}
        self.readers: dict[Name, set[Whose]] = defaultdict(set)
        # Aspects that were changed and that nothing later has set again: what the store was told since may be wrong.
        self.open: dict[Whose, set[Key]] = defaultdict(set)
        self.known = Known(
            names.name_of,
            lambda name: self.thing((DATASET, name)).fields,
            lambda name: self.thing((DATASET, name)).gone,
        )

    def thing(self, whose: Whose) -> Thing:
        """A dataset or a job."""
        found = self._things.get(whose)
        if found is None:
            found = self._things[whose] = Thing()
        return found

    def named_in(self, change: Change) -> set[str] | None:
        """What the lineage of a change mentions, if it was loaded for it."""
        return self._named.get(id(change))

    def named(self, urns: Iterable[str]) -> set[Name]:
        """The datasets of URNs; of a bad one, who reads it says so."""
        found = set()
        for urn in urns:
            try:
                found.add(self._names.name_of(urn))
            except DataHubError:  # noqa: PERF203  each is good or bad by itself
                continue
        return found

    def load(self, found: Sequence[Found]) -> list[Whose]:
        """Know all that changes touch; returns what lineage the store has of that, to be said as it is now."""
        at = found[0].one.us
        patched = {key for one, whose, key in found if whose == _ALL_ELSE and one.change.how is How.PATCH}
        self._load_entities(patched, at)
        wanted = {whose for _, whose, _ in found}
        self._named = {
            id(one.change): mentioned(one.change.value)
            for one, _, key in found
            if key.aspect in OF_LINEAGE and one.change.how is How.SET
        }
        urns = set().union(*self._named.values())
        self._names.look_up(urns)
        wanted |= {(DATASET, name) for name in self.named(urns)}
        wanted.discard(_ALL_ELSE)
        deep = {whose for _, whose, key in found if moves_fields(key) or key.aspect in OF_LINEAGE} - {_ALL_ELSE}
        asked = {whose[1] for _, whose, key in found if moves_fields(key)} - self._asked
        if asked:
            self._asked |= asked
            datasets, jobs = self._memory.readers(asked)
            deep |= {(DATASET, name) for name in datasets} | {(JOB, name) for name in jobs}
        self._fetch(wanted | deep, at)
        return self.deepen(deep, at)

    def deepen(self, wanted: set[Whose], at: int) -> list[Whose]:
        """Know what things are made of; returns those whose lineage was not looked at before.

        A tag or a description has nothing to do with lineage: it costs much, and is not looked at for them.
        """
        new = wanted - self._deep
        self._deep |= new
        found = [whose for whose in sorted(new) if self.thing(whose).has_lineage]
        self._know({urn for whose in found for urn in self.thing(whose).mentioned()}, at)
        for whose in found:
            self.note_readers(whose, at)
        return found

    def _load_entities(self, keys: set[Key], at: int) -> None:
        """Of all that is no dataset and no job, only what a patch needs: there may be very much."""
        there = self.thing(_ALL_ELSE).aspects
        if missing := keys - there.keys():
            there.update(self._memory.entities(missing, at))

    def _fetch(self, wanted: set[Whose], at: int) -> None:
        for table in (DATASET, JOB):
            names = {whose[1] for whose in wanted if whose[0] == table and whose not in self._things}
            kept = self._memory.aspects(table, names, at) if names else {}
            since = self._memory.since(table, names, at) if names else {}
            for name in names:
                thing = self._things[table, name] = Thing(kept.get(name, {}))
                for later in since.get(name, ()):
                    if later.key == DATASET_KEY:
                        self._wiped.add((table, name))
                    heapq.heappush(self._later, (later.us, next(self._count), (table, name), later))
                if thing.aspects and table == DATASET:
                    thing.refresh_schema()

    def _know(self, urns: set[str], at: int) -> set[Name]:
        """Know the datasets of URNs."""
        self._names.look_up(urns)
        names = self.named(urns)
        self._fetch({(DATASET, name) for name in names}, at)
        return names

    def note_readers(self, whose: Whose, at: int) -> None:
        """Remember who names which datasets, and know these."""
        for name in self._know(self.thing(whose).mentioned(), at):
            self.readers[name].add(whose)

    def next_us(self) -> int | None:
        """When the store has something next."""
        return self._later[0][0] if self._later else None

    def due(self, us: int) -> list[Due]:
        """What the store has of a moment."""
        taken: list[tuple[Whose, Later]] = []
        while self._later and self._later[0][0] == us:
            _, _, whose, later = heapq.heappop(self._later)
            taken.append((whose, later))
        values = self._memory.values([later.ref for _, later in taken]) if taken else []
        return [Due(whose, later.key, value) for (whose, later), value in zip(taken, values, strict=True)]

    def open_up(self, whose: Whose, keys: Iterable[Key]) -> None:
        """Note that aspects were changed by which other things are told, or that are all deleted later."""
        wiped = whose in self._wiped
        self.open[whose] |= {key for key in keys if wiped or is_told(key)}

    @property
    def unsettled(self) -> bool:
        """Whether anything that the store was told of later moments may be another now."""
        return any(self.open.values())

    def stale(self, whose: Whose) -> bool:
        """Whether what the store was told of something at this moment may be another now."""
        if self.open.get(whose):
            return True
        return any(
            moves_fields(key)
            for name in self.named(self.thing(whose).mentioned())
            for key in self.open.get((DATASET, name), ())
        )
