"""The order of events: eventTime, then START < RUNNING < OTHER < terminal, then the hash of the canonical JSON.

It is the only order that derived state knows; when an event was received plays no part.
"""

import json
import struct
from hashlib import blake2b

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False, check_circular=False).encode
_HASH_BYTES = 16
TIE_BYTES = 8
"""How many bytes of their hashes order the events of one moment."""
_STAMP = struct.Struct(">QB")
_INVERTED = bytes(range(255, -1, -1))
_ZERO = 1 << 63  # times before 1970 are negative; shifted, they still compare byte by byte


def canonical(value: object) -> bytes:
    """Write JSON in its one canonical form.

    >>> canonical({"b": 1, "a": [2, 3]})
    b'{"a":[2,3],"b":1}'
    """
    return _encode(value).encode()


def digest(content: bytes) -> bytes:
    """The hash that stands for a content."""
    return blake2b(content, digest_size=_HASH_BYTES).digest()


def stamp(us: int, rank: int, hashed: bytes) -> bytes:
    """An event's place in the order, as bytes that compare as it does.

    >>> stamp(-1, 3, b"") < stamp(0, 0, b"") < stamp(0, 3, b"") < stamp(1, 0, b"")
    True
    """
    return _STAMP.pack(us + _ZERO, rank) + hashed[:TIE_BYTES]


def stamp_us(stamped: bytes) -> int:
    """The time in a stamp.

    >>> stamp_us(stamp(-7, 3, b""))
    -7
    """
    return int.from_bytes(stamped[:8], "big") - _ZERO


def hearsay(stamped: bytes) -> bytes:
    """The place of what another run's event says of a run: before all that its own events say.

    Of several that say something, the earliest comes last: so it counts, and those that follow change nothing.

    >>> hearsay(stamp(6, 0, b"")) < hearsay(stamp(5, 0, b"")) < stamp(-5, 0, b"")
    True
    """
    return b"\0" + stamped.translate(_INVERTED)


def before(us: int) -> bytes:
    """A stamp before all events of an instant.

    >>> stamp(4, 5, b"z") < before(5) < stamp(5, 0, b"")
    True
    """
    return _STAMP.pack(us + _ZERO, 0)[:8]


def after_rename(stamped: bytes) -> bytes:
    """The stamp of what goes on under a new name: right after the rename, before all other events.

    >>> rename = stamp(4, 5, b"12345678")
    >>> rename < after_rename(rename) < stamp(4, 5, b"12345679")
    True
    """
    return stamped + b"\0"


LAST = b"\xff" * 18
"""A stamp after all others."""
