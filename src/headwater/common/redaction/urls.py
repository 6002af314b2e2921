"""Users and passwords in URLs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.common.redaction.places import MASK, Place, in_order
from headwater.common.redaction.values import is_random

_SCHEME_END = re.compile(r"[\w+.-]")
_AUTHORITY = re.compile(r"""[^/?#\s"'<>`\\]*""")
_UNBROKEN = re.compile(r"""[^\s"'<>`\\]*""")
_BREAK = re.compile(r"""[\s"'`]""")
_LONGEST_USER = 256
_SHORTEST_TOKEN = 16
_NO_TOKEN = re.compile(r"[.=();]")
_ENCODED = "%3a%2f%2f"
_ENCODED_USER = re.compile(r"""(?:(?!%2[Ff]|%40)[^\s"'<>&/])+""")
# The containers of Azure's storage stand where other URLs have a user.
_CONTAINERS = ("abfs", "abfss", "wasb", "wasbs")


def secrets_in_urls(text: str) -> Iterator[Place]:
    """The places of users and passwords in URLs.

    >>> list(secrets_in_urls("amqp://me:hunter2@host"))
    [(7, 17, '***')]
    """
    lower = text.lower()
    if "@" in lower or "%40" in lower:
        yield from in_order([*_in_urls(text), *_in_encoded_urls(text), *_in_short_urls(text)])


def _in_urls(text: str) -> Iterator[Place]:
    """The places of users and passwords in URLs: scheme://user:password@host."""
    begin = text.find("://")
    while begin >= 0:
        start = begin + 3
        authority = _AUTHORITY.match(text, start)
        end = authority.end() if authority else start
        if begin and authority and _SCHEME_END.match(text, begin - 1):
            for first, last in _users(text, start, authority.group()):
                yield first, last, MASK
                end = max(end, last)
        begin = text.find("://", end)


def _users(text: str, start: int, authority: str) -> Iterator[tuple[int, int]]:
    """Where the users of a URL's hosts are, up to the @ that ends each."""
    hosts = authority.split(",")
    if "@" in authority:
        if not all("@" in host for host in hosts) and not any(host.startswith(f"{MASK}@") for host in hosts):
            hosts = [authority]
        for host in hosts:
            user = host.partition(";")[0].rpartition("@")[0]
            if user != MASK and (":" in user or "%3a" in user.lower() or _is_token(text, start, user)):
                yield start, start + len(user)
            start += len(host) + 1
        return
    # A password may have a slash in it: then what looks like a port is none.
    host, colon, port = authority.partition(";")[0].partition(":")
    if colon and port and not port.isdigit() and not host.startswith(("[", "{", "$")):
        unbroken = _UNBROKEN.match(text[start : start + _LONGEST_USER])
        place = unbroken.group().rfind("@") if unbroken else -1
        if place >= 0:
            yield start, start + place


def _is_token(text: str, start: int, user: str) -> bool:
    """Whether a user without a password is a token itself: https://0123…@host."""
    scheme = text[max(0, start - 8) : start - 3].lower()
    return (
        not scheme.endswith(_CONTAINERS)
        and len(user) >= _SHORTEST_TOKEN
        and is_random(user)
        and not _NO_TOKEN.search(user)
    )


def _in_encoded_urls(text: str) -> Iterator[Place]:
    """The same in URLs that are a part of another: %3A%2F%2Fuser%3Apassword%40host."""
    lower = text.lower()
    begin = lower.find(_ENCODED)
    while begin >= 0:
        start = begin + len(_ENCODED)
        user = _ENCODED_USER.match(text, start)
        end = user.end() if user else start
        if user and lower.startswith("%40", end) and "%3a" in user.group().lower():
            yield start, end, MASK
        begin = lower.find(_ENCODED, end)


def _in_short_urls(text: str) -> Iterator[Place]:
    """The same where no scheme precedes: oracle:thin:user/password@host, user:password@tcp(host)."""
    lower = text.lower()
    places: list[tuple[int, int]] = []
    for marker in ("thin:", "oci:", "oci8:", "sqlplus "):
        begin = lower.find(marker)
        while begin >= 0:
            start = begin + len(marker)
            unbroken = _UNBROKEN.match(text, start)
            token = unbroken.group().partition("(")[0] if unbroken else ""
            user = token.rpartition("@")[0]
            if "/" in user and not user.startswith(("@", "/")):
                places.append((start, start + len(user)))
            begin = lower.find(marker, start + len(token))
    for marker in ("@tcp(", "@unix("):
        at, done = lower.find(marker), 0
        while at >= 0:
            start = max(done, at - _LONGEST_USER)
            user = _BREAK.split(text[start:at])[-1]
            if ":" in user:
                places.append((at - len(user), at))
            done = at + 1
            at = lower.find(marker, done)
    return in_order((start, end, MASK) for start, end in places)
