"""Versions: one by what a person calls it, and those that a run read."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from headwater.openlineage.model.event import EventType
from headwater.openlineage.model.run_ids import run_bytes
from headwater.query.search.resolve import DatasetName, UnknownName
from headwater.store.db.session import Session
from headwater.store.model.order import stamp
from headwater.store.reads.runs import run_by_uuid
from headwater.store.reads.versions import (
    Version,
    named_by_readers,
    version_by_uuid,
    version_of_run,
    versions_by_name,
    versions_in_force,
    writes_of_run,
)

__all__ = ["Version", "Wanted", "consumed", "find_version", "reader_of"]

_TERMINAL = 3


class Wanted(NamedTuple):
    """What a version read: a dataset, at a time."""

    dataset: int
    us: int
    reader: Version | None = None


def reader_of(version: Version, by: Version) -> Version:
    """Which version read what a version is made of, where `by` read it: that version itself, if a job wrote it.

    What a dataset says of itself, such as the definition of a view, is read whenever something reads the dataset.
    """
    return version if version.job else by


def find_version(session: Session, dataset: DatasetName, text: str) -> Version:
    """A version of a dataset by its UUID, by what a version facet calls it, or by the id of the run that wrote it.

    Raises:
        UnknownName: there is none; carries those in force.
    """
    uuid = _uuid(text)
    if uuid and (version := version_by_uuid(session, dataset.id, uuid)):
        return version
    if named := versions_by_name(session, [(0, dataset.id, text)]):
        return max((version for _, version in named), key=lambda version: version.stamp)
    run = run_bytes(text)
    if version := version_of_run(session, dataset.id, run) or _unfinished(session, dataset.id, run):
        return version
    (last,), _ = _in_force(session, [Wanted(dataset.id, session.now)])
    candidates = [version.id for version in sorted(last, key=lambda version: version.stamp, reverse=True)]
    raise UnknownName(f"No version of {dataset.full} matches {text!r}", candidates)


def consumed(session: Session, reads: Sequence[Wanted], *, named: bool) -> list[tuple[list[Version], bool]]:
    """For each dataset that was read: the versions that were, and whether that is assumed from the time alone.

    They are all those in force at the time of the version that a facet names, else when the run read (rule 6).
    `named` says whether there are such facets at all.
    """
    exact = _named_versions(session, reads) if named else {}
    by_place, own = _in_force(
        session, [read._replace(us=exact.get(place, read.us)) for place, read in enumerate(reads)]
    )
    # A run does not read what it writes or removes, also where its one event is both: what was there before it counts.
    again = [(place, reads[place]._replace(us=us - 1)) for place, us in sorted(own.items())]
    if again:
        for (place, _), versions in zip(again, _in_force(session, [read for _, read in again])[0], strict=True):
            by_place[place] = versions
    return [(versions, bool(versions) and place not in exact) for place, versions in enumerate(by_place)]


def _in_force(session: Session, reads: Sequence[Wanted]) -> tuple[list[list[Version]], dict[int, int]]:
    """The last version of every slot of each dataset, at its time; and where the reader had written by then, when.

    A streaming run writes many times: what counts is when it began.
    """
    versions, written = versions_in_force(session, reads)
    by_place: list[list[Version]] = [[] for _ in reads]
    for place, version in versions:
        by_place[place].append(version)
    own = {
        place: version.us if version.run_us is None else min(version.us, version.run_us) for place, version in written
    }
    return by_place, own


def _named_versions(session: Session, reads: Sequence[Wanted]) -> dict[int, int]:
    """Where a version facet says what was read and that is known: the time of that version."""
    readers = {place: read.reader for place, read in enumerate(reads) if read.reader and read.reader.run is not None}
    by_run = [(place, reader.run or 0, reads[place].dataset) for place, reader in readers.items()]
    names: dict[int, tuple[int, str]] = {}
    for place, us, text in named_by_readers(session, by_run):
        # A streaming run names a version each time; what holds for a write is the last one named until then.
        if us <= readers[place].us and (place not in names or us > names[place][0]):
            names[place] = us, text
    read_names = [(place, reads[place].dataset, text) for place, (_, text) in names.items()]
    times: dict[int, int] = {}
    for place, version in versions_by_name(session, read_names):
        if version.run != readers[place].run:
            times[place] = max(version.us, times.get(place, version.us))
    return times


def _unfinished(session: Session, dataset: int, uuid: bytes) -> Version | None:
    """What a run that has not completed, or failed, says of a dataset so far (rules 2 and 3)."""
    run = run_by_uuid(session, uuid)
    if run is None or run.first_us is None or run.end_type == EventType.COMPLETE:
        return None
    events = writes_of_run(session, run.key, dataset)
    if not events:
        return None
    events.sort(key=lambda event: stamp(event.us, min(event.type, _TERMINAL), event.hash))
    # A rename has a mapping without saying anything of columns.
    mappings = [
        event.mapping if event.said >= 0 else None for event in events if event.said or event.mapping is not None
    ]
    return Version(
        dataset, run.job or 0, b"", events[-1].us, run.first_us, run.key, run.uuid, mappings[-1] if mappings else None,
        carried=False, run_id=run.uuid, run_us=run.first_us,
    )  # fmt: skip


def _uuid(text: str) -> bytes | None:
    try:
        return UUID(text).bytes
    except ValueError:
        return None
