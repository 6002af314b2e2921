"""Operators by themselves, as plans that are seldom seen have them."""

from __future__ import annotations

from tests.rules.plans import alias, attribute, columns, edges, files, literal, project

from headwater.rules.operators.analysis import Analysis
from headwater.rules.plan.tree import Expr, Plan, Value

A, B = columns("a", "b")
T = files("t", A, B)


def expand(*projections: tuple[Expr, ...]) -> Plan:
    args: dict[str, Value] = {"projections": projections, "output": columns("x", "y", first=9), "child": T}
    return Plan("Expand", args=args)


def test_rows_that_are_repeated_with_other_values() -> None:
    relation = Analysis().relation(expand((A, literal("1")), (B, literal("2")), (A, A)))

    assert edges(relation) == {"x": {"t.a IDENTITY", "t.b IDENTITY"}, "y": {"t.a IDENTITY"}}
    assert [output.column.text for output in relation.outputs] == ["x", "a"], "the one expression, if it is one"
    assert [(output.id, output.name) for output in relation.outputs] == [(9, "x"), (10, "y")]


def test_what_lists_no_projections_is_opaque() -> None:
    analysis = Analysis()
    analysis.relation(Plan("Expand", args={"output": columns("x"), "child": T}, output=columns("x")))

    assert analysis.opaque == {"Expand": 1}


def test_duplicates_by_some_columns() -> None:
    relation = Analysis().relation(Plan("Deduplicate", args={"keys": (A,), "child": T}))

    assert edges(relation) == {"a": {"t.a IDENTITY"}, "b": {"t.b IDENTITY"}, "rows": {"t.a GROUP_BY"}}


def test_a_number_for_each_row() -> None:
    relation = Analysis().relation(
        Plan("AttachDistributedSequence", args={"sequenceAttr": attribute("n", 9), "child": T})
    )

    assert edges(relation) == {"n": set(), "a": {"t.a IDENTITY"}, "b": {"t.b IDENTITY"}}
    assert relation.outputs[0].id == 9


def test_a_generator_that_no_rule_knows_takes_its_arguments() -> None:
    generator = Expr("MadeUp", name="made_up", args={"children": (A, B)})
    plan = Plan("Generate", args={"generator": generator, "generatorOutput": columns("x", "y", first=9), "child": T})

    found = edges(Analysis().relation(plan))

    assert found["x"] == found["y"] == {"t.a TRANSFORMATION", "t.b TRANSFORMATION"}
    assert found["rows"] == {"t.a JOIN", "t.b JOIN"}


def test_a_stack_gives_every_other_argument() -> None:
    generator = Expr("Stack", name="stack", args={"children": (literal("2"), A, B, literal("1"), A)})
    plan = Plan("Generate", args={"generator": generator, "generatorOutput": columns("x", "y", first=9), "child": T})

    found = edges(Analysis().relation(plan))

    assert (found["x"], found["y"]) == ({"t.a IDENTITY"}, {"t.a IDENTITY", "t.b IDENTITY"})
    assert "rows" not in found, "there are always two"


def test_an_exploded_array_whose_length_is_written_there_decides_nothing() -> None:
    def rows(container: Expr) -> set[str]:
        generator = Expr("Explode", name="explode", args={"child": container})
        args: dict[str, Value] = {"generator": generator, "generatorOutput": columns("x", first=9), "child": T}
        return edges(Analysis().relation(Plan("Generate", args=args))).get("rows", set())

    made = Expr("CreateArray", args={"children": (A, B)})
    assert rows(made) == set()
    assert rows(Expr("Reverse", args={"child": made})) == set()
    assert rows(Expr("Concat", args={"children": (made, made)})) == set()
    assert rows(Expr("ArrayRepeat", args={"left": A, "right": literal("3")})) == set()
    assert rows(Expr("ArrayRepeat", args={"left": A, "right": B})) == {"t.a JOIN", "t.b JOIN"}
    assert rows(Expr("Slice", args={"x": made, "start": literal("1"), "length": literal("1")})) == set()
    assert rows(Expr("Slice", args={"x": made, "start": literal("1"), "length": B})) == {"t.a JOIN", "t.b JOIN"}
    assert rows(Expr("Split", args={"str": A})) == {"t.a JOIN"}


def test_an_exploded_map_may_have_fewer_entries_than_were_written() -> None:
    def rows(*entries: Expr) -> set[str]:
        generator = Expr("Explode", name="explode", args={"child": Expr("CreateMap", args={"children": entries})})
        args: dict[str, Value] = {"generator": generator, "generatorOutput": columns("k", "v", first=9), "child": T}
        return edges(Analysis().relation(Plan("Generate", args=args))).get("rows", set())

    assert rows(literal("'x'"), A) == set()
    assert rows(B, A) == {"t.a JOIN", "t.b JOIN"}


def test_a_limit_that_is_a_number_decides_by_no_column() -> None:
    limit = Plan("GlobalLimit", args={"limitExpr": literal("3"), "child": project(T, alias("x", 9, A))})

    assert edges(Analysis().relation(limit)) == {"x": {"t.a IDENTITY"}}


def test_a_query_of_with_that_nobody_saw_is_opaque() -> None:
    for reference in (
        Plan("CTERelationRef", args={"cteId": 7}, output=columns("x")),
        Plan("CTERelationRef", args={"cteId": 7}),
    ):
        analysis = Analysis()
        analysis.relation(reference)

        assert analysis.opaque == {"CTERelationRef": 1}
