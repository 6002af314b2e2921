"""Expressions as SQL."""

from __future__ import annotations

import pytest
from tests.rules.plans import attribute, literal

from headwater.rules.expressions.text import LONGEST, bare, identifier, write
from headwater.rules.plan.tree import Expr, Type, Value

A, B = attribute("a", 1), attribute("b", 2)
POINT = {"type": "struct", "fields": [{"name": "x", "type": "integer"}, {"name": "y", "type": "integer"}]}


def expr(kind: str, name: str = "", /, **args: Value) -> Expr:
    return Expr(kind, name=name, args=args)


@pytest.mark.parametrize(
    ("node", "parts", "text"),
    [
        # functions and operators
        (expr("Upper", "upper"), ["(a + 1)"], "upper(a + 1)"),
        (expr("And", "AND"), ["a", "b"], "(a AND b)"),
        (expr("IntegralDivide", "div"), ["a", "b"], "(a div b)"),
        (expr("Add", "+"), ["a"], "+(a)"),
        (expr("Under_Score", "_"), ["a", "b"], "_(a, b)"),
        (expr("Mystery"), ["a", "b"], "mystery(a, b)"),
        (expr("ScalaUDF", "scalaudf", udfName="clean"), ["a"], "clean(a)"),
        (expr("PythonUDF", "pythonudf", name="clean"), ["a"], "clean(a)"),
        (expr("ScalaUDF", "scalaudf", udfName=None, name=""), ["a"], "scalaudf(a)"),
        (expr("AesEncrypt", "aes_encrypt"), ["a", "'key'", "'GCM'"], "aes_encrypt(a, '***', '***')"),
        (expr("DateAddInterval"), ["d", "i"], "(d + i)"),
        (expr("SubtractDates"), ["d", "e"], "(d - e)"),
        (expr("UnaryMinus", "negative"), ["a"], "(- a)"),
        (expr("Not"), ["(a > 1)"], "(NOT (a > 1))"),
        (expr("In"), ["a", "1", "2"], "(a IN (1, 2))"),
        (expr("InSubquery"), ["a", "b", "(subquery)"], "(a, b IN (subquery))"),
        (expr("IsNull"), ["a"], "(a IS NULL)"),
        (expr("IsNotNull"), ["a"], "(a IS NOT NULL)"),
        (expr("Like"), ["a", "'x%'"], "(a LIKE 'x%')"),
        (expr("TimestampDiff", unit="DAY"), ["a", "b"], "timestampdiff(DAY, a, b)"),
        (expr("TimestampAdd", unit="DAY"), ["a", "b"], "timestampadd(DAY, a, b)"),
        (expr("SQLScalarFunction", "double"), ["a", "(a * 2)"], "(a * 2)"),
        (expr("VariableReference", originalNameParts=("session", "v")), [], "session.v"),
        (expr("VariableReference"), [], "variable"),
        # literals
        (literal("1.2BD"), [], "1.2"),
        (literal("-7L"), [], "-7"),
        (literal("'7L'"), [], "'7L'"),
        (expr("Literal"), [], "?"),
        (expr("PosParameter", sql="7L"), [], "7"),
        # what the analyzer adds is left out
        (expr("Cast", dataType=Type("long")), ["a"], "a"),
        (expr("AssertNotNull"), ["a"], "a"),
        (expr("StaticInvoke", functionName="readSidePadding"), ["a", "10"], "a"),
        (expr("StaticInvoke", "invoke", functionName="other"), ["(a)", "10"], "invoke(a, 10)"),
        # casts
        (expr("Cast", "cast", dataType=Type("integer")), ["a"], "CAST(a AS INT)"),
        (expr("Cast", "cast", dataType=Type("long")), ["a"], "CAST(a AS BIGINT)"),
        (expr("Cast", "cast", dataType=Type("decimal(10,2)")), ["a"], "CAST(a AS DECIMAL(10,2))"),
        (expr("Cast", "cast", dataType=Type(POINT)), ["a"], "CAST(a AS STRUCT)"),
        (expr("Cast", "cast"), ["a"], "CAST(a AS ?)"),
        # conditions
        (expr("If"), ["(a > 1)", "(a)", "b"], "IF(a > 1, a, b)"),
        (
            expr("CaseWhen", branches=(A, B, A, B), elseValue=A),
            ["(a > 1)", "(b)", "c", "d", "(e)"],
            "CASE WHEN a > 1 THEN b WHEN c THEN d ELSE e END",
        ),
        (expr("CaseWhen", branches=(A, B)), ["a", "b"], "CASE WHEN a THEN b END"),
        # aggregates and windows
        (expr("AggregateExpression"), ["sum(a)"], "sum(a)"),
        (expr("AggregateExpression", isDistinct=True), ["count(a, f(b))"], "count(DISTINCT a, f(b))"),
        (expr("AggregateExpression", isDistinct=False), ["sum(a)", "(b > 1)"], "sum(a) FILTER (WHERE b > 1)"),
        (expr("WindowExpression"), ["sum(a)", "PARTITION BY b"], "sum(a) OVER (PARTITION BY b)"),
        (
            expr("WindowSpecDefinition", partitionSpec=(A, B), orderSpec=(A,)),
            ["a", "b", "c DESC", "frame"],
            "PARTITION BY a, b ORDER BY c DESC",
        ),
        (expr("WindowSpecDefinition", partitionSpec=(A,)), ["a", "frame"], "PARTITION BY a"),
        (expr("WindowSpecDefinition", orderSpec=(A,)), ["a", "frame"], "ORDER BY a"),
        (expr("SortOrder", direction="Descending"), ["a"], "a DESC"),
        (expr("SortOrder", direction="Ascending"), ["a"], "a"),
        # parts of values
        (expr("GetStructField", name="x y"), ["s"], "s.`x y`"),
        (Expr("GetStructField", type=POINT, args={"ordinal": 1, "name": None}), ["s"], "s.y"),
        (Expr("GetStructField", type=POINT, args={"ordinal": 2, "name": None}), ["s"], "s.`?`"),
        (expr("GetStructField"), ["s"], "s.`?`"),
        (expr("GetArrayStructFields"), ["l"], "l.*"),
        (expr("GetArrayItem"), ["l", "(i + 1)"], "l[i + 1]"),
        (expr("GetMapValue"), ["m", "(k)"], "m[k]"),
        (expr("ElementAt"), ["m", "(k)"], "element_at(m, k)"),
        (expr("CreateNamedStruct", "struct"), ["'x'", "(a)", "'y'", "b"], "struct(a, b)"),
        (expr("CreateNamedStruct", "named_struct"), ["'x'", "(a)"], "named_struct('x', a)"),
        (expr("CreateNamedStruct"), ["'x'", "a"], "named_struct('x', a)"),
    ],
)
def test_what_is_written(node: Expr, parts: list[str], text: str) -> None:
    assert write(node, parts) == text


def test_a_text_is_cut() -> None:
    assert len(write(expr("Upper", "u"), ["a" * (LONGEST - 3)])) == LONGEST
    cut = write(expr("Upper", "u"), ["a" * (LONGEST - 2)])
    assert len(cut) == LONGEST
    assert cut.endswith("a…")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("(a)", "a"), ("(a) + (b)", "(a) + (b)"), ("((a))", "(a)"), ("a)", "a)"), ("(a", "(a"), ("a", "a"), ("()", "")],
)
def test_parentheses_around_everything_go(text: str, expected: str) -> None:
    assert bare(text) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a_1", "a_1"), ("_a", "_a"), ("1a", "`1a`"), ("a b", "`a b`"), ("a`b", "`a``b`"), ("größe", "größe"), ("", "``")],
)
def test_names(name: str, expected: str) -> None:
    assert identifier(name) == expected
