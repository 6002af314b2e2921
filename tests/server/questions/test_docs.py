"""docs/api/questions.md says what can be asked, and shows what is answered."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus

import pytest

from headwater.query.names import QUESTIONS
from headwater.query.questions import parts_of

if TYPE_CHECKING:
    from starlette.testclient import TestClient

DOCS = Path(__file__).parents[3] / "docs" / "api" / "questions.md"
_EXAMPLE = re.compile(r"^```sh\n(curl .*?)\n```\n\n```(json|text)\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
_SECTION = re.compile(r"^## (\w+)$\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def sent(client: TestClient, command: str) -> Any:  # noqa: ANN401  the response of whichever httpx the client has
    """What a curl command of the page gets."""
    words = iter(shlex.split(command.replace("\\\n", " "))[1:])
    url, query, headers, body = "", [], {}, None
    for word in words:
        match word:
            case "-G":
                pass
            case "-H":
                name, _, value = next(words).partition(": ")
                headers[name] = value
            case "-d" | "--data-urlencode":
                name, _, value = next(words).partition("=")
                query.append(f"{name}={quote_plus(value)}")
            case "--json":
                body = json.loads(next(words))
            case _:
                assert not url, f"{word} is not understood"
                url = f"http://{word}"
    full = f"{url}?{'&'.join(query)}" if query else url
    return client.get(full, headers=headers) if body is None else client.post(full, headers=headers, json=body)


def _sections() -> dict[str, str]:
    return dict(_SECTION.findall(DOCS.read_text(encoding="utf-8")))


def test_every_question_is_there_and_no_other() -> None:
    assert list(_sections()) == [*QUESTIONS, "batch"]


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_parameter_is_there_with_its_words_and_no_other(name: str) -> None:
    named = QUESTIONS[name]
    written = [line for line in _sections()[name].splitlines() if line.startswith("| `")]
    parts = parts_of(named.question).items()
    assert written == [f"| `{part}` | {described.said} |" for part, described in parts if part not in named.said]


@pytest.mark.parametrize("name", [*QUESTIONS, "batch"])
def test_every_question_has_an_example_of_its_own(name: str) -> None:
    assert f"/api/v1/questions/{name}" in _EXAMPLE.findall(_sections()[name])[0][0]


def test_the_examples_are_answered_as_the_page_shows(client: TestClient) -> None:
    shown = _EXAMPLE.findall(DOCS.read_text(encoding="utf-8"))
    assert DOCS.read_text(encoding="utf-8").count("```sh\ncurl") == len(shown)
    for command, kind, answer in shown:
        reply = sent(client, command)
        if kind == "json":
            assert (command, _plain(reply.json())) == (command, _plain(json.loads(answer)))
        else:
            assert (command, reply.text.split()) == (command, answer.split())


def _plain(document: Any) -> Any:  # noqa: ANN401  any JSON
    """Without what differs from machine to machine."""
    if isinstance(document, dict) and document.get("kind") == "Stats":
        return {**document, "answer": {**document["answer"], "place": "", "bytes": 0, "store_version": 0}}
    return document
