"""`headwater stats | rebuild | vacuum | purge | export --events`, on both databases."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest
from tests.food_delivery import events
from typer.testing import CliRunner

from headwater.cli import app
from headwater.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

run = CliRunner().invoke
ASKED = ["upstream", "revenue_by_city", "revenue", "--output", "json"]


def _answer(url: str) -> str:
    result = run(app, [*ASKED, "--store", url])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_stats_counts_what_there_is(any_food_url: str) -> None:
    result = run(app, ["stats", "--output", "json", "--store", any_food_url])
    document = json.loads(result.stdout)
    assert (document["events"], document["raw_events"], document["versions"], document["jobs"]) == (24, 24, 12, 5)
    assert document["first_event"] == "2025-05-12T06:00:00.000000Z"
    assert document["bytes"] > 0
    shown = run(app, ["stats", "--store", any_food_url]).stdout.splitlines()
    assert "events          24" in shown
    assert "first event     2025-05-12T06:00:00Z" in shown
    (row,) = csv.DictReader(io.StringIO(run(app, ["stats", "-o", "csv", "--store", any_food_url]).stdout))
    assert row["versions"] == "12"


def test_rebuild_gives_the_same_answers(any_food_url: str) -> None:
    before = _answer(any_food_url)
    result = run(app, ["rebuild", "--store", any_food_url])
    assert (result.exit_code, result.stdout) == (0, "Rebuilt the store from 24 events.\n")
    assert _answer(any_food_url) == before
    assert json.loads(run(app, ["rebuild", "-o", "json", "--store", any_food_url]).stdout) == {"events": 24}


def test_vacuum_drops_raw_events_and_no_answer(any_food_url: str) -> None:
    before = _answer(any_food_url)
    result = run(app, ["vacuum", "--keep-raw", "0", "--output", "json", "--store", any_food_url])
    document = json.loads(result.stdout)
    assert document["events"] > 0
    assert set(document) == {"events", "bytes_before", "bytes_after"}
    assert _answer(any_food_url) == before
    kept = run(app, ["export", "--events", "--store", any_food_url]).stdout.splitlines()
    assert len(kept) == 24 - document["events"]


def test_vacuum_without_a_limit_drops_nothing(any_food_url: str) -> None:
    result = run(app, ["vacuum", "--store", any_food_url])
    assert result.exit_code == 0
    assert result.stdout.startswith("Store size: ")
    with open_store(any_food_url) as store:
        assert store.stats().raw_events == 24


def test_export_of_events_gives_back_what_came_in_and_ingest_makes_the_same_store(
    any_food_url: str, tmp_path: Path
) -> None:
    written = run(app, ["export", "--events", "--store", any_food_url]).stdout
    assert [json.loads(line) for line in written.splitlines()] == events()
    file = tmp_path / "again.jsonl"
    file.write_text(written, encoding="utf-8")
    copy = str(tmp_path / "copy.db")
    assert run(app, ["ingest", str(file), "--store", copy]).stdout == "24 new events, 0 already stored.\n"
    assert _answer(copy) == _answer(any_food_url)


def test_export_of_events_of_one_day(any_food_url: str) -> None:
    day = ["--since", "2025-05-13", "--until", "2025-05-13"]
    written = run(app, ["export", "--events", *day, "--store", any_food_url]).stdout
    assert {json.loads(line)["eventTime"][:10] for line in written.splitlines()} == {"2025-05-13"}
    assert len(written.splitlines()) == 8


def test_purge_of_a_dataset_leaves_nothing_of_it(any_food_url: str) -> None:
    result = run(app, ["purge", "--dataset", "landing/customers", "--yes", "--store", any_food_url])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Removed from ")
    assert "landing/customers" not in run(app, ["export", "--events", "--store", any_food_url]).stdout
    unknown = run(app, ["upstream", "landing/customers", "email", "--store", any_food_url])
    assert unknown.exit_code == 2
    assert "landing/customers" not in _answer(any_food_url)


def test_purge_of_a_text_leaves_nothing_of_it(any_food_url: str) -> None:
    result = run(app, ["purge", "--text", "team:marketing", "--yes", "-o", "json", "--store", any_food_url])
    assert json.loads(result.stdout)["events"] > 0
    assert "team:marketing" not in run(app, ["export", "--events", "--store", any_food_url]).stdout


def test_what_was_purged_is_not_in_the_file_any_more(food_url: str, tmp_path: Path) -> None:
    def held() -> bool:
        return any(b"newsletter" in path.read_bytes() for path in tmp_path.iterdir())

    assert held()
    run(app, ["purge", "--dataset", "warehouse/newsletter", "--yes", "--store", food_url])
    run(app, ["purge", "--text", "newsletter", "--yes", "--store", food_url])
    assert not held()


def test_vacuum_makes_a_store_smaller(food_url: str) -> None:
    run(app, ["purge", "--dataset", "landing/customers", "--yes", "--store", food_url])
    document = json.loads(run(app, ["vacuum", "--output", "json", "--store", food_url]).stdout)
    assert document["bytes_after"] <= document["bytes_before"]


@pytest.mark.parametrize(("said", "code", "left"), [("y\n", 0, False), ("n\n", 1, True), ("", 1, True)])
def test_purge_asks_first(food_url: str, said: str, code: int, left: bool) -> None:  # noqa: FBT001  a table of cases
    result = run(app, ["purge", "--dataset", "newsletter", "--store", food_url], input=said)
    assert result.exit_code == code
    assert "Remove the dataset file//food/warehouse/newsletter permanently?" in result.stderr
    assert (run(app, ["downstream", "newsletter", "--store", food_url]).exit_code == 0) is left


@pytest.mark.parametrize(
    "options",
    [[], ["--dataset", "newsletter", "--text", "x"], ["--text", ""], ["--dataset", ""], ["--dataset", "nowhere"]],
)
def test_purge_of_nothing_in_particular_is_not_understood(food_url: str, options: list[str]) -> None:
    assert run(app, ["purge", *options, "--yes", "--store", food_url]).exit_code == 2
    with open_store(food_url) as store:
        assert store.stats().events == 24


@pytest.mark.parametrize("command", [["stats"], ["rebuild"], ["vacuum"], ["export", "--events"], ["search", "a"]])
def test_a_store_that_is_not_there_is_said_and_not_made(command: list[str], tmp_path: Path) -> None:
    result = run(app, [*command, "--store", str(tmp_path / "missing.db")])
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert "missing.db" in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "command",
    [["vacuum", "--keep-raw", "-1"], ["vacuum", "--keep-raw", "soon"], ["export", "--events", "orders"], ["export"]],
)
def test_bad_options_are_exit_code_2(food_url: str, command: list[str]) -> None:
    assert run(app, [*command, "--store", food_url]).exit_code == 2


def test_purge_says_that_lakes_and_copies_keep_what_they_have() -> None:
    words = " ".join(run(app, ["purge", "--help"]).output.split())
    assert "Lakes, backups, exports and the files that events came from keep it" in words
