"""Tokens of a server's users, kept as hashes.

A token is 256 random bits, so nobody can try them all, and a fast hash is enough: a slow one makes guessing dear where
a secret is a word that people remember, and would here only cost time with every request.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from headwater.store.db.session import Given, Session

_PREFIX = "hw"
_PUBLIC_BYTES = 6
_SECRET_BYTES = 32


class Scope(str, Enum):
    """What the bearer of a token may do: ask, send events, or all of it and delete."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def allows(self, scope: "Scope") -> bool:
        """Whether this is enough.

        >>> Scope.WRITE.allows(Scope.READ), Scope.ADMIN.allows(Scope.READ)
        (False, True)
        """
        return self in {scope, Scope.ADMIN}


@dataclass(frozen=True, slots=True)
class Token:
    """A token as the store knows it; times are in microseconds UTC."""

    public: str
    name: str
    scope: Scope
    hash: bytes
    created: int
    expires: int | None = None
    used: int | None = None
    revoked: int | None = None

    def is_expired(self, now: int) -> bool:
        """Whether its time is over."""
        return self.expires is not None and self.expires <= now


def create_token(session: Session, name: str, scope: Scope, now: int, expires: int | None = None) -> str:
    """Make a token and return it: the one moment at which it is known."""
    public = secrets.token_hex(_PUBLIC_BYTES)
    token = f"{_PREFIX}_{public}_{secrets.token_urlsafe(_SECRET_BYTES)}"
    row = (public, name, scope.value, _hash(token), now, expires)
    session.insert("token", "public, name, scope, hash, created, expires", [row])
    return token


def all_tokens(session: Session) -> list[Token]:
    """Every token ever made, the oldest first."""
    rows = session.rows("SELECT public, name, scope, hash, created, expires, used, revoked FROM token ORDER BY id")
    return [
        Token(public, name, Scope(scope), bytes(hashed), created, expires, used, revoked)
        for public, name, scope, hashed, created, expires, used, revoked in rows
    ]


def note_use(session: Session, used: Mapping[str, int]) -> None:
    """Note when tokens were last used, by their public parts; a later use that is known already stays."""
    given = Given("public text, us int", sorted(used.items()))
    session.run(
        "UPDATE token SET used = given.us FROM {given}"
        " WHERE token.public = given.public AND coalesce(token.used, 0) < given.us",
        given,
    )


def revoke_tokens(session: Session, selector: str, now: int) -> int:
    """Revoke the tokens of a name, or the one with this public part; returns how many were valid until now."""
    return session.soon(
        "UPDATE token SET revoked = :now WHERE (public = :which OR name = :which) AND revoked IS NULL",
        which=selector,
        now=now,
    ).count()


class Tokens:
    """The tokens of a store at one moment, to tell who comes."""

    def __init__(self, tokens: Iterable[Token]) -> None:
        self._by_public = {token.public: token for token in tokens}

    def __len__(self) -> int:
        """How many were ever made, the revoked ones included."""
        return len(self._by_public)

    def find(self, given: str) -> Token | None:
        """The token that was given, unless it was revoked; it may have expired. Comparing takes constant time."""
        parts = given.split("_", 2)
        token = self._by_public.get(parts[1]) if len(parts) == len(("hw", "public", "secret")) else None
        if token is None or token.revoked is not None or not hmac.compare_digest(token.hash, _hash(given)):
            return None
        return token


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
