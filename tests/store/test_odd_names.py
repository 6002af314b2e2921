"""Names of any characters and lengths go in and come out, on both databases; what cannot be stored is named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from headwater.cli import app
from headwater.client.connect import connect

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store

_DATASETS = [
    ("s3://bucket:2024/x y", "a:b/c'd\"e%f%20\N{GRINNING FACE}"),
    ("n" * 2000, "\N{GRINNING FACE}" * 2000),
    ("arn:aws:glue:eu:1:table", "db.t#1"),
    ("ns", "t\\u0041\\n[x]|<y>&amp;"),
]
_COLUMNS = ["a:b c/d'e\"f%g\N{GRINNING FACE}", "c" * 2000, "`x.y`", "plain"]
_SOURCE = ("src", "s")


def _chain(maker: EventMaker) -> list[dict[str, Any]]:
    """Each dataset is written from the one before, all columns copied."""
    events = []
    for minute, (before, (namespace, name)) in enumerate(zip([_SOURCE, *_DATASETS], _DATASETS, strict=False)):
        event: dict[str, Any] = maker(minute, out=None)
        event["job"] = {"namespace": namespace, "name": name}
        fields = {
            column: {"inputFields": [{"namespace": before[0], "name": before[1], "field": column}]}
            for column in _COLUMNS
        }
        facets = {"columnLineage": {"fields": fields}}
        event["outputs"] = [{"namespace": namespace, "name": name, "facets": facets}]
        events.append(event)
    return events


@pytest.mark.parametrize("column", _COLUMNS, ids=["marks", "long", "quoted", "plain"])
def test_every_question_takes_every_name(any_store: Store, maker: EventMaker, column: str) -> None:
    assert any_store.ingest(_chain(maker)).accepted == len(_DATASETS)
    last = "/".join(_DATASETS[-1])
    with connect(any_store.url) as lineage:
        names = [(node.field.namespace, node.field.name) for node in lineage.upstream(last, column).nodes]
        assert names == [*reversed(_DATASETS), _SOURCE]
        assert len(lineage.downstream("src/s", column).nodes) == len(_DATASETS) + 1
        assert len(lineage.impact("src/s", column).datasets) == len(_DATASETS)
        assert len(lineage.history(last, column).changes) == 1


def test_the_command_line_prints_every_name(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(_chain(maker))
    for dataset in _DATASETS:
        command = ["upstream", "/".join(dataset), _COLUMNS[0], "--store", any_store.url, "--output", "json"]
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, result.output
        root = json.loads(result.stdout)["root"]
        assert (root["namespace"], root["name"], root["field"]) == (*dataset, _COLUMNS[0])


def test_what_cannot_be_stored_is_named_and_nothing_of_it_stays(any_store: Store, maker: EventMaker) -> None:
    good: dict[str, Any] = maker(1)
    bad: list[Any] = [
        {**good, "eventTime": None},
        {**good, "eventTime": "2026-01-01T00:00:00"},
        {**good, "run": {"runId": 1}},
        {**good, "job": {"namespace": "a\0", "name": "b"}},
        {**good, "blob": "x" * 50_000_000},
        {**good, "job": {"namespace": "a", "name": "b", "facets": {"sql": {"query": 5}}}},
        [1],
    ]
    result = any_store.ingest([*bad, good])
    assert result.accepted == 1
    assert [(item.index, item.field) for item in result.rejected] == [
        (0, "eventTime"),
        (1, "eventTime"),
        (2, "run.runId"),
        (3, "job.namespace"),
        (4, ""),
        (5, "job.facets.sql.query"),
        (6, "event"),
    ]
    assert "50 MB" in result.rejected[4].reason
    with any_store.read() as session:
        assert session.rows("SELECT count(*) FROM event") == [(1,)]
        assert session.rows("SELECT count(*) FROM job") == [(1,)]


def test_facets_that_nobody_knows_are_kept(any_store: Store, maker: EventMaker) -> None:
    event: dict[str, Any] = maker(1, facets={"ours": {"deep": [{"x": None}], "\N{GRINNING FACE}": 1.5}})
    event["run"]["facets"] = {"ours": {"y": "\0"}}
    assert any_store.ingest([event]).accepted == 1
    assert list(any_store.events()) == [event]
