"""A server's error responses as the errors that a store raises, with messages for the user."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from headwater.common.errors import StoreError
from headwater.query.errors import BadQuestion
from headwater.query.search.resolve import AmbiguousName, NameNotFound, NotKnownThen, UnknownName

_NAMES: Mapping[str, type[NameNotFound]] = {kind.__name__: kind for kind in (UnknownName, NotKnownThen, AmbiguousName)}
_SENTENCES: Mapping[int, str] = {
    HTTPStatus.UNAUTHORIZED: (
        "The server {url} rejected your token, or you sent none: set HEADWATER_TOKEN, or use connect(url, token=…)."
    ),
    HTTPStatus.FORBIDDEN: "Your token does not allow this on the server {url}: get one with that scope ({message}).",
    HTTPStatus.TOO_MANY_REQUESTS: "The server {url} is busy: try again later.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The request is too large for the server {url}: {message}",
}


def question_error(body: object) -> NameNotFound | BadQuestion | None:
    """The error of a question, from the body of an answer; None if the body has none."""
    if not isinstance(body, Mapping):
        return None
    message, kind = str(body.get("message", "")), str(body.get("kind", ""))
    if kind in _NAMES:
        listed = body.get("candidates")
        return _NAMES[kind](message, [str(name) for name in listed] if isinstance(listed, list) else [])
    return BadQuestion(message) if kind == BadQuestion.__name__ else None


def refusal(status: int, body: Any, url: str) -> StoreError:  # noqa: ANN401  any JSON, or None
    """The error for a request that a server rejects for another reason than the question."""
    message = str(body["message"]) if isinstance(body, Mapping) and "message" in body else ""
    if status in _SENTENCES:
        return StoreError(_SENTENCES[status].format(url=url, message=message or HTTPStatus(status).phrase))
    if not message or status == HTTPStatus.NOT_FOUND:
        return no_headwater(url, f"status {status}")
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return StoreError(f"The server {url} failed: {message}")
    return StoreError(f"The server {url} refused the request: {message}")


def no_headwater(url: str, why: str) -> StoreError:
    """The error where something else answers than a Headwater server, or an older one."""
    return StoreError(
        f"No Headwater server with a questions API answers at {url} ({why}): check the address, and upgrade"
        " Headwater there if it is older."
    )
