"""`headwater datahub import` and `export`: files in and out, and what is said of bad ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.food_delivery import events
from typer.testing import CliRunner

from headwater.cli import app
from headwater.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

TABLE = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"


def _run(*words: str, code: int = 0, given: str | None = None) -> str:
    result = CliRunner().invoke(app, ["datahub", *words], input=given)
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture
def filled(tmp_path: Path) -> str:
    url = str(tmp_path / "lineage.db")
    with open_store(url) as store:
        store.ingest(events())
    return url


def test_a_store_written_and_read_answers_as_before(filled: str, tmp_path: Path) -> None:
    file, other = str(tmp_path / "lineage.json"), str(tmp_path / "other.db")
    assert "Wrote 16 proposals to " in _run("export", file, "--store", filled)
    assert _run("import", file, "--store", other).endswith("new events.\n")
    for question in (["upstream", "revenue_by_city", "revenue"], ["downstream", "landing/customers", "email"]):
        asked = [*question, "--all"]
        first, second = (CliRunner().invoke(app, [*asked, "--store", store]).output for store in (filled, other))
        assert first == second
        assert "rows of" in first or "masked" in first


def test_a_moment_is_exported_as_it_was(filled: str, tmp_path: Path) -> None:
    texts = []
    for day in ("2025-05-13", "2025-05-14"):
        file = tmp_path / f"{day}.json"
        _run("export", str(file), "--as-of", day, "--store", filled)
        texts.append(file.read_text(encoding="utf-8"))
    assert ["sha2(" in text for text in texts] == [False, True]


def test_indirect_inputs_are_left_out_on_demand(filled: str) -> None:
    assert "INDIRECT" in _run("export", "-", "--store", filled)
    assert "INDIRECT" not in _run("export", "-", "--direct", "--store", filled)


def test_bad_records_are_told_by_file_and_line_and_the_others_are_kept(tmp_path: Path) -> None:
    good = {"entityUrn": TABLE, "aspectName": "globalTags", "changeType": "UPSERT", "aspect": {"json": {"tags": []}}}
    file = tmp_path / "changes.jsonl"
    file.write_text(f"{json.dumps(good)}\n{{\n{json.dumps({**good, 'entityUrn': 'tag'})}\n", encoding="utf-8")
    said = _run("import", str(file), "--store", str(tmp_path / "s.db"), code=1)
    assert f"{file}:2: This line is not JSON" in said
    assert f"{file}:3: tag is not a valid URN" in said
    assert said.endswith("1 changes, 1 new events, 2 refused.\n")


def test_standard_input_is_read_and_the_answer_is_json_for_programs(tmp_path: Path) -> None:
    said = _run("import", "-", "-o", "json", "--at", "2025-05-13", "--store", str(tmp_path / "s.db"), given="[]")
    assert json.loads(said) == {"changes": 0, "events": 0, "refused": []}


@pytest.mark.parametrize(
    "words",
    [["import", "nowhere.json"], ["export", "x.json", "--env", "MOON"], ["export", "x.json", "--instance", "eu"]],
)
def test_what_cannot_be_understood_is_said_in_a_sentence(words: list[str], filled: str) -> None:
    said = _run(*words, "--store", filled, code=2)
    assert "Traceback" not in said


def test_two_datasets_of_one_urn_are_told_and_an_instance_tells_them_apart(tmp_path: Path) -> None:
    url, file = str(tmp_path / "s.db"), str(tmp_path / "out.json")
    with open_store(url) as store:
        store.ingest(
            [
                {
                    "eventTime": "2025-01-01T00:00:00Z", "producer": "p", "schemaURL": "x#/$defs/DatasetEvent",
                    "dataset": {"namespace": f"postgres://{host}:5432", "name": "a.b.c"},
                }
                for host in ("one", "two")
            ]
        )  # fmt: skip
    assert "set a platform instance" in _run("export", file, "--store", url, code=1)
    _run("export", file, "--instance", "postgres://two:5432=two", "--store", url)


def test_the_rfcs_form_has_the_rfcs_words_and_a_rest_api_as_upstream(tmp_path: Path) -> None:
    url, file = f"sqlite:///{tmp_path / 'api.db'}", tmp_path / "rfc.json"
    step = {"type": "DIRECT", "subtype": "TRANSFORMATION", "description": "upper(id)"}
    source = {"namespace": "https://api.example", "name": "v1/orders", "field": "order.id", "transformations": [step]}
    facets = {
        "schema": {"fields": [{"name": "id", "type": "int", "description": "the key"}]},
        "columnLineage": {"fields": {"id": {"inputFields": [source]}}},
    }
    event = {
        "eventType": "COMPLETE",
        "eventTime": "2026-01-01T00:00:00Z",
        "run": {"runId": "01941f29-7c00-7000-8000-000000000000"},
        "job": {"namespace": "jobs", "name": "load"},
        "outputs": [{"namespace": "lake", "name": "orders", "facets": facets}],
    }
    with open_store(url) as store:
        store.ingest([event])
    _run("export", str(file), "--as", "rfc", "--store", url)
    written = {(record["entityUrn"], record["aspectName"]): record["aspect"]["json"] for record in _records(file)}
    orders = "urn:li:dataset:(urn:li:dataPlatform:lake,orders,PROD)"
    api = "urn:li:dataset:(urn:li:dataPlatform:https,v1/orders,PROD)"
    assert written[orders, "datasetUpstreamLineage"] == {
        "fieldMappings": [
            {
                "created": None,
                "transformationFunction": {"string": "upper(id)"},
                "sourceFields": [{"string": f"urn:li:datasetField:({api},/order/id)"}],
                "destinationField": f"urn:li:datasetField:({orders},/id)",
            }
        ]
    }
    info = written[f"urn:li:datasetField:({orders},/id)", "fieldInfo"]
    assert (info["fieldPath"], info["nativeDataType"], info["description"]) == ("/id", "int", "the key")
    again = f"sqlite:///{tmp_path / 'again.db'}"
    _run("import", str(file), "--store", again)
    found = CliRunner().invoke(app, ["upstream", "orders", "id", "--store", again])
    assert "upper(id)" in found.output


def _records(file: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return found
