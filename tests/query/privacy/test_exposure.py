"""How the values of a field arrive elsewhere: in the clear, possibly, masked, or only as a condition."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.query.privacy.conftest import edge, field

from headwater.query.privacy.exposure import Exposed, Exposure, exposed
from headwater.query.privacy.legs import Leg, map_of


def _reached(edges: list[str], depth: int | None = None) -> dict[str, Exposed]:
    exposed_fields = exposed({field("a")}, map_of(map(edge, edges)), depth)
    return {f"{item.field.name}.{item.field.field}": item for item in exposed_fields}


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        (["a > b IDENTITY", "b > c TRANSFORMATION"], "CLEAR"),
        (["a > b AGGREGATION", "b > c IDENTITY"], "CLEAR"),
        (["a > b", "b > c IDENTITY"], "POSSIBLE"),
        (["a > b TRANSFORMATION MASKED irreversible", "b > c"], "MASKED"),
        # Nobody knows how it is masked, nor what is done to it then.
        (["a > b TRANSFORMATION MASKED", "b > c"], "POSSIBLE"),
        (["a > b", "b > c IDENTITY MASKED"], "MASKED"),
        (["a > b TRANSFORMATION MASKED", "b > c FILTER"], "INDIRECT"),
        (["a > b FILTER", "b > c IDENTITY"], "INDIRECT"),
    ],
)
def test_along_a_way_the_strongest_word_wins(edges: list[str], expected: str) -> None:
    assert _reached(edges)["t.c"].exposure.name == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("MASKED keyed", "unmask", "CLEAR"),
        ("MASKED keyed", "may-unmask", "POSSIBLE"),
        ("MASKED keyed", "MASKED keyed", "MASKED"),
        ("MASKED keyed", "", "MASKED"),
        ("MASKED", "unmask", "CLEAR"),
        ("MASKED irreversible", "unmask", "MASKED"),
        ("MASKED irreversible", "may-unmask", "MASKED"),
        ("MASKED partial", "unmask", "PARTIAL"),
        ("MASKED partial", "MASKED keyed", "MASKED"),
        ("unmask", "", "CLEAR"),
        ("may-unmask", "", "CLEAR"),
        ("unmask possible", "", "POSSIBLE"),
        ("unmask possible", "MASKED keyed", "MASKED"),
    ],
)
def test_a_keyed_masking_lasts_until_something_undoes_it(first: str, second: str, expected: str) -> None:
    legs = [f"a > b TRANSFORMATION {first}", "b > c IDENTITY", f"c > d TRANSFORMATION {second}", "d > e IDENTITY"]
    assert _reached(legs)["t.e"].exposure.name == expected


def test_what_is_unmasked_and_masked_again_is_masked() -> None:
    legs = ["a > b TRANSFORMATION MASKED keyed", "b > c TRANSFORMATION unmask", "c > d TRANSFORMATION MASKED keyed"]
    reached = _reached(legs)
    assert {name: item.exposure.name for name, item in reached.items()} == {
        "t.b": "MASKED",
        "t.c": "CLEAR",
        "t.d": "MASKED",
    }
    (way,) = reached["t.d"].ways
    assert way.masked_at is not None
    assert way.masked_at.destination == field("d")
    assert way.unmasked_at is None


def test_the_steps_that_mask_and_unmask_are_named() -> None:
    legs = ["a > b TRANSFORMATION MASKED keyed", "b > c IDENTITY", "c > d TRANSFORMATION unmask", "d > e IDENTITY"]
    (way,) = _reached(legs)["t.e"].ways
    assert way.masked_at is not None
    assert way.unmasked_at is not None
    assert (way.masked_at.destination, way.unmasked_at.destination) == (field("b"), field("d"))


def test_a_step_that_masks_and_may_unmask_at_once_is_named() -> None:
    (way,) = _reached(["a > b TRANSFORMATION unmask possible", "b > c IDENTITY"])["t.c"].ways
    assert way.masked_at is None
    assert way.unmasked_at is not None
    assert way.unmasked_at.destination == field("b")


def test_a_field_that_is_clear_on_one_way_and_masked_on_another_says_both() -> None:
    item = _reached(["a > b IDENTITY", "a > m TRANSFORMATION MASKED", "m > b IDENTITY", "a > b FILTER"])["t.b"]
    assert [way.exposure for way in item.ways] == [Exposure.CLEAR, Exposure.MASKED]
    masked = item.ways[1].masked_at
    assert masked is not None
    assert (masked.destination, masked.how.description) == (field("m"), "of a")
    assert item.ways[0].masked_at is None


def test_what_decides_on_rows_reaches_all_columns() -> None:
    reached = _reached(["a > u.* FILTER", "t.x > u.b IDENTITY", "t.x > u.c IDENTITY", "u.c > v.d IDENTITY"])
    assert {name: item.exposure.name for name, item in reached.items()} == dict.fromkeys(
        ("u.b", "u.c", "v.d"), "INDIRECT"
    )


def test_only_so_many_legs_are_followed() -> None:
    assert set(_reached(["a > b IDENTITY", "b > c IDENTITY"], depth=1)) == {"t.b"}


_HOWS = [
    *("IDENTITY", "TRANSFORMATION", "AGGREGATION", "", "FILTER", "TRANSFORMATION MASKED", "FILTER MASKED"),
    *("TRANSFORMATION MASKED keyed", "TRANSFORMATION MASKED irreversible", "TRANSFORMATION MASKED partial"),
    *("TRANSFORMATION unmask", "TRANSFORMATION may-unmask", "TRANSFORMATION MASKED may-unmask keyed"),
]
_NAMES = st.sampled_from(["a", "b", "u.c", "u.d"])
_EDGES = st.lists(
    st.builds(lambda a, b, how: f"{a} > {b} {how}", _NAMES, _NAMES | st.just("u.*"), st.sampled_from(_HOWS)), max_size=9
)


def _exposure_along(path: Sequence[Leg]) -> str:
    """What a person would say who goes along a way and notes how the value is hidden."""
    keyed = lost = partly = maybe = False
    for leg in path:
        if leg.how.type == "INDIRECT":
            return "INDIRECT"
        effect = leg.how.effect.split()
        if not leg.how.subtype:
            keyed, maybe = False, True
        if "unmask" in effect:
            keyed = False
        if "may-unmask" in effect and keyed:
            keyed, maybe = False, True
        lost = lost or "irreversible" in effect
        partly = partly or "partial" in effect
        keyed = keyed or "keyed" in effect or (leg.how.masking and not {"irreversible", "partial"} & {*effect})
    return "MASKED" if lost or keyed else "PARTIAL" if partly else "POSSIBLE" if maybe else "CLEAR"


@settings(max_examples=300)
@given(edges=_EDGES, order=st.randoms(use_true_random=False))
def test_every_way_exists_and_is_as_exposed_as_its_legs(edges: list[str], order: object) -> None:
    exposed_fields = _reached(edges)
    shuffled = list(edges)
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    assert _reached(shuffled) == exposed_fields
    known = {(item.origin, item.destination, item.transformations[0]) for item in map(edge, edges)}
    for item in exposed_fields.values():
        for way in item.ways:
            assert all((leg.origin, leg.destination, leg.how) in known for leg in way.path)
            assert _exposure_along(way.path) == way.exposure.name
            assert way.path[0].origin == field("a")
            assert way.path[-1].destination in {item.field, item.field.rows}
            for before, after in zip(way.path, way.path[1:], strict=False):
                assert before.destination in {after.origin, after.origin.rows}
