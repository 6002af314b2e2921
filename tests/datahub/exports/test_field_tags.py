"""Tags, terms and descriptions of fields, out to DataHub and in from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.datahub import oracle
from tests.datahub.changes import FACTS, MINUTE, ORDERS, derived, field, lineage, proposal, schema, take_in

from headwater.datahub.exports.proposals import export_of
from headwater.datahub.naming.datasets import Naming
from headwater.query.privacy.rules import Rules
from headwater.query.privacy.tag_changes import propagation, write
from headwater.query.privacy.tag_listing import list_tags, set_field_tag

if TYPE_CHECKING:
    from headwater.store import Store

_ID, _FACT = field(ORDERS, "id"), field(FACTS, "id")
_TERMS = {"terms": [{"urn": "urn:li:glossaryTerm:Key"}], "auditStamp": {"time": 0, "actor": "urn:li:corpuser:a"}}


@pytest.fixture
def written(store: Store) -> list[dict[str, Any]]:
    """The proposals of a store in which tags of `demo.orders.id` reached the facts."""
    described = schema("id")
    described["fields"][0]["description"] = "The order."
    done = take_in(
        store,
        [
            proposal(ORDERS, "schemaMetadata", described),
            proposal(FACTS, "schemaMetadata", schema("id", platform="urn:li:dataPlatform:hdfs")),
            proposal(FACTS, "upstreamLineage", lineage(derived(_FACT, _ID))),
            proposal(_ID, "globalTags", {"tags": [{"tag": "urn:li:tag:gold"}]}, 2),
            proposal(_ID, "glossaryTerms", _TERMS, 2),
            proposal(_FACT, "globalTags", {"tags": [{"tag": "urn:li:tag:old"}]}, 2),
        ],
    )
    assert done.refused == []
    store.transact(lambda session: set_field_tag(session, "demo.orders", "id", "PII", given=True))
    with store.read() as session:
        found = propagation(session, Rules())
    write(store, found, 5 * MINUTE)
    return list(export_of(store, Naming()).records())


def _aspect(records: list[dict[str, Any]], urn: str, name: str) -> dict[str, Any]:
    (found,) = (
        record["aspect"]["json"] for record in records if (record["entityUrn"], record["aspectName"]) == (urn, name)
    )
    return dict(found)


def test_tags_on_fields_of_datahub_are_tags_of_the_fields(store: Store, written: list[dict[str, Any]]) -> None:
    assert written
    with store.read() as session:
        shown = {(one.field.name, one.tag): one.origin.value for one in list_tags(session).tags}
    expected = {("demo.orders", tag): "source" for tag in ("gold", "glossaryTerm:Key")}
    expected |= {("demo.orders", "PII"): "hand", ("/demo/fact_orders", "old"): "source"}
    expected |= {("/demo/fact_orders", tag): "derived" for tag in ("gold", "glossaryTerm:Key", "PII")}
    assert shown == expected


def test_what_came_with_the_data_goes_out_with_its_origin(written: list[dict[str, Any]]) -> None:
    tags = {tag["tag"]: tag.get("attribution") for tag in _aspect(written, _FACT, "globalTags")["tags"]}
    assert list(tags) == ["urn:li:tag:old", "urn:li:tag:PII", "urn:li:tag:gold"]
    assert tags["urn:li:tag:old"] is None
    said = tags["urn:li:tag:PII"]
    assert said is not None
    assert said["time"] == 5 * MINUTE // 1000
    assert said["sourceDetail"] == {
        "propagated": "true",
        "certain": "true",
        "rule": "identity",
        "origin": _ID,
        "via": _ID,
    }
    (term,) = _aspect(written, _FACT, "glossaryTerms")["terms"]
    assert term["urn"] == "urn:li:glossaryTerm:Key"
    (words,) = _aspect(written, _FACT, "documentation")["documentations"]
    assert words["documentation"] == "The order."
    # What a person set goes out as well, beside what DataHub had.
    assert [tag["tag"] for tag in _aspect(written, _ID, "globalTags")["tags"]] == ["urn:li:tag:gold", "urn:li:tag:PII"]


def test_what_we_derived_does_not_come_back_as_if_someone_had_set_it(
    written: list[dict[str, Any]],
    tmp_path: Any,  # noqa: ANN401  a path
) -> None:
    from headwater.store import open_store  # noqa: PLC0415  for this test alone

    with open_store(str(tmp_path / "other.db")) as other:
        assert take_in(other, written).refused == []
        with other.read() as session:
            shown = {(one.field.name, one.tag) for one in list_tags(session).tags}
    assert shown == {("demo.orders", tag) for tag in ("gold", "glossaryTerm:Key", "PII")} | {
        ("/demo/fact_orders", "old")
    }


def test_tags_of_a_field_that_are_none_are_refused(store: Store) -> None:
    done = take_in(store, [proposal(_ID, "globalTags", {"tags": [{"tag": 7}]})])
    assert len(done.refused) == 1
    assert "globalTags.tags[0].tag" in done.refused[0].reason


def test_datahub_takes_the_aspects_of_fields(written: list[dict[str, Any]]) -> None:
    records = [one for one in written if one["entityUrn"] == _FACT]
    assert {one["aspectName"] for one in records} == {"globalTags", "glossaryTerms", "documentation"}
    assert all(answer is not None for answer in oracle.ask("record", records))
