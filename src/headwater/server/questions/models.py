"""Models of questions and answers for the OpenAPI page, derived from their types.

Models validate questions. Answers are written by `headwater.common.codec` and never pass through a model.
"""

from enum import Enum
from functools import lru_cache
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, create_model

from headwater.common.codec import FieldType, fields_of, is_optional, is_record, without_none, word_of
from headwater.query.names import QUESTIONS
from headwater.query.question_parts import Part
from headwater.query.questions import parts_of
from headwater.render.formats import Format
from headwater.server.http.errors import Problem
from headwater.server.questions.limits import MOST_QUESTIONS

_CLOSED = ConfigDict(extra="forbid")


class ErrorBody(Problem):
    """Why there is no answer; `kind` is set if the question is the cause."""

    kind: str | None = None
    candidates: list[str] = Field(default_factory=list)


class BatchResult(BaseModel):
    """One question's answer, as it would be alone, or its error."""

    kind: str | None = None
    answer: dict[str, Any] | None = None
    error: ErrorBody | None = None


class BatchReply(BaseModel):
    """The answers, in the order of the questions."""

    wire: int
    results: list[BatchResult]


class BatchBody(BaseModel):
    """Questions, each an object with the name of its `question` and its parts."""

    model_config = _CLOSED

    questions: list[dict[str, Any]] = Field(
        max_length=MOST_QUESTIONS,
        examples=[[{"question": "upstream", "dataset": "warehouse/orders", "column": "total"}]],
    )


@lru_cache
def question_model(name: str, *, with_format: bool = False) -> type[BaseModel]:
    """The parts of a question; in a URL also the format of the answer."""
    named = QUESTIONS[name]
    question: Any = named.question
    parts = parts_of(question)
    parameters: dict[str, Any] = {}
    for field in fields_of(question):
        if field.name not in named.said:
            part = parts[field.name]
            kind = _type_of_part(field.type, part)
            parameters[field.name] = kind, Field(_default(field), **_description(part, kind))
    if with_format:
        parameters["format"] = Format | None, Field(None, description="The format of the answer; overrides Accept.")
    suffix = "Query" if with_format else "Question"
    # In a URL everything is text; JSON has types.
    config = ConfigDict(extra="forbid", strict=not with_format)
    return create_model(f"Headwater{name.title()}{suffix}", __config__=config, __doc__=question.__doc__, **parameters)


@lru_cache
def reply_model(name: str) -> Any:  # noqa: ANN401  a model, or a choice of some
    """The model of the answers to a question."""
    replies: Any = None
    for kind in QUESTIONS[name].answers:
        parts: dict[str, Any] = {
            "wire": (int, ...),
            "kind": (Literal[kind.__name__], ...),
            "answer": (_answer_type(kind), ...),
        }
        doc = f"A {kind.__name__}, with the version of its format."
        model = create_model(f"Headwater{kind.__name__}Reply", __config__=_CLOSED, __doc__=doc, **parts)
        replies = model if replies is None else replies | model
    return replies


@lru_cache
def _answer_type(kind: Any) -> Any:  # noqa: ANN401  any type
    """The type of a value in JSON."""
    if is_optional(kind):
        return _answer_type(without_none(kind)) | None
    if get_origin(kind) is tuple:
        parts = get_args(kind)
        return list[_answer_type(parts[0])] if parts[-1] is Ellipsis else tuple[tuple(map(_answer_type, parts))]  # type: ignore[misc]
    if is_record(kind):
        # All fields are written, even those with default values.
        members: dict[str, Any] = {field.name: (_answer_type(field.type), ...) for field in fields_of(kind)}
        return create_model(f"Headwater{kind.__name__}", __config__=_CLOSED, __doc__=kind.__doc__, **members)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _words(kind)
    return kind


def _type_of_part(kind: Any, part: Part) -> Any:  # noqa: ANN401  any type
    """The type of a part as text or JSON; the part itself parses it."""
    if is_optional(kind):
        return _type_of_part(without_none(kind), part) | None
    if part.is_time:
        return str | int
    if get_origin(kind) is tuple:
        return list[_type_of_part(get_args(kind)[0], part)]  # type: ignore[misc]
    return _words(kind, lower=True) if issubclass(kind, Enum) else kind


def _description(part: Part, kind: Any) -> dict[str, Any]:  # noqa: ANN401  any type
    """The description of a part on the page."""
    if kind not in {int, int | None}:
        return {"description": part.said}
    return {"description": part.said, "ge": part.least, "le": part.most}


def _words(kind: type[Enum], *, lower: bool = False) -> Any:  # noqa: ANN401  a type
    words = [word_of(member) for member in kind]
    return Literal[tuple(word.lower() if lower else word for word in words)]


def _default(field: FieldType) -> Any:  # noqa: ANN401  a part of a question
    if field.required:
        return ...
    return word_of(field.default) if isinstance(field.default, Enum) else field.default
