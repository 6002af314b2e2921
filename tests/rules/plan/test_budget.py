"""What lineage may cost: programs that reuse their results, code over whole rows, statements over their budget."""

from __future__ import annotations

import pytest
from tests.rules.test_trees import ORDERS, alias, attribute, files, project

from headwater.common.masking import Masking
from headwater.rules.plan.budget import Budget, Exceeded, hold, look, spend
from headwater.rules.plan.condense import FEW, MOST, condensed
from headwater.rules.plan.sources import (
    Column,
    Gathered,
    How,
    Mark,
    Output,
    Relation,
    SourceField,
    Sources,
    merge,
    through,
)
from headwater.rules.plan.tree import Described, Expr, Plan
from headwater.rules.session.links import Known, Links
from headwater.rules.statements.lineage import lineage_of
from headwater.rules.statements.statements import statement

PLENTY = 20_000


def add(left: Expr, right: Expr) -> Expr:
    return Expr("Add", name="+", args={"left": left, "right": right})


def written(query: Plan, *attributes: Expr) -> Plan:
    """A statement that writes a query; below a command the reader says what is written."""
    query.__dict__["output"] = attributes
    return Plan(
        "InsertIntoHadoopFsRelationCommand",
        args={"outputPath": "file:/lake/out", "query": query, "outputColumnNames": tuple(a.name for a in attributes)},
    )


def reuse(steps: int) -> Plan:
    """`score = score + f * score`, again and again."""
    f = attribute("f", 0)
    plan = files(f, attribute("score", 1))
    for step in range(1, steps + 1):
        score = attribute("score", step)
        product = Expr("Multiply", name="*", args={"left": f, "right": score})
        plan = project(plan, f, alias("score", step + 1, add(score, product)))
    return plan


def test_a_result_that_is_used_twice_is_looked_at_once() -> None:
    lineage = lineage_of(reuse(60))

    assert {source.field for source in lineage.columns["score"]} == {"f", "score"}
    assert lineage.opaque == {}


def test_a_sequence_in_which_each_column_adds_up_the_two_before() -> None:
    columns = [attribute("c0", 0), attribute("c1", 1)]
    plan = files(*columns)
    for step in range(2, 200):
        columns.append(attribute(f"c{step}", step))
        plan = project(plan, *columns[:-1], alias(f"c{step}", step, add(columns[step - 1], columns[step - 2])))

    lineage = lineage_of(plan)

    assert {source.field for source in lineage.columns["c199"]} == {"c0", "c1"}
    assert lineage.opaque == {}


def test_rows_that_both_sides_of_a_join_come_from_are_looked_at_once() -> None:
    rows: Sources = {SourceField(ORDERS, "a"): frozenset({Mark(How.FILTER)})}
    for _ in range(100):
        rows = Gathered([rows, rows])

    with Budget(edges=PLENTY).applied():
        assert set(rows) == {SourceField(ORDERS, "a")}


@pytest.mark.parametrize(
    ("budget", "spent"),
    [
        (Budget(edges=50), "edges"),
        (Budget(millis=0), "time"),
        (Budget(memory=100_000), "memory"),
        (Budget.spent("time"), "time"),
    ],
)
def test_a_statement_over_its_budget_is_answered_by_its_tables(budget: Budget, spent: str) -> None:
    query = reuse(3000)
    answer = statement(written(query, attribute("f", 0), attribute("score", 3001)), budget=budget)

    assert answer is not None
    assert answer.opaque == {f"given up for lack of {spent}": 1}
    assert list(answer.reads) == [ORDERS]
    (output,) = answer.writes
    assert [field.name for field in output.schema] == ["f", "score"]
    # Nobody looked at the expressions: one of them may decrypt.
    every = frozenset({Mark(How.TRANSFORMATION, Masking.MAY_UNMASK), Mark(How.FILTER)})
    assert output.rows == {SourceField(ORDERS, "f"): every, SourceField(ORDERS, "score"): every}


def test_a_query_over_its_budget_still_names_its_columns() -> None:
    with Budget(edges=50).applied():
        lineage = lineage_of(reuse(100))

    assert set(lineage.columns) == {"f", "score"}
    assert {source.field for source in lineage.columns["score"]} == {"f", "score"}
    assert lineage.opaque == {"given up for lack of edges": 1}


def test_a_rule_that_catches_everything_does_not_catch_the_end_of_the_budget() -> None:
    def careless() -> None:
        try:
            spend(2)
        except Exception:  # noqa: BLE001 (that is the point)
            return

    with pytest.raises(Exceeded), Budget(edges=1).applied():
        careless()


def test_a_budget_inside_another_has_no_more_time_or_memory_than_is_left_of_that() -> None:
    with Budget(memory=1000).applied():
        hold(900)
        with Budget().applied(), pytest.raises(Exceeded, match="memory"):
            hold(200)
    with Budget(millis=0).applied(), Budget().applied(), pytest.raises(Exceeded, match="time"):
        look()


def test_long_texts_count_as_memory() -> None:
    """A sum of very many terms has a text at every step: what it costs is not the edges."""
    total = attribute("a", 1)
    for _ in range(2000):
        total = add(total, attribute("b", 2))
    plan = project(files(attribute("a", 1), attribute("b", 2)), alias("x", 3, total))

    assert lineage_of(plan, budget=Budget(memory=5_000_000)).opaque == {}
    assert lineage_of(plan, budget=Budget(memory=2_000_000)).opaque == {"given up for lack of memory": 1}


