"""`headwater simulate` writes the same bytes however it is run, and counts them."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from headwater.cli import app

OPTIONS = ["--datasets", "30", "--days", "9", "--late", "0.05", "--duplicates", "0.05", "--failures", "0.1"]


def _simulate(*options: str) -> Any:  # noqa: ANN401  typer brings its own click
    return CliRunner().invoke(app, ["simulate", *OPTIONS, *options])


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.gz"))}


def _lines(files: dict[str, bytes]) -> list[bytes]:
    return [line for name in sorted(files) for line in gzip.decompress(files[name]).splitlines()]


@pytest.fixture(scope="module")
def streamed() -> list[bytes]:
    """What goes to standard output."""
    found: list[bytes] = _simulate().stdout_bytes.splitlines()
    return found


def test_two_processes_write_the_same_files_as_one(tmp_path: Path) -> None:
    assert _simulate("--to", str(tmp_path / "one")).exit_code == 0
    assert _simulate("--to", str(tmp_path / "two"), "--jobs", "2").exit_code == 0
    assert _files(tmp_path / "one") == _files(tmp_path / "two")


def test_a_tree_of_days_holds_what_the_stream_has(tmp_path: Path, streamed: list[bytes]) -> None:
    _simulate("--to", str(tmp_path / "tree"), "--events-per-file", "20")
    files = _files(tmp_path / "tree")
    assert _lines(files) == streamed
    assert "2026/01/09/events-0000.jsonl.gz" in files
    assert max(len(gzip.decompress(data).splitlines()) for data in files.values()) == 20


def test_exactly_so_many_files_hold_what_the_stream_has(tmp_path: Path, streamed: list[bytes]) -> None:
    _simulate("--to", str(tmp_path / "files"), "--files", "16")
    files = _files(tmp_path / "files")
    assert len(files) == 16
    assert _lines(files) == streamed


def test_the_counts_are_those_of_the_events(tmp_path: Path, streamed: list[bytes]) -> None:
    result = _simulate("--to", str(tmp_path / "counted"), "--output", "json")
    counts = json.loads(result.stdout)
    events = [json.loads(line) for line in streamed]
    types = Counter(event.get("eventType", event["schemaURL"].rpartition("/")[2]) for event in events)
    assert counts["events"] == len(streamed)
    assert counts["json_bytes"] == sum(map(len, streamed))
    assert counts["file_bytes"] == sum(map(len, _files(tmp_path / "counted").values()))
    assert counts["files"] == 9
    assert counts["duplicates"] == len(streamed) - len(set(streamed)) > 0
    assert counts["late"] > 0
    named = {"START": "start", "COMPLETE": "complete", "FAIL": "fail", "RUNNING": "running"}
    named |= {"DatasetEvent": "dataset_events", "JobEvent": "job_events"}
    assert {named[kind]: count for kind, count in types.items()} == {name: counts[name] for name in named.values()}


def test_beside_a_stream_the_counts_go_to_standard_error() -> None:
    result = _simulate("--output", "json")
    assert json.loads(result.stderr)["events"] == len(result.stdout_bytes.splitlines())


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep", encoding="utf-8")
    result = _simulate("--to", str(tmp_path))
    assert result.exit_code == 1
    assert "Choose a new folder" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_what_cannot_be_simulated_is_said() -> None:
    result = _simulate("--layers", "40")
    assert result.exit_code == 2
    assert result.stderr == "40 layers need at least 80 datasets, not 30.\n"
    assert _simulate("--files", "3").exit_code == 2
