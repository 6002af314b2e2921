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

from headwater.datahub.changes import Change, How
from headwater.datahub.errors import DataHubError
from headwater.datahub.kept import Key, Later, Ref
from headwater.datahub.reading import Known, Name
from headwater.datahub.store_names import ENTITIES
from headwater.datahub.things import OF_LINEAGE, Thing, mentioned, moves_fields

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
        self._later: list[tuple[int, int, Whose, Later]] = []
        self._count = count()
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
        urns = {urn for one, _, key in found if key.aspect in OF_LINEAGE for urn in mentioned(one.change.value)}
        self._names.look_up(urns)
        wanted |= {(DATASET, name) for name in self.named(urns)}
        wanted.discard(_ALL_ELSE)
        asked = {whose[1] for _, whose, key in found if moves_fields(key)} - self._asked
        if asked:
            self._asked |= asked
            datasets, jobs = self._memory.readers(asked)
            wanted |= {(DATASET, name) for name in datasets} | {(JOB, name) for name in jobs}
        return self._fetch(wanted, at)

    def _load_entities(self, keys: set[Key], at: int) -> None:
        """Of all that is no dataset and no job, only what a patch needs: there may be very much."""
        there = self.thing(_ALL_ELSE).aspects
        if missing := keys - there.keys():
            there.update(self._memory.entities(missing, at))

    def _fetch(self, wanted: set[Whose], at: int) -> list[Whose]:
        """Know things and all that they are made of, to say again what they are made of."""
        loaded = self._fetch_alone(wanted, at)
        urns = {urn for whose in loaded for urn in self.thing(whose).mentioned()}
        self._know({*urns}, at)
        with_lineage = [whose for whose in loaded if self.thing(whose).has_lineage]
        for whose in with_lineage:
            self.note_readers(whose, at)
        return with_lineage

    def _fetch_alone(self, wanted: set[Whose], at: int) -> list[Whose]:
        loaded: list[Whose] = []
        for table in (DATASET, JOB):
            names = {whose[1] for whose in wanted if whose[0] == table and whose not in self._things}
            kept = self._memory.aspects(table, names, at) if names else {}
            since = self._memory.since(table, names, at) if names else {}
            for name in names:
                thing = self._things[table, name] = Thing(kept.get(name, {}))
                for later in since.get(name, ()):
                    heapq.heappush(self._later, (later.us, next(self._count), (table, name), later))
                if thing.aspects and table == DATASET:
                    thing.refresh_schema()
                if thing.aspects:
                    loaded.append((table, name))
        return loaded

    def _know(self, urns: set[str], at: int) -> set[Name]:
        """Know the datasets of URNs."""
        self._names.look_up(urns)
        names = self.named(urns)
        self._fetch_alone({(DATASET, name) for name in names}, at)
        return names

    def note_readers(self, whose: Whose, at: int) -> None:
        """Remember who names which datasets, and know these."""
        for name in self._know({*self.thing(whose).mentioned()}, at):
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

    def stale(self, whose: Whose) -> bool:
        """Whether what the store was told of something at this moment may be another now."""
        if self.open.get(whose):
            return True
        return any(
            moves_fields(key)
            for name in self.named(self.thing(whose).mentioned())
            for key in self.open.get((DATASET, name), ())
        )
