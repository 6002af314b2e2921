"""Lineage as DataHub's aspects, and back; what a round trip keeps and what it loses."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.common.masking import EFFECTS, Masking
from headwater.datahub.aspects.fine_grained import fine_grained, read_fine_grained
from headwater.datahub.aspects.lineage import (
    field_mappings,
    job_io,
    read_field_mappings,
    read_job_io,
    read_upstream_lineage,
    upstream_lineage,
)
from headwater.datahub.aspects.reading import Known, Reading
from headwater.datahub.aspects.transformations import Step, operation_of, steps_of
from headwater.datahub.naming.datasets import Naming
from headwater.datahub.naming.store_names import StoreNames
from headwater.fields import make_urn
from headwater.fields.errors import BadAspect
from headwater.fields.paths import SchemaFields, rfc_path
from headwater.openlineage.model.event import ColumnEdge, ColumnLineage
from headwater.openlineage.model.parse_facets import sort_edges
from headwater.store.model.meaning import with_rows_folded

if TYPE_CHECKING:
    from headwater.datahub.aspects.reading import Name

NAMES = StoreNames(Naming())
OUT: Name = ("hdfs", "/demo/fact_orders")
ORDERS: Name = ("kafka", "demo.orders")
KNOWN = Known(NAMES.name_of, lambda _: None)
RFC_ASPECT = """{"fieldMappings": [
  {"created": null,
   "transformationFunction": {"string": "com.linkedin.finegrainedmetadata.transformation.Identity"},
   "sourceFields": [{"string": "urn:li:datasetField:(urn:li:dataset:(urn:li:dataPlatform:kafka,demo.orders,PROD),/header/customerId)"}],
   "destinationField": "urn:li:datasetField:(urn:li:dataset:(urn:li:dataPlatform:hdfs,/demo/fact_orders,PROD),/customerId)"},
  {"created": null,
   "transformationFunction": {"string": "com.linkedin.finegrainedmetadata.transformation.Identity"},
   "sourceFields": [{"string": "urn:li:datasetField:(urn:li:dataset:(urn:li:dataPlatform:kafka,demo.orders,PROD),/header/timeStamp)"}],
   "destinationField": "urn:li:datasetField:(urn:li:dataset:(urn:li:dataPlatform:hdfs,/demo/fact_orders,PROD),/timeStamp)"}
]}"""  # noqa: E501  the RFC's own words


def _edge(out: str | None, path: str, type_: str, subtype: str = "", words: str = "") -> ColumnEdge:
    return ColumnEdge(out, *ORDERS, path, type_, subtype, Masking.NONE, words)


def _lineage(*edges: ColumnEdge) -> ColumnLineage:
    columns = sorted({edge.out for edge in edges if edge.out is not None})
    return ColumnLineage(tuple(columns), sort_edges(set(edges)))


def _schema_field(name: Name, path: str) -> str:
    return str(make_urn.schema_field(NAMES.urn_of(name), path))


def _dataset_field(name: Name, path: str) -> str:
    return str(make_urn.dataset_field(NAMES.urn_of(name), rfc_path(path)))


COPIES = _lineage(
    _edge("customerId", "header.customerId", "DIRECT", "IDENTITY"),
    _edge("timeStamp", "header.timeStamp", "DIRECT", "IDENTITY"),
)


def test_the_rfcs_aspect_is_read_and_written_word_for_word() -> None:
    aspect = json.loads(RFC_ASPECT)
    reading = Reading(KNOWN)
    read_field_mappings(aspect, reading)
    assert reading.problems == []
    assert reading.lineage(OUT) == COPIES
    assert field_mappings(COPIES, OUT, _dataset_field) == aspect


def test_the_rfcs_function_is_black_box_where_none_is_named() -> None:
    mapping = json.loads(RFC_ASPECT)["fieldMappings"][0]
    del mapping["transformationFunction"]
    reading = Reading(KNOWN)
    read_field_mappings({"fieldMappings": [mapping]}, reading)
    assert [(edge.type, edge.subtype, edge.description) for edge in reading.lineage(OUT).edges] == [("DIRECT", "", "")]


def test_todays_form_of_the_rfcs_aspect_has_the_same_meaning() -> None:
    steps = (("DIRECT", "IDENTITY"), ("DIRECT", "", "a + b"), ("DIRECT",))
    given = _lineage(*(_edge(f"c{at}", "a", *step) for at, step in enumerate(steps)))
    aspect = field_mappings(given, OUT, _dataset_field, us=0)
    assert [list(mapping["transformation"].values()) for mapping in aspect["fieldMappings"]] == [
        ["IDENTITY"],
        [{"udf": "a + b"}],
        ["BLACKBOX"],
    ]
    reading = Reading(KNOWN)
    read_field_mappings(aspect, reading)
    assert reading.lineage(OUT) == given


LOST = {
    "an indirect input": (_edge("c", "a", "INDIRECT", "CONDITIONAL"), None),
    "what decides on rows": (_edge(None, "a", "INDIRECT", "FILTER"), None),
    "masking": (
        replace(_edge("c", "a", "DIRECT", "TRANSFORMATION", "md5(a)"), masking=Masking.IRREVERSIBLE),
        _edge("c", "a", "DIRECT", "", "md5(a)"),
    ),
    "the subtype of an expression": (
        _edge("c", "a", "DIRECT", "AGGREGATION", "sum(a)"),
        _edge("c", "a", "DIRECT", "", "sum(a)"),
    ),
    "the text of a copy": (_edge("c", "a", "DIRECT", "IDENTITY", "a"), _edge("c", "a", "DIRECT", "IDENTITY")),
}


@pytest.mark.parametrize("what", LOST)
def test_the_rfcs_aspect_loses(what: str) -> None:
    edge, left = LOST[what]
    reading = Reading(KNOWN)
    read_field_mappings(field_mappings(_lineage(edge), OUT, _dataset_field), reading)
    assert reading.lineage(OUT).edges == (() if left is None else (left,))


_WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
_DIRECT = st.sampled_from(["", "IDENTITY", "TRANSFORMATION", "AGGREGATION"])
_INDIRECT = st.sampled_from(["CONDITIONAL", "WINDOW", "FILTER", "JOIN", ""])
_MASKING = st.sampled_from(EFFECTS)
_STEPS = st.one_of(
    st.builds(Step, st.just("DIRECT"), _DIRECT, _MASKING, _WORDS),
    st.builds(Step, st.just("INDIRECT"), _INDIRECT, _MASKING, _WORDS),
)
_COLUMNS = ("a", "b.c", "count(1)", "ünï,cöde")
_EDGES = st.lists(
    st.builds(
        lambda out, path, step: ColumnEdge(out, *ORDERS, path, step.type, step.subtype, step.masking, step.description),
        st.sampled_from(_COLUMNS),
        st.sampled_from(_COLUMNS),
        _STEPS,
    ),
    max_size=8,
)


@given(_STEPS)
def test_an_operation_is_read_back_as_the_step_that_it_was_written_from(step: Step) -> None:
    assert steps_of(operation_of([step])) == [step]


@given(_EDGES)
def test_upstream_lineage_keeps_every_edge_of_fields(edges: list[ColumnEdge]) -> None:
    given_ = _lineage(*edges)
    aspect = upstream_lineage(given_, OUT, [NAMES.urn_of(ORDERS)], given_.columns, _schema_field, us=0)
    reading = Reading(KNOWN)
    read_upstream_lineage(json.loads(json.dumps(aspect)), reading)
    assert reading.problems == []
    lineage = reading.lineage(OUT)
    assert (lineage.columns, lineage.edges, lineage.sources) == (given_.columns, given_.edges, (ORDERS,))


def test_what_decides_on_rows_comes_back_as_that_where_there_are_several_columns() -> None:
    rows = _edge(None, "status", "INDIRECT", "FILTER", "status = 'PAID'")
    given_ = _lineage(rows, *COPIES.edges)
    entries = fine_grained(given_, OUT, COPIES.columns, _schema_field)
    assert [len(entry["downstreams"]) for entry in entries if entry["downstreamType"] == "FIELD_SET"] == [2]
    reading = Reading(KNOWN)
    read_fine_grained(entries, reading, "fineGrainedLineages")
    assert with_rows_folded(reading.lineage(OUT)).edges == given_.edges


def test_what_decides_on_rows_of_a_single_column_comes_back_as_an_input_of_it() -> None:
    given_ = _lineage(_edge(None, "b", "INDIRECT", "FILTER"), _edge("a", "a", "DIRECT", "IDENTITY"))
    reading = Reading(KNOWN)
    read_fine_grained(fine_grained(given_, OUT, ["a"], _schema_field), reading, "fineGrainedLineages")
    assert [edge.out for edge in with_rows_folded(reading.lineage(OUT)).edges] == ["a", "a"]


def test_a_job_keeps_what_it_reads_and_writes_and_the_edges() -> None:
    entries = fine_grained(COPIES, OUT, COPIES.columns, _schema_field)
    aspect = job_io([NAMES.urn_of(ORDERS)], [NAMES.urn_of(OUT)], entries)
    reading = Reading(KNOWN)
    assert read_job_io(aspect, reading) == ([ORDERS], [OUT])
    assert reading.lineage(OUT).edges == COPIES.edges


def test_a_field_of_a_whole_dataset_is_of_all_its_fields_and_says_so() -> None:
    known = Known(NAMES.name_of, lambda name: SchemaFields(["x", "y"]) if name == ORDERS else None)
    entry = {
        "upstreamType": "DATASET",
        "upstreams": [NAMES.urn_of(ORDERS)],
        "downstreamType": "FIELD",
        "downstreams": [_schema_field(OUT, "c")],
    }
    reading = Reading(known)
    read_fine_grained([entry], reading, "fineGrainedLineages")
    lineage = reading.lineage(OUT)
    assert [(edge.path, edge.description) for edge in lineage.edges] == [
        ("x", "all of the dataset, by no field"),
        ("y", "all of the dataset, by no field"),
    ]
    assert lineage.sources == (ORDERS,)


def test_a_field_of_nothing_is_known_to_have_no_inputs() -> None:
    entry = {"upstreamType": "NONE", "downstreamType": "FIELD", "downstreams": [_schema_field(OUT, "c")]}
    reading = Reading(KNOWN)
    read_fine_grained([entry], reading, "fineGrainedLineages")
    assert reading.lineage(OUT) == ColumnLineage(("c",), ())
    assert fine_grained(reading.lineage(OUT), OUT, [], _schema_field)[0]["upstreamType"] == "NONE"


@pytest.mark.parametrize("aspect", [{"fieldMappings": 7}, {"fieldMappings": [7]}, {"fieldMappings": [{}]}])
def test_an_aspect_that_is_none_is_refused_with_its_place(aspect: dict[str, Any]) -> None:
    with pytest.raises(BadAspect, match="fieldMappings"):
        read_field_mappings(aspect, Reading(KNOWN))


def test_what_datahubs_sql_parser_writes_is_understood() -> None:
    assert steps_of("COPY: `a`") == [Step("DIRECT", "IDENTITY")]
    assert steps_of("SQL: a || b") == [Step("DIRECT", "", description="a || b")]
