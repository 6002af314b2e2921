"""What the errors of transports mean: later, or never; and what is said of them."""

from __future__ import annotations

import errno
import ssl

import pytest
import requests

from headwater.openlineage.delivery.failures import failure


def _answered(status: int, body: bytes = b"") -> requests.HTTPError:
    response = requests.Response()
    response.status_code = status
    response._content = body
    return requests.HTTPError(f"{status} for url: http://me:hunter2@lineage/?key=hunter2", response=response)


def _caused(outer: Exception, inner: Exception) -> Exception:
    outer.__cause__ = inner
    return outer


class _BotoError(Exception):
    response = {"ResponseMetadata": {"HTTPStatusCode": 400}}  # noqa: RUF012 (as boto has it)


class _GoogleError(Exception):
    code = 503


@pytest.mark.parametrize(
    ("error", "reason", "refused"),
    [
        (_answered(400, b'{"message":  "no\n run"}'), 'HTTP 400 Bad Request: {"message": "no run"}', True),
        (_answered(499), "HTTP 499 (unknown status)", True),
        (_answered(401), "HTTP 401 Unauthorized", False),
        (_answered(429), "HTTP 429 Too Many Requests", False),
        (_answered(503, b"password=hunter2"), "HTTP 503 Service Unavailable", False),
        (_caused(RuntimeError("no token: hunter2"), _answered(400)), "HTTP 400 Bad Request", False),
        (_caused(RuntimeError("hunter2"), _BotoError("hunter2")), "HTTP 400 Bad Request", True),
        (_GoogleError("hunter2"), "HTTP 503 Service Unavailable", False),
        (_caused(requests.ConnectionError("/?key=hunter2"), OSError(-2, "Name not known")), "Name not known", False),
        (requests.ReadTimeout("http://me:hunter2@lineage"), "ReadTimeout", False),
        (
            _caused(requests.exceptions.SSLError("hunter2"), ssl.SSLError(1, "bad certificate")),
            "bad certificate",
            False,
        ),
        (requests.exceptions.InvalidURL("http://me:hunter2@"), "InvalidURL", False),
        (OSError(errno.ENOSPC, "No space left on device"), "No space left on device", False),
        (RuntimeError("password=hunter2 is wrong"), "RuntimeError: password=*** is wrong", False),
        (TypeError("no such field"), "TypeError: no such field", True),
    ],
)
def test_what_an_error_means(error: Exception, reason: str, *, refused: bool) -> None:
    found = failure(error)
    assert (found.reason, found.refused) == (reason, refused)
