"""Questions are asked in threads of their own, as many at once as there are connections for them."""

from collections.abc import Callable
from typing import Annotated, TypeVar

import anyio
import anyio.to_thread
from fastapi import Depends, Request

from headwater.store import Store
from headwater.store.session import Session

T = TypeVar("T")


class Asker:
    """Asks one store. A route takes it as `asker: Asking` and awaits `asker.ask(lambda session: …)`."""

    def __init__(self, store: Store, at_once: int) -> None:
        self.store = store
        self._limiter = anyio.CapacityLimiter(at_once)

    async def ask(self, question: Callable[[Session], T]) -> T:
        """The answer to a question, from one moment of the store."""

        def answer() -> T:
            with self.store.read() as session:
                return question(session)

        return await anyio.to_thread.run_sync(answer, limiter=self._limiter)

    async def change(self, work: Callable[[Session], T]) -> T:
        """Do some work in a transaction that writes; when this returns, it is on disk."""
        return await anyio.to_thread.run_sync(lambda: self.store.transact(work), limiter=self._limiter)


def _asker(request: Request) -> Asker:
    asker: Asker = request.app.state.asker
    return asker


Asking = Annotated[Asker, Depends(_asker)]
