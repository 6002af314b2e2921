"""Versions of jobs: a job that reads or writes other datasets than before has a new version."""

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
    runs: dict[str, list[RunFacts]] = {}
    for run in facts.runs:
        version = run_version(run)
        if version is not None:
            runs.setdefault(version, []).append(run)
    return [_shown(facts, version, group) for version, group in runs.items()] or [_declared(facts)]


def _shown(facts: JobFacts, version: str, runs: list[RunFacts]) -> Json:
    last, first = runs[0], runs[-1]
    end = first.row.end_us if first.row.end_us is not None else first.row.first_us
    return {
        **_begins(facts, version, end or 0),
        "inputs": [name_json(name) for name in last.inputs],
        "outputs": [name_json(name) for name in last.outputs],
        "latestRun": run_json(last),
    }


def _declared(facts: JobFacts) -> Json:
    return {
        **_begins(facts, current_version(facts), facts.seen.first),
        "inputs": [name_json(name) for name in facts.inputs],
        "outputs": [name_json(name) for name in facts.outputs],
        "latestRun": None,
    }


def _begins(facts: JobFacts, version: str, created: int) -> Json:
    return {
        "id": {**name_json(facts.name), "version": version},
        "name": facts.name.name,
        "createdAt": instant(created),
        "version": version,
        "namespace": facts.name.namespace,
        "location": location(facts.facets),
    }
