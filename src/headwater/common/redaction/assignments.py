"""Values whose names tell that they are secrets: `password=…`, `"token": "…"`, `--secret …`, `IDENTIFIED BY …`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from headwater.common.redaction.names import is_secret_name
from headwater.common.redaction.places import MASK, Place
from headwater.common.redaction.values import is_harmless, is_random, is_word

# The name of a value: fs.s3a.secret.key
_NAME = re.compile(r"[\w.-]+")
_LONGEST_NAME = 200
# Between a name and its value: password=…, spark.x.secret -> …, "token": "…", \"token\": \"…\", password%3D…
_SEPARATOR = re.compile(r"""\\{0,8}["'`\]]?\s*(=>|->|:=|==?|:|%3[AaDd])\s*""")
# PASSWORD '…', password('…'), <password>…, <name>password</name><value>…
_OPENING = re.compile(r"""\s+(?=["'])|\(\s*(?=["'])|>|</\w{1,20}>\s*<\w{1,20}>""")
_CALL = re.compile(r"[A-Za-z_][\w.]*\(")
# option("password", "…"): after the name, and before it
_ARGUMENT = re.compile(r"""\\{0,8}["']\s*,\s*(?=\\{0,8}["'])""")
_SETTER = re.compile(r"""(?i)(?:option|config|conf|set|put|add|property|header|secret)\(\s?\\{0,8}["']$""")
_SETTER_LENGTH = 30
_SHORTEST_NUMBER = 6
_SPACES = re.compile(r"[ \t]+")
_OPENING_QUOTE = re.compile(r"""[BEFNRUXbefnrux]?(\\{0,8})(["'`])""")
_PLAIN = re.compile(r"""(?:(?!%26)[^\s"'`,;&)}\]<>|\\])+""")
_FOLDER = re.compile(r"""[^\s"'`,;&)}\]<>|\\/]+""")
# ${DB_PASSWORD}, %(password)s, [REDACTED], <your password>: these stand for a value
_TEMPLATE = re.compile(r"""\$\{|\$\(|%\(\w{1,100}\)|\{\{|\[\w{1,100}\]|<[\w .-]{1,100}>""")
_BRACES = re.compile(r"""\{[^{}"'\s]+\}""")
_IN_TAG = re.compile(r"[^<>]+(?=</)")
_SCHEMES_OF_AUTHORIZATION = frozenset({"bearer", "basic", "digest", "negotiate", "token", "apikey"})
_NEXT_WORD = re.compile(r"""\s+[^\s"'`,;&)}\]<>|\\]+""")
_PROSE = re.compile(r"\s+[^\W\d_]")
_IS = re.compile(r"(?i)\s+(?:is|was)\s*:?\s+")
_IDENTIFIED = re.compile(r"(?i)\bidentified\s+(?:with\s+\w+\s+)?by\s+(?:password\s+|values\s+)?")


class _Place(NamedTuple):
    """Where a value stands.

    Attributes:
        prose: after a colon and a space, as in a text.
        compared: after a sign and a space, as in SQL.
        folder: in a path, as in `/token=1/`.
    """

    prose: bool = False
    compared: bool = False
    folder: bool = False


_PLAINLY = _Place()


def secret_values(text: str) -> Iterator[Place]:
    """The places of values whose names tell of a secret."""
    after = 0
    for name in _NAME.finditer(text):
        start, end = name.span()
        if start < after:  # inside a value that is masked already
            continue
        # An arrow without a space before it looks like a part of the name.
        if text.startswith("->", end - 1):
            end -= 1
        written = text[max(start, end - _LONGEST_NAME) : end]
        if not _tells(text, start, written):
            continue
        value = _value_after(text, start, end, written)
        if value is not None:
            yield (*value, MASK)
            after = value[1]


def _tells(text: str, start: int, written: str) -> bool:
    if is_secret_name(written):
        return True
    if written.casefold() != "key":
        return False
    # Two words: "account key: …"
    before = text[max(0, start - _SETTER_LENGTH) : start]
    return before.endswith(" ") and before.strip() != "" and is_secret_name(f"{before.split()[-1]}_key")


