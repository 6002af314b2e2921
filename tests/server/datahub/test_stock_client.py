"""DataHub's stock emitter and graph client, unchanged, against `headwater serve`; then `headwater upstream` answers."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.datahub import oracle
from tests.server.conftest import ENVIRONMENT, Served
from typer.testing import CliRunner

from headwater.cli import app

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = oracle.REPO / "docs" / "datahub.md"
SCRIPT = Path(__file__).with_name("stock_client.py")
SOURCE = "urn:li:dataset:(urn:li:dataPlatform:kafka,demo.orders,PROD)"
FORMS = [
    *(f"{api}_{form}" for api in ("restli", "openapi") for form in ("mcpw", "mcp", "batch", "patch")),
    "mce",
]


def _made(name: str) -> str:
    return f"urn:li:dataset:(urn:li:dataPlatform:hive,demo.{name},PROD)"


def _token(store: str, scope: str) -> str:
    result = CliRunner().invoke(app, ["token", "create", "--scope", scope, "--name", scope, "--store", store])
    assert result.exit_code == 0, result.output
    return next(word for word in result.output.split() if word.startswith("hw_"))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, Any]]]:
    """The store, and what the client was told: one server and one client for all tests."""
    python = oracle.python()
    if python is None:
        pytest.skip("needs acryl-datahub: name a Python that has it in HEADWATER_DATAHUB_PYTHON")
    folder = tmp_path_factory.mktemp("datahub")
    store = f"sqlite:///{folder / 'lineage.db'}"
    tokens = [_token(store, scope) for scope in ("admin", "read")]
    server = Served(["--store", store], folder, {}, "").wait()
    try:
        run = subprocess.run(
            [python, str(SCRIPT), server.url, *tokens, str(PAGE)],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env={**ENVIRONMENT, "DATAHUB_TELEMETRY_ENABLED": "false", "PYTHONPATH": "", "HOME": str(folder)},
        )
        assert run.returncode == 0, f"{run.stderr[-3000:]}\n{server.log[-3000:]}"
        assert not set(tokens) & set(server.log.split())
        yield store, json.loads(run.stdout.splitlines()[-1])
    finally:
        server.kill()


@pytest.mark.parametrize("form", FORMS)
def test_what_each_wire_form_writes_is_answered_by_upstream(told: tuple[str, dict[str, Any]], form: str) -> None:
    asked = ["upstream", f"demo.{form}", "amount", "--output", "json", "--store", told[0]]
    answer = json.loads(CliRunner().invoke(app, asked).output)
    assert [(edge["origin"]["name"], edge["origin"]["field"]) for edge in answer["edges"]] == [("demo.orders", "total")]


def test_what_the_page_posts_is_answered_as_the_page_shows(told: tuple[str, dict[str, Any]]) -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## Over HTTP")[2]
    (command,) = re.findall(r"^    headwater (upstream .*)$", text, re.MULTILINE)
    shown = re.findall(r"^```text\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[0]
    assert CliRunner().invoke(app, [*command.split(), "--store", told[0]]).output == shown


@pytest.mark.parametrize("api", ["restli", "openapi"])
def test_the_client_says_what_was_refused_and_the_rest_is_kept(told: tuple[str, dict[str, Any]], api: str) -> None:
    said = told[1][f"{api} refused"]
    assert _made(f"{api}_batch") in said
    assert "upstreamLineage" in said
    assert "names a field that is not in its dataset's schema" in said
    kept = CliRunner().invoke(app, ["search", "--field", "amount", "--output", "json", "--store", told[0]])
    assert f"demo.{api}_kept" in {hit["name"] for hit in json.loads(kept.output)["hits"]}


def test_the_graph_client_reads_back_what_was_written(told: tuple[str, dict[str, Any]]) -> None:
    said = told[1]
    assert said["paths"] == ["id", "total"]
    assert said["lineage"] is True
    assert said["exists"] == [True, False]
    assert said["aspects"] == ["datasetKey", "schemaMetadata", "upstreamLineage"]
    assert said["entities"] == [_made("mce")]
    assert said["deleted"] == [1, False]
    assert said["sink"] == "By the sink."


def test_the_graph_client_reads_relations(told: tuple[str, dict[str, Any]]) -> None:
    said = told[1]
    assert said[f"DownstreamOf INCOMING {SOURCE}"] == sorted(map(_made, [*FORMS, "fact_orders"]))
    assert said[f"HasField OUTGOING {SOURCE}"] == [
        f"urn:li:datasetField:({SOURCE},/{name})" for name in ("id", "total")
    ]
    of_mce = f"urn:li:schemaField:({_made('mce')},amount)"
    assert said[f"DataDerivedFrom OUTGOING {of_mce}"] == [f"urn:li:schemaField:({SOURCE},total)"]
    assert said[f"DownstreamOf INCOMING urn:li:schemaField:({SOURCE},id)"] == []


def test_a_token_that_may_not_write_does_not(told: tuple[str, dict[str, Any]]) -> None:
    assert "this needs write" in told[1]["reader"]
    assert "authentication error" in told[1]["nobody"]
