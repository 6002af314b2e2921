"""Errors of questions, for people and for programs."""

from http import HTTPStatus
from typing import Any

from pydantic import ValidationError

from headwater.query.errors import BadQuestion
from headwater.query.search.resolve import NameNotFound, UnknownName
from headwater.render.formats import CannotExport
from headwater.server.http.json_responses import JSONResponse

MATTERS_OF_THE_QUESTION = (NameNotFound, BadQuestion, CannotExport)


def error_body(error: Exception) -> dict[str, Any]:
    """The body of an error that the question causes.

    >>> error_body(BadQuestion("since is after until"))
    {'code': 400, 'message': 'since is after until', 'kind': 'BadQuestion'}
    """
    code = HTTPStatus.NOT_FOUND if isinstance(error, UnknownName) else HTTPStatus.BAD_REQUEST
    message = error.message if isinstance(error, NameNotFound) else str(error)
    body = {"code": int(code), "message": message, "kind": type(error).__name__}
    return body | ({"candidates": list(error.candidates)} if isinstance(error, NameNotFound) else {})


def error_reply(error: Exception) -> JSONResponse:
    """The response of such an error."""
    body = error_body(error)
    return JSONResponse(body, body["code"])


def in_one_sentence(error: ValidationError) -> str:
    """The invalid parts of a question, each with its reason."""
    return "; ".join(f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in error.errors())
