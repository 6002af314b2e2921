"""Which values are no secrets, whatever their name: placeholders, types, words of a description."""

from __future__ import annotations

import re

_WORDS = frozenset({
    "", "null", "none", "nil", "true", "false", "yes", "no", "required", "optional", "undefined", "unset", "empty",
    "n/a", "not", "and", "or", "is", "in", "like", "as", "from", "string", "str", "varchar", "nvarchar", "char",
    "text", "int", "integer", "bigint", "smallint", "tinyint", "long", "short", "double", "float", "decimal",
    "numeric", "boolean", "bool", "binary", "bytes", "byte", "date", "timestamp", "uuid", "json", "array", "map",
    "struct", "object", "number", "identity", "direct", "indirect", "high", "medium", "low", "pii", "redacted",
    "[redacted]", "<redacted>", "masked", "hidden", "[purged]", "*********(redacted)",
})  # fmt: skip
# ${DB_PASSWORD}, {{ var.password }}, %(password)s, :password, $PASSWORD, @p, ?, <password>, xxxx, ****
_PLACEHOLDER = re.compile(
    r"\$\{[^}]*\}|\$\([^)]*\)|\$\w+|\{\{.*|\{\w*\}|%\(\w+\)s|%\w|:[A-Za-z_]\w*|@[A-Za-z_]\w*|\?|<[\w -]*>?"
    r"|[*•.…]+|[x*]{3,}|[a-z]+<.*|\d{1,3}"
)
_ONLY_LETTERS = re.compile(r"[^\W\d_]+")
_ALGORITHMS = ("sha", "md5", "bcrypt", "base64", "pbkdf2", "utf", "aes", "rsa", "argon2", "hs256", "rs256")
_SHORTEST = 6
_LONGEST = 200


def is_harmless(value: str) -> bool:
    """Whether a value is no secret, though its name says so.

    >>> [is_harmless(value) for value in ("${DB_PASSWORD}", "null", "***", "varchar", "hunter2")]
    [True, True, True, True, False]
    """
    return len(value) <= _LONGEST and (value.casefold() in _WORDS or _PLACEHOLDER.fullmatch(value) is not None)


def is_word(value: str) -> bool:
    """Whether a value is a word of some language.

    >>> is_word("hashed"), is_word("hunter2")
    (True, False)
    """
    return _ONLY_LETTERS.fullmatch(value) is not None


def is_random(value: str) -> bool:
    """Whether a value has letters and digits, as passwords have and words have not.

    >>> is_random("hunter2"), is_random("hashed"), is_random("sha256")
    (True, False, False)
    """
    return (
        len(value) >= _SHORTEST
        and any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and not value.casefold().startswith(_ALGORITHMS)
    )
