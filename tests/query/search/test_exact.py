"""Search by the name of a field, by its path in any spelling, and by a tag: all that have it, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.datahub.changes import FACTS, ORDERS, proposal, schema, take_in

from headwater.client.local import StoredLineage
from headwater.query.errors import BadQuestion
from headwater.store.by_hand import set_tag
from headwater.store.db.codes import Kind

if TYPE_CHECKING:
    from headwater.store import Store

NESTED = "[version=2.0].[type=Order].[type=array].[type=Line].lines.[type=string].sku"
MANY = "urn:li:dataset:(urn:li:dataPlatform:hive,lake.many,PROD)"


def _tags(*names: str) -> dict[str, list[dict[str, str]]]:
    return {"tags": [{"tag": f"urn:li:tag:{name}"} for name in names]}


@pytest.fixture
def lineage(any_store: Store) -> StoredLineage:
    orders = schema("id", "Customer_Email", NESTED)
    orders["fields"][1]["globalTags"] = _tags("pii")
    orders["fields"][0]["glossaryTerms"] = {"terms": [{"urn": "urn:li:glossaryTerm:Finance.Key"}]}
    many = schema(*(f"column{number}" for number in range(80)))
    for field in many["fields"]:
        field["globalTags"] = _tags("wide")
    many["fields"][0]["globalTags"] = _tags("first")
    take_in(
        any_store,
        [
            proposal(ORDERS, "schemaMetadata", orders, 1),
            proposal(FACTS, "schemaMetadata", schema("id", "email_hash", "sku"), 1),
            proposal(FACTS, "globalTags", _tags("gold tier"), 1),
            proposal(MANY, "schemaMetadata", many, 1),
            proposal(FACTS, "schemaMetadata", schema("email_hash", "sku"), 2),
        ],
    )
    return StoredLineage(any_store)


def _full_names(lineage: StoredLineage, **asked: str) -> list[str]:
    return [hit.full for hit in lineage.search(**asked, limit=1_000).hits]


def test_a_field_is_found_by_its_whole_name_while_its_schema_has_it(lineage: StoredLineage) -> None:
    assert _full_names(lineage, field="customer_email") == ["kafka/demo.orders", "kafka/demo.orders.Customer_Email"]
    assert _full_names(lineage, field="id") == ["kafka/demo.orders", "kafka/demo.orders.id"]
    assert _full_names(lineage, field="email") == []


@pytest.mark.parametrize("path", ["/lines/_element/sku", NESTED, "lines.sku", "lines._element.sku"])
def test_a_path_is_found_however_it_is_written(lineage: StoredLineage, path: str) -> None:
    assert _full_names(lineage, path=path) == ["kafka/demo.orders", "kafka/demo.orders.lines._element.sku"]


def test_tags_and_terms_are_found_on_datasets_and_on_fields(lineage: StoredLineage, any_store: Store) -> None:
    assert _full_names(lineage, tag="PII") == ["kafka/demo.orders", "kafka/demo.orders.Customer_Email"]
    assert _full_names(lineage, tag="gold tier") == ["hdfs//demo/fact_orders"]
    assert _full_names(lineage, tag="gold") == []
    assert _full_names(lineage, tag="Finance.Key") == ["kafka/demo.orders", "kafka/demo.orders.id"]
    assert len(_full_names(lineage, tag="wide")) == 80
    assert _full_names(lineage, tag="first") == ["hive/lake.many", "hive/lake.many.column0"]
    with any_store.read() as session:
        ((facts,),) = session.rows("SELECT id FROM dataset WHERE name = '/demo/fact_orders'")
    any_store.transact(lambda session: set_tag(session, Kind.DATASET, facts, "by hand", given=True))
    assert _full_names(lineage, tag="by hand") == ["hdfs//demo/fact_orders"]


def test_of_several_all_have_to_agree(lineage: StoredLineage) -> None:
    assert _full_names(lineage, field="customer_email", tag="pii") == [
        "kafka/demo.orders",
        "kafka/demo.orders.Customer_Email",
    ]
    assert _full_names(lineage, field="id", tag="pii") == []
    assert _full_names(lineage, field="sku", path="/sku") == ["hdfs//demo/fact_orders", "hdfs//demo/fact_orders.sku"]


def test_words_and_what_is_exact_are_not_mixed(lineage: StoredLineage) -> None:
    with pytest.raises(BadQuestion, match="Give words, or a field, a path or a tag"):
        lineage.search("orders", tag="pii")
