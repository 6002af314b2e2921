"""Secrets never reach an event: what looks like one in a free text is replaced."""

from __future__ import annotations

import re

_REPLACED = "***"
_TELLING = r"password|passwd|pwd|secret|token|credentials?|access[_.-]?key|api[_.-]?key|sig|signature"
# password=…, "secret.key" -> …, token: …
_ASSIGNED = re.compile(
    rf"""(?ix) \b ([\w.-]*(?:{_TELLING})[\w.-]*) (["'`]?\s*(?:=>|->|=|:)\s*["'`]?) ([^\s"'`,;&)}}\]]+)"""
)
# scheme://user:password@host
_IN_URL = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^/\s@\"']+:[^/\s@\"']+@")


def redact(text: str) -> str:
    """The text without passwords, tokens and keys.

    >>> redact("jdbc:postgresql://h/db?user=me&password=hunter2&ssl=true")
    'jdbc:postgresql://h/db?user=me&password=***&ssl=true'
    >>> redact("cannot reach http://me:hunter2@host/x")
    'cannot reach http://***@host/x'
    """
    return _IN_URL.sub(rf"\1{_REPLACED}@", _ASSIGNED.sub(rf"\1\2{_REPLACED}", text))
