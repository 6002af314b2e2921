"""Views of catalogs: a statement that reads one takes from the view, and the view from what is behind it."""

from __future__ import annotations

import pytest
from tests.recordings import load, recorded_sparks

from headwater.capture.jvm.decode import decode
from headwater.rules.operators import views
from headwater.rules.plan.budget import Budget, Exceeded
from headwater.rules.plan.sources import Sources
from headwater.rules.plan.tree import Dataset, Described, Expr, Plan, Value
from headwater.rules.session.links import Links
from headwater.rules.statements.statements import Statement, Written, behind, statement


def attribute(name: str, id_: int) -> Expr:
    return Expr("AttributeReference", name=name, id=id_, type="string")


def table(name: str, *columns: Expr) -> Plan:
    described = Described("table", (Dataset(f"file:/warehouse/{name}", ("spark_catalog", "default", name), "parquet"),))
    return Plan("LogicalRelation", args={"relation": None, "catalogTable": described}, output=columns)


def view(name: str, query: Plan, *columns: Expr, temporary: bool = False) -> Plan:
    desc = Described("table", (Dataset(table=("spark_catalog", "default", name)),))
    node = Plan("View", args={"desc": desc, "isTempView": temporary, "child": query}, output=columns)
    return Plan("SubqueryAlias", args={"child": node})


def alias(name: str, id_: int, child: Expr) -> Expr:
    return Expr("Alias", id=id_, args={"child": child, "name": name})


def call(name: str, argument: Expr) -> Expr:
    return Expr(name.title(), name=name, args={"child": argument})


def project(child: Plan, *columns: Expr) -> Plan:
    output = tuple(attribute(str(column.args.get("name", column.name)), column.id or 0) for column in columns)
    return Plan("Project", args={"projectList": columns, "child": child}, output=output)


def where(child: Plan, column: Expr) -> Plan:
    return Plan("Filter", args={"condition": call("isnotnull", column), "child": child}, output=child.output)


def create(name: str, query: Plan) -> Plan:
    described = Described("table", (Dataset(f"file:/warehouse/{name}", ("spark_catalog", "default", name), "parquet"),))
    args: dict[str, Value] = {"table": described, "mode": "ErrorIfExists", "query": query, "outputColumnNames": ()}
    return Plan("CreateDataSourceTableAsSelectCommand", args=args)


NAME, FLAG, N = attribute("name", 1), attribute("flag", 2), attribute("n", 4)
T = table("t", NAME, FLAG)
V = view("v", project(where(T, FLAG), alias("n", 3, call("upper", NAME))), N)


def written(command: Plan, links: Links | None = None, budget: Budget | None = None) -> tuple[Statement, Written]:
    answer = statement(command, None, links, budget)
    assert answer is not None
    (output,) = answer.writes
    return answer, output


def edges(sources: Sources) -> list[str]:
    return sorted(
        f"{source.dataset.short_name}.{source.field} {mark.how.name} {mark.text}".strip()
        for source, marks in sources.items()
        for mark in marks
    )


def lineage(output: Written | None) -> dict[str, list[str]]:
    assert output is not None
    fields = {name: edges(sources) for name, sources in (output.fields or {}).items()}
    return {**fields, "rows": edges(output.rows)} if output.rows else fields


def definitions(answer: Statement) -> dict[str, dict[str, list[str]]]:
    return {item.dataset.short_name: lineage(item.by_views or item) for item in answer.views}


def behind_views(answer: Statement) -> dict[str, list[str]]:
    return {name.short_name: [item.short_name for item in views] for name, views in answer.behind_views.items()}


def test_a_view_is_a_source_with_sources_of_its_own() -> None:
    answer, output = written(create("u", project(V, alias("m", 5, call("length", N)))))
    assert lineage(output) == {
        "m": ["t.name TRANSFORMATION length(upper(name))"],
        "rows": ["t.flag FILTER isnotnull(flag)"],
    }
    assert lineage(output.by_views) == {"m": ["v.n TRANSFORMATION length(n)"]}
    assert definitions(answer) == {
        "v": {"n": ["t.name TRANSFORMATION upper(name)"], "rows": ["t.flag FILTER isnotnull(flag)"]}
    }
    assert behind_views(answer) == {"t": ["v"]}
    assert [item.short_name for item in answer.named_views] == ["v"]


def test_a_temporary_view_is_transparent() -> None:
    answer, output = written(create("u", project(view("v", project(T, alias("n", 3, NAME)), N, temporary=True), N)))
    assert output.by_views is None
    assert (answer.views, answer.named_views, answer.behind_views) == ((), (), {})
    assert lineage(output) == {"n": ["t.name IDENTITY"]}


def test_of_a_view_over_a_view_only_the_outer_one_is_read() -> None:
    w = view("w", project(V, alias("x", 6, N)), attribute("x", 7))
    answer, output = written(create("u", project(w, attribute("x", 7))))
    assert lineage(output.by_views) == {"x": ["w.x IDENTITY"]}
    assert definitions(answer) == {
        "v": {"n": ["t.name TRANSFORMATION upper(name)"], "rows": ["t.flag FILTER isnotnull(flag)"]},
        "w": {"x": ["v.n IDENTITY"]},
    }
    assert behind_views(answer) == {"t": ["w"]}


