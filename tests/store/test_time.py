"""The rules of time, each by a small history of one dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.store.derive import FOREVER

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store

_X, _Y = {"a": ["in.x"]}, {"a": ["in.y"]}


def _intervals(store: Store, dataset: str = "out") -> list[tuple[str, list[str], int, int | None]]:
    """What was in force: job, input columns, from and until in minutes (None is still)."""
    statement = """
    SELECT job.name, slot.mapping, slot.from_us, slot.until_us
    FROM slot JOIN dataset ON dataset.id = slot.dataset JOIN job ON job.id = slot.job
    WHERE dataset.name = ? ORDER BY slot.from_us, job.name
    """
    inputs = "SELECT path FROM edge JOIN field ON field.id = in_field WHERE mapping = ? ORDER BY path"
    with store.read() as connection:
        start = 1_767_225_600_000_000  # 2026-01-01T00:00:00Z
        return [
            (
                job,
                [path for (path,) in connection.execute(inputs, (mapping,))],
                (from_us - start) // 60_000_000,
                None if until_us == FOREVER else (until_us - start) // 60_000_000,
            )
            for job, mapping, from_us, until_us in connection.execute(statement, (dataset,)).fetchall()
        ]


def _versions(store: Store) -> list[tuple[str, bool]]:
    """The versions in order: the job's name and whether its mapping was carried."""
    with store.read() as connection:
        rows = connection.execute("SELECT name, carried FROM version JOIN job ON job.id = job ORDER BY stamp")
        return [(job, bool(carried)) for job, carried in rows]


def test_rule_1_a_tie_in_time_is_broken_by_the_type_of_event(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, run="r", columns=_Y), maker(1, "START", run="r", columns=_X)])
    assert _intervals(store) == [("job", ["y"], 1, None)]


def test_rule_2_schema_from_start_and_lineage_from_complete_combine(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(2, run="r", columns=_X), maker(1, "START", run="r", schema={"a": "int", "b": "date"})])
    with store.read() as connection:
        fields = connection.execute("SELECT path, type FROM field JOIN dataset d ON d.id = dataset WHERE name = 'out'")
        assert sorted(fields) == [("a", "int"), ("b", "date")]
    assert _intervals(store) == [("job", ["x"], 2, None)]


def test_rule_2_the_last_lineage_of_a_run_replaces_the_one_before(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, "RUNNING", run="r", columns={"a": ["in.x"], "b": ["in.z"]}), maker(2, run="r", columns=_Y)])
    assert _intervals(store) == [("job", ["y"], 2, None)]


def test_rule_2_a_deleted_facet_is_gone(store: Store, maker: EventMaker) -> None:
    deleted = {"columnLineage": {"_deleted": True}}
    store.ingest([maker(1, "RUNNING", run="r", columns=_X), maker(2, run="r", facets=deleted)])
    assert _intervals(store) == [("job", [], 2, None)]


def test_rule_2_the_same_output_twice_in_one_event_is_united(store: Store, maker: EventMaker) -> None:
    event, other = maker(1, columns=_X), maker(1, columns={"b": ["in.y"]})
    event["outputs"] = [*event["outputs"], *other["outputs"]]  # type: ignore[misc]
    store.ingest([event])
    assert _intervals(store) == [("job", ["x", "y"], 1, None)]


def test_rule_3_failed_and_unfinished_runs_make_no_version(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, columns=_X), maker(2, "FAIL", columns=_Y), maker(3, "START", columns=_Y)])
    assert _intervals(store) == [("job", ["x"], 1, None)]
    assert _versions(store) == [("job", False)]


def test_rule_3_the_last_terminal_event_decides_and_a_late_start_reopens_nothing(
    store: Store, maker: EventMaker
) -> None:
    store.ingest([maker(1, run="r", columns=_X), maker(4, "START", run="r")])
    assert _intervals(store) == [("job", ["x"], 1, None)]
    store.ingest([maker(2, "FAIL", run="r")])
    assert _intervals(store) == []


def test_rule_5_a_later_run_ends_the_mapping_of_the_one_before(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, columns=_X), maker(2, columns=_X), maker(3, columns=_Y)])
    assert _intervals(store) == [("job", ["x"], 1, 3), ("job", ["y"], 3, None)]


def test_rule_5_appends_by_two_jobs_stand_beside_each_other(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, job="a", columns=_X), maker(2, job="b", columns=_Y)])
    assert _intervals(store) == [("a", ["x"], 1, None), ("b", ["y"], 2, None)]


def test_rule_5_an_overwrite_of_the_whole_ends_all_others(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, job="a", columns=_X), maker(2, job="b", columns=_Y, lifecycle="OVERWRITE")])
    assert _intervals(store) == [("a", ["x"], 1, 2), ("b", ["y"], 2, None)]


