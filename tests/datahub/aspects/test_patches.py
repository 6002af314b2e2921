"""Patch proposals, and records that DataHub's own package makes and takes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.datahub.changes import FACTS, ORDERS, derived, field, lineage, proposal, schema, take_in
from tests.datahub.oracle import ask
from tests.food_delivery import events

from headwater.client.local import StoredLineage
from headwater.datahub.aspects.patches import patched
from headwater.datahub.exports.proposals import Form, export_of
from headwater.datahub.naming.datasets import Naming

if TYPE_CHECKING:
    from headwater.store import Store


ASPECTS = {
    Form.JOBS: "dataJobInputOutput",
    Form.DATASETS: "upstreamLineage",
    Form.RFC: "datasetUpstreamLineage",
}


def _patch(*operations: dict[str, Any]) -> list[dict[str, Any]]:
    return list(operations)


def _path(out: str, source: str, operation: str = "DIRECT:IDENTITY") -> str:
    steps = (operation, field(FACTS, out), "NONE", field(ORDERS, source))
    return "/fineGrainedLineages/" + "/".join(step.replace("~", "~0").replace("/", "~1") for step in steps)


def test_a_patch_adds_and_removes_lineage_of_fields(store: Store) -> None:
    add = {"op": "add", "path": _path("b", "x"), "value": {"confidenceScore": 1.0}}
    remove = {"op": "remove", "path": _path("a", "x"), "value": {}}
    take_in(
        store,
        [
            proposal(FACTS, "upstreamLineage", lineage(derived(field(FACTS, "a"), field(ORDERS, "x")))),
            proposal(FACTS, "upstreamLineage", _patch(add, remove), 2, "PATCH"),
        ],
    )
    asked = StoredLineage(store)
    assert [edge.origin.field for edge in asked.upstream("fact_orders", "b").edges] == ["x"]
    # What no column leads to may still count the rows of the table that the other comes from.
    assert [edge.origin.field for edge in asked.upstream("fact_orders", "a").edges] == [None]


def test_a_patch_in_a_later_import_starts_from_what_is_kept(any_store: Store) -> None:
    take_in(any_store, [proposal(FACTS, "globalTags", {"tags": [{"tag": "urn:li:tag:one"}]})])
    add = {"op": "add", "path": "/tags/urn:li:tag:two", "value": {"tag": "urn:li:tag:two"}}
    take_in(any_store, [proposal(FACTS, "globalTags", _patch(add), 2, "PATCH")])
    written = {record["aspectName"]: record["aspect"]["json"] for record in export_of(any_store, Naming()).records()}
    assert written["globalTags"] == {"tags": [{"tag": "urn:li:tag:one"}, {"tag": "urn:li:tag:two"}]}


def test_a_patch_leaves_what_it_does_not_name() -> None:
    before = lineage(derived(field(FACTS, "a"), field(ORDERS, "x"), operation="concat(x, 'a/b')"))
    assert patched("upstreamLineage", before, []) == before
    remove = {"op": "remove", "path": "/upstreams/urn:li:dataset:none"}
    assert patched("upstreamLineage", before, [remove]) == before


def test_a_patch_of_a_field_goes_into_the_list_of_fields() -> None:
    path = "/editableSchemaFieldInfo/a/globalTags/tags/urn:li:tag:x"
    add = {"op": "add", "path": path, "value": {"tag": "urn:li:tag:x"}}
    tagged = {"fieldPath": "a", "globalTags": {"tags": [{"tag": "urn:li:tag:x"}]}}
    assert patched("editableSchemaMetadata", {}, [add]) == {"editableSchemaFieldInfo": [tagged]}
    other = {"fieldPath": "b", "description": "words"}
    after = patched("editableSchemaMetadata", {"editableSchemaFieldInfo": [other]}, [add])
    assert after == {"editableSchemaFieldInfo": [other, tagged]}


def test_the_patches_that_datahubs_own_builder_makes_are_applied(store: Store) -> None:
    (proposals,) = ask("patches", [None])
    assert proposals is not None
    assert take_in(store, proposals).refused == []
    written = {record["aspectName"]: record["aspect"]["json"] for record in export_of(store, Naming()).records()}
    assert written["globalTags"] == {"tags": [{"tag": "urn:li:tag:pii"}]}
    assert written["glossaryTerms"]["terms"] == [{"urn": "urn:li:glossaryTerm:money"}]
    assert written["editableSchemaMetadata"]["editableSchemaFieldInfo"][0]["fieldPath"] == "b"
    edges = StoredLineage(store).downstream("db.s", "a").edges
    assert {edge.destination.field for edge in edges} == {"b", "c"}


def test_datahubs_file_source_takes_every_record_of_the_demos_lineage(store: Store) -> None:
    store.ingest(events())
    for form in Form:
        found = export_of(store, Naming(), form=form)
        records = json.loads(json.dumps(list(found.records())))
        assert found.problems == []
        answers = ask("record", records)
        assert [answer and answer[0] for answer in answers] == [record["entityUrn"] for record in records]
        names = {record["aspectName"] for record in records}
        assert {"schemaMetadata", ASPECTS[form]} <= names


def test_what_datahubs_classes_give_back_is_what_was_written(store: Store) -> None:
    nested = "[version=2.0].[type=Order].[type=array].[type=Line].lines.[type=string].sku"
    take_in(
        store,
        [
            proposal(ORDERS, "schemaMetadata", schema("[version=2.0].[type=Order].[type=string].id", nested)),
            proposal(FACTS, "upstreamLineage", lineage(derived(field(FACTS, "a"), field(ORDERS, nested)))),
        ],
    )
    records = list(export_of(store, Naming(), form=Form.DATASETS).records())
    written = [record for record in records if record["aspectName"] == "upstreamLineage"]
    answers = ask("record", written)
    assert [answer[1] for answer in answers] == ["UpstreamLineageClass"]
    assert answers[0][2]["fineGrainedLineages"] == written[0]["aspect"]["json"]["fineGrainedLineages"]
    assert field(ORDERS, nested) in json.dumps(written[0], ensure_ascii=False)
