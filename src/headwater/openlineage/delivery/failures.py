"""What a transport's exception means for the event: try again later, or never."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus

from headwater.openlineage.build.redact import redact

_LONGEST = 300
_MSG_SIZE_TOO_LARGE = 10
_CLIENT_ERRORS = range(400, 500)
# These speak of the address, of who asks, or of the moment, not of the event: another day it will be taken.
_NOT_ABOUT_THE_EVENT = frozenset({401, 402, 403, 404, 405, 407, 408, 421, 423, 425, 426, 429, 451})

_HUNG_UP = (BrokenPipeError, ConnectionAbortedError, ConnectionResetError)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an event did not arrive, without secrets, and whether it never will.

    Attributes:
        refused: it is a definite answer about this event.
        unclear: the event may be the cause, or the endpoint: it broke down over it, or hung up while it was sent, which
            is how some servers answer what is too large.
    """

    reason: str
    refused: bool
    unclear: bool = False


def failure(error: Exception) -> Failure:
    """Read an exception of a transport.

    A refusal is a definite answer about this event: most of HTTP's 4xx, or a transport that cannot make anything of it.
    Everything else may pass.

    >>> failure(ConnectionRefusedError(111, "Connection refused"))
    Failure(reason='Connection refused', refused=False, unclear=False)
    >>> failure(ValueError("'eventTime' is not a time"))
    Failure(reason="ValueError: 'eventTime' is not a time", refused=True, unclear=False)
    """
    chain = list(_chain(error))
    for one in chain:
        status, response = _status(one), getattr(one, "response", None)
        if status is not None:
            # What stands behind another error may be the answer of whoever gives out tokens; boto is always behind one.
            about_the_event = one is error or isinstance(response, dict)
            refused = about_the_event and status in _CLIENT_ERRORS and status not in _NOT_ABOUT_THE_EVENT
            answer = shortened(getattr(response, "text", "")) if refused else ""
            said = ": ".join(filter(None, (f"HTTP {status} {_phrase(status)}", answer)))
            return Failure(said, refused, unclear=about_the_event and status == HTTPStatus.INTERNAL_SERVER_ERROR)
    if any(_is_too_large_for_kafka(one) for one in chain):
        return Failure("larger than Kafka accepts (message.max.bytes)", refused=True)
    # The messages of HTTP libraries hold the URL; what the system says does not.
    hung_up = any(isinstance(one, _HUNG_UP) for one in chain)
    for one in reversed(chain):
        if isinstance(one, OSError) and one.errno is not None:
            return Failure(shortened(one.strerror or os.strerror(one.errno)), refused=False, unclear=hung_up)
    if any(isinstance(one, OSError) for one in chain):
        return Failure(type(error).__name__, refused=False, unclear=hung_up)
    return Failure(f"{type(error).__name__}: {shortened(str(error))}", isinstance(error, (TypeError, ValueError)))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
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
    """Whether confluent-kafka says MSG_SIZE_TOO_LARGE, or a broker does; its exceptions hold an error with a code."""
    code = getattr(next(iter(error.args), None), "code", None)
    return callable(code) and code() == _MSG_SIZE_TOO_LARGE


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "without a name"


def shortened(text: str) -> str:
    """Words of a server or a library as one line, without secrets, and not too long."""
    return " ".join(redact(text[: 4 * _LONGEST]).split())[:_LONGEST]
