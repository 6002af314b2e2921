"""A line of the log is a line of ours, whatever is in the names and messages that it shows."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from headwater.server.app import create_app
from headwater.server.http.logs import JsonLines, TextLines
from headwater.server.settings.settings import ServerSettings

if TYPE_CHECKING:
    from headwater.store import Store

_FORGED = "2026-01-01T00:00:00.000+00:00 ERROR   forged"
_BREAKS = ["\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029", "\x1b[2K\x1b[1G", "\x9b2K", "\u202e"]
_BREAKS += ["\0", "\ud800\n"]


def _record(message: str, **facts: object) -> logging.LogRecord:
    return logging.makeLogRecord({"msg": "%s", "args": (message,), "facts": facts, "levelname": "INFO"})


@pytest.mark.parametrize("sign", _BREAKS)
@pytest.mark.parametrize("lines", [TextLines(), JsonLines()])
def test_nothing_in_a_message_a_fact_or_an_error_begins_a_line(lines: logging.Formatter, sign: str) -> None:
    text = f"a{sign}{_FORGED}"
    record = _record(text, name=text)
    record.exc_info = (ValueError, ValueError(text), None)
    written = lines.format(record)
    written.encode("ascii" if isinstance(lines, JsonLines) else "utf-8")
    assert all(char.isprintable() for char in written.replace("\n", ""))
    first, *rest = written.split("\n")
    assert not any(line.startswith(_FORGED[:5]) for line in rest)
    assert all(line.startswith("    ") for line in rest)
    if isinstance(lines, JsonLines):
        assert rest == []
        assert json.loads(first)["name"] == text


@pytest.mark.parametrize("value", ["a status=200", 'a" status=200', "", "a=b", "back\\slash", "a\tb"])
def test_nothing_in_a_value_looks_like_another_fact(value: str) -> None:
    written = TextLines().format(_record("request", name=value, status=401))
    before, _, after = written.partition(" name=")
    assert before.endswith("request")
    quoted, _, status = after.rpartition(" status=")
    assert (json.loads(quoted), status) == (value, "401")


@pytest.mark.parametrize(
    ("log_clients", "expected"), [("full", "203.0.113.7"), ("network", "203.0.113.0/24"), ("none", None)]
)
def test_the_log_names_the_client_as_the_operator_wants(
    store: Store, caplog: pytest.LogCaptureFixture, log_clients: str, expected: str | None
) -> None:
    app = create_app(store, ServerSettings(allow_open=True, log_clients=log_clients))
    with (
        TestClient(app, client=("203.0.113.7", 1234)) as client,
        caplog.at_level(logging.INFO, "headwater.server"),
    ):
        client.get("/livez", headers={"X-Forwarded-For": "198.51.100.1"})
    assert json.loads(JsonLines().format(caplog.records[0])).get("client") == expected
