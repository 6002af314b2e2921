"""Datasets in short: what a picture shows of each box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.query.catalog.details import describe_dataset
from headwater.query.catalog.outlines import outlines
from headwater.query.graph.answer import TableName
from headwater.query.metadata.owners import Owner
from headwater.query.metadata.tag_lists import Tag
from headwater.query.privacy.rules import Rules
from headwater.query.privacy.tag_changes import propagation, write
from headwater.query.privacy.tag_listing import set_field_tag

_NAMED = {"namespace": "hive", "name": "db.real", "type": "TABLE"}

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
        changes = propagation(session, Rules())
    write(any_store, changes, maker.us(3))
    with any_store.read() as session:
        mid, src = outlines(session, ["lake/src", "lake/mid", "lake/unknown", "nothing"]).outlines
        details = {name: describe_dataset(session, name).tags for name in ("lake/src", "lake/mid")}
    assert (src.name, src.columns, src.written_us) == (TableName("lake", "src"), 2, maker.us(1))
    assert src.owners == (Owner("jo", "OWNER"),)
    assert set(src.tags) == {Tag("gold", "true", "a"), Tag("tier", "1", None), Tag("PII", "true", "b")}
    assert mid.tags == (Tag("gold", "true", "a", derived=True),)
    assert {"lake/src": src.tags, "lake/mid": mid.tags} == details


def test_an_outline_says_on_which_sides_there_is_lineage_now(any_store: Store, maker: EventMaker) -> None:
    renamed = {
        "lifecycleStateChange": {
            "lifecycleStateChange": "RENAME",
            "previousIdentifier": {"namespace": "lake", "name": "mid"},
        }
    }
    any_store.ingest(
        [
            maker(1, job="copy", out="mid", columns={"a": ["src.a"]}, schema={"a": "int"}),
            maker(1, job="end", out="end", columns={"a": ["mid.a"]}),
            maker(1, job="itself", out="itself", columns={"a": ["itself.a"]}),
            maker(1, job="was", out="was", columns={"a": ["once.a"]}),
            maker(2, job="was", out="was", columns={"a": []}),
            maker(3, job="move", out="moved", facets=renamed, schema={"a": "int"}),
            maker(4, job="view", out="real", facets={"symlinks": {"identifiers": [_NAMED]}}),
        ]
    )
    with any_store.read() as session:
        names = ["src", "mid", "end", "itself", "was", "once", "moved", "real"]
        listed = outlines(session, [f"lake/{name}" for name in names]).outlines
    assert {outline.name.name: (outline.upstream, outline.downstream) for outline in listed} == {
        "src": (False, True),
        "mid": (True, True),  # not known: it goes on under its new name
        "end": (True, False),
        "itself": (False, False),
        "was": (False, False),
        "once": (False, False),
        "moved": (True, True),
        "real": (True, True),  # not known: lineage may be under its other name
    }
