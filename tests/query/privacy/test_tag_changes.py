"""What travels in a store: set as derived, replaced the next time, never over what people and sources set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.ask import ask

from headwater.query.catalog.details import describe_dataset
from headwater.query.catalog.runs import list_versions
from headwater.query.graph.answer import Direction
from headwater.query.privacy.propagation import Verdict
from headwater.query.privacy.rules import Rules
from headwater.query.privacy.tag_changes import Propagation, Written, propagation, write
from headwater.query.privacy.tag_listing import Origin, list_tags, set_field_tag
from headwater.query.search.fuzzy import search
from headwater.store.db.codes import Kind
from headwater.store.model.meaning import DERIVED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.conftest import EventMaker

    from headwater.store import Store


def _tags(*tags: str) -> dict[str, object]:
    """`column key`, as a tags facet lists them."""
    pairs = [tag.split() for tag in tags]
    return {"tags": [{"key": key, "value": "true", "source": "TEST", "field": column} for column, key in pairs]}


def _propagate(store: Store, maker: EventMaker, minute: int, **options: Any) -> Written:  # noqa: ANN401
    return write(store, _found(store, **options), maker.us(minute))


def _found(store: Store, rules: Rules = Rules(), **options: Any) -> Propagation:  # noqa: ANN401, B008
    with store.read() as session:
        return propagation(session, rules, **options)


def _shown(store: Store) -> dict[str, str]:
    with store.read() as session:
        return {
            f"{outcome.field.name}.{outcome.field.field} {outcome.tag}": outcome.origin.value
            for outcome in list_tags(session).tags
        }


def _set(store: Store, dataset: str, column: str, tag: str, *, given: bool = True) -> None:
    store.transact(lambda session: set_field_tag(session, dataset, column, tag, given=given))


def _chain(maker: EventMaker, minute: int, tags: Sequence[str], how: str = "") -> list[Mapping[str, Any]]:
    """`src.a` is copied to `mid.a`, and from there goes to `out.a`."""
    return [
        maker(minute, job="load", out="src", schema={"a": "string"}, facets={"tags": _tags(*tags)}),
        maker(minute, job="copy", out="mid", columns={"a": ["src.a"]}),
        maker(minute, job="end", out="out", columns={"a": [f"mid.a {how}"]}),
    ]


def test_a_tag_reaches_the_fields_that_are_made_of_its_own(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(_chain(maker, 1, ["a gold"]))
    assert _propagate(any_store, maker, 5) == Written(2, 2)
    assert _shown(any_store) == {"src.a gold": "source", "mid.a gold": "derived", "out.a gold": "derived"}
    with any_store.read() as session:
        (outcome,) = list_tags(session, "out", "a").tags
        tags = describe_dataset(session, "out").tags
        by_tag = [hit.name for hit in search(session, "gold").hits]
    assert outcome.origin is Origin.DERIVED
    assert [(leg["origin"]["name"], leg["destination"]["name"]) for leg in outcome.path] == [
        ("src", "mid"),
        ("mid", "out"),
    ]
    assert [(tag.key, tag.field, tag.derived) for tag in tags] == [("gold", "a", True)]
    assert set(by_tag) == {"src", "mid", "out"}


def test_a_second_propagation_changes_nothing(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(_chain(maker, 1, ["a gold"]))
    _propagate(any_store, maker, 5)
    before = list(any_store.events())
    assert _propagate(any_store, maker, 6) == Written(0, 2)
    assert list(any_store.events()) == before


def test_nothing_but_tags_is_changed_by_it(store: Store, maker: EventMaker) -> None:
    store.ingest(_chain(maker, 1, ["a gold"]))

    def seen() -> object:
        with store.read() as session:
            versions = list_versions(session, "out", limit=9)
        return versions, ask(store, Direction.UPSTREAM, "out", "a"), ask(store, Direction.DOWNSTREAM, "src")

    before = seen()
    _propagate(store, maker, 5)
    assert seen() == before


def test_a_tag_whose_way_is_gone_goes(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(_chain(maker, 1, ["a PII"]))
    _propagate(any_store, maker, 5)
    any_store.ingest([maker(6, job="end", out="out", columns={"a": ["mid.a TRANSFORMATION MASKED"]})])
    assert _propagate(any_store, maker, 7) == Written(1, 1)
    assert _shown(any_store) == {"src.a PII": "source", "mid.a PII": "derived"}
    any_store.ingest([maker(8, job="load", out="src", schema={"a": "string"}, facets={"tags": _tags()})])
    assert _propagate(any_store, maker, 9) == Written(1, 0)
    assert _shown(any_store) == {}
    # And it comes back, even where the clock says that it was earlier.
    any_store.ingest([maker(10, job="load", out="src", schema={"a": "string"}, facets={"tags": _tags("a PII")})])
    assert _propagate(any_store, maker, 3) == Written(1, 1)
    assert "mid.a PII" in _shown(any_store)


def test_what_people_and_sources_set_stays(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(_chain(maker, 1, ["a gold", "a PII"]))
    _set(any_store, "mid", "a", "gold")
    _set(any_store, "out", "a", "PII", given=False)
    _propagate(any_store, maker, 5)
    expected = {"src.a gold": "source", "src.a PII": "source"}
    expected |= {"mid.a gold": "hand", "mid.a PII": "derived", "out.a gold": "derived"}
    assert _shown(any_store) == expected
    verdicts = {(outcome.field.name, outcome.name): outcome.verdict for outcome in _found(any_store).outcomes}
    assert (verdicts["mid", "gold"], verdicts["out", "PII"]) == (Verdict.KEPT, Verdict.REFUSED)
    # With its source gone, the one that a person set is still there.
    any_store.ingest([maker(8, job="load", out="src", schema={"a": "string"}, facets={"tags": _tags()})])
    _propagate(any_store, maker, 9)
    assert _shown(any_store) == {"mid.a gold": "hand", "out.a gold": "derived"}


def test_only_the_tags_asked_for_are_touched(store: Store, maker: EventMaker) -> None:
    store.ingest(_chain(maker, 1, ["a gold", "a PII"]))
    _propagate(store, maker, 5)
    store.ingest([maker(6, job="load", out="src", schema={"a": "string"}, facets={"tags": _tags()})])
    assert _propagate(store, maker, 7, tags=["pii"]) == Written(2, 0)
    assert _shown(store) == {"mid.a gold": "derived", "out.a gold": "derived"}


def test_one_tag_after_another_is_as_all_at_once(store: Store, maker: EventMaker) -> None:
    store.ingest(_chain(maker, 1, ["a gold", "a PII", "a glossaryTerm"]))
    for minute, tag in enumerate(["gold", "glossaryTerm", "PII"], start=5):
        assert _propagate(store, maker, minute, tags=[tag]).datasets == len({"mid", "out"})
    assert _propagate(store, maker, 9).datasets == 0


def test_another_moment_has_its_own_tags_and_ways(store: Store, maker: EventMaker) -> None:
    store.ingest([*_chain(maker, 1, ["a PII"]), *_chain(maker, 10, ["a PII", "a new"], "TRANSFORMATION MASKED")])

    def at(minute: int) -> set[tuple[str, str]]:
        outcomes = _found(store, as_of=maker.us(minute))
        return {(outcome.field.name, outcome.name) for outcome in outcomes.outcomes if outcome.arrives}

    assert at(5) == {("mid", "PII"), ("out", "PII")}
    assert at(15) == {("mid", "PII"), ("mid", "new"), ("out", "new")}


def test_what_was_derived_is_that_of_the_moment(store: Store, maker: EventMaker) -> None:
    from headwater.query.metadata.notes import datasets_with_note  # noqa: PLC0415  for this test alone

    store.ingest(_chain(maker, 1, ["a gold"]))
    _propagate(store, maker, 5)
    with store.read() as session:
        assert len(datasets_with_note(session, DERIVED, maker.us(4))) == 0
        assert len(datasets_with_note(session, DERIVED, maker.us(5))) == len({"mid", "out"})


def test_a_description_reaches_copies_that_have_none(store: Store, maker: EventMaker) -> None:
    described = {"schema": {"fields": [{"name": "a", "type": "int", "description": "The amount."}]}}
    own = {"schema": {"fields": [{"name": "a", "type": "int", "description": "Net of tax."}]}}
    store.ingest(
        [
            maker(1, job="load", out="src", facets=described),
            maker(1, job="copy", out="copy", columns={"a": ["src.a"]}),
            maker(1, job="other", out="other", columns={"a": ["src.a"]}, facets=own),
            maker(1, job="more", out="more", columns={"a": ["src.a TRANSFORMATION"]}),
        ]
    )
    outcomes = {outcome.field.name: (outcome.name, outcome.verdict.value) for outcome in _found(store).outcomes}
    assert outcomes == {
        "copy": ("The amount.", "carried"),
        "other": ("The amount.", "kept"),
        "more": ("The amount.", "stopped"),
    }
    assert _propagate(store, maker, 5) == Written(1, 1)


def test_a_deleted_dataset_is_not_woken(store: Store, maker: EventMaker) -> None:
    from headwater.query.search.resolve import resolve_dataset  # noqa: PLC0415  for this test alone
    from headwater.store.by_hand import hide  # noqa: PLC0415
    from headwater.store.reads.names import hidden_among  # noqa: PLC0415

    store.ingest(_chain(maker, 1, ["a gold"]))
    _propagate(store, maker, 5)
    with store.read() as session:
        out = resolve_dataset(session, "out").id
    store.ingest([maker(6, job="end", out="out", lifecycle="DROP")])
    store.transact(lambda session: hide(session, Kind.DATASET, [out], maker.us(7)))
    assert _propagate(store, maker, 8).datasets == 0
    with store.read() as session:
        assert hidden_among(session, Kind.DATASET, [out]) == {out}


def test_a_tag_of_a_struct_reaches_what_is_made_of_its_parts(store: Store, maker: EventMaker) -> None:
    schema = {"fields": [{"name": "who", "type": "struct", "fields": [{"name": "mail", "type": "string"}]}]}
    store.ingest(
        [
            maker(1, job="load", out="src", facets={"schema": schema, "tags": _tags("who PII")}),
            maker(1, job="copy", out="mid", columns={"mail": ["src.who.mail"]}),
        ]
    )
    _propagate(store, maker, 5)
    assert "mid.mail PII" in _shown(store)
