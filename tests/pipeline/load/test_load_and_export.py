"""A store to a lake and back: nothing is lost, and every answer is the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.pipeline.examples import a_history, some_questions
from tests.random_questions import known_to, questions_about
from typer.testing import CliRunner

from headwater import connect
from headwater.cli import app
from headwater.lake.errors import LakeError
from headwater.lake.lake import Lake
from headwater.lake.query import filling
from headwater.lake.tables import BY_HAND, STORE_TABLES, TABLES
from headwater.openlineage.model.event import EventType
from headwater.pipeline.load.export import export
from headwater.pipeline.load.load import load
from headwater.query.errors import BadQuestion
from headwater.query.questions import DiffOf, Follow, HistoryOf, ImpactOf, Provenance, RootsOf, StatsOf
from headwater.query.search.resolve import NameNotFound
from headwater.store import Store, StoreError, open_store
from headwater.store.db.dialects import indexes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pyspark.sql import SparkSession
    from tests.conftest import EventMaker
    from tests.store.conftest import View

    from headwater.query.questions import Question

_FEW_BYTES = "headwater.client.lake._SMALL_BYTES"
_ON_LAKES = (Follow, Provenance, RootsOf, ImpactOf, DiffOf, HistoryOf)


def _say_by_hand(store: Store) -> None:
    def say(session: Any) -> None:  # noqa: ANN401  as `transact` gives it
        session.insert("tag", "id, key, name, description", [(1, b"pii", "pii", "of people")])
        session.insert("tagged", "kind, entity, key, state, tag", [(0, 1, b"pii", 1, "pii")])
        session.insert("hidden", "kind, entity, us", [(0, 2, 5)])
        row = (1, b"ns", 1, 2, None, "lake", "ann", None)
        session.insert("namespace", "id, key, created_us, updated_us, hidden_us, name, owner, description", [row])
        source = (1, b"s", 1, 2, "db", "POSTGRESQL", "jdbc:x", None)
        session.insert("source", "id, key, created_us, updated_us, name, type, url, description", [source])

    store.transact(say)


@pytest.fixture(scope="module")
def history() -> list[dict[str, Any]]:
    return a_history()


@pytest.fixture(scope="module")
def source(history: Sequence[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store that the events were ingested into, and something said by hand."""
    store = open_store(str(tmp_path_factory.mktemp("source") / "lineage.db"))
    assert not store.ingest(history).rejected
    _say_by_hand(store)
    return store


