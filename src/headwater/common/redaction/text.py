"""Secrets in texts: passwords, tokens and keys are masked wherever a text shows them. The one redactor of Headwater.

Texts come from outside and may be many megabytes long: each is scanned from left to right a fixed number of times. What
looks ahead looks only as far as the next place at which the scan goes on. To redact again changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from headwater.common.redaction.assignments import passwords_of_users, secret_values
from headwater.common.redaction.names import KEYS
from headwater.common.redaction.places import MASK, Place, replaced
from headwater.common.redaction.urls import secrets_in_urls
from headwater.common.redaction.values import is_harmless, is_word

# A quick check: most texts have none of these. They are looked for one by one, which takes a tenth of what one regular
# expression with all of them does.
_HINTS = (
    "pass", "pwd", "pw=", "secret", "token", "cred", "sig", "auth", "cookie", "identified", "bearer", "basic",
    "jwt", "sas", "@", "%40", "eyj", "akia", "asia", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-",
    "xox", "k_live_", "k_test_", "sk-", "aiza", "dapi", "npm_", "pypi-", "hf_", "sg.", "ya29.", "slack.com", "webhooks",
    "crypt", "hmac", "-u ", "psw", "mysql",
)  # fmt: skip
# Most keys are those of tables.
_KEYS = re.compile(rf"(?:{'|'.join(sorted(KEYS))})[^a-z]?key")

_AUTHORIZATION = re.compile(r"(?i)\b(bearer|basic|negotiate)(\s+)([\w.~+/=-]+)")
_CRYPTOGRAPHY = re.compile(r"(?i)(?:aes_(?:en|de)crypt|pgp_sym_(?:en|de)crypt|(?:en|de)cryptbypassphrase|\bhmac)\s*\(")
_LITERAL_OR_BRACKET = re.compile(r"""'[^']*'|"[^"]*"|[()]""")
_SHORTEST_KEY = 6
_ARGUMENTS = re.compile(
    r"""(?:(?<!\S)(?:-u|--user|--proxy-user)[ =]["']?)([^\s:"']+:[^\s"']+)|(?<!\S)sshpass[ ]-p[ ]?(\S+)"""
)
_MYSQL = re.compile(r"(?<!\S)-p([^\s\"']+)")
# Tokens that can be told by their form.
_SHAPES = re.compile(
    r"(?<![\w-])(?:(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?!\w)|gh[pousr]_\w{16,}|github_pat_\w{20,}|glpat-[\w-]{16,}"
    r"|xox[abeoprs]-[\w-]{10,}|[srp]k_(?:live|test)_\w{10,}|sk-[\w-]{20,}|AIza[\w-]{30,}|dapi[0-9a-f]{30,}[\w-]*"
    r"|npm_\w{30,}|pypi-[\w-]{30,}|hf_\w{30,}|ya29\.[\w-]{20,})"
    r"|(?<![\w.-])(?:eyJ[\w-]{8,}\.[\w-]{8,}[\w.-]*|SG\.[\w-]{16,}\.[\w-]{16,})"
    r"|(?<=hooks\.slack\.com/)[A-Za-z]+/[\w/-]+|(?<=/api/webhooks/)\d+/[\w-]+"
)
_KEY_BEGINS, _KEY_ENDS = "-----BEGIN ", "-----END "
_DASHES = "-----"
_NOBODY = re.compile(r"(://|,)\*\*\*@")
# Pieces of documents in which there is no hint.
_WITHOUT_HINTS: set[bytes] = set()
_MOST_REMEMBERED = 50_000
_SHORT_PIECE = 200
# Longer texts are not worth the memory of the cache.
_SHORT = 2000


def redact(text: str) -> str:
    """The text without passwords, tokens and keys.

    >>> redact("jdbc:postgresql://h/db?user=me&password=hunter2&ssl=true")
    'jdbc:postgresql://h/db?user=me&password=***&ssl=true'
    >>> redact("cannot reach http://me:hunter2@host/x")
    'cannot reach http://***@host/x'
    >>> redact("SELECT token, upper(password) FROM users")
    'SELECT token, upper(password) FROM users'
    """
    return _remembered(text) if len(text) <= _SHORT else _redacted(text)


