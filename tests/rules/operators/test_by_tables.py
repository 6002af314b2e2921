"""The answer by tables: every column of a plan from every column that it reads, and what is unknown said."""

from __future__ import annotations

import pytest
from tests.rules.plans import alias, attribute, columns, edges, files, known, lines, place, project, rdd, save

from headwater.rules.operators import by_tables
from headwater.rules.operators.by_tables import everything_read
from headwater.rules.operators.relations import INPUTS_OF_RDD
from headwater.rules.plan.budget import Budget
from headwater.rules.plan.tree import CatalogOf, Dataset, Described, Expr, Plan
from headwater.rules.session.links import Links
from headwater.rules.session.variables import value_of
from headwater.rules.statements.statements import Change, statement

POINT = {"type": "struct", "fields": [{"name": "x", "type": "integer"}, {"name": "y", "type": "integer"}]}


def both(*names: str) -> set[str]:
    return {f"{name} {how}" for name in names for how in ("TRANSFORMATION", "FILTER")}


def test_every_column_may_come_from_every_column_of_every_leaf() -> None:
    orders = files("orders", attribute("a", 1), attribute("p", 2, POINT), attribute("_file", 3, hidden=True))
    plan = Plan("Union", args={"children": (orders, files("users", *columns("b", first=5)))}, output=columns("c"))

    answer = everything_read(plan)

    every = both("orders.a", "orders.p.x", "orders.p.y", "users.b")
    assert edges(answer.relation) == {"c": every, "rows": every}
    assert set(answer.reads) == {place("orders"), place("users")}
    assert not answer.opaque


def test_the_columns_of_a_plan_are_those_of_the_operator_that_lists_them() -> None:
    orders = files("orders", *columns("a"))
    grouped = Plan("Aggregate", args={"aggregateExpressions": (alias("n", 9, columns("a")[0]),), "child": orders})
    joined = Plan("Join", args={"left": orders, "right": files("users", *columns("b"))})

    def names(plan: Plan) -> list[tuple[int | None, str]]:
        return [(output.id, output.name) for output in everything_read(plan).relation.outputs]

    assert names(project(orders, alias("x", 7, columns("a")[0]))) == [(7, "x")]
    assert names(grouped) == [(9, "n")]
    assert names(Plan("Limit", args={"child": grouped})) == [(9, "n")]
    assert names(Plan("Limit", args={"child": orders})) == [(1, "a")]
    assert names(joined) == [], "two inputs, and the operator lists no columns"


def test_what_is_behind_an_rdd_is_read() -> None:
    links = Links()
    links.remember_rdd(7, known("orders", "a"))
    links.remember_transposed([4], known("users", "b"))
    transposed = Plan("Transpose", output=columns("t", first=4))
    plan = Plan("Union", args={"children": (rdd(7, *columns("x")), transposed)}, output=columns("c"))

    answer = everything_read(plan, links)

    assert edges(answer.relation)["c"] == both("orders.a", "users.b")
    assert answer.opaque == {"Transpose": 1}


def test_an_rdd_of_other_rdds_is_read_as_far_as_they_are_known() -> None:
    links = Links()
    links.remember_rdd(7, known("orders", "a"))

    seen = everything_read(rdd(9, *columns("x"), behind=(7,)), links)
    unseen = everything_read(rdd(9, *columns("x"), behind=(7, 8)), links)

    assert edges(seen.relation)["x"] == edges(unseen.relation)["x"] == both("orders.a")
    assert not seen.opaque
    assert unseen.opaque == {"LogicalRDD": 1, INPUTS_OF_RDD: 1}
    assert everything_read(rdd(9, *columns("x"), behind=(7,))).opaque == {"LogicalRDD": 1, INPUTS_OF_RDD: 1}


def test_the_files_of_an_rdd_have_the_columns_that_it_reads() -> None:
    part = Described("files", (place("orders"),), ("a", "b"))

    known_all = everything_read(rdd(9, *columns("x"), reads=(part,)))
    not_all = everything_read(rdd(9, *columns("x"), reads=(part,), known=False))

    assert edges(known_all.relation)["x"] == edges(not_all.relation)["x"] == both("orders.a", "orders.b")
    assert not known_all.opaque
    assert not_all.opaque == {"LogicalRDD": 1, INPUTS_OF_RDD: 1}


def test_a_leaf_that_nobody_knows_is_said() -> None:
    assert everything_read(Plan("MysterySource", output=columns("a"))).opaque == {"MysterySource": 1}


def test_a_text_for_another_engine_is_not_read_and_said() -> None:
    jdbc = Described("jdbc", (Dataset("jdbc:x"),), query="SELECT a FROM t")
    plan = Plan(
        "Union",
        args={"children": (Plan("LogicalRelation", args={"relation": jdbc}), files("orders", *columns("a")))},
        output=columns("c"),
    )

    answer = everything_read(plan)

    assert answer.opaque == {"LogicalRelation": 1}
    assert edges(answer.relation)["c"] == both("orders.a"), "the leaves beside it are read"


def test_too_many_fields_are_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_tables, "_MOST_FIELDS", 2)

    assert everything_read(files("orders", *columns("a", "b"))).relation.rows
    assert not everything_read(files("orders", *columns("a", "b", "c"))).relation.rows
    assert list(everything_read(files("orders", *columns("a", "b", "c"))).reads) == [place("orders")]


