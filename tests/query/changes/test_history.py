"""The history of a column: what each run changed, and how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.client.local import StoredLineage
from headwater.query.changes.history import Happened, History, Stretch, fold, history
from headwater.query.graph.answer import Edge, FieldName, TableName, Transformation
from headwater.query.search.resolve import UnknownName
from headwater.render.text.history import history_lines
from headwater.store.db.codes import FOREVER

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import EventMaker

    from headwater.store import Store

ONE, TWO = TableName("jobs", "one"), TableName("jobs", "two")


def stretch(from_us: int, until_us: int, *origins: str, job: TableName = ONE) -> Stretch:
    edges = [
        Edge(
            FieldName("lake", "in", origin),
            FieldName("lake", "out", "a"),
            (Transformation("DIRECT", "IDENTITY", masking=False, description=""),),
            job,
            None,
        )
        for origin in origins
    ]
    return Stretch(job, from_us, until_us, tuple(edges))


def folded(*stretches: Stretch) -> list[tuple[int, str, str, list[str | None], list[str | None]]]:
    return [
        (
            change.us,
            change.happened.value,
            change.job.name if change.job else "",
            [edge.origin.field for edge in change.added],
            [edge.origin.field for edge in change.removed],
        )
        for change in fold(stretches)
    ]


def test_first_appearance_and_change() -> None:
    assert folded(stretch(10, 20, "x"), stretch(20, FOREVER, "x", "y")) == [
        (10, "appeared", "one", ["x"], []),
        (20, "changed", "one", ["y"], []),
    ]


def test_what_changes_nothing_is_left_out() -> None:
    assert folded(stretch(10, 20, "x"), stretch(20, 30, "x"), stretch(30, FOREVER, "x")) == [
        (10, "appeared", "one", ["x"], [])
    ]


def test_a_column_that_a_write_leaves_out_has_changed() -> None:
    assert folded(stretch(10, 20, "x"), stretch(20, FOREVER)) == [
        (10, "appeared", "one", ["x"], []),
        (20, "changed", "one", [], ["x"]),
    ]


def test_after_a_gap_it_appears_again() -> None:
    assert folded(stretch(10, 20, "x"), stretch(30, FOREVER, "x")) == [
        (10, "appeared", "one", ["x"], []),
        (20, "ended", "one", [], ["x"]),
        (30, "appeared", "one", ["x"], []),
    ]


def test_jobs_interleave_and_ends_come_first() -> None:
    assert folded(stretch(20, FOREVER, "y", job=TWO), stretch(10, 20, "x")) == [
        (10, "appeared", "one", ["x"], []),
        (20, "ended", "one", [], ["x"]),
        (20, "appeared", "two", ["y"], []),
    ]


def test_nothing_has_no_history() -> None:
    assert folded() == []


@pytest.fixture
def past(any_store: Store) -> Callable[..., History]:
    def ask(column: str = "total", dataset: str = "out") -> History:
        with any_store.read() as session:
            return history(session, dataset, column)

    return ask


def brief(changes: History) -> list[str]:
    """Each change in a line: minute, what happened, whose, by which lifecycle; +added -removed ~changed."""
    return [
        " ".join(
            [
                str((item.us // 60_000_000) % 60),
                item.happened.value,
                item.job.name if item.job else "declared",
                *([item.by.lifecycle] if item.by and item.by.lifecycle else []),
                *(f"+{edge.origin.name}.{edge.origin.field}" for edge in item.added),
                *(f"-{edge.origin.name}.{edge.origin.field}" for edge in item.removed),
                *(f"~{change.after.origin.name}.{change.after.origin.field}" for change in item.changed),
            ]
        )
        for item in changes.changes
    ]


def test_inputs_expression_and_rows(any_store: Store, maker: EventMaker, past: Callable[..., History]) -> None:
    any_store.ingest(
        [
            maker(1, columns={"total": ["orders.amount"], "other": ["orders.x"]}),
            maker(2, columns={"total": ["orders.amount"], "other": ["orders.y"]}),
            maker(3, columns={"total": ["orders.amount AGGREGATION"]}),
            maker(4, columns={"total": ["orders.amount AGGREGATION"]}, rows=["orders.day FILTER"]),
            maker(5, columns={"total": ["orders.net AGGREGATION"]}, rows=["orders.day FILTER"]),
        ]
    )
    assert brief(past()) == [
        "1 appeared job +orders.amount",
        "3 changed job ~orders.amount",
        "4 changed job +orders.day",
        "5 changed job +orders.net -orders.amount",
    ]
    changes = past().changes
    assert [change.by.run if change.by else None for change in changes] == [
        maker.run_id(f"job {n}") for n in (1, 3, 4, 5)
    ]
    assert changes[2].added[0].dataset_level


def test_a_run_that_says_nothing_of_columns_changes_nothing(
    any_store: Store, maker: EventMaker, past: Callable[..., History]
) -> None:
    any_store.ingest([maker(1, columns={"total": ["orders.amount"]}), maker(2)])
    assert brief(past()) == ["1 appeared job +orders.amount"]


@pytest.mark.parametrize("lifecycle", ["DROP", "TRUNCATE", "OVERWRITE"])
def test_what_ends_it_is_told(
    any_store: Store, maker: EventMaker, past: Callable[..., History], lifecycle: str
) -> None:
    any_store.ingest(
        [
            maker(1, job="one", columns={"total": ["orders.amount"]}),
            maker(
                2,
                job="two",
                columns={"total": ["sales.sum"]} if lifecycle == "OVERWRITE" else None,
                lifecycle=lifecycle,
            ),
        ]
    )
    changes = brief(past())
    assert changes[:2] == ["1 appeared one +orders.amount", f"2 ended one {lifecycle} -orders.amount"]
    assert changes[2:] == (["2 appeared two OVERWRITE +sales.sum"] if lifecycle == "OVERWRITE" else [])
    ended = past().changes[1]
    assert ended.by
    assert ended.by.job == TableName("jobs", "two")
    assert ended.by.run == maker.run_id("two 2")


def test_a_rename_ends_the_old_and_begins_the_new(
    any_store: Store, maker: EventMaker, past: Callable[..., History]
) -> None:
    renamed = {
        "lifecycleStateChange": {
            "lifecycleStateChange": "RENAME",
            "previousIdentifier": {"namespace": "lake", "name": "old"},
        }
    }
    any_store.ingest(
        [
            maker(1, out="old", columns={"total": ["orders.amount"]}, schema={"total": "int"}),
            maker(2, job="move", out="out", facets=renamed, schema={"total": "int"}),
        ]
    )
    assert brief(past()) == ["2 appeared move RENAME +old.total"]
    assert brief(past(dataset="old"))[0] == "1 appeared job +orders.amount"
    assert [change.happened for change in past(dataset="old").changes] == [Happened.APPEARED, Happened.ENDED]


def test_jobs_that_append_stand_beside_each_other(
    any_store: Store, maker: EventMaker, past: Callable[..., History]
) -> None:
    any_store.ingest(
        [
            maker(1, job="one", columns={"total": ["orders.amount"]}),
            maker(2, job="two", columns={"total": ["sales.sum"]}),
            maker(3, job="one", columns={"total": ["orders.net"]}),
        ]
    )
    assert brief(past()) == [
        "1 appeared one +orders.amount",
        "2 appeared two +sales.sum",
        "3 changed one +orders.net -orders.amount",
    ]


def test_a_struct_has_the_history_of_its_fields(
    any_store: Store, maker: EventMaker, past: Callable[..., History]
) -> None:
    any_store.ingest([maker(1, columns={"head.id": ["orders.id"]}), maker(2, columns={"head.id": ["orders.key"]})])
    assert brief(past("head")) == ["1 appeared job +orders.id", "2 changed job +orders.key -orders.id"]


def test_another_spelling_counts_where_it_is_the_only_one(
    any_store: Store, maker: EventMaker, past: Callable[..., History]
) -> None:
    any_store.ingest([maker(1, columns={"Total": ["orders.a"]}), maker(2, columns={"total": ["orders.b"]})])
    assert brief(past("total")) == ["1 appeared job +orders.a", "2 changed job +orders.b -orders.a"]


def test_a_column_without_inputs_has_no_history(
    any_store: Store, maker: EventMaker, past: Callable[..., History]
) -> None:
    any_store.ingest([maker(1, columns={"total": []}, schema={"total": "int"})])
    assert past().changes == ()
    with pytest.raises(UnknownName):
        past("nothing")


def test_a_history_is_plain_json_and_rows(any_store: Store, maker: EventMaker, past: Callable[..., History]) -> None:
    any_store.ingest([maker(1, columns={"total": ["orders.amount"]})])
    written = past().to_dict()
    assert written["column"] == {"namespace": "lake", "name": "out", "field": "total", "version": None}
    (row,) = past().rows()
    assert row == {
        "time": "2026-01-01T00:01:00.000000Z",
        "happened": "appeared",
        "job_namespace": "jobs",
        "job_name": "job",
        "run": maker.run_id("job 1"),
        "lifecycle": None,
        "by_job_name": "job",
        "added": "lake/orders.amount (of amount)",
        "removed": "",
        "changed": "",
        "before": None,
        "after": None,
    }


def lives(changes: History) -> list[str]:
    """Each turn in the life of a column: minute, what happened, its names, and by which job."""
    return [
        " ".join(
            [
                str((item.us // 60_000_000) % 60),
                item.happened.value,
                f"{item.before or ''}>{item.after or ''}",
                item.by.job.name if item.by and item.by.job else "",
            ]
        )
        for item in changes.changes
        if item.before or item.after
    ]


def altered(maker: EventMaker, minute: int, job: str, *columns: str, **renamed: str) -> dict[str, object]:
    """ALTER TABLE: the columns after it, and of those that are renamed the name before."""
    lineage = {new: [f"out.{old}"] for new, old in renamed.items()} or None
    return maker(minute, job=job, columns=lineage, schema=dict.fromkeys(columns, "int"), lifecycle="ALTER")


def test_a_column_begins_when_it_is_added_and_ends_when_it_is_dropped(
    any_store: Store, maker: EventMaker, past: Callable[..., History]
) -> None:
    any_store.ingest(
        [
            maker(1, columns={"other": ["orders.x"]}, rows=["orders.day FILTER"], schema={"other": "int"}),
            altered(maker, 3, "add", "other", "total"),
            maker(4, columns={"total": ["orders.y"]}, schema={"other": "int", "total": "int"}),
            altered(maker, 6, "drop", "other"),
        ]
    )
    assert brief(past())[0] == "3 added declared"
    assert brief(past())[-1] == "6 dropped declared"
    assert lives(past()) == ["3 added >total add", "6 dropped total> drop"]
    assert min(change.us for change in past().changes) == maker.us(3)
    assert lives(past("*")) == lives(past())


def test_a_renamed_column_has_the_history_of_both_names(
    any_store: Store, maker: EventMaker, past: Callable[..., History]
) -> None:
    any_store.ingest(
        [
            maker(1, columns={"x": ["orders.a"]}, schema={"x": "int", "z": "int"}),
            altered(maker, 3, "rename", "y", "z", y="x"),
            maker(5, columns={"y": ["orders.b"]}, schema={"y": "int", "z": "int"}),
        ]
    )
    assert brief(past("y")) == ["1 appeared job +orders.a", "3 renamed declared", "5 changed job +orders.b -orders.a"]
    assert lives(past("y")) == ["3 renamed x>y rename"]
    assert past("x") == past("y")
    assert lives(past("*")) == ["3 renamed x>y rename"]
    lines = [str(line) for line in history_lines(past("y"), all_times=True)]
    assert any("renamed: x is now y (job rename, run" in line for line in lines)


def _unknown(answer: History) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(entry.why.value, entry.job.name if entry.job else "", entry.columns) for entry in answer.unknown]


def test_what_jobs_wrote_in_silence_is_unknown(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="copy", reads=["raw"]),
            maker(
                2,
                job="load",
                reads=["raw"],
                columns={"a": ["raw.a"]},
                schema={"a": "int", "b": "int"},
                lifecycle="OVERWRITE",
            ),
            maker(3, job="py", columns={"a": ["raw.a PYTHON"]}, lifecycle="OVERWRITE"),
        ]
    )
    with any_store.read() as session:
        answers = {column: history(session, "out", column) for column in ("a", "b", None)}
    assert _unknown(answers["a"]) == [("NO_COLUMNS", "copy", ()), ("OPAQUE", "py", ())]
    assert _unknown(answers["b"]) == [("NO_COLUMNS", "copy", ()), ("LEFT_OUT", "load", ("b",))]
    assert _unknown(answers[None])[:2] == [("NO_COLUMNS", "copy", ()), ("LEFT_OUT", "load", ("b",))]
    assert answers["b"].to_dict()["unknown"][1]["columns"] == ["b"]
    lines = [line.plain for line in history_lines(answers["b"], all_times=True)]
    assert "May have been written as well (no column lineage recorded):" in lines
    assert "  out  written by copy, which reads raw" in lines


def test_a_column_that_comes_twice_in_one_moment_comes_in_the_order_of_its_life(
    any_store: Store, maker: EventMaker
) -> None:
    names = [f"out{number}" for number in range(8)]
    for name in names:
        schemas = [{"b": "int"}, {"a": "int", "b": "int"}, {"b": "int"}, {"a": "int", "b": "int"}]
        any_store.ingest(
            [
                maker(min(place, 1), run=f"{name} {place}", out=name, schema=schema)
                for place, schema in enumerate(schemas)
            ]
        )
    lineage = StoredLineage(any_store)

    def added(column: str | None, name: str) -> list[str | None]:
        changes = lineage.history(name, column).changes
        return [each.by.run for each in changes if each.by and (each.happened.value, each.after) == ("added", "a")]

    assert {name: added(None, name) for name in names} == {name: added("a", name) for name in names}
