"""Close tells of every column what upstream and downstream say of it, asked one by one."""

from __future__ import annotations

import json
import random
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.pipeline.close.column_walks import Reach, Root, asked
from tests.store.histories import Event, histories
from typer.testing import CliRunner

from headwater.cli import app
from headwater.cli.pipeline.close import draw
from headwater.lake.lake import Lake
from headwater.pipeline.close.close import Closed, HotSpot, close
from headwater.pipeline.load.export import export
from headwater.simulate import History, Settings
from headwater.store import Store, open_store
from headwater.store.db.codes import FIELD_BITS, NOW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from pyspark.sql import SparkSession
    from tests.conftest import EventMaker

_BETWEEN = 1_767_225_720_000_000  # 1 January 2026, 00:02: between the moments of all histories


def _simulated() -> list[Event]:
    days = 15
    simulated = History(
        Settings(datasets=24, days=days, start=date(2025, 12, 22), nested=0.3, change=0.6, columns=6, seed=11)
    )
    return [json.loads(line.text) for day in range(days) for line in simulated.lines(day)]


def _at_random(count: int) -> list[Event]:
    """Small histories side by side: the names of each are its own."""
    found: list[Sequence[Event]] = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(events=histories(longest=14))
    def collect(events: Sequence[Event]) -> None:
        found.append(events)

    collect()
    return [_renamed(event, number) for number, events in enumerate(found) for event in events]


def _renamed(value: Any, number: int) -> Any:  # noqa: ANN401  JSON
    if isinstance(value, dict):
        return {
            key: f"{inner}{number}"
            if key == "namespace"
            else str(uuid5(NAMESPACE_URL, f"{number} {inner}"))
            if key == "runId"
            else _renamed(inner, number)
            for key, inner in value.items()
        }
    return [_renamed(inner, number) for inner in value] if isinstance(value, list) else value


def _renamed_columns(maker: EventMaker) -> list[Event]:
    """Columns that go on under other names: there and back, beside a new one, in a struct, behind an alias."""

    def rename(minute: int, table: str, old: str, new: str, *rest: str) -> Event:
        listed = dict.fromkeys((new, *rest), "int")
        return maker(
            minute, job=f"{old}", out=table, columns={new: [f"{table}.{old}"]}, schema=listed, lifecycle="ALTER"
        )

    alias = {"symlinks": {"identifiers": [{"namespace": "lake", "name": "name of v", "type": "TABLE"}]}}
    return [
        maker(0, job="t", out="t", columns={"x": ["s.a"], "z": ["s.b"]}, schema={"x": "int", "z": "int"}),
        maker(0, job="u", out="u", columns={"b": ["t.x"]}, schema={"b": "int"}),
        rename(1, "t", "x", "y", "z"),
        rename(3, "t", "y", "w", "z"),
        rename(4, "t", "w", "x", "z"),
        rename(5, "t", "z", "y", "x"),
        maker(6, job="add", out="t", schema={"x": "int", "y": "int", "z": "int"}, lifecycle="ALTER"),
        maker(7, job="more", out="t", columns={"z": ["r.c"], "y": ["r.d"]}),
        maker(0, job="v", out="v", columns={"x": ["t.x", "t.z"]}, schema={"x": "int"}, facets=alias),
        maker(1, job="q", out="q", columns={"b": ["name of v.x"]}, rows=["name of v.x FILTER"]),
        rename(2, "v", "x", "y"),
        maker(5, job="p", out="p", columns={"b": ["name of v.y"]}),
        maker(0, job="n", out="n", columns={"home.city": ["s.a"]}, schema={"home.city": "int"}),
        maker(1, job="m", out="m", columns={"b": ["n.home.city"]}),
        rename(2, "n", "home.city", "place.city"),
    ]


def _counted_rows(maker: EventMaker) -> list[Event]:
    """Rows that are filtered, copied, and counted beside other columns; some that nobody counts; one name for two."""
    alias = {"symlinks": {"identifiers": [{"namespace": "lake", "name": "name of c1", "type": "TABLE"}]}}
    return [
        maker(0, job="c0", out="c0", columns={"x": ["c.x"]}, rows=["c.day FILTER"], reads=["c"]),
        maker(0, job="c1", out="c1", columns={"x": ["c0.x"]}, reads=["c0"], facets=alias),
        maker(1, job="c2", out="c2", columns={"n": [], "most": ["name of c1.x AGGREGATION"]}, reads=["name of c1"]),
        maker(1, job="c3", out="c3", columns={"n": []}, reads=["c1"], schema={"n": "int"}),
        maker(1, job="c4", out="c4", columns={"x": ["c1.x"]}, reads=["c1"]),
        maker(1, job="c5", out="c5", columns={"x": ["c4.x"], "one": [], "m": ["c3.n"]}, reads=["c3", "c4"]),
        maker(1, job="c6", out="c6", columns={"x": ["c5.x"], "y": ["c0.x"]}, rows=["c5.one JOIN"], reads=["c0", "c5"]),
    ]