def test_rule_5_an_overwrite_of_some_partitions_ends_nobody_else(store: Store, maker: EventMaker) -> None:
    event = maker(2, job="b", columns=_Y, lifecycle="OVERWRITE")
    event["outputs"][0]["outputFacets"] = {"subset": {"outputCondition": {"type": "partition"}}}  # type: ignore[index]
    store.ingest([maker(1, job="a", columns=_X), event])
    assert _intervals(store) == [("a", ["x"], 1, None), ("b", ["y"], 2, None)]


def test_rule_5_a_drop_ends_every_slot(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, job="a", columns=_X), maker(2, job="b", columns=_Y), maker(3, job="c", lifecycle="DROP")])
    assert _intervals(store) == [("a", ["x"], 1, 3), ("b", ["y"], 2, 3)]


def test_rule_7_without_a_facet_the_mapping_is_carried(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, columns=_X), maker(2)])
    assert _intervals(store) == [("job", ["x"], 1, None)]
    assert _versions(store) == [("job", False), ("job", True)]


def test_rule_7_what_is_carried_changes_when_the_facet_before_comes_late(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(3)])
    assert _intervals(store) == [("job", [], 3, None)]
    store.ingest([maker(1, columns=_X)])
    assert _intervals(store) == [("job", ["x"], 1, None)]
    store.ingest([maker(2, columns=_Y)])
    assert _intervals(store) == [("job", ["x"], 1, 2), ("job", ["y"], 2, None)]


def test_rule_7_empty_fields_end_the_edges(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, columns=_X), maker(2, columns={})])
    assert _intervals(store) == [("job", ["x"], 1, 2), ("job", [], 2, None)]


def test_rule_10_what_a_run_below_writes_the_run_above_does_not(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, run="app", job="app", columns=_X)])
    assert _versions(store) == [("app", False)]
    store.ingest([maker(2, run="sql", job="sql", parent="step", columns=_Y)])
    assert _versions(store) == [("app", False), ("sql", False)]
    store.ingest([maker(0, "START", run="step", job="step", parent="app", out=None)])
    assert _versions(store) == [("sql", False)]
    assert _intervals(store) == [("sql", ["y"], 2, None)]


def test_rule_10_a_failed_run_below_writes_nothing(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(2, run="app", job="app", columns=_X), maker(1, "FAIL", run="sql", job="sql", parent="app")])
    assert _versions(store) == [("app", False)]


def test_rule_13_a_mapping_is_stored_once_and_its_text_told_apart(store: Store, maker: EventMaker) -> None:
    other = maker(3, columns=_X)
    step = other["outputs"][0]["facets"]["columnLineage"]["fields"]["a"]["inputFields"][0]["transformations"][0]  # type: ignore[index]
    step["description"] = "another text"
    store.ingest([maker(1, columns=_X), maker(2, columns=_X), other])
    with store.read() as connection:
        assert connection.execute("SELECT count(*), count(DISTINCT structure) FROM mapping").fetchone() == (2, 1)


def test_fields_seen_only_in_lineage_exist(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, columns={"a": ["in.deep.x"]})])
    with store.read() as connection:
        paths = connection.execute("SELECT name, path FROM field JOIN dataset ON dataset.id = dataset ORDER BY 1, 2")
        assert paths.fetchall() == [("in", "deep"), ("in", "deep.x"), ("out", "a")]


def test_a_field_gone_from_the_last_schema_keeps_its_type_and_loses_its_place(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(2, schema={"b": "int"}), maker(1, schema={"a": "date", "b": "string"})])
    with store.read() as connection:
        fields = connection.execute("SELECT path, type, position FROM field ORDER BY path")
        assert fields.fetchall() == [("a", "date", None), ("b", "int", 0)]


def test_job_and_dataset_events_are_kept_and_their_names_known(store: Store) -> None:
    base = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/"
    schema = {"schema": {"fields": [{"name": "a", "type": "int"}]}}
    dataset = {"namespace": "lake", "name": "t", "facets": schema}
    result = store.ingest(
        [
            {"eventTime": "2026-01-01T00:00:00Z", "schemaURL": f"{base}DatasetEvent", "dataset": dataset},
            {
                "eventTime": "2026-01-01T00:00:00Z",
                "schemaURL": f"{base}JobEvent",
                "job": {"namespace": "jobs", "name": "static"},
                "outputs": [{"namespace": "lake", "name": "u"}],
            },
        ]
    )
    assert (result.accepted, result.rejected) == (2, ())
    with store.read() as connection:
        assert connection.execute("SELECT name FROM dataset ORDER BY name").fetchall() == [("t",), ("u",)]
        assert connection.execute("SELECT path, type FROM field").fetchall() == [("a", "int")]
        assert connection.execute("SELECT kind FROM event ORDER BY kind").fetchall() == [
            ("DatasetEvent",),
            ("JobEvent",),
        ]
