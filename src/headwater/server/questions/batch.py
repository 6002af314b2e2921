"""Many questions in one request, answered from one state of the store."""

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import ValidationError

from headwater.common import codec
from headwater.query.answering import answer
from headwater.query.errors import BadQuestion
from headwater.query.names import NO_ROOM, QUESTIONS, answer_text, read_question
from headwater.query.questions import Question
from headwater.server.questions.failures import MATTERS_OF_THE_QUESTION, error_body, in_one_sentence
from headwater.server.questions.formats import packed
from headwater.server.questions.limits import MOST_BYTES, bounded
from headwater.server.questions.models import question_model
from headwater.store import Store
from headwater.store.db.session import Session

_NO_ROOM = {
    "code": 413,
    "message": "The earlier answers filled the response: ask this question again.",
    "kind": NO_ROOM,
}


def read_one(document: dict[str, Any]) -> Question[Any]:
    """Read a question of a batch.

    Raises:
        BadQuestion: it is invalid.
    """
    name = document.get("question")
    if not isinstance(name, str) or name not in QUESTIONS:
        raise BadQuestion(f"question: must be one of {', '.join(QUESTIONS)}")
    try:
        parts = question_model(name).model_validate(
            {key: value for key, value in document.items() if key != "question"}
        )
    except ValidationError as error:
        raise BadQuestion(in_one_sentence(error)) from None
    return read_question(name, parts.model_dump(exclude_unset=True))


def answer_all(
    questions: Sequence[dict[str, Any]], store: Store, session: Session, most_nodes: int, most_bytes: int = MOST_BYTES
) -> bytes:
    """The body of the response: the answer or the error of each question."""
    results = b",".join(_results(questions, store, session, most_nodes, most_bytes))
    return b'{"wire":%d,"results":[%s]}' % (codec.VERSION, results)


def _results(
    questions: Sequence[dict[str, Any]], store: Store, session: Session, most_nodes: int, most_bytes: int
) -> Iterator[bytes]:
    room = most_bytes
    for parts in questions:
        if room <= 0:
            yield packed({"error": _NO_ROOM})
            continue
        try:
            result = answer_text(answer(bounded(read_one(parts), most_nodes), store, session)).encode()
        except MATTERS_OF_THE_QUESTION as error:
            result = packed({"error": error_body(error)})
        room -= len(result)
        yield result
