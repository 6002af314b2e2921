"""What jobs may reach that say nothing of columns: never an all-clear."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.ask import impact

from headwater.query.lineage.impact import Impact
from headwater.query.metadata.owners import Owner
from headwater.store.db.session import ids
from headwater.store.reads.table_reads import EMPTY_LINEAGE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import EventMaker

    from headwater.store import Store
    from headwater.store.db.session import Given, Row, Session


def _ask(store: Store, dataset: str, column: str | None = None, **options: Any) -> Impact:  # noqa: ANN401  any of the question's
    with store.read() as session:
        return impact(session, dataset, column, **options)


def _unknown(answer: Impact) -> list[str]:
    """Each as `read, read -[job]-> written (distance)`."""
    return [
        f"{', '.join(name.name for name in entry.reads)} -[{entry.job.name if entry.job else ''}]-> "
        f"{entry.dataset.name if entry.dataset else ''} ({entry.distance})"
        for entry in answer.unknown
        if entry.why.may_reach
    ]


def _reached(answer: Impact) -> list[str]:
    return [dataset.name.name for dataset in answer.datasets]


def test_a_job_that_says_nothing_of_columns_may_reach_what_it_writes(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="known", out="clean", columns={"x": ["raw.x"], "y": ["raw.y"]}),
            maker(2, job="copy", out="whole", reads=["raw", "codes"]),
        ]
    )
    for column in (None, "x"):
        answer = _ask(any_store, "raw", column)
        assert answer
        assert _unknown(answer) == ["raw -[copy]-> whole (1)"]
        assert _reached(answer) == ["clean"]
        assert answer.counts.unknown == 1
    assert _unknown(_ask(any_store, "clean", "x")) == []
    assert not _ask(any_store, "clean", "x")


def test_a_dataset_of_which_no_column_is_known_at_all(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, job="copy", out="whole", reads=["raw"])])
    answer = _ask(any_store, "raw")
    assert answer
    assert _unknown(answer) == ["raw -[copy]-> whole (1)"]
    assert (answer.datasets, answer.counts.columns) == ((), 0)


def test_readers_of_what_columns_reach_are_unknown_too(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="one", out="mid", columns={"x": ["raw.x"]}),
            maker(2, job="two", out="end", columns={"x": ["mid.x"]}),
            maker(3, job="copy", out="whole", reads=["mid", "end", "other"]),
        ]
    )
    assert _unknown(_ask(any_store, "raw", "x")) == ["end, mid -[copy]-> whole (2)"]


def test_what_is_written_from_the_unknown_is_unknown_whatever_is_said_of_columns(
    any_store: Store, maker: EventMaker
) -> None:
    any_store.ingest(
        [
            maker(1, job="copy", out="whole", reads=["raw"], schema={"a": "int"}),
            maker(2, job="sum", out="report", columns={"n": ["whole.a AGGREGATION"]}),
            maker(3, job="mail", out="letters", reads=["report"]),
            maker(4, out="raw", columns={"x": ["source.x"]}),
        ]
    )
    expected = ["raw -[copy]-> whole (1)", "whole -[sum]-> report (2)", "report -[mail]-> letters (3)"]
    assert _unknown(_ask(any_store, "raw", "x")) == expected
    assert _unknown(_ask(any_store, "source", "x")) == [
        "raw -[copy]-> whole (2)",
        "whole -[sum]-> report (3)",
        "report -[mail]-> letters (4)",
    ]


def test_what_is_declared_to_read_the_unknown_is_unknown_too(any_store: Store, maker: EventMaker) -> None:
    declared: dict[str, Any] = maker(2, out="report", columns={"n": ["whole.a"]})
    del declared["run"], declared["job"], declared["inputs"], declared["eventType"]
    declared["dataset"] = declared.pop("outputs")[0]
    any_store.ingest([maker(1, job="copy", out="whole", reads=["raw"]), declared])
    assert _unknown(_ask(any_store, "raw")) == ["raw -[copy]-> whole (1)", "whole -[]-> report (2)"]


def test_a_known_dataset_is_unknown_too_where_another_job_writes_it_in_silence(
    any_store: Store, maker: EventMaker
) -> None:
    any_store.ingest(
        [
            maker(1, job="one", out="mid", columns={"x": ["raw.x"]}),
            maker(2, job="copy", out="mid", reads=["raw"]),
            maker(3, job="two", out="end", columns={"y": ["mid.y"]}),
        ]
    )
    answer = _ask(any_store, "raw", "x")
    assert _reached(answer) == ["mid"]
    assert _unknown(answer) == ["raw -[copy]-> mid (1)", "mid -[two]-> end (2)"]


def test_every_job_is_named_and_the_dataset_counts_once(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="b", out="whole", reads=["raw"]),
            maker(2, job="a", out="whole", reads=["raw"]),
            maker(3, job="c", out="after", reads=["whole"]),
            maker(4, job="d", out="whole", reads=["after"]),
        ]
    )
    answer = _ask(any_store, "raw")
    assert _unknown(answer) == [
        "raw -[a]-> whole (1)",
        "raw -[b]-> whole (1)",
        "after -[d]-> whole (1)",
        "whole -[c]-> after (2)",
    ]
    assert answer.counts.unknown == 2


def test_a_dataset_is_as_far_as_its_nearest_way(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="one", out="mid", columns={"x": ["raw.x"]}),
            maker(2, job="two", out="end", columns={"x": ["mid.x"]}),
            maker(3, job="far", out="far", reads=["end"]),
            maker(4, job="near", out="near", reads=["raw"]),
            maker(5, job="short", out="far", reads=["near"]),
        ]
    )
    answer = _ask(any_store, "raw", "x")
    assert _unknown(answer) == ["raw -[near]-> near (1)", "end -[far]-> far (2)", "near -[short]-> far (2)"]


def test_what_is_asked_about_is_not_listed_but_its_other_columns_are_followed(
    any_store: Store, maker: EventMaker
) -> None:
    any_store.ingest(
        [
            maker(1, job="tidy", out="raw", reads=["raw"]),
            maker(2, job="other", out="end", columns={"y": ["raw.y"]}),
            maker(3, job="one", out="mid", columns={"x": ["raw.x"]}),
        ]
    )
    assert _unknown(_ask(any_store, "raw", "x")) == ["raw -[other]-> end (2)", "raw -[one]-> mid (2)"]
    # All columns are asked about: what reads one of them is known.
    answer = _ask(any_store, "raw")
    assert (_reached(answer), _unknown(answer)) == (["end", "mid"], [])


def test_a_loop_of_unknown_datasets_ends(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="one", out="a", reads=["raw", "b"]),
            maker(2, job="two", out="b", reads=["a"]),
            maker(3, job="three", out="raw", reads=["b"]),
        ]
    )
    assert _unknown(_ask(any_store, "raw")) == ["b, raw -[one]-> a (1)", "a -[two]-> b (2)"]


def test_unknown_is_what_was_in_force_then(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="copy", out="whole", reads=["raw"]),
            maker(5, job="copy", out="whole", columns={"x": ["raw.x"]}),
        ]
    )
    answer = _ask(any_store, "raw", "x", as_of=maker.us(3))
    assert (_reached(answer), _unknown(answer)) == ([], ["raw -[copy]-> whole (1)"])
    answer = _ask(any_store, "raw", "x")
    assert (_reached(answer), _unknown(answer)) == (["whole"], [])
    answer = _ask(any_store, "raw", "x", since=maker.us(4), until=maker.us(6))
    assert (_reached(answer), _unknown(answer)) == (["whole"], ["raw -[copy]-> whole (1)"])
    assert not _ask(any_store, "raw", "x", as_of=maker.us(0))


def test_a_job_that_told_its_columns_before_is_not_silent(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="copy", out="whole", columns={"x": ["raw.x"]}),
            maker(5, job="copy", out="whole", reads=["raw"]),
        ]
    )
    assert _unknown(_ask(any_store, "raw", "x")) == []


def test_depth_bounds_the_unknown(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="one", out="mid", columns={"x": ["raw.x"]}),
            maker(2, job="copy", out="whole", reads=["mid"]),
            maker(3, job="on", out="after", reads=["whole"]),
        ]
    )
    answer = {
        depth: [reader.dataset and reader.dataset.name for reader in _ask(any_store, "raw", "x", depth=depth).unknown]
        for depth in (1, 2, 3)
    }
    assert answer == {1: [], 2: ["whole"], 3: ["whole", "after"]}


def test_a_limit_keeps_the_nearest_and_the_first_by_name(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            *(maker(n, job=f"job{n}", out=f"t{n}", reads=["raw"]) for n in (3, 1, 2)),
            maker(4, job="on", out="after", reads=["t1"]),
        ]
    )
    for limit, names, partial in ((2, ["t1", "t2"], True), (3, ["t1", "t2", "t3"], True), (4, None, False)):
        answer = _ask(any_store, "raw", limit=limit)
        assert [reader.dataset and reader.dataset.name for reader in answer.unknown] == (
            names or ["t1", "t2", "t3", "after"]
        )
        assert answer.partial is partial


def test_other_namespaces_are_not_entered(any_store: Store, maker: EventMaker) -> None:
    event: dict[str, Any] = maker(1, job="copy", out="whole", reads=["raw"])
    event["outputs"][0]["namespace"] = "other"
    any_store.ingest([event, maker(2, job="near", out="near", reads=["raw"])])
    assert _unknown(_ask(any_store, "raw", namespaces=["lake"])) == ["raw -[near]-> near (1)"]
    assert len(_ask(any_store, "raw", namespaces=["lake", "other"]).unknown) == 2


def test_readers_by_another_name_are_found(any_store: Store, maker: EventMaker) -> None:
    link = {"symlinks": {"identifiers": [{"namespace": "lake", "name": "db.raw", "type": "TABLE"}]}}
    any_store.ingest(
        [
            maker(1, job="load", out="raw", columns={"x": ["source.x"]}, facets=link),
            maker(2, job="copy", out="whole", reads=["db.raw"]),
        ]
    )
    for dataset, column in (("lake/raw", None), ("lake/raw", "x"), ("db.raw", None), ("source", "x")):
        assert [reader.dataset and reader.dataset.name for reader in _ask(any_store, dataset, column).unknown] == [
            "whole"
        ]
    assert _unknown(_ask(any_store, "source", "x")) == ["raw -[copy]-> whole (2)"]


def test_a_dataset_that_was_renamed_stays_unknown(any_store: Store, maker: EventMaker) -> None:
    renamed = {
        "lifecycleStateChange": {
            "lifecycleStateChange": "RENAME",
            "previousIdentifier": {"namespace": "lake", "name": "whole"},
        }
    }
    any_store.ingest(
        [
            maker(1, job="copy", out="whole", reads=["raw"]),
            maker(2, job="rename", out="named", facets=renamed),
        ]
    )
    answer = _ask(any_store, "raw", since=maker.us(1), until=maker.us(3))
    assert _unknown(answer) == ["raw -[copy]-> named (1)"]
    assert _unknown(_ask(any_store, "raw")) == ["raw -[copy]-> named (1)"]
    assert _unknown(_ask(any_store, "raw", as_of=maker.us(1))) == ["raw -[copy]-> whole (1)"]


def test_owners_of_unknown_datasets_and_of_their_jobs_are_told(any_store: Store, maker: EventMaker) -> None:
    def owned(name: str) -> dict[str, object]:
        return {"ownership": {"owners": [{"name": name, "type": "TEAM"}]}}

    event: dict[str, Any] = maker(1, job="copy", out="whole", reads=["raw"], facets=owned("zoe"))
    event["job"]["facets"] = owned("jane")
    any_store.ingest([event])
    answer = _ask(any_store, "raw")
    assert answer.owners == answer.unknown[0].owners == (Owner("jane", "TEAM"), Owner("zoe", "TEAM"))


def test_unknown_as_json_as_rows_and_in_a_notebook(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="one", out="mid", columns={"x": ["raw.x"]}),
            maker(2, job="a", out="whole", reads=["raw"]),
            maker(3, job="b", out="whole", reads=["raw"]),
        ]
    )
    answer = _ask(any_store, "raw", "x")
    written = answer.to_dict()
    assert written["counts"]["unknown"] == 1
    assert written["unknown"] == [
        {
            "why": "NO_COLUMNS",
            "dataset": {"namespace": "lake", "name": "whole"},
            "job": {"namespace": "jobs", "name": job},
            "reads": [{"namespace": "lake", "name": "raw"}],
            "distance": 1,
            "owners": [],
            "columns": [],
        }
        for job in ("a", "b")
    ]
    known, row = answer.rows()
    assert (known["field"], known["class"]) == ("x", "IDENTITY")
    assert {key: row[key] for key in ("name", "field", "class", "distance", "jobs")} == {
        "name": "whole",
        "field": None,
        "class": "UNKNOWN",
        "distance": 1,
        "jobs": "jobs/a jobs/b",
    }
    assert tuple(row) == Impact.COLUMNS
    assert "1 dataset without column lineage" in answer._repr_html_()
    assert "UNKNOWN" in answer._repr_html_()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Callable[[Session], list[str]]:
    """A function that has all that is asked in a session from then on listed."""

    def listen(session: Session) -> list[str]:
        statements: list[str] = []
        run = type(session).rows

        def listed(reader: Session, statement: str, given: Given | None = None, /, **values: object) -> list[Row]:
            if given is None or given.rows:
                statements.append(statement)
            return run(reader, statement, given, **values)

        monkeypatch.setattr(type(session), "rows", listed)
        return statements

    return listen


def test_the_unknown_is_asked_for_once_for_each_level(
    any_store: Store, maker: EventMaker, asked: Callable[[Session], list[str]]
) -> None:
    any_store.ingest(
        [
            maker(n, job=f"job{n}-{twin}", out=f"t{n}-{twin}", reads=[f"t{n - 1}-{other}" for other in range(3)])
            for n in range(1, 20)
            for twin in range(3)
        ]
    )
    with any_store.read() as session:
        statements = asked(session)
        answer = []
        for depth in (5, 15):
            statements.clear()
            assert impact(session, "t0-0", depth=depth).counts.unknown == 3 * depth
            answer.append(len(statements))
    assert answer[1] - answer[0] == 10
    assert answer[0] <= 19


def test_silent_readers_are_found_by_their_index(
    store: Store, maker: EventMaker, asked: Callable[[Session], list[str]]
) -> None:
    store.ingest([maker(1, reads=["raw"])])
    with store.read() as session:
        statements = asked(session)
        impact(session, "raw")
        statement = next(reader for reader in statements if "slot.mapping IS NULL" in reader)
        plan = str(session.rows(f"EXPLAIN QUERY PLAN {statement}", ids([1]), since=1, until=1, **EMPTY_LINEAGE))
    assert "SEARCH input USING COVERING INDEX input_by_dataset (dataset=?)" in plan
    assert "SEARCH slot USING INDEX slot_of_inputs (inputs=? AND until_us>?)" in plan
    assert "SEARCH edge USING COVERING INDEX edge_by_input (in_field=? AND mapping=?)" in plan
    assert "SCAN slot" not in plan