@pytest.fixture(scope="module")
def store(maker: EventMaker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A small warehouse, with histories that meet every rule beside it."""
    with open_store(f"sqlite:///{tmp_path_factory.mktemp('close') / 'lineage.db'}") as store:
        store.ingest([*_simulated(), *_at_random(150), *_renamed_columns(maker)])
        store.ingest(_counted_rows(maker))
        yield store


@pytest.fixture(scope="module")
def lake_path(pipeline_spark: SparkSession, store: Store, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same as a lake."""
    path = str(tmp_path_factory.mktemp("lake") / "lake")
    export(pipeline_spark, store, path)
    return path


def _told(lake: Lake) -> tuple[set[Root], set[Reach], list[int]]:
    columns = lake.read("closure_column").collect()
    names = {row.field: (row.namespace, row.name, row.path) for row in columns}
    roots = {
        Root(names[row.field], names[row.root], row.distance, row["class"], row.masked)
        for row in lake.read("closure_root").collect()
    }
    reached = {
        Reach(names[row.field], row.roots, row.reach_columns, row.reach_datasets, row.reach_jobs, row.orphan)
        for row in columns
    }
    return roots, reached, sorted(names)


def _counting(lake: Lake) -> set[int]:
    """The datasets of the history of counted rows."""
    return {row.id for row in lake.read("dataset").where("namespace = 'lake' AND name RLIKE '^c[0-9]?$'").collect()}


def _now(lake: Lake) -> Closed:
    return close(lake)


def _then(lake: Lake) -> Closed:
    """The same from the command line, which takes the session that is there."""
    options = ["--lake", lake.path, "--as-of", "2026-01-01T00:02Z", "--output", "json"]
    result = CliRunner().invoke(app, ["pipeline", "close", *options])
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    return Closed(**{**said, "hot_spots": tuple(HotSpot(**spot) for spot in said["hot_spots"])})


@pytest.mark.parametrize(("closing", "as_of"), [(_now, None), (_then, _BETWEEN)])
@pytest.mark.slow
def test_roots_and_reach_are_those_of_upstream_and_downstream(
    pipeline_spark: SparkSession,
    store: Store,
    lake_path: str,
    closing: Callable[[Lake], Closed],
    as_of: int | None,
) -> None:
    closed = closing(Lake.open(pipeline_spark, lake_path))
    lake = Lake.open(pipeline_spark, lake_path)
    roots, reached, fields = _told(lake)
    assert closed.as_of == as_of
    counting = _counting(lake)
    counted = [field for field in fields if field >> FIELD_BITS in counting]
    others = sorted(set(fields) - set(counted))
    chosen = [*random.Random(1).sample(others, min(400, len(others))), *counted]  # noqa: S311  data
    with store.read() as session:
        expected_roots, expected_reach = asked(session, chosen, as_of)
    columns = {one.column for one in expected_reach}
    assert {one for one in roots if one.column in columns} == expected_roots
    assert {one for one in reached if one.column in columns} == expected_reach
    assert closed.columns == len(fields)
    assert closed.orphans == sum(one.orphan for one in reached)
    assert closed.pairs == len(roots)
    _check_hot_spots(closed, reached)
    _check_edges(lake, store, as_of)


def _check_hot_spots(closed: Closed, reached: set[Reach]) -> None:
    most = sorted(reached, key=lambda one: (-one.columns, -one.datasets, one.column))
    told = [((one.namespace, one.name, one.field), one.columns, one.datasets, one.jobs) for one in closed.hot_spots]
    assert told == [(one.column, one.columns, one.datasets, one.jobs) for one in most[:20] if one.columns]


_EDGES = """
SELECT source.namespace, source.name, read.path, target.namespace, target.name, coalesce(written.path, ''),
       edge.description, slot.from_us, slot.until_us
FROM slot JOIN edge ON edge.mapping = slot.mapping
JOIN field read ON read.id = edge.in_field JOIN dataset source ON source.id = read.dataset
JOIN dataset target ON target.id = slot.dataset LEFT JOIN field written ON written.id = edge.out_field
WHERE slot.until_us > :at AND slot.from_us <= :at
"""


def _check_edges(lake: Lake, store: Store, as_of: int | None) -> None:
    """The edges in force are there by name, and a rename is one for each column."""
    edges = lake.read("column_edge")
    columns = ("in_namespace", "in_name", "in_path", "out_namespace", "out_name", "out_path", "description")
    told = {tuple(row) for row in edges.select(*columns, "from_us", "until_us").collect()}
    with store.read() as session:
        expected = set(session.rows(_EDGES, at=NOW if as_of is None else as_of))
        renamed = session.rows("SELECT dataset FROM mapping WHERE origin IS NOT NULL")
    assert expected <= told
    extra = edges.where("description = '' AND subtype = 'IDENTITY'").select("out_field").collect()
    assert {row[0] >> 20 for row in extra} & {dataset for (dataset,) in renamed}


def test_a_lake_that_is_not_there_is_said(pipeline_spark: SparkSession, tmp_path: Path) -> None:
    del pipeline_spark
    result = CliRunner().invoke(app, ["pipeline", "close", "--lake", str(tmp_path / "nowhere")])
    assert result.exit_code == 1
    assert "No lake at" in result.stderr
    assert not (tmp_path / "nowhere").exists()


def test_people_read_what_most_depends_on() -> None:
    spot = HotSpot("s3://lake", "raw/orders", "id", columns=1200, datasets=40, jobs=1)
    closed = Closed(None, 5000, 9000, 1, 20_000, (spot,), {"edges": 1.25, "roots": 2.0})
    assert [str(line) for line in draw(closed)] == [
        "5,000 columns and 9,000 edges: 20,000 roots in total, 1 orphan; 3.2 s.",
        "",
        "Columns with the most dependents:",
        "s3://lake/raw/orders.id  1,200 columns in 40 datasets by 1 job",
    ]
