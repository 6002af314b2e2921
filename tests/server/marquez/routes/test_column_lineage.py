"""`GET /column-lineage` in Marquez's form, and with `column` in the version proposal's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.conftest import EventMaker
    from tests.server.marquez.conftest import Api

PATH = "/column-lineage"


def _field(dataset: str, column: str) -> str:
    return f"datasetField:lake:{dataset}:{column}"


def _edges(graph: dict[str, dict[str, list[dict[str, str]]]]) -> set[tuple[str, str]]:
    """The edges by the last parts of their ends, as data flows."""
    ends = [(edge["origin"], edge["destination"]) for node in graph.values() for edge in node["outEdges"]]
    return {(origin.split(":", 2)[2], destination.split(":", 2)[2]) for origin, destination in ends}


def _chain(api: Api, maker: EventMaker) -> None:
    api.post(
        maker(1, job="load", out="orders", columns={"id": ["raw.id"], "amount": ["raw.cents TRANSFORMATION"]}),
        maker(2, job="build", out="daily", columns={"total": ["orders.amount AGGREGATION"]}, rows=["orders.id FILTER"]),
        maker(3, job="report", out="top", columns={"best": ["daily.total"]}),
    )


def _versions(api: Api, dataset: str) -> list[str]:
    versions = api(f"/namespaces/lake/datasets/{dataset}/versions")["versions"]
    return [version["version"] for version in reversed(versions)]


def test_fields_in_marquez_form_with_reversed_edges_and_transformations(api: Api, maker: EventMaker) -> None:
    _chain(api, maker)
    graph = api.graph(PATH, _field("daily", "total"))
    assert list(graph) == [_field("daily", "total"), _field("orders", "amount"), _field("raw", "cents")]
    total = graph[_field("daily", "total")]
    assert total["type"] == "DATASET_FIELD"
    assert total["inEdges"] == [{"origin": _field("daily", "total"), "destination": _field("orders", "amount")}]
    assert total["outEdges"] == []
    (amount,) = total["data"]["inputFields"]
    assert (amount["field"], amount["transformationType"]) == ("amount", "AGGREGATION")
    assert amount["transformations"] == [
        {"type": "DIRECT", "subtype": "AGGREGATION", "masking": False, "description": "of amount"}
    ]
    (version,) = _versions(api, "daily")
    assert total["data"]["datasetVersion"] == version


def test_what_only_decides_on_rows_is_shown_where_it_is_asked_for(api: Api, maker: EventMaker) -> None:
    _chain(api, maker)
    api.post(maker(4, job="count", out="counted", columns={"n": ["daily. AGGREGATION"]}))
    node, version = "dataset:lake:daily", _versions(api, "daily")[0]
    values = {("orders:amount", "daily:total"), ("raw:cents", "orders:amount")}
    rows = {("orders:id", "daily:total"), ("raw:id", "orders:id")}
    assert _edges(api.graph(PATH, node)) == values
    assert _edges(api.graph(PATH, node, withRows="true")) == values | rows
    of_version = _edges(api.graph(PATH, f"{node}#{version}"))
    assert {tuple(end.partition("#")[0] for end in edge) for edge in of_version} == values
    assert len(_edges(api.graph(PATH, f"{node}#{version}", withRows="true"))) == len(values | rows)
    # What decides on rows leads nowhere else, either: what is behind it is not behind the values.
    assert api.graph(PATH, _field("raw", "id"), withDownstream="true").keys() == {
        _field("raw", "id"),
        _field("orders", "id"),
    }
    assert _field("top", "best") in api.graph(PATH, _field("raw", "id"), withDownstream="true", withRows="true")
    for flag, fields in {"false": ["amount"], "true": ["amount", "id"]}.items():
        daily = api.graph(PATH, node, column="total", withRows=flag)[node]["data"]["columnLineage"]
        assert [item["field"] for item in daily["total"]["inputFields"]] == fields
    (total,) = api("/namespaces/lake/datasets/daily")["columnLineage"]
    assert [item["field"] for item in total["inputFields"]] == ["amount"]


def test_the_type_of_a_column_is_that_of_a_value_in_it(api: Api, maker: EventMaker) -> None:
    api.post(
        maker(1, columns={"a": ["s.condition CONDITIONAL", "s.value TRANSFORMATION"], "b": ["s.condition CONDITIONAL"]})
    )
    types = {"a": ("TRANSFORMATION", "of value"), "b": ("CONDITIONAL", "of condition")}
    listed = {column["name"]: column for column in api("/namespaces/lake/datasets/out")["columnLineage"]}
    graph = api.graph(PATH, "dataset:lake:out")
    nodes = {name: graph[_field("out", name)]["data"] for name in types}
    (by_name,) = (
        node["data"]["columnLineage"]
        for node in api.graph("/lineage", "dataset:lake:out").values()
        if node["id"] == "dataset:lake:out"
    )
    for shown in (listed, nodes, by_name):
        assert {
            name: (column["transformationType"], column["transformationDescription"]) for name, column in shown.items()
        } == types
    first = nodes["a"]["inputFields"][0]
    assert (first["field"], first["transformationType"]) == ("condition", "CONDITIONAL")


def test_depth_counts_edges(api: Api, maker: EventMaker) -> None:
    _chain(api, maker)
    assert list(api.graph(PATH, _field("top", "best"), depth=1)) == [_field("daily", "total"), _field("top", "best")]
    assert api.graph(PATH, _field("top", "best"), depth=0) == {}


def test_with_downstream_on_a_source_column(api: Api, maker: EventMaker) -> None:
    _chain(api, maker)
    assert api.graph(PATH, _field("raw", "cents")) == {}
    for flag in ("true", "True"):
        graph = api.graph(PATH, _field("raw", "cents"), withDownstream=flag)
        assert list(graph) == sorted(
            [_field("daily", "total"), _field("orders", "amount"), _field("raw", "cents"), _field("top", "best")]
        )


def test_nodes_of_datasets_and_jobs(api: Api, maker: EventMaker) -> None:
    _chain(api, maker)
    dataset = api.graph(PATH, "dataset:lake:daily", withDownstream="true")
    assert _field("top", "best") in dataset
    assert api.graph(PATH, "job:jobs:build") == api.graph(PATH, "dataset:lake:daily")


def test_a_dropped_dependency_is_gone_and_still_there_for_the_version_before(api: Api, maker: EventMaker) -> None:
    api.post(maker(1, columns={"a": ["s.x", "s.y"]}), maker(2, columns={"a": ["s.y"]}))
    first, second = _versions(api, "out")
    assert _edges(api.graph(PATH, _field("out", "a"))) == {("s:y", "out:a")}
    assert _edges(api.graph(PATH, f"{_field('out', 'a')}#{second}")) == {("s:y", f"out:a#{second}")}
    assert _edges(api.graph(PATH, f"{_field('out', 'a')}#{first}")) == {
        ("s:x", f"out:a#{first}"),
        ("s:y", f"out:a#{first}"),
    }
    (column,) = api("/namespaces/lake/datasets/out")["columnLineage"]
    assert [item["field"] for item in column["inputFields"]] == ["y"]


def test_lineage_that_comes_after_the_start_belongs_to_the_version(api: Api, maker: EventMaker) -> None:
    api.post(maker(1, "START", run="r", schema={"a": "int"}), maker(2, run="r", columns={"a": ["s.x"]}))
    (version,) = _versions(api, "out")
    assert _edges(api.graph(PATH, f"{_field('out', 'a')}#{version}")) == {("s:x", f"out:a#{version}")}


def test_a_cycle_keeps_both_edges(api: Api, maker: EventMaker) -> None:
    api.post(
        maker(1, job="one", out="x", columns={"x": ["y.y"]}), maker(2, job="other", out="y", columns={"y": ["x.x"]})
    )
    assert _edges(api.graph(PATH, _field("x", "x"))) == {("y:y", "x:x"), ("x:x", "y:y")}


def test_layers_that_are_fully_connected_are_answered(api: Api, maker: EventMaker) -> None:
    width, layers = 3, 20
    for layer in range(1, layers):
        columns = {f"c{n}": [f"t{layer - 1}.c{m}" for m in range(width)] for n in range(width)}
        api.post(maker(layer, job=f"job{layer}", out=f"t{layer}", columns=columns))
    assert len(api.graph(PATH, _field(f"t{layers - 1}", "c0"))) == width * (layers - 1) + 1


def test_the_proposal_filters_datasets_to_what_contributes_to_the_column(api: Api, maker: EventMaker) -> None:
    api.post(
        maker(1, job="load", out="orders", columns={"id": ["raw.id"], "amount": ["raw.cents"], "day": ["raw.at"]}),
        maker(2, job="people", out="customers", columns={"name": ["people.name"]}),
        maker(3, job="build", out="out", columns={"a": ["orders.amount", "orders.id"], "b": ["customers.name"]}),
    )
    graph = api.graph(PATH, "dataset:lake:out", column="a")
    assert list(graph) == ["dataset:lake:orders", "dataset:lake:out", "dataset:lake:raw"]
    assert {node["type"] for node in graph.values()} == {"DATASET"}
    # The nodes are filtered, their columns are not.
    assert sorted(graph["dataset:lake:out"]["data"]["columnLineage"]) == ["a", "b"]
    assert sorted(graph["dataset:lake:orders"]["data"]["columnLineage"]) == ["amount", "day", "id"]
    assert graph["dataset:lake:raw"]["data"]["columnLineage"] == {}
    source = graph["dataset:lake:out"]["data"]["columnLineage"]["a"]["inputFields"][0]
    assert source == {
        "namespace": "lake",
        "name": "orders",
        "field": "amount",
        "transformations": [{"type": "DIRECT", "subtype": "IDENTITY", "masking": False, "description": "of amount"}],
    }
    assert graph["dataset:lake:out"]["inEdges"] == [
        {"origin": "dataset:lake:orders", "destination": "dataset:lake:out"}
    ]


def test_the_proposal_at_two_versions(api: Api, maker: EventMaker) -> None:
    api.post(
        maker(1, job="load", out="orders", columns={"id": ["raw.id"]}),
        maker(2, job="build", out="out", columns={"a": ["orders.id"], "b": ["orders.id"]}),
        maker(11, job="build", out="out", columns={"a": ["sales.n"]}),
    )
    first, second = _versions(api, "out")
    (orders,) = _versions(api, "orders")
    for mark in ("#", ":"):
        before = api.graph(PATH, f"dataset:lake:out{mark}{first}", column="a")
        assert list(before) == [f"dataset:lake:orders#{orders}", f"dataset:lake:out#{first}", "dataset:lake:raw"]
        assert before[f"dataset:lake:out#{first}"]["data"]["version"] == first
        assert sorted(before[f"dataset:lake:out#{first}"]["data"]["columnLineage"]) == ["a", "b"]
        after = api.graph(PATH, f"dataset:lake:out{mark}{second}", column="a")
        assert list(after) == [f"dataset:lake:out#{second}", "dataset:lake:sales"]


def test_an_input_without_transformations_has_no_type(api: Api, maker: EventMaker) -> None:
    event: Any = maker(1, columns={"a": ["s.x"]})
    del event["outputs"][0]["facets"]["columnLineage"]["fields"]["a"]["inputFields"][0]["transformations"]
    api.post(event)
    node = api.graph(PATH, "datasetField:lake:out:a")["datasetField:lake:out:a"]["data"]
    assert (node["transformationType"], node["inputFields"][0]["transformationType"]) == (None, None)


def test_an_alias_leads_to_its_dataset(api: Api, maker: EventMaker) -> None:
    link = {"symlinks": {"identifiers": [{"namespace": "hive", "name": "db.out", "type": "TABLE"}]}}
    api.post(maker(1, columns={"a": ["s.x"]}, facets=link))
    assert _edges(api.graph(PATH, "datasetField:hive:db.out:a")) == {("s:x", "out:a")}
    assert api("/namespaces/hive/datasets/db.out")["name"] == "out"
