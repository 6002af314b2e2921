"""Which versions of which columns stand behind the columns that a version read."""

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from headwater.query.graph.aliases import Aliases
from headwater.query.graph.intervals import Span
from headwater.query.lineage.versions import Version, Wanted, consumed, reader_of
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of

UNKNOWN = -1
"""The place of a version that is not known."""


class Read(NamedTuple):
    """A column that was read: as it is shown, the place of its version, and the field in that version's dataset."""

    shown: int
    version: int
    field: int
    assumed: bool


class Reads:
    """The versions met so far, each with a place; and what each of them read."""

    def __init__(self, session: Session, start: Version, *, aliases: bool, named: bool) -> None:
        self._session = session
        self._has_aliases = aliases
        self._has_named = named
        self._aliases: dict[int, Aliases] = {}
        self._places = {_key(start, start): 0}
        self._behind: dict[tuple[int, int], tuple[list[int], bool]] = {}
        # What a dataset says of itself, such as a view, is read when something reads the dataset.
        self._readers = [start]
        self.versions = [start]

    def resolve(self, fields: Collection[tuple[int, int]]) -> dict[tuple[int, int], list[Read]]:
        """What stands behind fields: for each (place of the version that read, field)."""
        if self._has_aliases:
            self._learn(fields)
        datasets = {(place, field): self._datasets(place, field) for place, field in fields}
        self._consume({(place, dataset) for (place, _), names in datasets.items() for dataset in names})
        behind: dict[tuple[int, int], list[Read]] = {}
        for (place, field), names in datasets.items():
            shown = self._aliases[self._time(place)].shown(field) if self._has_aliases else field
            reads = [
                Read(shown, version, self._field_in(place, field, dataset), assumed)
                for dataset in names
                for versions, assumed in [self._behind[place, dataset]]
                for version in versions
            ]
            behind[place, field] = reads or [Read(shown, UNKNOWN, field, assumed=False)]
        return behind

    def _learn(self, pairs: Collection[tuple[int, int]]) -> None:
        fields: dict[int, set[int]] = defaultdict(set)
        for place, field in pairs:
            fields[self._time(place)].add(field)
        for us, at_time in sorted(fields.items()):
            if us not in self._aliases:
                self._aliases[us] = Aliases(self._session, Span(us, us))
            self._aliases[us].learn(at_time)

    def _time(self, place: int) -> int:
        return self._readers[place].read_us

    def _datasets(self, place: int, field: int) -> list[int]:
        dataset = dataset_of(field)
        if not self._has_aliases:
            return [dataset]
        return [dataset, *sorted(self._aliases[self._time(place)].other_names(dataset))]

    def _field_in(self, place: int, field: int, dataset: int) -> int:
        return field if dataset == dataset_of(field) else self._aliases[self._time(place)].field_in(field, dataset)

    def _consume(self, pairs: Collection[tuple[int, int]]) -> None:
        new = sorted(set(pairs) - self._behind.keys())
        if not new:
            return
        reads = [Wanted(dataset, self._time(place), self._readers[place]) for place, dataset in new]
        for pair, (versions, assumed) in zip(new, consumed(self._session, reads, named=self._has_named), strict=True):
            self._behind[pair] = [self._place(version, self._readers[pair[0]]) for version in versions], assumed

    def _place(self, version: Version, by: Version) -> int:
        reader = reader_of(version, by)
        place = self._places.setdefault(_key(version, reader), len(self.versions))
        if place == len(self.versions):
            self.versions.append(version)
            self._readers.append(reader)
        return place


def _key(version: Version, reader: Version) -> tuple[int | bytes, ...]:
    return version.dataset, version.job, version.stamp, reader.dataset, reader.job, reader.stamp
