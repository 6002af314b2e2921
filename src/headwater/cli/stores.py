"""Stores that commands look after."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headwater.store import Store


@contextmanager
def store_there(url: str) -> Iterator[Store]:
    """A store to look after: one that is not there is an error, not made."""
    from headwater.store import open_store  # noqa: PLC0415  `--help` starts without it

    with open_store(url) as store:
        with store.read():
            pass
        yield store
