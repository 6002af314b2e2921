"""The jobs of a simulated warehouse: inputs, column mappings, and how these change by month."""

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from headwater.simulate.chance import chance_of, luck_of
from headwater.simulate.warehouse import Table, Warehouse
from headwater.simulate.words import TEAMS, layer_name

MONTH = 30
APPLICATION = 12
"""The most tables that an application writes."""
_CACHED = 20_000
_NEIGHBOURS = 4
_MOST_PARENTS = 3
_INPUTS_A_COLUMN = (1, 1, 1, 1, 1, 1, 1, 1, 2, 3)
_PARENTS = (1, 1, 1, 2, 3)
_REDRAWN = 5  # a changed mapping differs in every fifth column


class Source(NamedTuple):
    """Where a value comes from: a table, a column, and how."""

    table: int
    column: str
    type: str
    subtype: str
    description: str
    masking: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """A job: `number` is twice its table's, and one more for the second job that writes the same table."""

    number: int
    name: str
    application: str
    team: str
    target: int
    parents: tuple[int, ...]
    by_alias: tuple[bool, ...]
    streaming: bool
    overwrites: bool
    dated: bool
    described: bool
    changes: tuple[int, ...]

    def variant(self, day: int) -> int:
        """The number of its mapping on a day."""
        return bisect_right(self.changes, day)


class Jobs:
    """All jobs, by number."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.warehouse = warehouse
        self.job = lru_cache(_CACHED)(self._make)

    def applications(self, layer: int) -> list[range]:
        """The tables that each application of a layer writes."""
        tables = self.warehouse.layer(layer)
        return [tables[first : first + APPLICATION] for first in range(0, len(tables), APPLICATION)]

    def of_tables(self, tables: range) -> list[int]:
        """The batch jobs that write these tables."""
        house = self.warehouse
        first_writers = [table * 2 for table in tables if not house.is_streamed(table)]
        return first_writers + [table * 2 + 1 for table in tables if house.has_second_writer(table)]

    def sources(self, number: int, variant: int) -> tuple[list[tuple[str, list[Source]]], list[Source]]:
        """The sources of each target column, and what decides on its rows."""
        job, house = self.job(number), self.warehouse
        parents = [house.table(parent) for parent in job.parents]
        seed = house.settings.seed
        first, redrawn = chance_of(seed, "columns", number, 0), chance_of(seed, "columns", number, variant)
        columns = []
        for place, leaf in enumerate(house.table(job.target).leaves):
            # Draw both for every column, so that a change of one moves no other.
            drawn = [self._inputs(parents, place, leaf.name, chance) for chance in (first, redrawn)]
            columns.append((leaf.name, drawn[place % _REDRAWN == variant % _REDRAWN]))
        chance = chance_of(seed, "rows", number, variant)
        rows = [
            Source(parent.number, chance.choice(parent.leaves).name, "INDIRECT", how, "")
            for parent in parents
            for how in (chance.choice(("JOIN", "FILTER", "GROUP_BY", "SORT")),)
            if chance.random() < 0.6  # noqa: PLR2004  a share
        ]
        return columns, rows

    def _inputs(self, parents: list[Table], place: int, name: str, chance: Random) -> list[Source]:
        sources = {}
        for _ in range(chance.choice(_INPUTS_A_COLUMN)):
            source = _source(chance.choice(parents), place, name, chance.random(), chance.random())
            sources[source.table, source.column, source.subtype] = source
        return [sources[key] for key in sorted(sources)]

    def _make(self, number: int) -> Job:
        house = self.warehouse
        settings = house.settings
        target, second = divmod(number, 2)
        chance = chance_of(settings.seed, "job", number)
        layer = house.layer_of(target)
        streaming = house.is_streamed(target) and not second
        place = (target - house.layer(layer).start) // APPLICATION
        application = f"{layer_name(layer, settings.layers)}_{place}"
        parents = self._parents(target, layer, chance.choice(_PARENTS), streaming=streaming)
        by_alias = tuple(house.table(parent).alias is not None and chance.random() < 0.2 for parent in parents)  # noqa: PLR2004
        return Job(
            number=number,
            name=f"{application}.{'backfill' if second else 'stream' if streaming else 'write'}_{target}",
            application=application,
            team=TEAMS[chance.randrange(len(TEAMS))],
            target=target,
            parents=parents,
            by_alias=by_alias,
            streaming=streaming,
            overwrites=not streaming and not house.has_second_writer(target) and chance.random() < 0.7,  # noqa: PLR2004
            dated=chance.random() < settings.dated,
            described=chance.random() < 0.3,  # noqa: PLR2004
            changes=self._changes(number),
        )

    def _parents(self, target: int, layer: int, count: int, *, streaming: bool) -> tuple[int, ...]:
        """Nearby tables of the layer below; one in five jobs also reads its first table."""
        house = self.warehouse
        below, own = house.layer(layer - 1), house.layer(layer)
        chance = chance_of(house.settings.seed, "parents", target, count)
        if streaming and house.topics:
            return (chance.choice(house.topics),)
        near = (target - own.start) * len(below) // len(own)
        parents = {below[(near + chance.randrange(_NEIGHBOURS)) % len(below)] for _ in range(count)}
        if count > 1 and chance.random() < 0.2:  # noqa: PLR2004
            parents.add(below.start)
        return tuple(sorted(parents)[:_MOST_PARENTS])

    def _changes(self, number: int) -> tuple[int, ...]:
        settings = self.warehouse.settings
        months = range(-(-settings.days // MONTH))
        lucks = [(month, luck_of(settings.seed, "change", number, month)) for month in months]
        return tuple(
            month * MONTH + 1 + luck.large % (MONTH - 1) for month, luck in lucks if luck.first < settings.change
        )


def _source(parent: Table, place: int, name: str, where: float, how: float) -> Source:
    leaves = parent.leaves
    column = leaves[(place + (where > 0.75)) % len(leaves)]  # noqa: PLR2004  mostly the one at the same place
    if column.personal and parent.layer == 0:
        hashed = f"sha2({column.name}, 256)"
        return Source(parent.number, column.name, "DIRECT", "TRANSFORMATION", hashed, masking=True)
    if how < 0.6:  # noqa: PLR2004  shares, here and below
        return Source(parent.number, column.name, "DIRECT", "IDENTITY", "")
    if how < 0.8:  # noqa: PLR2004
        return Source(parent.number, column.name, "DIRECT", "TRANSFORMATION", f"coalesce({column.name}, 0)")
    if how < 0.93:  # noqa: PLR2004
        return Source(parent.number, column.name, "DIRECT", "AGGREGATION", f"max({column.name})")
    decided = f"CASE WHEN {column.name} > 0 THEN {name} END"
    return Source(parent.number, column.name, "INDIRECT", "CONDITIONAL", decided)
