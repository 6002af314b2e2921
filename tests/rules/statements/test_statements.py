"""Statements as a whole: what they read and write, and what becomes of variables, by plans written down."""

from __future__ import annotations

import pytest
from tests.rules.plans import alias, attribute, columns, files, keep, known, lines, literal, place, project, rdd, save

from headwater.rules.plan import condense
from headwater.rules.plan.tree import UNREAD, CatalogOf, Dataset, Described, Expr, Plan, Value
from headwater.rules.session.links import Links
from headwater.rules.statements.lineage import lineage_of
from headwater.rules.statements.statements import (
    TOO_MANY_EDGES,
    Statement,
    Stream,
    behind,
    carried_out,
    change_variables,
    statement,
)
from headwater.rules.statements.writes import Change

A, B = columns("a", "b")
ORDERS, USERS = files("orders", A, B), files("users", *columns("k", "v", first=11))
SYSTEM = Described("catalog", catalog=CatalogOf("system"))


def answer(plan: Plan, **more: object) -> Statement:
    given = statement(plan, **more)  # type: ignore[arg-type]
    assert given is not None
    return given


def sources(given: Statement) -> list[dict[str, set[str]]]:
    return [{name: lines(found) for name, found in (write.fields or {}).items()} for write in given.writes]


# --- what is read and written ----------------------------------------------------------------------------------------


def test_several_inserts_are_one_statement() -> None:
    both = Plan("Union", args={"children": (save(project(ORDERS, A)), save(project(USERS, attribute("v", 12))))})

    given = answer(both)

    assert given.command == "InsertIntoHadoopFsRelationCommand"
    assert sources(given) == [{"a": {"orders.a IDENTITY"}}, {"v": {"users.v IDENTITY"}}]
    assert set(given.reads) == {place("orders"), place("users")}
    assert set(lineage_of(both).columns) == {"out.a", "out.v"}, "with the names of what they write"
    assert set(lineage_of(save(project(ORDERS, A))).columns) == {"a"}


def test_what_was_not_read_for_lack_of_something_is_said() -> None:
    assert answer(save(ORDERS), unread="time").opaque == {"unread for lack of time": 1}
    assert answer(save(ORDERS)).opaque == {}


def test_a_query_writes_nothing() -> None:
    assert statement(project(ORDERS, A)) is None
    assert statement(Plan("SetVariable", args={"sourceQuery": ORDERS})) is None


def test_a_statement_learns_which_rdd_is_which() -> None:
    links = Links()
    links.remember_checkpoint(known("orders", "a"), None)

    given = answer(save(rdd(3, A)), links=links)

    assert sources(given) == [{"a": {"orders.a IDENTITY"}}]
    assert links.of_rdd(3) is not None


def test_a_batch_that_a_function_gets_is_remembered() -> None:
    links = Links()
    sink = Described("v2", source="ForeachBatchSink")
    args: dict[str, Value] = {"queryId": "q", "batchId": 2, "sink": sink, "query": project(ORDERS, A)}

    given = answer(Plan("WriteToMicroBatchDataSource", args=args), links=links)
    later = answer(save(rdd(8, A)), links=links)

    assert given.stream == Stream("q", 2)
    assert sources(later) == [{"a": {"orders.a IDENTITY"}}]


def test_a_batch_that_is_written_is_not_remembered() -> None:
    links = Links()
    sink = Described("v2", (place("out"),))
    args: dict[str, Value] = {"queryId": "q", "sink": sink, "query": project(ORDERS, A)}

    given = answer(Plan("WriteToMicroBatchDataSource", args=args), links=links)
    links.learn([rdd(8, A)])

    assert (given.stream, len(given.writes)) == (Stream("q"), 1)
    assert links.of_rdd(8) is None


@pytest.mark.parametrize(("kind", "query"), [("AppendData", "q"), ("WriteToMicroBatchDataSource", 5)])
def test_only_a_micro_batch_of_a_known_query_is_one_of_a_stream(kind: str, query: Value) -> None:
    sink = Described("v2", (place("out"),))
    table = Plan("DataSourceV2Relation", args={"table": sink}, output=(A,))
    args: dict[str, Value] = {"queryId": query, "sink": sink, "table": table, "query": project(ORDERS, A)}

    assert answer(Plan(kind, args=args)).stream is None


