"""The tokens of a store as of a moment ago, and when they were last used."""

import asyncio
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress

from headwater.server.settings.settings import ServerSettings
from headwater.store import Store, StoreError
from headwater.store.errors import Unavailable
from headwater.store.tokens import Token, Tokens, all_tokens, note_use

MAY_READ = "headwater.may_read"
"""In the scope of a request: whether its token allows to read, too. Without tokens, everyone may."""
# A worker accepts a revoked token for at most so long.
_KNOWN_SECONDS = 2.0
# How long a request that does not need the store waits for it; then it goes by the tokens known before.
_SHORT_SECONDS = 1.0
# How often the last use of a token is written.
_MINUTE = 60_000_000


class KnownTokens:
    """The tokens of a store. All requests that come while they are read wait for the same answer."""

    def __init__(self, store: Store, settings: ServerSettings) -> None:
        self._store = store
        self._settings = settings
        self._tokens = Tokens(())
        self._read_at: float | None = None
        self._reading: Future[None] | None = None
        self._lock = threading.Lock()
        self._noted: dict[str, int] = {}
        self._uses: dict[str, int] = {}
        # One reads, one writes, so that nobody has to wait until a use is written.
        self._readers = ThreadPoolExecutor(1, thread_name_prefix="headwater-tokens")
        self._writers = ThreadPoolExecutor(1, thread_name_prefix="headwater-token-use")

    async def now(self, *, needs_store: bool) -> Tokens:
        """The tokens of the store as of a moment ago; for what does not need the store, those that were read last.

        Raises:
            StoreError: they cannot be read.
        """
        if self._read_at is not None and time.monotonic() - self._read_at < _KNOWN_SECONDS:
            return self._tokens
        if self._reading is None or self._reading.done():
            self._reading = self._readers.submit(self._read)
        read = asyncio.wrap_future(self._reading)
        read.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may wait for it any more
        await asyncio.wait({read}, timeout=self._settings.write_limit if needs_store else _SHORT_SECONDS)
        is_read = read.done() and not isinstance(read.exception(), StoreError)
        if not needs_store and not is_read and self._read_at is not None:
            return self._tokens
        if not read.done():
            raise Unavailable(f"The store {self._store.database} does not answer: check its disk, then try again.")
        read.result()
        return self._tokens

    def note_use(self, token: Token, now: int) -> None:
        """Note that a request brought a token; it is written later, and at most once a minute."""
        if now - max(token.used or 0, self._noted.get(token.public, 0)) < _MINUTE:
            return
        self._noted[token.public] = now
        with self._lock:
            self._uses[token.public] = now
            if len(self._uses) > 1:
                return  # it is written with those that wait already
        self._writers.submit(self._write_uses)

    def _read(self) -> None:
        began = time.monotonic()
        with self._store.read() as session:
            self._tokens = Tokens(all_tokens(session))
        self._read_at = began

    def _write_uses(self) -> None:
        with self._lock:
            uses, self._uses = self._uses, {}
        # A use is no reason to refuse a request; whether the store can be written is said where something is to be.
        with suppress(StoreError):
            self._store.transact(lambda session: note_use(session, uses))
