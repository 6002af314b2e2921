"""The versions of a dataset, the runs of a job, one run; and what is said of a dataset and a job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from headwater.query.catalog.details import Column, describe_dataset, describe_job
from headwater.query.catalog.runs import describe_run, list_runs, list_versions
from headwater.query.metadata.owners import Owner
from headwater.query.metadata.tag_lists import Tag
from headwater.query.search.resolve import UnknownName

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store


def test_versions_are_told_newest_first_with_who_wrote_them(any_store: Store, maker: EventMaker) -> None:
    named = {"version": {"datasetVersion": "17"}}
    any_store.ingest(
        [
            maker(1, job="a", columns={"x": ["in.x"]}, lifecycle="OVERWRITE", facets=named),
            maker(2, job="b", columns={"y": ["in.y"]}),
            maker(3, job="b"),
            maker(4, "FAIL", job="b"),
        ]
    )
    with any_store.read() as session:
        page = list_versions(session, "out", limit=9)
    shown = [
        (version.us, version.job and version.job.name, version.run, version.name, version.carried, version.in_force)
        for version in page.versions
    ]
    assert shown == [
        (maker.us(3), "b", maker.run_id("b 3"), None, True, True),
        (maker.us(2), "b", maker.run_id("b 2"), None, False, False),
        (maker.us(1), "a", maker.run_id("a 1"), "17", False, True),
    ]
    assert [(version.lifecycle, version.whole) for version in page.versions] == [
        (None, False),
        (None, False),
        ("OVERWRITE", True),
    ]


def test_a_whole_overwrite_by_another_ends_a_version(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, job="a"), maker(2, job="b", lifecycle="OVERWRITE")])
    with any_store.read() as session:
        page = list_versions(session, "out", limit=9)
    assert [version.in_force for version in page.versions] == [True, False]


def test_runs_are_told_with_how_they_ended(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, "START", run="one"),
            maker(5, "COMPLETE", run="one"),
            maker(2, "START", run="two", parent="above"),
            maker(3, "FAIL", run="two"),
            maker(4, "START", run="three"),
        ]
    )
    with any_store.read() as session:
        runs = list_runs(session, "job", limit=9).runs
    minutes = [(run.state, run.started_us, run.ended_us) for run in runs]
    assert minutes == [
        (None, maker.us(4), None),
        ("FAIL", maker.us(2), maker.us(3)),
        ("COMPLETE", maker.us(1), maker.us(5)),
    ]
    assert [run.parent for run in runs] == [None, maker.run_id("above"), None]


def test_a_run_is_told_with_what_it_read_and_wrote(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, run="one", reads=["b", "a"]), maker(2, run="two")])
    with any_store.read() as session:
        details = describe_run(session, maker.run_id("one"))
        with pytest.raises(UnknownName, match="No run matches"):
            describe_run(session, "one")
    assert [name.name for name in details.reads] == ["a", "b"]
    assert [(version.dataset.name, version.in_force) for version in details.versions] == [("out", False)]
    assert not details.partial


def test_a_streaming_run_is_told_with_what_it_read(any_store: Store, maker: EventMaker) -> None:
    events: list[Any] = [maker(minute, "RUNNING", run="stream", reads=["topic"]) for minute in (1, 2, 3)]
    for event in events:
        event["job"]["facets"] = {"jobType": {"processingType": "STREAMING", "integration": "SPARK"}}
    any_store.ingest(events)
    with any_store.read() as session:
        details = describe_run(session, maker.run_id("stream"))
    assert (details.run.streaming, [name.name for name in details.reads], len(details.versions)) == (True, ["topic"], 3)


def test_a_dataset_is_told_with_the_last_that_was_said_of_it(any_store: Store, maker: EventMaker) -> None:
    first = {"documentation": {"description": "old words"}, "ownership": {"owners": [{"name": "ann"}]}}
    tags = {"tags": [{"key": "pii", "value": "true", "source": "USER", "field": "b"}, {"key": "raw"}]}
    links = {"identifiers": [{"namespace": "hive", "name": "db.out", "type": "TABLE"}]}
    last = {"documentation": {"description": "new words"}, "tags": tags, "symlinks": links}
    any_store.ingest(
        [
            maker(1, schema={"gone": "int"}, columns={"seen": ["in.x"]}, facets=first),
            maker(2, schema={"b": "string", "a": "int"}, facets=last),
        ]
    )
    with any_store.read() as session:
        details = describe_dataset(session, "lake/out")
    assert details.description == "new words"
    assert details.owners == (Owner("ann", ""),)
    assert details.tags == (Tag("pii", "true", "b"), Tag("raw", None, None))
    assert [name.full for name in details.aliases] == ["hive/db.out"]
    assert [(column.path, column.listed) for column in details.columns] == [
        ("b", True),
        ("a", True),
        ("gone", False),
        ("seen", False),
    ]
    assert details.columns[0] == Column("b", "string", "", listed=True)


def test_a_job_is_told_with_its_owners(any_store: Store, maker: EventMaker) -> None:
    event: Any = maker(1)
    event["job"]["facets"] = {
        "ownership": {"owners": [{"name": "ann", "type": "MAINTAINER"}]},
        "documentation": {"description": "adds up"},
    }
    any_store.ingest([event])
    with any_store.read() as session:
        details = describe_job(session, "jobs/job")
    assert (details.name.full, details.description, details.owners) == (
        "jobs/job",
        "adds up",
        (Owner("ann", "MAINTAINER"),),
    )
