"""Whole runs of the pipeline: what the command says, faults on the way, and streams."""

from __future__ import annotations

import json
import re
import shutil
import threading
from typing import TYPE_CHECKING, Any

import pytest
from tests.disks import fill, small_disk
from tests.pipeline.lakes import history, view_of, write_lines
from typer.testing import CliRunner

from headwater.cli import app
from headwater.lake import snapshots
from headwater.lake.failures import PipelineError
from headwater.lake.lake import Lake
from headwater.pipeline.land.land import land
from headwater.pipeline.run import run_once
from headwater.pipeline.stream.stream import StreamOptions, stream
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession
    from tests.conftest import EventMaker
    from tests.store.conftest import View

    from headwater.pipeline.report import Report
    from headwater.store import Store

ONCE = StreamOptions(interval=None, most_files=1)


def _run(spark: SparkSession, lake: Path, *sources: Path) -> Report:
    landed = land(spark, [str(source) for source in sources])
    return run_once(spark, Lake.open(spark, str(lake)), landed)


def _write_events(maker: EventMaker, folder: Path) -> Path:
    """Three files of events, with a bad line in each and an event that comes again."""
    events = history(maker, 12)
    for number in range(3):
        write_lines(folder / f"{number}.jsonl", [*events[number * 8 : number * 8 + 8], {"number": number}, events[0]])
    return folder


@pytest.fixture
def events_dir(maker: EventMaker, tmp_path: Path) -> Path:
    """Three files of events."""
    folder = tmp_path / "events"
    folder.mkdir()
    return _write_events(maker, folder)


@pytest.fixture(scope="module")
def in_one_run(
    pipeline_spark: SparkSession,
    natural_view: Callable[[Store], View],
    maker: EventMaker,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, Any]:
    """All of the lake that one run over these files makes."""
    folder = tmp_path_factory.mktemp("batch")
    assert _run(pipeline_spark, folder / "lake", _write_events(maker, tmp_path_factory.mktemp("events"))).read == 30
    return _without_places(view_of(pipeline_spark, natural_view, str(folder / "lake"), folder))


def _without_places(view: dict[str, Any]) -> dict[str, Any]:
    """Without the folders that bad lines were found in."""
    return {**view, "quarantine": sorted((row[0].rpartition("/")[2], *row[1:]) for row in view["quarantine"])}


