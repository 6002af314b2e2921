"""`headwater ingest`: files of events, good and broken."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from headwater._version import __version__
from headwater.cli import app

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.conftest import EventMaker

    from headwater.store import Store

run = CliRunner().invoke


def _lines(events: Sequence[object]) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


@pytest.fixture
def events(maker: EventMaker) -> list[dict[str, object]]:
    return [maker(minute, columns={"a": ["in.x"]}) for minute in range(3)]


def test_files_plain_and_packed_and_standard_input(
    tmp_path: Path, store: Store, events: list[dict[str, object]]
) -> None:
    plain, packed = tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz"
    plain.write_text(_lines(events[:1]) + "\n")
    packed.write_bytes(gzip.compress(_lines(events[1:2]).encode()))
    arguments = ["ingest", str(plain), str(packed), "-", "--store", str(store.path)]
    result = run(app, arguments, input=_lines(events))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "3 new events, 2 already stored.\n"


def test_bad_lines_are_named_good_ones_kept_and_the_exit_code_is_1(
    tmp_path: Path, store: Store, events: list[dict[str, object]]
) -> None:
    file = tmp_path / "events.jsonl"
    no_time = {key: value for key, value in events[1].items() if key != "eventTime"}
    file.write_text(_lines([events[0], no_time]) + '{"broken\n\n[]\nnull\n' + _lines([events[2]]), encoding="utf-8")
    result = run(app, ["ingest", str(file), "--store", str(store.path)])
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        f"{file}:2: eventTime: is missing",
        f"{file}:3: not valid JSON: Unterminated string starting at (character 2)",
        f"{file}:5: event: must be an object, not a list",
        f"{file}:6: must be an object, not null",
    ]
    assert result.stdout == "2 new events, 0 already stored, 4 bad.\n"
    assert store.stats().events == 2


def test_json_output_lists_the_bad_lines(tmp_path: Path, store: Store, events: list[dict[str, object]]) -> None:
    file = tmp_path / "events.jsonl"
    file.write_text(_lines([*events, {}]))
    result = run(app, ["ingest", str(file), "--output", "json", "--store", str(store.path)])
    assert result.exit_code == 1
    assert json.loads(result.stdout) == {
        "accepted": 3,
        "duplicates": 0,
        "rejected": [{"file": str(file), "line": 4, "field": "eventTime", "reason": "is missing"}],
    }


def test_a_packed_file_cut_short_keeps_what_can_be_read(tmp_path: Path, store: Store, maker: EventMaker) -> None:
    file = tmp_path / "cut.gz"
    file.write_bytes(
        gzip.compress(_lines([maker(minute % 60, run=str(minute)) for minute in range(600)]).encode())[:-200]
    )
    result = run(app, ["ingest", str(file), "--store", str(store.path)])
    assert result.exit_code == 1
    assert "Cannot read the rest of the file" in result.stderr
    assert store.stats().events > 0


def test_several_processes_keep_the_same_and_name_the_same_bad_lines(
    tmp_path: Path, any_url: str, maker: EventMaker
) -> None:
    lines = [
        json.dumps(maker(minute, kind, run=str(minute))) for minute in range(600) for kind in ("START", "COMPLETE")
    ]
    lines[700] = "no JSON"
    file = tmp_path / "events.jsonl"
    file.write_text("\n".join([*lines, lines[0], "{}"]), encoding="utf-8")
    results = {}
    for jobs in ("2", "1"):
        done = run(app, ["ingest", "--jobs", jobs, "--store", any_url, str(file), "--output", "json"])
        assert done.exit_code == 1
        results[jobs] = json.loads(done.stdout)
    assert (results["2"]["accepted"], results["2"]["duplicates"]) == (1199, 1)
    assert (results["1"]["accepted"], results["1"]["duplicates"]) == (0, 1200)
    assert [one["line"] for one in results["2"]["rejected"]] == [701, 1202]
    assert results["1"]["rejected"] == results["2"]["rejected"]


def _dies(_lines: object) -> None:
    os._exit(1)  # as a process that the system ends for want of memory


def test_a_process_that_is_ended_is_said_in_a_sentence(
    tmp_path: Path, store: Store, events: list[dict[str, object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "events.jsonl"
    file.write_text(_lines(events))
    monkeypatch.setattr("headwater.cli.store.loading._load", _dies)
    result = run(app, ["ingest", "--jobs", "2", "--store", str(store.path), str(file)])
    assert result.exit_code == 1
    assert "A worker process was killed. Make sure there is enough memory" in result.stderr
    assert isinstance(result.exception, SystemExit)


def test_a_missing_file_does_not_stop_the_others(tmp_path: Path, store: Store, events: list[dict[str, object]]) -> None:
    file = tmp_path / "events.jsonl"
    file.write_text(_lines(events))
    result = run(app, ["ingest", "nowhere.jsonl", str(file), "--store", str(store.path)])
    assert result.exit_code == 1
    assert result.stderr == "nowhere.jsonl: No such file or directory\n"
    assert result.stdout == "3 new events, 0 already stored, 1 bad.\n"


def test_bytes_that_are_no_text_and_nesting_without_end(tmp_path: Path, store: Store) -> None:
    file = tmp_path / "events.jsonl"
    file.write_bytes(b'"\xff\xfe\xfa"\n' + b"[" * 100_000 + b"\n")
    result = run(app, ["ingest", str(file), "--store", str(store.path)])
    assert result.exit_code == 1
    assert [line.removeprefix(f"{file}:")[:17] for line in result.stderr.splitlines()] == [
        "1: not UTF-8 (byt",
        "2: not valid JSON",
    ]


def test_the_installed_command_answers() -> None:
    command = [sys.executable, "-c", "from headwater.cli import main; main()"]
    version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == f"headwater {__version__}\n"
    helped = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True)
    assert {"upstream", "downstream", "ingest"} <= set(helped.stdout.split())


def test_help_starts_without_the_store_or_spark() -> None:
    code = (
        "import sys, headwater.cli; print(*[m for m in ('sqlite3', 'pyspark', 'headwater.store') if m in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout == "\n"
