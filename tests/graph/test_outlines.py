"""Datasets in short: what a picture shows of each box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.graph.answer import TableName
from headwater.graph.described import describe_dataset
from headwater.graph.listed_tags import Tag
from headwater.graph.outlines import outlines
from headwater.graph.owners import Owner
from headwater.travel.propagation import propagation, write
from headwater.travel.rules import Rules
from headwater.travel.setting import set_field_tag

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store


def test_an_outline_counts_columns_and_has_the_last_write_owners_and_all_tags(
    any_store: Store, maker: EventMaker
) -> None:
    tags = {"tags": [{"key": "gold", "value": "true", "field": "a"}, {"key": "tier", "value": "1"}]}
    owners = {"owners": [{"name": "jo", "type": "OWNER"}]}
    any_store.ingest(
        [
            maker(
                1, job="load", out="src", schema={"a": "string", "b": "int"}, facets={"tags": tags, "ownership": owners}
            ),
            maker(2, job="copy", out="mid", columns={"a": ["src.a"]}),
        ]
    )
    any_store.transact(lambda session: set_field_tag(session, "src", "b", "PII", given=True))
    with any_store.read() as session:
        found = propagation(session, Rules())
    write(any_store, found, maker.us(3))
    with any_store.read() as session:
        mid, src = outlines(session, ["lake/src", "lake/mid", "lake/unknown", "nothing"]).outlines
        told = {name: describe_dataset(session, name).tags for name in ("lake/src", "lake/mid")}
    assert (src.name, src.columns, src.written_us) == (TableName("lake", "src"), 2, maker.us(1))
    assert src.owners == (Owner("jo", "OWNER"),)
    assert set(src.tags) == {Tag("gold", "true", "a"), Tag("tier", "1", None), Tag("PII", "true", "b")}
    assert mid.tags == (Tag("gold", "true", "a", derived=True),)
    assert {"lake/src": src.tags, "lake/mid": mid.tags} == told
