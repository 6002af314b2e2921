"""Tags that came with the data, among those that people gave, as Marquez's API shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.query.privacy.rules import Rules
from headwater.query.privacy.tag_changes import propagation, write
from headwater.store.model.meaning import DERIVED

if TYPE_CHECKING:
    from tests.conftest import EventMaker
    from tests.server.marquez.conftest import Api

    from headwater.store import Store

_SRC, _OUT = "/namespaces/lake/datasets/src", "/namespaces/lake/datasets/out"


def _propagate(store: Store, us: int) -> None:
    with store.read() as session:
        changes = propagation(session, Rules())
    write(store, changes, us)


def test_they_are_joined_with_those_given_by_hand(api: Api, any_store: Store, maker: EventMaker) -> None:
    schema = {"fields": [{"name": "a", "type": "int", "description": "The amount."}]}
    api.post(maker(1, job="load", out="src", facets={"schema": schema}), maker(1, columns={"a": ["src.a"]}))
    api(f"{_SRC}/fields/a/tags/PII", "POST")
    api(f"{_SRC}/fields/a/tags/gold", "POST")
    api(f"{_OUT}/fields/a/tags/mine", "POST")
    _propagate(any_store, maker.us(5))
    shown = api(_OUT)
    (field,) = shown["fields"]
    assert (field["tags"], field["description"]) == (["PII", "gold", "mine"], "The amount.")
    # The format has no place for how a tag came; the facet says it.
    assert {tag["key"]: tag["rule"] for tag in shown["facets"][DERIVED]["tags"]} == {
        "PII": "identity",
        "gold": "identity",
    }
    # A person's word stands, now and after the next propagation.
    api(f"{_OUT}/fields/a/tags/PII", "DELETE")
    assert api(_OUT)["fields"][0]["tags"] == ["gold", "mine"]
    _propagate(any_store, maker.us(6))
    assert api(_OUT)["fields"][0]["tags"] == ["gold", "mine"]
    assert api(_SRC)["fields"][0]["tags"] == ["PII", "gold"]
