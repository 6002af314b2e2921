"""On the command line: what is not known is said, and is no success."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.datahub.changes import FACTS, ORDERS, lineage, proposal, schema, take_in
from typer.testing import CliRunner

from headwater.cli import app
from headwater.openlineage.model.producer import PRODUCER

if TYPE_CHECKING:
    from tests.conftest import EventMaker
    from typer.testing import Result

    from headwater.store import Store

_PII = {"tags": {"tags": [{"key": "PII", "value": "true", "field": "mail"}]}}


def _run(store: Store, *words: str) -> Result:
    return CliRunner().invoke(app, [*words, "--store", store.url])


@pytest.fixture
def imported(any_store: Store) -> Store:
    """DataHub knows that `fact_orders` is made of `orders`, and nothing about columns."""
    take_in(
        any_store,
        [
            proposal(ORDERS, "schemaMetadata", schema("id", "email")),
            proposal(FACTS, "schemaMetadata", schema("a", "b")),
            proposal(FACTS, "upstreamLineage", lineage()),
        ],
    )
    return any_store


@pytest.mark.parametrize("condition", ["any", "direct", "unmasked", "unknown", "dataset:fact_orders", "0"])
@pytest.mark.parametrize("column", [[], ["email"]])
def test_lineage_of_tables_in_datahub_is_no_all_clear(imported: Store, column: list[str], condition: str) -> None:
    result = _run(imported, "impact", "demo.orders", *column, "--fail-on", condition)
    assert result.exit_code == 3, result.output
    assert "fact_orders" in result.stderr


def test_downstream_and_upstream_say_what_is_known_by_table(imported: Store) -> None:
    down = _run(imported, "downstream", "demo.orders", "email").stdout
    assert "May also reach there (no column lineage recorded):\n  fact_orders  declared to read orders\n" in down
    assert "No lineage recorded" not in down
    up = _run(imported, "upstream", "fact_orders", "a").stdout
    assert "May also come from there (no column lineage recorded):\n  fact_orders  declared to read orders\n" in up
    nothing = _run(imported, "upstream", "demo.orders", "email").stdout
    assert "No lineage recorded upstream of" in nothing
    assert "May also" not in nothing


def test_personal_data_may_be_in_a_dataset_that_is_known_by_table(imported: Store) -> None:
    assert _run(imported, "pii", "fact_orders", "--fail-on", "possible").exit_code == 0
    _run(imported, "tags", "set", "demo.orders", "email", "PII")
    for words in (["fact_orders"], []):
        for condition, code in (("clear", 0), ("possible", 3), ("unknown", 3)):
            result = _run(imported, "pii", *words, "--fail-on", condition)
            assert (condition, result.exit_code) == (condition, code), result.output
    shown = _run(imported, "pii", "fact_orders").stdout
    assert "No column of fact_orders has a matching tag, but lineage by columns is missing: see below." in shown
    assert "  fact_orders  declared to read orders\n" in shown


def test_a_job_lineage_facet_by_table_is_no_all_clear(any_store: Store, maker: EventMaker) -> None:
    event: dict[str, Any] = maker(1, job="copy", out="c", reads=["a"])
    whole = {"namespace": "lake", "name": "a", "type": "DATASET"}
    entry = {"namespace": "lake", "name": "c", "type": "DATASET", "inputs": [whole]}
    event["job"]["facets"] = {"lineage": {"_producer": PRODUCER, "entries": [entry]}}
    any_store.ingest([event])
    assert _run(any_store, "impact", "lake/a", "--fail-on", "any").exit_code == 3
    assert _run(any_store, "impact", "lake/a", "--fail-on", "unknown").exit_code == 3


@pytest.fixture
def gold(any_store: Store, maker: EventMaker) -> Store:
    """`gold.to` is the e-mail of `src`."""
    any_store.ingest(
        [
            maker(1, job="load", out="src", schema={"mail": "string", "id": "int"}, facets=_PII),
            maker(2, job="gold", out="gold", columns={"to": ["src.mail"], "h": ["src.mail TRANSFORMATION MASKED"]}),
            maker(3, job="ids", out="ids", columns={"id": ["src.id"]}),
        ]
    )
    return any_store


def test_personal_data_that_arrives_in_a_dataset_is_said_with_its_source(gold: Store) -> None:
    result = _run(gold, "pii", "gold", "--fail-on", "clear")
    assert result.exit_code == 3
    assert result.stderr == "Failed by --fail-on clear: lake/gold.to.\n"
    assert result.stdout.splitlines()[:8] == [
        "Arrives in gold from 1 tagged column of other datasets:",
        "src.mail  [PII]",
        "In the clear: 1 column",
        "  gold.to",
        "    src.mail → gold.to",
        "Masked: 1 column",
        "  gold.h",
        "    src.mail → gold.h",
    ]
    nothing = _run(gold, "pii", "ids", "--fail-on", "possible")
    assert nothing.exit_code == 0
    assert "No column of ids has a matching tag, and none arrives from tagged columns." in nothing.stdout


def test_a_derived_tag_is_personal_data_in_the_dataset(gold: Store) -> None:
    assert _run(gold, "tags", "propagate").exit_code == 0
    result = _run(gold, "pii", "gold", "--fail-on", "clear")
    assert result.exit_code == 3
    assert result.stdout.splitlines()[:2] == ["Tagged in gold: 1 column", "  gold.to  [PII]  derived from src.mail"]
    document = json.loads(_run(gold, "pii", "gold", "--output", "json").stdout)
    assert [(item["field"]["field"], item["tag"], item["origin"]) for item in document["tagged"]] == [
        ("to", "PII", "derived")
    ]
    assert document["arrivals"][0]["field"]["name"] == "src"


def test_impact_shows_the_way_that_is_the_reason_with_its_expression(any_store: Store, maker: EventMaker) -> None:
    event: dict[str, Any] = maker(
        1, job="sums", out="revenue", columns={"revenue": ["orders.amount AGGREGATION"]}, rows=["orders.amount FILTER"]
    )
    (step,) = event["outputs"][0]["facets"]["columnLineage"]["fields"]["revenue"]["inputFields"][0]["transformations"]
    step["description"] = "sum(amount * 1.2)"
    any_store.ingest([event])
    shown = _run(any_store, "impact", "orders", "amount").stdout
    assert "  revenue  aggregated  orders.amount → revenue.revenue  sum(amount * 1.2)\n" in shown


def test_impact_names_jobs_with_owners_as_people_do(any_store: Store, maker: EventMaker) -> None:
    event: dict[str, Any] = maker(1, job="sums", out="revenue", columns={"revenue": ["orders.amount"]})
    event["job"]["facets"] = {"ownership": {"owners": [{"name": "payments", "type": "TEAM"}]}}
    any_store.ingest([event])
    shown = _run(any_store, "impact", "orders", "amount").stdout
    assert "job sums  owned by payments\n" in shown
    assert "TableName" not in shown


def test_a_job_that_only_reads_is_affected(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [maker(1, job="mail", out=None, reads=["orders"]), maker(2, out="orders", columns={"x": ["raw.x"]})]
    )
    result = _run(any_store, "impact", "orders", "x", "--fail-on", "any")
    assert result.exit_code == 3
    assert result.stderr == "Failed by --fail-on any: job jobs/mail.\n"
    assert "job mail  reads orders; where it takes the data is not recorded" in result.stdout
    assert _run(any_store, "impact", "orders", "x", "--fail-on", "unknown").exit_code == 3


def test_carried_lineage_is_unknown_and_counted_once(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, columns={"x": ["raw.x"]}), maker(2, reads=["raw"])])
    assert _run(any_store, "impact", "raw", "x", "--fail-on", "1").exit_code == 0
    result = _run(any_store, "impact", "raw", "x", "--fail-on", "unknown")
    assert (result.exit_code, result.stderr) == (3, "Failed by --fail-on unknown: lake/out.\n")
    assert "its last run reported no column lineage" in result.stdout


def test_without_anything_unknown_the_condition_holds(gold: Store) -> None:
    assert _run(gold, "impact", "src", "id", "--fail-on", "unknown").exit_code == 0
    assert _run(gold, "pii", "--fail-on", "unknown").exit_code == 0


_ASKED = {
    "upstream": "--as-of",
    "downstream": "--until",
    "roots": "--as-of",
    "impact": "--as-of",
    "pii": "--as-of",
    "history": "--until",
    "diff": "--to",
}


@pytest.mark.parametrize("command", _ASKED)
def test_a_time_in_the_future_is_answered_with_what_is_known_now(store: Store, maker: EventMaker, command: str) -> None:
    store.ingest([maker(1, columns={"a": ["in.x"]}, schema={"a": "int"})])
    since = ["--from", "2026-01-01"] if command == "diff" else []
    ahead = _run(store, command, "out", "a", *since, _ASKED[command], "9000-01-01")
    assert ahead.exit_code == 0
    assert "The time asked for is in the future: this is what is known now." in ahead.stderr
    assert "future" not in _run(store, command, "out", "a", *since, _ASKED[command], "today").stderr


def test_a_column_that_lineage_leaves_out_is_no_all_clear(any_store: Store, maker: EventMaker) -> None:
    raw = maker(1, job="land", out="raw", schema={"id": "int", "mail": "string"}, facets=_PII)
    schema = {"id": "int", "city": "string"}
    any_store.ingest([raw, maker(2, job="load", reads=["raw"], columns={"id": ["raw.id"]}, schema=schema)])
    result = _run(any_store, "impact", "raw", "mail", "--fail-on", "any")
    assert result.exit_code == 3, result.output
    line = "  out.city  written by load, which reads raw and does not say what it makes these columns from\n"
    assert f"Possibly affected (no column lineage recorded):\n{line}" in result.stdout
    assert _run(any_store, "pii", "--fail-on", "possible").exit_code == 3
    assert line in _run(any_store, "upstream", "out", "city").stdout
    assert line not in _run(any_store, "upstream", "out", "id").stdout
    assert json.loads(_run(any_store, "history", "out", "city", "--output", "json").stdout)["unknown"][0][
        "columns"
    ] == ["city"]


def test_json_says_that_a_time_lies_ahead(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, columns={"a": ["in.x"]}, schema={"a": "int"})])
    ahead = _run(store, "impact", "out", "a", "--as-of", "9000-01-01", "--output", "json")
    assert json.loads(ahead.stdout)["moment"]["ahead"] is True
