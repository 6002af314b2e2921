"""Errors in Marquez's format: `{"code": 404, "message": "…"}`."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.routing import Match

from headwater.common.errors import StoreError
from headwater.openlineage.model.event import BadEvent
from headwater.query.search.resolve import AmbiguousName, UnknownName
from headwater.server.http.json_responses import JSONResponse
from headwater.store.errors import Full

_METHODS = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")


class Problem(BaseModel):
    """What is wrong: the status, and a sentence that names the field and the reason."""

    code: int
    message: str


ANY_ERROR: dict[int | str, dict[str, Any]] = {
    "default": {"description": "The request failed. `code` is the status, and `message` says why.", "model": Problem}
}
"""The errors of every route: a token is missing, the server is busy, and so on."""


class ApiError(HTTPException):
    """An error response: its status, and a sentence that names the field and the reason.

    One of Starlette's own errors, which FastAPI passes on where it reads a body.

    >>> str(ApiError(400, "depth: must be 0 or more."))
    'depth: must be 0 or more.'
    """

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, message, dict(headers or {}))
        self.status = status

    def __str__(self) -> str:
        return self.detail


def error_response(status: int, message: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The response of every error."""
    return JSONResponse({"code": status, "message": message}, status, dict(headers or {}))


def store_error_response(error: StoreError) -> JSONResponse:
    """The response while the store is unavailable: nothing was acknowledged, and a retry may succeed."""
    status = HTTPStatus.INSUFFICIENT_STORAGE if isinstance(error, Full) else HTTPStatus.SERVICE_UNAVAILABLE
    return error_response(status, str(error), {"Retry-After": "5"})


def add_error_handlers(app: FastAPI) -> None:
    """Answer every error in the same format."""

    @app.exception_handler(ApiError)
    async def _api_error(_request: Request, error: ApiError) -> JSONResponse:
        return error_response(error.status, str(error), error.headers)

    @app.exception_handler(HTTPException)
    async def _http_error(request: Request, error: HTTPException) -> JSONResponse:
        allowed = {"Allow": _methods_at(request)} if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED else {}
        return error_response(error.status_code, str(error.detail), {**(error.headers or {}), **allowed})

    @app.exception_handler(RequestValidationError)
    async def _invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        return error_response(HTTPStatus.BAD_REQUEST, problem_texts(error))

    @app.exception_handler(BadEvent)
    async def _bad_event(_request: Request, error: BadEvent) -> JSONResponse:
        return error_response(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))

    @app.exception_handler(StoreError)
    async def _store_error(_request: Request, error: StoreError) -> JSONResponse:
        return store_error_response(error)

    @app.exception_handler(UnknownName)
    async def _unknown(_request: Request, error: UnknownName) -> JSONResponse:
        return error_response(HTTPStatus.NOT_FOUND, error.message)

    @app.exception_handler(AmbiguousName)
    async def _ambiguous(_request: Request, error: AmbiguousName) -> JSONResponse:
        return error_response(HTTPStatus.BAD_REQUEST, error.message)


def problem_texts(error: RequestValidationError) -> str:
    """The invalid parameters, each with its reason."""
    return "; ".join(_problem_text(problem) for problem in error.errors())


def _methods_at(request: Request) -> str:
    """The methods of all routes of a path: Starlette names only those of the first."""
    methods = [method for method in _METHODS if _has_route(request, "GET" if method == "HEAD" else method)]
    return ", ".join(methods)


def _has_route(request: Request, method: str) -> bool:
    asked = {**request.scope, "method": method}
    return any(route.matches(asked)[0] is Match.FULL for route in request.app.routes)


def _problem_text(problem: Mapping[str, object]) -> str:
    place = problem.get("loc")
    parts = [str(part) for part in place] if isinstance(place, (list, tuple)) else []
    name = ".".join(parts[1:] or parts)
    return f"{name}: {problem.get('msg')}"
