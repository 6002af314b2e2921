"""Threads that run questions on the store, one per connection; a question whose client disconnects is cancelled."""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from http import HTTPStatus
from typing import Annotated, Any, Generic, TypeVar

from fastapi import Depends, Request
from starlette.types import Receive

from headwater.server.http.answers import too_large
from headwater.server.http.errors import ApiError
from headwater.server.http.known_tokens import MAY_READ
from headwater.server.http.metrics import Metrics
from headwater.server.http.store_state import answer_of
from headwater.server.settings.settings import ServerSettings
from headwater.store import Store
from headwater.store.db.session import Session

T = TypeVar("T")
# Most answers are ready before watching for a disconnect pays off.
_UNWATCHED_SECONDS = 0.05
_BETWEEN_CANCELS = 0.2
_CANCELS = 10
CLIENT_GONE = 499
"""The status in the log and the metrics of a request whose client disconnected."""


class Questions:
    """The threads that run questions on a store, and their queue."""

    def __init__(self, store: Store, settings: ServerSettings, metrics: Metrics) -> None:
        self.store = store
        self.settings = settings
        self.metrics = metrics
        self._pool = ThreadPoolExecutor(settings.connections, thread_name_prefix="headwater-question")
        self._accepted = 0

    def close(self) -> None:
        """Accept no more questions, and wait for the running ones."""
        self._pool.shutdown(cancel_futures=True)

    async def ask(self, work: Callable[[Session], T], receive: Receive) -> T:
        """Run a question; cancel it if it takes too long or the client disconnects."""
        question = _RunningQuestion(self.store, work)
        running, answer = self._submit(question.run)
        try:
            await asyncio.wait({answer}, timeout=_UNWATCHED_SECONDS)
            if answer.done():
                return answer.result()
            disconnected = asyncio.ensure_future(_disconnected(receive))
            try:
                left = self.settings.query_timeout - _UNWATCHED_SECONDS
                either: set[asyncio.Future[Any]] = {answer, disconnected}
                await asyncio.wait(either, timeout=max(left, 0), return_when=asyncio.FIRST_COMPLETED)
            finally:
                disconnected.cancel()
        except asyncio.CancelledError:
            running.cancel()
            threading.Thread(target=_cancel, args=(question, running), daemon=True).start()
            raise
        if answer.done():
            return answer.result()
        await self._end(question, running, answer)
        if disconnected.done() and not disconnected.cancelled():
            self.metrics.cancelled.labels("client_gone").inc()
            raise ApiError(CLIENT_GONE, "The client went away.")
        self.metrics.cancelled.labels("timeout").inc()
        raise ApiError(
            HTTPStatus.GATEWAY_TIMEOUT,
            f"The question took more than {self.settings.query_timeout:g} seconds and was cancelled: ask for less,"
            " with a smaller depth or limit.",
        )

    async def write(self, work: Callable[[Session], T]) -> T:
        """Run work in a transaction that writes; once begun, it is never cancelled.

        Raises:
            ApiError: its turn did not come in time.
            StoreError: the store cannot be written, or does not come on.
        """
        running, answer = self._submit(lambda: self.store.transact(work))
        await asyncio.wait({answer}, timeout=self.settings.store_timeout)
        if not answer.done() and running.cancel():
            raise ApiError(
                HTTPStatus.SERVICE_UNAVAILABLE,
                f"The request waited {self.settings.store_timeout:g} seconds for the store, and its turn did not come:"
                " send it again later.",
                {"Retry-After": "5"},
            )
        return await answer_of(answer, self.store, self.settings.write_limit)

    def _submit(self, work: Callable[[], T]) -> "tuple[Future[T], asyncio.Future[T]]":
        if self._accepted >= self.settings.connections + self.settings.waiting_questions:
            self.metrics.refused.labels("waiting_questions").inc()
            message = "The server's queue of questions is full: ask again later."
            raise ApiError(HTTPStatus.SERVICE_UNAVAILABLE, message, {"Retry-After": "1"})

        def counted() -> T:
            self.metrics.waiting.dec()
            with self.metrics.asking.track_inprogress():
                return work()

        def over(answer: "asyncio.Future[T]") -> None:
            self._accepted -= 1
            if answer.cancelled():
                self.metrics.waiting.dec()
            else:
                answer.exception()  # marks it as retrieved, even if nobody waits for it

        self._accepted += 1
        self.metrics.waiting.inc()
        running = self._pool.submit(counted)
        answer = asyncio.wrap_future(running)
        answer.add_done_callback(over)
        return running, answer

    async def _end(self, question: "_RunningQuestion[T]", running: "Future[T]", answer: "asyncio.Future[T]") -> None:
        """Cancel a question, waiting or running."""
        running.cancel()
        for _ in range(_CANCELS):
            if answer.done():
                return
            await asyncio.to_thread(question.cancel)
            await asyncio.wait({answer}, timeout=_BETWEEN_CANCELS)


class Asker:
    """Runs questions for one request. A route takes it as `asker: Asking` and awaits `asker.ask(lambda session: …)`."""

    def __init__(self, questions: Questions, receive: Receive, *, may_read: bool = True) -> None:
        self._questions = questions
        self._receive = receive
        self.may_read = may_read
        """Whether the answer may contain what the store had before; a change may come from who may only write."""

    @property
    def store(self) -> Store:
        """The store."""
        return self._questions.store

    @property
    def settings(self) -> ServerSettings:
        """The limits to keep to, such as `max_result_nodes`."""
        return self._questions.settings

    def check_size(self, size: int) -> None:
        """Refuse an answer that already has so many bytes, if that is too many (ApiError, 413)."""
        most = self.settings.max_answer_bytes
        if size > most:
            self._questions.metrics.refused.labels("answer_bytes").inc()
            raise ApiError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, too_large(f"more than {most} bytes", most))

    async def ask(self, question: Callable[[Session], T]) -> T:
        """The answer to a question, from one moment of the store."""
        return await self._questions.ask(question, self._receive)

    async def change(self, work: Callable[[Session], T]) -> T:
        """Run work in a transaction that writes; when this returns, it is on disk."""
        return await self._questions.write(work)


class _RunningQuestion(Generic[T]):
    """A question that can be cancelled before, while and after it has a session."""

    def __init__(self, store: Store, work: Callable[[Session], T]) -> None:
        self._store = store
        self._work = work
        self._session: Session | None = None
        self._cancelled = False

    def run(self) -> T:
        with self._store.read() as session:
            self._session = session
            if self._cancelled:
                session.cancel()
            return self._work(session)

    def cancel(self) -> None:
        self._cancelled = True
        if self._session is not None:
            # A database server that is unreachable has ended the question already.
            with contextlib.suppress(Exception):
                self._session.cancel()


def asker_for(request: Request) -> Asker:
    """What runs the questions of a request."""
    return Asker(request.app.state.questions, request.receive, may_read=request.scope.get(MAY_READ, True))


async def _asker(request: Request) -> Asker:
    # A coroutine, although it awaits nothing: FastAPI would call a plain function in a thread.
    return asker_for(request)


Asking = Annotated[Asker, Depends(_asker)]


def _cancel(question: "_RunningQuestion[T]", running: "Future[T]") -> None:
    """Cancel a question that no request waits for."""
    while not running.done():
        question.cancel()
        time.sleep(_BETWEEN_CANCELS)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
