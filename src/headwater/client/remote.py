"""Lineage behind a server: the same questions, asked over HTTP."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, TypeVar, cast, final
from urllib.parse import urlencode

from headwater.client.failures import no_headwater, question_error, refusal
from headwater.client.http import Reply, Server
from headwater.client.ingest import Request, add_results, in_requests, read_result
from headwater.client.lineage import Lineage
from headwater.common import codec
from headwater.common.address import Address
from headwater.common.codec import NotUnderstood
from headwater.common.errors import StoreError
from headwater.query.errors import BadQuestion
from headwater.query.names import NO_ROOM, name_of, read_answer, written
from headwater.query.questions import Question
from headwater.query.search.resolve import NameNotFound
from headwater.store import IngestResult

T = TypeVar("T")

_QUESTIONS = "/api/v1/questions"
_BATCH = f"{_QUESTIONS}/batch"
_INGEST = "/api/v1/lineage/batch"
# Servers and proxies refuse longer lines, most of them from 8 kB on.
_LONGEST_URL = 6_000
_AT_ONCE = 100


@final
class RemoteLineage(Lineage):
    """Answers from a server. Threads may share it."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self._server = Server(Address.read(url, token))

    def __repr__(self) -> str:
        return f"connect({str(self._server)!r})"

    def ask(self, question: Question[T]) -> T:
        """The answer to a question."""
        path, parts = f"{_QUESTIONS}/{name_of(question)}", written(question)
        query = urlencode(parts | _flags(parts), doseq=True)
        # A URL cannot express an empty list.
        if len(path) + len(query) <= _LONGEST_URL and [] not in parts.values():
            reply = self._server.get(f"{path}?{query}" if query else path)
        else:
            reply = self._server.post(path, json.dumps(parts).encode())
        return cast("T", self._answer(self._document(reply)))

    def ask_all(self, questions: Iterable[Question[T]]) -> list[T | NameNotFound | BadQuestion]:
        """The answers to many questions; those that do not fit into one request go into the next."""
        waiting = list(questions)
        answers: list[T | NameNotFound | BadQuestion] = []
        while waiting:
            batch = [{"question": name_of(question), **written(question)} for question in waiting[:_AT_ONCE]]
            reply = self._server.post(_BATCH, json.dumps({"questions": batch}).encode())
            results = self._document(reply).get("results")
            if not isinstance(results, list) or len(results) != len(batch):
                raise no_headwater(self._server.url, "its answer does not match the questions")
            answered = list(takewhile(lambda result: not _has_no_room(result), results))
            if not answered:
                raise no_headwater(self._server.url, "its answer has no first result")
            answers += [cast("T", self._result(result)) for result in answered]
            waiting = waiting[len(answered) :]
        return answers

    def ingest(self, events: Sequence[Mapping[str, Any]]) -> IngestResult:
        """Ingest OpenLineage events, in as many requests as their size needs; when this returns, they are stored.

        If a connection breaks before the server answers, the events are sent again, and may count as duplicates.
        """
        return add_results(self._send(request) for request in in_requests(events))

    def ingest_many(self, batches: Iterable[Sequence[Mapping[str, Any]]]) -> Iterator[IngestResult]:
        """Ingest batch after batch."""
        return map(self.ingest, batches)

    def close(self) -> None:
        """Close the connections; a later question opens new ones."""
        self._server.close()

    def _send(self, request: Request) -> IngestResult:
        if not request.written:
            return IngestResult(0, 0, tuple(request.rejected))
        reply = self._server.post(_INGEST, request.document, compress=True)
        result = read_result(request, reply.body)
        if result is None:
            raise refusal(reply.status, reply.body, self._server.url)
        return result

    def _document(self, reply: Reply) -> Mapping[str, Any]:
        """The document of an answer, checked."""
        if (error := question_error(reply.body)) is not None:
            raise error
        if reply.status >= 300:  # noqa: PLR2004  no success
            raise refusal(reply.status, reply.body, self._server.url)
        version = reply.body.get("wire") if isinstance(reply.body, dict) else None
        if not isinstance(version, int):
            raise no_headwater(self._server.url, "its answer has no version")
        if version > codec.VERSION:
            raise StoreError(
                f"The server {self._server} uses a newer answer format ({version}) than this Headwater reads"
                f" ({codec.VERSION}): upgrade Headwater here."
            )
        return cast("Mapping[str, Any]", reply.body)

    def _result(self, result: object) -> object:
        if isinstance(result, Mapping) and "error" in result:
            error = question_error(result["error"])
            if error is None:
                raise refusal(500, result["error"], self._server.url)
            return error
        return self._answer(result)

    def _answer(self, document: object) -> object:
        try:
            return read_answer(document if isinstance(document, Mapping) else {})
        except NotUnderstood as error:
            raise no_headwater(self._server.url, str(error)) from error


def _has_no_room(result: object) -> bool:
    error = result.get("error") if isinstance(result, Mapping) else None
    return isinstance(error, Mapping) and error.get("kind") == NO_ROOM


def _flags(parts: Mapping[str, Any]) -> dict[str, str]:
    """True and false as a URL writes them."""
    return {name: str(value).lower() for name, value in parts.items() if isinstance(value, bool)}
