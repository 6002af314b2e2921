"""Exceptions of transports, classified: send the event again later, or never."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus

from headwater.common.redaction.text import redact

_LONGEST = 300
_MSG_SIZE_TOO_LARGE = 10
_CLIENT_ERRORS = range(400, 500)
# About the address, the credentials or the moment, not about the event: it may be accepted later.
_NOT_ABOUT_THE_EVENT = frozenset({401, 402, 403, 404, 405, 407, 408, 421, 423, 425, 426, 429, 451})

_DISCONNECTS = (BrokenPipeError, ConnectionAbortedError, ConnectionResetError)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an event did not arrive, without secrets, and whether it never will.

    Attributes:
        refused: a definite answer about this event.
        unclear: the cause may be the event or the endpoint: an internal error, or a connection closed while sending,
            which is how some servers answer an event that is too large.
    """

    reason: str
    refused: bool
    unclear: bool = False


def failure(error: Exception) -> Failure:
    """Classify an exception of a transport.

    Most of HTTP's 4xx are refusals, and so is a transport that cannot handle the event. All else may be temporary.

    >>> failure(ConnectionRefusedError(111, "Connection refused"))
    Failure(reason='Connection refused', refused=False, unclear=False)
    >>> failure(ValueError("'eventTime' is not a time"))
    Failure(reason="ValueError: 'eventTime' is not a time", refused=True, unclear=False)
    """
    causes = list(_causes(error))
    for link in causes:
        status, response = _status(link), getattr(link, "response", None)
        if status is not None:
            # A response behind another error may come from a token service; boto's is always behind one.
            about_the_event = link is error or isinstance(response, dict)
            refused = about_the_event and status in _CLIENT_ERRORS and status not in _NOT_ABOUT_THE_EVENT
            answer = shortened(getattr(response, "text", "")) if refused else ""
            message = ": ".join(filter(None, (f"HTTP {status} {_phrase(status)}", answer)))
            return Failure(message, refused, unclear=about_the_event and status == HTTPStatus.INTERNAL_SERVER_ERROR)
    if any(_is_too_large_for_kafka(link) for link in causes):
        return Failure("larger than Kafka accepts (message.max.bytes)", refused=True)
    # The messages of HTTP libraries contain the URL; those of the operating system do not.
    hung_up = any(isinstance(link, _DISCONNECTS) for link in causes)
    for link in reversed(causes):
        if isinstance(link, OSError) and link.errno is not None:
            return Failure(shortened(link.strerror or os.strerror(link.errno)), refused=False, unclear=hung_up)
    if any(isinstance(link, OSError) for link in causes):
        return Failure(type(error).__name__, refused=False, unclear=hung_up)
    return Failure(f"{type(error).__name__}: {shortened(str(error))}", isinstance(error, (TypeError, ValueError)))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _status(error: BaseException) -> int | None:
    """The HTTP status in an exception of requests, of boto or of Google's client."""
    response = getattr(error, "response", None)
    if isinstance(response, dict):
        status = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    else:
        status = getattr(response, "status_code", getattr(error, "code", None))
    return status if isinstance(status, int) else None


def _is_too_large_for_kafka(error: BaseException) -> bool:
    """Whether confluent-kafka or a broker reports MSG_SIZE_TOO_LARGE; the exceptions hold an error with a code."""
    code = getattr(next(iter(error.args), None), "code", None)
    return callable(code) and code() == _MSG_SIZE_TOO_LARGE


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "(unknown status)"


def shortened(text: str) -> str:
    """The message of a server or a library as one line, without secrets, cut to a bounded length."""
    return " ".join(redact(text[: 4 * _LONGEST]).split())[:_LONGEST]
