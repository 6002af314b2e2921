"""The help of commands."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

import pytest
from tests.cli.test_docs import COMMANDS
from typer.testing import CliRunner

from headwater.cli import app

if TYPE_CHECKING:
    from pathlib import Path


def _help(*words: str) -> str:
    result = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    return result.output


@pytest.mark.parametrize("name", ["", "tags", *COMMANDS])
def test_no_type_stands_where_there_is_no_value(name: str) -> None:
    shown = _help(*name.split())
    for noise in ("<bool>", "<str>", "{"):
        assert noise not in shown


def test_the_first_help_has_examples() -> None:
    assert "Example: headwater upstream" in _help()


def test_the_demo_without_spark_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find = PathFinder.find_spec
    monkeypatch.setattr(PathFinder, "find_spec", lambda name, *more: None if name == "pyspark" else find(name, *more))
    monkeypatch.delitem(sys.modules, "pyspark", raising=False)
    result = CliRunner().invoke(app, ["demo", "--folder", str(tmp_path / "demo")])
    assert (result.exit_code, result.stderr) == (
        1,
        "The demo runs on Spark, which is not installed: pip install 'headwater[spark,java]'.\n",
    )
