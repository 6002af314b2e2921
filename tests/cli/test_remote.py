"""Commands print the same, whether they read the store themselves or ask a server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.food_delivery import events
from tests.live_server import served
from typer.testing import CliRunner, Result

from headwater.cli import app
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


_QUESTIONS = [
    "upstream revenue_by_city revenue",
    "upstream warehouse/customers email --as-of 2025-05-13",
    "upstream revenue_by_city --collapse",
    "downstream landing/customers email --direct",
    "downstream --job newsletter --depth 1",
    "impact landing/customers email",
    "impact landing/customers email --fail-on unmasked",
    "pii landing/customers email --fail-on clear",
    "pii --tag PII",
    "pii --as-of 2025-05-13",
    "diff warehouse/customers --from 2025-05-13 --to 2025-05-14",
    "history warehouse/customers email --since 2025-05-13",
    "search custmer emial --kind column",
    "stats",
    "upstream revenue_by_cty",
    "upstream customers",
    "history warehouse/customers emial",
    "upstream revenue_by_city --depth 99999999999",
]
_EXPORTS = [
    *(f"export --format {kind} revenue_by_city revenue" for kind in ("json", "csv", "graphml", "mermaid", "dot")),
    "export --format dot revenue_by_city --depth 1",
    "export --events --since 2025-05-14",
]


@pytest.fixture
def urls(any_food_url: str) -> Iterator[tuple[str, str]]:
    """A store, and a server on it."""
    with open_store(any_food_url) as store, served(store) as url:
        yield any_food_url, url


def _run(command: str, url: str) -> Result:
    return CliRunner().invoke(app, [*command.split(), "--store", url])


def test_questions_print_the_same_to_the_byte(urls: tuple[str, str]) -> None:
    commands = [f"{command} --output {kind}" for command in _QUESTIONS for kind in ("text", "json", "csv")]
    for command in [*commands, *_EXPORTS]:
        local, remote = (_run(command, url) for url in urls)
        assert local.stdout_bytes or local.stderr_bytes
        assert (command, remote.exit_code, remote.stdout_bytes, remote.stderr_bytes) == (
            (command, local.exit_code, local.stdout_bytes, local.stderr_bytes)
        )


def test_events_are_ingested_and_bad_lines_are_named(urls: tuple[str, str], tmp_path: Path) -> None:
    again, new = events()[0], {**events()[0], "eventTime": "2025-05-15T00:00:00Z"}
    lines = [json.dumps(again), json.dumps(new), "no event", json.dumps({"eventTime": "soon"})]
    file = tmp_path / "more.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    result = _run(f"ingest {file}", urls[1])
    assert result.exit_code == 1
    assert result.stdout == "1 new event, 1 already stored, 2 bad.\n"
    assert f"{file}:3: " in result.stderr
    assert f"{file}:4: eventTime: " in result.stderr


@pytest.mark.parametrize("command", ["rebuild", "vacuum", "purge --dataset newsletter --yes"])
def test_what_works_on_the_database_says_where_to_run_it(urls: tuple[str, str], command: str) -> None:
    result = _run(command, urls[1])
    assert result.exit_code == 1
    assert result.stderr == (
        f"{urls[1]} is a server, but this command needs its database: run it where the database is reachable, with"
        " sqlite:///file.db, postgresql://host/database or a path.\n"
    )


def test_a_server_that_is_not_there_is_a_sentence(urls: tuple[str, str]) -> None:
    with open_store(urls[0]) as store, served(store) as gone:
        pass
    result = _run("stats", gone)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Cannot reach the server {gone}: ")
