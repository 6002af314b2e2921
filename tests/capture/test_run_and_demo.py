"""`headwater run` and `headwater demo` as a user has them: a process of its own, in an empty folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.ask import ask
from tests.datahub.exported_files import check_files
from tests.server.conftest import Served

from headwater.query.graph.answer import Direction
from headwater.store import open_store
from scripts import page

# Not a word of Headwater in it.
FIVE_LINES = """\
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").appName("five lines").config("spark.ui.enabled", "false").getOrCreate()
for table in ("users", "employees", "departments"): spark.read.option("header", True).csv(f"in/{table}").createOrReplaceTempView(table)
queries = {"simple": "SELECT id, name, age + 10 AS adjusted_age FROM users WHERE status = 'active'", "aggregated": "SELECT dept_id, AVG(salary) AS avg_salary FROM employees GROUP BY dept_id", "joined": "SELECT e.id, e.name, d.name AS dept_name FROM employees e JOIN departments d ON e.dept_id = d.id"}
for name, query in queries.items(): spark.sql(query).write.parquet(f"out/{name}")
"""  # noqa: E501
SOURCES = {
    "users": "id,name,age,status\n1,Ann,30,active\n",
    "employees": "id,name,dept_id,salary\n1,Ann,7,100\n",
    "departments": "id,name\n7,Kitchen\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a script and its sources."""
    (tmp_path / "job.py").write_text(FIVE_LINES, encoding="utf-8")
    for name, content in SOURCES.items():
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "part.csv").write_text(content, encoding="utf-8")
    return tmp_path


def _environment(**more: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("OPENLINEAGE", "HEADWATER"))}
    return {**kept, **more}


def _headwater(folder: Path, *args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "headwater", *args],
        cwd=folder, env=_environment(**environment), capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def _check_examples(events: list[dict[str, Any]]) -> None:
    facets = {
        event["outputs"][0]["name"].rsplit("/", 1)[-1]: event["outputs"][0]["facets"]["columnLineage"]
        for event in events
        if event["eventType"] == "COMPLETE" and event["outputs"]
    }
    assert {name: _read(facet) for name, facet in facets.items()} == {
        "simple": {
            "id": ["users.id IDENTITY"],
            "name": ["users.name IDENTITY"],
            "adjusted_age": ["users.age TRANSFORMATION"],
            "all": ["users.status FILTER"],
        },
        "aggregated": {
            "dept_id": ["employees.dept_id IDENTITY"],
            "avg_salary": ["employees.salary AGGREGATION"],
            "all": ["employees.dept_id GROUP_BY"],
        },
        "joined": {
            "id": ["employees.id IDENTITY"],
            "name": ["employees.name IDENTITY"],
            "dept_name": ["departments.name IDENTITY"],
            "all": ["departments.id JOIN", "employees.dept_id JOIN"],
        },
    }


def _read(facet: dict[str, Any]) -> dict[str, list[str]]:
    read = {name: _lines(field["inputFields"]) for name, field in facet["fields"].items()}
    return {**read, "all": _lines(facet["dataset"])}


def _lines(fields: list[dict[str, Any]]) -> list[str]:
    return sorted(
        f"{field['name'].rsplit('/', 1)[-1]}.{field['field']} {step['subtype']}"
        for field in fields
        for step in field["transformations"]
    )


def test_an_unchanged_script_answers_the_three_examples_from_the_store(folder: Path) -> None:
    done = _headwater(folder, "run", "job.py")
    assert done.returncode == 0, done.stderr

    store = open_store(str(folder / "headwater.db"))
    _check_examples(list(store.events()))
    answer = ask(store, Direction.DOWNSTREAM, "in/users", "status")
    assert sorted(node.field.field or "" for node in answer.nodes) == ["adjusted_age", "id", "name", "status"]


