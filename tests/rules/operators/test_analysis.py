"""Leaves whose columns are not simply those of a dataset: another engine's text, metadata, RDDs, values in the plan."""

from __future__ import annotations

import pytest
from tests.rules.plans import alias, attribute, columns, edges, files, keep, known, place, project, rdd

from headwater.rules.operators.analysis import Analysis
from headwater.rules.operators.relations import INPUTS_OF_RDD
from headwater.rules.plan.sources import Relation
from headwater.rules.plan.tree import CatalogOf, Dataset, Described, Expr, Plan, Value
from headwater.rules.session.links import Known, Links
from headwater.rules.session.variables import value_of

POSTGRES = Dataset("jdbc:postgresql://host/db", ("public", "t"), "jdbc")
SYSTEM = Described("catalog", catalog=CatalogOf("system"))


def jdbc(**described: object) -> Plan:
    relation = Described("jdbc", (POSTGRES,), **described)  # type: ignore[arg-type]
    return Plan("LogicalRelation", args={"relation": relation}, output=columns("a", "b"))


# --- another engine --------------------------------------------------------------------------------------------------


def test_conditions_that_another_engine_checks_decide_about_the_rows() -> None:
    analysis = Analysis()

    relation = analysis.relation(jdbc(filter="SELECT * FROM t WHERE a > 3 AND b IN (SELECT k FROM u)"))

    assert edges(relation) == {
        "a": {"t.a IDENTITY"},
        "b": {"t.b IDENTITY"},
        "rows": {"t.a FILTER", "t.b FILTER", "u.k FILTER"},
    }
    assert [(dataset.table, [one.name for one in read]) for dataset, read in analysis.reads.items()] == [
        (("public", "t"), ["a", "b"]),
        (("u",), ["k"]),
    ]
    assert not analysis.opaque


def test_conditions_that_nobody_knows_may_be_on_any_column() -> None:
    analysis = Analysis()

    relation = analysis.relation(jdbc(filter=""))

    assert edges(relation)["rows"] == {"t.a FILTER", "t.b FILTER"}
    assert analysis.opaque


def test_a_query_that_another_engine_runs_is_read_in_its_language() -> None:
    analysis = Analysis()
    leaf = Plan(
        "LogicalRelation",
        args={
            "relation": Described("jdbc", (Dataset(POSTGRES.location),), query="SELECT a, max(b) m FROM t GROUP BY a")
        },
        output=columns("a", "m"),
    )

    relation = analysis.relation(Plan("Union", args={"children": (leaf, leaf)}))

    assert edges(relation) == {"a": {"t.a IDENTITY"}, "m": {"t.b AGGREGATION"}, "rows": {"t.a GROUP_BY"}}
    ((dataset, read),) = analysis.reads.items()
    assert (dataset.table, [one.name for one in read]) == (("t",), ["a", "b"])


# --- tables about tables, and columns beside those of the table ------------------------------------------------------


def test_a_table_about_a_table_whose_columns_nobody_knows_is_opaque() -> None:
    about = Described("metadata", (Dataset("file:/lake/t", format="iceberg"),))
    analysis = Analysis()

    relation = analysis.relation(Plan("DataSourceV2Relation", args={"table": about}, output=columns("committed_at")))

    assert edges(relation) == {"committed_at": set()}
    assert analysis.opaque == {"DataSourceV2Relation": 1}
    assert list(analysis.reads.values()) == [()]


def test_a_dataset_that_is_read_twice_keeps_its_columns() -> None:
    analysis = Analysis()

    analysis.relation(
        Plan("Union", args={"children": (files("t"), files("t", *columns("a")), files("t", *columns("b")))})
    )

    assert [[one.name for one in read] for read in analysis.reads.values()] == [["a"]]


def test_texts_say_the_dataset_where_there_are_several() -> None:
    texts = [output.column.text for output in Analysis(qualify=True).relation(files("my t", *columns("a"))).outputs]

    assert texts == ["`my t`.a"]


# --- RDDs ------------------------------------------------------------------------------------------------------------


def test_an_rdd_takes_anything_from_what_is_behind_it() -> None:
    links = Links()
    links.remember_rdd(7, Known(known("orders", "a").relation, known("orders", "a").reads, {"MapElements": 1}))
    part = Described("files", (place("users"),), ("b", "c"))
    analysis = Analysis(links=links)

    relation = analysis.relation(rdd(9, *columns("x"), reads=(part,), behind=(7,)))

    every = {"orders.a", "users.b", "users.c"}
    assert edges(relation) == {
        "x": {f"{one} TRANSFORMATION" for one in every},
        "rows": {f"{one} FILTER" for one in every},
    }
    assert [output.column.text for output in relation.outputs] == ["RDD"]
    assert {dataset.short_name: [one.name for one in read] for dataset, read in analysis.reads.items()} == {
        "users": ["b", "c"],
        "orders": ["a"],
    }
    assert analysis.opaque == {"LogicalRDD": 1, "MapElements": 1}


