"""`headwater diff`, `history` and `impact`, as a person or a CI job calls them."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from headwater.cli import app

if TYPE_CHECKING:
    from tests.conftest import EventMaker
    from typer.testing import Result

    from headwater.store import Store

run = CliRunner().invoke
TABLE = "warehouse/customers"
DAYS = ["--from", "2025-05-13", "--to", "2025-05-14"]


def _said(url: str, *arguments: str) -> str:
    result = run(app, [*arguments, "--store", url])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_diff_names_the_changed_column_and_its_expressions(any_food_url: str) -> None:
    assert _said(any_food_url, "diff", TABLE, *DAYS).splitlines()[:4] == [
        "warehouse/customers.email",
        "  reads landing/customers.email differently, in job customers:",
        "    before: transformed: lower(email)",
        "    after:  transformed, masked: sha2(lower(email), 256)",
    ]


def test_diff_of_one_column_that_did_not_change(any_food_url: str) -> None:
    assert _said(any_food_url, "diff", TABLE, "city", *DAYS) == (
        "Nothing changed between 2025-05-13T23:59:59.999999Z and 2025-05-14T23:59:59.999999Z.\n"
    )
    assert _said(any_food_url, "diff", TABLE, "--from", "2025-05-14").startswith("Nothing changed between")


def test_diff_tells_literals_from_expressions(any_food_url: str) -> None:
    shown = _said(any_food_url, "diff", "orders_7_days", *DAYS).splitlines()
    assert shown[:4] == [
        "rows of orders_7_days",
        "  reads orders.placed_on with different literals, in job orders_7_days:",
        "    before: placed_on >= DATE '2025-05-13' - INTERVAL 7 DAYS",
        "    after:  placed_on >= DATE '2025-05-14' - INTERVAL 7 DAYS",
    ]
    assert shown[-1].startswith("1 input with different literals between")


def test_diff_of_inputs_that_came_and_went(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, columns={"x": ["a.x"]}), maker(3, columns={"x": ["b.y"]})])
    shown = _said(any_store.url, "diff", "out", "x", "--from", "2026-01-01T00:02Z").splitlines()
    assert shown[:7] == [
        "a.x  removed",
        "b.y  added",
        "out.x",
        "  no longer reads a.x, in job job: copied",
        "  now reads b.y, in job job: copied",
        "",
        "a: lake/a",
    ]
    assert shown[-1].startswith("1 column added, 1 column removed, 1 input added, 1 input removed between ")


def test_diff_between_versions(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(minute, columns={"x": [f"{name}.x"]}, facets={"version": {"datasetVersion": name}})
            for minute, name in ((1, "one"), (2, "two"))
        ]
    )
    shown = _said(any_store.url, "diff", "out", "--from-version", "one", "--to-version", "two")
    assert "no longer reads one.x" in shown
    assert "now reads two.x" in shown


def test_diff_for_programs(any_food_url: str) -> None:
    document = json.loads(_said(any_food_url, "diff", TABLE, *DAYS, "-o", "json"))
    assert [change["part"] for change in document["edges_changed"]] == ["structure"]
    (row,) = csv.DictReader(io.StringIO(_said(any_food_url, "diff", TABLE, *DAYS, "-o", "csv")))
    assert (row["field"], row["before"]) == ("email", "TRANSFORMATION: lower(email)")


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--to", "2025-05-14"],
        ["--from", "2025-05-14", "--to", "2025-05-13"],
        ["--from-version", "1"],
        ["--from", "2025-05-13", "--from-version", "1", "--to-version", "2"],
        ["--to", "2025-05-13", "--from-version", "1", "--to-version", "2"],
        ["--from-version", "1", "--to-version", "2", "--direction", "downstream"],
        ["--from-version", "1", "--to-version", "2"],
        ["--from", "then"],
    ],
)
def test_diff_without_two_times_is_not_understood(food_url: str, options: list[str]) -> None:
    assert run(app, ["diff", TABLE, *options, "--store", food_url]).exit_code == 2


def test_history_tells_each_change_with_its_run(any_food_url: str) -> None:
    shown = _said(any_food_url, "history", TABLE, "email").splitlines()
    assert [line.split("run ")[0] for line in shown[:6]] == [
        "warehouse/customers.email",
        "2025-05-12T06:05:00.000000Z  job customers starts writing it (OVERWRITE, ",
        "  now reads landing/customers.email: transformed: lower(email)",
        "2025-05-14T06:05:00.000000Z  job customers writes it differently (OVERWRITE, ",
        "  reads landing/customers.email differently:",
        "    before: transformed: lower(email)",
    ]
    assert shown[6] == "    after:  transformed, masked: sha2(lower(email), 256)"


def test_history_within_a_time(any_food_url: str) -> None:
    shown = _said(any_food_url, "history", TABLE, "email", "--since", "2025-05-13").splitlines()
    assert shown[1].startswith("2025-05-14")
    assert shown[-1] == "1 change."
    assert _said(any_food_url, "history", TABLE, "email", "--until", "2025-05-11") == (
        "customers.email did not change in this period.\n"
    )
    assert _said(any_food_url, "history", "landing/customers", "email") == (
        "No lineage recorded for customers.email.\n"
    )


def test_history_tells_what_ended_a_jobs_writes(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="one", columns={"x": ["a.x"]}),
            maker(2, job="two", columns={"x": ["b.x"]}, lifecycle="OVERWRITE"),
        ]
    )
    shown = _said(any_store.url, "history", "out", "x")
    assert "no longer contains what job one wrote (OVERWRITE, job two, run " in shown
    assert "  no longer reads a.x: copied" in shown


def test_history_for_programs(any_food_url: str) -> None:
    document = json.loads(_said(any_food_url, "history", TABLE, "email", "-o", "json"))
    assert [change["happened"] for change in document["changes"]] == ["appeared", "changed"]
    rows = list(csv.DictReader(io.StringIO(_said(any_food_url, "history", TABLE, "email", "-o", "csv"))))
    assert [row["happened"] for row in rows] == ["appeared", "changed"]


def test_history_of_a_column_that_is_not_there_is_not_understood(food_url: str) -> None:
    result = run(app, ["history", TABLE, "emial", "--store", food_url])
    assert result.exit_code == 2
    assert result.stderr.startswith("No column 'emial' in file//food/warehouse/customers.\nClosest names:\n  email\n")


def test_impact_groups_by_dataset_with_paths_and_owners(any_food_url: str) -> None:
    shown = _said(any_food_url, "impact", "landing/customers", "email").splitlines()
    assert shown[:7] == [
        (
            "landing/customers.email  reaches 3 columns in 3 datasets through 3 jobs: "
            "3 directly, 0 indirectly, 2 masked on every path"
        ),
        "warehouse/customers  written by customers",
        (
            "  email  transformation  [masked]  landing/customers.email → warehouse/customers.email"
            "  sha2(lower(email), 256)"
        ),
        "newsletter  written by newsletter  owned by team:marketing",
        "  send_to  identity  landing/customers.email → newsletter.send_to",
        "revenue_by_city  written by revenue_by_city  owned by team:finance",
        "  guests  aggregation  [masked]  landing/customers.email → warehouse/customers.email → revenue_by_city.guests",
    ]
    assert shown[-1] == "Owners to notify: team:finance, team:marketing."


def test_impact_of_a_whole_dataset_and_of_nothing(any_food_url: str) -> None:
    assert _said(any_food_url, "impact", "landing/menus").startswith("menus  reaches 6 columns in 2 datasets")
    assert _said(any_food_url, "impact", "newsletter") == "No lineage recorded downstream of newsletter.\n"


def test_impact_at_another_time(any_food_url: str) -> None:
    assert "masked on every path" not in _said(
        any_food_url, "impact", "landing/customers", "email", "--as-of", "2025-05-13", "--depth", "1"
    )


def _impact(url: str, *conditions: str) -> Result:
    options = [word for text in conditions for word in ("--fail-on", text)]
    return run(app, ["impact", "landing/customers", "email", *options, "--store", url])


@pytest.mark.parametrize(
    ("conditions", "code"),
    [
        (["any"], 3),
        (["direct"], 3),
        (["unmasked"], 3),
        (["2"], 3),
        (["3"], 0),
        (["dataset:newsletter"], 3),
        (["dataset:file//food/warehouse/*"], 3),
        (["dataset:orders*"], 0),
        (["owner:team:finance"], 3),
        (["owner:nobody"], 0),
        (["3", "owner:nobody"], 0),
        (["3", "any"], 3),
        (["some"], 2),
    ],
)
def test_fail_on_has_an_exit_code_of_its_own(any_food_url: str, conditions: list[str], code: int) -> None:
    assert _impact(any_food_url, *conditions).exit_code == code


def test_fail_on_says_what_is_not_allowed_and_prints_the_answer_all_the_same(food_url: str) -> None:
    result = _impact(food_url, "unmasked", "3")
    assert result.stderr == "Failed by --fail-on unmasked: file//food/warehouse/newsletter.send_to.\n"
    assert result.stdout == _said(food_url, "impact", "landing/customers", "email")


def test_fail_on_does_not_pass_where_the_answer_is_cut_off(food_url: str) -> None:
    arguments = ["impact", "landing/customers", "email", "--limit", "2", "--store", food_url]
    result = run(app, [*arguments, "--fail-on", "owner:team:finance"])
    assert result.exit_code == 1
    assert "Raise --limit" in result.stderr
    assert run(app, arguments).exit_code == 0


@pytest.fixture
def silent_url(any_store: Store, maker: EventMaker) -> str:
    """One job tells of columns; one says nothing of them, and another reads what that writes."""
    owned = {"ownership": {"owners": [{"name": "team:audit"}]}}
    any_store.ingest(
        [
            maker(1, job="clean", out="clean", columns={"x": ["source.x MASKED"]}),
            maker(2, job="copy", out="whole", reads=["source"], facets=owned),
            maker(3, job="sum", out="report", columns={"n": ["whole.x AGGREGATION"]}),
            maker(4, job="alone", out="other", reads=["lonely"]),
        ]
    )
    return any_store.url


def test_impact_tells_what_is_read_as_a_whole(silent_url: str) -> None:
    shown = _said(silent_url, "impact", "source", "x").splitlines()
    assert shown[0].startswith("source.x  reaches 1 column in 1 dataset through 1 job: ")
    assert shown[3:7] == [
        "Possibly affected (no column lineage recorded):",
        "  whole  written by copy, which reads source  owned by team:audit",
        "  report  written by sum, which reads whole",
        "",
    ]
    assert "whole: lake/whole" in shown
    assert shown[-1] == "Owners to notify: team:audit."
    assert _said(silent_url, "impact", "lonely").splitlines()[:3] == [
        "lonely  reaches no known columns",
        "Possibly affected (no column lineage recorded):",
        "  other  written by alone, which reads lonely",
    ]
    assert _said(silent_url, "impact", "report") == "No lineage recorded downstream of report.\n"


@pytest.mark.parametrize("asked", [["source", "x"], ["source"]], ids=" ".join)
@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("any", 3),
        ("direct", 3),
        ("unmasked", 3),
        ("2", 3),
        ("3", 0),
        ("dataset:whole", 3),
        ("dataset:report", 3),
        ("dataset:other", 0),
        ("owner:team:audit", 3),
        ("owner:nobody", 0),
    ],
)
def test_a_job_that_says_nothing_of_columns_is_no_all_clear(
    silent_url: str, asked: list[str], condition: str, code: int
) -> None:
    result = run(app, ["impact", *asked, "--fail-on", condition, "--store", silent_url])
    assert result.exit_code == code, result.output
    if condition == "unmasked":
        assert result.stderr == "Failed by --fail-on unmasked: lake/whole, lake/report.\n"


def test_a_limit_on_what_is_unknown_is_no_all_clear(silent_url: str) -> None:
    arguments = ["impact", "source", "--limit", "1", "--fail-on", "dataset:report", "--store", silent_url]
    assert run(app, arguments).exit_code == 1


def test_programs_are_told_of_what_is_unknown(silent_url: str) -> None:
    document = json.loads(_said(silent_url, "impact", "source", "x", "-o", "json"))
    assert document["counts"]["unknown"] == 2
    assert [(one["dataset"]["name"], one["job"]["name"], one["distance"]) for one in document["unknown"]] == [
        ("whole", "copy", 1),
        ("report", "sum", 2),
    ]
    rows = list(csv.DictReader(io.StringIO(_said(silent_url, "impact", "source", "x", "-o", "csv"))))
    assert [(row["name"], row["field"], row["class"], row["owners"]) for row in rows] == [
        ("clean", "x", "IDENTITY", ""),
        ("whole", "", "UNKNOWN", "team:audit"),
        ("report", "", "UNKNOWN", ""),
    ]


def test_impact_for_programs(any_food_url: str) -> None:
    document = json.loads(_said(any_food_url, "impact", "landing/customers", "email", "-o", "json"))
    assert document["counts"]["columns"] == 3
    rows = list(csv.DictReader(io.StringIO(_said(any_food_url, "impact", "landing/customers", "email", "-o", "csv"))))
    assert [row["field"] for row in rows] == ["email", "send_to", "guests"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["diff", TABLE, *DAYS],
        ["diff", "revenue_by_city", *DAYS, "--output", "json"],
        ["history", TABLE, "email"],
        ["history", "revenue_by_city", "revenue", "--output", "csv"],
        ["impact", "landing/customers", "email"],
        ["impact", "landing/menus", "--output", "json"],
    ],
    ids=" ".join,
)
def test_both_databases_print_the_same(both_food_urls: tuple[str, str], arguments: list[str]) -> None:
    first, second = (_said(url, *arguments) for url in both_food_urls)
    assert first == second
