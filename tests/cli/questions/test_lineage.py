"""`headwater upstream` and `headwater downstream`, as a person or a program calls them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from headwater.cli import app

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store

run = CliRunner().invoke


@pytest.fixture
def url(store: Store, maker: EventMaker) -> str:
    """A store with two steps: customers and orders are joined, then summed."""
    store.ingest(
        [
            maker(
                1,
                job="join",
                out="/lake/joined",
                columns={"mail": ["/lake/customers.email TRANSFORMATION MASKED"], "amount": ["/lake/orders.cents"]},
                rows=["/lake/orders.day FILTER"],
                schema={"mail": "string", "amount": "int"},
            ),
            maker(
                2,
                job="sum",
                out="/lake/totals",
                columns={"total": ["/lake/joined.amount AGGREGATION"], "who": ["/lake/joined.mail"]},
                rows=["/lake/joined.mail GROUP_BY"],
                schema={"total": "bigint", "who": "string"},
            ),
        ]
    )
    return f"sqlite:///{store.path}"


def test_upstream_is_a_tree_with_each_edge_in_words(url: str) -> None:
    result = run(app, ["upstream", "totals", "total", "--store", url])
    assert result.exit_code == 0
    assert result.stdout == (
        "totals.total  bigint\n"
        "├── joined.amount  int  ← aggregated: of amount\n"
        "│   ├── orders.cents  ← copied\n"
        "│   └── rows of joined\n"
        "│       └── orders.day  ← filters: of day\n"
        "└── rows of totals\n"
        "    └── joined.mail  string  ← groups: of mail\n"
        "        ├── customers.email  ← transformed, masked: of email  [masked]\n"
        "        └── rows of joined  (shown above)\n"
        "\n"
        "customers: lake//lake/customers\n"
        "joined: lake//lake/joined, written by join\n"
        "orders: lake//lake/orders\n"
        "totals: lake//lake/totals, written by sum\n"
        "5 columns in 3 datasets, 1 of them masked on every path.\n"
    )


def test_downstream_groups_what_reaches_all_rows(url: str) -> None:
    result = run(app, ["downstream", "orders", "day", "--store", url])
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:7] == [
        "orders.day",
        "└── all 2 columns of joined  → filters: of day",
        "    ├── joined.amount  int",
        "    │   └── totals.total  bigint  → aggregated: of amount",
        "    └── joined.mail  string",
        "        ├── totals.who  string  → copied",
        "        └── all 2 columns of totals  → groups: of mail",
    ]


def test_direct_and_depth(url: str) -> None:
    result = run(app, ["downstream", "customers", "email", "--direct", "--depth", "1", "--store", url])
    assert result.stdout.splitlines()[:2] == [
        "customers.email",
        "└── joined.mail  string  → transformed, masked: of email  [masked]",
    ]


def test_json_is_the_whole_answer(url: str) -> None:
    result = run(app, ["upstream", "totals", "who", "--output", "json"], env={"HEADWATER_STORE": url})
    answer = json.loads(result.stdout)
    assert answer["root"] == {"namespace": "lake", "name": "/lake/totals", "field": "who", "version": None}
    assert [node["field"]["field"] for node in answer["nodes"]] == ["who", "mail", "email", "day"]
    assert {edge["destination"]["field"] is None for edge in answer["edges"]} == {True, False}


def test_a_column_that_nothing_feeds_says_so(url: str) -> None:
    result = run(app, ["upstream", "orders", "day", "--store", url])
    assert result.exit_code == 0
    assert result.stdout == "orders.day\nNo lineage recorded upstream of lake//lake/orders day.\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["upstream", "total", "x"], "No dataset matches 'total'.\nClosest names:\n  lake//lake/totals\n"),
        (["upstream", "totals", "totl"], "No column 'totl' in lake//lake/totals.\nClosest names:\n  total\n"),
    ],
)
def test_an_unknown_name_gets_the_nearest_and_exit_code_2(url: str, arguments: list[str], said: str) -> None:
    result = run(app, [*arguments, "--store", url])
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", said)


def test_an_ambiguous_name_gets_the_candidates_and_exit_code_2(url: str, store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, out="/old/totals", columns={})])
    result = run(app, ["upstream", "totals", "total", "--store", url])
    assert result.exit_code == 2
    assert result.stderr == ("'totals' matches 2 datasets.\nChoose one:\n  lake//lake/totals\n  lake//old/totals\n")


@pytest.mark.parametrize("store_url", ["missing.db", "postgresql://host/db"])
def test_a_store_that_cannot_be_used_is_one_sentence_and_exit_code_1(
    store_url: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("empty")
    monkeypatch.chdir(folder)
    result = run(app, ["upstream", "a", "b", "--store", store_url])
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert not list(folder.iterdir())


def test_bad_usage_is_exit_code_2(url: str) -> None:
    assert run(app, ["upstream", "--store", url]).exit_code == 2
    assert run(app, ["upstream", "totals", "total", "--output", "xml", "--store", url]).exit_code == 2
    assert run(app, ["upstream", "totals", "total", "--depth", "-1", "--store", url]).exit_code == 2


def test_what_was_shown_is_marked_and_not_unfolded_again(store: Store, maker: EventMaker) -> None:
    store.ingest(
        [
            maker(1, job="one", out="b", columns={"x": ["a.x"]}),
            maker(2, job="two", out="c", columns={"x": ["b.x"], "y": ["b.x"]}),
            maker(3, job="three", out="d", columns={"x": ["c.x", "c.y"]}),
        ]
    )
    result = run(app, ["upstream", "d", "x", "--store", str(store.path)])
    assert result.stdout.splitlines()[:6] == [
        "d.x",
        "├── c.x  ← copied",
        "│   └── b.x  ← copied",
        "│       └── a.x  ← copied",
        "└── c.y  ← copied",
        "    └── b.x  ← copied  (shown above)",
    ]


def test_long_lines_stay_lines_in_a_pipe(store: Store, maker: EventMaker) -> None:
    name = "n" * 2_000
    store.ingest([maker(1, columns={"a": [f"in.{name}"]})])
    result = run(app, ["upstream", "out", "a", "--store", str(store.path)])
    assert result.stdout.splitlines()[1] == f"└── in.{name}  ← copied"


def test_names_that_would_move_the_cursor_are_escaped(store: Store, maker: EventMaker) -> None:
    event = maker(1, out="odd\nname\x1b[2J", columns={"[bold]a[/bold] 💧": ["in.x"]})
    store.ingest([event])
    result = run(app, ["downstream", "in", "x", "--store", str(store.path)])
    assert result.stdout.splitlines()[1] == r"└── odd\nname\x1b[2J.[bold]a[/bold] 💧  → copied"


def test_two_jobs_that_say_the_same_are_one_line(store: Store, maker: EventMaker) -> None:
    """As of a CREATE TABLE AS SELECT, and of a job that inserts a partition every day after it."""
    columns = {"x": ["raw.x"], "y": ["raw.y AGGREGATION"]}
    store.ingest(
        [
            maker(minute, job=job, out="daily", columns=columns, rows=["raw.day FILTER"])
            for minute, job in ((1, "create"), (2, "insert"))
        ]
    )
    result = run(app, ["upstream", "daily", "x", "--store", str(store.path)])
    assert result.stdout.splitlines() == [
        "daily.x",
        "├── raw.x  ← copied",
        "└── rows of daily",
        "    └── raw.day  ← filters: of day",
        "",
        "daily: lake/daily, written by create, insert",
        "raw: lake/raw",
        "2 columns in 1 dataset.",
    ]
    down = run(app, ["downstream", "raw", "y", "--store", str(store.path)])
    assert down.stdout.splitlines()[:2] == ["raw.y", "└── daily.y  → aggregated: of y"]


def test_two_jobs_that_say_different_things_are_two_lines(store: Store, maker: EventMaker) -> None:
    store.ingest(
        [
            maker(1, job="create", out="daily", columns={"x": ["raw.x"]}),
            maker(2, job="insert", out="daily", columns={"x": ["raw.x TRANSFORMATION"]}),
        ]
    )
    result = run(app, ["upstream", "daily", "x", "--store", str(store.path)])
    assert result.stdout.splitlines()[:3] == ["daily.x", "├── raw.x  ← copied", "└── raw.x  ← transformed: of x"]


@pytest.fixture
def conditions_url(store: Store, maker: EventMaker) -> str:
    """Two steps, each with more conditions on rows than values."""
    store.ingest(
        [
            maker(
                1,
                job="clean",
                out="clean",
                columns={"amount": ["raw.amount"], "day": ["raw.day"]},
                rows=["raw.valid FILTER", "raw.id JOIN", "people.id JOIN"],
            ),
            maker(
                2,
                job="sum",
                out="totals",
                columns={"total": ["clean.amount AGGREGATION", "clean.day CONDITIONAL"]},
                rows=["clean.day GROUP_BY", "calendar.day FILTER"],
            ),
        ]
    )
    return str(store.path)


def test_many_conditions_on_rows_are_one_line(conditions_url: str) -> None:
    result = run(app, ["upstream", "totals", "total", "--store", conditions_url])
    assert result.stdout.splitlines()[:6] == [
        "totals.total",
        "├── clean.amount  ← aggregated: of amount",
        "│   └── raw.amount  ← copied",
        "├── clean.day  ← decides: of day",
        "│   └── raw.day  ← copied",
        "└── + 5 conditions on rows, with 4 more columns (--all)",
    ]
    assert result.stdout.splitlines()[-1] == "8 columns in 4 datasets."


def test_all_shows_every_condition(conditions_url: str) -> None:
    shown = run(app, ["upstream", "totals", "total", "--all", "--store", conditions_url]).stdout
    assert "conditions on rows" not in shown
    for column in ("raw.valid", "raw.id", "people.id", "calendar.day"):
        assert column in shown


def test_programs_get_every_condition(conditions_url: str) -> None:
    document = json.loads(run(app, ["upstream", "totals", "total", "-o", "json", "--store", conditions_url]).stdout)
    assert sum(edge["destination"]["field"] is None for edge in document["edges"]) == 5


def test_where_there_is_nothing_but_conditions_they_are_shown(store: Store, maker: EventMaker) -> None:
    tables = [maker(n, job=f"j{n}", out=f"t{n}", columns={"a": ["raw.a"]}, rows=["raw.day FILTER"]) for n in range(5)]
    store.ingest(tables)
    shown = run(app, ["downstream", "raw", "day", "--store", str(store.path)]).stdout.splitlines()
    assert shown[:3] == ["raw.day", "├── rows of t0  → filters: of day", "├── rows of t1  → filters: of day"]


def test_downstream_tells_values_from_conditions(store: Store, maker: EventMaker) -> None:
    tables = [maker(n, job=f"j{n}", out=f"t{n}", columns={"a": ["raw.b"]}, rows=["raw.a FILTER"]) for n in range(5)]
    store.ingest([*tables, maker(9, job="copy", out="copy", columns={"a": ["raw.a"]})])
    shown = run(app, ["downstream", "raw", "a", "--store", str(store.path)]).stdout.splitlines()
    assert shown[:3] == [
        "raw.a",
        "├── copy.a  → copied",
        "└── + 5 conditions on rows, with 5 more columns (--all)",
    ]
    assert shown[-1] == "6 columns in 6 datasets."
