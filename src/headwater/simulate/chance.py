"""Repeatable chance: numbers that depend only on a key, not on earlier draws.

So any process can make any run of any day without the ones before it.
"""

import random
import struct
from hashlib import blake2b
from typing import NamedTuple

_LAYOUT = struct.Struct("<16sIIHHHH")
_WHOLE = 1 << 16


class Luck(NamedTuple):
    """The draws for one run: its id, two large numbers, and four shares in [0, 1)."""

    uuid: str
    large: int
    larger: int
    first: float
    second: float
    third: float
    fourth: float


def luck_of(*key: object) -> Luck:
    """The draws for a key; fast, since every event needs some.

    >>> luck_of(1, "job", 5) == luck_of(1, "job", 5), luck_of(1, "job", 5) == luck_of(2, "job", 5)
    (True, False)
    """
    hashed = blake2b(repr(key).encode(), digest_size=_LAYOUT.size).digest()
    id_, large, larger, first, second, third, fourth = _LAYOUT.unpack(hashed)
    text = id_.hex()
    uuid = f"{text[:8]}-{text[8:12]}-4{text[13:16]}-8{text[17:20]}-{text[20:]}"
    return Luck(uuid, large, larger, first / _WHOLE, second / _WHOLE, third / _WHOLE, fourth / _WHOLE)


def chance_of(*key: object) -> random.Random:
    """A random generator for a key that needs many draws, such as a table's columns."""
    return random.Random(repr(key))  # noqa: S311  data, no secret
