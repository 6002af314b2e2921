"""A cache for parsed JSON: facets repeat from run to run, and from dataset to dataset."""

import marshal
from collections.abc import Callable
from functools import wraps
from hashlib import blake2b
from typing import Any, TypeVar

R = TypeVar("R")
_MOST = 20_000
_MOST_BYTES = 16_000_000  # of what was read, over all results of a function
_LARGEST = 1_000_000
_WITHOUT_REFERENCES = 2


def as_written(value: Any) -> bytes | None:  # noqa: ANN401  JSON
    """A hash of a value as it is written, including the order of its keys; None if it holds values beyond JSON.

    It is much cheaper than the hash of the canonical form, but two orders of keys have two hashes.

    >>> as_written({"a": 1}) == as_written({"a": 1.0})
    False
    """
    written = _dump(value)
    return None if written is None else _hash(written)


def _dump(value: Any) -> bytes | None:  # noqa: ANN401  JSON
    try:
        return marshal.dumps(value, _WITHOUT_REFERENCES)
    except ValueError:
        return None


def _hash(written: bytes) -> bytes:
    return blake2b(written, digest_size=16).digest()


def remembered(read: Callable[..., R]) -> Callable[..., R]:
    """Cache what a function reads from JSON; its second argument, the place for errors, is not part of the key.

    What is very large is read again each time, and the cache is emptied where it has read a lot.
    """
    results: dict[bytes, R] = {}
    room = _MOST_BYTES

    @wraps(read)
    def cached(value: object, *where: str) -> R:
        nonlocal room
        written = _dump(value)
        if written is None or len(written) > _LARGEST:
            return read(value, *where)
        key = _hash(written)
        # Another thread may empty the cache at any time.
        result = results.get(key)
        if result is None:
            result = read(value, *where)
            room -= len(written)
            if room < 0 or len(results) >= _MOST:
                results.clear()
                room = _MOST_BYTES
            results[key] = result
        return result

    return cached
