"""Versions of jobs: a job that reads or writes other datasets than before has a new version."""

from headwater.common.groups import lists_by_key
from headwater.query.search.resolve import UnknownName
from headwater.server.marquez.entities.job_facts import JobFacts, facts_of_jobs
from headwater.server.marquez.entities.job_json import current_version, location
from headwater.server.marquez.entities.run_facts import RunFacts
from headwater.server.marquez.entities.run_json import run_json, run_version
from headwater.server.marquez.entities.values import Json, instant, name_json
from headwater.store.db.session import Session

RUNS = 1_000
"""How many of a job's latest runs are read."""


def versions_of_job(session: Session, job: int) -> list[Json]:
    """The versions in a job's latest runs, the last one first; of a job without runs, what it was declared as."""
    facts = facts_of_jobs(session, [job], runs=RUNS)[job]
    runs = lists_by_key((version, run) for run in facts.runs if (version := run_version(run)) is not None)
    if not runs:
        return [_version_json(facts, current_version(facts), facts.seen.first, facts)]
    return [_version_json(facts, version, _end_us(group[-1]), group[0]) for version, group in runs.items()]


def run_of_version(session: Session, job: int, version: str) -> RunFacts | None:
    """The last run of a version of a job; None where the job was only declared, so that it has the one version.

    Raises:
        UnknownName: there is no such version.
    """
    facts = facts_of_jobs(session, [job], runs=RUNS)[job]
    for run in facts.runs:
        if run_version(run) == version:
            return run
    if facts.runs or current_version(facts) != version:
        known = dict.fromkeys(found for run in facts.runs if (found := run_version(run)) is not None)
        raise UnknownName(f"No version of the job {facts.name.full} matches {version!r}", [*known])
    return None


def _end_us(run: RunFacts) -> int:
    return (run.row.end_us if run.row.end_us is not None else run.row.first_us) or 0


def _version_json(job: JobFacts, version: str, created: int, uses: JobFacts | RunFacts) -> Json:
    """A version of a job, with what it or its last run reads and writes."""
    return {
        "id": {**name_json(job.name), "version": version},
        "name": job.name.name,
        "createdAt": instant(created),
        "version": version,
        "namespace": job.name.namespace,
        "location": location(job.facets),
        "inputs": [name_json(name) for name in uses.inputs],
        "outputs": [name_json(name) for name in uses.outputs],
        "latestRun": run_json(uses) if isinstance(uses, RunFacts) else None,
    }
