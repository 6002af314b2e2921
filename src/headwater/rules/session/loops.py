"""The FOR loops of scripts: which query the row of a loop comes from.

Spark names a row by the loop's variable. For a loop without one it makes up a name, a new one with every turn; the row
then belongs to one of the nameless loops that are open at that place of the script.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from headwater.rules.plan import sql_tokens
from headwater.rules.session.latest import Latest, Memory

if TYPE_CHECKING:
    from headwater.rules.session.links import Known

_MOST = 100
_LONGEST_TEXT = 100_000


class Loop(NamedTuple):
    """The query of a FOR loop.

    Attributes:
        script: the text that it stands in.
        query: the relation of its query.
        nameless: whether its rows have no name; None if that is unknown.
        turn: the number of the loop, in the order in which they ran.
        at: where the query begins in the script, if that is known.
        end: where the loop ends, if that is known.
    """

    script: str
    query: Known
    nameless: bool | None
    turn: int
    at: int | None = None
    end: int | None = None

    def is_around(self, place: int | None) -> bool:
        """Whether a place of the script is inside the loop, or may be."""
        if place is None or self.at is None:
            return True
        return self.at < place and (self.end is None or place < self.end)

    @property
    def names(self) -> list[str]:
        """The names of the row's columns, without case."""
        return [output.name.lower() for output in self.query.relation.outputs]


class Loops(Memory):
    """The loops of one application."""

    def __init__(self) -> None:
        self._by_label: Latest[tuple[str, str], list[Loop]] = Latest(most=_MOST)
        self._open: Latest[str, list[Loop]] = Latest(most=_MOST)
        self._ends: Latest[tuple[str, int], int | None] = Latest(most=_MOST)
        self._turns = 0

    def begin(self, session: str, query: Known, script: str, before: str, at: int | None) -> None:
        """Note that a loop's query ran; `before` is the end of the text before it, `at` is where it begins."""
        name, nameless = _row_name(before)
        self._turns += 1
        loop = Loop(script, query, nameless, self._turns, at, self._end(script, at))
        open_loops = [outer for outer in self._open.get(session, ()) if outer.script == script and outer.is_around(at)]
        if name is None:
            open_loops.append(loop)
        else:
            self._by_label.keep((session, name.lower()), [loop])
        self._open.keep(session, open_loops[-_MOST:])

    def of(self, session: str, label: str, column: str) -> list[Loop]:
        """The loops whose row a variable may be a column of: one, unless it is ambiguous.

        Spark sets the columns of a row in their order.
        """
        waiting = self._open.get(session, [])
        own = self._by_label.get((session, label))
        if own is None:
            loops = [loop for loop in waiting if loop.names[:1] == [column]]
            if len(loops) == 1 and loops[0].nameless is None and not _is_made_up(label):
                self._open.keep(session, [loop for loop in waiting if loop is not loops[0]])  # its name is known now
        else:
            # A loop whose name could not be read may be the one that these rows are from.
            unsure = [loop for loop in waiting if loop.nameless is None and loop.turn > own[-1].turn]
            loops = [loop for loop in (*own, *unsure) if column in loop.names]
        if loops and (own is None or len(loops) < len(own)):
            self._by_label.keep((session, label), loops)
        return loops

    def forget(self, session: str) -> None:
        """Forget the loops of a session."""
        self._open.discard(session)
        for key in [key for key in self._by_label if key[0] == session]:
            self._by_label.discard(key)

    def _end(self, script: str, at: int | None) -> int | None:
        if at is None:
            return None
        if (script, at) not in self._ends:
            self._ends.keep((script, at), _end_of_loop(script[at : at + _LONGEST_TEXT], at))
        return self._ends[(script, at)]


def _row_name(before: str) -> tuple[str | None, bool | None]:
    """The name of a FOR loop's row, by the text before its query; and whether it has none, if that is known.

    >>> _row_name("BEGIN FOR row AS ("), _row_name("BEGIN FOR"), _row_name("of a text")
    (('row', False), (None, True), (None, None))
    """
    words = [token.text for token in sql_tokens.tokens(before)]
    while words and words[-1] == "(":
        words.pop()
    keywords = [word.upper() for word in words]
    if keywords[-1:] == ["FOR"]:
        return None, True
    if keywords[-1:] == ["AS"] and keywords[-3:-2] == ["FOR"]:
        return sql_tokens.unquoted(words[-2]), False
    return None, None


def _end_of_loop(rest: str, at: int) -> int | None:
    """The end of the loop whose query begins at this place; `rest` is the script from there.

    >>> _end_of_loop("SELECT 1 DO WHILE true DO LEAVE w; END WHILE; END FOR; SELECT 2", 10)
    56
    """
    depth = 0
    names: Sequence[sql_tokens.Token] = [token for token in sql_tokens.tokens(rest) if token.kind == "name"]
    for token, after in pairwise([*names, sql_tokens.Token("name", "", len(rest))]):
        word = token.text.upper()
        if word == "DO":
            depth += 1
        elif word == "END" and after.text.upper() in {"FOR", "WHILE"}:
            depth -= 1
            if depth <= 0:
                return at + token.at
    return None


def _is_made_up(label: str) -> bool:
    try:
        UUID(label)
    except ValueError:
        return False
    return True
