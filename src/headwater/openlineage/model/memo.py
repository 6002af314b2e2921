"""A cache for parsed JSON: facets repeat from run to run, and from dataset to dataset."""

import marshal
from collections.abc import Callable
from functools import wraps
from hashlib import blake2b
from typing import Any, TypeVar

R = TypeVar("R")
_MOST = 20_000
_WITHOUT_REFERENCES = 2


def as_written(value: Any) -> bytes | None:  # noqa: ANN401  JSON
    """A hash of a value as it is written, including the order of its keys; None if it holds values beyond JSON.

    It is much cheaper than the hash of the canonical form, but two orders of keys have two hashes.

    >>> as_written({"a": 1}) == as_written({"a": 1.0})
    False
    """
    try:
        return blake2b(marshal.dumps(value, _WITHOUT_REFERENCES), digest_size=16).digest()
    except ValueError:
        return None


def remembered(read: Callable[..., R]) -> Callable[..., R]:
    """Cache what a function reads from JSON; its second argument, the place for errors, is not part of the key."""
    results: dict[bytes, R] = {}

    @wraps(read)
    def cached(value: object, *where: str) -> R:
        key = as_written(value)
        if key is None:
            return read(value, *where)
        if key not in results:
            if len(results) >= _MOST:
                results.clear()
            results[key] = read(value, *where)
        return results[key]

    return cached
