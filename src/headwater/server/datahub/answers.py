"""Responses to DataHub's clients: success, or what was refused and why, in Rest.li's format.

>>> import json
>>> json.loads(refusal(422, "It is no URN.").body)["message"]
'It is no URN.'
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.responses import Response

from headwater.fields.errors import DataHubError
from headwater.server.datahub.change_requests import Received, Refusal
from headwater.server.http.errors import ApiError, problem_texts
from headwater.server.http.json_responses import JSONResponse

_CLASS = "com.linkedin.restli.server.RestLiServiceException"
_MOST_IN_WORDS = 3


class RefusedChange(BaseModel):
    """A refused change: its place in the request, the entity, the aspect, and why."""

    index: int
    urn: str | None
    aspect: str | None
    reason: str


class RestLiProblem(BaseModel):
    """What is wrong, in Rest.li's format; `refused` lists the changes that are not stored.

    A request refused before it reaches DataHub's routes has only `code` and `message`.
    """

    code: int
    message: str
    status: int | None = None
    exceptionClass: str | None = None  # noqa: N815  as Rest.li calls it
    refused: list[RefusedChange] = []


def _problem(description: str) -> dict[str, Any]:
    return {"model": RestLiProblem, "description": description}


READING: dict[int | str, dict[str, Any]] = {
    400: _problem("The URN is malformed, or a parameter is invalid."),
    404: _problem("No such entity or aspect."),
}
WRITING: dict[int | str, dict[str, Any]] = {
    400: _problem(
        "The body is not JSON, not UTF-8, not the gzip it claims to be, nested too deeply, or not in DataHub's format."
    ),
    415: _problem("The body has an unsupported type or encoding."),
    422: _problem("Some changes cannot be used. Each is listed with its reason; all others are stored."),
}


def refusal(
    status: int, message: str, refused: Sequence[Refusal] = (), headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """A refusal in Rest.li's format."""
    body: dict[str, Any] = {"code": status, "status": status, "message": message, "exceptionClass": _CLASS}
    if refused:
        body["refused"] = [asdict(change) for change in refused]
    return JSONResponse(body, status, dict(headers or {}))


def write_response(received: Received, body: Any) -> JSONResponse:  # noqa: ANN401  JSON
    """The response to changes: `body`, or what was refused.

    The stock client raises on 4xx and sends again on 5xx. Sending a refused change again would not help, so the status
    is 422, even if only some changes are refused.
    """
    if not received.refused:
        return JSONResponse(body)
    reasons = " ".join(str(change) for change in received.refused[:_MOST_IN_WORDS])
    more = f" And {left} more." if (left := len(received.refused) - _MOST_IN_WORDS) > 0 else ""
    stored = " Changes that are not listed are stored." if len(received.refused) > 1 or received.changes else ""
    return refusal(HTTPStatus.UNPROCESSABLE_ENTITY, f"{reasons}{more}{stored}", received.refused)


class DataHubRoute(APIRoute):
    """A route whose errors are in the format that DataHub's clients read."""

    def get_route_handler(self) -> Callable[[Request], Any]:
        """The route's own handler, with errors in Rest.li's format."""
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            try:
                return await handler(request)
            except DataHubError as error:
                return refusal(HTTPStatus.BAD_REQUEST, str(error))
            except RequestValidationError as error:
                return refusal(HTTPStatus.BAD_REQUEST, problem_texts(error))
            except ApiError as error:
                return refusal(error.status, str(error), headers=error.headers)

        return handle
