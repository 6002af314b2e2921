"""Requests to one server, over pooled connections, with retries.

A request may be sent twice: callers send only what is idempotent. The loop is ours because urllib3's `Retry` has no
deadline that shortens each attempt's timeout, and no limit per status.
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
    """A response: its status and body."""

    status: int
    body: bytes


class Unreachable(Exception):  # noqa: N818  it names the condition
    """The server did not answer.

    Attributes:
        kind: the answer is late, the certificate is distrusted, or the server is away (no connection).
    """

    def __init__(self, kind: Literal["late", "distrusted", "away"], reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Patience:
    """How often to send a request at most.

    Attributes:
        statuses: attempts by response status; one for all others.
        broken: attempts if the connection breaks: the server may just have closed a pooled one.
        away: attempts if there is no connection, or no answer in time.
        pace: how long to wait between attempts; `Retry-After` takes precedence.
    """

    statuses: Mapping[int, int] = field(
        default_factory=lambda: {HTTPStatus.TOO_MANY_REQUESTS: 4, HTTPStatus.SERVICE_UNAVAILABLE: 4}
    )
    broken: float = 4
    away: float = 1
    pace: Pace = _EVERY_SECOND


class HttpClient:
    """A client of one server; thread-safe."""

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
        extra_headers: Mapping[str, str] = MappingProxyType({}),
        *,
        until: float = math.inf,
    ) -> HttpAnswer:
        """Send a request, and retry until there is a final answer or the monotonic clock reaches `until`.

        Raises:
            Unreachable: the server did not answer.
        """
        content_type = {} if document is None else {"Content-Type": "application/json"}
        headers = {**self._headers, **content_type, **extra_headers}
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
                if attempt >= self._most_attempts(error) or time.monotonic() + wait >= until:
                    raise _unreachable(error) from error
            else:
                wait = _seconds_to_wait(response.headers.get("Retry-After"), self._patience.pace.seconds(attempt))
                if attempt >= self._patience.statuses.get(response.status, 1) or time.monotonic() + wait >= until:
                    return HttpAnswer(response.status, response.data)
            time.sleep(wait)

    def close(self) -> None:
        """Close the connections; a later request opens new ones."""
        self._pool.clear()

    def _most_attempts(self, error: HTTPError) -> float:
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


def _seconds_to_wait(retry_after: str | None, default: float) -> float:
    """How many seconds to wait before the next attempt.

    >>> [_seconds_to_wait(header, 1) for header in ("3", "86400", None, "soon")]
    [3.0, 60.0, 1.0, 1.0]
    """
    try:
        seconds = urllib3.Retry().parse_retry_after(retry_after) if retry_after else default
    except InvalidHeader:
        seconds = default
    return float(min(seconds, _LONGEST_WAIT))


def _unreachable(error: HTTPError) -> Unreachable:
    if isinstance(error, TookTooLong) and not isinstance(error, NewConnectionError):
        return Unreachable("late", _reason(error))
    return Unreachable("distrusted" if isinstance(error, SSLError) else "away", _reason(error))


def _reason(error: BaseException) -> str:
    """The innermost reason, without memory addresses of objects."""
    inner = error
    while isinstance(cause := inner.__cause__ or inner.__context__, BaseException):
        inner = cause
    if isinstance(inner, OSError) and inner.strerror:
        return inner.strerror
    return str(inner).rpartition(": ")[2]
