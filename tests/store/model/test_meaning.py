"""What an event means, whatever way it says it in."""

from __future__ import annotations

from typing import Any

import pytest

from headwater.openlineage.model.event import RowSource
from headwater.openlineage.model.parse import parse_event
from headwater.store.db.codes import Role
from headwater.store.model.meaning import Meaning, meaning_of

_IN = {"namespace": "lake", "name": "in"}
_BEHIND = {"headwater_behindViews": {"views": [{"namespace": "lake", "name": "view"}]}}


def _meaning(**parts: Any) -> Meaning:  # noqa: ANN401  any JSON
    event = {
        "eventType": "COMPLETE",
        "eventTime": "2026-01-01T00:00:00Z",
        "run": {"runId": "3f5e83fa-3480-44ff-99c5-ff943904e5e8"},
        "job": {"namespace": "jobs", "name": "daily"},
    }
    return meaning_of(parse_event({**event, **parts}))


@pytest.mark.parametrize("inputs", [[], [{**_IN, "inputFacets": _BEHIND}]])
def test_what_several_jobs_read_is_mentioned_once(inputs: list[dict[str, Any]]) -> None:
    entries = [{"type": "JOB", "namespace": "jobs", "name": name, "inputs": [_IN]} for name in ("a", "b")]
    job = {"namespace": "jobs", "name": "daily", "facets": {"lineage": {"entries": entries}}}
    meaning = _meaning(job=job, inputs=inputs)
    behind = [mention.dataset for mention in meaning.mentions if mention.role is Role.BEHIND]
    assert behind == [("lake", "in")]
    assert len(meaning.made_of) == 2


def test_a_view_is_made_of_what_it_counts_the_rows_of() -> None:
    facets = {"columnLineage": {"fields": {"n": {"inputFields": []}}}, "headwater_rows": {"fields": {"n": [_IN]}}}
    dataset = {"namespace": "lake", "name": "view", "facets": facets}
    event = {"eventTime": "2026-01-01T00:00:00Z", "dataset": dataset}
    view, read = meaning_of(parse_event(event)).mentions
    assert (view.role, read.role, read.dataset) == (Role.DECLARED, Role.READ, ("lake", "in"))
    assert view.lineage is not None
    assert view.lineage.row_sources == (RowSource("n", "lake", "in"),)


def test_its_own_rows_are_no_source_of_a_dataset() -> None:
    own = {"namespace": "lake", "name": "out"}
    facets = {"columnLineage": {"fields": {"n": {"inputFields": []}}}, "headwater_rows": {"dataset": [own, _IN]}}
    meaning = _meaning(outputs=[{**own, "facets": facets}])
    (lineage,) = [mention.lineage for mention in meaning.mentions if mention.role is Role.WRITTEN]
    assert lineage is not None
    assert lineage.row_sources == (RowSource(None, "lake", "in"),)
