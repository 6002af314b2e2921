"""Which versions of datasets a version was made of, table by table: also where jobs say nothing of columns.

A version was made by a run, the run read versions of other datasets, and so on. A hop goes from a version to a
version that its run read.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from headwater.query.graph.aliases import Aliases
from headwater.query.graph.intervals import Span
from headwater.query.lineage.versions import Version, Wanted, consumed, reader_of
from headwater.store.db.session import Session
from headwater.store.reads.edges import store_features
from headwater.store.reads.versions import inputs_of_versions


@dataclass(frozen=True, slots=True)
class Made:
    """The versions that were found, the one asked about first; `read` has the places of versions that each read.

    `unknown` are the datasets that each read of which no version is known.
    """

    versions: list[Version]
    read: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    unknown: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    partial: bool = False


def made_of(session: Session, start: Version, *, depth: int, limit: int) -> Made:
    """Follow a version `depth` times to those that its run read; at most `limit` versions, the nearest first."""
    features = store_features(session)
    answer = Made([start])
    readers = [start]
    places = {_key(start, start): 0}
    frontier = [0]
    for _ in range(depth):
        reads = _reads(session, answer.versions, readers, frontier, aliases=features.aliases)
        if not reads:
            break
        frontier = []
        sources = consumed(session, [read for _, _, read in reads], named=features.named)
        known = {(reader, shown) for (reader, shown, _), (versions, _) in zip(reads, sources, strict=True) if versions}
        for reader, shown in dict.fromkeys((reader, shown) for reader, shown, _ in reads):
            if (reader, shown) not in known:
                answer.unknown[reader].append(shown)
        for (reader, _, _), (versions, _) in zip(reads, sources, strict=True):
            for version in versions:
                behind = reader_of(version, readers[reader])
                place = places.setdefault(_key(version, behind), len(answer.versions))
                if place == len(answer.versions):
                    if place >= limit:
                        return Made(answer.versions, answer.read, answer.unknown, partial=True)
                    answer.versions.append(version)
                    readers.append(behind)
                    frontier.append(place)
                answer.read[reader].append(place)
    return answer


def _reads(
    session: Session,
    versions: Sequence[Version],
    readers: Sequence[Version],
    frontier: Collection[int],
    *,
    aliases: bool,
) -> list[tuple[int, int, Wanted]]:
    """What the versions at some places read: the place, the dataset as it is shown, and what to look for."""
    reads = []
    for place, dataset in sorted(inputs_of_versions(session, {place: versions[place] for place in frontier})):
        reader = readers[place]
        known = Aliases(session, Span(reader.read_us, reader.read_us), exist=aliases)
        shown = known.shown_datasets([dataset])[dataset]
        names = [dataset, *sorted(known.other_names(dataset))]
        reads += [(place, shown, Wanted(name, reader.read_us, reader)) for name in names]
    return reads


def _key(version: Version, reader: Version) -> tuple[int | bytes, ...]:
    return version.dataset, version.job, version.stamp, reader.dataset, reader.job, reader.stamp
