"""Secrets never reach an event: whatever looks like one in a free text is masked.

Texts come from outside and may be a megabyte long, so each is scanned once from left to right: no pattern here begins
with a part of unbounded length, or has two such parts in a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_TELLING = re.compile(
    r"(?i)password|passwd|pwd|secret|token|credential|access[_.-]?key|api[_.-]?key|signature|(?<!\w)sig$"
)
# The name of a value: fs.s3a.secret.key
_NAME = re.compile(r"[\w.-]+")
# The separator between a name and its value, and the value, in quotes or up to the next delimiter:
# password=…, fs.s3a.secret.key -> …, "token": "…", PASSWORD '…'
_VALUE = re.compile(r"""((?:["'`]?\s*(?:=>|->|=|:)\s*)|\s+(?=["']))("[^"]*"|'[^']*'|[^\s"'`,;&)}\]]+)""")
# user:password@ in scheme://user:password@host
_USER = re.compile(r"[^/\s@\"':]+:[^/\s@\"']+@")
_SCHEME_END = re.compile(r"[\w+.-]")
_AUTHORIZATION = re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]+")
# A quick check: most texts have none of this.
_SUSPICIOUS = re.compile(rf"{_TELLING.pattern.rpartition('|')[0]}|sig|@|bearer|basic")
# Longer texts are not worth the memory of the cache.
_SHORT = 2000


def redact(text: str) -> str:
    """The text without passwords, tokens and keys.

    >>> redact("jdbc:postgresql://h/db?user=me&password=hunter2&ssl=true")
    'jdbc:postgresql://h/db?user=me&password=***&ssl=true'
    >>> redact("cannot reach http://me:hunter2@host/x")
    'cannot reach http://***@host/x'
    """
    return _remembered(text) if len(text) <= _SHORT else _redacted(text)


def _redacted(text: str) -> str:
    if not _SUSPICIOUS.search(text):
        return text
    text = _without(text, _assigned(text))
    text = _without(text, _in_urls(text))
    return _AUTHORIZATION.sub(r"\1 ***", text)


_remembered = lru_cache(maxsize=4096)(_redacted)


def _assigned(text: str) -> Iterator[tuple[int, int, str]]:
    """The positions of values whose names tell of a secret."""
    after = 0
    for name in _NAME.finditer(text):
        if name.start() < after:  # inside a value that is masked already
            continue
        # An arrow without a space before it looks like a part of the name.
        end = name.end() - 1 if text.startswith("->", name.end() - 1) else name.end()
        if _TELLING.search(text[name.start() : end]):
            value = _VALUE.match(text, end)
            if value is not None:
                after = value.end()
                yield value.start(2), after, "***"


def _in_urls(text: str) -> Iterator[tuple[int, int, str]]:
    """The positions of users and passwords in URLs."""
    start = text.find("://")
    while start >= 0:
        user = _USER.match(text, start + 3) if start and _SCHEME_END.match(text, start - 1) else None
        if user is not None:
            yield user.start(), user.end(), "***@"
        start = text.find("://", start + 3)


def _without(text: str, places: Iterator[tuple[int, int, str]]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end, instead in places:
        pieces += (text[done:start], instead)
        done = end
    return "".join((*pieces, text[done:])) if pieces else text
