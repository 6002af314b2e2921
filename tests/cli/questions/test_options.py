"""The options of questions, as people write them, on a warehouse with a history."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

from headwater.cli import app
from headwater.store import open_store

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store

run = CliRunner().invoke
EMAIL = ["warehouse/customers", "email"]


def _said(url: str, *arguments: str) -> str:
    result = run(app, [*arguments, "--store", url])
    assert result.exit_code == 0, result.output
    return result.stdout


def _tree(url: str, *arguments: str) -> list[str]:
    """The lines of an answer before its legend."""
    lines = _said(url, *arguments).splitlines()
    return lines[: lines.index("")] if "" in lines else lines


def test_as_of_two_days_differs(any_food_url: str) -> None:
    assert _tree(any_food_url, "upstream", *EMAIL, "--as-of", "2025-05-13") == [
        "warehouse/customers.email  string",
        "└── landing/customers.email  ← transformed: lower(email)",
    ]
    assert _tree(any_food_url, "upstream", *EMAIL, "--as-of", "2025-05-14") == [
        "warehouse/customers.email  string",
        "└── landing/customers.email  ← transformed, masked: sha2(lower(email), 256)  [masked]",
    ]
    assert _tree(any_food_url, "upstream", *EMAIL) == _tree(any_food_url, "upstream", *EMAIL, "--as-of", "today")


def test_before_there_was_anything_the_first_moment_is_named(any_food_url: str) -> None:
    result = run(app, ["upstream", *EMAIL, "--as-of", "2025-05-11", "--store", any_food_url])
    assert result.exit_code == 2
    assert result.output.strip() == (
        "file//food/warehouse/customers.email was not known at the end of 2025-05-11: it was first seen"
        " 2025-05-12T06:05:00Z."
    )


def test_a_window_has_all_that_held_in_it(any_food_url: str) -> None:
    (_, line) = _tree(any_food_url, "upstream", *EMAIL, "--since", "2025-05-13", "--until", "2025-05-14")
    assert line == (
        "└── landing/customers.email  ← transformed: lower(email); transformed, masked: sha2(lower(email), 256)"
    )


def test_a_version_has_what_its_run_read(any_food_url: str, maker: EventMaker) -> None:
    with open_store(any_food_url) as store:
        store.ingest(
            [
                maker(1, job="a", out="a", columns={"x": ["raw.x"]}),
                maker(2, "START", run="b1", job="b", out="b"),
                maker(3, job="a", out="a", columns={"x": ["other.x"]}),
                maker(
                    4, run="b1", job="b", out="b", columns={"x": ["a.x"]}, facets={"version": {"datasetVersion": "v1"}}
                ),
            ]
        )
    shown = _tree(any_food_url, "upstream", "lake/b", "x", "--version", "v1")
    assert [line.split("@")[0] for line in shown] == ["b", "└── a", "    └── raw.x  ← copied"]
    assert "assumed" in shown[1]
    assert [line.strip("│├└─ ")[:7] for line in _tree(any_food_url, "upstream", "lake/b", "x")] == [
        "b.x",
        "a.x  ← ",
        "other.x",
    ]
    whole = _tree(any_food_url, "upstream", "lake/b", "--version", "v1")
    assert whole[0].startswith("b@")
    assert "raw.x" in whole[-1]


def test_contents_are_all_writes_since_the_last_whole_overwrite(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="one", columns={"x": ["first.x"]}, lifecycle="OVERWRITE"),
            maker(2, job="one", columns={"x": ["second.x"]}),
        ]
    )
    assert "first" not in _said(any_store.url, "upstream", "out", "x")
    assert "first" in _said(any_store.url, "upstream", "out", "x", "--contents")


def test_a_dataset_and_a_job_without_a_column(any_food_url: str) -> None:
    assert _tree(any_food_url, "upstream", "revenue_by_city", "--depth", "2") == [
        "revenue_by_city",
        "└── job revenue_by_city",
        "    ├── customers",
        "    └── orders_7_days",
    ]
    assert _tree(any_food_url, "downstream", "--job", "customers") == [
        "job customers",
        "└── customers",
        "    └── job revenue_by_city",
        "        └── revenue_by_city",
    ]


def test_all_columns_of_a_dataset(any_food_url: str) -> None:
    assert _tree(any_food_url, "upstream", "warehouse/customers", "*", "--as-of", "2025-05-13") == [
        "warehouse/customers",
        "├── warehouse/customers.city  string",
        "│   └── landing/customers.city  ← copied",
        "├── warehouse/customers.email  string",
        "│   └── landing/customers.email  ← transformed: lower(email)",
        "└── warehouse/customers.id  int",
        "    └── landing/customers.id  ← copied",
    ]
    reached = _tree(any_food_url, "downstream", "landing/orders", "*")
    assert "│   └── orders_7_days.order_id  bigint  → copied" in reached
    assert "│   └── all 3 columns of orders_7_days  → joins: orders.menu_id = menus.id" in reached


def test_executions_collapse_into_their_application(any_food_url: str) -> None:
    shown = _tree(any_food_url, "upstream", "newsletter", "--collapse")
    assert shown == ["newsletter", "└── job daily", "    └── customers"]


def test_a_limit_gives_the_first_part_and_says_so(any_food_url: str) -> None:
    shown = _said(any_food_url, "upstream", "revenue_by_city", "revenue", "--limit", "3")
    assert "Partial answer: the limit was reached, and there is more. Raise --limit or narrow the question." in shown
    assert json.loads(_said(any_food_url, "upstream", "revenue_by_city", "revenue", "--limit", "3", "-o", "json"))[
        "partial"
    ]


def test_namespaces_fence_the_answer_in(any_store: Store, maker: EventMaker) -> None:
    other = maker(1, job="a", out="a", columns={"x": ["b.x"]})
    source = other["outputs"][0]["facets"]["columnLineage"]["fields"]["x"]["inputFields"][0]  # type: ignore[index]
    source["namespace"] = "elsewhere"
    any_store.ingest([other, maker(2, job="c", out="c", columns={"x": ["a.x"]})])
    everything = json.loads(_said(any_store.url, "upstream", "c", "x", "-o", "json"))["nodes"]
    fenced = json.loads(_said(any_store.url, "upstream", "c", "x", "--namespace", "lake", "-o", "json"))["nodes"]
    assert {node["field"]["namespace"] for node in everything} == {"lake", "elsewhere"}
    assert {node["field"]["namespace"] for node in fenced} == {"lake"}


def test_csv_is_the_rows(any_food_url: str) -> None:
    found = list(
        csv.DictReader(io.StringIO(_said(any_food_url, "downstream", "landing/customers", "email", "-o", "csv")))
    )
    assert [(row["destination_field"], row["masking"]) for row in found] == [
        ("email", "true"),
        ("send_to", "false"),
        ("guests", "true"),
    ]
    tables = list(csv.DictReader(io.StringIO(_said(any_food_url, "upstream", "newsletter", "-o", "csv"))))
    assert {(row["origin_type"], row["destination_type"]) for row in tables} == {("JOB", "DATASET"), ("DATASET", "JOB")}


@pytest.mark.parametrize("column", [["email"], []])
def test_export_in_every_format(any_food_url: str, column: list[str]) -> None:
    def exported(chosen: str) -> str:
        return _said(
            any_food_url, "export", "--format", chosen, "--direction", "downstream", "landing/customers", *column
        )

    assert json.loads(exported("json"))["direction"] == "downstream"
    assert len(list(csv.reader(io.StringIO(exported("csv"))))) > 1
    assert ET.fromstring(exported("graphml")).tag.endswith("graphml")  # noqa: S314  our own
    assert exported("mermaid").startswith("flowchart LR\n")
    assert exported("dot").startswith("digraph lineage {\n")


def test_search_forgives_typos(any_food_url: str) -> None:
    shown = _said(any_food_url, "search", "custmers", "emial", "--kind", "column").splitlines()
    assert len(shown) == 3
    assert shown[0].startswith("column  file//food/landing/customers.email")
    assert (
        json.loads(_said(any_food_url, "search", "newsletter", "--kind", "job", "-o", "json"))["hits"][0]["kind"]
        == "JOB"
    )
    assert len(_said(any_food_url, "search", "customers", "-o", "csv", "--limit", "1").splitlines()) == 2
    assert _said(any_food_url, "search", "zzzzzz") == "Nothing matches 'zzzzzz'.\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["upstream"], "Give a dataset or a job"),
        (["upstream", "newsletter", "--job", "newsletter"], "Give a dataset or a job"),
        (["upstream", *EMAIL, "--as-of", "soon"], "is not a time"),
        (["upstream", *EMAIL, "--as-of", "2025-05-13", "--since", "2025-05-13"], "Use either as_of or since and until"),
        (["upstream", *EMAIL, "--since", "2025-05-14", "--until", "2025-05-13"], "since must not be after until"),
        (["upstream", *EMAIL, "--since", "2025-05-14", "--contents"], "one moment"),
        (["upstream", *EMAIL, "--collapse"], "only applies to datasets and jobs"),
        (["upstream", "newsletter", "--direct"], "only applies to columns"),
        (["upstream", *EMAIL, "--limit", "0"], "--limit"),
        (["upstream", *EMAIL, "--version", "nowhere"], "nowhere"),
        (["downstream", *EMAIL, "--version", "x"], "No such option"),
        (["export", *EMAIL, "--direction", "downstream", "--version", "x"], "only works upstream"),
        (["export", *EMAIL, "--format", "pdf"], "pdf"),
        (["upstream", "--job", "nowhere"], "No job matches 'nowhere'"),
        (["search"], "WORDS"),
    ],
)
def test_what_is_not_understood_is_said_with_exit_code_2(food_url: str, arguments: list[str], said: str) -> None:
    result = run(app, [*arguments, "--store", food_url], env={"COLUMNS": "300", "TERM": "dumb"})
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


ODD = ["a:b c/d", 'it\'s "q" 100%', "💧 [bold]", "two\nlines", "x" * 2_000]


@pytest.mark.parametrize("name", ODD)
def test_odd_names_work_in_questions_and_in_every_output(any_store: Store, maker: EventMaker, name: str) -> None:
    event = maker(1, out=f"/lake/{name}", columns={"plain": ["in.x"]})
    fields = event["outputs"][0]["facets"]["columnLineage"]["fields"]  # type: ignore[index]
    fields[name] = fields.pop("plain")
    any_store.ingest([event])
    document = json.loads(_said(any_store.url, "upstream", f"lake//lake/{name}", name, "-o", "json"))
    assert document["root"]["name"] == f"/lake/{name}"
    assert len(document["edges"]) == 1
    (row,) = csv.DictReader(io.StringIO(_said(any_store.url, "downstream", "in", "x", "-o", "csv"), newline=""))
    assert row["destination_name"] == f"/lake/{name}"
    assert len(_tree(any_store.url, "downstream", "in", "x")) == 2
    for chosen in ("graphml", "mermaid", "dot"):
        assert _said(any_store.url, "export", "-f", chosen, f"lake//lake/{name}", name)


@pytest.mark.parametrize(
    "arguments",
    [
        ["upstream", "revenue_by_city", "revenue"],
        ["upstream", *EMAIL, "--as-of", "2025-05-13"],
        ["upstream", "revenue_by_city"],
        ["downstream", "landing/customers", "email", "--output", "json"],
        ["downstream", "landing/orders", "placed_on", "--output", "csv"],
        ["upstream", "--job", "revenue_by_city", "--collapse"],
        ["search", "customer", "city"],
        ["export", "--format", "graphml", "revenue_by_city", "revenue"],
        ["export", "--format", "dot", "revenue_by_city"],
        ["export", "--events"],
    ],
    ids=" ".join,
)
def test_both_databases_print_the_same(both_food_urls: tuple[str, str], arguments: list[str]) -> None:
    first, second = (_said(url, *arguments) for url in both_food_urls)
    assert first == second
