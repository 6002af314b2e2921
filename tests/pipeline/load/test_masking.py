"""Masking and what undoes it, through a lake: the same answers as a store gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.pipeline.equality import take_in

from headwater import connect
from headwater.client.local import StoredLineage
from headwater.lake.lake import Lake
from headwater.pipeline.close.close import close
from headwater.pipeline.load.load import load
from headwater.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession
    from tests.conftest import EventMaker

    from headwater.client.lineage import Lineage
    from headwater.store import Store


def _masked(lineage: Lineage) -> set[str]:
    return {node.field.name for node in lineage.downstream("src", "mail").nodes if node.masked}


def test_a_lake_knows_what_undoes_masking(
    pipeline_spark: SparkSession, store: Store, maker: EventMaker, tmp_path: Path
) -> None:
    events = [
        maker(1, job="seal", out="vault", columns={"m": ["src.mail TRANSFORMATION MASKED keyed"]}),
        maker(1, job="hash", out="hashed", columns={"m": ["src.mail TRANSFORMATION MASKED irreversible"]}),
        maker(2, job="open", out="report", columns={"m": ["vault.m TRANSFORMATION unmask"]}),
        maker(2, job="code", out="coded", columns={"m": ["vault.m TRANSFORMATION may-unmask"]}),
        maker(2, job="break", out="broken", columns={"m": ["hashed.m TRANSFORMATION unmask"]}),
    ]
    path = str(tmp_path / "lake")
    take_in(pipeline_spark, path, events)
    assert not store.ingest(events).rejected
    lake = Lake.open(pipeline_spark, path)
    close(lake)
    with open_store(str(tmp_path / "loaded.db")) as loaded:
        load(pipeline_spark, loaded, path)
        assert StoredLineage(loaded).pii("src", "mail") == StoredLineage(store).pii("src", "mail")
    with connect(f"lake:{path}") as on_lake:
        assert _masked(on_lake) == _masked(StoredLineage(store)) == {"vault", "hashed", "broken"}
    lake = Lake.open(pipeline_spark, path)
    names = {row["field"]: row["name"] for row in lake.read("closure_column").collect()}
    roots = {names[row["field"]]: row["masked"] for row in lake.read("closure_root").collect()}
    assert roots == {"vault": True, "hashed": True, "broken": True, "report": False, "coded": False}
    edges = {row["out_name"]: row["masking"] for row in lake.read("column_edge").collect()}
    assert edges == {"vault": True, "hashed": True, "broken": False, "report": False, "coded": False}
