"""The rules of time, each by a small history of one dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from headwater.store import Store, open_store
from headwater.store.db.codes import FOREVER
from headwater.store.db.dialects import column_types

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import EventMaker

Json: TypeAlias = dict[str, Any]

_X, _Y = {"a": ["in.x"]}, {"a": ["in.y"]}


def _intervals(store: Store, dataset: str = "out") -> list[tuple[str, list[str], int, int | None]]:
    """What was in force: job, input columns, from and until in minutes (None is still)."""
    statement = """
    SELECT job.name, slot.mapping, slot.from_us, slot.until_us
    FROM slot JOIN dataset ON dataset.id = slot.dataset LEFT JOIN job ON job.id = slot.job
    WHERE dataset.name = :dataset
    """
    inputs = "SELECT path FROM edge JOIN field ON field.id = in_field WHERE mapping = :mapping"
    with store.read() as session:
        rows = [
            (
                job or "",
                sorted(path for (path,) in session.rows(inputs, mapping=mapping)),
                _minute(from_us),
                None if until_us == FOREVER else _minute(until_us),
            )
            for job, mapping, from_us, until_us in session.rows(statement, dataset=dataset)
        ]
    return sorted(rows, key=lambda interval: (interval[2], interval[0]))


def _minute(us: int) -> int:
    return (us - 1_767_225_600_000_000) // 60_000_000  # since 2026-01-01T00:00:00Z


def _versions(store: Store, dataset: str | None = None) -> list[tuple[str, bool]]:
    """The versions in order: the job's name and whether its mapping was carried."""
    with store.read() as session:
        rows = session.rows(
            "SELECT version.stamp, job.name, carried, dataset.name FROM version JOIN dataset ON dataset.id = dataset"
            " LEFT JOIN job ON job.id = job"
        )
    return [(job or "", bool(carried)) for _, job, carried, name in sorted(rows) if dataset in (None, name)]


def test_rule_1_a_tie_in_time_is_broken_by_the_type_of_event(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, run="r", columns=_Y), maker(1, "START", run="r", columns=_X)])
    assert _intervals(store) == [("job", ["y"], 1, None)]


def test_rule_2_schema_from_start_and_lineage_from_complete_combine(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(2, run="r", columns=_X), maker(1, "START", run="r", schema={"a": "int", "b": "date"})])
    with store.read() as session:
        fields = session.rows("SELECT path, type FROM field JOIN dataset d ON d.id = dataset WHERE name = 'out'")
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
    with store.read() as session:
        assert session.rows("SELECT count(*), count(DISTINCT structure) FROM mapping") == [(2, 1)]


def test_fields_seen_only_in_lineage_exist(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, columns={"a": ["in.deep.x"]})])
    with store.read() as session:
        paths = session.rows("SELECT name, path FROM field JOIN dataset ON dataset.id = dataset")
        assert sorted(paths) == [("in", "deep"), ("in", "deep.x"), ("out", "a")]


def test_a_field_gone_from_the_last_schema_keeps_its_type_and_loses_its_place(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(2, schema={"b": "int"}), maker(1, schema={"a": "date", "b": "string"})])
    with store.read() as session:
        assert sorted(session.rows("SELECT path, type, position FROM field")) == [("a", "date", None), ("b", "int", 0)]


def _static(minute: int, kind: str, **parts: object) -> Json:
    """A JobEvent or a DatasetEvent."""
    schema = f"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/{kind}"
    return {"eventTime": f"2026-01-01T00:{minute:02}:00Z", "schemaURL": schema, **parts}


def _job_event(maker: EventMaker, minute: int, *, job: str = "job", out: str | None = "out", **facets: object) -> Json:
    event: Json = maker(minute, job=job, out=out, **facets)  # type: ignore[arg-type]
    return _static(minute, "JobEvent", job=event["job"], inputs=event["inputs"], outputs=event["outputs"])


def _dataset_event(maker: EventMaker, minute: int, **facets: object) -> Json:
    event: Json = maker(minute, **facets)  # type: ignore[arg-type]
    return _static(minute, "DatasetEvent", dataset=event["outputs"][0])


def _streaming(event: Json) -> Json:
    event["job"]["facets"] = {"jobType": {"processingType": "STREAMING", "integration": "SPARK"}}
    return event


