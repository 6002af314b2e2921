"""Spark's SQL in tokens: enough to see which names and parameters a text has in it, in linear time for any text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

# Each alternative takes at least one character, and what is not closed goes on to the end: nothing is read twice.
_TOKEN = re.compile(
    r"""
    (?P<space> \s+ | --[^\n]* | /\*(?:[^*]|\*(?!/))*(?:\*/|$) )
  | (?P<string> [rR]?'(?:[^'\\]|\\(?:.|$)|'')*(?:'|$) | [rR]?"(?:[^"\\]|\\(?:.|$)|"")*(?:"|$) )
  | (?P<name> `(?:[^`]|``)*(?:`|$) | [^\W\d]\w* )
  | (?P<number> \d\w* (?:\.\w*)? )
  | (?P<marker> \?(?!:) | (?<!:):(?=[^\W\d])\w+ )
  | (?P<sign> :: | . )
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """A piece of a text: a name, a string, a number, a parameter marker or a sign; `at` is where it begins."""

    kind: str
    text: str
    at: int


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text, without spaces and comments.

    >>> [token.text for token in tokens("VALUES (row.id, :name) -- all")]
    ['VALUES', '(', 'row', '.', 'id', ',', ':name', ')']
    >>> [token.kind for token in tokens("'a string without an end" + chr(92))]
    ['string']
    """
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind != "space":
            yield Token(kind, match[0], match.start())


def unquoted(name: str) -> str:
    """A name without its backticks.

    >>> unquoted("`my``row`"), unquoted("plain")
    ('my`row', 'plain')
    """
    return name[1:].removesuffix("`").replace("``", "`") if name.startswith("`") else name


class Cell(NamedTuple):
    """One value in VALUES.

    Attributes:
        names: the names in it that are not those of functions, each in its parts.
        alone: whether the value is one of them, or a parameter, and nothing else.
        markers: how many parameters it has.
        lambdas: whether there is a function in it, whose arguments are names, too.
    """

    names: tuple[tuple[str, ...], ...]
    alone: bool
    markers: int
    lambdas: bool


def cells(text: str) -> list[list[Cell]] | None:
    """The values of a VALUES clause, row by row; None if there is none in the text.

    >>> [[cell.names for cell in row] for row in cells("VALUES (v, upper(r.name)), (1, 'v') AS t(a, b)")]
    [[(('v',),), (('r', 'name'),)], [(), ()]]
    """
    statement = list(takewhile(lambda token: token.text != ";", tokens(text)))
    start = next((place for place, token in enumerate(statement) if token.text.upper() == "VALUES"), None)
    return None if start is None else [_row(part) for part in _parts(statement[start + 1 :])]


def arguments(call: str) -> Cell:
    """All that a function is called with, as one value.

    >>> arguments("range(0, v + 1) AS r WHERE id > 1").names
    (('v',),)
    """
    parts = list(tokens(call))
    start = next((place for place, token in enumerate(parts) if token.text == "("), len(parts))
    depth = 0
    for place in range(start, len(parts)):
        depth += (parts[place].text in _OPENING) - (parts[place].text in _CLOSING)
        if depth == 0:
            return _cell(parts[start + 1 : place])
    return _cell(parts[start + 1 :])


def pivoted(text: str) -> list[Cell]:
    """The values behind FOR … IN of each PIVOT.

    >>> [cell.names for cell in pivoted("SELECT * FROM t PIVOT (sum(a) FOR (b) IN (v AS x, 'y'))")]
    [(('v',),)]
    """
    if "pivot" not in text.lower():
        return []
    lists: list[Cell] = []
    waits_for = "PIVOT"
    for token, after in pairwise(tokens(text)):
        if token.text.upper() != waits_for or len(lists) == _MOST_PIVOTS:
            continue
        if waits_for == "IN" and after.text == "(":
            lists.append(arguments(text[after.at : after.at + _LONGEST_LIST]))
        waits_for = {"PIVOT": "FOR", "FOR": "IN", "IN": "PIVOT"}[waits_for]
    return lists


def is_script(text: str) -> bool:
    """Whether a text is a script: a block of statements.

    >>> is_script("/* daily */ begin SELECT 1; END"), is_script("SELECT begin FROM t")
    (True, False)
    """
    first = next(tokens(text), None)
    return first is not None and first.text.upper() == "BEGIN"


def _parts(words: Sequence[Token]) -> list[list[Token]]:
    """The tokens between commas that stand in no parentheses of their own."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in words:
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _row(part: list[Token]) -> list[Cell]:
    """A row in parentheses, with or without a name for all the rows behind it; or one value."""
    depth = 0
    closed = False
    for place, token in enumerate(part):
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if depth == 0 and token.kind == "name" and token.text.upper() == "AS":
            part = part[:place]
            break
        if depth == 0 and part[0].text == "(" and not closed:
            closed = True
            if place + 1 == len(part) or part[place + 1].kind == "name":
                return [_cell(cell) for cell in _parts(part[1:place])]
    return [_cell(part)]


def _cell(words: Sequence[Token]) -> Cell:
    names: list[tuple[str, ...]] = []
    used = 0
    place = 0
    arrows = any(token.text == "-" and after.text == ">" for token, after in pairwise(words))
    while place < len(words):
        start = place
        place += 1
        if words[start].kind != "name":
            continue
        parts = [unquoted(words[start].text)]
        while place + 1 < len(words) and words[place].text == "." and words[place + 1].kind == "name":
            parts.append(unquoted(words[place + 1].text))
            place += 2
        after = words[place] if place < len(words) else None
        called = after is not None and (after.text == "(" or after.kind == "string")  # upper(…), DATE '2024-05-01'
        before = words[start - 1].text.upper() if start else ""
        # COLLATE has the name of a collation behind it, AS a new one, and a[0].b the one of a field.
        if (
            not called
            and before not in {"AS", "COLLATE", "."}
            and not (len(parts) == 1 and _is_word(words[start].text))
        ):
            names.append(tuple(parts))
            used = place - start
    markers = sum(token.kind == "marker" for token in words)
    alone = len(names) + markers == 1 and (used or markers) == len(words)
    return Cell(tuple(names), alone, markers, arrows)


def _is_word(name: str) -> bool:
    return name.upper() in _WORDS


_MOST_PIVOTS = 20
_LONGEST_LIST = 10_000
_OPENING = frozenset("([")
_CLOSING = frozenset(")]")
# What stands in an expression as a word of the language, a type or a unit; functions that need no parentheses.
_WORDS = frozenset({
    "ALL", "AND", "ARRAY", "AS", "ASC", "BETWEEN", "BIGINT", "BINARY", "BOOLEAN", "BOTH", "BYTE", "CASE", "CHAR",
    "CHARACTER", "COLLATE", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "CURRENT_USER", "DATE", "DAY",
    "DAYOFYEAR", "DAYS", "DEC", "DECIMAL", "DEFAULT", "DESC", "DISTINCT", "DIV", "DOUBLE", "ELSE", "END", "ESCAPE",
    "FALSE", "FILTER", "FLOAT", "FOR", "FROM", "HOUR", "HOURS", "ILIKE", "IN", "INT", "INTEGER", "INTERVAL", "IS",
    "LEADING", "LIKE", "LOCALTIMESTAMP", "LONG", "MAP", "MICROSECOND", "MICROSECONDS", "MILLISECOND", "MILLISECONDS",
    "MINUTE", "MINUTES", "MONTH", "MONTHS", "NANOSECOND", "NANOSECONDS", "NOT", "NULL", "NUMERIC", "OR", "OVER",
    "PLACING", "QUARTER", "REAL", "REGEXP", "RLIKE", "SECOND", "SECONDS", "SESSION_USER", "SHORT", "SMALLINT", "SOME",
    "STRING", "STRUCT", "THEN", "TIME", "TIMESTAMP", "TIMESTAMP_LTZ", "TIMESTAMP_NTZ", "TINYINT", "TO", "TRAILING",
    "TRUE", "USER", "VARCHAR", "VARIANT", "VOID", "WEEK", "WEEKS", "WHEN", "YEAR", "YEARS",
})  # fmt: skip
