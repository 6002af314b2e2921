"""What may be reached without a word about columns: datasets written by jobs that only say which datasets they read.

Such a job may read any column, so each dataset that it writes is unknown, and so is all that is written from there,
whatever is said of its columns.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from headwater.common.groups import lists_by_key
from headwater.query.graph.aliases import Aliases
from headwater.query.graph.answer import TableName
from headwater.query.graph.intervals import span_of
from headwater.query.graph.labels import tables
from headwater.query.lineage.traversal import Fence, Walk
from headwater.query.metadata.owners import Owner
from headwater.store.db.session import Session
from headwater.store.reads.edges import store_features
from headwater.store.reads.names import names_by_name
from headwater.store.reads.slots import readers


@dataclass(frozen=True, slots=True)
class Silent:
    """A dataset that may be reached, by a job that reads others which are reached, or may be.

    Attributes:
        dataset: what is written.
        job: who writes it; None for what an event about the dataset itself declares.
        reads: what the job reads of the datasets that are reached, asked about, or unknown themselves.
        distance: the fewest hops to the dataset.
        owners: those of the dataset and those of the job.
    """

    dataset: TableName
    job: TableName | None
    reads: tuple[TableName, ...]
    distance: int
    owners: tuple[Owner, ...] = ()


class SilentReaders(NamedTuple):
    """What was found, nearest first, one for each dataset and job; `partial` where a limit was reached.

    `only_read` are jobs that read what is reached, and write nothing.
    """

    found: tuple[Silent, ...] = ()
    partial: bool = False
    only_read: tuple[TableName, ...] = ()


def by_dataset(unknown: Iterable[Silent]) -> dict[TableName, list[Silent]]:
    """The same for each dataset once, in their order."""
    return lists_by_key((reader.dataset, reader) for reader in unknown)


def silent_readers(
    session: Session, reached: Mapping[TableName, int], walk: Walk, *, whole: bool = False
) -> SilentReaders:
    """What is written from datasets by jobs that say nothing of columns, and what is written from there, and so on.

    `reached` has the hops to each dataset to start from; those at 0 are what is asked about, and not listed. `whole`:
    all columns are asked about, so a job that writes back to them makes none of them unknown.
    """
    walker = _Walker(session, walk, whole=whole)
    walker.go(walker.keys(reached))
    return walker.answer()


class _Walker:
    def __init__(self, session: Session, walk: Walk, *, whole: bool) -> None:
        self._session = session
        self._walk = walk
        self._whole = whole
        self._span = span_of(walk.moment, contents=walk.contents)
        features = store_features(session)
        self._renames = features.renames
        self._aliases = Aliases(session, self._span, exist=features.aliases)
        self._fence = Fence(session, walk.namespaces)
        self._asked: set[int] = set()
        self._room = walk.limit
        # How far unknown datasets are that were visited, and those that wait, by how far they are.
        self._distances: dict[int, int] = {}
        self._waiting: dict[int, set[int]] = defaultdict(set)
        # By dataset and job: what the job reads.
        self._reads: dict[tuple[int, int], set[int]] = defaultdict(set)
        self._only_read: set[int] = set()
        self._partial = False

    def keys(self, names: Mapping[TableName, int]) -> dict[int, int]:
        """The datasets under whose names these are shown, by key, with the hops to each."""
        rows = names_by_name(self._session, "dataset", ((name.namespace, name.name) for name in names))
        shown = self._aliases.shown_datasets({row.id for row in rows})
        distances: dict[int, int] = {}
        for key, *name in rows:
            distance = names[TableName(*name)]
            distances[shown[key]] = min(distance, distances.get(shown[key], distance))
        return distances

    def go(self, reached: Mapping[int, int]) -> None:
        """Visit every unknown dataset once, the nearest first."""
        self._asked = {key for key, distance in reached.items() if distance == 0}
        within = {key: distance for key, distance in reached.items() if self._may_leave(distance)}
        self._read(within, silent=True)
        while self._waiting and not self._partial:
            level = min(self._waiting)
            visited = self._visit(self._waiting.pop(level) - self._distances.keys(), level)
            if self._may_leave(level) and not self._partial:
                self._read(dict.fromkeys(visited, level))

    def answer(self) -> SilentReaders:
        """What was found, by names."""
        there = self._distances.keys() - self._asked
        listed = {pair: reads for pair, reads in self._reads.items() if pair[0] in there}
        datasets = tables(
            self._session, "dataset", {key for (key, _), reads in listed.items() for key in (key, *reads)}
        )
        jobs = tables(self._session, "job", {job for _, job in listed} - {0})
        silent = [
            Silent(
                datasets[dataset],
                jobs.get(job),
                tuple(sorted(datasets[key] for key in reads)),
                self._distances[dataset],
            )
            for (dataset, job), reads in listed.items()
        ]
        silent.sort(
            key=lambda reader: (reader.distance, reader.dataset, reader.job is not None, reader.job or reader.dataset)
        )
        only_read = tables(self._session, "job", self._only_read).values()
        return SilentReaders(tuple(silent), self._partial, tuple(sorted(only_read)))

    def _may_leave(self, distance: int) -> bool:
        return self._walk.depth is None or distance < self._walk.depth

    def _read(self, distances: Mapping[int, int], *, silent: bool = False) -> None:
        """Take in who reads datasets, in one statement; what they write waits for its turn."""
        origins = lists_by_key((name, key) for key in distances for name in {key, *self._aliases.other_names(key)})
        rows = readers(self._session, self._span, origins, renames=self._renames, silent=silent)
        self._only_read |= {job for written, job, _ in rows if not written}
        writers = [row for row in rows if row[0]]
        shown = self._aliases.shown_datasets({written for written, *_ in writers})
        entered = {*self._fence.datasets(set(shown.values()) - self._asked), *(() if self._whole else self._asked)}
        for written, job, read in writers:
            dataset = shown[written]
            if dataset in entered:
                self._reads[dataset, job].update(origins[read])
                self._waiting[min(distances[origin] for origin in origins[read]) + 1].add(dataset)

    def _visit(self, new: set[int], level: int) -> set[int]:
        """Take new datasets in, the first by name where there is no room for all; what is asked about takes none."""
        listed = new - self._asked
        if len(listed) > self._room:
            self._partial = True
            names = tables(self._session, "dataset", listed)
            new = listed = set(sorted(listed, key=names.__getitem__)[: self._room])
        self._room -= len(listed)
        self._distances.update(dict.fromkeys(new, level))
        return new
