"""Statements on their way to PostgreSQL, sent one behind the other, their answers read as they come.

psycopg's cursors can do the same, with more Python around each statement than the server takes to run it. This is its
layer below them (`psycopg.pq`), for statements that are prepared once and whose rows psycopg still reads.
"""

import os
import selectors
import socket
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from typing import Any, TypeAlias, cast, final

import psycopg
from psycopg import pq
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result

from headwater.store.db.session import Row
from headwater.store.errors import NO_ANSWER

Value: TypeAlias = int | str | bytes | None
# There are about a hundred statements; more would mean that one is made of what it is asked about.
_MOST_PREPARED = 500
Waiting: type[selectors.BaseSelector] = getattr(selectors, "PollSelector", selectors.SelectSelector)
"""Waits for one connection, many times a second: no object in the kernel is made for it."""
_GOOD = frozenset({pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK})


Check: TypeAlias = Callable[[list[Row]], None]
"""Looks at the rows of an answer as soon as they are there, and raises what is wrong with them."""


class NoAnswer(psycopg.OperationalError):
    """The server is silent for longer than the connection waits; what it did with the last statement is unknown."""

    sqlstate = NO_ANSWER


class Patience:
    """How long a connection waits for a server that is silent, and what it does then.

    A server that works on a statement is as silent as one that hangs. Where somebody waits who needs an answer in any
    case, there is a limit; elsewhere, as long as the server answers others, it is taken to be at work.

    Args:
        between: after how many seconds of silence to ask whether the server still answers.
        limit: after how many seconds of silence to give up in any case; None for never.
        answers: asks it, over another connection.
    """

    def __init__(self, between: float, limit: float | None, answers: Callable[[], bool]) -> None:
        self._between = between
        self._limit = limit
        self._answers = answers

    def seconds(self, silent: float) -> float:
        """How long to wait from now on, after some seconds of silence, until `after` is called."""
        return self._between if self._limit is None else max(0.0, min(self._between, self._limit - silent))

    def after(self, silent: float) -> None:
        """Raise `NoAnswer` if there is no point in waiting for longer."""
        if (self._limit is not None and silent >= self._limit) or not self._answers():
            raise NoAnswer(f"no answer for {silent:.0f} seconds")


class PatientConnection(psycopg.Connection[Row]):
    """A connection whose waits end, whatever psycopg waits for: an answer, a COPY, a rollback."""

    patience: Patience | None = None

    def wait(self, gen: Any, *args: Any, **more: Any) -> Any:  # noqa: ANN401  psycopg's own, which differ by version
        """Wait as psycopg does, and look at the clock while nothing comes."""
        return super().wait(gen if self.patience is None else _bounded(gen, self.patience), *args, **more)

    def drop(self) -> None:
        """End the connection without a word to the server, which may not read it; also from another thread."""
        if self.closed:
            return
        with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(self.fileno())) as same:
            # Who waits for an answer finds that there is none to come, and what closes it later has nothing to send.
            same.shutdown(socket.SHUT_RDWR)


def _bounded(gen: Generator[Any, Any, Any], patience: Patience) -> Generator[Any, Any, Any]:
    """What psycopg waits by: it is resumed with 0 when nothing came for a moment."""
    heard = asked = time.monotonic()
    try:
        wanted = next(gen)
    except StopIteration as over:  # what is small is sent without waiting
        return over.value
    while True:
        ready = yield wanted
        now = time.monotonic()
        if ready:
            heard = asked = now
        elif now - asked >= patience.seconds(asked - heard):
            patience.after(now - heard)
            asked = time.monotonic()
        try:
            wanted = gen.send(ready)
        except StopIteration as over:
            return over.value


@final
class Asked:
    """A statement with its values; the answer is there when it was sent."""

    __slots__ = ("_check", "_wire", "result", "statement", "values")

    def __init__(self, wire: "Wire", statement: str, values: Sequence[Value], check: Check | None) -> None:
        self._wire = wire
        self._check = check
        self.statement = statement
        self.values = values
        self.result: pq.abc.PGresult | None = None

    def look(self) -> None:
        """Have the answer checked, if there is one and somebody wants that; raises what is wrong with it."""
        if self._check is not None and self.result is not None and self.result.status in _GOOD:
            self._check(self._wire.read(self.result))

    def rows(self) -> list[Row]:
        """The rows that it found."""
        return self._wire.read(self.answer())

    def count(self) -> int:
        """How many rows it changed."""
        return self.answer().command_tuples or 0

    def answer(self) -> pq.abc.PGresult:
        """What the server says; sends it now, with all that waits, if it was not before."""
        if self.result is None:
            self._wire.flush()
        return cast("pq.abc.PGresult", self.result)


