"""The files in docs/deploy say what this command line understands."""

from __future__ import annotations

import configparser
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from headwater.cli import app
from headwater.server.settings.settings import ServerSettings

FOLDER = Path(__file__).parents[2] / "docs" / "deploy"


def _parsed(words: list[str]) -> dict[str, Any]:
    """The options of a command as typer reads them; what it does not know is an error."""
    commands: Any = typer.main.get_command(app)
    name, *arguments = words
    command = commands.commands[name]
    while hasattr(command, "commands"):
        name, *arguments = arguments
        command = command.commands[name]
    parsed: dict[str, Any] = command.make_context(name, arguments).params
    return parsed


def test_the_unit_starts_a_server() -> None:
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(FOLDER / "headwater.service")
    program, *words = shlex.split(unit["Service"]["ExecStart"])
    assert Path(program).name == "headwater"
    assert words[0] == "serve"
    options = _parsed(words)
    assert (options["config"], options["log_format"]) == ("/etc/headwater.yml", "json")
    assert int(unit["Service"]["TimeoutStopSec"]) > ServerSettings().shutdown_grace
    assert (unit["Service"]["UMask"], unit["Service"]["StateDirectoryMode"]) == ("0077", "0700")


def test_the_container_starts_a_server_that_others_reach() -> None:
    text = (FOLDER / "Containerfile").read_text(encoding="utf-8")
    entry, command = (
        json.loads(re.findall(rf"^{word} (\[.*)$", text, re.MULTILINE)[0]) for word in ("ENTRYPOINT", "CMD")
    )
    assert entry == ["headwater"]
    assert command[0] == "serve"
    options = _parsed(command)
    assert options["host"] == "0.0.0.0"  # noqa: S104  in a container
    assert options["allow_open"] is None
    assert f"EXPOSE {ServerSettings().port}" in text


@pytest.mark.parametrize("file", ["headwater.service", "Containerfile"])
def test_the_commands_in_the_comments_are_understood(file: str) -> None:
    text = (FOLDER / file).read_text(encoding="utf-8")
    for words in re.findall(r"^#.* headwater (token create .*)$", text, re.MULTILINE):
        assert _parsed(shlex.split(words))["name"] == "me"
