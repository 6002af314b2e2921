"""The graph builder: changes of DataHub in, events for the store out.

It builds one event for each dataset or job and each moment at which it changes. Schemas decide which fields exist, so
lineage is what the aspects declare of the fields in the schemas of that moment: a field that leaves a schema leaves the
lineage of its dataset and of all its readers, and comes back with the schema.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from headwater.datahub.aspects.aspect_store import Key
from headwater.datahub.aspects.changes import Change, How
from headwater.datahub.aspects.lineage import read_job_io
from headwater.datahub.aspects.patches import patched
from headwater.datahub.aspects.reading import Name, Reading
from headwater.datahub.aspects.tags import ABOUT, check_words, tags_a_field, tags_on_fields
from headwater.datahub.imports.entity_state import (
    DATASET_KEY,
    FIELD_INFO,
    JOB_IO,
    OF_LINEAGE,
    SCHEMA,
    EntityState,
    Unusable,
    declared_lineage,
    mentioned,
    moves_fields,
)
from headwater.datahub.imports.events import DatasetChanges, dataset_event, job_event
from headwater.datahub.imports.state import (
    DATASET,
    JOB,
    Entity,
    EntityChange,
    GraphState,
    Located,
    Memory,
    Names,
    StoredChange,
)
from headwater.datahub.naming.store_names import ENTITIES, job_name
from headwater.fields.errors import BadAspect, DataHubError
from headwater.fields.paths import field_of
from headwater.openlineage.model.event import ColumnLineage

__all__ = ["Builder", "Built", "BuiltEvent", "Located", "Memory", "Problem"]


class Problem(NamedTuple):
    """Why part of the change at a place cannot be used."""

    place: Any
    reason: str


class BuiltEvent(NamedTuple):
    """An event of a dataset or a job; a `repeat` is needed only if the store has another event of that moment."""

    entity: Entity
    us: int
    event: dict[str, Any]
    repeat: bool = False


@dataclass
class Built:
    """Events in the order of time, and what cannot be used."""

    events: list[BuiltEvent] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


@dataclass
class _Moment:
    """What changed at one moment.

    Attributes:
        changed: aspects.
        moved: datasets that gained or lost fields.
        mine: the changed aspects that are not from the store.
        again: whether the store has changes from this moment.
    """

    changed: dict[Entity, dict[Key, Any]] = field(default_factory=lambda: defaultdict(dict))
    moved: set[Name] = field(default_factory=set)
    mine: dict[Entity, set[Key]] = field(default_factory=lambda: defaultdict(set))
    again: bool = False


class Builder:
    """Builds batch after batch, the earliest first, and at the end what changes at later moments."""

    def __init__(self, names: Names, env: str, memory: Memory) -> None:
        self._names = names
        self._env = env
        self._graph = GraphState(names, memory)
        # Lineage that was just derived, while the schemas are still the same.
        self._fresh: dict[Entity, tuple[Any, list[Unusable]]] = {}

    def build(self, batch: Sequence[Located]) -> Built:
        """The events of changes."""
        built = Built()
        self._names.look_up(urn for located in batch for urn in mentioned([located.change.urn]))
        changes: list[EntityChange] = []
        for located in batch:
            try:
                changes.append(EntityChange(located, *self._entity(located.change)))
            except DataHubError as error:  # noqa: PERF203  each change is good or bad by itself
                built.problems.append(Problem(located.place, str(error)))
        if not changes:
            return built
        changes.sort(key=lambda change: change.located.us)
        self._catch_up(changes[0].located.us, built)
        self._derive_all(self._graph.load(changes))
        for us, group in groupby(changes, key=lambda change: change.located.us):
            self._catch_up(us, built)
            self._moment(us, list(group), built)
        return built

    def finish(self) -> Built:
        """The events for later moments, which the store has already and where the changes make a difference."""
        built = Built()
        while (us := self._graph.next_us()) is not None and self._graph.unsettled:
            self._moment(us, [], built)
        return built

    def _catch_up(self, until: int, built: Built) -> None:
        """Go through the moments before one that the store has."""
        while (us := self._graph.next_us()) is not None and us < until:
            self._moment(us, [], built)

    def _entity(self, change: Change) -> tuple[Entity, Key]:
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

    def _moment(self, us: int, group: list[EntityChange], built: Built) -> None:
        """Apply the changes of one moment, schemas before lineage, and build their events."""
        self._fresh.clear()
        moment = _Moment()
        from_store = self._graph.pop_stored(us)
        for lineage in (False, True):
            for stored in from_store:
                if _is_lineage(stored.key) is lineage:
                    self._apply_stored(us, stored, moment)
            for located, entity, key in group:
                if _is_lineage(key) is lineage:
                    try:
                        self._apply(us, entity, key, located.change, moment)
                    except DataHubError as error:
                        built.problems.append(Problem(located.place, str(error)))
        moment.again = bool(from_store)
        self._emit(us, group, moment, built)
        for entity, key, value in from_store:
            settled = self._graph.open[entity] if key == DATASET_KEY and value is None else {key}
            self._graph.open[entity] -= settled - moment.mine.get(entity, set())

    def _emit(self, us: int, group: list[EntityChange], moment: _Moment, built: Built) -> None:
        graph, changed = self._graph, moment.changed
        places = {
            (entity, key.aspect): located.place for located, entity, key in group if key in changed.get(entity, ())
        }
        of_lineage = {entity for entity, keys in changed.items() if any(key.aspect in OF_LINEAGE for key in keys)}
        # Where fields are added or removed, lineage that names them changes.
        anew = of_lineage | {reader for name in moment.moved for reader in graph.readers[name]}
        anew |= {(DATASET, name) for name in moment.moved if graph.state((DATASET, name)).has_lineage}
        for entity in sorted(anew | changed.keys()):
            state = graph.state(entity)
            before = state.lineage
            if entity in anew:
                state.lineage, unusable = self._fresh[entity] if entity in self._fresh else self._derive(entity)
                built.problems += [
                    Problem(places[entity, aspect], reason) for aspect, reason in unusable if (entity, aspect) in places
                ]
            if entity not in moment.mine and not graph.stale(entity):
                continue  # the store has this event
            new = entity in of_lineage or state.lineage != before
            repeat = moment.again and not new and entity not in changed
            new = new or repeat or (moment.again and entity in anew)
            if entity[0] == DATASET and (new or entity in changed):
                changes = DatasetChanges(changed.get(entity, {}), new, entity[1] in moment.moved)
                built.events.append(BuiltEvent(entity, us, dataset_event(entity[1], state, changes, us), repeat))
            elif new:
                event = job_event(entity[1], _with_ends(state.lineage, before), changed.get(entity, {}), us)
                built.events.append(BuiltEvent(entity, us, event, repeat))

    def _apply_stored(self, us: int, stored: StoredChange, moment: _Moment) -> None:
        """Set an aspect that the store has from this moment; it was checked on arrival."""
        entity, key, value = stored
        state = self._graph.state(entity)
        if moves_fields(key) or _is_lineage(key):
            self._derive_all(self._graph.load_lineage({entity}, us))
        if key == DATASET_KEY and value is None:
            self._remove_all(entity, moment)
        state.set_aspect(key, value)
        moment.changed[entity][key] = value
        if moves_fields(key) and state.refresh_schema():
            moment.moved.add(entity[1])
        if _is_lineage(key):
            self._graph.note_readers(entity, us)

    def _apply(self, us: int, entity: Entity, key: Key, change: Change, moment: _Moment) -> None:
        """Set an aspect, or leave everything as it was."""
        state = self._graph.state(entity)
        if change.how is How.DELETE and key == DATASET_KEY:
            moment.mine[entity] |= state.aspects.keys()
            self._graph.mark_open(entity, state.aspects)
            self._remove_all(entity, moment)
        before = state.aspects.get(key)
        value = change.value
        if change.how is How.PATCH:
            value = patched(change.aspect, before or {}, value)
        state.set_aspect(key, value, self._graph.named_in(change))
        try:
            if _is_lineage(key):
                self._graph.note_readers(entity, us)
            self._check(entity, state, key)
            moved = moves_fields(key) and state.refresh_schema()
        except DataHubError:
            state.set_aspect(key, before)
            if moves_fields(key):
                state.refresh_schema()
            raise
        moment.changed[entity][key] = value
        moment.mine[entity].add(key)
        self._graph.mark_open(entity, [key])
        if moved:
            moment.moved.add(entity[1])

    def _remove_all(self, entity: Entity, moment: _Moment) -> None:
        state = self._graph.state(entity)
        for each in list(state.aspects):
            state.set_aspect(each, None)
            moment.changed[entity][each] = None
        if state.refresh_schema():
            moment.moved.add(entity[1])

    def _check(self, entity: Entity, state: EntityState, key: Key) -> None:
        if _is_lineage(key):
            self._fresh[entity] = self._derive(entity)
        if key.aspect in ABOUT and not key.urn:
            check_words({key.aspect: state.aspects.get(key)})
        elif tags_a_field(key):
            tags_on_fields({key: state.aspects.get(key)}, state.fields)
        if key.aspect == FIELD_INFO and state.fields is not None and Key(SCHEMA) in state.aspects:
            field = field_of(key.urn)
            if state.fields.find(field.path, rfc=field.rfc) is None:
                raise BadAspect(f"{key.urn[:300]} names a field that is not in its dataset's schema.")

    def _derive_all(self, entities: Iterable[Entity]) -> None:
        """Derive the lineage of entities before anything changes."""
        for entity in entities:
            self._graph.state(entity).lineage = self._derive(entity)[0]

    def _derive(self, entity: Entity) -> tuple[Any, list[Unusable]]:
        """The lineage of a dataset or a job, and what in its aspects cannot be used."""
        table, name = entity
        state = self._graph.state(entity)
        if table == DATASET:
            return declared_lineage(name, state, self._graph.known)
        aspect = state.aspects.get(Key(JOB_IO))
        if aspect is None:
            return ((), (), ()), []
        reading = Reading(self._graph.known)
        read, written = read_job_io(aspect, reading)
        lineages = tuple(reading.lineage(output) if output in reading.columns else None for output in written)
        return (tuple(read), tuple(written), lineages), [(JOB_IO, problem) for problem in reading.problems]


def _with_ends(now: tuple[Any, Any, Any], before: tuple[Any, Any, Any] | None) -> tuple[Any, Any, Any]:
    """The lineage of a job; an output that lost its lineage gets an empty one: without it, the old would stay."""
    read, written, lineages = now
    had = {output for output, lineage in zip(*before[1:], strict=True) if lineage is not None} if before else set()
    ended = (
        ColumnLineage((), ()) if lineage is None and output in had else lineage
        for output, lineage in zip(written, lineages, strict=True)
    )
    return read, written, tuple(ended)


def _is_lineage(key: Key) -> bool:
    return key.aspect in OF_LINEAGE and not key.urn
