"""A lake's commits: all or nothing, over all tables, and what is read is one state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from headwater.lake.conditions import among, not_before
from headwater.lake.errors import LakeChanged, LakeError
from headwater.lake.formats import parquet
from headwater.lake.lake import Change, Lake
from headwater.lake.snapshots import VERSION
from headwater.lake.tables import TABLES
from headwater.lake.vacuum import vacuum

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

_DAY = 86_400_000_000


class _Tried:
    """A lake with short words for what tests do to it."""

    def __init__(self, spark: SparkSession, path: Path) -> None:
        self.spark = spark
        self.lake = Lake.open(spark, str(path))

    def rows(self, table: str, *rows: Iterable[Any]) -> DataFrame:
        return self.spark.createDataFrame([tuple(row) for row in rows], TABLES[table].schema)

    def slots(self, *datasets: int) -> DataFrame:
        return self.rows("slot", *((dataset, 9, 1, 0, None, None) for dataset in datasets))

    def datasets(self) -> list[int]:
        return sorted(row.dataset for row in self.lake.read("slot").collect())


@pytest.fixture
def tried(pipeline_spark: SparkSession, tmp_path: Path) -> _Tried:
    return _Tried(pipeline_spark, tmp_path / "lake")


def _event(us: int, hashed: bytes) -> tuple[Any, ...]:
    return (us, 1, None, None, 0, 0, hashed, b"")


def test_a_new_lake_is_empty(tried: _Tried) -> None:
    lake = tried.lake
    assert (lake.snapshot.number, dict(lake.snapshot.note)) == (0, {})
    assert lake.is_empty("event")
    assert lake.read("event").columns == [*TABLES["event"].names, "day"]
    assert lake.read("event", not_before("day", "2026-01-01")).count() == 0


def test_a_commit_is_read_by_whoever_opens_the_lake_next(tried: _Tried) -> None:
    event = tried.rows("event", _event(0, b"a"), _event(-1, b"b"), _event(20_000 * _DAY, b"c"))
    made = tried.lake.commit({"event": Change(event), "slot": Change(tried.slots(1, 17))}, {"events": 3})
    again = Lake.open(tried.spark, tried.lake.path)
    assert made.number == again.snapshot.number == 1
    assert again.snapshot.note == {"events": 3}
    days = {(row.hash, row.day) for row in again.read("event").select("hash", "day").collect()}
    assert days == {(b"a", "1970-01-01"), (b"b", "1969-12-31"), (b"c", "2024-10-04")}
    assert {row.bucket for row in again.read("slot").collect()} == {1}
    assert not again.is_empty("slot")
    assert again.is_empty("job")


def test_a_condition_on_partitions_keeps_other_directories_from_being_looked_at(tried: _Tried) -> None:
    lake = tried.lake
    lake.commit({"slot": Change(tried.slots(1, 2, 17, 18))}, {})
    found = lake.read("slot", among("bucket", [2]))
    assert sorted(row.dataset for row in found.collect()) == [2, 18]
    assert all("bucket=2" in file for file in found.inputFiles())


def test_removed_rows_go_and_added_ones_come_in_the_same_commit(tried: _Tried) -> None:
    lake = tried.lake
    lake.commit({"slot": Change(tried.slots(1, 2, 17))}, {})
    before = lake.read("slot", among("bucket", [2])).inputFiles()
    lake.commit({"slot": Change(tried.slots(33, 5), lake.read("slot").where("dataset = 1"))}, {})
    assert tried.datasets() == [2, 5, 17, 33]
    assert lake.read("slot", among("bucket", [2])).inputFiles() == before
    lake.commit({"slot": Change(removed=tried.slots(2))}, {})
    assert tried.datasets() == [5, 17, 33]
    job = tried.rows("job", (1, b"k", 0, "n", "a"), (2, b"l", 0, "n", "b"))
    lake.commit({"job": Change(job)}, {})
    lake.commit({"job": Change(removed=job)}, {})
    assert lake.is_empty("job")


def test_rows_that_move_to_another_partition_leave_the_old_one(tried: _Tried) -> None:
    lake = tried.lake
    before = tried.rows("run", (1, None, None, None, None, 0, b"u", None, None, None))
    after = tried.rows("run", (1, 5, None, None, None, 0, b"u", None, None, None))
    lake.commit({"run": Change(before)}, {})
    lake.commit({"run": Change(after, before)}, {})
    assert [(row.first_us, row.month) for row in lake.read("run").collect()] == [(5, "1970-01")]


def test_earlier_snapshots_stay_readable(tried: _Tried) -> None:
    lake = tried.lake
    lake.commit({"slot": Change(tried.slots(1))}, {})
    lake.commit({"slot": Change(tried.slots(2), tried.slots(1))}, {})
    assert [row.dataset for row in lake.at(1).read("slot").collect()] == [1]
    with pytest.raises(LakeError, match="no longer has snapshot 7"):
        lake.at(7)


def test_a_partition_of_many_directories_becomes_one(tried: _Tried, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "MOST_DIRECTORIES", 2)
    for dataset in (1, 17, 33):
        tried.lake.commit({"slot": Change(tried.slots(dataset))}, {})
    tables = tried.lake.snapshot.tables
    assert len(tables["slot"]["bucket=1"]) == 1
    assert tried.datasets() == [1, 17, 33]


def test_the_second_of_two_writers_is_told_and_changes_nothing(tried: _Tried) -> None:
    late = Lake.open(tried.spark, tried.lake.path)
    tried.lake.commit({"slot": Change(tried.slots(1))}, {})
    with pytest.raises(LakeChanged, match="only one run write to a lake at a time"):
        late.commit({"slot": Change(tried.slots(2))}, {})
    assert tried.datasets() == [1]
    assert Lake.open(tried.spark, tried.lake.path).snapshot.number == 1


def test_a_run_that_ends_before_its_snapshot_leaves_the_old_state(
    tried: _Tried, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried.lake.commit({"slot": Change(tried.slots(1))}, {})

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("headwater.lake.snapshots.publish", dies)
        with pytest.raises(KeyboardInterrupt):
            tried.lake.commit({"slot": Change(tried.slots(2), tried.slots(1))}, {})
    assert tried.datasets() == [1]
    again = Lake.open(tried.spark, tried.lake.path)
    again.commit({"slot": Change(tried.slots(3))}, {})
    assert sorted(row.dataset for row in again.read("slot").collect()) == [1, 3]


def test_scratch_goes_with_the_commit_and_that_of_a_dead_run_with_a_later_one(tried: _Tried) -> None:
    dead = Lake.open(tried.spark, tried.lake.path)
    left = dead.scratch()
    own = tried.lake.scratch()
    assert left != own
    tried.lake.commit({"slot": Change(tried.slots(1))}, {})
    names = tried.lake.files.names("_headwater/scratch")
    assert [name for name in names if name in own] == []
    later = Lake.open(tried.spark, tried.lake.path).scratch()
    assert [name for name in tried.lake.files.names("_headwater/scratch") if name not in later] == []


def test_what_is_no_lake_is_refused(pipeline_spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(LakeError, match="other files"):
        Lake.open(pipeline_spark, str(tmp_path))
    with pytest.raises(LakeError, match="No lake at"):
        Lake.open(pipeline_spark, str(tmp_path / "none"), make=False)
    with pytest.raises(LakeError, match="choose one of"):
        Lake.open(pipeline_spark, str(tmp_path / "none"), format="orc")


def test_a_lake_of_another_headwater_or_in_another_format_is_refused(tried: _Tried, tmp_path: Path) -> None:
    tried.lake.commit({"slot": Change(tried.slots(1))}, {})
    newest = tmp_path / "lake" / "_headwater" / "snapshots" / "000001.json"
    said = newest.read_text()
    newest.write_text(said.replace('"format": "parquet"', '"format": "orc"'))
    with pytest.raises(LakeError, match="uses the format 'orc'"):
        Lake.open(tried.spark, tried.lake.path)
    for version, advice in ((VERSION + 1, "upgrade Headwater"), (VERSION - 1, "into a new directory")):
        newest.write_text(said.replace(f'"version": {VERSION}', f'"version": {version}'))
        with pytest.raises(LakeError, match=advice):
            Lake.open(tried.spark, tried.lake.path)
    newest.write_text("{")
    with pytest.raises(LakeError, match="is not a lake snapshot"):
        Lake.open(tried.spark, tried.lake.path)


def test_vacuum_removes_what_only_old_snapshots_need(tried: _Tried) -> None:
    lake = tried.lake
    lake.commit({"slot": Change(tried.slots(1, 2))}, {})
    lake.commit({"slot": Change(tried.slots(3), tried.slots(1))}, {})
    lake.commit({"slot": Change(tried.slots(4))}, {})
    lake.files.make("slot/000009-left-by-a-run-that-died")
    done = vacuum(lake, keep=2, grace_ms=_DAY)
    assert (done.removed, done.left) == (1, 2)
    assert "000009-left-by-a-run-that-died" in lake.files.names("slot")
    vacuum(lake, keep=1, grace_ms=0)
    listed = {f"{run}/{part}" for part, runs in lake.snapshot.tables["slot"].items() for run in runs}
    there = {
        f"{run}/{part}" for run in lake.files.names("slot") for part in lake.files.names(f"slot/{run}") if "=" in part
    }
    assert there == listed
    assert tried.datasets() == [2, 3, 4]
    with pytest.raises(LakeError, match="no longer has snapshot 2"):
        lake.at(2)