def test_rule_1_the_hash_breaks_a_tie_of_time_and_type_the_same_way_in_any_order(
    tmp_path: Path, maker: EventMaker
) -> None:
    first, other = maker(1, run="r", columns=_X), maker(1, run="r", columns=_Y)
    rows = []
    for number, events in enumerate(([first, other], [other, first])):
        with open_store(str(tmp_path / f"{number}.db")) as store:
            for event in events:
                store.ingest([event])
            rows.append(_intervals(store))
    assert rows[0] == rows[1]
    assert len(rows[0]) == 1


def test_rule_4_a_batch_run_makes_one_version_when_it_completes(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, "START", run="r"), maker(2, "RUNNING", run="r", columns=_X), maker(3, run="r")])
    assert _versions(store) == [("job", False)]
    assert _intervals(store) == [("job", ["x"], 3, None)]


def test_rule_4_a_streaming_run_makes_one_version_at_each_time_of_running_and_complete(
    store: Store, maker: EventMaker
) -> None:
    events = [
        maker(0, "START", run="s", columns=_X),
        maker(1, "RUNNING", run="s"),
        maker(2, "RUNNING", run="s", columns=_Y),
        maker(3, run="s"),
    ]
    for event in reversed(events):
        store.ingest([_streaming(event)])
    assert _versions(store) == [("job", False)] * 3
    assert _intervals(store) == [("job", ["x"], 1, 2), ("job", ["y"], 2, None)]
    with store.read() as session:
        rows = session.rows("SELECT us, read_us FROM version")
        assert [us for us, _ in sorted(rows)] == [read for _, read in sorted(rows)] == [maker.us(n) for n in (1, 2, 3)]


def test_rule_4_a_version_facet_on_the_terminal_event_names_the_version(store: Store, maker: EventMaker) -> None:
    facet = {"version": {"datasetVersion": "4711"}}
    store.ingest(
        [maker(1, "START", run="r", facets={"version": {"datasetVersion": "0"}}), maker(2, run="r", facets=facet)]
    )
    with store.read() as session:
        assert session.rows("SELECT name FROM version") == [("4711",)]


def test_rule_4_ids_of_versions_are_the_same_in_every_store(tmp_path: Path, maker: EventMaker) -> None:
    ids = []
    for name, before in (("a", []), ("b", [maker(0, out="other")])):
        with open_store(str(tmp_path / name)) as store:
            store.ingest([*before, maker(1)])
            with store.read() as session:
                ids.append(
                    session.rows(
                        "SELECT uuid FROM version JOIN dataset ON dataset.id = dataset WHERE dataset.name = 'out'"
                    )
                )
    assert ids[0] == ids[1]


def test_rule_5_a_truncate_ends_every_slot(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, job="a", columns=_X), maker(2, job="b", lifecycle="TRUNCATE")])
    assert _intervals(store) == [("a", ["x"], 1, 2)]


def test_rule_5_create_and_alter_end_nobody_else(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, job="a", columns=_X), maker(2, job="b", columns=_Y, lifecycle="CREATE")])
    store.ingest([maker(3, job="c", columns=_Y, lifecycle="ALTER")])
    assert [interval[3] for interval in _intervals(store)] == [None, None, None]


def test_rule_5_a_late_overwrite_ends_only_what_was_in_force_then(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, job="a", columns=_X), maker(5, job="a", columns=_X)])
    store.ingest([maker(3, job="b", columns=_Y, lifecycle="OVERWRITE")])
    assert _intervals(store) == [("a", ["x"], 1, 3), ("b", ["y"], 3, None), ("a", ["x"], 5, None)]


def test_rule_5_an_overwrite_that_turns_out_to_have_failed_ends_nothing(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, job="a", columns=_X), maker(2, job="b", run="r", columns=_Y, lifecycle="OVERWRITE")])
    store.ingest([maker(3, "FAIL", job="b", run="r")])
    assert _intervals(store) == [("a", ["x"], 1, None)]


def test_rule_6_the_reading_time_is_the_first_event_of_the_run(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(5, run="r", reads=["in"])])
    store.ingest([maker(1, "START", run="r", reads=["in"])])
    with store.read() as session:
        assert session.rows("SELECT us, read_us FROM version") == [(maker.us(5), maker.us(1))]


