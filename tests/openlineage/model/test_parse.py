"""Events as their senders write them, good and bad."""

from __future__ import annotations

from typing import Any

import pytest

from headwater.common.masking import Masking
from headwater.openlineage.model.event import (
    ColumnEdge,
    DatasetEvent,
    EventType,
    JobEvent,
    RowSource,
    RunEvent,
    SchemaField,
)
from headwater.openlineage.model.parse import BadEvent, column_lineage, parse_event
from headwater.openlineage.model.parse_facets import schema_fields

_RUN = "3f5e83fa-3480-44ff-99c5-ff943904e5e8"


def _event(**changes: Any) -> dict[str, Any]:  # noqa: ANN401  any JSON, right or wrong
    event: dict[str, Any] = {
        "eventType": "COMPLETE",
        "eventTime": "2026-01-01T00:00:00Z",
        "run": {"runId": _RUN},
        "job": {"namespace": "jobs", "name": "daily"},
    }
    return {key: value for key, value in {**event, **changes}.items() if value is not ...}


def _run_event(**changes: Any) -> RunEvent:  # noqa: ANN401
    event = parse_event(_event(**changes))
    assert isinstance(event, RunEvent)
    return event


@pytest.mark.parametrize(
    ("written", "us"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T00:00:01.5Z", 1_500_000),
        ("1970-01-01T00:00:00.123456789Z", 123_456),
        ("1970-01-01T01:00:00+01:00", 0),
        ("1969-12-31T19:00:00.000001-0500", 1),
        ("1970-01-01T00:00Z", 0),
        ("1970-01-01T00:00:00+00:00[UTC]", 0),
        ("1969-12-31T23:59:59.999999Z", -1),
    ],
)
def test_times_in_any_zone_are_microseconds_utc(written: str, us: int) -> None:
    assert _run_event(eventTime=written).time_us == us


@pytest.mark.parametrize("written", ["9999-12-31T23:59:59-23:00", "0001-01-01T00:00:00+14:00"])
def test_a_time_that_no_answer_could_show_is_refused(written: str) -> None:
    with pytest.raises(BadEvent) as refused:
        _run_event(eventTime=written)
    assert (refused.value.field, "years 1 to 9999" in refused.value.reason) == ("eventTime", True)


@pytest.mark.parametrize(
    ("changes", "field", "reason"),
    [
        ({"eventTime": ...}, "eventTime", "is missing"),
        ({"eventTime": 17}, "eventTime", "must be a string, not a number"),
        ({"eventTime": "yesterday"}, "eventTime", "is not an ISO 8601 date and time"),
        ({"eventTime": "2026-01-01T00:00:00"}, "eventTime", "has no time zone"),
        ({"eventTime": "2026-02-30T00:00:00Z"}, "eventTime", "is not a date and time"),
        ({"eventType": "DONE"}, "eventType", "must be one of START, RUNNING"),
        ({"run": ...}, "run", "is missing"),
        ({"run": []}, "run", "must be an object, not a list"),
        ({"run": {}}, "run.runId", "is missing"),
        ({"run": {"runId": ""}}, "run.runId", "is empty"),
        ({"run": {"runId": 42}}, "run.runId", "must be a string, not a number"),
        ({"run": {"runId": "a\0"}}, "run.runId", "contains a NUL character"),
        ({"eventTime": "2026-01-01T00:00:00+99:99"}, "eventTime", "is not an ISO 8601 date and time"),
        ({"eventTime": "2026-01-01T00:00:00-24:00"}, "eventTime", "is not an ISO 8601 date and time"),
        ({"eventTime": "2026-01-01T24:00:00Z"}, "eventTime", "is not an ISO 8601 date and time"),
        ({"eventTime": "2016-12-31T23:59:60Z"}, "eventTime", "is not a date and time"),
        ({"eventTime": "0000-01-01T00:00:00Z"}, "eventTime", "is not a date and time"),
        ({"eventTime": "0001-01-01T00:00:00+14:00"}, "eventTime", "is not in the years 1 to 9999"),
        ({"job": ...}, "job", "is missing"),
        ({"job": {"namespace": "jobs"}}, "job.name", "is missing"),
        ({"job": {"namespace": "", "name": "x"}}, "job.namespace", "is empty"),
        ({"outputs": {}}, "outputs", "must be a list, not an object"),
        ({"outputs": [{"namespace": "a", "name": "b\0c"}]}, "outputs[0].name", "contains a NUL character"),
        ({"inputs": [{"namespace": "\ud800", "name": "b"}]}, "inputs[0].namespace", "contains an unpaired surrogate"),
        ({"inputs": [{"namespace": "a", "name": "b", "facets": {"x": 1}}]}, "inputs[0].facets.x", "must be an object"),
        ({"run": {"runId": _RUN, "facets": {"parent": {}}}}, "run.facets.parent.run", "is missing"),
    ],
)
def test_what_cannot_be_stored_is_named_with_its_reason(changes: dict[str, Any], field: str, reason: str) -> None:
    with pytest.raises(BadEvent) as caught:
        parse_event(_event(**changes))
    assert caught.value.field == field
    assert caught.value.reason.startswith(reason)
    assert str(caught.value).startswith(f"{field}: {reason}")


