"""Expressions by themselves: shapes that Spark's own queries seldom have."""

from __future__ import annotations

import pytest
from tests.rules.plans import alias, attribute, columns, edges, files, literal, place, project

from headwater.rules.operators.analysis import Analysis
from headwater.rules.plan.sources import SourceField
from headwater.rules.plan.tree import Expr, Plan, Type, Unread, Value

POINT = {"type": "struct", "fields": [{"name": "x", "type": "integer"}, {"name": "y", "type": "integer"}]}
A, B, C, S = *columns("a", "b", "c"), attribute("s", 4, POINT)
LIST = attribute("l", 5, {"type": "array", "elementType": "integer"})
MAP = attribute("m", 6, {"type": "map", "keyType": "string", "valueType": "integer"})
T = files("t", A, B, C, S, LIST, MAP)


def of(expr: Expr, analysis: Analysis | None = None) -> set[str]:
    """The sources of an expression over the table t, without the table's name."""
    found = edges((analysis or Analysis()).relation(project(T, alias("x", 99, expr))))["x"]
    return {line.removeprefix("t.") for line in found}


def leaves(expr: Expr) -> dict[object, set[str]]:
    (output,) = Analysis().relation(project(T, alias("x", 99, expr))).outputs
    return {
        path: {f"{source.field} {mark.how.name}" for source, marks in sources.items() for mark in marks}
        for path, sources in output.column.leaves.items()
    }


def expr(kind: str, *children: Expr, name: str = "", **args: Value) -> Expr:
    return Expr(kind, name=name, args={"children": children, **args} if children else args)


def text(node: Expr) -> str:
    return Analysis().relation(project(T, alias("x", 99, node))).outputs[0].column.text


# --- conditions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sql", "expected"), [("true", {"a IDENTITY"}), ("false", {"b IDENTITY"})])
def test_a_condition_that_the_analyzer_knows_leaves_one_branch(sql: str, expected: set[str]) -> None:
    assert of(expr("If", predicate=literal(sql), trueValue=A, falseValue=B)) == expected


def rebuilt(*fields: Expr, null: Expr | None = None, where: Expr = S) -> Expr:
    """What the analyzer writes to give a struct's fields another order: if (s is null) null else struct(…)."""
    struct = expr("CreateNamedStruct", *(part for field in fields for part in (literal("'x'"), field)))
    predicate = expr("IsNull", where)
    return expr("If", predicate=predicate, trueValue=null or literal("NULL"), falseValue=struct)


def field(number: int, struct: Expr = S) -> Expr:
    return Expr("GetStructField", type=POINT, args={"child": struct, "ordinal": number, "name": None})


CAST_NULL = Expr("Cast", type="void", args={"child": literal("CAST(NULL AS VOID)"), "dataType": Type(POINT)})
COPIED = {(0,): {"s.y IDENTITY"}, (1,): {"s.x IDENTITY"}}


@pytest.mark.parametrize(
    ("node", "kept"),
    [
        (rebuilt(field(1), field(0)), True),
        (rebuilt(field(1), field(0), null=CAST_NULL), True),
        (rebuilt(field(1), expr("KnownNotNull", field(0))), True),
        (rebuilt(field(1), field(0), null=literal("1")), False),
        (rebuilt(field(1), A), False),
        (rebuilt(field(1), field(0), where=attribute("a", 1)), False),
    ],
)
def test_a_struct_that_stays_null_is_only_put_together_anew(node: Expr, kept: bool) -> None:  # noqa: FBT001
    found = leaves(node)

    assert any("CONDITIONAL" in line for lines in found.values() for line in lines) is not kept
    assert not kept or found == COPIED


def test_a_struct_inside_a_struct_that_stays_null() -> None:
    outer = {"type": "struct", "fields": [{"name": "p", "type": POINT}]}
    whole = attribute("o", 7, outer)
    inner = Expr("GetStructField", type=outer, args={"child": whole, "ordinal": 0, "name": None})
    node = rebuilt(rebuilt(field(1, inner), field(0, inner), where=inner), where=whole)

    relation = Analysis().relation(project(files("t", whole), alias("x", 99, node)))

    assert edges(relation)["x"] == {"t.o.p.x IDENTITY", "t.o.p.y IDENTITY"}


def test_a_field_that_the_struct_lacks_is_null_with_it() -> None:
    assert leaves(rebuilt(field(1), literal("NULL"))) == {(0,): {"s.y IDENTITY"}, (1,): set()}
    padded = expr("StaticInvoke", functionName="readSidePadding", arguments=(field(0),))
    assert leaves(rebuilt(field(1), padded)) == COPIED


# --- functions that stand for others ---------------------------------------------------------------------------------


def test_an_outer_column_in_an_argument_is_not_lost() -> None:
    """Then the function as it was written is right, with its own name."""
    outer = expr("OuterReference", attribute("k", 50))
    replacement = Expr("Coalesce", name="coalesce", args={"children": (outer, literal("1"))})
    nvl = Expr("Nvl", name="nvl", args={"left": outer, "right": literal("1"), "replacement": replacement})
    inner = project(files("u", *columns("v", first=60)), alias("y", 98, nvl))
    query = expr("ScalarSubquery", plan=inner)

    relation = Analysis().relation(project(files("t", attribute("k", 50)), alias("x", 99, query)))

    assert {line.split()[0] for line in edges(relation)["x"]} == {"t.k"}
    assert {mark.text for mark in relation.outputs[0].column.sources[SourceField(place("t"), "k")]} >= {"nvl(k, 1)"}


