"""Opens stores for commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headwater.store import Store


@contextmanager
def existing_store(url: str) -> Iterator[Store]:
    """An existing store: a missing one is an error, not created."""
    from headwater.store import open_store  # noqa: PLC0415  `--help` starts without it

    with open_store(url) as store:
        with store.read():
            pass
        yield store
