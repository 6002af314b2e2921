"""Questions are asked in threads, as many at once as there are connections, and ended when nobody wants the answer."""

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

from headwater.server.http.errors import ApiError
from headwater.server.http.metrics import Metrics
from headwater.server.settings.settings import ServerSettings
from headwater.store import Store
from headwater.store.db.session import Session

T = TypeVar("T")
# Most answers are there before it is worth while to watch whether the client stays.
_UNWATCHED_SECONDS = 0.05
_BETWEEN_CANCELS = 0.2
_CANCELS = 10
CLIENT_GONE = 499
"""What the log and the metrics say of a request whose client did not wait for the answer."""


class Questions:
    """The threads that ask one store, and the line before them."""

    def __init__(self, store: Store, settings: ServerSettings, metrics: Metrics) -> None:
        self.store = store
        self.settings = settings
        self._metrics = metrics
        self._pool = ThreadPoolExecutor(settings.connections, thread_name_prefix="headwater-question")
        self._accepted = 0

    def close(self) -> None:
        """Take no more; those that are asked are waited for."""
        self._pool.shutdown(cancel_futures=True)

    async def put(self, work: Callable[[Session], T], receive: Receive) -> T:
        """Ask a question, and end it where it takes too long or nobody listens any more."""
        asked = _Asked(self.store, work)
        running, answer = self._submit(asked.run)
        try:
            await asyncio.wait({answer}, timeout=_UNWATCHED_SECONDS)
            if answer.done():
                return answer.result()
            gone = asyncio.ensure_future(_disconnected(receive))
            try:
                left = self.settings.query_timeout - _UNWATCHED_SECONDS
                either: set[asyncio.Future[Any]] = {answer, gone}
                await asyncio.wait(either, timeout=max(left, 0), return_when=asyncio.FIRST_COMPLETED)
            finally:
                gone.cancel()
        except asyncio.CancelledError:
            running.cancel()
            threading.Thread(target=_cancel, args=(asked, running), daemon=True).start()
            raise
        if answer.done():
            return answer.result()
        await self._end(asked, running, answer)
        if gone.done() and not gone.cancelled():
            self._metrics.cancelled.labels("client_gone").inc()
            raise ApiError(CLIENT_GONE, "The client went away.")
        self._metrics.cancelled.labels("timeout").inc()
        raise ApiError(
            HTTPStatus.GATEWAY_TIMEOUT,
            f"The question took more than {self.settings.query_timeout:g} seconds and was cancelled: ask for less,"
            " with a smaller depth or limit.",
        )

    async def write(self, work: Callable[[Session], T]) -> T:
        """Do some work in a transaction that writes; it is not ended early."""
        return await asyncio.shield(self._submit(lambda: self.store.transact(work))[1])

    def _submit(self, work: Callable[[], T]) -> "tuple[Future[T], asyncio.Future[T]]":
        if self._accepted >= self.settings.connections + self.settings.waiting_questions:
            self._metrics.refused.labels("waiting_questions").inc()
            said = "The server's queue of questions is full: ask again later."
            raise ApiError(HTTPStatus.SERVICE_UNAVAILABLE, said, {"Retry-After": "1"})

        def counted() -> T:
            self._metrics.waiting.dec()
            with self._metrics.asking.track_inprogress():
                return work()

        def over(answer: "asyncio.Future[T]") -> None:
            self._accepted -= 1
            if answer.cancelled():
                self._metrics.waiting.dec()
            else:
                answer.exception()  # seen, also where nobody waits for it any more

        self._accepted += 1
        self._metrics.waiting.inc()
        running = self._pool.submit(counted)
        answer = asyncio.wrap_future(running)
        answer.add_done_callback(over)
        return running, answer

    async def _end(self, asked: "_Asked[T]", running: "Future[T]", answer: "asyncio.Future[T]") -> None:
        """End a question, whether it waits or is asked already."""
        running.cancel()
        for _ in range(_CANCELS):
            if answer.done():
                return
            await asyncio.to_thread(asked.cancel)
            await asyncio.wait({answer}, timeout=_BETWEEN_CANCELS)


class Asker:
    """Asks for one request. A route takes it as `asker: Asking` and awaits `asker.ask(lambda session: …)`."""

    def __init__(self, questions: Questions, receive: Receive) -> None:
        self._questions = questions
        self._receive = receive

    @property
    def store(self) -> Store:
        """The store that is asked."""
        return self._questions.store

    @property
    def settings(self) -> ServerSettings:
        """The limits to keep to, such as `max_result_nodes`."""
        return self._questions.settings

    async def ask(self, question: Callable[[Session], T]) -> T:
        """The answer to a question, from one moment of the store."""
        return await self._questions.put(question, self._receive)

    async def change(self, work: Callable[[Session], T]) -> T:
        """Do some work in a transaction that writes; when this returns, it is on disk."""
        return await self._questions.write(work)


class _Asked(Generic[T]):
    """A question on its way: it may be cancelled before it has a session, while it has one, and afterwards."""

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
            # A server that cannot be reached any more has ended the question by itself.
            with contextlib.suppress(Exception):
                self._session.cancel()


def _asker(request: Request) -> Asker:
    return Asker(request.app.state.questions, request.receive)


Asking = Annotated[Asker, Depends(_asker)]


def _cancel(asked: "_Asked[T]", running: "Future[T]") -> None:
    """End a question for which no request waits any more."""
    while not running.done():
        asked.cancel()
        time.sleep(_BETWEEN_CANCELS)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