def test_unknown_facets_are_kept() -> None:
    facet = {"_producer": "me", "anything": [1, {"deep": None}]}
    event = _run_event(outputs=[{"namespace": "a", "name": "b", "facets": {"mine": facet}}])
    assert event.outputs[0].facets == {"mine": facet}


def test_an_event_without_type_is_other() -> None:
    assert _run_event(eventType=...).type is EventType.OTHER


def test_the_parent_is_read_from_its_facet() -> None:
    parent = {"run": {"runId": _RUN.upper()}, "job": {"namespace": "jobs", "name": "app"}}
    found = _run_event(run={"runId": _RUN, "facets": {"parent": parent}}).parent
    assert found
    assert found.run_id == _RUN
    assert found.job
    assert found.job.name == "app"


def test_a_run_has_the_uuid_that_marquez_derives_where_its_id_is_another_text() -> None:
    """As Java's `UUID.nameUUIDFromBytes` has it; a parent with the same id is the same run."""
    parent = {"run": {"runId": "run_id"}, "job": {"namespace": "jobs", "name": "app"}}
    event = _run_event(run={"runId": "run_id", "facets": {"parent": parent}})
    assert event.run_id == "0acf093b-3c88-3560-8dc6-22a33921d360"
    assert event.parent
    assert event.parent.run_id == event.run_id
    assert _run_event(run={"runId": "\u65e5 manual__2024"}).run_id == "0d522484-3b5e-3cea-92a2-b9d435b0aa86"
    assert _run_event(run={"runId": "{" + _RUN + "}"}).run_id != _RUN


def test_job_and_dataset_events_are_told_by_their_schema() -> None:
    base = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/"
    dataset = {"namespace": "a", "name": "b"}
    assert isinstance(parse_event(_event(run=..., eventType=..., schemaURL=f"{base}JobEvent")), JobEvent)
    static = {"eventTime": "2026-01-01T00:00:00Z", "dataset": dataset}
    assert isinstance(parse_event({**static, "schemaURL": f"{base}DatasetEvent"}), DatasetEvent)
    assert isinstance(parse_event(static), DatasetEvent)


def _source(*steps: dict[str, Any], field: str = "x") -> dict[str, Any]:
    source: dict[str, Any] = {"namespace": "lake", "name": "in", "field": field}
    return {**source, "transformations": list(steps)} if steps else source


def test_each_transformation_is_an_edge() -> None:
    source = _source(
        {"type": "DIRECT", "subtype": "TRANSFORMATION", "description": "upper(x)", "masking": False},
        {"type": "INDIRECT", "subtype": "CONDITIONAL"},
    )
    assert column_lineage({"fields": {"a": {"inputFields": [source]}}}).edges == (
        ColumnEdge("a", "lake", "in", "x", "DIRECT", "TRANSFORMATION", Masking.NONE, description="upper(x)"),
        ColumnEdge("a", "lake", "in", "x", "INDIRECT", "CONDITIONAL", Masking.NONE, description=""),
    )


