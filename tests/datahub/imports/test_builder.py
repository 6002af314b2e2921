"""The graph builder: what changes of DataHub make of a store, and when."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.datahub.aspects.test_lineage import RFC_ASPECT
from tests.datahub.changes import FACTS, MINUTE, ORDERS, derived, field, lineage, proposal, schema, take_in

from headwater.client.local import StoredLineage
from headwater.datahub.exports.proposals import Form, export_of
from headwater.datahub.naming.datasets import Naming
from headwater.query.catalog.details import DatasetDetails, describe_dataset
from headwater.query.graph.answer import TableNode
from headwater.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

    from headwater.store import Store


def _sources(store: Store, dataset: str, column: str, minute: int | None = None) -> set[str]:
    at = None if minute is None else minute * MINUTE + 1
    answer = StoredLineage(store).upstream(dataset, column, as_of=at)
    if answer.dropped:  # then it is what there was before
        return set()
    return {f"{node.field.name}.{node.field.field}" for node in answer.nodes if node.distance and node.field.field}


def _dataset(store: Store, name: str) -> DatasetDetails:
    with store.read() as session:
        return describe_dataset(session, name)


def _written(store: Store, **options: Any) -> dict[tuple[str, str], Any]:  # noqa: ANN401  of an export
    found = export_of(store, Naming(), **options)
    records = list(found.records())
    assert found.problems == []
    return {(record["entityUrn"], record["aspectName"]): record["aspect"]["json"] for record in records}


NESTED = ("header", "header.customerId", "header.timeStamp")


def _rfc(*more: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        proposal(ORDERS, "schemaMetadata", schema(*NESTED)),
        proposal(FACTS, "schemaMetadata", schema("customerId", "timeStamp")),
        proposal(FACTS, "datasetUpstreamLineage", json.loads(RFC_ASPECT), 2),
        *more,
    ]


def test_the_rfcs_example_is_asked_by_column_and_by_table(any_store: Store) -> None:
    assert take_in(any_store, _rfc()).refused == []
    assert _sources(any_store, "fact_orders", "customerId") == {"demo.orders.header.customerId"}
    tables = StoredLineage(any_store).upstream("fact_orders").nodes
    assert [node.name.name for node in tables if isinstance(node, TableNode)] == ["/demo/fact_orders", "demo.orders"]
    fields = StoredLineage(any_store).downstream("demo.orders", "header.timeStamp").nodes
    assert [node.field.field for node in fields] == ["header.timeStamp", "timeStamp"]


def test_a_field_that_leaves_its_schema_leaves_the_graph_from_that_moment_and_may_come_back(any_store: Store) -> None:
    take_in(
        any_store,
        _rfc(
            proposal(ORDERS, "schemaMetadata", schema(*NESTED[:2]), 3),
            proposal(ORDERS, "schemaMetadata", schema(*NESTED), 4),
            proposal(FACTS, "schemaMetadata", schema("customerId"), 5),
        ),
    )
    timed = [_sources(any_store, "fact_orders", "timeStamp", minute) for minute in (2, 3, 4, 5)]
    assert timed == [{"demo.orders.header.timeStamp"}, set(), {"demo.orders.header.timeStamp"}, set()]
    assert _sources(any_store, "fact_orders", "customerId", 5) == {"demo.orders.header.customerId"}
    diff = StoredLineage(any_store).diff("fact_orders", since=2 * MINUTE + 1, until=3 * MINUTE + 1)
    assert "timeStamp" in json.dumps(diff.to_dict())


def test_a_second_import_knows_what_the_first_brought(any_store: Store) -> None:
    for records in (_rfc(), [proposal(ORDERS, "schemaMetadata", schema(*NESTED[:2]), 3)]):
        assert take_in(any_store, records).refused == []
    assert _sources(any_store, "fact_orders", "timeStamp") == set()
    assert _sources(any_store, "fact_orders", "timeStamp", 2) == {"demo.orders.header.timeStamp"}


def test_the_same_changes_again_add_nothing(store: Store) -> None:
    assert take_in(store, _rfc()).events == 3
    assert take_in(store, _rfc()).events == 0


def test_lineage_may_come_before_the_schemas(store: Store) -> None:
    take_in(store, _rfc()[::-1])
    assert _sources(store, "fact_orders", "customerId") == {"demo.orders.header.customerId"}


def test_a_job_writes_its_outputs_and_ends_what_it_no_longer_lists(store: Store) -> None:
    job = "urn:li:dataJob:(urn:li:dataFlow:(airflow,shop,PROD),daily)"
    entries = [derived(field(FACTS, "customerId"), field(ORDERS, "header.customerId"))]
    both = {"inputDatasets": [ORDERS], "outputDatasets": [FACTS], "fineGrainedLineages": entries}
    take_in(store, [proposal(job, "dataJobInputOutput", both), proposal(job, "dataJobInfo", {"name": "daily"})])
    assert _sources(store, "fact_orders", "customerId") == {"demo.orders.header.customerId"}
    (edge,) = StoredLineage(store).upstream("fact_orders", "customerId").edges
    assert edge.job is not None
    assert (edge.job.namespace, edge.job.name) == ("urn:li:dataFlow:(airflow,shop,PROD)", "daily")
    assert _written(store)[job, "dataJobInputOutput"] == both
    take_in(store, [proposal(job, "dataJobInputOutput", {"inputDatasets": [ORDERS], "outputDatasets": []}, 2)])
    assert _sources(store, "fact_orders", "customerId") == set()


def test_a_snapshot_an_audit_event_and_a_change_log_say_the_same_as_a_proposal(store: Store) -> None:
    aspect = lineage(derived(field(FACTS, "a"), field(ORDERS, "b")))
    log = {**proposal(FACTS, "upstreamLineage", aspect), "previousAspectValue": None, "created": {"time": 60_000}}
    log["aspect"] = {"value": json.dumps(aspect), "contentType": "application/json"}
    del log["systemMetadata"]
    snapshot = {"urn": FACTS, "aspects": [{"com.linkedin.pegasus2avro.dataset.UpstreamLineage": aspect}]}
    named = {"com.linkedin.pegasus2avro.metadata.snapshot.DatasetSnapshot": snapshot}
    header = {"auditHeader": {"time": 60_000}}
    take_in(store, [proposal(FACTS, "upstreamLineage", aspect)])
    assert _sources(store, "fact_orders", "a") == {"demo.orders.b"}
    for record in (log, {"proposedSnapshot": named, **header}, {"oldSnapshot": None, "newSnapshot": named, **header}):
        done = take_in(store, [record])
        assert (done.changes, done.events, done.refused) == (1, 0, [])


def test_fields_may_come_one_by_one_and_the_schema_has_the_last_word(store: Store) -> None:
    def info(path: str, **said: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
        return proposal(f"urn:li:datasetField:({ORDERS},{path})", "fieldInfo", said)

    take_in(store, [info("/a", nativeDataType="int", description="an a"), info("/b", type="string")])
    columns = _dataset(store, "demo.orders").columns
    assert [(one.path, one.type, one.description) for one in columns] == [("a", "int", "an a"), ("b", "string", "")]
    late = {**info("/c"), "systemMetadata": {"lastObserved": 180_000}}
    done = take_in(store, [proposal(ORDERS, "schemaMetadata", schema("a"), 2), late])
    assert [one.reason.endswith("is not in its dataset's schema.") for one in done.refused] == [True]
    columns = _dataset(store, "demo.orders").columns
    listed = [(one.path, one.type, one.description) for one in columns if one.listed]
    assert listed == [("a", "string", "an a")]


def test_tags_terms_and_descriptions_are_shown_and_given_back(store: Store) -> None:
    tags = {"tags": [{"tag": "urn:li:tag:pii"}]}
    editable = {
        "editableSchemaFieldInfo": [
            {"fieldPath": "a", "description": "by hand", "globalTags": tags},
            {"fieldPath": "b", "glossaryTerms": {"terms": [{"urn": "urn:li:glossaryTerm:money"}]}},
        ]
    }
    take_in(
        store,
        [
            proposal(ORDERS, "schemaMetadata", schema("a", "b")),
            proposal(ORDERS, "globalTags", tags),
            proposal(ORDERS, "editableSchemaMetadata", editable),
            proposal(ORDERS, "datasetProperties", {"description": "All orders."}),
        ],
    )
    found = _dataset(store, "demo.orders")
    assert found.description == "All orders."
    assert {(tag.key, tag.value, tag.field) for tag in found.tags} == {
        ("pii", "true", None), ("pii", "true", "a"), ("glossaryTerm", "money", "b"),
    }  # fmt: skip
    assert [column.description for column in found.columns] == ["by hand", ""]
    assert _written(store)[ORDERS, "editableSchemaMetadata"] == editable


def test_an_aspect_or_entity_that_nobody_knows_is_given_back_untouched(any_store: Store) -> None:
    odd = {"deep": [{"x": None}, 1.5, "ü"], "_deleted": 0}
    take_in(
        any_store,
        [
            proposal(ORDERS, "spaceship", odd),
            proposal("urn:li:starship:enterprise", "crew", odd),
            proposal(field(ORDERS, "a"), "fieldMood", odd),
        ],
    )
    written = _written(any_store)
    urns = (ORDERS, "spaceship"), ("urn:li:starship:enterprise", "crew"), (field(ORDERS, "a"), "fieldMood")
    assert [written[urn] for urn in urns] == [odd] * 3


def test_an_aspect_that_is_deleted_is_gone_and_so_is_its_lineage(store: Store) -> None:
    take_in(store, _rfc())
    take_in(store, [proposal(FACTS, "datasetUpstreamLineage", None, 3, "DELETE")])
    assert _sources(store, "fact_orders", "customerId") == set()
    assert (FACTS, "datasetUpstreamLineage") not in _written(store)


BAD = {
    "a malformed URN": (proposal("urn:li:dataset:(x", "a", {}), "is not a valid URN"),
    "no JSON": ("{", "Cannot read the rest of the file"),
    "no object": (7, "must be an object"),
    "no change": ({"a": 1}, "Not a DataHub change"),
    "an MCL without its MCP": ({"previousAspectValue": None, "created": {"time": 1}}, "must contain its proposal"),
    "an MCL without its aspect": (
        {**proposal(FACTS, "x", {}), "created": {"time": 1}, "aspect": None},
        "must contain its proposal",
    ),
    "a change that is unknown": (proposal(FACTS, "x", {}, change="EXPLODE"), "EXPLODE"),
    "a path that is too long": (
        proposal(f"urn:li:datasetField:({ORDERS},/{'x' * 500})", "fieldInfo", {}),
        "501 characters",
    ),
    "a field that the schema lacks": (
        proposal(FACTS, "upstreamLineage", lineage(derived(field(FACTS, "nope"), field(ORDERS, "header")))),
        "a field that is not in its dataset's schema",
    ),
    "a source that the schema lacks": (
        proposal(FACTS, "upstreamLineage", lineage(derived(field(FACTS, "customerId"), field(ORDERS, "nope")))),
        "a field that is not in its dataset's schema",
    ),
    "lineage that is none": (proposal(FACTS, "upstreamLineage", {"upstreams": 7}), "upstreams must be a list"),
    "a schema that is none": (proposal(FACTS, "schemaMetadata", {"fields": [{}]}), "fieldPath"),
    "a patch that is none": (proposal(FACTS, "globalTags", [{"op": "leap"}], change="PATCH"), "must be an add"),
    "a tag that is no URN": (proposal(FACTS, "globalTags", {"tags": [{"tag": "pii"}]}), "is not a valid URN"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_told_by_file_and_line_and_the_rest_is_kept(store: Store, what: str) -> None:
    record, reason = BAD[what]
    done = take_in(store, [*_rfc(), record])
    assert [(one.place.file, one.place.line) for one in done.refused] == [("f.json", 5)]
    assert reason in done.refused[0].reason
    assert _sources(store, "fact_orders", "timeStamp") == {"demo.orders.header.timeStamp"}


def test_a_bad_line_does_not_keep_the_lines_after_it(store: Store) -> None:
    done = take_in(store, ["{", *_rfc()], lines=True)
    assert [one.place.line for one in done.refused] == [1]
    assert _sources(store, "fact_orders", "customerId") == {"demo.orders.header.customerId"}


def test_datasets_that_the_store_knows_keep_their_names(store: Store) -> None:
    source = {"namespace": "postgres://db:5432", "name": "shop.public.orders"}
    store.ingest([{
        "eventTime": "1970-01-01T00:00:30Z", "producer": "p", "schemaURL": "x#/$defs/DatasetEvent", "dataset": source,
    }])  # fmt: skip
    urn = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.orders,PROD)"
    other = urn.replace("PROD", "DEV")
    take_in(store, [proposal(urn, "schemaMetadata", schema("a")), proposal(other, "schemaMetadata", schema("b"))])
    assert [column.path for column in _dataset(store, "postgres://db:5432/shop.public.orders").columns] == ["a"]
    # Of another environment, it is another dataset.
    assert [column.path for column in _dataset(store, f"datahub/{other}").columns] == ["b"]
    assert {urn, other} <= {urn for urn, _ in _written(store)}


@pytest.mark.parametrize("form", list(Form))
def test_what_is_written_makes_the_same_graph_in_another_store(store: Store, tmp_path: Path, form: Form) -> None:
    take_in(store, _rfc())
    records = list(export_of(store, Naming(), form=form).records())
    with open_store(str(tmp_path / "second.db")) as second:
        assert take_in(second, records).refused == []
        for column in ("customerId", "timeStamp"):
            assert _sources(second, "fact_orders", column) == _sources(store, "fact_orders", column) != set()
