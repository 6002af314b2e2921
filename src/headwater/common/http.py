"""Requests to one server: kept connections, tried again where that helps.

Every request may be sent twice without harm: who uses this sees to it.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from types import MappingProxyType
from typing import Literal
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3.exceptions import HTTPError, InvalidHeader, NewConnectionError, ProtocolError, ProxyError, SSLError
from urllib3.exceptions import TimeoutError as TookTooLong

from headwater._version import __version__
from headwater.common.address import Address
from headwater.common.backoff import Pace

_CONNECT_SECONDS, _READ_SECONDS = 10.0, 300.0
_CONNECTIONS = 8
_LONGEST_WAIT = 60.0
_SOON = 0.01
_EVERY_SECOND = Pace(1, 1)


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What came back."""

    status: int
    body: bytes


class Unreachable(Exception):  # noqa: N818  it says what is the matter
    """No answer came.

    Attributes:
        kind: it takes too long, it cannot be trusted, or the way to it is broken.
    """

    def __init__(self, kind: Literal["late", "distrusted", "away"], reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a request is sent at most.

    Attributes:
        statuses: where it is answered so; once for all others.
        broken: where the connection breaks: one that was kept may have been closed just now.
        away: where there is no connection, or no answer in time.
        pace: how long to wait in between; a server may say it better.
    """

    statuses: Mapping[int, int] = field(
        default_factory=lambda: {HTTPStatus.TOO_MANY_REQUESTS: 4, HTTPStatus.SERVICE_UNAVAILABLE: 4}
    )
    broken: float = 4
    away: float = 1
    pace: Pace = _EVERY_SECOND


class HttpClient:
    """A client of one server. Threads may share it."""

    def __init__(self, address: Address, patience: Patience | None = None) -> None:
        self._url = address.url
        self._patience = patience or Patience()
        self._headers = {
            "Accept": "application/json",
            "Accept-Encoding": "gzip",
            "User-Agent": f"headwater/{__version__}",
            **({"Authorization": f"Bearer {address.token}"} if address.token else {}),
        }
        self._pool = _pool(urlsplit(address.url))

    def send(
        self,
        method: str,
        path: str,
        document: bytes | None = None,
        more: Mapping[str, str] = MappingProxyType({}),
        *,
        until: float = math.inf,
    ) -> HttpAnswer:
        """Send a request until it is answered for good, or the monotonic clock is at `until`.

        Raises:
            Unreachable: no answer came.
        """
        kind = {} if document is None else {"Content-Type": "application/json"}
        headers = {**self._headers, **kind, **more}
        attempt = 0
        while True:
            attempt += 1
            left = max(until - time.monotonic(), _SOON)
            timeout = urllib3.Timeout(connect=min(_CONNECT_SECONDS, left), read=min(_READ_SECONDS, left))
            try:
                response = self._pool.request(
                    method,
                    self._url + path,
                    body=document,
                    headers=headers,
                    retries=False,
                    redirect=False,
                    timeout=timeout,
                )
            except HTTPError as error:
                broken = isinstance(error, ProtocolError)
                wait = 0.0 if broken and attempt == 1 else self._patience.pace.seconds(attempt)
                if attempt >= self._times(error) or time.monotonic() + wait >= until:
                    raise _unreachable(error) from error
            else:
                wait = _wait(response.headers.get("Retry-After"), self._patience.pace.seconds(attempt))
                if attempt >= self._patience.statuses.get(response.status, 1) or time.monotonic() + wait >= until:
                    return HttpAnswer(response.status, response.data)
            time.sleep(wait)

    def close(self) -> None:
        """Close the connections; a later request opens new ones."""
        self._pool.clear()

    def _times(self, error: HTTPError) -> float:
        if isinstance(error, SSLError):
            return 1
        if isinstance(error, ProtocolError):
            return self._patience.broken
        return self._patience.away if isinstance(error, (TookTooLong, NewConnectionError, ProxyError)) else 1


def _pool(parts: SplitResult) -> urllib3.PoolManager:
    proxy = getproxies().get(parts.scheme.lower())
    if proxy and not proxy_bypass(parts.hostname or ""):
        return urllib3.ProxyManager(proxy, maxsize=_CONNECTIONS)
    return urllib3.PoolManager(maxsize=_CONNECTIONS)


def _wait(asked: str | None, otherwise: float) -> float:
    """How many seconds to wait before the next attempt.

    >>> _wait("3", 1), _wait("86400", 1), _wait(None, 1), _wait("soon", 1)
    (3.0, 60.0, 1.0, 1.0)
    """
    try:
        seconds = urllib3.Retry().parse_retry_after(asked) if asked else otherwise
    except InvalidHeader:
        seconds = otherwise
    return float(min(seconds, _LONGEST_WAIT))


def _unreachable(error: HTTPError) -> Unreachable:
    if isinstance(error, TookTooLong) and not isinstance(error, NewConnectionError):
        return Unreachable("late", _reason(error))
    return Unreachable("distrusted" if isinstance(error, SSLError) else "away", _reason(error))


def _reason(error: BaseException) -> str:
    """The innermost reason, without addresses of objects."""
    inner = error
    while isinstance(found := inner.__cause__ or inner.__context__, BaseException):
        inner = found
    if isinstance(inner, OSError) and inner.strerror:
        return inner.strerror
    return str(inner).rpartition(": ")[2]