@pytest.mark.parametrize(
    ("kind", "subtype", "masking"),
    [
        ("IDENTITY", "IDENTITY", Masking.NONE),
        ("MASKED", "TRANSFORMATION", Masking.UNKNOWN),
        (None, "", Masking.NONE),
        ("OTHER", "OTHER", Masking.NONE),
    ],
)
def test_the_deprecated_form_speaks_for_all_inputs_of_a_field(kind: str | None, subtype: str, masking: Masking) -> None:
    field = {"inputFields": [_source()], "transformationType": kind, "transformationDescription": "said"}
    (edge,) = column_lineage({"fields": {"a": field}}).edges
    assert (edge.type, edge.subtype, edge.masking, edge.description) == ("DIRECT", subtype, masking, "said")


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ({"masking": True}, "unknown"),
        ({"masking": True, "headwater_masking": "keyed"}, "keyed"),
        ({"masking": "yes"}, ""),
        ({"masking": True, "headwater_masking": 7}, "unknown"),
        ({"headwater_masking": "unmask"}, "unmask"),
        ({"headwater_masking": "irreversible"}, ""),
        ({"description": "upper(aes_decrypt(x, 'k'))"}, "unmask"),
        ({"description": "TRY_AES_DECRYPT (x)"}, "unmask"),
        ({"description": "decrypted_at"}, ""),
        ({"description": "sha2(aes_decrypt(x, 'k'), 256)", "masking": True}, "unknown"),
        # Our own words say more than the text.
        ({"description": "concat(x, aes_decrypt(y, 'k'))", "headwater_masking": "may-unmask"}, "may-unmask"),
    ],
)
def test_masking_is_read_with_and_without_our_own_words(step: dict[str, Any], words: str) -> None:
    source = _source({"type": "DIRECT", "subtype": "TRANSFORMATION", **step})
    (edge,) = column_lineage({"fields": {"a": {"inputFields": [source]}}}).edges
    assert edge.masking.words == words


def test_the_dataset_list_reaches_the_rows() -> None:
    filtered = _source({"type": "INDIRECT", "subtype": "FILTER"})
    (edge,) = column_lineage({"fields": {}, "dataset": [filtered]}).edges
    assert (edge.out, edge.type, edge.subtype) == (None, "INDIRECT", "FILTER")


def test_an_indirect_input_repeated_on_every_field_stays_on_every_field() -> None:
    filtered = {"inputFields": [_source({"type": "INDIRECT", "subtype": "FILTER"})]}
    assert [edge.out for edge in column_lineage({"fields": {"a": filtered, "b": filtered}}).edges] == ["a", "b"]


def test_a_column_without_inputs_is_still_spoken_of() -> None:
    assert column_lineage({"fields": {"a": {"inputFields": []}}}).columns == ("a",)


def test_a_broken_lineage_facet_is_named_to_the_leaf() -> None:
    facet = {"fields": {"a": {"inputFields": [_source(), {"namespace": "lake", "name": "in"}]}}}
    with pytest.raises(BadEvent, match=r"outputs\[0\]\.facets\.columnLineage\.fields\.a\.inputFields\[1\]\.field"):
        parse_event(_event(outputs=[{"namespace": "a", "name": "b", "facets": {"columnLineage": facet}}]))


def test_nested_fields_are_paths_and_odd_names_are_quoted() -> None:
    nested = [{"name": "id", "type": "int"}, {"name": "a.b", "type": "int"}]
    schema = {"fields": [{"name": "h", "type": "struct", "fields": nested}, {"name": "odd`one"}]}
    assert schema_fields(schema) == (
        SchemaField("h", "struct"),
        SchemaField("h.id", "int"),
        SchemaField("h.`a.b`", "int"),
        SchemaField("`odd``one`", ""),
    )


def test_a_schema_deeper_than_pythons_stack_is_refused_by_name() -> None:
    fields: list[Any] = []
    for _ in range(5_000):
        fields = [{"name": "s", "type": "struct", "fields": fields}]
    with pytest.raises(BadEvent, match="the limit is 4,000"):
        schema_fields({"fields": fields})