def test_the_command_runs_reports_and_loads_and_the_store_is_that_of_ingest(
    pipeline_spark: SparkSession,
    natural_view: Callable[[Store], View],
    maker: EventMaker,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert pipeline_spark.sparkContext is not None
    monkeypatch.chdir(tmp_path)
    events = history(maker, 12)
    lines = "".join(json.dumps(event) + "\n" for event in [*events, events[3], [], *events[:2]])
    command = ["pipeline", "run", "-", "--lake", "lake", "--store", "sqlite:///lineage.db", "--output", "json"]
    result = CliRunner().invoke(app, command, input=lines)
    assert (result.exit_code, result.stderr) == (0, "")
    said = json.loads(result.stdout)
    assert said["events"] == {"read": 28, "bad": 1, "new": 24, "duplicated": 3, "late": 0}
    assert (said["rows"]["event"], said["rows"]["quarantine"], said["snapshot"]) == (24, 1, 1)
    assert list(said["seconds"]) == ["start", "land", "validate", "derive", "commit", "load"]
    with open_store("lineage.db") as loaded, open_store("ingested.db") as ingested:
        ingested.ingest(events)
        assert natural_view(loaded) == natural_view(ingested)
    again = CliRunner().invoke(app, [*command[:5], "--strict", "--track", "own.db"], input=lines)
    assert again.exit_code == 1
    assert re.search("events duplicated +27\n", again.stdout)
    assert "rows of" not in again.stdout
    assert "quarantine table" in again.stderr
    # It tracks itself: what was written, and by whom.
    with open_store("own.db") as own:
        assert own.stats().versions > 0
    # The same bad line, at the same place: known.
    assert Lake.open(pipeline_spark, "lake").read("quarantine").count() == 1


def test_what_the_command_is_told_wrongly_ends_with_a_sentence(
    pipeline_spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pipeline_spark.sparkContext is not None
    monkeypatch.chdir(tmp_path)
    for words, code, said in (
        (["run", "nowhere", "--lake", "lake"], 1, "nowhere does not exist"),
        (["run", "delta:lake.events", "--lake", "lake"], 1, "--packages io.delta:delta-spark"),
        (["run", "nowhere", "--lake", "lake", "--conf", "secret"], 2, "NAME=VALUE"),
        (
            ["stream", "sqlite:///a.db", "--lake", "lake", "--checkpoint", "c"],
            1,
            "Use `headwater pipeline run` instead",
        ),
    ):
        result = CliRunner().invoke(app, ["pipeline", *words])
        assert (result.exit_code, said in result.stderr) == (code, True), result.stderr
        assert "Traceback" not in result.stderr


@pytest.mark.slow
def test_a_full_disk_fails_the_run_in_a_sentence_and_the_next_one_gives_the_same_tables(
    pipeline_spark: SparkSession,
    lake_view: Callable[[object], dict[str, Any]],
    in_one_run: dict[str, Any],
    events_dir: Path,
) -> None:
    with small_disk(24) as disk:
        _run(pipeline_spark, disk / "lake", events_dir / "1.jsonl")
        before = Lake.open(pipeline_spark, str(disk / "lake")).snapshot
        ballast = fill(disk, leave=20_000)
        with pytest.raises(RuntimeError, match="disk is full"):
            _run(pipeline_spark, disk / "lake", events_dir)
        ballast.unlink()
        assert Lake.open(pipeline_spark, str(disk / "lake")).snapshot == before
        assert _run(pipeline_spark, disk / "lake", events_dir).late == 7
        assert _without_places(lake_view(disk / "lake")) == in_one_run


@pytest.mark.slow
def test_a_stream_takes_each_file_once_and_ends_as_the_batch_run_does(
    pipeline_spark: SparkSession,
    lake_view: Callable[[object], dict[str, Any]],
    in_one_run: dict[str, Any],
    events_dir: Path,
    tmp_path: Path,
) -> None:
    lake, checkpoint = str(tmp_path / "lake"), tmp_path / "checkpoint"
    reports: list[Report] = []

    def follow() -> None:
        stream(pipeline_spark, str(events_dir), lake, str(checkpoint), options=ONCE, done=reports.append)

    late = (events_dir / "0.jsonl").rename(tmp_path / "late.jsonl")
    follow()
    assert [report.read for report in reports] == [10, 10]
    shutil.move(late, events_dir / "0.jsonl")
    follow()
    assert (len(reports), reports[2].late) == (3, 7)
    assert _without_places(lake_view(lake)) == in_one_run
    # As if the process had ended between the lake's commit and Spark's own note of it.
    shutil.rmtree(checkpoint / "spark" / "commits")
    (checkpoint / "spark" / "commits").mkdir()
    follow()
    assert (len(reports), Lake.open(pipeline_spark, lake).snapshot.number) == (3, 3)
    # The lake's part of the stream's memory outlives what others commit.
    Lake.open(pipeline_spark, lake).commit({}, {"what": "other"})
    assert Lake.open(pipeline_spark, lake).snapshot.note[snapshots.STREAMS]
    shutil.rmtree(lake)
    write_lines(events_dir / "3.jsonl", [])
    with pytest.raises(PipelineError, match=r"lacks batches of this stream.*new --checkpoint"):
        follow()


def test_a_checkpoint_that_is_not_this_streams_is_refused_with_what_to_do(
    pipeline_spark: SparkSession, tmp_path: Path
) -> None:
    for folder in ("in", "other", "foreign"):
        (tmp_path / folder).mkdir()
    (tmp_path / "foreign" / "offsets").mkdir()

    def follow(source: str, checkpoint: str) -> None:
        place = str(tmp_path / checkpoint)
        stream(pipeline_spark, str(tmp_path / source), str(tmp_path / "lake"), place, options=ONCE)

    follow("in", "c")
    with pytest.raises(
        PipelineError, match=r"belongs to a stream from .*/in, not from .*/other: start .* new --checkpoint"
    ):
        follow("other", "c")
    with pytest.raises(PipelineError, match="contains other files and no Headwater checkpoint"):
        follow("in", "foreign")
    said = tmp_path / "c" / "headwater.json"
    for version, words in ((0, "an older"), (2, "a newer")):
        said.write_text(json.dumps({**json.loads(said.read_text()), "version": version}))
        (tmp_path / "c" / ".headwater.json.crc").unlink(missing_ok=True)
        with pytest.raises(
            PipelineError, match=f"was written by {words} Headwater .*: start the stream with a new --checkpoint"
        ):
            follow("in", "c")
    said.write_text("{}")
    with pytest.raises(PipelineError, match=r"Cannot read the checkpoint .*: start"):
        follow("in", "c")


def test_a_stream_that_is_asked_to_stop_finishes_its_batch(
    pipeline_spark: SparkSession, events_dir: Path, tmp_path: Path
) -> None:
    stopping = threading.Event()
    reports: list[Report] = []

    def begun(stage: str) -> None:
        if stage == "derive":
            stopping.set()

    how = StreamOptions("1 second", most_files=1)
    place = str(tmp_path / "lake")
    stream(
        pipeline_spark, str(events_dir), place, str(tmp_path / "c"),
        options=how, stopping=stopping, done=reports.append, begun=begun,
    )  # fmt: skip
    assert (len(reports), Lake.open(pipeline_spark, place).snapshot.number) == (1, 1)


def test_a_batch_of_a_stream_that_fails_ends_it_with_the_reason(pipeline_spark: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "cut.jsonl.gz").write_bytes(b"\x1f\x8b\x08\x00\x00\x00\x00\x00")
    with pytest.raises(PipelineError, match=r"cut.jsonl.gz is truncated or damaged"):
        stream(pipeline_spark, str(folder), str(tmp_path / "lake"), str(tmp_path / "c"), options=ONCE)