@pytest.mark.parametrize("links", [None, Links()])
def test_an_rdd_of_one_that_nobody_saw_has_unknown_inputs(links: Links | None) -> None:
    analysis = Analysis(links=links)

    analysis.relation(rdd(9, *columns("x"), behind=(7,)))

    assert analysis.opaque == {"LogicalRDD": 1, INPUTS_OF_RDD: 1}


def test_an_rdd_without_inputs_is_the_jobs_own() -> None:
    links = Links()
    links.remember_rdd(7, known("orders"))
    own, unknown = Analysis(links=links), Analysis(links=links)

    own.relation(rdd(9, *columns("x"), behind=(7,)))
    unknown.relation(rdd(9, *columns("x"), known=False))

    assert not own.opaque
    assert unknown.opaque == {"LogicalRDD": 1, INPUTS_OF_RDD: 1}


def test_an_rdd_of_chosen_rows_comes_from_somewhere() -> None:
    links = Links()
    links.remember_rdd(7, Known(Relation.of([], known("orders", "a", rows=["a"]).relation.rows)))
    analysis = Analysis(links=links)

    analysis.relation(rdd(9, *columns("x"), behind=(7,)))

    assert analysis.opaque == {"LogicalRDD": 1}


# --- what is opaque --------------------------------------------------------------------------------------------------


def test_an_opaque_operator_depends_on_its_arguments_too() -> None:
    inside = Expr("ScalarSubquery", args={"plan": files("users", *columns("b", first=5))})
    broken = Expr("GetStructField", args={"child": inside})  # no rule can read it: it has no ordinal
    variable = Expr("VariableReference", args={"catalog": SYSTEM, "identifier": ("session", "v")})
    wrong = Expr("GetStructField", args={"child": variable})
    links = Links()
    held = known("vars", "v")
    links.variables.set(variable, value_of(held, held.relation.outputs[0].column), {})
    analysis = Analysis(links=links)

    relation = analysis.relation(
        Plan(
            "FromTheFuture",
            output=columns("x", first=9),
            args={"child": files("orders", *columns("a")), "by": (broken, wrong)},
        )
    )

    assert {one.split()[0] for one in edges(relation)["x"]} == {"orders.a", "users.b", "vars.v"}
    assert {one.split()[0] for one in edges(relation)["rows"]} == {"orders.a", "users.b", "vars.v"}


def test_an_outer_column_in_an_argument_that_nobody_reads() -> None:
    outer = Expr("OuterReference", args={"e": columns("a")[0]})
    broken = Expr("GetStructField", args={"child": outer})
    below = Plan(
        "FromTheFuture",
        output=columns("x", first=9),
        args={"child": files("users", *columns("b", first=5)), "by": broken},
    )
    subquery = Expr("ScalarSubquery", args={"plan": below, "outerAttrs": ()})

    relation = Analysis().relation(project(files("orders", *columns("a")), alias("y", 3, subquery)))

    assert {one.split()[0] for one in edges(relation)["y"]} == {"orders.a", "users.b"}


@pytest.mark.parametrize(
    ("kind", "field"), [("Project", "projectList"), ("Aggregate", "aggregateExpressions"), ("Filter", "other")]
)
def test_an_opaque_operator_gives_the_columns_that_it_lists(kind: str, field: str) -> None:
    broken = alias("y", 3, Expr("GetStructField", args={"child": attribute("a", 1)}))

    relation = Analysis().relation(Plan(kind, args={field: (broken,), "child": files("orders", *columns("a"))}))

    given = [(output.id, output.name) for output in relation.outputs]
    assert given == ([(1, "a")] if kind == "Filter" else [(3, "y")])


# --- values in the plan ----------------------------------------------------------------------------------------------


def variable(name: str) -> Expr:
    return Expr(
        "VariableReference", name=name, args={"catalog": SYSTEM, "identifier": ("session", name), "varDef": None}
    )


def with_variable() -> Links:
    links = Links()
    held = known("vars", "v")
    links.variables.set(variable("v"), value_of(held, held.relation.outputs[0].column), {})
    return links


def local(sql: Value, *names: str, at: Value = None) -> Plan:
    return Plan("LocalRelation", args={"sql": sql, "at": at}, output=columns(*names))


