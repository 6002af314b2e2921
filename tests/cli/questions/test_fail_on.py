"""`--fail-on`: which changes break a condition, and how that is worded."""

from __future__ import annotations

import pytest
import typer

from headwater.cli.questions.fail_on import Reached, condition

COPIED = Reached("newsletter.send_to", "file//food/warehouse/newsletter", direct=True, masked=False)
HASHED = Reached(
    "customers.email", "file//food/warehouse/customers", direct=True, masked=True, owners=("team:finance",)
)
SORTED = Reached("top.id", "file//food/warehouse/top", direct=False, masked=False)


@pytest.mark.parametrize(
    ("text", "broken", "kept"),
    [
        ("any", [SORTED], []),
        ("direct", [HASHED], [SORTED]),
        ("unmasked", [COPIED], [HASHED, SORTED]),
        ("1", [COPIED, HASHED], [COPIED]),
        ("0", [COPIED], []),
        ("dataset:newsletter", [COPIED], [HASHED]),
        ("dataset:file//food/*/news*", [COPIED], [HASHED]),
        ("dataset:news", [], [COPIED]),
        ("owner:team:finance", [HASHED], [COPIED]),
    ],
)
def test_what_fails_and_what_does_not(text: str, broken: list[Reached], kept: list[Reached]) -> None:
    assert (condition(text).reason(broken) is not None) is bool(broken)
    assert condition(text).reason(kept) is None


def test_a_broken_condition_names_the_first_columns() -> None:
    assert condition("any").reason([COPIED]) == "any: newsletter.send_to"
    assert condition("1").reason([COPIED] * 5) == "1: " + ", ".join(["newsletter.send_to"] * 3) + " and 2 more"


@pytest.mark.parametrize("text", ["", "some", "-1", "dataset:", "owner:", "dataset", "1.5"])
def test_a_condition_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="any, direct, unmasked"):
        condition(text)
