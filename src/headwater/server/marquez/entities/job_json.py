"""Jobs as Marquez shows them; pure."""

from functools import lru_cache

from headwater.openlineage.model.check import is_object
from headwater.server.marquez.entities.job_facts import JobFacts
from headwater.server.marquez.entities.notes import description
from headwater.server.marquez.entities.run_json import run_json, run_version
from headwater.server.marquez.entities.values import Json, instant, job_version, name_json, uuid_of


def job_json(facts: JobFacts) -> Json:
    """A job, as lists and pages show it."""
    runs = [run_json(run) for run in facts.runs]
    return {
        **_begins(facts),
        **_times(facts),
        "latestRun": runs[0] if runs else None,
        "latestRuns": runs or None,  # the web app takes the longest of them, and fails on an empty list
        "facets": facts.facets,
        "currentVersion": current_version(facts),
        "labels": [],
        "tags": facts.tags.own,
    }


def job_node_json(facts: JobFacts) -> Json:
    """A job, as a node of a graph shows it."""
    run = run_json(facts.runs[0]) if facts.runs else None
    return {**_begins(facts), "currentRunUuid": run["id"] if run else None, **_times(facts), "latestRun": run}


def current_version(facts: JobFacts) -> str:
    """The id of the job's version: that of its last run, else of what it reads and writes as declared."""
    last = run_version(facts.runs[0]) if facts.runs else None
    return last or job_version(facts.name, tuple(facts.inputs), tuple(facts.outputs))


def location(facets: Json) -> str | None:
    """Where the source code is."""
    facet = facets.get("sourceCodeLocation")
    url = facet.get("url") if is_object(facet) else None
    return url if isinstance(url, str) else None


@lru_cache(maxsize=4096)  # jobs of one application have the same parent
def _uuid_of_job(namespace: str, name: str) -> str:
    return uuid_of("job", namespace, name)


def _begins(facts: JobFacts) -> Json:
    parent = facts.runs[0].parent_job if facts.runs else None
    return {
        "id": name_json(facts.name),
        "type": _type(facts),
        "name": facts.name.name,
        "simpleName": facts.name.name,
        "parentJobName": parent.name if parent else None,
        "parentJobUuid": _uuid_of_job(parent.namespace, parent.name) if parent else None,
    }


def _times(facts: JobFacts) -> Json:
    return {
        "createdAt": instant(facts.seen.first),
        "updatedAt": instant(facts.seen.last),
        "namespace": facts.name.namespace,
        "inputs": [name_json(name) for name in facts.inputs],
        "outputs": [name_json(name) for name in facts.outputs],
        "location": location(facts.facets),
        "description": description(facts.notes),
    }


def _type(facts: JobFacts) -> str:
    facet = facts.facets.get("jobType")
    if is_object(facet) and facet.get("jobType") == "SERVICE":
        return "SERVICE"
    last = max(facts.seen.shapes, key=lambda shape: shape.last, default=None)
    return "STREAM" if last is not None and last.role else "BATCH"
