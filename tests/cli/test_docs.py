"""docs/commands.md says what the commands are, and shows what they print."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer
from tests.food_delivery import events
from typer.testing import CliRunner

from headwater.cli import app
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).parents[2] / "docs" / "commands.md"
_SECTION = re.compile(r"^## headwater (.+)$", re.MULTILINE)
_SIZE = re.compile(r"\d+(\.\d+)? ([kMG]?B)\b")


def _commands(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401  typer brings its own click
    """Every command by its name; those of a group follow it."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, f"{before}{name} ")
        else:
            yield before + name, command


COMMANDS: dict[str, Any] = dict(_commands(typer.main.get_command(app)))


def _sections() -> dict[str, str]:
    _, *parts = _SECTION.split(DOCS.read_text(encoding="utf-8"))
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _table(command: Any) -> Iterator[str]:  # noqa: ANN401  typer brings its own click
    """The arguments and options of a command as rows of a table."""
    for parameter in command.params:
        if parameter.name == "help":
            continue
        if parameter.param_type_name == "argument":
            names = parameter.metavar
        else:
            names = ", ".join(parameter.opts) + ("" if parameter.is_flag else f" {parameter.metavar}")
        # A bar inside of a cell is written with a backslash, also in code.
        yield "| `{}` | {} |".format(names.replace("|", r"\|"), parameter.help)


def test_every_command_is_there_and_no_other() -> None:
    assert list(_sections()) == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_there_with_its_words_and_no_other(name: str) -> None:
    written = [line for line in _sections()[name].splitlines() if line.startswith("| `")]
    assert written == list(_table(COMMANDS[name]))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    result = CliRunner().invoke(app, [*name.split(), "--help"], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    assert f"Example: headwater {name}" in result.output


def _shown() -> list[tuple[str, str]]:
    """The commands of the docs, and what they print there."""
    blocks = re.findall(r"^```console\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    found = []
    for block in blocks:
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            found.append((command, printed))
    return found


def test_the_examples_print_what_the_docs_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HEADWATER_STORE", raising=False)
    (tmp_path / "events.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events()), encoding="utf-8")
    (tmp_path / "orders.sql").write_text(
        "CREATE TABLE orders (id BIGINT NOT NULL, header STRUCT<customer: STRING, tags: ARRAY<STRING>>)",
        encoding="utf-8",
    )
    # The store is filled before it is asked, wherever that stands in the docs.
    shown = sorted(_shown(), key=lambda one: "headwater ingest" not in one[0])
    # All but `run`, `demo` and `pipeline`, which need Spark, `serve`, which does not end, `token`, which makes secrets,
    # and `simulate`, which says how long it took.
    assert len({command.split()[1] for command, _ in shown}) == len({name.split()[0] for name in COMMANDS}) - 6
    for command, printed in shown:
        words, _, code = command.partition("; ")
        result = CliRunner().invoke(app, shlex.split(words)[1:])
        found = result.output + (f"{result.exit_code}\n" if code == "echo $?" else "")
        assert (command, _plain(found)) == (command, _plain(printed))


def test_what_is_read_as_a_whole_is_told_as_the_docs_show(tmp_path: Path) -> None:
    silent = {
        "eventType": "COMPLETE",
        "eventTime": "2025-05-14T07:00:00Z",
        "run": {"runId": "5f0c1c56-2a1e-4d0f-9f3c-0a4f8b8a3f10"},
        "job": {"namespace": "food_delivery", "name": "loyalty"},
        "inputs": [{"namespace": "file", "name": "/food/warehouse/customers"}],
        "outputs": [{"namespace": "file", "name": "/food/warehouse/loyalty"}],
    }
    url = f"sqlite:///{tmp_path / 'lineage.db'}"
    with open_store(url) as store:
        store.ingest([*events(), silent])
    (shown,) = re.findall(r"^```text\n(.*?)^```", _sections()["impact"], re.MULTILINE | re.DOTALL)
    result = CliRunner().invoke(app, ["impact", "landing/customers", "email", "--store", url])
    assert f"{shown}\n" in result.output


def _plain(printed: str) -> list[str]:
    """Lines without what differs from machine to machine: sizes, the folder, and space at their ends."""
    here = str(Path.cwd())
    return [_SIZE.sub("SIZE", line).replace(here, "/home/jane").rstrip() for line in printed.splitlines()]