def test_rule_8_a_job_event_writes_the_slots_of_its_job(store: Store, maker: EventMaker) -> None:
    store.ingest([_job_event(maker, 1, columns=_X), _job_event(maker, 3, columns=_Y)])
    assert _intervals(store) == [("job", ["x"], 1, 3), ("job", ["y"], 3, None)]


def test_rule_8_a_job_event_ends_the_outputs_that_it_no_longer_lists(store: Store, maker: EventMaker) -> None:
    store.ingest([_job_event(maker, 1, columns=_X), maker(2, out="other", columns=_X)])
    store.ingest([_job_event(maker, 3, out="third", columns=_Y)])
    assert _intervals(store) == [("job", ["x"], 1, 3)]
    assert _intervals(store, "other") == [("job", ["x"], 2, 3)]
    assert _intervals(store, "third") == [("job", ["y"], 3, None)]


def test_rule_8_a_dataset_event_with_lineage_writes_the_declared_slot(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, columns=_X), _dataset_event(maker, 2, columns=_Y), _dataset_event(maker, 3)])
    assert _intervals(store) == [("job", ["x"], 1, None), ("", ["y"], 2, None)]


def test_rule_9_an_alias_stands_for_a_dataset_until_it_stands_for_another(store: Store, maker: EventMaker) -> None:
    link = {"symlinks": {"identifiers": [{"namespace": "hive", "name": "db.t", "type": "TABLE"}]}}
    store.ingest([maker(1, facets=link), maker(4, out="new", facets=link), maker(2, facets=link)])
    with store.read() as session:
        rows = session.rows(
            "SELECT physical.name, from_us, until_us FROM alias JOIN dataset physical ON physical.id = physical"
        )
    assert sorted(rows) == [("new", maker.us(4), FOREVER), ("out", maker.us(1), maker.us(4))]


def test_rule_9_a_rename_ends_the_old_name_and_goes_on_under_the_new_one(store: Store, maker: EventMaker) -> None:
    renamed: Json = maker(2, job="ddl", out="new")
    previous = {"namespace": "lake", "name": "out"}
    renamed["outputs"][0]["facets"]["lifecycleStateChange"] = {
        "lifecycleStateChange": "RENAME",
        "previousIdentifier": previous,
    }
    store.ingest([maker(1, columns=_X), renamed])
    assert _intervals(store) == [("job", ["x"], 1, 2)]
    assert _intervals(store, "new") == [("ddl", [], 2, None), ("job", ["x"], 2, None)]
    with store.read() as session:
        rows = session.rows("SELECT dataset.name FROM mapping JOIN dataset ON dataset.id = mapping.origin")
        assert rows == [("out",)]


def test_rule_11_fields_that_may_stand_for_each_other_are_known(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, schema={"ID": "int"}, columns={"id": ["in.x"], "a.b": ["in.x"]})])
    with store.read() as session:
        rows = session.rows(
            "SELECT field.path, other.path, how FROM kin"
            " JOIN field ON field.id = field JOIN field other ON other.id = other"
        )
    assert sorted(rows) == [("ID", "id", 2), ("a", "a.b", 0), ("a.b", "a", 1), ("id", "ID", 2)]


def test_rule_12_what_decides_on_rows_is_stored_once_in_either_form(store: Store, maker: EventMaker) -> None:
    compact = maker(1, columns={"a": ["in.x"], "b": ["in.x"]}, rows=["in.f FILTER"])
    repeated = maker(2, columns={"a": ["in.x", "in.f FILTER"], "b": ["in.x", "in.f FILTER"]})
    store.ingest([compact, repeated])
    with store.read() as session:
        assert session.rows("SELECT count(*) FROM mapping") == [(1,)]
        assert session.rows("SELECT count(*) FROM edge") == [(3,)]


def test_rule_13_a_literal_that_changes_daily_adds_no_mapping_and_the_first_text_stays(
    store: Store, maker: EventMaker
) -> None:
    def on(day: int) -> Json:
        event: Json = maker(day, columns=_X)
        fields = event["outputs"][0]["facets"]["columnLineage"]["fields"]
        fields["a"]["inputFields"][0]["transformations"][0]["description"] = f"x >= DATE '2026-01-0{day}' + {day}"
        return event

    store.ingest([on(2)])
    store.ingest([on(3), on(1)])
    with store.read() as session:
        assert session.rows("SELECT count(*) FROM mapping") == [(1,)]
        assert session.rows("SELECT description FROM edge") == [("x >= DATE '2026-01-01' + 1",)]