@pytest.mark.parametrize("target", [None, Unread("x")])
def test_a_cast_without_types_is_opaque(target: Value) -> None:
    analysis = Analysis()

    assert {
        line.split()[0] for line in of(Expr("Cast", type="integer", args={"child": A, "dataType": target}), analysis)
    } >= {"a"}
    assert analysis.opaque == {"Project": 1}


def test_a_cast_of_a_struct_goes_field_by_field() -> None:
    other = {"type": "struct", "fields": [{"name": "p", "type": "integer"}, {"name": "q", "type": "string"}]}

    assert leaves(Expr("Cast", type=POINT, args={"child": S, "dataType": Type(other)})) == {
        (0,): {"s.x IDENTITY"},
        (1,): {"s.y TRANSFORMATION"},
    }
    assert leaves(Expr("Cast", type=POINT, args={"child": S, "dataType": Type("string")})) == {
        (): {"s.x TRANSFORMATION", "s.y TRANSFORMATION"}
    }


# --- queries inside --------------------------------------------------------------------------------------------------


def test_an_expression_over_a_query_that_nobody_knows_may_take_anything() -> None:
    inner = Plan("Filter", args={"condition": attribute("w", 61), "child": files("u", *columns("v", "w", first=60))})

    found = of(expr("QueryFromTheFuture", A, plan=project(inner, attribute("v", 60))))

    assert found == {"a TRANSFORMATION", "u.v TRANSFORMATION", "u.w FILTER"}


def test_a_query_without_columns_still_decides() -> None:
    inner = Plan("Filter", args={"condition": attribute("w", 61), "child": files("u", *columns("w", first=61))})

    assert of(expr("ScalarSubquery", plan=project(inner))) == {"u.w FILTER"}


# --- nested values ---------------------------------------------------------------------------------------------------


def test_a_value_by_its_key_depends_on_the_keys() -> None:
    default = literal("NULL")
    known = Expr("ElementAt", type=MAP.type, args={"left": MAP, "right": A, "default": default})
    assert of(known) == {"m.value IDENTITY", "m.key CONDITIONAL", "a CONDITIONAL"}
    built = expr("CreateMap", A, B)
    assert of(expr("GetMapValue", built, C)) == {"b IDENTITY", "a CONDITIONAL", "c CONDITIONAL"}
    assert of(expr("GetArrayItem", LIST, A)) == {"l._element IDENTITY", "a CONDITIONAL"}


def test_a_value_of_a_map_that_is_computed_as_a_whole() -> None:
    made = expr("MadeUp", A, name="made_up")
    assert of(Expr("ElementAt", type=MAP.type, args={"left": made, "right": B})) == {
        "a TRANSFORMATION",
        "b CONDITIONAL",
    }


def test_an_array_with_one_more_element() -> None:
    assert of(expr("ArrayInsert", LIST, A, B)) == {"l._element TRANSFORMATION", "b TRANSFORMATION", "a CONDITIONAL"}
    assert of(expr("ArrayAppend", LIST, A)) == {"l._element TRANSFORMATION", "a TRANSFORMATION"}


def test_a_part_that_is_not_there_is_opaque() -> None:
    analysis = Analysis()

    of(Expr("GetArrayStructFields", args={"child": LIST}), analysis)

    assert analysis.opaque == {"Project": 1}


# --- lambdas ---------------------------------------------------------------------------------------------------------


def lambda_(body: Expr, *parameters: Expr) -> Expr:
    return expr("LambdaFunction", function=body, arguments=parameters)


def parameter(name: Value, id_: int) -> Expr:
    return Expr("NamedLambdaVariable", id=id_, args={"name": name, "exprId": id_})


@pytest.mark.parametrize(("name", "shown"), [("elem_12", "elem"), ("a_b", "a_b"), (None, "x")])
def test_a_parameter_goes_without_its_number(name: Value, shown: str) -> None:
    one = parameter(name, 70)
    body = expr("UnaryMinus", one)
    node = Expr("ArrayTransform", name="transform", args={"argument": LIST, "function": lambda_(body, one)})

    assert text(node) == f"transform(l, {shown} -> - {shown})"
    assert of(node) == {"l._element TRANSFORMATION"}


def test_further_parameters_are_counters() -> None:
    element, index = parameter("e_1", 70), parameter("i_2", 71)
    node = Expr("ArrayTransform", name="transform", args={"argument": LIST, "function": lambda_(index, element, index)})

    assert text(node) == "transform(l, (e, i) -> i)"
    assert of(node) == {"l._element CONDITIONAL"}, "as many as the array has"


def test_a_function_that_is_no_lambda() -> None:
    node = Expr("ArrayTransform", name="transform", args={"argument": LIST, "function": A})

    assert of(node) == {"a IDENTITY", "l._element CONDITIONAL"}
    assert text(node) == "transform(l, a)"


def test_a_variable_that_nothing_binds_may_be_anything() -> None:
    analysis = Analysis()

    found = of(parameter("e", 70), analysis)

    assert {line.split()[0] for line in found} >= {"a", "b", "c"}
    assert analysis.opaque == {"unresolved reference": 1}


def test_common_expressions_are_known_by_their_ids() -> None:
    for id_ in (7, Unread("CommonExpressionId", fields=(7, False))):
        definition = expr("CommonExpressionDef", child=A, id=id_)
        reference = expr("CommonExpressionRef", id=id_)
        node = expr("With", child=expr("Multiply", reference, reference, name="*"), defs=(definition,))

        assert of(node) == {"a TRANSFORMATION"}

    analysis = Analysis()
    of(expr("With", child=A, defs=(expr("CommonExpressionDef", child=A),)), analysis)
    assert analysis.opaque == {"Project": 1}, "a definition without an id"