@final
class Wire:
    """A connection, and the statements that wait to be sent on it."""

    def __init__(self, connection: PatientConnection) -> None:
        self.connection = connection
        self.moved: Callable[[], None] = _nothing
        """Learns that the server has answered."""
        self._waiting: list[Asked] = []
        self._prepared: dict[str, bytes] = {}
        self._made = 0
        self._reader = Transformer(connection)

    def ask(self, statement: str, values: Sequence[Value] = (), check: Check | None = None) -> Asked:
        """A statement to be sent with the next one whose answer is wanted; `$1` is the first of its values."""
        asked = Asked(self, statement, values, check)
        self._waiting.append(asked)
        return asked

    def flush(self) -> None:
        """Have all statements run that wait.

        Raises:
            psycopg.Error: what the first of them says that could not be run; those after it were not.
            NoAnswer: the server says nothing.
            StoreError: what a statement's check says.
        """
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        server = self.connection.pgconn
        values = [[_written(value) for value in asked.values] for asked in waiting]
        server.enter_pipeline_mode()
        prepared = [
            self._send(server, asked.statement, written) for asked, written in zip(waiting, values, strict=True)
        ]
        server.pipeline_sync()
        results = iter(_answers(server, self.connection.patience))
        server.exit_pipeline_mode()
        self.moved()
        failed: pq.abc.PGresult | None = None
        for asked, preparing in zip(waiting, prepared, strict=True):
            for _ in range(1 + preparing):
                asked.result = next(results)
                if failed is None and asked.result.status not in _GOOD:
                    failed = asked.result
        if failed is not None:
            # Which of those sent now the server has prepared is not known: they get other names.
            for asked, preparing in zip(waiting, prepared, strict=True):
                if preparing:
                    self._prepared.pop(asked.statement, None)
        # First, for the statements after one that is checked may have failed because of what it found.
        for asked in waiting:
            asked.look()
        if failed is not None:
            raise error_from_result(failed, self.connection.info.encoding)

    def forget(self) -> None:
        """Drop what waits: the transaction that it belongs to is no more."""
        self._waiting = []

    def read(self, result: pq.abc.PGresult) -> list[Row]:
        """The rows of an answer."""
        self._reader.set_pgresult(result, format=pq.Format.BINARY)
        return cast("list[Row]", self._reader.load_rows(0, result.ntuples, cast("Any", tuple)))

    def _send(self, server: pq.abc.PGconn, statement: str, values: Sequence[bytes | None]) -> bool:
        """Send a statement; returns whether it is prepared along with it, which the server answers too."""
        name = self._prepared.get(statement)
        preparing = name is None
        if name is None:
            if len(self._prepared) >= _MOST_PREPARED:
                server.send_query_params(statement.encode(), values, result_format=pq.Format.BINARY)
                return False
            self._made += 1
            name = self._prepared[statement] = b"headwater_%d" % self._made
            server.send_prepare(name, statement.encode())
        server.send_query_prepared(name, values, result_format=pq.Format.BINARY)
        return preparing


def _nothing() -> None:
    """What nobody wants to know."""


def _written(value: Value) -> bytes | None:
    r"""A value as PostgreSQL writes it.

    >>> _written(b"\0"), _written(7)
    (b'\\x00', b'7')

    Raises:
        psycopg.DataError: a text that it does not take: it would end at the NUL in it.
    """
    if value is None:
        return None
    if isinstance(value, bytes):
        return b"\\x" + value.hex().encode()
    try:
        written = str(value).encode()
    except UnicodeEncodeError as error:
        raise psycopg.DataError(f"Not a string: {error}") from None
    if 0 in written:
        raise psycopg.DataError("A string cannot contain NUL")
    return written


def _answers(server: pq.abc.PGconn, patience: Patience | None) -> list[pq.abc.PGresult]:
    """Send what is not sent yet, and read one answer for each statement, up to the end of them all."""
    results: list[pq.abc.PGresult] = []
    sending = True
    with Waiting() as waiting:
        waiting.register(server.socket, selectors.EVENT_READ | selectors.EVENT_WRITE)
        while True:
            if sending:
                sending = server.flush() == 1
                if not sending:
                    waiting.modify(server.socket, selectors.EVENT_READ)
            while not server.is_busy():
                result = server.get_result()
                if result is None:
                    continue  # the end of one statement's answer
                if result.status == pq.ExecStatus.PIPELINE_SYNC:
                    return results
                results.append(result)
            _wait(waiting, patience)
            server.consume_input()


def _wait(waiting: selectors.BaseSelector, patience: Patience | None) -> None:
    """Wait until the server can be read, or written to."""
    if patience is None:
        waiting.select()
        return
    began = asked = time.monotonic()
    while not waiting.select(patience.seconds(asked - began)):
        patience.after(time.monotonic() - began)
        asked = time.monotonic()
