"""The routes: `/api/v1/questions/…`, one for each question, by GET and by POST; and the batch."""

from collections.abc import Awaitable, Callable, Collection
from http import HTTPStatus
from inspect import Parameter, Signature
from typing import Annotated, Any, get_args, get_origin

from fastapi import APIRouter, Body, Depends, Query, Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from starlette.datastructures import QueryParams

from headwater.common.groups import lists_by_key
from headwater.query.answering import answer
from headwater.query.names import QUESTIONS, read_question
from headwater.render.formats import Format
from headwater.server.http.errors import ApiError
from headwater.server.http.fast_routes import PlainRoute
from headwater.server.http.query_threads import Asker, Asking, asker_for
from headwater.server.questions.batch import answer_all
from headwater.server.questions.failures import MATTERS_OF_THE_QUESTION, error_reply, in_one_sentence
from headwater.server.questions.formats import CONTENT_TYPES, chosen_format, compressed, response, written
from headwater.server.questions.limits import bounded
from headwater.server.questions.models import BatchBody, BatchReply, ErrorBody, question_model, reply_model
from headwater.store.db.session import Session

router = APIRouter(prefix="/api/v1/questions", tags=["Headwater's questions"])

_NOT_ASKED: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorBody, "description": "The question is invalid or ambiguous."}
}
_ERRORS: dict[int | str, dict[str, Any]] = {
    **_NOT_ASKED,
    404: {"model": ErrorBody, "description": "A name was not found; the closest names are listed."},
    406: {"model": ErrorBody, "description": "None of the accepted formats is supported."},
}
_EXPORTS = {kind: {"schema": {"type": "string"}} for chosen, kind in CONTENT_TYPES.items() if chosen is not Format.JSON}


def _dependency(model: type[BaseModel]) -> Callable[..., Awaitable[BaseModel]]:
    """A dependency that reads a model from the body."""

    # A coroutine, although it awaits nothing: FastAPI would call a plain function in a thread.
    async def take(asked: BaseModel) -> BaseModel:
        return asked

    parameter = Parameter("asked", Parameter.POSITIONAL_OR_KEYWORD, annotation=Annotated[model, Body()])
    take.__signature__ = Signature([parameter])  # type: ignore[attr-defined]
    return take


async def _answer(name: str, values: dict[str, Any], chosen: Format, asker: Asker, request: Request) -> Response:
    def work(session: Session) -> tuple[bytes, dict[str, str]]:
        return compressed(request, written(answer(question, asker.store, session), chosen))

    try:
        question = bounded(read_question(name, values), asker.settings.max_result_nodes)
        return response(await asker.ask(work), chosen)
    except MATTERS_OF_THE_QUESTION as error:
        return error_reply(error)


def _by_url(name: str) -> Callable[..., Awaitable[Response]]:
    model = question_model(name, with_format=True)
    lists = {part for part, field in model.model_fields.items() if _is_list(field.annotation)}

    async def ask(request: Request) -> Response:
        values = _read_url(model, lists, request.query_params).model_dump(exclude_unset=True)
        chosen = chosen_format(request, values.pop("format", None))
        return await _answer(name, values, chosen, asker_for(request), request)

    # What the page of the interface shows.
    parameter = Parameter("asked", Parameter.POSITIONAL_OR_KEYWORD, annotation=Annotated[model, Query()])
    ask.__signature__ = Signature([parameter])  # type: ignore[attr-defined]
    return ask


def _is_list(kind: Any) -> bool:  # noqa: ANN401  any type
    return any(get_origin(one) is list for one in (kind, *get_args(kind)))


def _read_url(model: type[BaseModel], lists: Collection[str], query: QueryParams) -> BaseModel:
    """What a URL asks for; of a part that it has twice, the last, where that is no list.

    Raises:
        ApiError: it is invalid (400).
    """
    known = model.model_fields
    values: dict[str, Any] = {
        name: every if name in lists or (name not in known and len(every) > 1) else every[-1]
        # Read once: to look each name up among all of them takes the square of their number.
        for name, every in lists_by_key(query.multi_items()).items()
    }
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise ApiError(HTTPStatus.BAD_REQUEST, in_one_sentence(error)) from None


def _by_body(name: str) -> Callable[..., Awaitable[Response]]:
    take = _dependency(question_model(name))

    async def ask(
        request: Request,
        asker: Asking,
        asked: Annotated[BaseModel, Depends(take)],
        format: Annotated[Format | None, Query(description="The format of the answer; overrides Accept.")] = None,  # noqa: A002  as it is called in URLs
    ) -> Response:
        chosen = chosen_format(request, format)
        return await _answer(name, asked.model_dump(exclude_unset=True), chosen, asker, request)

    return ask


for _name, _named in QUESTIONS.items():
    for _method, _make, _class in (("GET", _by_url, PlainRoute), ("POST", _by_body, APIRoute)):
        router.add_api_route(
            f"/{_name}",
            _make(_name),
            methods=[_method],
            operation_id=f"{_method.lower()}_{_name}",
            summary=(_named.question.__doc__ or "").partition("\n")[0],
            response_model=reply_model(_name),
            responses={200: {"content": _EXPORTS}, **_ERRORS},
            route_class_override=_class,
        )


@router.post("/batch", operation_id="post_batch", response_model=BatchReply, responses=_NOT_ASKED)
async def ask_many(request: Request, asker: Asking, body: BatchBody) -> Response:
    """Answer many questions from one state of the store. Each gets an answer or an error, in order."""
    most = asker.settings.max_result_nodes

    def work(session: Session) -> tuple[bytes, dict[str, str]]:
        return compressed(request, answer_all(body.questions, asker.store, session, most))

    return response(await asker.ask(work))
