"""What is remembered of earlier statements, by number and by weight."""

from __future__ import annotations

from headwater.rules.session.latest import Latest

MANY = range(300_000)


def test_what_takes_the_place_of_another_weighs_for_it() -> None:
    latest: Latest[str, range] = Latest(len)
    for key in ("a", "b", "b", "b"):
        latest.keep(key, MANY if key == "b" else range(200_000))

    assert list(latest) == ["a", "b"], "half a million, and no more"
    latest.keep("c", range(1))
    assert list(latest) == ["b", "c"], "the oldest falls out"


def test_the_last_one_is_kept_whatever_it_weighs() -> None:
    latest: Latest[str, range] = Latest(len)
    latest.keep("a", range(600_000))
    assert list(latest) == ["a"]
    latest.keep("b", range(600_000))
    assert list(latest) == ["b"]


def test_only_so_many_are_kept_and_those_that_come_again_are_the_latest() -> None:
    latest: Latest[int, None] = Latest(most=3)
    for key in (1, 2, 3, 1, 4):
        latest.keep(key, None)

    assert list(latest) == [3, 1, 4]


def test_a_copy_is_as_full_as_the_first() -> None:
    latest: Latest[str, range] = Latest(len, most=2)
    latest.keep("a", MANY)

    copy = latest.branch()
    copy.keep("b", MANY)
    latest.keep("c", range(1))

    assert (list(latest), list(copy)) == (["a", "c"], ["b"])
    copy.keep("d", range(1))
    copy.keep("e", range(1))
    assert list(copy) == ["d", "e"]