@pytest.fixture(scope="module")
def lake(pipeline_spark: SparkSession, source: Store, tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """What the store exports."""
    path = str(tmp_path_factory.mktemp("lakes") / "lake")
    export(pipeline_spark, source, path)
    return Lake.open(pipeline_spark, path)


def _by_hand(store: Store) -> dict[str, list[Any]]:
    with store.read() as session:
        return {table: session.rows(f"SELECT * FROM {table}") for table in BY_HAND}


def _answers(store: Any, questions: Sequence[Question[Any]]) -> list[object]:  # noqa: ANN401  what can be asked
    found: list[object] = []
    for question in questions:
        try:
            found.append(store.ask(question))
        except (NameNotFound, BadQuestion) as error:  # noqa: PERF203  each has an answer of its own
            found.append((type(error), str(error), getattr(error, "candidates", ())))
    return found


def _rows(lake: Lake) -> dict[str, set[Any]]:
    def plain(value: object) -> object:
        return bytes(value) if isinstance(value, bytearray) else value

    return {table: {tuple(map(plain, row)) for row in lake.read(table).collect()} for table in TABLES}


def test_a_lake_loaded_into_an_empty_file_is_the_store_it_came_from(
    source: Store, lake: Lake, store: Store, natural_view: Callable[[Store], View]
) -> None:
    done = _command("pipeline", "load", "--lake", lake.path, "--store", str(store.path), "-o", "json")
    assert (done["copied"], done["accepted"]) == (True, source.stats().events)
    assert natural_view(store) == natural_view(source)
    assert _by_hand(store) == _by_hand(source)
    questions = [question for question in some_questions(150) if not isinstance(question, StatsOf)]
    with connect(str(source.path)) as before, connect(str(store.path)) as after:
        assert _answers(after, questions) == _answers(before, questions)


@pytest.mark.slow
def test_through_postgresql_and_back_to_a_lake_nothing_changes(  # noqa: PLR0913, PLR0917  fixtures
    pipeline_spark: SparkSession,
    source: Store,
    lake: Lake,
    postgres_url: str,
    history: Sequence[dict[str, Any]],
    tmp_path: Path,
    natural_view: Callable[[Store], View],
) -> None:
    with open_store(postgres_url) as loaded:
        load(pipeline_spark, loaded, lake.path)
        assert natural_view(loaded) == natural_view(source)
        assert _by_hand(loaded) == _by_hand(source)
        export(pipeline_spark, loaded, str(tmp_path / "lake"))
        assert _rows(Lake.open(pipeline_spark, str(tmp_path / "lake"))) == _rows(lake)
        # Keys go on behind those that were copied, and the same events are known.
        again = dict(history[0], eventTime="2026-02-01T00:00:00Z", job={"namespace": "jobs", "name": "another"})
        result = loaded.ingest([*history, again])
        assert (result.accepted, result.rejected) == (1, ())


def test_a_lake_loaded_into_a_store_that_holds_something_is_as_if_all_was_ingested(  # noqa: PLR0913, PLR0917  as above
    pipeline_spark: SparkSession,
    source: Store,
    history: Sequence[dict[str, Any]],
    store: Store,
    tmp_path: Path,
    natural_view: Callable[[Store], View],
) -> None:
    half = len(history) // 2
    with open_store(str(tmp_path / "half.db")) as first:
        first.ingest(history[: half + 5])
        export(pipeline_spark, first, str(tmp_path / "lake"))
        events = first.stats().events
    store.ingest(history[half:])
    before = store.stats().events
    done = load(pipeline_spark, store, str(tmp_path / "lake"))
    assert not done.copied
    assert done.accepted == store.stats().events - before
    assert done.accepted + done.duplicates == events
    assert natural_view(store) == natural_view(source)
    again = load(pipeline_spark, store, str(tmp_path / "lake"))
    assert (again.accepted, again.duplicates) == (0, 0)


def test_what_only_the_lake_has_is_derived_from_what_the_store_has(lake: Lake) -> None:
    events = lake.read("event").where("body IS NOT NULL").select("body", "shape").distinct()
    bodies = lake.read("body").selectExpr("id AS body", "shape")
    assert set(map(tuple, bodies.collect())) == set(map(tuple, events.collect()))
    last: dict[tuple[int, int], Any] = {}
    for row in lake.read("version").collect():
        key = row.dataset, row.job
        last[key] = max(last.get(key, row), row, key=lambda one: bytes(one.stamp))
    wanted = {(*key, bytes(row.stamp), row.mapping, row.carried, row.inputs, row.removal) for key, row in last.items()}
    tails = lake.read("tail").collect()
    assert {(r.dataset, r.job, bytes(r.stamp), r.mapping, r.carried, r.inputs, r.removal) for r in tails} == wanted
    seen: dict[int, Any] = {}
    for row in lake.read("seen_schema").collect():
        place = row.us, row["rank"], bytes(row.hash8), row.role, row.schema
        seen[row.dataset] = max(seen.get(row.dataset, place), place)
    assert {place[1] for place in seen.values()} <= {one.rank for one in EventType}
    assert {dataset: place[-1] for dataset, place in seen.items()} == {
        row.id: row.schema for row in lake.read("dataset").where("schema IS NOT NULL").collect()
    }


def test_a_load_that_fails_leaves_the_store_empty(
    pipeline_spark: SparkSession, lake: Lake, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("headwater.pipeline.load.load.with_indexes", dies)
    with pytest.raises(KeyboardInterrupt):
        load(pipeline_spark, store, lake.path)
    with store.read() as session:
        assert filling.holds_nothing(session)
        names = {name for (name,) in session.rows("SELECT name FROM sqlite_master WHERE type = 'index'")}
    assert indexes().keys() <= names


# Few about a large lake: each is answered by jobs of Spark. Stores show answers that are alike.
@pytest.mark.parametrize(("size", "questions"), [("small", 400), ("large", 40)])
def test_questions_on_a_lake_have_the_answers_of_a_store(
    lake: Lake, source: Store, monkeypatch: pytest.MonkeyPatch, size: str, questions: int
) -> None:
    if size == "large":
        monkeypatch.setattr(_FEW_BYTES, 0)
    about = questions_about(known_to(source), questions)
    asked = [question for question in about if isinstance(question, _ON_LAKES)]
    assert {type(question) for question in asked} == set(_ON_LAKES)
    # Those that need most first: what is copied for them will do for the others.
    asked.sort(key=lambda question: not isinstance(question, ImpactOf | DiffOf))
    with connect(f"lake:{lake.path}") as on_lake, connect(str(source.path)) as on_store:
        expected = _answers(on_store, asked)
        # The others have options that contradict each other, or names that are not quite right.
        assert sum(not isinstance(answer, tuple) for answer in expected) > len(asked) * 0.8
        for question, answer, wanted in zip(asked, _answers(on_lake, asked), expected, strict=True):
            assert answer == wanted, question


def test_what_is_not_known_is_the_same_on_a_large_lake(
    pipeline_spark: SparkSession, store: Store, maker: EventMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_FEW_BYTES, 0)
    both: dict[str, Any] = maker(4, job="both", out="c", columns={"x": ["t.a"]}, reads=["t", "raw"])
    both["outputs"] += maker(4, job="both", out="d", columns={"y": ["raw.x"]})["outputs"]
    store.ingest(
        [
            maker(1, job="fill", out="t", columns={"a": ["raw.x"]}, rows=["raw.day FILTER"], reads=["raw"]),
            maker(2, job="count", out="u", columns={"n": []}, reads=["t"], schema={"n": "long"}),
            maker(3, job="copy", out="w", reads=["t"], schema={"b": "int"}),
            both,
        ]
    )
    path = str(tmp_path / "lake")
    export(pipeline_spark, store, path)
    with connect(f"lake:{path}") as on_lake, connect(str(store.path)) as on_store:
        impact = on_lake.impact("raw", "day")
        assert impact == on_store.impact("raw", "day")
        assert [dataset.name.name for dataset in impact.datasets] == ["t", "c", "u"]
        assert [entry.dataset and entry.dataset.name for entry in impact.unknown] == ["w"]
        for dataset, column in (("u", "n"), ("w", "b"), ("c", "x")):
            assert on_lake.upstream(dataset, column) == on_store.upstream(dataset, column)


def test_commands_ask_a_lake_and_look_after_it(lake: Lake, source: Store) -> None:
    for question in (("upstream", "lake/out", "a"), ("roots", "Lake/Out.a")):
        words = (*question, "-o", "json", "--store")
        assert _command(*words, f"lake:{lake.path}") == _command(*words, str(source.path))
    assert _command("pipeline", "vacuum", "--lake", lake.path, "-o", "json") == {"removed": 0, "left": 1}
    refused = CliRunner().invoke(app, ["pipeline", "export", "--store", str(source.path), "--lake", lake.path])
    assert refused.exit_code == 1
    assert "export to a new directory" in refused.output


def _command(*words: str) -> Any:  # noqa: ANN401  JSON
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_what_a_lake_cannot_do_is_said(pipeline_spark: SparkSession, lake: Lake, source: Store, tmp_path: Path) -> None:
    with connect(f"lake:{lake.path}") as on_lake:
        with pytest.raises(LakeError, match="load it into a store"):
            on_lake.search("out")
        with pytest.raises(LakeError, match="pipeline run"):
            on_lake.ingest([])
    with pytest.raises(StoreError, match="is a lake"):
        open_store(f"lake:{lake.path}")
    with pytest.raises(LakeError, match="is not empty"):
        export(pipeline_spark, source, lake.path)
    with pytest.raises(LakeError, match="No lake at"), open_store(str(tmp_path / "x.db")) as target:
        load(pipeline_spark, target, str(tmp_path / "none"))
    assert set(STORE_TABLES) < set(TABLES)
