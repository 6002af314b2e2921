"""The graph builder: changes of DataHub in, events for the store out.

One event for each dataset or job and each moment at which something changed for it. The schema says which fields there
are, so lineage is what the aspects say of fields that the schemas have at that moment: a field that leaves a schema
leaves the lineage of its dataset and of all that is made of it, and is back when the schema has it again.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

from headwater.datahub.changes import Change, How
from headwater.datahub.errors import BadAspect, DataHubError
from headwater.datahub.events import dataset_event, job_event
from headwater.datahub.field_paths import field_of
from headwater.datahub.kept import Key, without_urns
from headwater.datahub.lineage_aspects import read_job_io
from headwater.datahub.patches import patched
from headwater.datahub.reading import Known, Name, Reading
from headwater.datahub.store_names import ENTITIES, StoreNames, job_name
from headwater.datahub.things import (
    FIELD_INFO,
    JOB_IO,
    OF_LINEAGE,
    OF_SCHEMA,
    SCHEMA,
    Thing,
    Unusable,
    declared_lineage,
    mentioned,
)
from headwater.datahub.words import ABOUT, OF_FIELDS, check_words, tags_on_fields

DATASET, JOB = "dataset", "job"
Whose: TypeAlias = tuple[str, Name]
"""A dataset or a job."""


class Located(NamedTuple):
    """A change, when it was, and where it stands."""

    change: Change
    us: int
    place: Any


class Problem(NamedTuple):
    """What cannot be used of the change at a place."""

    place: Any
    reason: str


@dataclass(frozen=True)
class Memory:
    """What the store knows: aspects of datasets or jobs as of a moment, and who is made of datasets."""

    aspects: Callable[[str, Collection[Name], int], dict[Name, dict[Key, Any]]]
    readers: Callable[[Collection[Name]], tuple[set[Name], set[Name]]]


@dataclass
class Built:
    """Events in the order of time, and what could not be used."""

    events: list[dict[str, Any]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


class Builder:
    """Builds from batch after batch, the earliest first; remembers what it saw."""

    def __init__(self, names: StoreNames, env: str, memory: Memory) -> None:
        self._names = names
        self._env = env
        self._memory = memory
        self._things: dict[Whose, Thing] = {}
        self._readers: dict[Name, set[Whose]] = defaultdict(set)
        self._asked: set[Name] = set()
        # What was just found of lineage, while all schemas are as they were then.
        self._fresh: dict[Whose, tuple[Any, list[Unusable]]] = {}
        self._known = Known(names.name_of, lambda name: self._thing((DATASET, name)).fields)

    def build(self, batch: Iterable[Located]) -> Built:
        """The events of changes."""
        built = Built()
        found: list[tuple[Located, Whose, Key]] = []
        for one in batch:
            try:
                found.append((one, *self._whose(one.change)))
            except DataHubError as error:  # noqa: PERF203  each change is good or bad by itself
                built.problems.append(Problem(one.place, str(error)))
        if not found:
            return built
        found.sort(key=lambda entry: entry[0].us)
        self._load(found)
        for us, group in groupby(found, key=lambda entry: entry[0].us):
            self._moment(us, list(group), built)
        return built

    def _whose(self, change: Change) -> tuple[Whose, Key]:
        kind = change.urn.removeprefix("urn:li:").partition(":")[0]
        if kind == "dataset":
            return (DATASET, self._names.name_of(change.urn)), Key(change.aspect)
        if kind == "datasetField" or (
            kind == "schemaField" and change.urn.startswith("urn:li:schemaField:(urn:li:dataset:")
        ):
            of = field_of(change.urn).dataset
            return (DATASET, self._names.name_of(of)), Key(change.aspect, change.urn)
        if kind == "dataJob" and change.aspect == JOB_IO:
            return (JOB, job_name(change.urn, self._env)), Key(change.aspect)
        return (DATASET, ENTITIES), Key(change.aspect, change.urn)

    def _thing(self, whose: Whose) -> Thing:
        return self._things.setdefault(whose, Thing())

    def _load(self, found: Sequence[tuple[Located, Whose, Key]]) -> None:
        """Remember what the store knows of all that the changes touch."""
        at = found[0][0].us
        wanted = {whose for _, whose, _ in found}
        with_schema = {whose[1] for _, whose, key in found if whose[0] == DATASET and key.aspect in OF_SCHEMA}
        for one, _, key in found:
            if key.aspect in OF_LINEAGE:
                wanted |= {(DATASET, name) for name in self._named(mentioned(one.change.value))}
        asked = with_schema - self._asked
        if asked:
            self._asked |= asked
            datasets, jobs = self._memory.readers(asked)
            wanted |= {(DATASET, name) for name in datasets} | {(JOB, name) for name in jobs}
        loaded = self._fetch(wanted - self._things.keys(), at)
        # What those are made of has to be known as well, to say again what they are made of.
        self._fetch(
            {(DATASET, name) for thing in loaded.values() for name in self._named(thing.mentioned())}
            - self._things.keys(),
            at,
        )
        for whose, thing in loaded.items():
            if thing.has_lineage:
                self._note_readers(whose, thing)
                thing.said = self._say(whose, thing)[0]

    def _fetch(self, wanted: set[Whose], at: int) -> dict[Whose, Thing]:
        loaded: dict[Whose, Thing] = {}
        for table in (DATASET, JOB):
            names = {name for kind, name in wanted if kind == table}
            kept = self._memory.aspects(table, names, at) if names else {}
            for name in names:
                thing = self._things[table, name] = Thing(kept.get(name, {}))
                if thing.aspects and table == DATASET:
                    thing.refresh_schema()
                if thing.aspects:
                    loaded[table, name] = thing
        return loaded

    def _named(self, urns: Iterable[str]) -> set[Name]:
        found = set()
        for urn in urns:
            try:
                found.add(self._names.name_of(urn))
            except DataHubError:  # noqa: PERF203  who reads it says so
                continue
        return found

    def _note_readers(self, whose: Whose, thing: Thing) -> None:
        for name in self._named(thing.mentioned()):
            self._readers[name].add(whose)

    def _moment(self, us: int, group: list[tuple[Located, Whose, Key]], built: Built) -> None:
        """Apply what changed at one moment, schemas before lineage, and say what follows."""
        self._fresh.clear()
        changed: dict[Whose, dict[Key, Any]] = defaultdict(dict)
        moved: set[Name] = set()
        for lineage in (False, True):
            for one, whose, key in group:
                if (key.aspect in OF_LINEAGE and not key.urn) is not lineage:
                    continue
                try:
                    moved |= self._apply(whose, key, one.change, changed)
                except DataHubError as error:
                    built.problems.append(Problem(one.place, str(error)))
        places = {(whose, key.aspect): one.place for one, whose, key in group if key in changed.get(whose, ())}
        of_lineage = {whose for whose, keys in changed.items() if any(key.aspect in OF_LINEAGE for key in keys)}
        # Where fields came or went, lineage that names them is another.
        anew = of_lineage | {reader for name in moved for reader in self._readers[name]}
        anew |= {(DATASET, name) for name in moved if self._thing((DATASET, name)).has_lineage}
        for whose in sorted(anew | changed.keys()):
            thing = self._thing(whose)
            before = thing.said
            if whose in anew:
                thing.said, unusable = self._fresh[whose] if whose in self._fresh else self._say(whose, thing)
                built.problems += [
                    Problem(places[whose, aspect], reason) for aspect, reason in unusable if (whose, aspect) in places
                ]
            new = whose in of_lineage or thing.said != before
            self._tell(us, whose, changed.get(whose, {}), built, new=new)

    def _apply(self, whose: Whose, key: Key, change: Change, changed: dict[Whose, dict[Key, Any]]) -> set[Name]:
        """Set an aspect, or leave all as it was; returns the dataset if it has other fields now."""
        thing = self._thing(whose)
        if change.how is How.DELETE and change.aspect == "datasetKey":
            for each in list(thing.aspects):
                thing.put(each, None)
                changed[whose][each] = None
            return {whose[1]} if thing.refresh_schema() else set()
        before = thing.aspects.get(key)
        value = change.value
        if change.how is How.PATCH:
            value = patched(change.aspect, before or {}, value)
        thing.put(key, value)
        try:
            self._check(whose, thing, key)
            moved = key.aspect in OF_SCHEMA and thing.refresh_schema()
        except DataHubError:
            thing.put(key, before)
            if key.aspect in OF_SCHEMA:
                thing.refresh_schema()
            raise
        changed[whose][key] = value
        if key.aspect in OF_LINEAGE:
            self._note_readers(whose, thing)
        return {whose[1]} if moved else set()

    def _check(self, whose: Whose, thing: Thing, key: Key) -> None:
        if key.aspect in OF_LINEAGE and not key.urn:
            self._fresh[whose] = self._say(whose, thing)
        if key.aspect in ABOUT and not key.urn:
            check_words(without_urns(thing.aspects))
        elif key.aspect in OF_FIELDS:
            tags_on_fields({key: thing.aspects.get(key)}, thing.fields)
        if key.aspect == FIELD_INFO and thing.fields is not None and Key(SCHEMA) in thing.aspects:
            found = field_of(key.urn)
            if thing.fields.find(found.path, rfc=found.rfc) is None:
                raise BadAspect(f"{key.urn[:300]} names a field that the schema of its dataset does not have.")

    def _say(self, whose: Whose, thing: Thing) -> tuple[Any, list[Unusable]]:
        """What a dataset or a job is made of and makes, and what in its aspects cannot be used."""
        table, name = whose
        if table == DATASET:
            return declared_lineage(name, thing, self._known)
        aspect = thing.aspects.get(Key(JOB_IO))
        if aspect is None:
            return ((), (), ()), []
        reading = Reading(self._known)
        read, written = read_job_io(aspect, reading)
        lineages = tuple(reading.lineage(output) if output in reading.columns else None for output in written)
        return (tuple(read), tuple(written), lineages), [(JOB_IO, problem) for problem in reading.problems]

    def _tell(self, us: int, whose: Whose, changed: dict[Key, Any], built: Built, *, new: bool) -> None:
        """Add the event that says what changed; `new` where lineage did."""
        thing = self._thing(whose)
        if whose[0] == DATASET and (changed or new):
            built.events.append(dataset_event(whose[1], thing, changed, us, new_lineage=new))
        elif new:
            built.events.append(job_event(whose[1], thing.said, changed, us))
