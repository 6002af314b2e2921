"""No secret of an event that others send is in a lake, its quarantine included; a store says the same."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING

from tests.pipeline.lakes import view_of
from tests.secret_corpus import S, event, planted_events, seen_in

from headwater.lake.lake import Lake
from headwater.lake.tables import TABLES
from headwater.pipeline.land.land import land
from headwater.pipeline.run import run_once
from headwater.pipeline.validate.lines import check_lines
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession
    from tests.store.conftest import View

    from headwater.store import Store


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, bytes | bytearray):
        try:
            yield zlib.decompress(value).decode()
        except (zlib.error, UnicodeDecodeError):
            yield bytes(value).decode(errors="replace")
    else:
        yield str(value)


def test_no_secret_is_in_a_lake(
    pipeline_spark: SparkSession, natural_view: Callable[[Store], View], tmp_path: Path
) -> None:
    events, secrets = planted_events()
    bad = [json.dumps({**event(), "eventType": f"password={S}"}), f'{{"password": "{S}", "cut": "off']
    lines = tmp_path / "events.jsonl"
    lines.write_text("\n".join([*map(json.dumps, events), *bad]) + "\n")
    lake = Lake.open(pipeline_spark, str(tmp_path / "lake"))
    report = run_once(pipeline_spark, lake, land(pipeline_spark, [str(lines)]))
    assert (report.read, report.bad) == (len(events) + 2, 2)
    held = [
        text
        for table in TABLES
        if not lake.is_empty(table)
        for row in lake.read(table).collect()
        for value in row
        for text in _texts(value)
    ]
    assert list(seen_in("\n".join(held), [*secrets, S])) == []
    in_lake = view_of(pipeline_spark, natural_view, str(tmp_path / "lake"), tmp_path)
    with open_store(str(tmp_path / "store.db")) as store:
        store.ingest(events)
        in_store = natural_view(store)
    assert {name: in_lake[name] for name in in_store} == in_store


def test_a_line_is_kept_as_it_came_where_that_is_asked_for() -> None:
    import pyarrow as pa  # noqa: PLC0415  the other tests of this folder need Spark first

    lines = [json.dumps({**event(), "eventType": f"password={S}"}).encode()]
    nothing = pa.nulls(1, pa.int64())
    batch = pa.RecordBatch.from_arrays(
        [pa.array(lines), pa.array(["file"]), nothing, nothing], ["raw", "source", "block", "at"]
    )
    kept, removed = (
        [row for rows in check_lines([batch], keep_secrets=keep) for row in rows.to_pylist() if row["what"] == "bad"]
        for keep in (True, False)
    )
    assert [S.encode() in row["bytes"] for row in (*kept, *removed)] == [True, False]
