"""Routes that are functions of a session: `GET` reads from it; all other methods write, in one transaction."""

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from inspect import Signature, signature
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi.responses import Response
from pydantic import BaseModel

from headwater.server.http.query_threads import Asker, Asking

# Answers have no cycles: to check for them would take a third of the time.
_NAMES = ("id", "name", "namespace")
_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


@dataclass(frozen=True, slots=True)
class Written:
    """An answer that is JSON already."""

    content: bytes


def encoded(answer: object) -> bytes:
    """An answer, or a part of one, as JSON."""
    return _encode(answer).encode()


class SessionRoutes(APIRouter):
    """Routes of Marquez's API. Each function takes a session, then its parameters, and returns the answer as JSON."""

    def __init__(self, topic: str) -> None:
        super().__init__(prefix="/api/v1", tags=[f"Marquez: {topic}"])

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:  # noqa: ANN401  FastAPI's
        """Add a route that runs a function on a session."""
        reads = set(options.get("methods") or ["GET"]) == {"GET"}
        route = _on_session(endpoint, reads=reads, status=options.get("status_code") or 200)
        super().add_api_route(path, route, **options)


def _on_session(function: Callable[..., Any], *, reads: bool, status: int) -> Callable[..., Awaitable[Response]]:
    async def route(asker: Asker, **values: Any) -> Response:  # noqa: ANN401  the route's own parameters
        if reads:
            # Written where it was found: meanwhile other requests go on.
            content = await asker.ask(lambda session: _content(function(session, **values)))
        else:
            answer = await asker.change(lambda session: function(session, **values))
            content = _content(answer if asker.may_read else _what_was_sent(answer, values.values()))
        return Response(content, status, media_type="application/json")

    # Not `functools.wraps`: FastAPI would look through it, and take the route for a function that does not await.
    route.__name__, route.__doc__ = function.__name__, function.__doc__
    session, *parameters = signature(function).parameters.values()
    asker = session.replace(name="asker", annotation=Asking)
    route.__signature__ = Signature([asker, *parameters])  # type: ignore[attr-defined]
    return route


def _content(answer: object) -> bytes:
    return answer.content if isinstance(answer, Written) else encoded(answer)


def _what_was_sent(answer: Mapping[str, Any], values: Iterable[object]) -> dict[str, Any]:
    """The answer to a change for who may not read: the name and the id of what was changed, and what the body says."""
    shown = {key: answer[key] for key in _NAMES if key in answer}
    for value in values:
        if isinstance(value, BaseModel):
            shown |= value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return shown


async def _check_size(asker: Asking) -> Callable[[int], None]:
    return asker.check_size


CheckSize = Annotated[Callable[[int], None], Depends(_check_size)]
"""Refuses an answer that has become too large; not a parameter of the request."""


async def _most_nodes(asker: Asking) -> int:
    return asker.settings.max_result_nodes


MostNodes = Annotated[int, Depends(_most_nodes)]
"""The most nodes that an answer may have; not a parameter of the request."""
