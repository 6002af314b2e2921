"""Chance that can be asked again: numbers that depend on what they are for, and on nothing that was asked before.

So any run of any day is made without the ones before it, by any process.
"""

import random
import struct
from hashlib import blake2b
from typing import NamedTuple

_LAYOUT = struct.Struct("<16sIIHHHH")
_WHOLE = 1 << 16


class Luck(NamedTuple):
    """What chance says of one run: its id, two large numbers, and four shares from 0 (included) to 1 (not)."""

    uuid: str
    large: int
    larger: int
    one: float
    two: float
    three: float
    four: float


def luck_of(*what: object) -> Luck:
    """The luck of something; fast, since every event needs some.

    >>> luck_of(1, "job", 5) == luck_of(1, "job", 5), luck_of(1, "job", 5) == luck_of(2, "job", 5)
    (True, False)
    """
    hashed = blake2b(repr(what).encode(), digest_size=_LAYOUT.size).digest()
    id_, large, larger, one, two, three, four = _LAYOUT.unpack(hashed)
    text = id_.hex()
    uuid = f"{text[:8]}-{text[8:12]}-4{text[13:16]}-8{text[17:20]}-{text[20:]}"
    return Luck(uuid, large, larger, one / _WHOLE, two / _WHOLE, three / _WHOLE, four / _WHOLE)


def chance_of(*what: object) -> random.Random:
    """A source of chance for something that needs many numbers, such as a table's columns."""
    return random.Random(repr(what))  # noqa: S311  data, no secret
