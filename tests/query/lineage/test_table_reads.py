"""Lineage that is known by table only, and how many rows a table has: never an all-clear, and no more than that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.ask import ask, impact

from headwater.query.graph.answer import Answer, Direction, Kind, Unknown, Why

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.conftest import EventMaker

    from headwater.query.lineage.impact import Impact
    from headwater.store import Store

UP, DOWN = Direction.UPSTREAM, Direction.DOWNSTREAM


def _impact(store: Store, dataset: str, column: str | None = None, **options: Any) -> Impact:  # noqa: ANN401  any of the question's
    with store.read() as session:
        return impact(session, dataset, column, **options)


def _words(entry: Unknown) -> str:
    """`why: read -[job]-> written (distance)`."""
    reads, job = ", ".join(name.name for name in entry.reads), entry.job.name if entry.job else ""
    return f"{entry.why.value}: {reads} -[{job}]-> {entry.dataset.name if entry.dataset else ''} ({entry.distance})"


def _unknown(answer: Impact | Answer) -> list[str]:
    return [_words(entry) for entry in answer.unknown]


def _columns(answer: Impact) -> dict[str, str]:
    return {
        f"{dataset.name.name}.{column.node.field.field}": column.node.kind.name
        for dataset in answer.datasets
        for column in dataset.columns
    }


def _declared(maker: EventMaker, minute: int, out: str, lineage: dict[str, Any]) -> dict[str, Any]:
    """An event about a dataset itself, as an import from DataHub writes it."""
    event: dict[str, Any] = maker(minute, out=out, facets={"lineage": lineage})
    del event["run"], event["job"], event["inputs"], event["eventType"]
    event["dataset"] = event.pop("outputs")[0]
    return event


def _whole(*names: str) -> list[dict[str, str]]:
    return [{"namespace": "lake", "name": name, "type": "DATASET"} for name in names]


def _field(name: str, field: str) -> dict[str, object]:
    steps = [{"type": "DIRECT", "subtype": "IDENTITY"}]
    return {"namespace": "lake", "name": name, "type": "DATASET", "field": field, "transformations": steps}


@pytest.mark.parametrize("column", [None, "x"])
def test_a_dataset_that_declares_its_inputs_without_columns_may_be_reached(
    any_store: Store, maker: EventMaker, column: str | None
) -> None:
    any_store.ingest(
        [
            maker(1, job="load", out="raw", columns={"x": ["source.x"]}),
            _declared(maker, 2, "whole", {"inputs": _whole("raw")}),
            maker(3, job="on", out="end", columns={"y": ["whole.a"]}),
        ]
    )
    expected = ["NO_COLUMNS: raw -[]-> whole (1)", "AFTER_UNKNOWN: whole -[on]-> end (2)"]
    answer = _impact(any_store, "raw", column)
    assert _unknown(answer) == expected
    assert (bool(answer), answer.counts.unknown, answer.counts.columns) == (True, 2, 0)
    assert _unknown(ask(any_store, DOWN, "raw", column)) == expected


def test_an_input_that_the_columns_do_not_name_may_be_read_beside_those_that_they_do(
    any_store: Store, maker: EventMaker
) -> None:
    lineage = {"inputs": _whole("codes", "raw"), "fields": {"a": {"inputs": [_field("raw", "x")]}}}
    any_store.ingest(
        [maker(1, job="load", out="codes", columns={"c": ["source.c"]}), _declared(maker, 2, "out", lineage)]
    )
    assert _unknown(_impact(any_store, "codes", "c")) == ["TABLE_ONLY: codes -[]-> out (1)"]
    assert _unknown(_impact(any_store, "source", "c")) == ["TABLE_ONLY: codes -[]-> out (2)"]
    # What the columns name is known.
    assert _unknown(_impact(any_store, "raw", "x")) == []
    assert _unknown(ask(any_store, UP, "out", "a")) == [
        "TABLE_ONLY: codes -[]-> out (1)",
        "AFTER_UNKNOWN: source -[load]-> codes (2)",
    ]


def test_upstream_says_what_a_job_reads_that_reports_no_columns(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="load", out="raw", columns={"x": ["source.x"]}),
            maker(2, job="copy", out="whole", reads=["raw"], schema={"a": "int"}),
            maker(3, job="on", out="end", columns={"y": ["whole.a"]}),
        ]
    )
    answer = ask(any_store, UP, "end", "y")
    assert [node.field.name for node in answer.nodes] == ["end", "whole"]
    assert _unknown(answer) == ["NO_COLUMNS: raw -[copy]-> whole (2)", "AFTER_UNKNOWN: source -[load]-> raw (3)"]
    assert _unknown(ask(any_store, UP, "end", "y", depth=1)) == []
    assert _unknown(ask(any_store, UP, "end", "y", depth=2)) == ["NO_COLUMNS: raw -[copy]-> whole (2)"]
    assert _unknown(ask(any_store, UP, "raw", "x")) == []


def test_an_input_that_another_output_of_the_run_names_is_explained(any_store: Store, maker: EventMaker) -> None:
    event: dict[str, Any] = maker(1, job="both", out="c", columns={"x": ["a.x"]}, reads=["a", "b"])
    event["outputs"] += maker(1, job="both", out="d", columns={"y": ["b.y"]})["outputs"]
    any_store.ingest([event])
    assert _unknown(_impact(any_store, "b", "y")) == []
    assert _columns(_impact(any_store, "b", "y")) == {"d.y": "IDENTITY"}


def test_an_input_may_be_listed_under_another_name_than_its_columns(any_store: Store, maker: EventMaker) -> None:
    link = {"symlinks": {"identifiers": [{"namespace": "lake", "name": "db.raw", "type": "TABLE"}]}}
    any_store.ingest(
        [
            maker(1, job="load", out="raw", columns={"x": ["source.x"]}, facets=link, rows=["source.day FILTER"]),
            maker(2, job="on", out="end", columns={"y": ["raw.x"]}, reads=["db.raw"]),
        ]
    )
    assert _unknown(_impact(any_store, "source", "x")) == []
    assert {edge.destination.field for edge in ask(any_store, DOWN, "source", "x").edges} == {"x", "y"}


def _counted(store: Store, maker: EventMaker) -> None:
    """`t` is filtered by `raw.day`; `u` only counts its rows, and `v` those of `u`."""
    store.ingest(
        [
            maker(1, job="fill", out="t", columns={"a": ["raw.x"]}, rows=["raw.day FILTER"], reads=["raw"]),
            maker(2, job="count", out="u", columns={"n": []}, reads=["t"], schema={"n": "long"}),
            maker(3, job="again", out="v", columns={"m": []}, reads=["u"], schema={"m": "long"}),
        ]
    )


def test_how_many_rows_a_table_has_comes_from_what_it_was_filtered_by(any_store: Store, maker: EventMaker) -> None:
    _counted(any_store, maker)
    answer = ask(any_store, UP, "u", "n")
    assert [(node.field.name, node.field.field, node.kind) for node in answer.nodes] == [
        ("u", "n", Kind.IDENTITY),
        ("raw", "day", Kind.INDIRECT),
    ]
    assert [(edge.origin.name, edge.origin.field, edge.destination.name) for edge in answer.edges] == [
        ("raw", "day", "t"),
        ("t", None, "u"),
    ]
    assert [step.subtype for edge in answer.edges for step in edge.transformations] == ["FILTER", "ROWS"]
    assert _unknown(answer) == []


def test_what_filters_a_table_reaches_what_counts_its_rows(any_store: Store, maker: EventMaker) -> None:
    _counted(any_store, maker)
    answer = _impact(any_store, "raw", "day")
    assert _columns(answer) == {"t.a": "INDIRECT", "u.n": "INDIRECT", "v.m": "INDIRECT"}
    assert [column.node.distance for dataset in answer.datasets for column in dataset.columns] == [1, 2, 3]
    assert _unknown(answer) == []
    (last,) = answer.datasets[-1].columns
    assert [edge.destination.name for edge in last.path] == ["t", "u", "v"]


def test_a_column_that_decides_on_no_rows_does_not_reach_what_counts_them(any_store: Store, maker: EventMaker) -> None:
    _counted(any_store, maker)
    assert _columns(_impact(any_store, "raw", "x")) == {"t.a": "IDENTITY"}
    answer = _impact(any_store, "t", "a")
    assert (bool(answer), _unknown(answer)) == (False, [])
    # The rows of a whole dataset are asked about, too.
    assert _columns(_impact(any_store, "t")) == {"u.n": "INDIRECT", "v.m": "INDIRECT"}


def test_rows_are_no_value(any_store: Store, maker: EventMaker) -> None:
    _counted(any_store, maker)
    assert len(ask(any_store, UP, "u", "n", direct=True).nodes) == 1
    assert _columns(_impact(any_store, "raw", direct=True)) == {"t.a": "IDENTITY"}


def test_the_rows_of_a_dataset_without_known_columns_lead_on(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="fill", out="t", rows=["raw.day FILTER"]),
            maker(2, job="count", out="u", columns={"n": []}, reads=["t"], schema={"n": "long"}),
            maker(3, job="copy", out="w", reads=["t"]),
        ]
    )
    answer = _impact(any_store, "raw", "day")
    assert _columns(answer) == {"u.n": "INDIRECT"}
    assert _unknown(answer) == ["NO_COLUMNS: raw -[fill]-> t (1)", "NO_COLUMNS: t -[copy]-> w (2)"]
    assert (answer.counts.unknown, answer.counts.columns) == (2, 1)


def test_rows_keep_to_depth_namespaces_and_limit(any_store: Store, maker: EventMaker) -> None:
    _counted(any_store, maker)
    assert _columns(_impact(any_store, "raw", "day", depth=2)) == {"t.a": "INDIRECT", "u.n": "INDIRECT"}
    assert _columns(_impact(any_store, "raw", "day", namespaces=["lake"])) == _columns(_impact(any_store, "raw", "day"))
    cut = _impact(any_store, "raw", "day", limit=3)
    assert (_columns(cut), cut.partial) == ({"t.a": "INDIRECT", "u.n": "INDIRECT"}, True)


def test_a_table_that_reads_itself_does_not_lead_to_itself(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, job="grow", out="t", columns={"a": ["raw.x"]}, reads=["raw", "t"])])
    assert [edge.origin.name for edge in ask(any_store, UP, "t", "a").edges] == ["raw"]


def _counted_beside(store: Store, maker: EventMaker, rows: Sequence[str] = ()) -> None:
    """`t` is filtered by `raw.day`; `u` counts its rows beside a column of it."""
    columns = {"n": [], "most": ["t.a AGGREGATION"]}
    store.ingest(
        [
            maker(1, job="fill", out="t", columns={"a": ["raw.x"]}, rows=["raw.day FILTER"], reads=["raw"]),
            maker(2, job="count", out="u", columns=columns, rows=rows, reads=["t"]),
        ]
    )


def _edges(answer: Answer) -> list[str]:
    return [
        f"{edge.origin.name}.{edge.origin.field} -> {edge.destination.name}.{edge.destination.field}"
        for edge in answer.edges
    ]


def test_rows_are_counted_beside_a_column_of_their_table(any_store: Store, maker: EventMaker) -> None:
    _counted_beside(any_store, maker)
    assert _columns(_impact(any_store, "raw", "day")) == dict.fromkeys(("t.a", "u.most", "u.n"), "INDIRECT")
    answer = ask(any_store, UP, "u", "n")
    assert _edges(answer) == ["raw.day -> t.None", "t.None -> u.n"]
    assert [step.subtype for edge in answer.edges for step in edge.transformations] == ["FILTER", "ROWS"]
    # A value goes to the other column alone.
    assert _columns(_impact(any_store, "raw", "x")) == {"t.a": "IDENTITY", "u.most": "AGGREGATION"}
    assert _columns(_impact(any_store, "raw", direct=True)) == {"t.a": "IDENTITY", "u.most": "AGGREGATION"}


def test_rows_that_an_event_says_are_counted(any_store: Store, maker: EventMaker) -> None:
    def counts(**fields: str) -> dict[str, Any]:
        named = {column: [{"namespace": maker.NAMESPACE, "name": name}] for column, name in fields.items()}
        return {"headwater_rows": {"fields": {**named}, "dataset": named.get("rows", [])}}

    columns = {"n": ["s.y"], "most": ["t.a AGGREGATION"], "one": []}
    any_store.ingest(
        [
            maker(1, job="fill", out="t", columns={"a": ["raw.x"]}, rows=["raw.day FILTER"], reads=["raw"]),
            maker(2, job="count", out="u", columns=columns, reads=["s", "t"], facets=counts(n="t")),
            maker(3, job="all", out="v", columns={"y": ["s.y"], "a": ["t.a"]}, facets=counts(rows="t")),
        ]
    )
    reached = _columns(_impact(any_store, "raw", "day"))
    assert reached.keys() == {"t.a", "u.most", "u.n", "u.one", "v.a", "v.y"}
    assert _edges(ask(any_store, UP, "u", "n")) == ["raw.day -> t.None", "s.y -> u.n", "t.None -> u.n"]
    assert "raw.day -> t.None" in _edges(ask(any_store, UP, "v", "y"))
    # A column that comes from nowhere counts as well, though the event says so of another one alone.
    assert {"s.None -> u.one", "t.None -> u.one"} <= {*_edges(ask(any_store, UP, "u", "one"))}


def test_what_decides_about_rows_needs_no_more_to_reach_a_constant(any_store: Store, maker: EventMaker) -> None:
    _counted_beside(any_store, maker, rows=["t.a FILTER"])
    assert _edges(ask(any_store, UP, "u", "n")) == ["raw.day -> t.None", "raw.x -> t.a", "t.a -> u.None"]


def test_very_many_constants_of_many_tables_count_all_rows(any_store: Store, maker: EventMaker) -> None:
    columns: dict[str, list[str]] = {f"n{at}": [] for at in range(101)}
    any_store.ingest(
        [
            maker(1, job="fill", out="t", columns={"a": ["raw.x"]}, rows=["raw.day FILTER"]),
            maker(
                2,
                job="count",
                out="u",
                columns={**columns, "most": ["t.a AGGREGATION"]},
                schema=dict.fromkeys(columns, ""),
            ),
        ]
    )
    assert _edges(ask(any_store, UP, "u", "n7")) == ["raw.day -> t.None", "t.None -> u.None"]
    assert len(_columns(_impact(any_store, "raw", "day"))) == 1 + 102


def test_copied_rows_lead_to_what_counts_them(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="fill", out="t", columns={"a": ["raw.x"]}, rows=["raw.day FILTER"]),
            maker(2, job="copy", out="c", columns={"a": ["t.a"], "b": ["other.b"]}),
            maker(3, job="view", out="v", columns={"a": ["c.a"]}),
            maker(4, job="count", out="u", columns={"n": []}, reads=["v"], schema={"n": "long"}),
            maker(5, job="aside", out="w", columns={"a": ["c.a"]}),
        ]
    )
    assert _columns(_impact(any_store, "raw", "day")).keys() == {"t.a", "c.a", "v.a", "w.a", "u.n"}
    assert _columns(_impact(any_store, "t"))["u.n"] == "INDIRECT"
    answer = ask(any_store, UP, "u", "n")
    assert _edges(answer) == [
        *("other.None -> c.None", "t.None -> c.None", "raw.day -> t.None", "v.None -> u.None", "c.None -> v.None"),
    ]
    down = ask(any_store, DOWN, "raw", "day")
    # Nobody counts the rows of w.
    assert [edge for edge in _edges(down) if edge.endswith(".None")] == [
        *("t.None -> c.None", "raw.day -> t.None", "v.None -> u.None", "c.None -> v.None"),
    ]


def test_rows_that_nobody_counts_are_not_mentioned(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="fill", out="t", columns={"a": ["raw.x"]}, rows=["raw.day FILTER"]),
            maker(2, job="copy", out="c", columns={"a": ["t.a"]}),
            maker(3, job="again", out="d", columns={"a": ["c.a"]}),
        ]
    )
    assert _edges(ask(any_store, DOWN, "raw", "day")) == ["t.a -> c.a", "c.a -> d.a", "raw.day -> t.None"]
    assert _edges(ask(any_store, UP, "d")) == ["t.a -> c.a", "c.a -> d.a", "raw.day -> t.None", "raw.x -> t.a"]


@pytest.mark.parametrize("name", ["t", "former"])
def test_rows_are_counted_under_the_names_of_a_renamed_table(any_store: Store, maker: EventMaker, name: str) -> None:
    renamed: dict[str, Any] = maker(3, job="rename", out="t", lifecycle="RENAME")
    former = {"namespace": "lake", "name": "former"}
    renamed["outputs"][0]["facets"]["lifecycleStateChange"]["previousIdentifier"] = former
    minute = 2 if name == "former" else 4
    any_store.ingest(
        [
            maker(1, job="fill", out="former", columns={"a": ["raw.x"]}, rows=["raw.day FILTER"]),
            maker(minute, job="copy", out="c", columns={"a": [f"{name}.a"]}),
            maker(minute, job="count", out="u", columns={"n": [], "m": [f"{name}.a"]}),
            renamed,
            maker(5, job="on", out="w", columns={"n": []}, reads=["c"], schema={"n": "long"}),
        ]
    )
    _check_counted(any_store)


def test_rows_are_counted_under_an_alias_of_their_table(any_store: Store, maker: EventMaker) -> None:
    link = {"symlinks": {"identifiers": [{"namespace": "lake", "name": "db_t", "type": "TABLE"}]}}
    any_store.ingest(
        [
            maker(1, job="fill", out="t", columns={"a": ["raw.x"]}, rows=["raw.day FILTER"], facets=link),
            maker(2, job="copy", out="c", columns={"a": ["db_t.a"]}),
            maker(3, job="count", out="u", columns={"n": [], "m": ["db_t.a"]}),
            maker(4, job="on", out="w", columns={"n": []}, reads=["c"], schema={"n": "long"}),
        ]
    )
    _check_counted(any_store)


def test_a_table_may_take_the_name_of_the_one_whose_rows_it_counts(any_store: Store, maker: EventMaker) -> None:
    renamed: dict[str, Any] = maker(4, job="rename", out="t", lifecycle="RENAME")
    new = {"namespace": "lake", "name": "new"}
    renamed["outputs"][0]["facets"]["lifecycleStateChange"]["previousIdentifier"] = new
    any_store.ingest(
        [
            maker(1, job="fill", out="t", columns={"a": ["raw.x"]}, rows=["raw.day FILTER"]),
            maker(2, job="count", out="new", columns={"n": [], "a": ["t.a"]}),
            maker(2, job="part", out="p", columns={"a": ["q.a"]}, schema={"a": "", "left out": ""}),
            maker(3, job="drop", out="t", lifecycle="DROP"),
            renamed,
        ]
    )
    answer = ask(any_store, UP, "t", "n")
    assert (_edges(answer), _unknown(answer)) == ([], [])
    assert _unknown(_impact(any_store, "t", "a")) == []


def _check_counted(store: Store) -> None:
    assert _columns(_impact(store, "raw", "day")).keys() == {"t.a", "c.a", "u.m", "u.n", "w.n"}
    for out in ("u", "w"):
        assert ("raw", "day") in {(node.field.name, node.field.field) for node in ask(store, UP, out, "n").nodes}


def test_a_version_leads_to_what_the_counted_rows_were_filtered_by(any_store: Store, maker: EventMaker) -> None:
    _counted_beside(any_store, maker)
    any_store.ingest(
        [
            maker(3, job="copy", out="c", columns={"a": ["t.a"]}),
            maker(4, job="on", out="w", columns={"n": [], "most": ["c.a AGGREGATION"]}),
        ]
    )
    answer = ask(any_store, UP, "u", "n", version=maker.run_id("count 2"))
    assert _edges(answer) == ["raw.day -> t.None", "t.None -> u.n"]
    assert [node.field.field for node in answer.nodes] == ["n", "day"]
    assert _edges(ask(any_store, UP, "w", "n", version=maker.run_id("on 4"))) == [
        *("t.None -> c.None", "raw.day -> t.None", "c.None -> w.n"),
    ]
    assert len(ask(any_store, UP, "u", "n", version=maker.run_id("count 2"), direct=True).nodes) == 1


def test_carried_and_opaque_edges_are_doubts(any_store: Store, maker: EventMaker) -> None:
    opaque: dict[str, Any] = maker(3, job="box", out="end", columns={"y": ["mid.x"]})
    del opaque["outputs"][0]["facets"]["columnLineage"]["fields"]["y"]["inputFields"][0]["transformations"]
    any_store.ingest(
        [
            maker(1, job="one", out="mid", columns={"x": ["raw.x"]}),
            maker(2, job="one", out="mid", reads=["raw"]),
            opaque,
        ]
    )
    answer = _impact(any_store, "raw", "x")
    assert _unknown(answer) == ["CARRIED: raw -[one]-> mid (1)", "OPAQUE: mid -[box]-> end (2)"]
    assert (answer.counts.unknown, answer.counts.columns) == (0, 2)
    assert _unknown(ask(any_store, UP, "end", "y")) == ["OPAQUE: mid -[box]-> end (1)", "CARRIED: raw -[one]-> mid (2)"]


def test_a_job_that_only_reads_is_said(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [maker(1, job="one", out="mid", columns={"x": ["raw.x"]}), maker(2, job="mail", out=None, reads=["mid"])]
    )
    answer = _impact(any_store, "raw", "x")
    assert [(entry.why, entry.dataset) for entry in answer.unknown] == [(Why.READS_ONLY, None)]
    assert [job.name.name for job in answer.jobs] == ["mail", "one"]
    assert answer.counts.unknown == 0


def test_a_version_says_what_its_run_read_as_a_table(any_store: Store, maker: EventMaker) -> None:
    _counted(any_store, maker)
    any_store.ingest([maker(4, job="copy", out="w", reads=["t"], schema={"b": "int"})])
    for out, job, why in (("w", "copy 4", "NO_COLUMNS"), ("u", "count 2", "TABLE_ONLY")):
        answer = ask(any_store, UP, out, version=maker.run_id(job))
        assert _unknown(answer) == [f"{why}: t -[{job.split()[0]}]-> {out} (1)"]
    known = ask(any_store, UP, "t", version=maker.run_id("fill 1"))
    assert _unknown(known) == []


def test_which_version_was_read_may_be_assumed(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="one", out="mid", columns={"x": ["raw.x"]}),
            maker(2, job="two", out="end", columns={"y": ["mid.x"]}),
        ]
    )
    answer = ask(any_store, UP, "end", "y", version=maker.run_id("two 2"))
    assert _unknown(answer) == ["ASSUMED: mid -[two]-> end (1)"]