def test_values_take_the_variables_in_their_text() -> None:
    links = with_variable()
    links.variables.text = text = "INSERT INTO o VALUES (v, 1), (2, upper(v))"
    analysis = Analysis(links=links)

    relation = analysis.relation(local(text, "x", "y"))

    assert edges(relation) == {"x": {"vars.v IDENTITY"}, "y": {"vars.v TRANSFORMATION"}}
    assert [(output.id, output.name) for output in relation.outputs] == [(1, "x"), (2, "y")]
    assert list(analysis.reads) == [place("vars")]


def test_the_jobs_own_values_have_no_sources() -> None:
    for sql in ("VALUES (1)", None):
        analysis = Analysis(links=with_variable())

        assert edges(analysis.relation(local(sql, "x"))) == {"x": set()}
        assert (dict(analysis.reads), analysis.opaque) == ({}, {})


def test_values_whose_text_is_too_long_may_take_any_variable() -> None:
    analysis, without = Analysis(links=with_variable()), Analysis(links=Links())

    assert edges(analysis.relation(local(12, "x", "y"))) == {"x": {"vars.v IDENTITY"}, "y": {"vars.v IDENTITY"}}
    assert analysis.opaque == {"parameter": 2}
    assert edges(without.relation(local(12, "x"))) == {"x": set()}
    assert not without.opaque


def test_the_rows_that_a_script_returns_are_those_of_its_queries() -> None:
    links = Links()
    links.variables.result(known("orders", "x", "y"))
    links.variables.result(known("users", "x", "y", rows=["y"]))
    analysis = Analysis(links=links)

    assert edges(analysis.relation(local(None, "x", "y"))) == {
        "x": {"orders.x IDENTITY", "users.x IDENTITY", "users.y FILTER"},
        "y": {"orders.y IDENTITY", "users.y IDENTITY", "users.y FILTER"},
    }
    assert set(analysis.reads) == {place("orders"), place("users")}
    assert edges(analysis.relation(local(None, "x"))) == {"x": set()}, "other columns are another query's"


def test_the_bounds_of_a_range_decide_its_numbers_and_how_many() -> None:
    analysis = Analysis(links=with_variable())

    relation = analysis.relation(Plan("Range", args={"sql": "range(0, v)"}, output=columns("id")))

    assert edges(relation) == {"id": {"vars.v TRANSFORMATION"}, "rows": {"vars.v FILTER"}}


@pytest.mark.parametrize("sql", [None, "range(0, 3)"])
def test_a_range_of_literals_comes_from_nowhere(sql: str | None) -> None:
    relation = Analysis(links=with_variable()).relation(Plan("Range", args={"sql": sql}, output=columns("id")))

    assert edges(relation) == {"id": set()}


def test_a_range_whose_text_is_too_long_may_take_any_variable() -> None:
    plan = Plan("Range", args={"sql": 12}, output=columns("id"))

    assert edges(Analysis(links=with_variable()).relation(plan))["rows"] == {"vars.v FILTER"}
    assert edges(Analysis(links=Links()).relation(plan)) == {"id": set()}
    assert edges(Analysis().relation(plan)) == {"id": set()}


def test_a_variable_that_was_set_before_is_opaque_and_a_parameter_is_not() -> None:
    seen, unseen, alone = Analysis(links=with_variable()), Analysis(links=Links()), Analysis()

    def taken(analysis: Analysis, expr: Expr) -> object:
        return edges(analysis.relation(project(files("t", *columns("a")), alias("x", 5, expr))))["x"]

    parameter = Expr("PosParameter", args={"sql": "1"})
    assert taken(seen, variable("V")) == {"vars.v IDENTITY"}
    assert taken(seen, parameter) == {"vars.v IDENTITY"}
    assert place("vars") in seen.reads
    assert seen.opaque == {"parameter": 1}
    assert taken(unseen, variable("v")) == taken(alone, variable("v")) == taken(alone, parameter) == set()
    assert unseen.opaque == alone.opaque == {"VariableReference": 1}


def test_what_was_opaque_for_a_variable_is_opaque_for_who_reads_it() -> None:
    links = Links()
    held = Known(known("t", "v").relation, {}, {"Mystery": 1})
    links.variables.set(variable("v"), value_of(held, held.relation.outputs[0].column), {})
    analysis = Analysis(links=links)

    analysis.relation(keep(project(files("t", *columns("a")), alias("x", 5, variable("v"))), attribute("x", 5)))

    assert analysis.opaque == {"Mystery": 1}