def redact_name(name: str) -> str:
    """The name of a dataset, a job or a namespace without secrets; of users with passwords nothing stays at all.

    So it is the same name for all who say it, whoever they are.

    >>> redact_name("postgres://jane:hunter2@db:5432")
    'postgres://db:5432'
    """
    redacted = redact(name)
    return redacted if f"{MASK}@" not in redacted else _NOBODY.sub(r"\1", redacted)


def may_hold_secrets(content: bytes) -> bool:
    """A quick check of a JSON document or another text: False where `redact` would change nothing of it.

    Most strings of an event were in others before, and are not looked at again. No hint has a quote in it, so a
    document has one if a piece between two quotes has.
    """
    pieces = set(content.split(b'"')).difference(_WITHOUT_HINTS)
    # Hints are ASCII, whatever the encoding.
    if _has_hint(b'"'.join(pieces).lower().decode("latin-1")):
        return True
    if len(_WITHOUT_HINTS) > _MOST_REMEMBERED:
        _WITHOUT_HINTS.clear()
    _WITHOUT_HINTS.update(piece for piece in pieces if len(piece) <= _SHORT_PIECE)
    return False


def _has_hint(lower: str) -> bool:
    # A generator would take twice as long.
    for hint in _HINTS:
        if hint in lower:
            return True
    return "key" in lower and _KEYS.search(lower) is not None


def _redacted(text: str) -> str:
    lower = text.lower()
    if not _has_hint(lower):
        return text
    whole = text
    if "private key" in lower:
        text = replaced(text, _private_keys(text))
    text = replaced(text, secrets_in_urls(text))
    text = replaced(text, secret_values(text))
    if "identified" in lower:
        text = replaced(text, passwords_of_users(text))
    text = _AUTHORIZATION.sub(_authorization, text)
    if "crypt" in lower or "hmac" in lower:
        text = replaced(text, _keys_of_functions(text))
    text = _SHAPES.sub(MASK, text)
    if "-u" in lower or "--" in lower or "sshpass" in lower:
        text = replaced(text, _arguments(text))
    if "mysql" in lower:
        text = _MYSQL.sub(f"-p{MASK}", text)
    # The same object says that nothing was found.
    return whole if text == whole else text


_remembered = lru_cache(maxsize=8192)(_redacted)


def _authorization(found: re.Match[str]) -> str:
    scheme, space, value = found.groups()
    if is_word(value) and (value.islower() or value.istitle()):  # "basic training"
        return found.group()
    return f"{scheme}{space}{MASK}"


def _private_keys(text: str) -> Iterator[Place]:
    begin = text.find(_KEY_BEGINS)
    while begin >= 0:
        ends = text.find(_DASHES, begin + len(_KEY_BEGINS))
        kind = text[begin + len(_KEY_BEGINS) : ends] if ends >= 0 else ""
        start = ends + len(_DASHES) if ends >= 0 else len(text)
        if kind.endswith(("PRIVATE KEY", "PRIVATE KEY BLOCK")):
            end = text.find(_KEY_ENDS, start)
            end = len(text) if end < 0 else end
            if text[start:end] != MASK:
                yield start, end, MASK
            start = end
        begin = text.find(_KEY_BEGINS, start)


def _keys_of_functions(text: str) -> Iterator[Place]:
    """The literals among the arguments of functions that take a key."""
    done = 0
    for function in _CRYPTOGRAPHY.finditer(text):
        if function.start() < done:
            continue
        depth, done = 1, function.end()
        while depth:
            part = _LITERAL_OR_BRACKET.search(text, done)
            if part is None:
                return
            done = part.end()
            written = part.group()
            if written in "()":
                depth += 1 if written == "(" else -1
            elif len(written) - 2 >= _SHORTEST_KEY and not is_harmless(written[1:-1]):
                yield part.start() + 1, part.end() - 1, MASK


def _arguments(text: str) -> Iterator[Place]:
    """What commands are given: -u user:password."""
    for found in _ARGUMENTS.finditer(text):
        user = found.group(1)
        if user is None:
            yield (*found.span(2), MASK)
        elif not user.replace(":", "").isdigit():  # the numbers of a user and a group
            yield (*found.span(1), MASK)
