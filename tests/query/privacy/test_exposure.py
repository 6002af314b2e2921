"""How the values of a field arrive elsewhere: in the clear, possibly, masked, or only as a condition."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.query.privacy.conftest import edge, field

from headwater.query.privacy.exposure import Exposed, Exposure, exposed, exposure_of
from headwater.query.privacy.legs import map_of


def _reached(edges: list[str], depth: int | None = None) -> dict[str, Exposed]:
    exposed_fields = exposed({field("a")}, map_of(map(edge, edges)), depth)
    return {f"{item.field.name}.{item.field.field}": item for item in exposed_fields}


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        (["a > b IDENTITY", "b > c TRANSFORMATION"], "CLEAR"),
        (["a > b AGGREGATION", "b > c IDENTITY"], "CLEAR"),
        (["a > b", "b > c IDENTITY"], "POSSIBLE"),
        (["a > b TRANSFORMATION MASKED", "b > c"], "MASKED"),
        (["a > b", "b > c IDENTITY MASKED"], "MASKED"),
        (["a > b TRANSFORMATION MASKED", "b > c FILTER"], "INDIRECT"),
        (["a > b FILTER", "b > c IDENTITY"], "INDIRECT"),
    ],
)
def test_along_a_way_the_strongest_word_wins(edges: list[str], expected: str) -> None:
    assert _reached(edges)["t.c"].exposure.name == expected


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


_HOWS = ["IDENTITY", "TRANSFORMATION", "AGGREGATION", "", "FILTER", "TRANSFORMATION MASKED", "FILTER MASKED"]
_NAMES = st.sampled_from(["a", "b", "u.c", "u.d"])
_EDGES = st.lists(
    st.builds(lambda a, b, how: f"{a} > {b} {how}", _NAMES, _NAMES | st.just("u.*"), st.sampled_from(_HOWS)), max_size=9
)


@settings(max_examples=150)
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
            assert max(exposure_of(leg.how) for leg in way.path) is way.exposure
            assert way.path[0].origin == field("a")
            assert way.path[-1].destination in {item.field, item.field.rows}
            for before, after in zip(way.path, way.path[1:], strict=False):
                assert before.destination in {after.origin, after.origin.rows}
