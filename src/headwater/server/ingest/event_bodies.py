"""Bodies of requests as prepared events, and the reasons of those that are rejected."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NoReturn

from starlette.datastructures import Headers

from headwater.openlineage.model.event import BadEvent
from headwater.server.http.errors import ApiError
from headwater.store import Rejected, Store
from headwater.store.ingest.prepared_event import Ready

_JSON = ("application/json", "application/vnd.openlineage+json")
_LINES = ("application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines")
_TYPE = "Content-Type"


@dataclass(frozen=True, slots=True)
class Batch:
    """The prepared events of a batch, and those that cannot be stored, by index."""

    received: int
    ready: Sequence[Ready]
    rejected: Sequence[Rejected]


def check_type(headers: Headers, *, lines: bool = False, also: tuple[str, ...] = ()) -> None:
    """Check the headers: the body must be JSON in UTF-8; `also` are other media types of JSON."""
    content_type = headers.get("content-type")
    if content_type is None:
        return
    kind, *parameters = (part.strip().lower() for part in content_type.split(";"))
    if kind not in (*_JSON, *also, *(_LINES if lines else ())):
        expected = "application/json or application/x-ndjson" if lines else "application/json"
        raise ApiError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"{_TYPE}: must be {expected}, not {content_type[:100]!r}.")
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "charset" and value.strip().strip('"') not in {"utf-8", "utf8", "us-ascii"}:
            raise ApiError(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"{_TYPE}: the charset must be utf-8, not {value[:50]!r}."
            )


def read_event(store: Store, body: bytes, depth: int) -> Ready:
    """Read the event in a body.

    Raises:
        ApiError: the body is not JSON (400), or not an event that can be stored (422).
    """
    raw = read_json(body, depth)
    try:
        return store.ready(raw)
    except BadEvent as bad:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, str(bad)) from None


def read_json(body: bytes, depth: int) -> Any:  # noqa: ANN401  JSON
    """Read the JSON of a body.

    Raises:
        ApiError: not JSON, or nested too deeply (400).
    """
    return _parsed(_text(body), depth)


def is_deeper(document: Any, depth: int) -> bool:  # noqa: ANN401  JSON
    """Whether objects and lists are nested in more levels than `depth`.

    >>> is_deeper([[1]], 1), is_deeper([[1]], 2)
    (True, False)
    """
    level = [document] if isinstance(document, dict | list) else []
    # Level by level, without recursion.
    for _ in range(depth):
        level = [
            value
            for container in level
            for value in (container.values() if isinstance(container, dict) else container)
            if isinstance(value, dict | list)
        ]
        if not level:
            return False
    return bool(level)


def read_batch(store: Store, body: bytes, depth: int) -> Batch:
    """Read the events in a body: a JSON array, or one per line.

    Raises:
        ApiError: the body as a whole is not JSON.
    """
    text = _text(body)
    if not text.strip():
        raise ApiError(HTTPStatus.BAD_REQUEST, "body: is empty: send a JSON array, or one event per line.")
    ready: list[Ready] = []
    rejected: list[Rejected] = []
    count = 0
    # An array itself is one level more.
    for index, raw in enumerate(_parsed(text, depth + 1) if text.lstrip()[0] == "[" else _lines(text, depth)):
        count = index + 1
        if isinstance(raw, BadEvent):
            rejected.append(Rejected(index, raw.field, raw.reason))
            continue
        try:
            ready.append(store.ready(raw))
        except BadEvent as bad:
            rejected.append(Rejected(index, bad.field, bad.reason))
    return Batch(count, ready, rejected)


def _lines(text: str, depth: int) -> Iterator[Any]:
    """The JSON of each line, or why it is not JSON."""
    for line in text.split("\n"):
        if line.strip():
            try:
                yield _parsed(line, depth)
            except ApiError as error:
                yield BadEvent("", str(error).removeprefix("body: ").rstrip("."))


def _text(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ApiError(HTTPStatus.BAD_REQUEST, f"body: is not UTF-8 (byte {error.start}).") from None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def _parsed(text: str, depth: int) -> Any:  # noqa: ANN401  JSON
    try:
        document = _DECODER.decode(text)
    except RecursionError:
        raise _too_deep(depth) from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ApiError(HTTPStatus.BAD_REQUEST, f"body: is not JSON: {error.msg} ({place}).") from None
    except ValueError as error:
        raise ApiError(HTTPStatus.BAD_REQUEST, f"body: is not JSON: {str(error)[:200]}.") from None
    # The event itself is one level.
    if text.count("{") + text.count("[") > depth and is_deeper(document, depth + 1):
        raise _too_deep(depth)
    return document


def _too_deep(depth: int) -> ApiError:
    return ApiError(HTTPStatus.BAD_REQUEST, f"body: is nested more than {depth} levels deep.")