def test_with_a_file_transport_the_same_events_are_lines_of_that_file(folder: Path) -> None:
    done = _headwater(
        folder, "run", "job.py",
        OPENLINEAGE__TRANSPORT__TYPE="file",
        OPENLINEAGE__TRANSPORT__LOG_FILE_PATH=str(folder / "events.jsonl"),
        OPENLINEAGE__TRANSPORT__APPEND="true",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not (folder / "headwater.db").exists()

    lines = (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
    events = [json.loads(line) for line in lines]
    _check_examples(events)
    assert len(events) == 8

    ingested = _headwater(folder, "ingest", "events.jsonl", "--output", "json")
    assert json.loads(ingested.stdout) == {"accepted": 8, "duplicates": 0, "rejected": []}


def test_kill_9_in_mid_job_keeps_what_was_flushed(tmp_path: Path) -> None:
    script = tmp_path / "job.py"
    script.write_text(
        "import headwater, time\n"
        "from pyspark.sql import SparkSession\n"
        "from headwater.capture.jvm.java import ensure_java\n"
        "ensure_java()\n"
        "spark = SparkSession.builder.master('local[1]').config('spark.ui.enabled', 'false').getOrCreate()\n"
        "tracker = headwater.track(spark)\n"
        "for number in range(1000):\n"
        "    spark.range(1).write.parquet(f'out/{number}')\n"
        "    if number == 2:\n"
        "        assert tracker.flush()\n"
        "        print('flushed', flush=True)\n",
        encoding="utf-8",
    )
    with subprocess.Popen(
        [sys.executable, str(script)],
        cwd=tmp_path, env=_environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        start_new_session=True,
    ) as job:  # fmt: skip
        assert job.stdout is not None
        assert job.stdout.readline() == "flushed\n"
        time.sleep(0.5)
        os.killpg(job.pid, signal.SIGKILL)
        assert job.wait() == -signal.SIGKILL

    with open_store(str(tmp_path / "headwater.db")).read() as session:
        assert session.rows("PRAGMA integrity_check") == [("ok",)]
        written = {
            name.rsplit("/", 1)[-1]
            for (name,) in session.rows("SELECT dataset.name FROM version JOIN dataset ON dataset.id = version.dataset")
        }
    assert {"0", "1", "2"} <= written


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of the demo, and what it said."""
    folder = tmp_path_factory.mktemp("demo")
    done = _headwater(folder, "demo")
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


def test_the_demo_tells_its_three_stories(demo: tuple[Path, str]) -> None:
    folder, said = demo
    upstream, rest = said.split("What would a change to landing/orders.placed_on reach?")
    impact, privacy = rest.split("Where did the customers' e-mail address go?")
    for source in ("landing/orders.placed_on", "landing/order_status.transitioned_at", "landing/menus.id"):
        assert source in upstream
    assert "top_delivery_times.order_delivery_time" in impact
    clear, masked = privacy.split("Masked:")
    assert "landing/customers.email  [PII]" in clear
    assert "landing/customers.email → newsletter.send_to" in clear
    assert "warehouse/customers.email" not in clear
    # Its way is named, and where it was hashed.
    way = "landing/customers.email → warehouse/customers.email → delivery_7_days.customer_email"
    assert f"    {way}\n    masked at warehouse/customers.email by " in masked
    assert masked.count(": sha2(lower(email), 256)") == masked.count("masked at") >= len(("customers", "delivery"))
    assert "revenue_by_city.guests" in masked

    listed, _ = said.split("Try next:")[1].split("See it in a browser:")
    commands = [line.split() for line in listed.splitlines() if line.strip()]
    tried = []
    for command in commands:
        assert command[0].endswith("headwater")
        done = _headwater(folder, *command[1:])
        assert done.returncode == 0, done.stderr
        tried.append((command[1], done.stdout))
    (_, revenue), (_, reached), (_, second_day), (_, changed), (_, told), (_, unhashed), (_, travelled) = tried
    assert [name for name, _ in tried] == ["upstream", "downstream", "upstream", "diff", "history", "pii", "tags"]
    assert "landing/menus.price" in revenue
    assert "landing/menus.price" in reached
    # The third day's expression is another one, of another column: as of the second it is not there yet.
    before, after = "timestampdiff(MINUTE, order_placed_on", "round(timestampdiff(SECOND, order_dispatched_on"
    assert before in second_day
    assert after not in second_day
    assert all(text in changed and text in told for text in (before, after, "order_delivery_time"))
    assert "warehouse/customers.email → delivery_7_days.customer_email" in unhashed.split("Masked:")[0]
    assert "newsletter.send_to  PII  carried" in travelled
    assert "warehouse/customers.email  PII  stopped" in travelled


def test_the_demo_ends_with_addresses_that_show_its_story_in_a_browser(demo: tuple[Path, str], tmp_path: Path) -> None:
    folder, said = demo
    _, command, *pages = said.split("See it in a browser:")[1].splitlines()
    served = Served(command.split()[2:], folder, {"TMPDIR": str(tmp_path)}, verify="")
    try:
        served.wait()
        here = [line.split()[0].replace("http://127.0.0.1:5000", served.url) for line in pages]
        places = dict(zip(("all", "lineage", "time", "impact", "privacy"), here, strict=True))
        page.e2e(HEADWATER_DEMO=json.dumps(places))
        assert served.stop() == 0
    except page.MissingError as error:
        pytest.skip(str(error))
    finally:
        served.kill()


def test_the_demos_lineage_is_a_file_that_datahub_takes(demo: tuple[Path, str], tmp_path: Path) -> None:
    folder, _ = demo
    (database,) = folder.rglob("lineage.db")
    with open_store(str(database)) as store:
        check_files(store, tmp_path)
