"""OpenLineage's own agent and Headwater watch the same job and name the same datasets.

The job (job.py) runs once, with both beside each other and the same `spark.openlineage.*` settings, but for the file
that each writes to. Datasets, their other names and what is read for what are the same. What differs is in the tables
below and in docs/differences-openlineage.md. That one replaces the other is shown in test_agent_over_http.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.capture.connectors.conftest import VERSION, lake_settings
from tests.capture.connectors.job_process import AGENT, LISTENER, run_job, tracked
from tests.postgres import Postgres

pytestmark = pytest.mark.lake

REPO = Path(__file__).resolve().parents[3]
JOB = Path(__file__).with_name("job.py")
DOC = REPO / "docs" / "differences-openlineage.md"

Name = tuple[str, str]

# What the agent calls the commands in the names of jobs, by what Headwater calls them. The agent takes the name of the
# node of the physical plan, which changes with the catalog and the version of Spark; Headwater takes the command.
JOBS = {
    "append_data": {"append_data", "append_data_exec_v1"},
    "create_data_source_table_as_select_command": {"execute_create_data_source_table_as_select_command"},
    "create_table_as_select": {"atomic_create_table_as_select"},
    "delete_from_table": {"replace_data"},
    "insert_into_hadoop_fs_relation_command": {"execute_insert_into_hadoop_fs_relation_command"},
    "merge_into_command": {"execute_merge_into_command"},
    "merge_into_table": {"replace_data"},
    "overwrite_by_expression": {"overwrite_by_expression"},
    "replace_table_as_select": {"atomic_replace_table_as_select"},
    "save_as_v1_table_command": {"execute_create_data_source_table_as_select_command"},
    "save_into_data_source_command": {"execute_save_into_data_source_command"},
    "update_table": {"replace_data"},
}
# What only Headwater tells of.
ONLY_OURS = {"delete_command", "update_command"}
# How many statements of the job write what, where it is more than one.
OFTEN = {
    "/job/iceberg/db/copy": 5,
    "/job/iceberg/db/users": 2,
    "/job/out/delta": 2,
    "/job/warehouse/shop.db/delta_copy": 4,
    "/job/warehouse/shop.db/delta_users": 2,
    "/job/warehouse/shop.db/names": 3,
}


@dataclass
class Told:
    """What an agent said about everything that was written.

    Attributes:
        reads: per output, all that was read for it.
        symlinks: per dataset, its other names.
        jobs: the namespaces and names of jobs.
        runs: per output, the runs that wrote it.
        writers: per output, the names of their jobs.
    """

    reads: dict[Name, set[Name]] = field(default_factory=dict)
    symlinks: dict[Name, set[Name]] = field(default_factory=dict)
    jobs: set[Name] = field(default_factory=set)
    runs: dict[Name, set[str]] = field(default_factory=dict)
    writers: dict[Name, set[str]] = field(default_factory=dict)


@pytest.fixture(scope="module")
def told(java: Path, postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> tuple[Told, Told]:
    """What the agent tells, and what Headwater does."""
    assert java.exists()
    folder = tmp_path_factory.mktemp("job")
    postgres.run(
        "DROP SCHEMA IF EXISTS sales CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE SCHEMA sales;"
        " CREATE TABLE clients (id INT, name TEXT); CREATE TABLE sales.orders (id INT, client INT, amount INT)"
    )
    users = folder / "in" / "users"
    users.mkdir(parents=True)
    (users / "part.csv").write_text("id,name,age,country\n1,Ann,30,de\n2,Bob,40,fr\n", encoding="utf-8")
    for name in ("monday.txt", "tuesday.txt"):
        (folder / "in" / name).write_text("a note\n", encoding="utf-8")
    (folder / "in" / "single.csv").write_text("1\n", encoding="utf-8")
    theirs, ours = folder / "theirs.jsonl", folder / "ours.jsonl"
    lake = lake_settings(folder)
    chosen = {
        **lake,
        "spark.jars.packages": f"{lake['spark.jars.packages']},{AGENT[VERSION]}",
        "spark.extraListeners": LISTENER,
        "spark.openlineage.namespace": "nightly",
        "spark.openlineage.transport.type": "file",
        "spark.openlineage.transport.location": str(theirs),
        "spark.headwater.transport.type": "file",
        "spark.headwater.transport.location": str(ours),
    }
    run_job(folder, tracked(JOB.read_text(encoding="utf-8")), chosen, str(folder), postgres.url())
    return _told(_events(theirs, folder)), _told(_events(ours, folder))


def _events(file: Path, folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").replace(str(folder), "/job").splitlines()]


def _told(events: Iterable[dict[str, Any]]) -> Told:
    """All events of a run together: the agent's START may say what its COMPLETE does not."""
    told = Told()
    reads: dict[str, set[Name]] = {}
    writes: dict[str, set[Name]] = {}
    for event in events:
        run, job = event["run"]["runId"], event["job"]["name"]
        told.jobs.add((event["job"]["namespace"], job))
        for dataset in event.get("outputs", ()):
            told.writers.setdefault((dataset["namespace"], dataset["name"]), set()).add(job)
        for known, datasets in ((reads, event.get("inputs", ())), (writes, event.get("outputs", ()))):
            for dataset in datasets:
                name = (dataset["namespace"], dataset["name"])
                known.setdefault(run, set()).add(name)
                links = dataset.get("facets", {}).get("symlinks", {}).get("identifiers", ())
                told.symlinks.setdefault(name, set()).update((link["namespace"], link["name"]) for link in links)
    for run, outputs in writes.items():
        for output in outputs:
            told.reads.setdefault(output, set()).update(reads.get(run, ()))
            told.runs.setdefault(output, set()).add(run)
    return told


def test_the_same_outputs_from_the_same_inputs_under_the_same_names(told: tuple[Told, Told]) -> None:
    theirs, ours = told

    assert ours.reads == theirs.reads
    assert len(ours.reads) == 23


def test_the_same_names_in_catalogs(told: tuple[Told, Told]) -> None:
    theirs, ours = told

    assert ours.symlinks == theirs.symlinks
    assert sum(bool(links) for links in ours.symlinks.values()) == 7


def test_each_statement_is_one_run(told: tuple[Told, Told]) -> None:
    theirs, ours = told

    assert {name: len(runs) for (_, name), runs in ours.runs.items()} == {
        name: OFTEN.get(name, 1) for _, name in ours.runs
    }
    more = {name for name, runs in theirs.runs.items() if len(runs) > len(ours.runs[name])}
    assert ("file", "/job/warehouse/shop.db/users") in more, "the agent's runs of what a command starts inside"


def test_jobs_have_the_same_namespace_and_names_alike(told: tuple[Told, Told]) -> None:
    theirs, ours = told

    assert ("nightly", "nightly_shop") in theirs.jobs & ours.jobs
    for output, jobs in ours.writers.items():
        found = {command(job) for job in theirs.writers[output]}
        for job in jobs:
            assert job.startswith("nightly_shop.")
            assert command(job) in ONLY_OURS or JOBS[command(job)] & found


def test_the_docs_have_the_same_names_of_jobs() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (`\w+`(?:, `\w+`)*|nothing) \|$", DOC.read_text(encoding="utf-8"), re.MULTILINE)
    listed = {ours: set(re.findall(r"`(\w+)`", theirs)) for ours, theirs in rows}
    assert listed == {**JOBS, **{command: set() for command in ONLY_OURS}}


def command(job: str) -> str:
    """`append_data` of `shop.append_data.orders`."""
    return job.split(".")[1]
