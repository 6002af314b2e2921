"""The graph builder: changes of DataHub in, events for the store out.

One event for each dataset or job and each moment at which something changed for it. The schema says which fields there
are, so lineage is what the aspects say of fields that the schemas have at that moment: a field that leaves a schema
leaves the lineage of its dataset and of all that is made of it, and is back when the schema has it again.
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
    Thing,
    Unusable,
    declared_lineage,
    mentioned,
    moves_fields,
)
from headwater.datahub.imports.events import News, dataset_event, job_event
from headwater.datahub.imports.state import DATASET, JOB, Due, Found, Located, Memory, Names, Whose, World
from headwater.datahub.naming.store_names import ENTITIES, job_name
from headwater.fields.errors import BadAspect, DataHubError
from headwater.fields.paths import field_of
from headwater.openlineage.model.event import ColumnLineage

__all__ = ["Builder", "Built", "Located", "Memory", "Problem", "Told"]


class Problem(NamedTuple):
    """What cannot be used of the change at a place."""

    place: Any
    reason: str


class Told(NamedTuple):
    """An event: of what, and when; `again` where it is for nothing unless the store was told else of that moment."""

    whose: Whose
    us: int
    event: dict[str, Any]
    again: bool = False


@dataclass
class Built:
    """Events in the order of time, and what could not be used."""

    told: list[Told] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


@dataclass
class _Moment:
    """What changed at one moment: aspects, datasets that have other fields, and what of it is not from the store.

    `again` says that the store was told something of this moment before.
    """

    changed: dict[Whose, dict[Key, Any]] = field(default_factory=lambda: defaultdict(dict))
    moved: set[Name] = field(default_factory=set)
    mine: dict[Whose, set[Key]] = field(default_factory=lambda: defaultdict(set))
    again: bool = False


class Builder:
    """Builds from batch after batch, the earliest first, and says at the end what else is another now."""

    def __init__(self, names: Names, env: str, memory: Memory) -> None:
        self._names = names
        self._env = env
        self._world = World(names, memory)
        # What was just found of lineage, while all schemas are as they were then.
        self._fresh: dict[Whose, tuple[Any, list[Unusable]]] = {}

    def build(self, batch: Sequence[Located]) -> Built:
        """The events of changes."""
        built = Built()
        self._names.look_up(urn for one in batch for urn in mentioned([one.change.urn]))
        found: list[Found] = []
        for one in batch:
            try:
                found.append(Found(one, *self._whose(one.change)))
            except DataHubError as error:  # noqa: PERF203  each change is good or bad by itself
                built.problems.append(Problem(one.place, str(error)))
        if not found:
            return built
        found.sort(key=lambda entry: entry.one.us)
        self._catch_up(found[0].one.us, built)
        self._say_first(self._world.load(found))
        for us, group in groupby(found, key=lambda entry: entry.one.us):
            self._catch_up(us, built)
            self._moment(us, list(group), built)
        return built

    def finish(self) -> Built:
        """What follows from the changes for moments after the last of them, which the store knows already."""
        built = Built()
        while (us := self._world.next_us()) is not None and self._world.unsettled:
            self._moment(us, [], built)
        return built

    def _catch_up(self, until: int, built: Built) -> None:
        """Go through what the store has of moments before one."""
        while (us := self._world.next_us()) is not None and us < until:
            self._moment(us, [], built)

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

    def _moment(self, us: int, group: list[Found], built: Built) -> None:
        """Apply what changed at one moment, schemas before lineage, and say what follows."""
        self._fresh.clear()
        moment = _Moment()
        due = self._world.due(us)
        for lineage in (False, True):
            for stored in due:
                if _is_lineage(stored.key) is lineage:
                    self._apply_stored(us, stored, moment)
            for one, whose, key in group:
                if _is_lineage(key) is lineage:
                    try:
                        self._apply(us, whose, key, one.change, moment)
                    except DataHubError as error:
                        built.problems.append(Problem(one.place, str(error)))
        moment.again = bool(due)
        self._tell_moment(us, group, moment, built)
        for whose, key, value in due:
            settled = self._world.open[whose] if key == DATASET_KEY and value is None else {key}
            self._world.open[whose] -= settled - moment.mine.get(whose, set())

    def _tell_moment(self, us: int, group: list[Found], moment: _Moment, built: Built) -> None:
        world, changed = self._world, moment.changed
        places = {(whose, key.aspect): one.place for one, whose, key in group if key in changed.get(whose, ())}
        of_lineage = {whose for whose, keys in changed.items() if any(key.aspect in OF_LINEAGE for key in keys)}
        # Where fields came or went, lineage that names them is another.
        anew = of_lineage | {reader for name in moment.moved for reader in world.readers[name]}
        anew |= {(DATASET, name) for name in moment.moved if world.thing((DATASET, name)).has_lineage}
        for whose in sorted(anew | changed.keys()):
            thing = world.thing(whose)
            before = thing.said
            if whose in anew:
                thing.said, unusable = self._fresh[whose] if whose in self._fresh else self._say(whose)
                built.problems += [
                    Problem(places[whose, aspect], reason) for aspect, reason in unusable if (whose, aspect) in places
                ]
            if whose not in moment.mine and not world.stale(whose):
                continue  # the store was told so
            new = whose in of_lineage or thing.said != before
            again = moment.again and not new and whose not in changed
            new = new or again or (moment.again and whose in anew)
            if whose[0] == DATASET and (new or whose in changed):
                news = News(changed.get(whose, {}), new, whose[1] in moment.moved)
                built.told.append(Told(whose, us, dataset_event(whose[1], thing, news, us), again))
            elif new:
                said = _with_ends(thing.said, before)
                built.told.append(Told(whose, us, job_event(whose[1], said, changed.get(whose, {}), us), again))

    def _apply_stored(self, us: int, stored: Due, moment: _Moment) -> None:
        """Set what the store has of this moment, which was checked when it came."""
        whose, key, value = stored
        thing = self._world.thing(whose)
        if moves_fields(key) or _is_lineage(key):
            self._say_first(self._world.deepen({whose}, us))
        if key == DATASET_KEY and value is None:
            self._remove_all(whose, moment)
        thing.put(key, value)
        moment.changed[whose][key] = value
        if moves_fields(key) and thing.refresh_schema():
            moment.moved.add(whose[1])
        if _is_lineage(key):
            self._world.note_readers(whose, us)

    def _apply(self, us: int, whose: Whose, key: Key, change: Change, moment: _Moment) -> None:
        """Set an aspect, or leave all as it was."""
        thing = self._world.thing(whose)
        if change.how is How.DELETE and key == DATASET_KEY:
            moment.mine[whose] |= thing.aspects.keys()
            self._world.open_up(whose, thing.aspects)
            self._remove_all(whose, moment)
        before = thing.aspects.get(key)
        value = change.value
        if change.how is How.PATCH:
            value = patched(change.aspect, before or {}, value)
        thing.put(key, value, self._world.named_in(change))
        try:
            if _is_lineage(key):
                self._world.note_readers(whose, us)
            self._check(whose, thing, key)
            moved = moves_fields(key) and thing.refresh_schema()
        except DataHubError:
            thing.put(key, before)
            if moves_fields(key):
                thing.refresh_schema()
            raise
        moment.changed[whose][key] = value
        moment.mine[whose].add(key)
        self._world.open_up(whose, [key])
        if moved:
            moment.moved.add(whose[1])

    def _remove_all(self, whose: Whose, moment: _Moment) -> None:
        thing = self._world.thing(whose)
        for each in list(thing.aspects):
            thing.put(each, None)
            moment.changed[whose][each] = None
        if thing.refresh_schema():
            moment.moved.add(whose[1])

    def _check(self, whose: Whose, thing: Thing, key: Key) -> None:
        if _is_lineage(key):
            self._fresh[whose] = self._say(whose)
        if key.aspect in ABOUT and not key.urn:
            check_words({key.aspect: thing.aspects.get(key)})
        elif tags_a_field(key):
            tags_on_fields({key: thing.aspects.get(key)}, thing.fields)
        if key.aspect == FIELD_INFO and thing.fields is not None and Key(SCHEMA) in thing.aspects:
            found = field_of(key.urn)
            if thing.fields.find(found.path, rfc=found.rfc) is None:
                raise BadAspect(f"{key.urn[:300]} names a field that is not in its dataset's schema.")

    def _say_first(self, some: Iterable[Whose]) -> None:
        """Find what things are made of before anything changes."""
        for whose in some:
            self._world.thing(whose).said = self._say(whose)[0]

    def _say(self, whose: Whose) -> tuple[Any, list[Unusable]]:
        """What a dataset or a job is made of and makes, and what in its aspects cannot be used."""
        table, name = whose
        thing = self._world.thing(whose)
        if table == DATASET:
            return declared_lineage(name, thing, self._world.known)
        aspect = thing.aspects.get(Key(JOB_IO))
        if aspect is None:
            return ((), (), ()), []
        reading = Reading(self._world.known)
        read, written = read_job_io(aspect, reading)
        lineages = tuple(reading.lineage(output) if output in reading.columns else None for output in written)
        return (tuple(read), tuple(written), lineages), [(JOB_IO, problem) for problem in reading.problems]


def _with_ends(said: tuple[Any, Any, Any], before: tuple[Any, Any, Any] | None) -> tuple[Any, Any, Any]:
    """What a job says; of an output that it no longer says fields of, that none go into it: silence would go on."""
    read, written, lineages = said
    had = {output for output, lineage in zip(*before[1:], strict=True) if lineage is not None} if before else set()
    ended = (
        ColumnLineage((), ()) if lineage is None and output in had else lineage
        for output, lineage in zip(written, lineages, strict=True)
    )
    return read, written, tuple(ended)


def _is_lineage(key: Key) -> bool:
    return key.aspect in OF_LINEAGE and not key.urn
