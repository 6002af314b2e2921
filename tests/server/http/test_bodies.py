"""Compressed bodies: linear work, whatever they consist of."""

from __future__ import annotations

import gzip
import zlib
from typing import TYPE_CHECKING, Any

import pytest
from tests.server.conftest import connected, listening
from tests.waiting import wait_for

from headwater.server.app import create_app
from headwater.server.http.bodies import TooLarge, inflated
from headwater.server.settings.settings import ServerSettings

if TYPE_CHECKING:
    from headwater.store import Store

_MANY = 10**9
_OF_ZLIB = zlib.decompressobj


class _Counting:
    """In the place of a decompressor: adds up what it is given and what it copies for the caller."""

    work = 0

    def __init__(self, kind: int) -> None:
        self._of_zlib: Any = _OF_ZLIB(kind)

    def decompress(self, given: bytes, most: int) -> bytes:
        plain: bytes = self._of_zlib.decompress(given, most)
        rest = len(self._of_zlib.unused_data) + len(self._of_zlib.unconsumed_tail)
        type(self).work += len(given) + len(plain) + rest
        return plain

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  zlib's own
        return getattr(self._of_zlib, name)


@pytest.mark.parametrize(
    "part",
    [gzip.compress(b""), gzip.compress(b"a"), gzip.compress(b"") + b"\0" * 50, gzip.compress(b"a" * 10_000)],
    ids=["empty members", "small members", "padding", "large members"],
)
def test_twice_the_gzip_is_twice_the_work(part: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    work = []
    plain = gzip.decompress(part)
    monkeypatch.setattr(zlib, "decompressobj", _Counting)
    for count in (500, 1000):
        _Counting.work = 0
        assert b"".join(inflated(part * count, _MANY, _MANY)) == plain * count
        work.append(_Counting.work)
    assert work[1] <= 2.1 * work[0]
    assert work[1] <= 40 * len(part) * 1000 + 2 * 10_000 * 1000


def test_members_have_a_limit() -> None:
    with pytest.raises(TooLarge, match=r"more than 3 members; the limit is 3 \(max_gzip_members\)"):
        list(inflated(gzip.compress(b"") * 4, 100, 3))


@pytest.mark.parametrize("cut", range(1, 20))
def test_a_gzip_that_is_cut_is_none(cut: int) -> None:
    whole = gzip.compress(b"abc" * 100)
    with pytest.raises(zlib.error):
        list(inflated(whole + whole[:-cut], _MANY, 2))


def test_what_a_client_leaves_behind_is_not_held(store: Store) -> None:
    head = b"POST /api/v1/lineage HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n"
    body = gzip.compress(b"") * 50_000
    settings = ServerSettings(allow_open=True, max_gzip_members=_MANY)
    with listening(create_app(store, settings)) as client:
        with connected(client.base_url) as leaving:
            leaving.sendall(head % len(body) + body)
        wait_for("no bytes", lambda: "headwater_bytes_in_flight 0.0" in client.get("/metrics").text)
