"""Answers on their way to clients: no larger than a limit, and all of them together within a number of bytes.

An answer is held until its client has read it. Clients that read slowly are cut off when others need the room.
"""

from http import HTTPStatus

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headwater.server.http.budget import Budget, Hold
from headwater.server.http.errors import error_response
from headwater.server.http.metrics import Metrics
from headwater.server.http.protocol import ABORT
from headwater.server.settings.settings import ServerSettings

# Smaller answers are passed on as they are; larger ones piece by piece, as the client reads them.
_PIECE = 16 * 1024
_LATER = {"Retry-After": "1"}


class Answers:
    """Passes answers on as fast as clients read them, and refuses those over a limit."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics
        self._budget = Budget(settings.max_answers_in_flight, metrics.answers.set)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(scope, send, self._budget.hold(), self._settings, self._metrics)
        try:
            await self._app(scope, receive, answer.send)
            if answer.refusal is not None:
                await answer.refusal(scope, receive, send)
        finally:
            answer.hold.close()


class _Answer:
    """One answer. It begins to be sent with the first part of its body: until then it can be refused."""

    def __init__(self, scope: Scope, send: Send, hold: Hold, settings: ServerSettings, metrics: Metrics) -> None:
        self._abort = scope.get(ABORT)
        self._send = send
        self._settings = settings
        self._metrics = metrics
        self._start: Message | None = None
        self.hold = hold
        self.refusal: Response | None = None
        self._is_refused = False

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            self._start = message
            return
        body = message.get("body", b"")
        if self._is_refused or not self._fits(len(body)):
            return
        if self._start is not None:
            start, self._start = self._start, None
            await self._send(start)
        # All of the body stays in memory until its last part is sent.
        view = memoryview(body)
        while len(view) > _PIECE:
            await self._send({**message, "body": bytes(view[:_PIECE]), "more_body": True})
            view = view[_PIECE:]
        await self._send({**message, "body": bytes(view)})

    def _fits(self, size: int) -> bool:
        """Whether a part of the body may be sent; else the answer is refused, or cut off if it has begun."""
        if size <= _PIECE:
            return True
        most = self._settings.max_answer_bytes
        if size > most:
            self._refuse("answer_bytes", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, too_large(f"{size} bytes", most))
            return False
        self.hold.cut = self._cut
        if self.hold.take(size):
            return True
        message = "Too many answers wait for their clients to read them (max_answers_in_flight): ask again later."
        self._refuse("answers_in_flight", HTTPStatus.SERVICE_UNAVAILABLE, message)
        return False

    def _refuse(self, limit: str, status: int, message: str) -> None:
        self._metrics.refused.labels(limit).inc()
        self._is_refused = True
        if self._start is not None:
            self.refusal = error_response(status, message, _LATER if status == HTTPStatus.SERVICE_UNAVAILABLE else {})
        elif self._abort:
            self._abort()

    def _cut(self) -> None:
        self._metrics.refused.labels("answers_in_flight").inc()
        if self._abort:
            self._abort()


def too_large(size: str, most: int) -> str:
    """What is said of an answer that is too large.

    >>> too_large("9 bytes", 8)
    'The answer has 9 bytes; the limit is 8 (max_answer_bytes): ask for less, with a smaller limit or depth.'
    """
    return (
        f"The answer has {size}; the limit is {most} (max_answer_bytes): ask for less, with a smaller limit or depth."
    )
