"""`headwater schema`: the fields of a file, in every kind of path, and what is said of a bad one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from headwater.cli import app
from headwater.datahub.schemas.formats import Format

DDL = "CREATE TABLE orders (id BIGINT NOT NULL, lines ARRAY<STRUCT<sku: STRING>>)"


@pytest.fixture
def table(tmp_path: Path) -> str:
    file = tmp_path / "orders.sql"
    file.write_text(DDL, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("kind", "paths"),
    [
        ("rfc", ["/id", "/lines/_element/sku"]),
        ("v1", ["id", "lines", "lines.sku"]),
        (
            "v2",
            [
                "[version=2.0].[type=long].id",
                "[version=2.0].[type=struct].[type=array].[type=struct].lines",
                "[version=2.0].[type=struct].[type=array].[type=struct].lines.[type=string].sku",
            ],
        ),
    ],
)
def test_a_file_has_paths_of_each_kind(table: str, kind: str, paths: list[str]) -> None:
    result = CliRunner().invoke(app, ["schema", table, "--as", kind, "--output", "json"])
    assert result.exit_code == 0
    document = json.loads(result.output)
    assert document["as"] == kind
    assert [field["path"] for field in document["fields"]] == paths
    assert document["fields"][0]["nullable"] is False


def test_standard_input_is_read_in_the_format_that_is_named() -> None:
    result = CliRunner().invoke(app, ["schema", "-", "--format", "hive"], input=DDL)
    assert (result.exit_code, result.output.split()[0]) == (0, "/id")


@pytest.mark.parametrize(
    ("arguments", "text", "code", "said"),
    [
        (["-", "--format", "sql"], "SELECT 1", 1, "one CREATE TABLE"),
        (["-", "--format", "openlineage"], "{", 1, "Cannot parse the OpenLineage schema facet"),
        (["-"], "?", 1, "--format"),
        (["-", "--format", "cobol"], "", 2, "Unknown format"),
        (["no/such/file.sql"], "", 2, "Cannot read"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(arguments: list[str], text: str, code: int, said: str) -> None:
    result = CliRunner().invoke(app, ["schema", *arguments], input=text)
    assert result.exit_code == code
    assert said in result.output
    assert "Traceback" not in result.output


def test_the_help_names_every_format() -> None:
    result = CliRunner().invoke(app, ["schema", "--help"], env={"COLUMNS": "250"})
    assert "|".join(one.value for one in Format) in result.output
