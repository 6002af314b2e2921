"""What the store knows of jobs, for many of them at once: a fixed number of statements, each by an index."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from headwater.query.graph.answer import TableName
from headwater.query.graph.intervals import NOW
from headwater.query.graph.labels import tables
from headwater.query.metadata.deleted import JOB
from headwater.query.metadata.notes import Notes, notes_of
from headwater.query.metadata.tags import Tags, tags_of
from headwater.server.marquez.entities.facets import job_facets, newest
from headwater.server.marquez.entities.run_facts import RunFacts, facts_of_runs, latest_runs
from headwater.server.marquez.entities.seen import Seen, times_seen
from headwater.server.marquez.entities.values import Json
from headwater.store.db.predicates import in_force
from headwater.store.db.session import Session, ids

_IN_FORCE = f"""
SELECT slot.job, slot.dataset, input.dataset FROM {{given}}
{{join}} slot ON slot.job = given.id AND {in_force("slot", ":now")}
LEFT JOIN input ON input.inputs = slot.inputs
"""  # noqa: S608  our own words


@dataclass(frozen=True, slots=True)
class JobFacts:
    """All that is shown of a job; `runs` are its latest, the last one first."""

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
    """What is known of jobs.

    Args:
        session: the store.
        keys: the jobs.
        runs: how many of their latest runs.
        brief: of the runs only the last one is whole.
    """
    names = tables(session, "job", keys)
    seen = times_seen(session, JOB, keys)
    found = notes_of(session, JOB, keys)
    notes: dict[int, Notes] = {key: found.get(key, {}) for key in names}
    tags = tags_of(session, JOB, notes, {})
    said = job_facets(session, {key: newest(seen[key]) for key in names if key in seen})
    latest = latest_runs(session, keys, runs)
    older = {row.key for rows in latest.values() for row in rows[1:]} if brief else set()
    facts = facts_of_runs(session, [row for rows in latest.values() for row in rows], older)
    reads, writes = _in_force(session, keys)
    made = {}
    for key, name in names.items():
        shown = [facts[row.key] for row in latest.get(key, ())]
        # A job of which nothing is in force reads what its last run named.
        inputs = reads[key] if key in writes or key in reads else set(shown[0].inputs) if shown else set()
        made[key] = JobFacts(
            key,
            name,
            seen.get(key, Seen()),
            notes[key],
            tags[key],
            said.get(key, {}),
            shown,
            sorted(inputs),
            sorted(writes.get(key, ())),
        )
    return made


def _in_force(
    session: Session, keys: Collection[int]
) -> tuple[Mapping[int, set[TableName]], Mapping[int, set[TableName]]]:
    """What jobs read and write now."""
    rows = session.rows(_IN_FORCE, ids(keys), now=NOW)
    names = tables(session, "dataset", {dataset for row in rows for dataset in row[1:] if dataset})
    reads: defaultdict[int, set[TableName]] = defaultdict(set)
    writes: defaultdict[int, set[TableName]] = defaultdict(set)
    for job, written, read in rows:
        if written in names:  # else the job only reads
            writes[job].add(names[written])
        if read is not None:
            reads[job].add(names[read])
    return reads, writes
