"""The importer that is kept: it sees what others bring into the store, and asks for no more than it needs."""

from __future__ import annotations

from multiprocessing import active_children
from typing import TYPE_CHECKING, Any

import pytest
from tests.datahub.changes import FACTS, ORDERS, derived, field, lineage, proposal, schema

from headwater.datahub.aspects.changes import changes_of
from headwater.datahub.exports.proposals import export_of
from headwater.datahub.imports import ingest
from headwater.datahub.imports.ingest import Importer
from headwater.datahub.imports.state import Located
from headwater.datahub.naming.datasets import Naming
from headwater.datahub.naming.lookup import UrnLookup
from headwater.datahub.naming.named_datasets import all_named
from headwater.fields.errors import NameClash
from headwater.query.catalog.details import describe_dataset
from headwater.store import StoreError, open_store
from headwater.store.db.codes import NOW
from headwater.store.writer_process import ingest_apart

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from headwater.store import Store

URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"


def _located(*records: dict[str, Any]) -> list[Located]:
    changes = [change for record in records for change in changes_of(record)]
    return [Located(change, change.us or 0, place) for place, change in enumerate(changes)]


def _seen(namespace: str, name: str, table: tuple[str, str] | None = None) -> dict[str, Any]:
    named: dict[str, Any] = {"namespace": namespace, "name": name}
    if table is not None:
        one = {"namespace": table[0], "name": table[1], "type": "TABLE"}
        named["facets"] = {"symlinks": {"_producer": "p", "_schemaURL": "s", "identifiers": [one]}}
    return {
        "eventTime": "1970-01-01T00:00:30Z", "producer": "p", "schemaURL": "x#/$defs/DatasetEvent", "dataset": named,
    }  # fmt: skip


def _columns(store: Store, name: str) -> list[str]:
    with store.read() as session:
        return [column.path for column in describe_dataset(session, name).columns if column.listed]


def test_an_importer_that_is_kept_sees_the_datasets_that_others_bring(any_url: str) -> None:
    with open_store(any_url) as store, open_store(any_url) as other:
        importer = Importer(store, Naming())
        assert importer.take(_located(proposal(ORDERS, "schemaMetadata", schema("a")))).refused == []
        other.ingest([_seen("postgres://db:5432", "shop.orders")])
        assert importer.take(_located(proposal(URN, "schemaMetadata", schema("b")))).refused == []
        assert _columns(store, "postgres://db:5432/shop.orders") == ["b"]
        other.ingest([_seen("postgres://replica:5432", "shop.orders")])
        (refused,) = importer.take(_located(proposal(URN, "schemaMetadata", schema("c"), 2))).refused
        assert "set a platform instance" in refused.reason
        other.ingest([_seen("s3://lake", "orders", ("hive://metastore", "lake.orders"))])
        table = "urn:li:dataset:(urn:li:dataPlatform:hive,lake.orders,PROD)"
        assert importer.take(_located(proposal(table, "schemaMetadata", schema("d")))).refused == []
        assert _columns(store, "s3://lake/orders") == ["d"]


NAMES = [
    ("postgres://db:5432", "shop.orders"),
    ("postgres://other:5432", "shop.orders"),
    ("s3://lake", "/raw/orders"),
    ("s3a://lake", "/"),
    ("hive", "shop.a,b"),
    ("hive", "shop.a%2Cb"),
    ("hive", "shop.a%2Cb,c"),
    ("bigquery", "p.d.t"),
    ("file", "/"),
    ("kafka://k", "topic:with:parts"),
]


@pytest.mark.parametrize(
    "naming",
    [
        Naming(),
        Naming(instance="eu"),
        Naming(lower_case=True),
        Naming(instances={"postgres://other:5432": "other"}, datasets={("file", "/"): URN.replace("orders", "root")}),
    ],
    ids=["plain", "instance", "lower case", "mapped"],
)
def test_a_name_that_is_asked_for_is_the_one_that_a_list_of_all_names_gives(store: Store, naming: Naming) -> None:
    alias = ("arn:aws:glue:eu:1", "table/db/Orders")
    store.ingest([*(_seen(*name) for name in NAMES), _seen("s3://lake", "glue/orders", alias)])
    with store.read() as session:
        listed = all_named(session, naming, NOW).names
    asked = UrnLookup(naming, store.read)
    urns = [listed.urn_of(name) for name in listed.datasets] + [URN.replace("shop.orders", "unknown.one")]
    for urn in urns:
        try:
            name = listed.name_of(urn)
        except NameClash as clash:  # noqa: PERF203  each by itself
            with pytest.raises(NameClash, match=str(clash)[:20]):
                asked.name_of(urn)
        else:
            assert asked.name_of(urn) == name
            assert (asked.stored([name]) == {name}) is (name in listed.datasets)


def test_a_patch_of_an_entity_finds_what_an_earlier_call_left(store: Store) -> None:
    importer = Importer(store, Naming())
    chart, tag = "urn:li:chart:(looker,1)", "urn:li:tag:a"
    importer.take(_located(proposal(chart, "globalTags", {"tags": [{"tag": tag}]})))
    add = [{"op": "add", "path": "/tags/urn:li:tag:b", "value": {"tag": "urn:li:tag:b"}}]
    importer.take(_located(proposal(chart, "globalTags", add, 2, "PATCH")))
    (found,) = [one["aspect"]["json"] for one in export_of(store, Naming()).records() if one["entityUrn"] == chart]
    assert [one["tag"] for one in found["tags"]] == [tag, "urn:li:tag:b"]


def test_aspects_outlive_the_raw_events_and_are_purged_with_them(any_store: Store) -> None:
    importer = Importer(any_store, Naming())
    secret = {"description": "ask Erika Mustermann"}
    for minute in (1, 2):
        importer.take(_located(proposal(ORDERS, "datasetProperties", secret, minute)))
    assert any_store.vacuum(keep_raw_days=1).events == 1

    def kept() -> list[Any]:
        return [record["aspect"]["json"] for record in export_of(any_store, Naming()).records()]

    assert kept() == [secret]
    any_store.purge_text("Erika Mustermann")
    assert "Erika" not in str(kept())
    assert "description" in str(kept())


def test_a_process_of_its_own_writes_what_this_one_would(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Later batches change schemas that lineage of earlier ones names.
    monkeypatch.setattr(ingest, "_BATCH", 4)
    names = ("a", "b", "c", "d")
    records = [
        record
        for minute in range(1, 13, 2)
        for record in (
            proposal(ORDERS, "schemaMetadata", schema(*names[: 1 + minute % 3]), minute),
            proposal(
                FACTS, "upstreamLineage", lineage(derived(field(FACTS, f"f{minute}"), field(ORDERS, "a"))), minute + 1
            ),
        )
    ]
    refused = proposal(ORDERS, "globalTags", {"tags": 7}, 5)
    told = []
    for own_process in (False, True):
        with open_store(str(tmp_path / f"{own_process}.db")) as store:
            done = Importer(store, Naming()).take(_located(*records, refused), own_process=own_process)
            told.append((done, list(store.events())))
            assert len(done.refused) == 1
    assert told[0] == told[1]


def test_a_process_that_is_ended_is_told_of_plainly(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "s.db")) as store:
        store.prepare()

        def batches() -> Iterator[list[dict[str, Any]]]:
            yield [_seen("s3://lake", "orders")]
            (child,) = active_children()
            child.kill()
            child.join()
            yield [_seen("s3://lake", "customers")]

        with pytest.raises(StoreError, match="run the command again"):
            list(ingest_apart(store, batches()))
