"""Statements on their way to PostgreSQL, sent one behind the other, their answers read as they come.

psycopg's cursors can do the same, with more Python around each statement than the server takes to run it. This is its
layer below them (`psycopg.pq`), for statements that are prepared once and whose rows psycopg still reads.
"""

import select
from collections.abc import Sequence
from typing import Any, TypeAlias, cast, final

import psycopg
from psycopg import pq
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result

from headwater.store.db.session import Row

Value: TypeAlias = int | str | bytes | None
# There are about a hundred statements; more would mean that one is made of what it is asked about.
_MOST_PREPARED = 500
_GOOD = frozenset({pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK})


@final
class Asked:
    """A statement with its values; the answer is there when it was sent."""

    __slots__ = ("_wire", "result", "statement", "values")

    def __init__(self, wire: "Wire", statement: str, values: Sequence[Value]) -> None:
        self._wire = wire
        self.statement = statement
        self.values = values
        self.result: pq.abc.PGresult | None = None

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

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self.connection = connection
        self._waiting: list[Asked] = []
        self._prepared: dict[str, bytes] = {}
        self._made = 0
        self._reader = Transformer(connection)

    def ask(self, statement: str, values: Sequence[Value] = ()) -> Asked:
        """A statement to be sent with the next one whose answer is wanted; `$1` is the first of its values."""
        asked = Asked(self, statement, values)
        self._waiting.append(asked)
        return asked

    def flush(self) -> None:
        """Have all statements run that wait.

        Raises:
            psycopg.Error: what the first of them says that could not be run; those after it were not.
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
        results = iter(_answers(server))
        server.exit_pipeline_mode()
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


def _answers(server: pq.abc.PGconn) -> list[pq.abc.PGresult]:
    """Send what is not sent yet, and read one answer for each statement, up to the end of them all."""
    results: list[pq.abc.PGresult] = []
    socket = server.socket
    sending = True
    while True:
        if sending:
            sending = server.flush() == 1
        while not server.is_busy():
            result = server.get_result()
            if result is None:
                continue  # the end of one statement's answer
            if result.status == pq.ExecStatus.PIPELINE_SYNC:
                return results
            results.append(result)
        select.select([socket], [socket] if sending else [], [])
        server.consume_input()
