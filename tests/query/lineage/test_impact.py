"""What a change of a column reaches, by dataset and job, with the way there and the owners."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.ask import impact

from headwater.common.codec import plain
from headwater.query.graph.answer import (
    Answer,
    Direction,
    Edge,
    FieldName,
    Kind,
    Moment,
    Node,
    TableName,
    Transformation,
)
from headwater.query.lineage.impact import Impact, grouped
from headwater.query.lineage.paths import closest_paths
from headwater.query.metadata.owners import Owner, owners_of_datasets, owners_of_jobs, read_owners

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import EventMaker

    from headwater.store import Store

JOB = TableName("jobs", "job")


def name(text: str) -> FieldName:
    table, _, column = text.partition(".")
    return FieldName("lake", table, None if column == "*" else column)


def edge(origin: str, destination: str) -> Edge:
    step = Transformation("DIRECT", "IDENTITY", masking=False, description="")
    return Edge(name(origin), name(destination), (step,), JOB, None)


def answer(distances: dict[str, int], *edges: Edge) -> Answer:
    nodes = [Node(name(text), "", distance, Kind.IDENTITY, masked=False) for text, distance in distances.items()]
    return Answer(Direction.DOWNSTREAM, name("a.x"), Moment(), tuple(nodes), edges)


def ways(answer: Answer) -> dict[str, list[str]]:
    return {
        f"{end.name}.{end.field}": [f"{item.destination.name}.{item.destination.field or '*'}" for item in path]
        for end, path in closest_paths(answer).items()
    }


def test_the_shortest_way_is_told() -> None:
    graph = answer({"a.x": 0, "b.x": 1, "c.x": 1}, edge("a.x", "b.x"), edge("b.x", "c.x"), edge("a.x", "c.x"))
    assert ways(graph) == {"a.x": [], "b.x": ["b.x"], "c.x": ["c.x"]}


def test_rows_lead_to_all_columns_of_their_dataset() -> None:
    graph = answer({"a.x": 0, "b.x": 1, "b.y": 1, "c.y": 2}, edge("a.x", "b.*"), edge("b.y", "c.y"))
    assert ways(graph) == {"a.x": [], "b.x": ["b.*"], "b.y": ["b.*"], "c.y": ["b.*", "c.y"]}


def test_a_loop_ends() -> None:
    graph = answer({"a.x": 0, "b.x": 1}, edge("a.x", "b.x"), edge("b.x", "a.x"))
    assert ways(graph) == {"a.x": [], "b.x": ["b.x"]}


def test_what_was_asked_about_is_not_reached() -> None:
    reached = grouped(answer({"a.x": 0}), {}, {})
    assert not reached
    assert reached.counts.columns == 0


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"owners": {}}', '{"owners": [1, {"name": 2}, {}]}'])
def test_an_ownership_facet_of_another_form_names_nobody(content: str) -> None:
    assert read_owners(content) == ()


def owned(*owners: str) -> dict[str, object]:
    return {"ownership": {"owners": [{"name": owner, "type": "TEAM"} for owner in owners]}}


@pytest.fixture
def shop(any_store: Store, maker: EventMaker) -> Callable[..., Impact]:
    """Customers flow to clean, and from there to two reports; one is filtered by them, one has them masked."""
    summing = maker(3, job="sum", out="report", columns={"n": ["clean.id AGGREGATION"]}, rows=["clean.email FILTER"])
    summing["job"]["facets"] = owned("jane")  # type: ignore[index]
    any_store.ingest(
        [
            maker(
                1,
                job="clean",
                out="clean",
                columns={"email": ["raw.email"], "id": ["raw.id"]},
                facets=owned("team:crm"),
            ),
            maker(2, job="mask", out="safe", columns={"hash": ["clean.email TRANSFORMATION MASKED"]}),
            summing,
        ]
    )

    def ask(column: str | None = "email", **options: object) -> Impact:
        with any_store.read() as session:
            return impact(session, "raw", column, **options)

    return ask


def test_what_is_reached_by_dataset(shop: Callable[..., Impact]) -> None:
    answer = shop()
    assert [(item.name.name, [column.node.field.field for column in item.columns]) for item in answer.datasets] == [
        ("clean", ["email"]),
        ("report", ["n"]),
        ("safe", ["hash"]),
    ]
    assert [[job.name for job in item.jobs] for item in answer.datasets] == [["clean"], ["sum"], ["mask"]]


def test_what_is_reached_by_job(shop: Callable[..., Impact]) -> None:
    assert [(item.name.name, [table.name for table in item.datasets]) for item in shop().jobs] == [
        ("clean", ["clean"]),
        ("mask", ["safe"]),
        ("sum", ["report"]),
    ]


def test_counts(shop: Callable[..., Impact]) -> None:
    assert plain(shop().counts) == {
        "columns": 3,
        "datasets": 3,
        "jobs": 3,
        "direct": 2,
        "indirect": 1,
        "masked": 1,
        "unknown": 0,
    }
    assert shop(direct=True).counts.columns == 2
    assert shop(depth=1).counts.columns == 1
    assert shop(None).counts.columns == 4


def test_owners_of_datasets_and_jobs(shop: Callable[..., Impact]) -> None:
    answer = shop()
    assert [[owner.name for owner in item.owners] for item in answer.datasets] == [["team:crm"], [], []]
    assert [[owner.name for owner in item.owners] for item in answer.jobs] == [[], [], ["jane"]]
    assert answer.owners == (Owner("jane", "TEAM"), Owner("team:crm", "TEAM"))


def test_the_way_there(shop: Callable[..., Impact]) -> None:
    rows = {row["field"]: row["path"] for row in shop().rows()}
    assert rows == {
        "email": "lake/raw.email -> lake/clean.email",
        "n": "lake/raw.email -> lake/clean.email -> lake/report.*",
        "hash": "lake/raw.email -> lake/clean.email -> lake/safe.hash",
    }


def test_a_limit_makes_it_partial(shop: Callable[..., Impact]) -> None:
    assert shop(limit=2).partial
    assert not shop().partial


def test_impact_is_plain_json(shop: Callable[..., Impact]) -> None:
    written = shop().to_dict()
    assert written["root"] == {"namespace": "lake", "name": "raw", "field": "email", "version": None}
    assert [item["owners"] for item in written["datasets"]] == [
        [{"name": owner.name, "type": owner.type} for owner in item.owners] for item in shop().datasets
    ]
    assert [owner.name for owner in shop().owners] == ["jane", "team:crm"]


def test_the_last_ownership_counts_whatever_the_order(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(5, facets=owned("new")), maker(1, facets=owned("old")), maker(9, out="gone")])
    any_store.ingest([maker(2, out="gone", facets=owned("someone"))])
    any_store.ingest([maker(10, out="gone", facets={"ownership": {"_deleted": True}})])
    tables = [TableName("lake", "out"), TableName("lake", "gone"), TableName("lake", "none")]
    with any_store.read() as session:
        assert owners_of_datasets(session, tables) == {tables[0]: (Owner("new", "TEAM"),)}
        assert owners_of_datasets(session, []) == {}
        assert owners_of_jobs(session, [JOB]) == {}


def test_a_job_that_only_reads_is_reached_and_is_no_all_clear(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, schema={"a": "int"}), maker(2, job="report", out=None, reads=["out"])])
    with any_store.read() as session:
        answer = impact(session, "out", "a")
    assert [(job.name.name, job.datasets) for job in answer.jobs] == [("report", ())]
    assert answer
    assert answer.counts.jobs == 1
