"""Keys of fields: which may stand for each other, and what is remembered of them."""

from __future__ import annotations

import pytest
from tests.work import MOST, work

from headwater.store.db.codes import Kin
from headwater.store.entities.key_cache import Cache
from headwater.store.entities.keys import kin_of

INSIDE, AROUND, ALIKE = map(int, (Kin.INSIDE, Kin.AROUND, Kin.ALIKE))


def _keys(*paths: str) -> dict[str, int]:
    return {path: number for number, path in enumerate(paths)}


def test_fields_of_a_struct_and_other_spellings_may_stand_for_each_other() -> None:
    fields = _keys("s", "s.a", "S")
    inside = {(0, 1, INSIDE), (1, 0, AROUND)}
    alike = {(0, 2, ALIKE), (2, 0, ALIKE), (2, 1, ALIKE), (1, 2, ALIKE)}
    assert kin_of(fields, fields) == inside | alike
    assert kin_of(fields, {"S": 2}) == alike


def test_of_a_name_with_very_many_spellings_each_is_a_column_of_its_own() -> None:
    spellings = [f"{number:05b}".replace("0", "a").replace("1", "A") for number in range(32)]
    fields = _keys(*spellings, "aaaaa.x")
    inside = {(0, 32, INSIDE), (32, 0, AROUND)}
    assert kin_of(fields, fields) == inside


@pytest.mark.parametrize("path", ["s.c{}", "s{0}.c", "c{}", "s.t.c{}", "s.t{0}.c{0}"])
def test_the_work_grows_with_the_fields(path: str) -> None:
    def lines(size: int) -> float:
        fields = _keys("s", "s.t", *(path.format(number) for number in range(size)))
        return work(lambda: kin_of(fields, fields))

    assert lines(400) / lines(200) <= MOST


def test_long_names_are_forgotten_sooner() -> None:
    cache = Cache()
    cache.fields |= {(1, f"{number}{'x' * 4_000}"): number for number in range(5_000)}
    cache.datasets["lake", "orders"] = 1
    cache.trim()
    assert not cache.fields
    cache.fields |= {(1, f"c{number}"): number for number in range(50_000)}
    cache.trim()
    assert len(cache.fields) == 50_000
