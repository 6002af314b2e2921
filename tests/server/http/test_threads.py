"""Work in threads, and what is left of it."""

from __future__ import annotations

import gc
import gzip
import weakref
from functools import partial
from typing import TYPE_CHECKING

import anyio
import pytest
from tests.server.conftest import listening
from tests.waiting import wait_for

from headwater.server.app import create_app
from headwater.server.http.bodies import TooLarge
from headwater.server.http.errors import ApiError
from headwater.server.http.threads import in_thread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.store import Store


class Held:
    """Something large."""


def _errors() -> list[object]:
    return [item for item in gc.get_objects() if isinstance(item, TooLarge | ApiError)]


@pytest.fixture
def no_search_for_circles() -> Iterator[None]:
    """Only what nothing refers to is let go of."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_what_is_returned_comes_back() -> None:
    assert anyio.run(in_thread, partial(int, "7")) == 7


@pytest.mark.usefixtures("no_search_for_circles")
def test_an_error_holds_nothing_once_it_is_handled() -> None:
    known: list[weakref.ref[Held]] = []

    def fail() -> None:
        held = Held()
        known.append(weakref.ref(held))
        raise ValueError(held)

    async def handled() -> None:
        try:
            await in_thread(fail)
        except ValueError:
            assert known[0]() is not None

    anyio.run(handled)
    # The thread itself may be a moment behind.
    wait_for("the thread", lambda: known[0]() is None)


@pytest.mark.usefixtures("no_search_for_circles")
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v1/lineage", b" " * 80_000_000),
        ("/api/v1/lineage", b"0" * 100_000),
        ("/api/v1/lineage/batch", b"0\n" * 100_000),
    ],
)
def test_a_body_that_is_refused_is_let_go_of(store: Store, path: str, body: bytes) -> None:
    packed = gzip.compress(body, 1)
    with listening(create_app(store)) as client:
        for _ in range(3):
            assert client.post(path, content=packed, headers={"Content-Encoding": "gzip"}).status_code in {
                400,
                413,
                422,
            }
        wait_for("the end of the errors", lambda: not _errors())
