"""Asking from Python: `headwater.connect`."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

import headwater
from headwater.client.lineage import Lineage
from headwater.query.graph.answer import Answer, Direction, TableAnswer
from headwater.query.moments import beginning_us, moment_us
from headwater.query.search.resolve import UnknownName
from headwater.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import EventMaker

    from headwater.query.moments import Time

DAY = 24 * 60 * 60 * 10**6


@pytest.fixture
def lineage(any_url: str, maker: EventMaker) -> Iterator[Lineage]:
    with headwater.connect(any_url) as connected:
        result = connected.ingest(
            [
                maker(1, job="clean", out="clean", columns={"id": ["raw.id"], "mail": ["raw.mail"]}, reads=["raw"]),
                maker(2, job="sum", out="report", columns={"n": ["clean.id AGGREGATION"]}, reads=["clean"]),
                maker(9, job="sum", out="report", columns={"n": ["clean.mail AGGREGATION"]}, reads=["clean"]),
            ]
        )
        assert (result.accepted, result.duplicates, result.rejected) == (3, 0, ())
        yield connected


def columns(answer: Answer | TableAnswer) -> list[str]:
    assert isinstance(answer, Answer)
    return [f"{node.field.name}.{node.field.field}" for node in answer.nodes]


def test_columns_up_and_down(lineage: Lineage) -> None:
    assert columns(lineage.upstream("report", "n")) == ["report.n", "clean.mail", "raw.mail"]
    assert columns(lineage.downstream("raw", "mail")) == ["raw.mail", "clean.mail", "report.n"]
    assert columns(lineage.downstream("raw", "*")) == ["raw.id", "raw.mail", "clean.id", "clean.mail", "report.n"]


@pytest.mark.parametrize(
    "moment",
    [
        "2026-01-01T00:05:00Z",
        "2026-01-01 01:05:00+01:00",
        datetime(2026, 1, 1, 0, 5, tzinfo=timezone.utc),
        datetime(2026, 1, 1, 2, 5, tzinfo=timezone(timedelta(hours=2))),
    ],
)
def test_a_moment_is_given_in_many_ways(lineage: Lineage, moment: Time) -> None:
    assert columns(lineage.upstream("report", "n", as_of=moment)) == ["report.n", "clean.id", "raw.id"]


def test_without_a_column_it_is_datasets_and_jobs(lineage: Lineage) -> None:
    answer = lineage.upstream("report")
    assert isinstance(answer, TableAnswer)
    assert [node.name.name for node in answer.nodes] == ["report", "sum", "clean", "clean", "raw"]
    answer = lineage.downstream(job="clean")
    assert isinstance(answer, TableAnswer)
    assert [node.name.name for node in answer.nodes] == ["clean", "clean", "sum", "report"]


def test_provenance_of_a_version(lineage: Lineage, maker: EventMaker) -> None:
    run = maker.run_id("sum 2")
    assert columns(lineage.provenance("report", run, "n")) == ["report.n", "clean.id", "raw.id"]
    assert columns(lineage.upstream("report", "n", version=run)) == ["report.n", "clean.id", "raw.id"]


def test_impact_diff_history_and_search(lineage: Lineage) -> None:
    assert lineage.impact("raw", "mail").counts.columns == 2
    changes = lineage.diff("report", "n", since="2026-01-01T00:05:00Z", depth=1)
    assert [edge.origin.field for edge in changes.edges_added] == ["mail"]
    downstream = lineage.diff("raw", "id", since="2026-01-01T00:05:00Z", direction="downstream")
    assert downstream.direction is Direction.DOWNSTREAM
    assert [name.name for name in downstream.columns_removed] == ["report"]
    assert [change.happened.value for change in lineage.history("report", "n").changes] == ["appeared", "changed"]
    assert [hit.full for hit in lineage.search("reprot", kinds=["dataset"]).hits] == ["lake/report"]


def test_what_is_there(lineage: Lineage) -> None:
    assert sorted(name.full for name in lineage.datasets()) == ["lake/clean", "lake/raw", "lake/report"]
    assert sorted(name.name for name in lineage.jobs()) == ["clean", "sum"]
    assert list(lineage.jobs(namespaces=["other"])) == []
    assert lineage.stats().events == 3


def test_a_name_that_nothing_has_is_an_error_with_names_that_are_near(lineage: Lineage) -> None:
    with pytest.raises(UnknownName) as caught:
        lineage.upstream("reprt", "n")
    assert "lake/report" in caught.value.candidates


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"dataset": "report", "column": "n", "job": "sum"}, "give both, and no job"),
        ({"dataset": "report", "column": "n", "collapse": True}, "collapse only applies to"),
        ({"dataset": "report", "direct": True}, "direct only applies to"),
        ({}, "Give a dataset or a job"),
        ({"dataset": "report", "column": "n", "as_of": "2026-01-01T00:05:00"}, "has no time zone"),
        ({"dataset": "report", "column": "n", "as_of": "soon"}, "as_of is not an ISO 8601"),
    ],
)
def test_options_that_make_no_question_are_refused(lineage: Lineage, options: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        lineage.upstream(**options)  # type: ignore[call-overload]


def test_nothing_is_made_by_asking(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    with headwater.connect(path) as lineage, pytest.raises(StoreError, match="No store at"):
        lineage.upstream("report", "n")
    assert not path.exists()


def test_a_date_is_a_day_in_utc() -> None:
    for value in ("1970-01-02", date(1970, 1, 2)):
        assert moment_us(value, "as_of") == 2 * DAY - 1
        assert beginning_us(value, "since") == DAY


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="add tzinfo"):
        moment_us(datetime(2026, 1, 1), "as_of")  # noqa: DTZ001  that is the point
    with pytest.raises(ValueError, match="as_of is not a time"):
        moment_us(1.5, "as_of")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="as_of is not a time"):
        moment_us(bool(1), "as_of")
    assert moment_us(7, "as_of") == 7
    assert moment_us(None, "as_of") is None
