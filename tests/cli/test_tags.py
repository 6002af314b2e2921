"""`headwater tags` and `headwater pii` on the warehouse: what they print, set and refuse."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from headwater.cli import app

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

_EMAIL = ("landing/customers", "email")


@pytest.fixture(autouse=True)
def _on_the_warehouse(food_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWATER_STORE", food_url)


def _run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def _json(*words: str) -> Any:  # noqa: ANN401  JSON
    return json.loads(_run(*words, "--output", "json").stdout)


def test_a_tag_is_set_travels_and_is_taken_away() -> None:
    assert _run("tags", "set", *_EMAIL, "PII").output == "file//food/landing/customers.email has the tag PII.\n"
    dry = _run("tags", "propagate", "--dry-run").output
    assert "newsletter.send_to  PII  carried  by rule identity" in dry
    assert "warehouse/customers.email  PII  stopped  by rule masked personal" in dry
    assert "stopped: transformed, masked: sha2(lower(email), 256)" in dry
    assert dry.endswith("1 to be set, 1 stopped, 0 left unchanged.\n")
    assert [one["origin"] for one in _json("tags", "list")["tags"]] == ["hand"]
    assert _run("tags", "propagate").output.endswith(" 1 dataset changed.\n")
    assert _run("tags", "propagate").output.endswith(" 0 datasets changed.\n")
    listed = _run("tags", "list", "newsletter").output
    assert "PII  file//food/warehouse/newsletter.send_to  derived from file//food/landing/customers.email" in listed
    _run("tags", "unset", "newsletter", "send_to", "PII")
    assert _run("tags", "list", "newsletter").output == "0 tags.\n"
    assert "PII  refused" in _run("tags", "propagate", "--dry-run").output


def test_rules_of_a_file_are_used(tmp_path: Path) -> None:
    _run("tags", "set", *_EMAIL, "PII")
    rules = tmp_path / "rules.yml"
    rules.write_text("rules: [{tags: PII, class: TRANSFORMATION, carries: yes}]", encoding="utf-8")
    found = _json("tags", "propagate", "--dry-run", "--rules", str(rules))
    arriving = {one["field"]["name"]: one["rule"] for one in found["outcomes"] if one["verdict"] == "carried"}
    assert arriving == {"/food/warehouse/newsletter": "identity", "/food/warehouse/customers": "rule 1"}
    rules.write_text("rules: [{carries: perhaps}]", encoding="utf-8")
    refused = _run("tags", "propagate", "--rules", str(rules))
    assert (refused.exit_code, refused.output) == (
        2,
        f"{rules}: rule 1 must set carries to yes, no or may.\n",
    )


def test_a_moment_that_is_over_is_only_shown() -> None:
    _run("tags", "set", *_EMAIL, "PII")
    then = ("tags", "propagate", "--as-of", "2025-05-13")
    assert "warehouse/customers.email  PII  carried" in _run(*then, "--dry-run").output
    refused = _run(*then)
    assert refused.exit_code == 2
    assert "add --dry-run" in refused.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tags", "set", "landing/customers", "emial", "PII"), "No column 'emial'"),
        (("tags", "unset", "landing/custmers", "email", "PII"), "No dataset matches 'landing/custmers'"),
        (("tags", "set", *_EMAIL, " "), "must be a non-empty single line of text"),
        (("pii", "landing/customers", "emial"), "No column 'emial'"),
    ],
)
def test_what_is_not_there_is_said(words: tuple[str, ...], said: str) -> None:
    refused = _run(*words)
    assert refused.exit_code == 2
    assert said in refused.output


def test_the_way_of_the_e_mail_is_named_and_where_it_was_hashed() -> None:
    _run("tags", "set", *_EMAIL, "PII")
    clear, masked = _run("pii").output.split("Masked: 2 columns")
    assert "landing/customers.email → newsletter.send_to" in clear
    assert "landing/customers.email → warehouse/customers.email → revenue_by_city.guests" in masked
    assert "masked at warehouse/customers.email by customers: sha2(lower(email), 256)" in masked


def test_fail_on_tells_what_is_in_the_clear() -> None:
    assert _run("pii", "--fail-on", "clear").exit_code == 0
    _run("tags", "set", *_EMAIL, "PII")
    broken = _run("pii", "--fail-on", "clear")
    assert broken.exit_code == 3
    assert "Failed by --fail-on clear: file//food/warehouse/newsletter.send_to." in broken.output
    assert _run("pii", "landing/customers", "email", "--limit", "1", "--fail-on", "clear").exit_code == 1


def test_rows_for_programs() -> None:
    _run("tags", "set", *_EMAIL, "PII")
    head, *rows = _run("pii", "--output", "csv").stdout.splitlines()
    assert head.startswith("source_namespace,source_name,source_field,tags,namespace,name,field,exposure")
    assert len(rows) == 3
    head, *rows = _run("tags", "propagate", "--dry-run", "--output", "csv").stdout.splitlines()
    assert (head.split(",")[3:7], len(rows)) == (["what", "value", "verdict", "rule"], 2)
