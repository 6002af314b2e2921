"""What the first screen and the boxes of a picture are told."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

from tests.food_delivery import events

from headwater.query.catalog.outlines import outlines
from headwater.query.catalog.overview import Coverage, overview
from headwater.query.graph.answer import TableName

if TYPE_CHECKING:
    from headwater.store import Store

_REVENUE = TableName("file", "/food/warehouse/revenue_by_city")


def _failed(minute: int) -> dict[str, object]:
    return {
        "eventType": "FAIL",
        "eventTime": f"2025-05-15T08:{minute:02}:00Z",
        "producer": "https://example.com",
        "run": {"runId": str(uuid5(NAMESPACE_URL, f"failed {minute}"))},
        "job": {"namespace": "food_delivery", "name": f"failing {minute}"},
    }


def test_the_newest_runs_and_failures_come_first_and_no_more_than_were_asked_for(any_store: Store) -> None:
    any_store.ingest([*events(), *(_failed(minute) for minute in range(4))])
    with any_store.read() as session:
        answer = overview(session, limit=3)
    assert [run.job.name for run in answer.runs if run.job] == ["failing 3", "failing 2", "failing 1"]
    assert [run.job.name for run in answer.failures if run.job] == ["failing 3", "failing 2", "failing 1"]
    assert {run.state for run in answer.failures} == {"FAIL"}


def test_a_run_that_succeeded_is_no_failure_and_each_run_is_there_once(any_store: Store) -> None:
    any_store.ingest(events())
    with any_store.read() as session:
        answer = overview(session, limit=100)
    assert answer.failures == ()
    assert len({run.id for run in answer.runs}) == len(answer.runs) == 12


def test_the_busiest_datasets_are_counted_by_completed_runs(any_store: Store) -> None:
    any_store.ingest(events())
    with any_store.read() as session:
        used = {dataset.name.name: (dataset.reads, dataset.writes) for dataset in overview(session, limit=100).busiest}
    # Three days; the newsletter and the customers' table read it, and nobody writes it.
    assert used["/food/landing/customers"] == (6, 0)
    assert used["/food/warehouse/revenue_by_city"] == (0, 3)


def test_coverage_counts_what_was_written_and_what_of_it_has_lineage(any_store: Store) -> None:
    silent = {**_failed(1), "eventType": "COMPLETE", "outputs": [{"namespace": "file", "name": "/food/silent"}]}
    any_store.ingest([*events(), silent])
    with any_store.read() as session:
        coverage = overview(session, limit=1).coverage
    assert (coverage.datasets, coverage.datasets_traced) == (5, 4)
    assert 0 < coverage.columns_traced <= coverage.columns


def test_an_empty_store_has_an_empty_overview(any_store: Store) -> None:
    any_store.prepare()
    with any_store.read() as session:
        answer = overview(session, limit=10)
    assert (answer.since_us, answer.runs, answer.failures, answer.busiest) == (None, (), (), ())
    assert answer.coverage == Coverage(0, 0, 0, 0)


def test_outlines_are_of_the_datasets_that_are_known_by_their_full_names(any_store: Store) -> None:
    any_store.ingest(events())
    with any_store.read() as session:
        listed = outlines(session, [_REVENUE.full, "file//food/none", "revenue_by_city", ""]).outlines
    assert [outline.name for outline in listed] == [_REVENUE]
    assert (listed[0].columns, [owner.name for owner in listed[0].owners]) == (3, ["team:finance"])
    assert listed[0].written_us == 1747203900000000


def test_an_outline_has_the_last_tags(any_store: Store) -> None:
    def described(minute: int, key: str) -> dict[str, object]:
        tags = {"tags": [{"key": key, "value": "true", "source": "USER", "field": "email"}]}
        return {
            "eventTime": f"2025-05-15T08:{minute:02}:00Z",
            "producer": "https://example.com",
            "dataset": {"namespace": "file", "name": "/a", "facets": {"tags": tags}},
        }

    any_store.ingest([described(2, "later"), described(1, "before")])
    with any_store.read() as session:
        (outline,) = outlines(session, ["file//a"]).outlines
    assert [(tag.key, tag.field) for tag in outline.tags] == [("later", "email")]