def test_a_repeated_run_adds_few_rows(store: Store, maker: EventMaker) -> None:
    columns = {f"c{number}": ["in.x", "in.y"] for number in range(20)}
    schema = dict.fromkeys(columns, "int")
    store.ingest([maker(1, columns=columns, schema=schema)])
    before = _counts(store)
    store.ingest([maker(2, columns=columns, schema=schema)])
    added = {table: count - before[table] for table, count in _counts(store).items() if count != before[table]}
    assert added == {"event": 1, "run": 1, "version": 1}


def _counts(store: Store) -> dict[str, int]:
    with store.read() as session:
        return {table: session.rows(f"SELECT count(*) FROM {table}")[0][0] for table in column_types()}


def test_the_lineage_facet_of_a_dataset_and_of_a_job_say_the_same_as_columnlineage(
    store: Store, maker: EventMaker
) -> None:
    source = {"namespace": "lake", "name": "in", "type": "DATASET"}
    facet = {"inputs": [source], "fields": {"a": {"inputs": [{**source, "field": "x"}]}}}
    of_dataset = maker(1, job="one", facets={"lineage": facet})
    of_job: Json = maker(1, job="two", out=None)
    of_job["job"]["facets"] = {
        "lineage": {"entries": [{"namespace": "lake", "name": "out", "type": "DATASET", **facet}]}
    }
    store.ingest([of_dataset, of_job])
    assert _intervals(store) == [("one", ["x"], 1, None), ("two", ["x"], 1, None)]


def test_raw_events_come_back_as_they_went_in(store: Store, maker: EventMaker) -> None:
    event: Json = maker(
        1, columns=_X, reads=["in"], facets={"version": {"datasetVersion": "1"}, "odd": {"x": [1.5, None]}}
    )
    event["outputs"][0]["outputFacets"] = {"outputStatistics": {"rowCount": 3}}
    events = [event, maker(2), _dataset_event(maker, 3, columns=_Y), _job_event(maker, 4)]
    store.ingest(events)
    assert list(store.events()) == events
    assert list(store.events(since=maker.us(2), until=maker.us(3))) == events[1:3]


def test_retention_drops_raw_events_and_no_fact(
    store: Store, maker: EventMaker, natural_view: Callable[[Store], Any]
) -> None:
    store.ingest([maker(1, columns=_X), maker(2, columns=_X), maker(3, columns=_Y)])
    before = natural_view(store)
    assert store.vacuum(keep_raw_days=1).events == 1  # the last of each shape stays
    after = natural_view(store)
    assert {table for table in before if before[table] != after[table]} == {"event"}
    assert len(list(store.events())) == 2
    store.rebuild()
    assert natural_view(store) == after


def test_a_purged_dataset_is_nowhere_and_the_rest_stays(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, columns={"a": ["secrets.x"]}, reads=["secrets"]), maker(2, out="secrets", columns=_X)])
    assert store.purge_dataset("lake", "secrets") == 2
    store.close()
    assert b"secrets" not in store.path.read_bytes()
    assert [interval[2:] for interval in _intervals(store)] == [(1, None)]
    assert "secrets" not in str(list(store.events()))


def test_a_purged_person_is_nowhere_not_even_in_the_file(store: Store, maker: EventMaker) -> None:
    owners = {"ownership": {"owners": [{"name": "Jane.Roe@example.com", "type": "STEWARD"}]}}
    event: Json = maker(1, columns=_X, facets=owners)
    event["job"]["facets"] = {"sql": {"query": "SELECT x FROM t WHERE mail = 'jane.roe@example.com'"}}
    store.ingest([event, maker(2, columns=_X)])
    assert store.purge_text("jane.roe@example.com") == 1
    assert "roe" not in str(list(store.events())).lower()
    with store.read() as session:
        assert "roe" not in str(session.rows("SELECT content FROM note")).lower()
        assert "roe" not in str(session.rows("SELECT word FROM term"))
    assert _intervals(store) == [("job", ["x"], 1, None)]
    assert store.ingest([event]).duplicates == 1
