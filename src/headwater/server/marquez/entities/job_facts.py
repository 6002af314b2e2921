"""Facts of many jobs at once: a fixed number of statements, each by an index."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from headwater.query.graph.answer import TableName
from headwater.query.graph.intervals import now_span
from headwater.query.graph.labels import tables
from headwater.query.metadata.notes import Notes, notes_of
from headwater.query.metadata.tags import Tags, by_hand, tags_of
from headwater.server.marquez.entities.event_times import Seen, times_seen
from headwater.server.marquez.entities.facets import job_facets, newest
from headwater.server.marquez.entities.run_facts import RunFacts, facts_of_runs, latest_runs
from headwater.server.marquez.entities.values import Json
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.reads.events import times_of_shapes
from headwater.store.reads.slots import uses_of_jobs


@dataclass(frozen=True, slots=True)
class JobFacts:
    """A job as Marquez shows it; `runs` are its latest, the last one first."""

    key: int
    name: TableName
    seen: Seen
    notes: Notes
    tags: Tags
    facets: Json
    runs: Sequence[RunFacts]
    inputs: Sequence[TableName]
    outputs: Sequence[TableName]


def facts_of_jobs(session: Session, keys: Collection[int], *, runs: int, brief: bool = False) -> Mapping[int, JobFacts]:
    """The facts of jobs, by key, with at most `runs` of their latest runs; in brief, only the last one is whole."""
    names = tables(session, "job", keys)
    session.foresee(
        lambda: (
            times_of_shapes(session, Kind.JOB, keys),
            notes_of(session, Kind.JOB, keys),
            by_hand(session, Kind.JOB, names),
            latest_runs(session, keys, runs),
            uses_of_jobs(session, now_span(session), keys),
        )
    )
    seen = times_seen(session, Kind.JOB, keys)
    known = notes_of(session, Kind.JOB, keys)
    notes: dict[int, Notes] = {key: known.get(key, {}) for key in names}
    tags = tags_of(session, Kind.JOB, notes, {})
    facets = job_facets(session, {key: newest(seen[key]) for key in names if key in seen})
    latest = latest_runs(session, keys, runs)
    older = {row.key for rows in latest.values() for row in rows[1:]} if brief else set()
    run_facts = facts_of_runs(session, [row for rows in latest.values() for row in rows], older)
    reads, writes = _in_force(session, keys)
    facts = {}
    for key, name in names.items():
        shown = [run_facts[row.key] for row in latest.get(key, ())]
        # A job with nothing in force reads what its last run named.
        inputs = reads[key] if key in writes or key in reads else set(shown[0].inputs) if shown else set()
        facts[key] = JobFacts(
            key,
            name,
            seen.get(key, Seen()),
            notes[key],
            tags[key],
            facets.get(key, {}),
            shown,
            sorted(inputs),
            sorted(writes.get(key, ())),
        )
    return facts


def _in_force(
    session: Session, keys: Collection[int]
) -> tuple[Mapping[int, set[TableName]], Mapping[int, set[TableName]]]:
    """What jobs read, and what they write now."""
    uses = uses_of_jobs(session, now_span(session), keys)
    names = tables(session, "dataset", {dataset for use in uses for dataset in (use.written, use.read) if dataset})
    reads: defaultdict[int, set[TableName]] = defaultdict(set)
    writes: defaultdict[int, set[TableName]] = defaultdict(set)
    for _, written, job, _, read in uses:
        if written in names:  # else the job only reads
            writes[job].add(names[written])
        if read is not None:
            reads[job].add(names[read])
    return reads, writes
