"""What DataHub's clients are told: that all was taken, or what was not and why, in the shape that they read.

>>> import json
>>> json.loads(refusal(422, "It is no URN.").body)["message"]
'It is no URN.'
"""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.responses import Response

from headwater.fields.errors import DataHubError
from headwater.server.datahub.received import Received, Refusal
from headwater.server.http.errors import ApiError, invalid_words

_CLASS = "com.linkedin.restli.server.RestLiServiceException"
_MOST_IN_WORDS = 3


class RefusedChange(BaseModel):
    """A change that was not taken: its place in the request, the entity, the aspect, and why."""

    index: int
    urn: str | None
    aspect: str | None
    reason: str


class RestLiProblem(BaseModel):
    """What is wrong, as Rest.li says it; `refused` lists changes of a request, of which all others are stored.

    What is refused before it comes to DataHub's routes has `code` and `message` alone.
    """

    code: int
    message: str
    status: int | None = None
    exceptionClass: str | None = None  # noqa: N815  as Rest.li calls it
    refused: list[RefusedChange] = []


def _says(words: str) -> dict[str, Any]:
    return {"model": RestLiProblem, "description": words}


READING: dict[int | str, dict[str, Any]] = {
    400: _says("The URN is malformed, or a parameter is invalid."),
    404: _says("No such entity or aspect."),
}
WRITING: dict[int | str, dict[str, Any]] = {
    400: _says(
        "The body is not JSON, not UTF-8, not the gzip it claims to be, nested too deeply, or not in DataHub's format."
    ),
    415: _says("The body has an unsupported type or encoding."),
    422: _says("Some changes cannot be used. Each is listed with its reason; all others are stored."),
}


def refusal(
    status: int, message: str, refused: Sequence[Refusal] = (), headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """A refusal as Rest.li writes it."""
    body: dict[str, Any] = {"code": status, "status": status, "message": message, "exceptionClass": _CLASS}
    if refused:
        body["refused"] = [one.to_dict() for one in refused]
    return JSONResponse(body, status, dict(headers or {}))


def taken(found: Received, body: Any) -> JSONResponse:  # noqa: ANN401  JSON
    """What a client is told of what it sent: `body`, or what was refused.

    The stock client raises on 4xx and sends again on 5xx: what cannot be used never will be, so 422 it is, also where
    only some of it cannot.
    """
    if not found.refused:
        return JSONResponse(body)
    said = " ".join(str(one) for one in found.refused[:_MOST_IN_WORDS])
    more = f" And {left} more." if (left := len(found.refused) - _MOST_IN_WORDS) > 0 else ""
    kept = " Changes that are not listed are stored." if len(found.refused) > 1 or found.changes else ""
    return refusal(HTTPStatus.UNPROCESSABLE_ENTITY, f"{said}{more}{kept}", found.refused)


class DataHubRoute(APIRoute):
    """A route whose refusals are as DataHub's clients read them."""

    def get_route_handler(self) -> Callable[[Request], Any]:
        """The route's own handler, with errors said in Rest.li's shape."""
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            try:
                return await handler(request)
            except DataHubError as error:
                return refusal(HTTPStatus.BAD_REQUEST, str(error))
            except RequestValidationError as error:
                return refusal(HTTPStatus.BAD_REQUEST, invalid_words(error))
            except ApiError as error:
                return refusal(error.status, str(error), headers=error.headers)

        return handle
