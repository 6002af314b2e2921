"""From sources to events that are ready, and to a quarantine that says where each bad one stands."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from headwater.cli.store.event_lines import raw_lines
from headwater.lake.failures import PipelineError
from headwater.openlineage.model.event import BadEvent
from headwater.pipeline.land.land import land
from headwater.pipeline.land.stores import ranges_of
from headwater.pipeline.validate import lines
from headwater.pipeline.validate.validate import validate
from headwater.store.ingest.prepared_event import make_ready
from headwater.store.model.compression import unpacked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pyspark.sql import SparkSession
    from tests.conftest import EventMaker

    from headwater.pipeline.validate.validate import Validated
    from headwater.store import Store

BAD = (
    b'{"eventTime":',
    b"null",
    b"[1]",
    b'{"eventTime": "yesterday", "producer": "p"}',
    b"\xff\xfe\x00",
    b"[" * 100_000,
    b'{"eventTime": NaN}',
)


@pytest.fixture
def examine(pipeline_spark: SparkSession, tmp_path: Path) -> Callable[..., Validated]:
    """Land and validate sources."""

    def work(*names: object, column: str | None = None, spooled: str | None = None) -> Validated:
        landed = land(pipeline_spark, [str(name) for name in names], column=column, spooled=spooled)
        return validate(pipeline_spark, landed, str(tmp_path / "scratch"))

    return work


@pytest.fixture(scope="module")
def good(maker: EventMaker) -> list[bytes]:
    """Lines of events, two of which have the same body."""
    events = [maker(minute, columns={"c": [f"in.{minute % 3} IDENTITY"]}, parent="p") for minute in range(9)]
    return [json.dumps(event).encode() for event in events]


def _hashes(found: Validated) -> list[bytes]:
    return sorted(bytes(row.hash) for row in found.events.collect())


def _ready(lines: list[bytes]) -> list[bytes]:
    return sorted(make_ready(json.loads(line)).hash for line in lines)


def test_each_event_is_what_the_store_makes_of_it(
    examine: Callable[..., Validated], good: list[bytes], tmp_path: Path
) -> None:
    (tmp_path / "events.jsonl").write_bytes(b"\n".join(good))
    found = examine(tmp_path / "events.jsonl")
    assert (found.read, found.bad_count, found.bad.count()) == (9, 0, 0)
    expected = {event.hash: event for event in (make_ready(json.loads(line)) for line in good)}
    bodies = {bytes(row.hash): unpacked(row.content) for row in found.bodies.collect()}
    for row in found.events.collect():
        event = expected.pop(bytes(row.hash))
        assert (row.us, row.kind, row.type, bytes(row.run)) == (event.us, event.kind, event.type, event.run)
        assert (bytes(row.stamp), unpacked(row.rest)) == (event.stamp, event.rest)
        assert bodies[bytes(row.body_hash)] == event.body
        assert event.parent is not None
        assert bytes(row.parent).hex() == event.parent.run_id.replace("-", "")
    assert not expected


def test_a_bad_line_is_found_by_file_offset_and_line_however_files_are_cut_into_blocks(
    examine: Callable[..., Validated], pipeline_spark: SparkSession, good: list[bytes], tmp_path: Path
) -> None:
    lines = [b"", *good[:3], BAD[0], b"  \r", BAD[2] + b"\r", *good[3:], BAD[4], b"", *good[:2], BAD[1]]
    tree = tmp_path / "in" / "a b" / "day=1"
    tree.mkdir(parents=True)
    (tree / "plain[1].jsonl").write_bytes(b"\n".join(lines))
    (tree / "packed.json.gz").write_bytes(gzip.compress(b"\n".join(lines) + b"\n"))
    for ignored in (tree / "_half.jsonl", tree / ".hidden.jsonl", tree / "notes.txt"):
        ignored.write_bytes(BAD[0])
    before = pipeline_spark.conf.get("spark.sql.files.maxPartitionBytes")
    pipeline_spark.conf.set("spark.sql.files.maxPartitionBytes", 1000)
    try:
        found = examine(tmp_path / "in")
        assert (found.read, found.bad_count) == (2 * 15, 2 * 4)
        rows = {(row.source, row.line): row for row in found.bad.collect()}
    finally:
        pipeline_spark.conf.set("spark.sql.files.maxPartitionBytes", str(before))
    assert len(rows) == 8
    content = b"\n".join(lines)
    for file in ("plain[1].jsonl", "packed.json.gz"):
        for number, line in enumerate(lines, start=1):
            row = rows.pop((str(tree / file), number), None)
            assert (row is not None) == (line.strip() in BAD)
            if row is not None:
                assert bytes(row.bytes) == line
                assert content[row.offset :].startswith(line)


def test_a_line_is_bad_for_the_reason_that_ingest_gives(
    examine: Callable[..., Validated], store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_bytes(b"\n".join(BAD))
    found = {row.line: (row.field, row.reason) for row in examine(file).bad.collect()}
    with file.open("rb") as opened:
        for line in (raw.read() for raw in raw_lines(opened)):
            if line.event is None:
                assert found.pop(line.number) == ("", line.reason)
            else:
                (rejected,) = store.ingest([line.event]).rejected
                assert found.pop(line.number) == (rejected.field, rejected.reason)
    assert not found


def test_what_nobody_expected_of_an_event_quarantines_it_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(event: Mapping[str, object], _known: object, *, keep_secrets: bool) -> None:  # noqa: ARG001
        raise event["error"]  # type: ignore[misc]

    monkeypatch.setattr(lines, "make_ready", fails)
    for error, reason in (
        (RecursionError(), "nested too deeply"),
        (MemoryError(), "does not fit"),
        (KeyError("x"), "KeyError: 'x'"),
    ):
        monkeypatch.setattr(lines, "event_of", lambda _text, error=error: {"error": error})
        found = lines.verdict(b"{}", {})
        assert isinstance(found, BadEvent)
        assert reason in found.reason


def test_a_task_writes_every_body_that_its_events_have_even_where_the_process_knows_them(good: list[bytes]) -> None:
    import pyarrow as pa  # noqa: PLC0415  with Spark only

    size = len(good)
    columns = [pa.array(good), pa.array(["f"] * size), pa.array([0] * size), pa.nulls(size, pa.int64())]
    batch = pa.RecordBatch.from_arrays(columns, ["raw", "source", "block", "at"])
    for _ in range(2):
        rows = [row for one in lines.check_lines([batch]) for row in one.to_pylist()]
        bodies = [row["hash"] for row in rows if row["what"] == "body"]
        assert len(bodies) == 3
        assert {row["body_hash"] for row in rows if row["what"] == "event"} == set(bodies)


def test_tables_are_read_by_the_column_that_holds_the_events(
    examine: Callable[..., Validated], pipeline_spark: SparkSession, good: list[bytes], tmp_path: Path
) -> None:
    rows = [(number, line.decode()) for number, line in enumerate(good)]
    one = tmp_path / "one"
    pipeline_spark.createDataFrame([*rows, (9, "{"), (10, None)], "n int, event string").write.parquet(str(one))
    found = examine(f"parquet:{one}")
    assert (found.read, _hashes(found)) == (10, _ready(good))
    (bad,) = found.bad.collect()
    assert (bad.source.startswith(str(one)), bad.offset, bad.line, bytes(bad.bytes)) == (True, None, None, b"{")
    two = tmp_path / "two"
    pipeline_spark.createDataFrame([(line, "x") for _, line in rows], "event string, note string").write.parquet(
        str(two)
    )
    with pytest.raises(PipelineError, match=r"--column. Columns: event string, note string"):
        examine(f"parquet:{two}")
    with pytest.raises(PipelineError, match="has no text or binary column n"):
        examine(f"parquet:{one}", column="n")
    assert _hashes(examine(f"parquet:{two}", column="event")) == _ready(good)


def test_another_store_is_read_in_ranges_of_time(
    examine: Callable[..., Validated], any_store: Store, good: list[bytes]
) -> None:
    any_store.ingest([json.loads(line) for line in good])
    with any_store.read() as session:
        assert [(until - since) // 60_000_000 for since, until in ranges_of(session, 4)] == [3, 3, 0]
    found = examine(any_store.url)
    assert (found.read, found.bad_count, _hashes(found)) == (9, 0, _ready(good))


def test_sources_add_up_and_standard_input_keeps_its_name(
    examine: Callable[..., Validated], good: list[bytes], tmp_path: Path
) -> None:
    for place, line in enumerate(good):
        (tmp_path / f"{place}.ndjson").write_bytes(line)
    (tmp_path / "other.txt").write_bytes(good[0])
    (tmp_path / "spooled.jsonl").write_bytes(b"{")
    found = examine(
        f"{tmp_path}/[0-7].ndjson", tmp_path / "other.txt", tmp_path / "other.txt", "-",
        spooled=str(tmp_path / "spooled.jsonl"),
    )  # fmt: skip
    assert (found.read, found.bad_count) == (10, 1)
    assert _hashes(found) == _ready([*good[:8], good[0]])
    (bad,) = found.bad.collect()
    assert (bad.source, bad.offset, bad.line) == ("-", 0, 1)


def test_no_input_at_all_is_an_error_that_says_what_to_do(examine: Callable[..., Validated], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "notes.txt").write_text("{}")
    (tmp_path / "_x.jsonl").write_text("{}")
    for name, said in (
        (tmp_path / "nowhere", "does not exist"),
        (tmp_path / "*.gz", "matches nothing"),
        (tmp_path / "empty", "no file ends in .json"),
        (tmp_path / "_x.jsonl", "rename it"),
        ("kafka:events", "--option kafka.bootstrap.servers"),
        ("delta:", "is incomplete"),
        ("iceberg:no.such.table", "Cannot read the source"),
        ("http://host/events", "download it first"),
        ("s4://bucket/events", "no file system"),
        (f"sqlite:///{tmp_path}/none.db", "none.db"),
    ):
        with pytest.raises(RuntimeError, match=said):
            examine(name)


def test_a_file_that_breaks_off_or_vanishes_fails_the_run_by_its_name(
    examine: Callable[..., Validated], pipeline_spark: SparkSession, good: list[bytes], tmp_path: Path
) -> None:
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(gzip.compress(b"\n".join(good) * 50)[:-20])
    with pytest.raises(PipelineError, match=f"{cut} is truncated or damaged: replace it"):
        examine(cut)
    gone = tmp_path / "gone.jsonl"
    gone.write_bytes(good[0])
    landed = land(pipeline_spark, [str(gone)])
    gone.unlink()
    with pytest.raises(PipelineError, match=f"{gone} disappeared during the run"):
        validate(pipeline_spark, landed, str(tmp_path / "scratch"))


def test_a_half_written_line_is_quarantined_and_its_event_is_taken_when_the_file_is_whole(
    examine: Callable[..., Validated], good: list[bytes], tmp_path: Path
) -> None:
    file = tmp_path / "growing.jsonl"
    whole = b"\n".join(good)
    file.write_bytes(whole[:-30])
    half = examine(file)
    assert (half.read, half.bad_count) == (9, 1)
    (bad,) = half.bad.collect()
    assert (bad.line, bytes(bad.bytes)) == (9, good[-1][:-30])
    file.write_bytes(whole)
    assert _hashes(examine(file)) == _ready(good)