# --- statements whose columns cost too much --------------------------------------------------------------------------


def test_a_write_by_tables_keeps_the_target_and_its_columns() -> None:
    orders = files("orders", *columns("a", "b"))
    query = Plan("Project", args={"projectList": columns("a", "b"), "child": orders}, output=columns("a", "b"))

    renamed = statement(save(query, outputColumnNames=("x", "y"), mode="Ignore"), budget=Budget(edges=1))
    unnamed = statement(save(query, outputColumnNames=("x",)), budget=Budget(edges=1))

    assert renamed is not None
    assert unnamed is not None
    assert renamed.opaque == {"given up for lack of edges": 1}
    assert [*renamed.reads] == [place("orders")]
    (written,) = renamed.writes
    assert (written.dataset.location, written.change, written.if_absent) == ("file:/lake/out", Change.APPEND, True)
    assert [field.name for field in written.schema] == ["x", "y"]
    assert [field.name for field in unnamed.writes[0].schema] == ["a", "b"], "names do not match"
    assert written.fields == {}
    assert lines(written.rows) == both("orders.a", "orders.b")


def test_a_batch_by_tables_is_remembered() -> None:
    links = Links()
    sink = Described("v2", source="ForeachBatchSink")
    query = project(files("orders", *columns("a")), *columns("a"))
    command = Plan("WriteToMicroBatchDataSource", args={"queryId": "q", "sink": sink, "query": query})

    answer = statement(command, None, links, Budget(edges=1))
    links.learn([rdd(3, *columns("a"))])

    assert answer is not None
    assert answer.stream is not None
    assert answer.writes == ()
    behind = links.of_rdd(3)
    assert behind is not None
    assert edges(behind.relation)["a"] == both("orders.a")


def test_a_view_by_tables_is_still_a_view() -> None:
    query = files("orders", *columns("a"))
    view = Plan("CreateViewCommand", args={"name": ("db", "v"), "plan": project(query, *columns("a"))})
    answer = statement(view, budget=Budget(edges=1))

    assert answer is not None
    assert answer.view
    assert answer.command == "CreateViewCommand"


def test_a_query_that_costs_too_much_and_writes_nothing_is_no_statement() -> None:
    deep: Plan = files("orders", *columns("a"))
    for _ in range(20):
        deep = project(deep, *columns("a"))

    assert statement(deep, budget=Budget(edges=1)) is None
    assert (
        statement(Plan("DropTableCommand", args={"tableName": ("t",), "more": deep}), budget=Budget(edges=1))
        is not None
    )


def test_an_expression_is_no_leaf() -> None:
    inside = Expr("ScalarSubquery", args={"plan": files("users", *columns("b"))})
    plan = project(files("orders", *columns("a")), alias("c", 3, inside))

    assert set(everything_read(plan).reads) == {place("users"), place("orders")}


# --- variables -------------------------------------------------------------------------------------------------------


def with_variable() -> Links:
    links = Links()
    held = known("vars", "v")
    links.variables.set(VARIABLE, value_of(held, held.relation.outputs[0].column), {})
    return links


VARIABLE = Expr(
    "VariableReference",
    args={"catalog": Described("catalog", catalog=CatalogOf("system")), "identifier": ("session", "v"), "varDef": None},
)
VALUES = Plan("LocalRelation", args={"sql": "VALUES (v)"}, output=columns("c"))


@pytest.mark.parametrize(
    ("plan", "opaque"),
    [
        (project(files("orders", *columns("a")), alias("c", 3, VARIABLE)), {}),
        (project(files("orders", *columns("a")), alias("c", 3, Expr("PosParameter"))), {"parameter": 1}),
        (project(files("orders", *columns("a")), alias("c", 3, Expr("PivotFirst"))), {"parameter": 1}),
        (VALUES, {"parameter": 1}),
        (Plan("Range", args={"sql": 12}, output=columns("c")), {"parameter": 1}),
    ],
)
def test_what_is_behind_a_variable_is_read(plan: Plan, opaque: dict[str, int]) -> None:
    answer = everything_read(plan, with_variable())

    assert place("vars") in answer.reads
    assert edges(answer.relation)["c"] >= both("vars.v")
    assert answer.opaque == opaque
    assert everything_read(plan, Links()).opaque == ({"VariableReference": 1} if opaque == {} else {}), "never seen"


def test_the_rows_that_a_script_returns_are_those_of_its_queries() -> None:
    links = with_variable()
    links.variables.result(known("orders", "c"))

    answer = everything_read(Plan("LocalRelation", output=columns("c")), links)

    assert list(answer.reads) == [place("orders")]
    assert everything_read(Plan("LocalRelation", output=columns("d")), links).reads == {}


def test_a_statement_over_its_budget_reads_what_is_behind_its_variables() -> None:
    query = project(files("orders", *columns("a")), alias("c", 3, VARIABLE))

    answer = statement(save(query), links=with_variable(), budget=Budget(edges=1))

    assert answer is not None
    assert set(answer.reads) == {place("orders"), place("vars")}
