"""Every rule has linear cost: a plan of twice the size takes about twice the work, whatever it is made of.

Work is counted as lines of our own code that run, which is the same on every machine. A rule that walks what is shared
once for each time that it is used, or that adds up at every step what the next step adds up again, is found here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.work import MOST, work

from headwater.capture.jvm.decode import decode
from headwater.rules.plan.tree import Dataset, Described, Expr, Plan, Value
from headwater.rules.sqltext import lineage_of_text
from headwater.rules.statements.lineage import lineage_of

MOST_LINES = 5000
"""How many lines may run for each step of a plan, lest what is exponential never ends."""
INT = "integer"


def grows(build: Callable[[int], Callable[[], object]], size: int) -> float:
    """How many times the work of a size is that of half the size."""
    build(2)()  # what is kept from the first time on must not look like growth
    before = work(build(size), MOST_LINES * size)
    return work(build(2 * size), 20 * before) / before if before < float("inf") else before


# --- trees -----------------------------------------------------------------------------------------------------------


def attribute(name: str, id_: int, type_: Any = INT) -> Expr:  # noqa: ANN401 (a type as Spark's JSON has it)
    return Expr("AttributeReference", name=name, id=id_, type=type_)


def literal(value: str) -> Expr:
    return Expr("Literal", args={"sql": value, "value": value}, type=INT)


def files(*attributes: Expr, name: str = "orders") -> Plan:
    relation = Described("files", (Dataset(f"file:/lake/{name}", format="parquet"),))
    return Plan("LogicalRelation", output=attributes, args={"relation": relation, "catalogTable": None})


def alias(name: str, id_: int, child: Expr) -> Expr:
    return Expr("Alias", id=id_, args={"child": child, "name": name})


def project(child: Plan, *columns: Expr) -> Plan:
    return Plan("Project", args={"projectList": columns, "child": child})


def call(kind: str, name: str = "", **args: Value) -> Expr:
    return Expr(kind, name=name or kind.lower(), args=args)


def add(left: Expr, right: Expr) -> Expr:
    return call("Add", "+", left=left, right=right)


def times(left: Expr, right: Expr) -> Expr:
    return call("Multiply", "*", left=left, right=right)


def more(left: Expr, right: Expr) -> Expr:
    return call("GreaterThan", ">", left=left, right=right)


def struct_type(*names: str) -> dict[str, object]:
    return {"type": "struct", "fields": [{"name": name, "type": INT, "nullable": True} for name in names]}


A, B, C = attribute("a", 1), attribute("b", 2), attribute("c", 3)
ARRAY = {"type": "array", "elementType": INT, "containsNull": True}


def nested(step: Callable[[Expr, int], Expr], start: Expr = A) -> Callable[[int], Plan]:
    """An expression put into itself again and again."""

    def build(size: int) -> Plan:
        value = start
        for number in range(size):
            value = step(value, number)
        return project(files(A, B, C), alias("x", 9, value))

    return build


def stepwise(step: Callable[[Expr, int], Expr]) -> Callable[[int], Plan]:
    """The same column replaced again and again, as withColumn does."""

    def build(size: int) -> Plan:
        plan, last = files(A, B, C), A
        for number in range(size):
            new = alias("a", 100 + number, step(last, number))
            plan = project(plan, new, B, C)
            last = attribute("a", 100 + number)
        return plan

    return build


def fibonacci(size: int) -> Plan:
    plan, first, second = files(A, B), A, B
    for number in range(size):
        plan = project(plan, second, alias("n", 100 + number, add(first, second)))
        first, second = second, attribute("n", 100 + number)
    return plan


def on_top(step: Callable[[Plan, int], Plan], *columns: Expr) -> Callable[[int], Plan]:
    """An operator put on top of itself again and again."""

    def build(size: int) -> Plan:
        plan = files(*(columns or (A, B, C)))
        for number in range(size):
            plan = step(plan, number)
        return plan

    return build


def nvl(left: Expr, right: Expr) -> Expr:
    """A function that the analyzer has put another expression in the place of."""
    return call("Nvl", "nvl", left=left, right=right, replacement=call("Coalesce", children=(left, right)))


def case(*parts: Expr) -> Expr:
    *branches, otherwise = parts
    return call("CaseWhen", branches=tuple(branches), elseValue=otherwise)


def if_(predicate: Expr, yes: Expr, no: Expr) -> Expr:
    return call("If", predicate=predicate, trueValue=yes, falseValue=no)


def named_struct(**fields: Expr) -> Expr:
    children: list[Expr] = []
    for name, value in fields.items():
        children += [Expr("Literal", args={"sql": f"'{name}'", "value": name}, type="string"), value]
    return call("CreateNamedStruct", "named_struct", children=tuple(children))


def field_of(value: Expr, ordinal: int, *names: str) -> Expr:
    return Expr("GetStructField", type=struct_type(*names), args={"child": value, "ordinal": ordinal, "name": None})


def with_field(value: Expr, name: str, new: Expr) -> Expr:
    operation = Expr("WithField", args={"name": name, "valExpr": new})
    return call("UpdateFields", "update_fields", structExpr=value, fieldOps=(operation,), made="+0 1")


def variable(name: str, id_: int) -> Expr:
    return Expr("NamedLambdaVariable", id=id_, args={"name": name})


def function(body: Expr, *parameters: Expr) -> Expr:
    return call("LambdaFunction", function=body, arguments=parameters)


def transformed(value: Expr, number: int) -> Expr:
    x = variable("x", 500 + number)
    return call("ArrayTransform", "transform", argument=value, function=function(add(x, B), x))


def lambda_in_lambda(value: Expr, number: int) -> Expr:
    x = variable("x", 500 + number)
    return call("ArrayTransform", "transform", argument=A, function=function(add(x, value), x))


def gathered(value: Expr, number: int) -> Expr:
    acc, x = variable("acc", 500 + 2 * number), variable("x", 501 + 2 * number)
    return call(
        "ArrayAggregate", "aggregate", argument=A, zero=value, merge=function(add(acc, add(x, B)), acc, x),
        finish=function(acc, acc),
    )  # fmt: skip


def subquery(plan: Plan) -> Expr:
    return Expr("ScalarSubquery", args={"plan": plan})


def union_of(plan: Plan, _number: int) -> Plan:
    return Plan("Union", args={"children": (plan, files(attribute("a", 61), attribute("b", 62), attribute("c", 63)))})


def wide_union(size: int) -> Plan:
    return Plan("Union", args={"children": tuple(files(A, B, name=f"t{number}") for number in range(size))})


def renamed_union(plan: Plan, number: int) -> Plan:
    """A union with a projection on top, so that it is no chain."""
    below = union_of(plan, number)
    return project(below, A, B, C)


def filtered(plan: Plan, _number: int) -> Plan:
    return Plan("Filter", args={"condition": more(A, literal("1")), "child": plan})


def joined(size: int) -> Plan:
    plan = files(A)
    for number in range(size):
        own = attribute("a", 100 + number)
        condition = call("EqualTo", "=", left=A, right=own)
        plan = Plan("Join", args={"left": plan, "right": files(own), "joinType": "Inner", "condition": condition})
    return project(plan, A)


def with_chain(size: int) -> Plan:
    """WITH c1 AS (t), c2 AS (SELECT … FROM c1 JOIN c1), …: each query uses the one before twice."""

    def reference(number: int, *ids: int) -> Plan:
        output = tuple(attribute("a", id_) for id_ in ids)
        return Plan("CTERelationRef", output=output, args={"cteId": number})

    queries = [Plan("CTERelationDef", args={"child": files(A), "id": 0})]
    for number in range(size):
        column, other = 1000 + 3 * number, 1001 + 3 * number
        both = Plan("Join", args={
            "left": reference(number, column), "right": reference(number, other), "joinType": "Inner",
            "condition": call("EqualTo", "=", left=attribute("a", column), right=attribute("a", other)),
        })  # fmt: skip
        value = alias("a", 1002 + 3 * number, add(attribute("a", column), attribute("a", other)))
        queries.append(Plan("CTERelationDef", args={"child": project(both, value), "id": number + 1}))
    last = 1002 + 3 * (size - 1)
    return Plan("WithCTE", args={"plan": reference(size, last + 7000), "cteDefs": tuple(queries)})


def wide(size: int) -> Plan:
    columns = [attribute(f"c{number}", number) for number in range(size)]
    return project(
        files(*columns), *(alias(f"x{column.id}", 5000 + (column.id or 0), add(column, column)) for column in columns)
    )


def wide_struct(size: int) -> Plan:
    columns = [attribute(f"c{number}", number) for number in range(size)]
    return project(files(*columns), alias("s", 5000, named_struct(**{column.name: column for column in columns})))


def expanded(size: int) -> Plan:
    rows = tuple((A, literal(str(number))) for number in range(size))
    output = (attribute("x", 70), attribute("y", 71))
    return Plan("Expand", output=output, args={"projections": rows, "output": output, "child": files(A)})


def aggregated(plan: Plan, _number: int) -> Plan:
    total = call("AggregateExpression", aggregateFunction=call("Sum", child=B), isDistinct=False)
    return Plan("Aggregate", args={
        "groupingExpressions": (A,), "aggregateExpressions": (A, alias("b", 2, total), C), "child": plan,
    })  # fmt: skip


def windowed(plan: Plan, number: int) -> Plan:
    spec = call("WindowSpecDefinition", partitionSpec=(A,), orderSpec=(call("SortOrder", child=B),))
    function_ = call("AggregateExpression", aggregateFunction=call("Sum", child=C), isDistinct=False)
    column = alias("w", 300 + number, call("WindowExpression", windowFunction=function_, windowSpec=spec))
    below = Plan("Window", args={"windowExpressions": (column,), "partitionSpec": (A,), "orderSpec": (), "child": plan})
    return project(below, A, B, alias("c", 3, attribute("w", 300 + number)))


def exploded(plan: Plan, number: int) -> Plan:
    item = attribute("e", 300 + number)
    below = Plan("Generate", args={
        "generator": call("Explode", child=call("CreateArray", "array", children=(A, B))), "generatorOutput": (item,),
        "child": plan,
    })  # fmt: skip
    return project(below, A, alias("b", 2, item), C)


def exploded_doubles(size: int) -> Plan:
    """An array put behind itself again and again, and taken apart."""
    array = call("CreateArray", "array", children=(A, B))
    for _ in range(size):
        array = call("Concat", children=(array, array))
    item = attribute("e", 300)
    return Plan("Generate", args={
        "generator": call("Explode", child=array), "generatorOutput": (item,), "child": files(A, B, C),
    })  # fmt: skip


def inside_generators(size: int) -> Plan:
    """A query inside a generator inside a query, and so on."""
    value = A
    plan = files(A)
    for number in range(size):
        item = attribute("e", 300 + number)
        array = call("CreateArray", "array", children=(value, A))
        plan = Plan("Generate", args={"generator": call("Explode", child=array), "generatorOutput": (item,),
                                      "child": files(A)})  # fmt: skip
        value = subquery(project(plan, item))
    return plan


def subqueries(size: int) -> Plan:
    plan = files(A, B)
    for number in range(size):
        plan = project(files(A, B), alias("a", 100 + number, add(A, subquery(plan))))
    return plan


def merging(size: int) -> Plan:
    """MERGE with a clause for each case."""
    source = files(attribute("a", 11), attribute("b", 12), name="updates")
    matched = call("EqualTo", "=", left=A, right=attribute("a", 11))
    clauses = tuple(
        call(
            "DeltaMergeIntoMatchedUpdateClause",
            condition=more(attribute("b", 12), literal(str(number))),
            actions=(call("DeltaMergeAction", targetColNameParts=("b",), expr=add(attribute("b", 12), B)),),
        )
        for number in range(size)
    )
    return Plan("MergeIntoCommand", args={
        "target": files(A, B), "source": source, "condition": matched, "matchedClauses": clauses,
        "notMatchedClauses": (), "notMatchedBySourceClauses": (),
    })  # fmt: skip


def wide_merging(size: int) -> Plan:
    """MERGE with UPDATE SET *."""
    own = [attribute(f"c{number}", number) for number in range(size)]
    other = [attribute(f"c{number}", 5000 + number) for number in range(size)]
    actions = tuple(
        call("DeltaMergeAction", targetColNameParts=(column.name,), expr=new)
        for column, new in zip(own, other, strict=True)
    )
    clause = call("DeltaMergeIntoMatchedUpdateClause", condition=None, actions=actions)
    return Plan("MergeIntoCommand", args={
        "target": files(*own), "source": files(*other, name="updates"),
        "condition": call("EqualTo", "=", left=own[0], right=other[0]), "matchedClauses": (clause,),
        "notMatchedClauses": (), "notMatchedBySourceClauses": (),
    })  # fmt: skip


def recursive(size: int) -> Plan:
    """WITH RECURSIVE whose step is a long computation."""
    step: Plan = Plan("UnionLoopRef", output=(attribute("a", 40),), args={"loopId": 7})
    last = attribute("a", 40)
    for number in range(size):
        step = project(step, alias("a", 400 + number, add(last, last)))
        last = attribute("a", 400 + number)
    return Plan("UnionLoop", output=(attribute("a", 41),), args={"anchor": files(A), "recursion": step, "id": 7})


PLANS: dict[str, Callable[[int], Plan]] = {
    "score = score + f * score": stepwise(lambda last, _: add(last, times(B, last))),
    "c_i = c_(i-1) + c_(i-2)": fibonacci,
    "a column used twice, with no rule of its own": stepwise(lambda last, _: call("Concat", children=(last, last))),
    "coalesce of itself": stepwise(lambda last, _: call("Coalesce", children=(last, add(last, B)))),
    "CASE of itself": stepwise(lambda last, _: case(more(last, B), last, add(last, C))),
    "IF of itself": stepwise(lambda last, _: if_(more(last, B), last, add(last, C))),
    "nvl of itself": stepwise(lambda last, _: nvl(last, add(last, B))),
    "struct of itself": stepwise(
        lambda last, _: field_of(named_struct(x=last, y=add(last, B)), 1, "x", "y"),
    ),
    "a sum of many terms": nested(lambda value, _: add(value, B)),
    "a sum of a shared term": nested(lambda value, _: add(value, value)),
    "coalesce in coalesce": nested(lambda value, _: call("Coalesce", children=(value, B))),
    "nvl in nvl": nested(lambda value, _: nvl(value, B)),
    "nvl of a shared term": nested(lambda value, _: nvl(value, value)),
    "CASE in CASE": nested(lambda value, _: case(more(B, C), A, value)),
    "CASE over a shared term": nested(lambda value, _: case(more(value, B), value, C)),
    "IF in IF": nested(lambda value, _: if_(more(B, C), A, value)),
    "IF with a struct that may be padded": nested(
        lambda value, _: field_of(
            if_(call("IsNull", child=A), Expr("Literal", args={"sql": "null"}, type="void"), named_struct(x=value)),
            0,
            "x",
        )
    ),
    "withField on withField": nested(lambda value, _: with_field(value, "x", B), named_struct(x=A, y=B)),
    "transform of transform": nested(transformed, attribute("a", 1, ARRAY)),
    "a lambda in a lambda": nested(lambda_in_lambda),
    "aggregate of aggregate": nested(gathered, attribute("a", 1, ARRAY)),
    "filters": on_top(filtered),
    "aggregates": on_top(aggregated),
    "windows": on_top(windowed),
    "generators": on_top(exploded),
    "an array of itself in a generator": exploded_doubles,
    "distinct": on_top(lambda plan, _: Plan("Distinct", args={"child": plan})),
    "sorts": on_top(lambda plan, _: Plan("Sort", args={"order": (call("SortOrder", child=A),), "child": plan})),
    "except": on_top(lambda plan, _: Plan("Except", args={"left": plan, "right": plan})),
    "a chain of unions": on_top(union_of),
    "unions with projections between": on_top(renamed_union),
    "a wide union": wide_union,
    "joins": joined,
    "WITH, each query using the one before twice": with_chain,
    "many columns": wide,
    "a struct of many columns": wide_struct,
    "a row many times": expanded,
    "subqueries in subqueries": subqueries,
    "subqueries in generators in subqueries": inside_generators,
    "an unknown operator": on_top(lambda plan, _: Plan("FromTheFuture", args={"child": plan})),
    "MERGE with many clauses": merging,
    "MERGE of many columns": wide_merging,
    "WITH RECURSIVE": recursive,
}
SIZES = {"subqueries in generators in subqueries": 8, "subqueries in subqueries": 32, "a lambda in a lambda": 48}
SIZE = 64


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_of_twice_the_size_takes_twice_the_work(name: str) -> None:
    build = PLANS[name]

    def analysis(size: int) -> Callable[[], object]:
        plan = build(size)

        def analyse() -> object:
            lineage = lineage_of(plan)
            assert not [reason for reason in lineage.opaque if "given up" in reason]
            return [len(sources) for sources in (*lineage.columns.values(), lineage.rows)]

        return analyse

    assert grows(analysis, SIZES.get(name, SIZE)) <= MOST


TEXTS: dict[str, Callable[[int], str]] = {
    "columns": lambda size: f"SELECT {', '.join(f'a + b AS c{n}' for n in range(size))} FROM t",
    "a sum": lambda size: f"SELECT {' + '.join('a' for _ in range(size))} AS x FROM t",
    "conditions": lambda size: f"SELECT a FROM t WHERE {' AND '.join(f'b > {n}' for n in range(size))}",
    "CASE": lambda size: f"SELECT CASE {' '.join(f'WHEN a = {n} THEN b' for n in range(size))} END AS x FROM t",
    "coalesce in coalesce": lambda size: f"SELECT {'coalesce(' * size}a{', b)' * size} AS x FROM t",
    "unions": lambda size: " UNION ALL ".join(f"SELECT a, b FROM t{n}" for n in range(size)),
    "WITH, each query using the one before twice": lambda size: (
        "WITH c0 AS (SELECT a FROM t), "
        + ", ".join(f"c{n + 1} AS (SELECT x.a + y.a AS a FROM c{n} x JOIN c{n} y ON x.a = y.a)" for n in range(size))
        + f" SELECT a FROM c{size}"
    ),
    "queries in FROM": lambda size: f"SELECT a + a AS a FROM {'(SELECT a + a AS a FROM ' * size}t{') q' * size}",
    "queries in SELECT": lambda size: f"SELECT {'(SELECT max(a) + ' * size}1{' FROM t)' * size} AS a FROM t",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_of_twice_the_size_takes_twice_the_work(name: str) -> None:

    def reading(size: int) -> Callable[[], object]:
        text = TEXTS[name](size)
        columns = {"columns": [f"c{n}" for n in range(size)], "unions": ["a", "b"]}.get(name, ["a"])

        def read() -> object:
            lineage = lineage_of_text(text, "postgres", columns)
            assert not lineage.opaque
            return [len(output.column.sources) for output in lineage.relation.outputs], len(lineage.relation.rows)

        return read

    assert grows(reading, 16) <= MOST


def message(size: int) -> dict[str, Any]:
    """A message of `reader/plan/PlanReader.java`: projections on top of each other, each with the same struct."""
    classes = [
        ["p", "Project", ["projectList", "child"]], ["e", "Alias", ["child", "name"]], ["a", "AttributeReference", []],
        ["p", "OneRowRelation", []],
    ]  # fmt: skip
    nodes: list[Any] = []
    for number in range(size):
        nodes += [[0, None, [3 * number + 1], 3 * number + 3], [1, number, "alias", None, 3 * number + 2, "a"],
                  [2, number, "a", 0, True]]  # fmt: skip
    return {"classes": classes, "types": [INT], "nodes": [*nodes, [3, []]]}


def test_a_message_of_twice_the_size_takes_twice_the_work_to_decode() -> None:
    def decoding(size: int) -> Callable[[], object]:
        read = message(size)
        return lambda: decode(read)

    assert grows(decoding, 64) <= MOST


def test_queries_deeper_than_pythons_stack_are_given_up_at_once() -> None:
    """Each level that fails must not try the levels below it once more."""
    plan = subqueries(400)

    assert work(lambda: lineage_of(plan), 400 * MOST_LINES) < float("inf")
    assert dict(lineage_of(plan).opaque) == {"given up for lack of depth": 1}


# --- the counter itself can fail -------------------------------------------------------------------------------------


def test_what_is_not_linear_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that goes through all that is below it, at every step."""
    from headwater.rules.operators import operators  # noqa: PLC0415 (only to break it)

    def slow(node: Plan, below: Any, _names: Any) -> Any:  # noqa: ANN401
        stack = [node]
        while stack:
            stack += _plans(stack.pop())
        return below[0]

    monkeypatch.setitem(operators.RULES, "Distinct", slow)

    def analysis(size: int) -> Callable[[], object]:
        plan = PLANS["distinct"](size)
        return lambda: lineage_of(plan)

    assert grows(analysis, SIZE) > MOST


def _plans(node: Plan) -> list[Plan]:
    return list(type(node).plans.func(node))  # type: ignore[attr-defined]
