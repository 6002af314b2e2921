"""Where tagged fields went, asked of a store."""

from __future__ import annotations

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
