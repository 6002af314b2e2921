"""Parts of the command line by themselves: times, conditions, trees of datasets."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
import typer
from rich.console import Console

from headwater.cli.questions.fail_on import Reached, condition
from headwater.cli.times import beginning, moment
from headwater.query.graph.answer import Direction, Moment, TableAnswer, TableEdge, TableKind, TableName, TableNode
from headwater.render.text.tree import drawn


def _us(*parts: int) -> int:
    return int(datetime(*parts, tzinfo=timezone.utc).timestamp()) * 1_000_000  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("text", "us"),
    [
        ("2026-05-12T09:30:00Z", _us(2026, 5, 12, 9, 30)),
        ("2026-05-12T09:30", _us(2026, 5, 12, 9, 30)),
        ("2026-05-12 09:30:00+02:00", _us(2026, 5, 12, 7, 30)),
        ("2026-05-12T09:30:00.000001Z", _us(2026, 5, 12, 9, 30) + 1),
        ("2026-05-12", _us(2026, 5, 13) - 1),
    ],
)
def test_a_time_is_utc_unless_it_says_otherwise_and_a_date_is_its_end(text: str, us: int) -> None:
    assert moment(text) == us


def test_a_window_begins_with_the_start_of_a_date() -> None:
    assert beginning("2026-05-12") == _us(2026, 5, 12)
    assert beginning("2026-05-12T09:30Z") == _us(2026, 5, 12, 9, 30)


def test_yesterday_ends_where_today_begins() -> None:
    assert moment("yesterday") + 1 == beginning("today")


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "12.05.2026", "2026-05-12T25:00", "Z"])
def test_what_is_no_time_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="is not a time: write 2026-05-12"):
        moment(text)


COPIED = Reached("newsletter.send_to", "file//food/warehouse/newsletter", direct=True, masked=False)
HASHED = Reached(
    "customers.email", "file//food/warehouse/customers", direct=True, masked=True, owners=("team:finance",)
)
SORTED = Reached("top.id", "file//food/warehouse/top", direct=False, masked=False)


@pytest.mark.parametrize(
    ("text", "broken", "kept"),
    [
        ("any", [SORTED], []),
        ("direct", [HASHED], [SORTED]),
        ("unmasked", [COPIED], [HASHED, SORTED]),
        ("1", [COPIED, HASHED], [COPIED]),
        ("0", [COPIED], []),
        ("dataset:newsletter", [COPIED], [HASHED]),
        ("dataset:file//food/*/news*", [COPIED], [HASHED]),
        ("dataset:news", [], [COPIED]),
        ("owner:team:finance", [HASHED], [COPIED]),
    ],
)
def test_what_fails_and_what_does_not(text: str, broken: list[Reached], kept: list[Reached]) -> None:
    assert (condition(text).reason(broken) is not None) is bool(broken)
    assert condition(text).reason(kept) is None


def test_a_broken_condition_names_the_first_columns() -> None:
    assert condition("any").reason([COPIED]) == "any: newsletter.send_to"
    assert condition("1").reason([COPIED] * 5) == "1: " + ", ".join(["newsletter.send_to"] * 3) + " and 2 more"


@pytest.mark.parametrize("text", ["", "some", "-1", "dataset:", "owner:", "dataset", "1.5"])
def test_a_condition_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="any, direct, unmasked"):
        condition(text)


def test_datasets_and_jobs_are_a_tree() -> None:
    def end(kind: str, name: str) -> tuple[TableKind, TableName]:
        return TableKind(kind), TableName("lake", name)

    out, job, one, two = end("DATASET", "out"), end("JOB", "etl"), end("DATASET", "a/in"), end("DATASET", "b/\nin")
    answer = TableAnswer(
        Direction.UPSTREAM,
        out[1],
        Moment(),
        tuple(TableNode(*place, distance) for place, distance in ((out, 0), (job, 1), (one, 2), (two, 2))),
        (TableEdge(job, out, None), TableEdge(one, job, None), TableEdge(two, job, None), TableEdge(out, job, None)),
        partial=True,
    )
    console = Console(record=True, width=100)
    for part in drawn(answer):
        console.print(part)
    assert [line.rstrip() for line in console.export_text().splitlines()] == [
        "out",
        "└── job etl",
        "    ├── in",
        r"    ├── \nin",
        "    └── out  (shown above)",
        "",
        r"\nin: lake/b/\nin",
        "in: lake/a/in",
        "out: lake/out, written by etl",
        "2 datasets and 1 job.",
        "Partial answer: the limit was reached, and there is more. Raise --limit or narrow the question.",
    ]
