"""Which names tell that their value is a secret: `db.password`, `fs.azure.account.key.x`, but not `token_count`."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

# The words of a name: AWSAccessKeyId is AWS, Access, Key, Id.
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SECRET = frozenset({
    "pwd", "pw", "pswd", "psw", "passwd", "passwort", "passphrase", "passcode", "creds", "cred", "authorization",
    "cookie", "jwt", "bearer", "sas", "sig", "signature", "passwords", "secrets", "credentials", "passphrases",
})  # fmt: skip
_ENDS = (
    "password", "passwd", "pwd", "secret", "token", "credential", "credentials", "apikey", "accesskey", "secretkey",
    "privatekey", "accountkey", "sharedkey", "accesssignature", "encryptionkey", "userpass",
)  # fmt: skip
KEYS = frozenset({
    "access", "secret", "api", "private", "pvt", "account", "shared", "encryption", "signing", "master", "storage",
    "auth", "session", "license", "fernet", "app", "application", "service", "hmac", "ssh", "deploy", "consumer",
    "functions", "crypto", "aes", "decryption", "subscription",
})  # fmt: skip
"""What a key is for, where it must not be known."""
# Names that are about a secret: how long it is, where it lies, what it is called.
_ABOUT = frozenset({
    "id", "ids", "count", "counts", "length", "len", "type", "types", "name", "names", "file", "files", "path", "paths",
    "policy", "policies", "required", "expiry", "expires", "expire", "expiration", "lifetime", "ttl", "duration",
    "enabled", "disabled", "status", "hint", "hints", "reset", "resets", "changed", "updated", "created", "at", "date",
    "time", "timestamp", "age", "max", "min", "limit", "usage", "total", "used", "url", "uri", "endpoint", "provider",
    "class", "column", "columns", "field", "fields", "table", "manager", "rotation", "version", "algorithm", "format",
    "strength", "index", "size", "alias", "scope", "scopes", "arn", "ref", "reference", "mode", "method", "validator",
    "location", "description", "comment", "label", "issuer", "audience", "bucket", "attempts", "score",
})  # fmt: skip
_ASKING = frozenset({"is", "has", "no", "needs", "requires", "forgot", "reset", "show", "hide", "without"})


@lru_cache(maxsize=20_000)
def is_secret_name(name: str) -> bool:
    """Whether a name tells that its value is a secret.

    >>> [is_secret_name(name) for name in ("db.password", "PGPASSWORD", "AWSAccessKeyId", "fs.azure.account.key.x")]
    [True, True, True, True]
    >>> [is_secret_name(name) for name in ("token_count", "primary_key", "tokenizer", "hasPassword", "secret_id")]
    [False, False, False, False, False]
    """
    words = [word.lower() for word in _WORDS.findall(name)]
    while words and words[-1].isdigit():
        words.pop()
    if not words or words[0] in _ASKING:
        return False
    if words[-3:] == ["access", "key", "id"]:
        return True
    if words[-1] in _ABOUT:
        return False
    if words[-1] == "pass" and len(words) > 1:
        return True
    return any(word in _SECRET or word.endswith(_ENDS) for word in words) or any(
        second == "key" and first in KEYS for first, second in pairwise(words)
    )
