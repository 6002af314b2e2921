"""Secrets never reach an event: what looks like one in a free text is replaced."""

from __future__ import annotations

import re
from functools import lru_cache

_TELLING = r"password|passwd|pwd|secret|token|credential|access[_.-]?key|api[_.-]?key|signature"
# password=…, fs.s3a.secret.key -> …, "token": "…", PASSWORD '…'
_ASSIGNED = re.compile(
    rf"""(?ix)
    ( \b (?: [\w.-]* (?:{_TELLING}) [\w.-]* | sig ) )   # what it is called
    ( ["'`]? \s* (?: => | -> | = | : ) \s* | \s+ (?=["']) ) # what stands between
    ( "[^"]*" | '[^']*' | [^\s"'`,;&)}}\]]+ )            # the secret, in quotes or up to the next delimiter
    """
)
# scheme://user:password@host
_IN_URL = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^/\s@\"']+:[^/\s@\"']+@")
# Most texts have none of this: one look tells.
_SUSPICIOUS = re.compile(rf"(?i){_TELLING}|sig|@|bearer|basic")
_AUTHORIZATION = re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]+")


@lru_cache(maxsize=4096)
def redact(text: str) -> str:
    """The text without passwords, tokens and keys.

    >>> redact("jdbc:postgresql://h/db?user=me&password=hunter2&ssl=true")
    'jdbc:postgresql://h/db?user=me&password=***&ssl=true'
    >>> redact("cannot reach http://me:hunter2@host/x")
    'cannot reach http://***@host/x'
    """
    if not _SUSPICIOUS.search(text):
        return text
    text = _ASSIGNED.sub(r"\1\2***", text)
    text = _IN_URL.sub(r"\1***@", text)
    return _AUTHORIZATION.sub(r"\1 ***", text)
