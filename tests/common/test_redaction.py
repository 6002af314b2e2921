"""Texts without secrets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.regex_steps import grows
from tests.secret_corpus import LOOKALIKES, SHAPES, TEXTS, S
from tests.work import MOST

from headwater.common.redaction import assignments, text, urls
from headwater.common.redaction.text import may_hold_secrets, redact, redact_name

# Secrets of other forms: a word, a number, signs.
FORMS = ["swordfish", "48151623", "Tr0ub4dor!x*$", "p-a.s_s~w1", "a1%40b2"]
# What such a secret cannot be told from in its place.
AMBIGUOUS = ("The password is",)
PIECES = [
    "pwd.", "pwd=", "pwd='", 'pwd="', 'pwd=\\"', "pwd='{{ ", "pwd=a(", "/pwd=x/", "pwd=x%26", "pwd>", "<pwd>",
    "://a:", "://a:b@", "://a@", "://a:b/", ",u:p@", "bearer ", "basic a ", "pwd ", "pwd: a ", "pwd is ", "a key ",
    "-u a:", "-u ", "--pwd ", "identified by ", "identified with a ", "aes_encrypt('", "hmac(", "hmac()",
    "eyJaaaaaaaa.", "eyJaaaaaaaa-", "ghp_", "xoxb-", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "%3a%2f%2fa%3a",
    "%3a%2f%2fa%2f", "thin:a/", "thin:a/b@", "@tcp(", "a:b@tcp(", "mysql -p", "option('pwd','", "</pwd> <v>", "%(",
    "${", "\\", "@", "=", "sk-a", "slack.com/",
]  # fmt: skip


@pytest.mark.parametrize("secret", TEXTS)
def test_secrets_are_taken_out(secret: str) -> None:
    redacted = redact(secret)
    assert S not in redacted
    assert not any(shape in redacted for shape in SHAPES)
    assert redact(redacted) == redacted


@pytest.mark.parametrize("form", FORMS)
def test_secrets_of_any_form_are_taken_out(form: str) -> None:
    written = [known.replace(S, form) for known in TEXTS if S in known and not known.startswith(AMBIGUOUS)]
    assert [known for known in written if form in redact(known)] == []


@pytest.mark.parametrize("harmless", LOOKALIKES)
def test_what_is_no_secret_stays(harmless: str) -> None:
    assert redact(harmless) == harmless
    assert redact_name(harmless) == harmless


def test_what_is_around_a_secret_stays() -> None:
    assert redact(f"jdbc:sqlserver://db:1433;user=sa;password={S};encrypt=true") == (
        "jdbc:sqlserver://db:1433;user=sa;password=***;encrypt=true"
    )
    assert (
        redact(f'{{"user": "jane", "password": "{S}", "port": 1}}') == '{"user": "jane", "password": "***", "port": 1}'
    )
    assert redact(f"COPY t FROM 's3://b' CREDENTIALS 'a={S}' FORMAT csv") == (
        "COPY t FROM 's3://b' CREDENTIALS '***' FORMAT csv"
    )


def test_a_name_is_the_same_whoever_says_it() -> None:
    names = [f"postgres://jane:{S}@db:5432", "postgres://joe:other2@db:5432", "postgres://db:5432"]
    assert {redact_name(name) for name in names} == {"postgres://db:5432"}
    assert redact_name("postgres://jane:x1@a:1") != redact_name("postgres://jane:x1@b:1")


def test_a_quick_check_overlooks_nothing() -> None:
    assert [known for known in TEXTS if not may_hold_secrets(known.encode())] == []


@given(st.lists(st.sampled_from([*TEXTS, *LOOKALIKES, *PIECES, " ", "\n", "'", '"', "\\"]), max_size=6))
def test_to_redact_again_changes_nothing(parts: list[str]) -> None:
    redacted = redact("".join(parts))
    assert redact(redacted) == redacted
    assert redact_name(redact_name("".join(parts))) == redact_name("".join(parts))


@pytest.mark.parametrize("piece", PIECES)
def test_a_text_twice_as_long_takes_twice_the_work(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    patterns = {
        text: ["_AUTHORIZATION", "_CRYPTOGRAPHY", "_LITERAL_OR_BRACKET", "_ARGUMENTS", "_MYSQL", "_SHAPES", "_NOBODY"],
        urls: ["_AUTHORITY", "_UNBROKEN", "_ENCODED_USER"],
        assignments: ["_NAME", "_SEPARATOR", "_OPENING", "_PLAIN", "_FOLDER", "_IN_TAG", "_IDENTIFIED", "_BRACES"],
    }

    def analyse(size: int) -> None:
        text._redacted(f"{piece * size} @")

    assert grows(patterns, analyse, 60, monkeypatch) <= MOST
