"""Where tagged fields went, asked of a store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from headwater.client.local import StoredLineage
from headwater.query.errors import BadQuestion
from headwater.query.privacy.tag_listing import set_field_tag
from headwater.query.search.resolve import UnknownName

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.query.privacy.pii import Pii
    from headwater.store import Store


def _filled(store: Store, maker: EventMaker) -> StoredLineage:
    """`src.mail` is hashed into `safe` from minute 10 on, copied into `list`, and decides on the rows of `few`."""
    tags = {"tags": [{"key": "PII", "value": "true", "field": "mail"}, {"key": "tier", "value": "1", "field": "name"}]}
    store.ingest(
        [
            maker(1, job="load", out="src", schema={"mail": "string", "name": "string"}, facets={"tags": tags}),
            maker(1, job="hash", out="safe", columns={"h": ["src.mail"]}),
            maker(10, job="hash", out="safe", columns={"h": ["src.mail TRANSFORMATION MASKED"]}),
            maker(10, job="on", out="far", columns={"h": ["safe.h"]}),
            maker(10, job="list", out="list", columns={"to": ["src.mail"], "who": ["src.name"]}),
            maker(10, job="few", out="few", columns={"n": ["src.name"]}, rows=["src.mail FILTER"]),
            maker(10, job="silent", out="dark", reads=["src"]),
        ]
    )
    return StoredLineage(store)


@pytest.fixture
def lineage(store: Store, maker: EventMaker) -> StoredLineage:
    """The same in a file, for what does not depend on the database."""
    return _filled(store, maker)


def _exposures(answer: Pii) -> dict[str, str]:
    return {
        f"{item.field.name}.{item.field.field}": item.exposure.name.lower()
        for source in answer.sources
        for item in source.reached
    }


def test_a_tagged_column_that_no_schema_or_lineage_names(any_store: Store, maker: EventMaker) -> None:
    tags = {"tags": [{"key": "PII", "value": "true", "field": "mail"}, {"key": "PII", "field": "\0"}, {"key": "PII"}]}
    any_store.ingest([
        maker(1, job="catalog", out="src", facets={"tags": tags}),
        maker(2, job="silent", out="dark", reads=["src"]),
    ])  # fmt: skip
    lineage = StoredLineage(any_store)
    answer = lineage.pii()
    assert [(source.field.name, source.field.field) for source in answer.sources] == [("src", "mail")]
    assert [entry.dataset.name for entry in answer.unknown if entry.dataset] == ["dark"]
    assert [entry.dataset.name for entry in lineage.impact("src", "mail").unknown if entry.dataset] == ["dark"]
    with pytest.raises(UnknownName, match="whose columns no event lists: ask about the whole dataset"):
        lineage.impact("src", "name")


def test_every_field_with_a_personal_tag_is_followed(any_store: Store, maker: EventMaker) -> None:
    answer = _filled(any_store, maker).pii()
    assert [(source.field.name, source.field.field, source.tags) for source in answer.sources] == [
        ("src", "mail", ("PII",))
    ]
    assert _exposures(answer) == {"list.to": "clear", "safe.h": "masked", "far.h": "masked", "few.n": "indirect"}
    (far,) = (item for item in answer.sources[0].reached if item.field.name == "far")
    masked = far.ways[0].masked_at
    assert masked is not None
    assert (masked.destination.name, masked.how.description, masked.job and masked.job.name) == (
        "safe",
        "of mail",
        "hash",
    )
    # Of columns of `dark` nobody says anything.
    assert [item.dataset and item.dataset.name for item in answer.unknown] == ["dark"]


def test_a_moment_and_a_window_have_their_own_answer(lineage: StoredLineage, maker: EventMaker) -> None:
    assert _exposures(lineage.pii(as_of=maker.us(5))) == {"safe.h": "clear"}
    window = lineage.pii("src", "mail", since=maker.us(5), until=maker.us(15), direct=True)
    (safe,) = (item for item in window.sources[0].reached if item.field.name == "safe")
    assert [way.exposure.name for way in safe.ways] == ["CLEAR", "MASKED"]


def test_a_field_or_a_tag_of_ones_own_choice(lineage: StoredLineage) -> None:
    assert _exposures(lineage.pii("src", "name")) == {"list.who": "clear", "few.n": "clear"}
    assert _exposures(lineage.pii(tag="TIER:1")) == {"list.who": "clear", "few.n": "clear"}
    assert lineage.pii("list").sources == ()
    assert _exposures(lineage.pii("src", "mail", depth=1, direct=True)) == {"list.to": "clear", "safe.h": "masked"}


def test_a_tag_set_by_hand_counts_and_one_taken_away_does_not(lineage: StoredLineage) -> None:
    store = lineage.store
    store.transact(lambda session: set_field_tag(session, "src", "mail", "PII", given=False))
    store.transact(lambda session: set_field_tag(session, "src", "name", "GDPR", given=True))
    assert [source.field.field for source in lineage.pii().sources] == ["name"]


def test_what_is_encrypted_and_decrypted_by_later_jobs_is_in_the_clear(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="seal", out="vault", columns={"m": ["src.mail TRANSFORMATION MASKED keyed"]}),
            maker(2, job="copy", out="copy", columns={"m": ["vault.m"]}),
            maker(3, job="open", out="report", columns={"m": ["copy.m TRANSFORMATION unmask"]}),
            maker(3, job="code", out="coded", columns={"m": ["copy.m TRANSFORMATION may-unmask"]}),
            maker(3, job="hash", out="hashed", columns={"m": ["copy.m TRANSFORMATION MASKED irreversible"]}),
            maker(4, job="open", out="broken", columns={"m": ["hashed.m TRANSFORMATION unmask"]}),
            maker(3, job="mask", out="cards", columns={"m": ["src.mail TRANSFORMATION MASKED partial"]}),
        ]
    )
    answer = StoredLineage(any_store).pii("src", "mail")
    assert _exposures(answer) == {
        "report.m": "clear",
        "coded.m": "possible",
        "cards.m": "partial",
        "vault.m": "masked",
        "copy.m": "masked",
        "hashed.m": "masked",
        "broken.m": "masked",
    }
    rows = {str(row["name"]): row for row in answer.rows()}
    shown = ("masked_at", "masked_by", "masked_kind", "unmasked_at", "unmasked_by")
    assert [rows["report"][column] for column in shown] == [
        *("lake/vault.m", "jobs/seal", "keyed", "lake/report.m", "jobs/open")
    ]
    assert [rows["hashed"][column] for column in shown] == ["lake/vault.m", "jobs/seal", "keyed", None, None]
    assert [rows["cards"][column] for column in shown] == ["lake/cards.m", "jobs/mask", "partial", None, None]


def test_another_producers_masking_lasts_until_a_decryption_is_seen(any_store: Store, maker: EventMaker) -> None:
    decrypting = maker(3, job="open", out="report", columns={"m": ["far.m TRANSFORMATION"]})
    decrypting = json.loads(json.dumps(decrypting).replace("of m", "CAST(aes_decrypt(m, 'secret') AS STRING)"))
    any_store.ingest(
        [
            maker(1, job="seal", out="vault", columns={"m": ["src.mail TRANSFORMATION MASKED"]}),
            maker(2, job="copy", out="far", columns={"m": ["vault.m TRANSFORMATION"]}),
            decrypting,
        ]
    )
    assert _exposures(StoredLineage(any_store).pii("src", "mail")) == {
        "report.m": "clear",
        "vault.m": "masked",
        "far.m": "masked",
    }


def test_what_cannot_be_asked_is_said(lineage: StoredLineage) -> None:
    with pytest.raises(BadQuestion, match="A column needs its dataset"):
        lineage.pii(column="mail")
    with pytest.raises(UnknownName):
        lineage.pii("src", "male")


def test_a_limit_is_said(lineage: StoredLineage) -> None:
    answer = lineage.pii("src", "mail", limit=2)
    assert answer.partial


def test_a_notebook_shows_rows(lineage: StoredLineage) -> None:
    page = lineage.pii()._repr_html_()
    assert "of mail" in page
    assert "unknown" in page


def test_personal_data_goes_on_after_a_rename(any_store: Store, maker: EventMaker) -> None:
    lineage = _filled(any_store, maker)
    change = {"lifecycleStateChange": "RENAME", "previousIdentifier": {"namespace": "lake", "name": "list"}}
    moved = maker(20, job="move", out="people", facets={"lifecycleStateChange": change})
    any_store.ingest([moved, maker(21, job="report", out="report", columns={"to": ["people.to"]})])
    expected = {"people.to": "clear", "report.to": "clear", "safe.h": "masked", "far.h": "masked", "few.n": "indirect"}
    assert _exposures(lineage.pii()) == expected
    arrived = lineage.pii(dataset="people").arrivals
    assert [(arrival.field.name, arrival.field.field) for arrival in arrived] == [("src", "mail")]


def test_a_tag_that_was_set_under_the_old_name_is_one_of_the_new_name(any_store: Store, maker: EventMaker) -> None:
    lineage = _filled(any_store, maker)
    change = {"lifecycleStateChange": "RENAME", "previousIdentifier": {"namespace": "lake", "name": "src"}}
    schema = {"mail": "string", "name": "string"}
    any_store.ingest([maker(20, job="move", out="moved", schema=schema, facets={"lifecycleStateChange": change})])
    answer = lineage.pii()
    assert [(source.field.name, source.field.field) for source in answer.sources] == [("moved", "mail")]
    assert _exposures(answer) == {"list.to": "clear", "safe.h": "masked", "far.h": "masked", "few.n": "indirect"}
