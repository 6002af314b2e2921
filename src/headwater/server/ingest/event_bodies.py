"""Bodies of requests as prepared events, and the reasons of those that are rejected."""

import codecs
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any

from starlette.datastructures import Headers

from headwater.common.json_text import DECODER, read_json
from headwater.openlineage.model.check import is_deeper
from headwater.openlineage.model.event import BadEvent
from headwater.server.http.errors import ApiError
from headwater.store import Rejected, Store
from headwater.store.ingest.prepared_event import Ready
from headwater.store.model.event_texts import elements

_JSON = ("application/json", "application/vnd.openlineage+json")
_LINES = ("application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines")
_TYPE = "Content-Type"
_NOT_BLANK = re.compile(rb"\S")
_LINE = re.compile(rb"\S[^\n]*")
_BLANK = re.compile(r"[ \t\n\r]*")
MOST_LISTED = 1_000
"""Of the rejected events of a batch: the first are listed with their reasons, all are counted."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The prepared events of a batch, with their indices, and the first of those that cannot be stored."""

    received: int
    ready: Sequence[Ready]
    indices: Sequence[int]
    rejected: Sequence[Rejected]
    rejected_count: int


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
    try:
        return store.ready_text(body, partial(json_of, depth=depth), depth)
    except BadEvent as bad:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, str(bad)) from None


def json_of(body: bytes, depth: int) -> Any:  # noqa: ANN401  JSON
    """Read the JSON of a body.

    Raises:
        ApiError: not JSON, or nested too deeply (400).
    """
    with _plain_errors(depth):
        document = read_json(body)
    if body.count(b"{") + body.count(b"[") > depth and is_deeper(document, depth + 1):
        raise _too_deep(depth)
    return document


def read_batch(store: Store, body: bytes, depth: int, most: int) -> Batch:
    """Read the events in a body: a JSON array, or one per line. One event after the other is read and prepared.

    Raises:
        ApiError: the body as a whole is not JSON (400), or holds more than `most` events (413).
    """
    body = body.removeprefix(codecs.BOM_UTF8)
    first = _NOT_BLANK.search(body)
    if first is None:
        raise ApiError(HTTPStatus.BAD_REQUEST, "body: is empty: send a JSON array, or one event per line.")
    ready: list[Ready] = []
    indices: list[int] = []
    rejected: list[Rejected] = []
    count = rejected_count = 0
    read = _ready_elements if first[0] == b"[" else _ready_lines
    for index, event in enumerate(read(store, body, depth)):
        if index == most:
            raise ApiError(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"body: holds more than {most} events (max_batch_events)."
            )
        count = index + 1
        if isinstance(event, BadEvent):
            rejected_count += 1
            if len(rejected) < MOST_LISTED:
                rejected.append(Rejected(index, event.field, event.reason))
        else:
            ready.append(event)
            indices.append(index)
    return Batch(count, ready, indices, rejected, rejected_count)


def _ready_lines(store: Store, body: bytes, depth: int) -> Iterator[Ready | BadEvent]:
    """The event of each line, or what is wrong with it."""
    for line in _LINE.finditer(body):
        try:
            yield _ready_text(store, line[0], depth)
        except ApiError as error:  # noqa: PERF203  each line is good or bad by itself
            yield BadEvent("", str(error).removeprefix("body: ").rstrip("."))


def _ready_elements(store: Store, body: bytes, depth: int) -> Iterator[Ready | BadEvent]:
    """Each event of a JSON array, or what is wrong with it.

    Raises:
        ApiError: the body is not JSON.
    """
    text = _text(body)
    written = elements(body)
    if written is None:
        for document in _elements(text, depth):
            try:
                yield store.ready(document)
            except BadEvent as bad:  # noqa: PERF203  each event is good or bad by itself
                yield bad
        return
    try:
        for element in written:
            yield _ready_text(store, element, depth)
    except ApiError:
        # Where in the body that is, reading all of it tells.
        for _ in _elements(text, depth):
            pass
        raise


def _ready_text(store: Store, text: bytes, depth: int) -> Ready | BadEvent:
    try:
        return store.ready_text(text, partial(json_of, depth=depth), depth)
    except BadEvent as bad:
        return bad


def _elements(text: str, depth: int) -> Iterator[Any]:
    """The elements of a JSON array, each read when it is its turn.

    >>> list(_elements(' [1, {"a": []}] ', 5))
    [1, {'a': []}]
    """
    place = _after_blank(text, text.index("[") + 1)
    closed = text[place : place + 1] == "]"
    while not closed:
        with _plain_errors(depth):
            document, end = DECODER.raw_decode(text, place)
            brackets = text.count("{", place, end) + text.count("[", place, end)
            if brackets > depth and is_deeper(document, depth + 1):
                raise _too_deep(depth)
            yield document
            place = _after_blank(text, end)
            closed = text[place : place + 1] == "]"
            if not closed and text[place : place + 1] != ",":
                raise json.JSONDecodeError("Expecting ',' delimiter", text, place)
            place = _after_blank(text, place + 1) if not closed else place
    place = _after_blank(text, place + 1)
    if place != len(text):
        with _plain_errors(depth):
            raise json.JSONDecodeError("Extra data", text, place)


def _text(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise _not_utf8(error) from None


@contextmanager
def _plain_errors(depth: int) -> Iterator[None]:
    try:
        yield
    except RecursionError:
        raise _too_deep(depth) from None
    except UnicodeDecodeError as error:
        raise _not_utf8(error) from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ApiError(HTTPStatus.BAD_REQUEST, f"body: is not JSON: {error.msg} ({place}).") from None
    except ValueError as error:
        raise ApiError(HTTPStatus.BAD_REQUEST, f"body: is not JSON: {str(error)[:200]}.") from None


def _after_blank(text: str, place: int) -> int:
    blank = _BLANK.match(text, place)
    return blank.end() if blank else place


def _not_utf8(error: UnicodeDecodeError) -> ApiError:
    return ApiError(HTTPStatus.BAD_REQUEST, f"body: is not UTF-8 (byte {error.start}).")


def _too_deep(depth: int) -> ApiError:
    return ApiError(HTTPStatus.BAD_REQUEST, f"body: is nested more than {depth} levels deep.")
