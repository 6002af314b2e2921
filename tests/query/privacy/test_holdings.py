"""Is there personal data in this table, and from where?"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from headwater.client.local import StoredLineage
from headwater.common.codec import plain, typed
from headwater.query.privacy.pii import Pii
from headwater.query.privacy.rules import Rules
from headwater.query.privacy.tag_changes import propagation, write
from headwater.query.privacy.tag_listing import set_field_tag

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store


def _pii(field: str | None = "mail") -> dict[str, object]:
    tag = {"key": "PII", "value": "true"}
    return {"tags": {"tags": [tag if field is None else {**tag, "field": field}]}}


@pytest.fixture
def lineage(any_store: Store, maker: EventMaker) -> StoredLineage:
    """`src.mail` is personal, and reaches `gold` through `mid`; of `dark` nobody knows how."""
    any_store.ingest(
        [
            maker(1, job="load", out="src", schema={"mail": "string", "id": "int"}, facets=_pii()),
            maker(2, job="mid", out="mid", columns={"m": ["src.mail TRANSFORMATION"], "id": ["src.id"]}),
            maker(
                3,
                job="gold",
                out="gold",
                columns={
                    "to": ["mid.m"],
                    "hash": ["mid.m TRANSFORMATION MASKED"],
                    "box": ["mid.m BOX"],
                    "n": ["mid.id AGGREGATION"],
                },
            ),
            maker(4, job="few", out="few", columns={"n": ["mid.id"]}, rows=["mid.m FILTER"]),
            maker(5, job="dark", out="dark", reads=["mid"], schema={"x": "int"}),
            maker(6, job="after", out="after", columns={"y": ["dark.x"]}),
            maker(7, job="clean", out="clean", columns={"id": ["src.id"]}),
        ]
    )
    return StoredLineage(any_store)


def _arrivals(answer: Pii) -> list[str]:
    return [
        f"{arrival.field.name}.{arrival.field.field} {' '.join(arrival.tags)} -> {item.field.field}: "
        f"{' '.join(way.exposure.name.lower() for way in item.ways)}"
        for arrival in answer.arrivals
        for item in arrival.reached
    ]


def test_data_that_arrives_is_shown_with_its_source_and_its_path(lineage: StoredLineage) -> None:
    answer = lineage.pii("gold")
    assert answer
    assert (answer.dataset and answer.dataset.name, answer.sources, answer.tagged) == ("gold", (), ())
    assert _arrivals(answer) == [
        "src.mail PII -> to: clear",
        "src.mail PII -> box: possible",
        "src.mail PII -> hash: masked",
    ]
    (arrival,) = answer.arrivals
    assert [leg.destination.name for leg in arrival.reached[0].ways[0].path] == ["mid", "gold"]


def test_a_mere_condition_is_one_and_an_untagged_column_brings_nothing(lineage: StoredLineage) -> None:
    assert _arrivals(lineage.pii("few")) == ["src.mail PII -> n: indirect"]
    clean = lineage.pii("clean")
    assert not clean
    assert (clean.arrivals, clean.tagged, clean.unknown) == ((), (), ())


@pytest.mark.parametrize("dataset", ["dark", "after"])
def test_what_may_arrive_by_a_job_without_columns_is_unknown(lineage: StoredLineage, dataset: str) -> None:
    answer = lineage.pii(dataset)
    assert answer
    assert ("NO_COLUMNS", "dark") in [
        (entry.why.name, entry.dataset and entry.dataset.name) for entry in answer.unknown
    ]


def test_a_job_without_columns_that_reads_nothing_personal_brings_nothing(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="load", out="src", schema={"mail": "string"}, facets=_pii()),
            maker(2, job="copy", out="copied", reads=["plain"]),
        ]
    )
    assert not StoredLineage(any_store).pii("copied")


def test_the_tags_of_the_dataset_itself_whoever_set_them(lineage: StoredLineage, maker: EventMaker) -> None:
    store = lineage.store
    store.transact(lambda session: set_field_tag(session, "gold", "n", "gdpr", given=True))
    store.ingest([maker(8, job="gold", out="gold", facets=_pii(None))])
    with store.read() as session:
        carried = propagation(session, Rules())
    write(store, carried, maker.us(30))
    tagged = lineage.pii("gold").tagged
    assert [(column.field.field, column.tag, column.origin.value, column.certain) for column in tagged] == [
        (None, "PII", "source", True),
        ("box", "PII", "derived", False),
        ("n", "gdpr", "hand", True),
        ("to", "PII", "derived", True),
    ]
    assert [column.source and column.source.name for column in tagged] == [None, "src", None, "src"]
    # Where its own columns go is asked as before.
    assert [source.field.field for source in lineage.pii("gold").sources] == ["n"]


def test_another_tag_and_another_time(lineage: StoredLineage, maker: EventMaker) -> None:
    assert not lineage.pii("gold", tag="secret")
    assert _arrivals(lineage.pii("gold", as_of=maker.us(2))) == []


def test_a_column_is_asked_where_it_went(lineage: StoredLineage) -> None:
    answer = lineage.pii("src", "mail")
    assert (answer.dataset, answer.tagged, answer.arrivals) == (None, (), ())


def test_the_answer_travels_as_json_and_as_rows(lineage: StoredLineage) -> None:
    answer = lineage.pii("gold")
    assert typed(Pii, json.loads(json.dumps(plain(answer)))) == answer
    rows: list[dict[str, Any]] = answer.rows()
    assert [(row["source_name"], row["name"], row["field"], row["exposure"]) for row in rows] == [
        ("src", "gold", "to", "clear"),
        ("src", "gold", "box", "possible"),
        ("src", "gold", "hash", "masked"),
    ]
    assert {tuple(row) for row in rows} == {Pii.COLUMNS}


def test_tags_on_another_name_of_the_dataset_count(any_store: Store, maker: EventMaker) -> None:
    link = {"symlinks": {"identifiers": [{"namespace": "lake", "name": "db.src", "type": "TABLE"}]}}
    any_store.ingest(
        [
            maker(1, job="load", out="src", columns={"mail": ["raw.mail"]}, facets=link),
            maker(2, job="tag", out="db.src", schema={"mail": "string"}, facets=_pii()),
        ]
    )
    answer = StoredLineage(any_store).pii("lake/src")
    assert [(column.field.name, column.field.field, column.tag) for column in answer.tagged] == [("src", "mail", "PII")]
