"""A simulated history is deterministic, has in it what is promised, and is good OpenLineage."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from headwater.simulate import BadSettings, History, Settings
from headwater.simulate.parts import in_pieces
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

SMALL = Settings(datasets=40, days=32, change=0.5, failures=0.1, late=0.05, duplicates=0.05, nested=0.3, seed=7)


def _lines(settings: Settings) -> list[str]:
    history = History(settings)
    return [line.text for day in range(settings.days) for line in history.lines(day)]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """A small history."""
    return _lines(SMALL)


@pytest.fixture(scope="module")
def events(texts: list[str]) -> list[dict[str, Any]]:
    """The same, read."""
    return [json.loads(text) for text in texts]


def _of_type(events: Iterable[dict[str, Any]], *types: str) -> list[dict[str, Any]]:
    return [event for event in events if event.get("eventType") in types]


def _outputs(events: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [output for event in events for output in event.get("outputs", ())]


def test_the_same_seed_makes_the_same_events(texts: list[str]) -> None:
    assert _lines(SMALL) == texts


def test_another_seed_makes_other_tables_runs_and_mappings(texts: list[str]) -> None:
    others = _lines(Settings(datasets=40, days=3, seed=8))
    assert not set(others) & set(texts)
    assert {json.loads(text)["run"]["runId"] for text in others if '"run"' in text}.isdisjoint(
        {json.loads(text)["run"]["runId"] for text in texts if '"run"' in text}
    )


def test_a_day_in_pieces_is_the_same_day() -> None:
    history = History(SMALL)
    whole = list(history.lines(2))
    assert [line for piece in range(7) for line in history.lines(2, piece / 7, (piece + 1) / 7)] == whole
    assert len(in_pieces(Settings(datasets=5_000, days=3))) == 15


def test_a_longer_history_begins_as_a_shorter_one_does() -> None:
    longer, shorter = (History(Settings(datasets=30, days=days, seed=3)) for days in (90, 40))
    assert list(longer.lines(20)) == list(shorter.lines(20))


def test_every_event_is_openlineage(
    events: list[dict[str, Any]], hold_to_spec: Callable[[Iterable[Mapping[str, Any]]], None]
) -> None:
    shapes = {(event.get("eventType"), event["job"]["name"] if "job" in event else None): event for event in events}
    hold_to_spec(shapes.values())


def test_the_store_takes_every_event_and_knows_those_that_come_twice(
    events: list[dict[str, Any]], texts: list[str], tmp_path: Path
) -> None:
    with open_store(f"sqlite:///{tmp_path / 'simulated.db'}") as store:
        result = store.ingest(events)
    assert not result.rejected
    assert result.accepted == len(set(texts))
    assert result.duplicates == len(texts) - len(set(texts)) > 0


def test_runs_start_and_end_and_belong_to_applications(events: list[dict[str, Any]]) -> None:
    starts, ends = (
        {event["run"]["runId"] for event in _of_type(events, *types)} for types in (("START",), ("COMPLETE", "FAIL"))
    )
    streaming = {event["run"]["runId"] for event in _of_type(events, "RUNNING")}
    assert starts - streaming == ends - streaming
    parents = {
        event["run"]["facets"]["parent"]["run"]["runId"]
        for event in events
        if "parent" in event.get("run", {}).get("facets", {})
    }
    assert parents
    assert parents <= starts


def test_streaming_runs_go_on_for_a_month(events: list[dict[str, Any]]) -> None:
    running = Counter(event["run"]["runId"] for event in _of_type(events, "RUNNING"))
    assert max(running.values()) >= 30 * 24
    last = [event for event in _of_type(events, "COMPLETE") if event["run"]["runId"] in running]
    assert {event["job"]["facets"]["jobType"]["processingType"] for event in last} == {"STREAMING"}


def test_runs_fail_with_a_message_and_are_tried_again(events: list[dict[str, Any]]) -> None:
    failed = _of_type(events, "FAIL")
    assert failed
    assert all(event["run"]["facets"]["errorMessage"]["message"] for event in failed)
    done = {(event["job"]["name"], event["eventTime"][:10]) for event in _of_type(events, "COMPLETE")}
    assert {(event["job"]["name"], event["eventTime"][:10]) for event in failed} <= done


def test_events_come_late_and_otherwise_in_order(events: list[dict[str, Any]]) -> None:
    times = [event["eventTime"] for event in events]
    late = sum(time[:10] < before[:10] for before, time in pairwise(times))
    assert 0 < late < len(times) / 5


def test_mappings_change_and_columns_are_added(events: list[dict[str, Any]]) -> None:
    mappings: dict[str, set[str]] = {}
    for event in _of_type(events, "COMPLETE"):
        for output in event["outputs"]:
            if "columnLineage" in output["facets"]:
                structure = {
                    column: [(source["name"], source["field"]) for source in of["inputFields"]]
                    for column, of in output["facets"]["columnLineage"]["fields"].items()
                }
                mappings.setdefault(event["job"]["name"], set()).add(json.dumps(structure))
    changed = [job for job, found in mappings.items() if len(found) > 1]
    assert 0 < len(changed) < len(mappings)
    assert any("added_1" in text for found in mappings.values() for text in found)


def test_a_day_in_the_sql_is_the_day_of_the_run(events: list[dict[str, Any]]) -> None:
    dated = [event for event in _of_type(events, "COMPLETE") if "day = '" in str(event["job"]["facets"].get("sql"))]
    assert dated
    assert all(f"day = '{event['eventTime'][:10]}'" in event["job"]["facets"]["sql"]["query"] for event in dated)


def test_versions_that_are_read_were_written(events: list[dict[str, Any]]) -> None:
    written = {
        output["facets"]["version"]["datasetVersion"] for output in _outputs(events) if "version" in output["facets"]
    }
    read = {
        source["facets"]["version"]["datasetVersion"]
        for event in events
        for source in event.get("inputs", ())
        if "version" in source.get("facets", {})
    }
    assert read
    assert read <= written


def test_there_are_overwrites_and_appends_renames_and_drops(events: list[dict[str, Any]]) -> None:
    changes = Counter(
        output["facets"].get("lifecycleStateChange", {}).get("lifecycleStateChange") for output in _outputs(events)
    )
    assert {"OVERWRITE", "RENAME", "DROP", None} <= changes.keys()


def test_there_are_nested_schemas_and_lineage_of_their_fields(events: list[dict[str, Any]]) -> None:
    schemas = [output["facets"]["schema"]["fields"] for output in _outputs(events) if "schema" in output["facets"]]
    assert any("fields" in field for fields in schemas for field in fields)
    lineage = [output["facets"]["columnLineage"] for output in _outputs(events) if "columnLineage" in output["facets"]]
    assert any("." in column for facet in lineage for column in facet["fields"])
    assert any(facet.get("dataset") for facet in lineage)
    steps = [
        step
        for facet in lineage
        for of in facet["fields"].values()
        for source in of["inputFields"]
        for step in source["transformations"]
    ]
    assert {step["subtype"] for step in steps} == {"IDENTITY", "TRANSFORMATION", "AGGREGATION", "CONDITIONAL"}
    assert any(step.get("masking") for step in steps)


def test_tables_are_read_by_the_names_of_the_catalog(events: list[dict[str, Any]]) -> None:
    aliases = {
        link["name"]
        for output in _outputs(events)
        for link in output["facets"].get("symlinks", {}).get("identifiers", ())
    }
    read = {source["name"] for event in events for source in event.get("inputs", ())}
    assert aliases & read


def test_two_jobs_write_one_table(events: list[dict[str, Any]]) -> None:
    writers: dict[str, set[str]] = {}
    for event in _of_type(events, "COMPLETE"):
        if not event["job"]["name"].startswith("maintenance"):
            for output in event["outputs"]:
                writers.setdefault(output["name"], set()).add(event["job"]["name"])
    assert any(len(jobs) == 2 for jobs in writers.values())


def test_people_say_things_of_tables_and_jobs(events: list[dict[str, Any]]) -> None:
    said = {name for output in _outputs(events) for name in output["facets"]}
    assert {"ownership", "tags", "documentation", "dataSource"} <= said
    assert any("ownership" in event["job"].get("facets", {}) for event in events if "job" in event)
    kinds = {event["schemaURL"].rpartition("/")[2] for event in events}
    assert kinds == {"RunEvent", "JobEvent", "DatasetEvent"}


def test_wide_and_narrow_tables_stand_beside_each_other_unless_a_number_is_given() -> None:
    def widths(settings: Settings) -> set[int]:
        house = History(settings).warehouse
        return {len(house.table(number).leaves) for number in range(settings.datasets)}

    assert min(widths(Settings())) <= 15
    assert max(widths(Settings())) >= 80
    assert widths(Settings(columns=20)) == {20}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"datasets": 5}, "5 layers need at least 10 datasets, not 5"),
        ({"late": 1.5}, "late must be from 0 to 1, not 1.5"),
        ({"days": 0}, "days must be from 1 to 36,500, not 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSettings, match=said):
        Settings(**wrong)
