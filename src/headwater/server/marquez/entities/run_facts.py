"""Facts of many runs at once: a fixed number of statements, each by an index."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from headwater.common.groups import lists_by_key, sets_by_key
from headwater.query.graph.answer import TableName
from headwater.query.graph.labels import tables
from headwater.query.lineage.versions import Version, Wanted, consumed
from headwater.server.marquez.entities.facets import merged
from headwater.server.marquez.entities.values import Json
from headwater.store.db.codes import Role
from headwater.store.db.session import Session
from headwater.store.model.compression import unpacked
from headwater.store.reads.edges import store_features
from headwater.store.reads.events import events_of_runs, mentions_of_shapes
from headwater.store.reads.runs import RunRow, known_until, latest_of_jobs
from headwater.store.reads.versions import last_versions_of_runs, version_by_uuid


class EventSeen(NamedTuple):
    """An event of a run: its time, type and shape, and the facets of the run in it."""

    us: int
    type: int
    shape: int
    facets: Json


@dataclass(frozen=True, slots=True)
class RunFacts:
    """A run as Marquez shows it: `inputs` and `outputs` are the datasets in its events, with versions where known.

    A run in brief has no facets and no versions.
    """

    row: RunRow
    job: TableName | None
    parent_job: TableName | None
    events: Sequence[EventSeen]
    facets: Json
    inputs: Sequence[TableName]
    outputs: Sequence[TableName]
    read: Sequence[tuple[TableName, str]]
    written: Sequence[tuple[TableName, str]]


def versions_of_run(session: Session, run: RunFacts) -> list[Version]:
    """The versions that a run wrote: of each dataset the last one."""
    uuids = dict(run.written)
    named = tables(session, "dataset", {key for _, key, _ in last_versions_of_runs(session, [run.row.key])})
    found = [version_by_uuid(session, key, UUID(uuids[name]).bytes) for key, name in named.items() if name in uuids]
    return [version for version in found if version is not None]


def latest_runs(session: Session, jobs: Collection[int], most: int) -> Mapping[int, list[RunRow]]:
    """The latest runs of each job, the last one first."""
    by_job = lists_by_key((row.job or 0, row) for row in latest_of_jobs(session, jobs, most))
    return {job: sorted(rows, key=lambda row: (-(row.first_us or 0), row.uuid))[:most] for job, rows in by_job.items()}


def facts_of_runs(
    session: Session, rows: Sequence[RunRow], brief: Collection[int] = frozenset()
) -> Mapping[int, RunFacts]:
    """The facts of runs, by key; the runs in `brief` without facets and versions."""
    whole = [row for row in rows if row.key not in brief]
    session.foresee(lambda: last_versions_of_runs(session, [row.key for row in whole]))
    events = _events(session, rows, brief)
    shapes = {event.shape for group in events.values() for event in group}
    mentions = sets_by_key(((shape, role), dataset) for shape, role, dataset in mentions_of_shapes(session, shapes))
    reads, writes = (
        {row.key: {key for event in events.get(row.key, ()) for key in mentions[event.shape, role]} for row in rows}
        for role in (Role.READ, Role.WRITTEN)
    )
    versions = last_versions_of_runs(session, [row.key for row in whole])
    written = lists_by_key((run, (dataset, uuid)) for run, dataset, uuid in versions)
    read = _read(session, whole, events, reads)
    names = tables(
        session,
        "dataset",
        {key for by_run in (reads, writes) for keys in by_run.values() for key in keys}
        | {dataset for by_run in (read, written) for group in by_run.values() for dataset, _ in group},
    )
    return {
        row.key: RunFacts(
            row,
            TableName(*row.job_name) if row.job_name else None,
            TableName(*row.parent_job) if row.parent_job else None,
            events.get(row.key, ()),
            merged(event.facets for event in events.get(row.key, ())),
            sorted(names[key] for key in reads[row.key]),
            sorted(names[key] for key in writes[row.key]),
            sorted((names[dataset], version) for dataset, version in read.get(row.key, ())),
            sorted((names[dataset], version) for dataset, version in written.get(row.key, ())),
        )
        for row in rows
    }


def _events(session: Session, rows: Iterable[RunRow], brief: Collection[int]) -> Mapping[int, list[EventSeen]]:
    # What a run says of times that lie ahead counts then; of a run that begins there, all counts.
    runs = [(row.key, row.streaming, row.key not in brief, known_until(session, row)) for row in rows]
    by_run = lists_by_key(
        (run, EventSeen(us, kind, shape, _run_facets(rest)))
        for run, shape, us, kind, rest in events_of_runs(session, runs)
    )
    return {run: sorted(events, key=lambda event: event[:3]) for run, events in by_run.items()}


def _run_facets(rest: bytes | None) -> Json:
    return json.loads(unpacked(rest)).get("run", {}).get("facets") or {} if rest is not None else {}


def _read(
    session: Session,
    rows: Iterable[RunRow],
    events: Mapping[int, Sequence[EventSeen]],
    reads: Mapping[int, Collection[int]],
) -> Mapping[int, list[tuple[int, str]]]:
    """The versions that runs read: of a streaming run, those that it read last."""
    lookups: list[tuple[int, Wanted]] = []
    for row in rows:
        if row.first_us is None:
            continue
        last = events[row.key][-1].us if events.get(row.key) else row.first_us
        us = last if row.streaming else row.first_us
        reader = Version(0, row.job or 0, b"", last, us, row.key, "", None, carried=False, run_id=None, run_us=us)
        lookups += [(row.key, Wanted(dataset, us, reader)) for dataset in sorted(reads[row.key])]
    by_run: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    named = store_features(session).named
    known = consumed(session, [lookup for _, lookup in lookups], named=named) if lookups else []
    for (run, lookup), (versions, _) in zip(lookups, known, strict=True):
        by_run[run] += [(lookup.dataset, version.id) for version in versions]
    return by_run