def test_a_table_that_is_read_beside_its_view_is_not_behind_it() -> None:
    again = table("t", attribute("name", 11), attribute("flag", 12))
    both = Plan("Union", args={"children": (project(V, N), project(again, attribute("name", 11)))}, output=(N,))
    answer, output = written(create("u", project(both, N)))
    assert lineage(output.by_views) == {"n": ["t.name IDENTITY", "v.n IDENTITY"]}
    assert behind_views(answer) == {}


def test_a_view_that_is_read_twice_is_defined_once() -> None:
    other = view("v", project(where(table("t", attribute("name", 21), attribute("flag", 22)), attribute("flag", 22)),
                 alias("n", 23, call("upper", attribute("name", 21)))), attribute("n", 24))  # fmt: skip
    both = Plan("Union", args={"children": (project(V, N), project(other, attribute("n", 24)))}, output=(N,))
    answer, output = written(create("u", project(both, N)))
    assert lineage(output.by_views) == {"n": ["v.n IDENTITY"]}
    assert list(definitions(answer)) == ["v"]


def test_what_takes_no_column_of_a_view_depends_on_its_conditions() -> None:
    answer, output = written(create("u", project(V, alias("one", 5, Expr("Literal", args={"sql": "1"})))))
    assert lineage(output.by_views) == {"one": [], "rows": ["t.flag FILTER isnotnull(flag)"]}
    assert behind_views(answer) == {"t": ["v"]}


def test_what_is_behind_a_view_may_have_no_dataset() -> None:
    constant = view(
        "k", project(Plan("OneRowRelation", output=()), alias("n", 3, Expr("Literal", args={"sql": "1"}))), N
    )
    answer, output = written(create("u", project(constant, N)))
    assert lineage(output.by_views) == {"n": ["k.n IDENTITY"]}
    assert [item.short_name for item in answer.named_views] == ["k"]
    assert behind_views(answer) == {}


def test_a_checkpoint_of_a_view_leads_to_the_view() -> None:
    links = Links()
    links.remember_checkpoint(behind(project(V, N), links), 7)
    frame = Plan("LogicalRDD", args={"rdd": Described("rdd", rdd=7)}, output=(N,))
    answer, output = written(create("u", project(frame, N)), links)
    assert lineage(output) == {"n": ["t.name TRANSFORMATION upper(name)"], "rows": ["t.flag FILTER isnotnull(flag)"]}
    assert lineage(output.by_views) == {"n": ["v.n IDENTITY"]}
    assert list(definitions(answer)) == ["v"]
    assert behind_views(answer) == {"t": ["v"]}


def test_a_definition_that_was_forgotten_leaves_both_ways() -> None:
    links, later = Links(), Links()
    later.remember_checkpoint(behind(project(V, N), links), 7)
    frame = Plan("LogicalRDD", args={"rdd": Described("rdd", rdd=7)}, output=(N,))
    answer, output = written(create("u", project(frame, N)), later)
    assert lineage(output.by_views) == {
        "n": ["t.name TRANSFORMATION upper(name)", "v.n IDENTITY"],
        "rows": ["t.flag FILTER isnotnull(flag)"],
    }
    assert (answer.views, behind_views(answer)) == ((), {})


@pytest.mark.parametrize("spent", ["time", "memory"])
def test_beyond_the_budget_anything_may_come_from_the_views(spent: str) -> None:
    answer, output = written(create("u", project(V, N)), None, Budget.spent(spent))
    assert [edge for edge in lineage(output.by_views)["rows"] if edge.startswith("v.")] == [
        "v.n FILTER",
        "v.n TRANSFORMATION",
    ]
    assert {item.dataset.short_name for item in answer.writes} == {"u"}
    assert behind_views(answer) == {}
    assert [item.short_name for item in answer.named_views] == ["v"]


def test_where_only_the_views_cost_too_much_the_rest_of_the_answer_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(*_: object) -> None:
        raise Exceeded("time")

    monkeypatch.setattr(views, "define", give_up)
    answer, output = written(create("u", project(V, N)))
    assert lineage(output)["n"] == ["t.name TRANSFORMATION upper(name)"]
    assert lineage(output.by_views) == {
        "n": ["t.name TRANSFORMATION upper(name)"],
        "rows": ["t.flag FILTER isnotnull(flag)", "v.n FILTER", "v.n TRANSFORMATION"],
    }
    assert answer.opaque == {"views given up for lack of time": 1}


@pytest.mark.parametrize("spark_version", recorded_sparks())
def test_the_views_in_sparks_own_plans(spark_version: str) -> None:
    recorded = load(spark_version)["view: a stored view with a condition and an aggregate"]["plan"]
    query = decode(recorded)
    answer, output = written(create("u", query))
    assert lineage(output.by_views) == {
        "total": ["stored_sums.total IDENTITY"],
        "rows": ["stored_sums.key FILTER key = 'x'"],
    }
    ((name, definition),) = definitions(answer).items()
    assert name == "stored_sums"
    assert {column: [edge.rpartition(" ")[0] for edge in of] for column, of in definition.items()}.keys() == {
        "key", "total", "rows",
    }  # fmt: skip
    leaves = decode(recorded, leaves=True)
    assert [node.kind for node in leaves.views] == ["View"]
    assert [item.short_name for item in written(create_from(leaves), budget=Budget.spent("nodes"))[0].named_views] == [
        "stored_sums"
    ]


def create_from(leaves: Plan) -> Plan:
    """A command over a plan of which only the leaves and views were decoded."""
    command = create("u", leaves)
    command.__dict__["leaves"], command.__dict__["views"] = leaves.leaves, leaves.views
    return command