def test_names_for_another_number_of_columns_are_not_used() -> None:
    given = answer(save(project(ORDERS, A), outputColumnNames=("x", "y")))

    assert sources(given) == [{"a": {"orders.a IDENTITY"}}]
    assert given.opaque == {"columns": 1}


def test_columns_are_spelled_as_the_table_has_them() -> None:
    struct = {"type": "struct", "fields": [{"name": "A", "type": "long"}, {"name": "z", "type": "date"}]}
    table = Described("table", (place("out"),), schema=struct)
    query = Plan("Project", args={"projectList": (A, B), "child": ORDERS}, output=(A, attribute("b", 2, None)))

    (written,) = answer(save(query, catalogTable=table)).writes

    assert list(written.fields or ()) == ["A", "b"]
    assert [(field.name, field.type) for field in written.schema] == [("A", "integer"), ("z", "date"), ("b", None)]


def test_columns_of_one_name_are_merged() -> None:
    query = project(ORDERS, alias("x", 5, A), alias("x", 6, B))

    assert sources(answer(save(query))) == [{"x": {"orders.a IDENTITY", "orders.b IDENTITY"}}]


def test_an_unknown_target_is_opaque_and_its_query_is_read() -> None:
    given = answer(Plan("SaveIntoDataSourceCommand", args={"query": keep(ORDERS, A)}))

    assert (given.writes, list(given.reads)) == ((), [place("orders")])
    assert answer(Plan("LoadDataCommand", args={"table": ("t",), "query": 3})).reads == {}


def test_a_query_of_a_statement_that_another_engine_carries_out() -> None:
    query = Plan("Project", args={"projectList": (A, B), "child": keep(ORDERS, B)}, output=(A, B))

    given = carried_out(query, Links())

    assert given.command == "carried out"
    assert sources(given) == [{"a": {"orders.a IDENTITY"}, "b": {"orders.b IDENTITY"}}]
    assert lines(given.writes[0].rows) == {"orders.b FILTER"}
    assert [field.name for field in given.writes[0].schema] == ["a", "b"]
    assert (given.writes[0].dataset, given.writes[0].change) == (Dataset(), Change.APPEND)
    assert {dataset.short_name: [field.name for field in read] for dataset, read in given.reads.items()} == {
        "orders": ["a", "b"]
    }


# --- variables -------------------------------------------------------------------------------------------------------


def variable(name: str) -> Expr:
    return Expr("VariableReference", args={"catalog": SYSTEM, "identifier": ("session", name), "varDef": None})


def one_row(*values: Expr) -> Plan:
    """SET v = …: a row of values, below which there may be another one that they refer to."""
    return project(Plan("OneRowRelation", output=()), *values)


def subquery(plan: Plan) -> Expr:
    return Expr("ScalarSubquery", args={"plan": plan})


def set_to(query: Plan, *names: str, links: Links | None = None) -> Links:
    links = links or Links()
    change_variables(
        Plan("SetVariable", args={"targetVariables": tuple(map(variable, names)), "sourceQuery": query}), links, {}
    )
    return links


def held(links: Links, name: str) -> tuple[set[str], set[str], dict[str, int]] | None:
    value = links.variables.value(variable(name))
    if value is None:
        return None
    return lines(value.column.sources), {dataset.short_name for dataset in value.reads}, dict(value.opaque)


def test_a_variable_takes_what_its_query_takes() -> None:
    links = set_to(project(keep(ORDERS, B), A), "v")

    assert held(links, "v") == ({"orders.a IDENTITY", "orders.b FILTER"}, {"orders"}, {})
    value = links.variables.value(variable("v"))
    assert value is not None
    assert {mark.text for marks in value.column.sources.values() for mark in marks} >= {"b > 3"}


def test_each_of_several_variables_takes_its_own_value() -> None:
    links = set_to(one_row(alias("v", 5, subquery(project(ORDERS, A))), alias("w", 6, literal("1"))), "v", "w")

    assert held(links, "v") == ({"orders.a IDENTITY"}, {"orders"}, {})
    assert held(links, "w") == (set(), set(), {}), "it reads nothing that the other reads"


def test_values_of_variables_may_go_through_several_rows() -> None:
    below = one_row(
        alias("x", 5, subquery(project(ORDERS, A))), alias("y", 6, subquery(project(USERS, attribute("k", 11))))
    )
    links = set_to(project(below, alias("v", 7, attribute("x", 5)), alias("w", 8, attribute("y", 6))), "v", "w")

    assert held(links, "v") == ({"orders.a IDENTITY"}, {"orders"}, {})
    assert held(links, "w") == ({"users.k IDENTITY"}, {"users"}, {})