def _value_after(text: str, start: int, end: int, name: str) -> tuple[int, int] | None:
    """Where the value of a name is, if it has one that may be a secret."""
    separator = _SEPARATOR.match(text, end)
    if separator is not None:
        sign, spaced = separator.group(1), separator.group()[-1:].isspace()
        place = _Place(sign == ":" and spaced, spaced, sign == "=" and start > 0 and text[start - 1] == "/")
        return _value(text, separator.end(), name, place)
    opening = _OPENING.match(text, end)
    if opening is not None:
        in_tag = opening.group().endswith(">")
        return _in_tag(text, start, opening.end()) if in_tag else _value(text, opening.end(), name)
    argument = _ARGUMENT.match(text, end)
    if argument is not None and _SETTER.search(text, max(0, start - _SETTER_LENGTH), start):
        return _value(text, argument.end(), name)
    space = _SPACES.match(text, end) if name.startswith("--") else None
    if space is not None and not text.startswith("-", space.end()):
        return _value(text, space.end(), name)
    return _stated(text, end) if "pass" in name.casefold() or "pwd" in name.casefold() else None


def _in_tag(text: str, start: int, at: int) -> tuple[int, int] | None:
    """The value in <password>…</password>, or in the tag after the one with the name."""
    value = _IN_TAG.match(text, at) if text[max(0, start - 1) : start] in ("<", ">") else None
    return None if value is None or is_harmless(value.group().strip()) else value.span()


def _stated(text: str, end: int) -> tuple[int, int] | None:
    """The value in "the password is …"."""
    said = _IS.match(text, end)
    value = _PLAIN.match(text, said.end()) if said else None
    if value is None:
        return None
    written = value.group().rstrip(".")
    is_secret = is_random(written) or (written.isdigit() and len(written) >= _SHORTEST_NUMBER)
    return (value.start(), value.start() + len(written)) if is_secret else None


def _value(text: str, at: int, name: str, place: _Place = _PLAINLY) -> tuple[int, int] | None:
    """The place of the value that begins here, without its quotes; None where there is none, or it is no secret."""
    quote = _OPENING_QUOTE.match(text, at)
    if quote is not None:
        first, last = _quoted(text, quote)
        return None if is_harmless(text[first:last]) else (first, last)
    braces = _BRACES.match(text, at)
    if braces is not None:
        return None if is_secret_name(braces.group()) else braces.span()
    if _TEMPLATE.match(text, at) or _CALL.match(text, at) or text[at : at + 1] in ("(", "[", "{"):
        return None
    plain = (_FOLDER if place.folder else _PLAIN).match(text, at)
    return None if plain is None else _unquoted(text, plain, name, place)


def _unquoted(text: str, plain: re.Match[str], name: str, place: _Place) -> tuple[int, int] | None:
    value, end = plain.group(), plain.end()
    if value.casefold() in _SCHEMES_OF_AUTHORIZATION:
        word = _NEXT_WORD.match(text, end)
        return None if word is None else (plain.start(), word.end())
    if is_harmless(value) or _is_column(value, name, compared=place.compared):
        return None
    if place.prose and is_word(value) and _PROSE.match(text, end):
        return None
    return plain.start(), end


def _quoted(text: str, quote: re.Match[str]) -> tuple[int, int]:
    """Where the content of a quoted value begins and ends."""
    escape, mark = quote.groups()
    first = at = quote.end()
    while True:
        place = text.find(mark, at)
        if place < 0:  # a text that was cut: all of the rest is the value
            return first, len(text)
        escapes = 0
        while place - escapes > first and text[place - escapes - 1] == "\\":
            escapes += 1
        if escapes > len(escape) and escapes % 2 != len(escape) % 2:  # a quote within the value
            at = place + 1
        elif not escape and text.startswith(mark, place + 1) and place > first:  # a doubled quote, as in SQL
            at = place + 2
        elif escapes > len(escape):
            at = place + 1
        else:
            return first, place - min(escapes, len(escape))


def _is_column(value: str, name: str, *, compared: bool) -> bool:
    """Whether the value after a sign is another column: `t.token = s.token`."""
    if not value.replace("_", "a").replace(".", "a").isalnum():
        return False
    last = value.rpartition(".")[2]
    if "." in value:
        return last.casefold() == name.rpartition(".")[2].casefold() or (compared and is_secret_name(last))
    return compared and is_secret_name(last)


def passwords_of_users(text: str) -> Iterator[Place]:
    """The places of passwords in CREATE USER … IDENTIFIED BY … statements."""
    for words in _IDENTIFIED.finditer(text):
        value = _value(text, words.end(), "password")
        if value is not None:
            yield (*value, MASK)