def opaque_code(width: int) -> Plan:
    """mapInPandas: nobody knows which of its columns comes from which."""
    columns = tuple(attribute(f"d{n}", width + n) for n in range(width))
    child = files(*(attribute(f"c{n}", n) for n in range(width)))
    return Plan(
        "MapInPandas", output=columns, args={"functionExpr": Expr("PythonUDF"), "output": columns, "child": child}
    )


def test_columns_of_opaque_code_share_what_they_come_from() -> None:
    width = 1000
    plan = opaque_code(width)
    columns = plan.output or ()
    # Each of them changed on its own afterwards.
    plan = project(
        plan, *(alias(d.name, 5000 + n, Expr("Upper", name="upper", args={"child": d})) for n, d in enumerate(columns))
    )

    budget = Budget(edges=20 * width)
    lineage = statement(written(plan, *(attribute(d.name, 5000 + n) for n, d in enumerate(columns))), budget=budget)

    assert lineage is not None
    assert lineage.opaque == {"MapInPandas": 1}
    (output,) = lineage.writes
    assert len(output.fields or ()) == width
    assert not any((output.fields or {}).values())
    assert len(output.rows) == width
    assert {mark.how for mark in output.rows[SourceField(ORDERS, "c7")]} == {How.TRANSFORMATION, How.FILTER}


def test_a_few_columns_of_opaque_code_are_told_one_by_one() -> None:
    lineage = lineage_of(opaque_code(3))

    assert {source.field for source in lineage.columns["d1"]} == {"c0", "c1", "c2"}
    assert {mark.how for marks in lineage.rows.values() for mark in marks} == {How.FILTER}


def sources(names: range, *marks: Mark) -> Sources:
    return {SourceField(ORDERS, f"c{n}"): frozenset(marks) for n in names}


def test_what_all_columns_take_is_said_once_and_the_rest_by_column() -> None:
    deciding = [Mark(How.CONDITIONAL, text=f"coalesce(…) > {n}") for n in range(300)]
    fields = {
        f"d{n}": merge([sources(range(300), deciding[n]), sources(range(n, n + 1), Mark(How.TRANSFORMATION))])
        for n in range(300)
    }

    lineage = condensed(fields, {})

    assert lineage.exact
    assert lineage.fields["d7"] == sources(range(7, 8), Mark(How.TRANSFORMATION))
    assert lineage.rows == sources(range(300), Mark(How.CONDITIONAL))


def test_an_edge_of_many_ways_counts_as_many() -> None:
    ways = [Mark(How.CONDITIONAL, text=f"c > {n}") for n in range(60)]
    fields = {
        f"d{n}": merge([sources(range(90), *ways), sources(range(n, n + 1), Mark(How.IDENTITY))]) for n in range(90)
    }
    assert sum(map(len, fields.values())) < FEW

    lineage = condensed(fields, {})

    assert lineage.exact
    assert lineage.fields["d7"] == sources(range(7, 8), Mark(How.IDENTITY))
    assert set(lineage.rows) == set(sources(range(90)))


def test_rows_that_are_decided_in_very_many_ways_keep_their_kinds() -> None:
    ways = [Mark(How.FILTER, text=f"c > {n}") for n in range(60)]
    assert MOST < 60 * 2000

    lineage = condensed({}, sources(range(2000), *ways))

    assert lineage.rows == sources(range(2000), Mark(How.FILTER))


def test_too_many_edges_that_columns_do_not_share_are_not_told_apart() -> None:
    fields = {f"d{n}": sources(range(n, n + 600), Mark(How.TRANSFORMATION)) for n in range(400)}
    assert sum(map(len, fields.values())) > MOST > FEW

    lineage = condensed(fields, {})

    assert not lineage.exact
    assert sum(map(len, lineage.fields.values())) <= MOST
    for name, taken in fields.items():
        assert set(taken) <= set(lineage.fields[name]) | set(lineage.rows), name


def test_an_edge_of_very_many_ways_keeps_their_kinds() -> None:
    ways = [
        sources(range(1), Mark(How.CONDITIONAL, text=f"a > {n}"), Mark(How.FILTER, text=f"b > {n}")) for n in range(500)
    ]

    (marks,) = merge(ways).values()

    assert len(marks) <= 65
    assert {mark.how for mark in marks} == {How.CONDITIONAL, How.FILTER}


def test_what_is_kept_of_earlier_statements_is_bounded() -> None:
    links = Links()
    wide = [Column({(): sources(range(1000), Mark(How.IDENTITY))}, "x") for _ in range(5)]
    for number in range(300):
        outputs = [Output(10 * number + place, "x", column) for place, column in enumerate(wide)]
        fresh = [Output(o.id, o.name, Column({(): dict(o.column.sources)}, "x")) for o in outputs]
        links.remember_rdd(number, Known(Relation.of(fresh)))

    def leaf(number: int) -> Plan:
        attributes = tuple(attribute("x", 10 * number + place) for place in range(5))
        return Plan("LogicalRDD", output=attributes, args={"rdd": Described("rdd", rdd=number)})

    assert links.behind(leaf(299)) is not None
    assert links.behind(leaf(0)) is None


def test_a_frame_that_is_kept_keeps_nothing_of_how_it_was_made() -> None:
    column = Column.mixed([Column({(): sources(range(2), Mark(How.IDENTITY))}, "x")], "x + 1")

    frame = Relation.of([Output(1, "x", column)], Gathered([{}, {}])).worked_out()

    assert "parts" not in frame.outputs[0].column.__dict__
    assert not isinstance(frame.rows, Gathered)
    assert frame.outputs[0].column.sources == through(sources(range(2), Mark(How.IDENTITY)), How.TRANSFORMATION)