def test_a_row_of_a_table_is_read_for_all_variables() -> None:
    links = set_to(project(ORDERS, A, B), "v", "w")

    assert held(links, "v") == ({"orders.a IDENTITY"}, {"orders"}, {})
    assert held(links, "w") == ({"orders.b IDENTITY"}, {"orders"}, {})


def test_a_variable_for_which_there_is_no_value_is_opaque() -> None:
    links = set_to(project(ORDERS, A), "v", "w")

    assert held(links, "v") == ({"orders.a IDENTITY"}, {"orders"}, {})
    assert held(links, "w") == (set(), set(), {"SetVariable": 1})


def test_a_declared_variable_takes_its_default() -> None:
    links = set_to(project(ORDERS, A), "v")
    default = Expr("DefaultValueExpression", args={"child": Expr("UnaryMinus", args={"child": variable("v")})})
    name = Plan("ResolvedIdentifier", args={"catalog": SYSTEM, "identifier": ("session", "w")})
    change_variables(Plan("CreateVariable", args={"name": name, "defaultExpr": default}), links, {})

    assert held(links, "w") == ({"orders.a TRANSFORMATION"}, {"orders"}, {})
    change_variables(Plan("CreateVariable", args={"name": name}), links, {})
    assert held(links, "w") == (set(), set(), {"CreateVariable": 1}), "its default was not read"


def test_a_dropped_variable_is_still_that_of_earlier_frames() -> None:
    links = set_to(project(ORDERS, A), "v")
    name = Plan("ResolvedIdentifier", args={"catalog": SYSTEM, "identifier": ("session", "v")})

    change_variables(Plan("DropVariable", args={"name": name}), links, {})

    assert held(links, "v") == ({"orders.a IDENTITY"}, {"orders"}, {})


@pytest.mark.parametrize("targets", [(), (Expr(UNREAD), variable("w"))])
def test_where_it_is_unknown_what_was_set_nothing_is_known(targets: tuple[Expr, ...]) -> None:
    links = set_to(project(ORDERS, A), "v")

    change_variables(Plan("SetVariable", args={"targetVariables": targets, "sourceQuery": ORDERS}), links, {})

    assert held(links, "v") is None


def test_variables_in_pivot_decide_about_the_rows() -> None:
    links = set_to(project(ORDERS, A), "v")
    links.variables.text = "SELECT * FROM users PIVOT (sum(v) FOR k IN (v))"
    pivot = Expr("PivotFirst", args={"pivotColumn": attribute("k", 11), "valueColumn": attribute("v", 12)})
    query = Plan(
        "Aggregate",
        args={"groupingExpressions": (), "aggregateExpressions": (alias("x", 21, pivot),), "child": USERS},
    )

    with_pivot, without = behind(query, links), behind(project(USERS, attribute("k", 11)), links)
    written = answer(save(query), links=links)

    assert lines(with_pivot.relation.rows) >= {"orders.a FILTER"}
    assert set(with_pivot.reads) == {place("users"), place("orders")}
    assert with_pivot.opaque["PIVOT"] == 1
    assert (lines(without.relation.rows), set(without.reads), dict(without.opaque)) == (set(), {place("users")}, {})
    assert lines(written.writes[0].rows) >= {"orders.a FILTER"}
    assert written.opaque["PIVOT"] == 1


def test_renamed_columns_of_which_none_changes_bring_no_data() -> None:
    one = Described("v2", (place("t"),))
    table = Plan("ResolvedTable", args={"table": one}, output=(A, B))
    given = answer(Plan("RenameColumn", args={"table": table, "changes": ()}))

    assert (given.part, given.writes[0].fields, given.writes[0].change) == (None, None, Change.ALTER)


def test_edges_that_are_too_many_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(condense, "MOST", 2)
    monkeypatch.setattr(condense.condensed, "__kwdefaults__", {"few": 2})
    total = Expr("Add", name="+", args={"left": A, "right": B})

    assert answer(save(project(ORDERS, A, B))).opaque == {}
    assert answer(save(project(ORDERS, alias("x", 5, total), alias("y", 6, A)))).opaque == {TOO_MANY_EDGES: 1}
