"""Texts without secrets."""

from __future__ import annotations

import pytest

from headwater.openlineage.build.redact import redact


@pytest.mark.parametrize(
    "secret",
    [
        "jdbc:postgresql://h/db?user=me&password=hunter2",
        "http://me:hunter2@host/path",
        "Map(user -> me, password -> hunter2)",
        'OPTIONS (password "hunter2")',
        "OPTIONS (dbtable 't', PASSWORD 'hunter2')",
        "fs.s3a.secret.key=hunter2",
        '{"access_token": "hunter2"}',
        "Authorization: Bearer hunter2",
    ],
)
def test_secrets_are_taken_out(secret: str) -> None:
    assert "hunter2" not in redact(secret)


@pytest.mark.parametrize(
    "harmless", ["a = 1 AND b = 'x'", "sha2(email, 256)", "design = 3", "assignment: done", "CAST(token_count AS INT)"]
)
def test_what_is_no_secret_stays(harmless: str) -> None:
    assert redact(harmless) == harmless


@pytest.mark.parametrize("part", ["pwd.", "pwd=", "pwd='", "://a:", "a.", "bearer ", "pwd "])
def test_a_long_text_is_read_once(part: str) -> None:
    """A pattern that reads parts of it again and again would not come to an end here."""
    assert len(redact(part * 100_000 + " @")) > 0
