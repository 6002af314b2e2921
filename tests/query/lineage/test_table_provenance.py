"""Which versions a version was made of, table by table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.query.lineage.table_provenance import Made, made_of
from headwater.query.lineage.versions import find_version
from headwater.query.search.resolve import resolve_dataset

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store


def _trace(store: Store, maker: EventMaker, run: str, depth: int = 20, limit: int = 100) -> tuple[list[str], Made]:
    """What a run's version of `out` was made of: the runs, the nearest first."""
    with store.read() as session:
        version = find_version(session, resolve_dataset(session, "lake/out"), maker.run_id(run))
        answer = made_of(session, version, depth=depth, limit=limit)
    runs = {maker.run_id(name): name for name in ("load 1", "load 2", "copy 1", "build 1", "build 2")}
    return [runs[source.run_id or ""] for source in answer.versions], answer


def _fill(store: Store, maker: EventMaker) -> None:
    store.ingest(
        [
            maker(1, job="load", run="load 1", out="orders", reads=["raw"]),
            maker(2, job="copy", run="copy 1", out="copied", reads=["orders"]),
            maker(3, job="build", run="build 1", out="out", reads=["copied"]),
            maker(4, job="load", run="load 2", out="orders", reads=["raw"]),
            maker(5, job="build", run="build 2", out="out", reads=["orders", "copied"]),
        ]
    )


def test_a_version_was_made_of_what_was_there_when_its_run_read(any_store: Store, maker: EventMaker) -> None:
    _fill(any_store, maker)
    assert _trace(any_store, maker, "build 1")[0] == ["build 1", "copy 1", "load 1"]
    assert sorted(_trace(any_store, maker, "build 2")[0]) == ["build 2", "copy 1", "load 1", "load 2"]


def test_what_nobody_was_seen_to_write_has_no_version(any_store: Store, maker: EventMaker) -> None:
    _fill(any_store, maker)
    _, answer = _trace(any_store, maker, "build 1")
    assert [place for place, datasets in answer.unknown.items() if datasets] == [2]


def test_depth_and_limit_cut_the_farthest(any_store: Store, maker: EventMaker) -> None:
    _fill(any_store, maker)
    assert _trace(any_store, maker, "build 1", depth=1)[0] == ["build 1", "copy 1"]
    runs, answer = _trace(any_store, maker, "build 1", limit=2)
    assert (runs, answer.partial) == (["build 1", "copy 1"], True)


def test_a_table_that_a_job_reads_and_writes_is_followed_to_its_first_version(
    any_store: Store, maker: EventMaker
) -> None:
    any_store.ingest([maker(n, job="build", run=f"build {n}", out="out", reads=["out"]) for n in (1, 2)])
    assert _trace(any_store, maker, "build 2")[0] == ["build 2", "build 1"]
