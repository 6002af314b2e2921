"""The picture of a query in a notebook, from a lineage that is written here."""

from __future__ import annotations

from headwater.capture.explanation import Explanation
from headwater.common.masking import Masking
from headwater.openlineage.naming.datasets import Catalog
from headwater.rules.plan.sources import How, Mark, SourceField
from headwater.rules.plan.tree import Dataset

_LANDING = Dataset(location="file:/food/landing/customers", format="parquet")
_WAREHOUSE = Dataset(location="file:/food/warehouse/customers", format="parquet")


def test_sources_stand_in_the_boxes_of_their_datasets_also_where_these_are_called_the_same() -> None:
    email = SourceField(_LANDING, "email")
    city = SourceField(_WAREHOUSE, "city")
    hashed = Mark(How.TRANSFORMATION, masking=Masking.IRREVERSIBLE, text="sha2(email)")
    kept = Mark(How.FILTER, text="city = 'x'")
    found = Explanation({"<b>": {email: frozenset({hashed})}}, {city: frozenset({kept})}, {}, catalog=Catalog("file:/"))
    drawn = found._repr_html_()
    assert drawn.startswith("<svg")
    assert drawn.count(">customers</text>") == 2
    assert "<title>file//food/landing/customers</title>" in drawn
    assert "customers.email (transformed, masked): sha2(email)" in drawn
    assert "&lt;b&gt;" in drawn
    assert "(rows)" in drawn


def test_a_query_of_nothing_is_a_picture_too() -> None:
    assert Explanation({"one": {}}, {}, {})._repr_html_().startswith("<svg")