_EMPTY: dict[str, Any] = {
    "columnLineage": {"fields": {column: {"inputFields": []} for column in ("a", "`b.c`", "x", "y")}}
}
_IN = {"namespace": "lake", "name": "in"}
_VIEW = {"namespace": "lake", "name": "view"}
_COUNTS_IN = {"headwater_rows": {"fields": {"a": [_IN], "`b.c`": [_IN, _VIEW]}, "dataset": [_VIEW]}}


def _row_sources(*facets: dict[str, Any]) -> tuple[RowSource, ...] | None:
    outputs = [{"namespace": "lake", "name": "out", "facets": one} for one in facets]
    (output,) = _run_event(outputs=outputs).outputs
    assert output.lineage is not None
    return output.lineage.row_sources


def test_rows_that_are_counted_are_read_beside_lineage() -> None:
    of_in = RowSource(None, "lake", "in")
    of_all, of_a, of_b = RowSource(None, "lake", "view"), RowSource("a", "lake", "in"), RowSource("`b.c`", "lake", "in")
    assert _row_sources({**_EMPTY, **_COUNTS_IN}) == (of_all, of_b, of_a)
    # Of a column that has no lineage, they count for all columns.
    assert _row_sources({"lineage": {"inputs": []}, **_COUNTS_IN}) == (of_in, of_all)
    assert _row_sources(_EMPTY) is None
    by_views = {"byViews": {"dataset": [_IN]}, **_COUNTS_IN["headwater_rows"]}
    assert _row_sources({**_EMPTY, "headwater_rows": by_views}) == (of_all, of_b, of_a)
    views = {"headwater_views": {"fields": {}, "views": [_VIEW]}}
    assert _row_sources({**_EMPTY, **views, "headwater_rows": by_views}) == (RowSource(None, "lake", "in"),)
    assert _row_sources({**_EMPTY, **views, **_COUNTS_IN}) is None
    assert _row_sources({**_EMPTY, "headwater_rows": {"_deleted": True}}) is None


def test_rows_that_are_counted_are_read_beside_the_lineage_of_the_job() -> None:
    entry = {"type": "DATASET", "namespace": "lake", "name": "out", "fields": {"a": {"inputs": []}}}
    job = {"namespace": "jobs", "name": "daily", "facets": {"lineage": {"entries": [entry]}}}

    def read(facets: dict[str, Any]) -> tuple[RowSource, ...] | None:
        (output,) = _run_event(job=job, outputs=[{"namespace": "lake", "name": "out", "facets": facets}]).outputs
        assert output.lineage is not None
        return output.lineage.row_sources

    assert read({"headwater_rows": {"fields": {"a": [_IN]}}}) == (RowSource("a", "lake", "in"),)
    assert (read({}), read({"headwater_rows": {"_deleted": True}})) == (None, None)


def test_all_mentions_of_a_dataset_say_which_rows_are_counted() -> None:
    other = {"headwater_rows": {"fields": {"x": [_VIEW], "y": [_IN]}}}
    assert _row_sources({**_EMPTY, **_COUNTS_IN}, _EMPTY, {**_EMPTY, **other}) == (
        RowSource(None, "lake", "view"),
        *(RowSource(column, "lake", "in") for column in ("`b.c`", "a", "y")),
    )
    assert _row_sources(_EMPTY, _EMPTY) is None


@pytest.mark.parametrize(
    ("facet", "field", "reason"),
    [
        ({"fields": []}, "fields", "must be an object, not a list"),
        ({"fields": {"a": {}}}, "fields.a", "must be a list, not an object"),
        ({"fields": {"a": [{"namespace": "lake"}]}}, "fields.a[0].name", "is missing"),
        ({"dataset": ["in"]}, "dataset[0]", "must be an object, not a string"),
    ],
)
def test_counted_rows_that_cannot_be_read_are_refused(facet: dict[str, Any], field: str, reason: str) -> None:
    with pytest.raises(BadEvent) as refused:
        _row_sources({**_EMPTY, "headwater_rows": facet})
    place = f"outputs[0].facets.headwater_rows.{field}"
    assert (refused.value.field, refused.value.reason) == (place, reason)
