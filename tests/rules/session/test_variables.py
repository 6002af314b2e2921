"""Variables by themselves: names in texts, parameters by their place, and what must stay small."""

from __future__ import annotations

from uuid import UUID

import pytest
from tests.regex_steps import grows
from tests.work import MOST

from headwater.rules.plan import sql_tokens
from headwater.rules.plan.sources import Column, How, Mark, Output, Relation, SourceField
from headwater.rules.plan.sql_tokens import cells, tokens
from headwater.rules.plan.tree import CatalogOf, Dataset, Described, Expr, Plan
from headwater.rules.session.links import Known, Links
from headwater.rules.session.variables import mark_parameters, value_of
from headwater.rules.statements.statements import change_variables


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("VALUES (v, 'v', \"v\", `my v`)", [["v"], [], [], ["my v"]]),
        ("values (upper(v), CAST(w AS DECIMAL(10, 2)), X'1F', 1L)", [["v"], ["w"], [], []]),
        ("VALUES (CASE WHEN a > 1 THEN b ELSE DEFAULT END, r.s.x /* v */) -- v", [["a", "b"], ["r.s.x"]]),
        (
            "VALUES (INTERVAL 1 DAY, DATE'2024-05-01', current_date, NULL, x COLLATE utf8_lcase)",
            [[], [], [], [], ["x"]],
        ),
        ("VALUES (a, array(b, c)) AS t(d, e)", [["a"], ["b", "c"]]),
        ("VALUES (a) t(d)", [["a"]]),
        ("VALUES (struct(a AS b, c AS d))", [["a", "c"]]),
        ("VALUES (a[0].b, c[d].`e`.f, struct(g).h)", [["a"], ["c", "d"], ["g"]]),
        ("VALUES (a + 1) * b AS t", [["a", "b"]]),
    ],
)
def test_names_in_values(text: str, names: list[list[str]]) -> None:
    rows = cells(text)

    assert rows is not None
    assert [[".".join(parts) for parts in cell.names] for cell in rows[0]] == names


@pytest.mark.parametrize("piece", ["'", '"', "`", "/*", "(", "\\'", "--", ":", "a.", "?", "'\"`", "\n"])
def test_any_text_costs_linear_work(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def analyse(size: int) -> None:
        for text in (piece * size, f"VALUES ({piece * size}"):
            list(tokens(text))
            cells(text)

    assert grows({sql_tokens: ["_TOKEN"]}, analyse, 500, monkeypatch) <= MOST


def _literal(sql: str, start: int) -> Expr:
    return Expr("Literal", args={"sql": sql, "value": None, "span": (start, start + len(sql) - 1)})


def test_parameters_are_found_by_their_place() -> None:
    # SELECT ?, 'x', ? with 1234 and 'z' written in
    first, between, second = _literal("1234", 7), _literal("'x'", 13), _literal("'z'", 18)

    mark_parameters(Plan("Project", args={"projectList": (first, between, second)}), "SELECT ?, 'x', ?")

    assert [literal.kind for literal in (first, between, second)] == ["PosParameter", "Literal", "PosParameter"]


def test_after_a_parameter_that_is_no_literal_every_literal_may_be_one() -> None:
    before, after = _literal("1", 7), _literal("'x'", 30)

    mark_parameters(Plan("Project", args={"projectList": (before, after)}), "SELECT 1, ?, 'x'")

    assert [literal.kind for literal in (before, after)] == ["Literal", "PosParameter"]


def test_each_literal_is_looked_for_in_its_own_text() -> None:
    def literal(start: int, text: int) -> Expr:
        return Expr("Literal", args={"sql": "1", "value": None, "span": (start, start, text)})

    literals = (literal(7, 0), literal(7, 1), literal(10, 1), literal(7, -1))

    mark_parameters(Plan("Project", args={"projectList": literals}), "SELECT ?", "SELECT 1, ?")

    kinds = [one.kind for one in literals]
    assert kinds == ["PosParameter", "Literal", "PosParameter", "PosParameter"], (
        "there were too many texts for the last"
    )


# --- a script's loop -------------------------------------------------------------------------------------------------

SYSTEM = Described("catalog", catalog=CatalogOf("system"))
TABLE = Dataset(table=("t",))


def _reference() -> Expr:
    return Expr(
        "VariableReference",
        args={"originalNameParts": ("v",), "catalog": SYSTEM, "identifier": ("session", "v"), "varDef": None},
    )


def test_a_long_loop_keeps_a_variable_small() -> None:
    links = Links()
    source = {SourceField(TABLE, "a"): frozenset({Mark(How.IDENTITY)})}
    known = Known(Relation.of([Output(1, "a", Column({(): source}, "a"))]), {TABLE: ()})
    links.variables.set(_reference(), value_of(known, known.relation.outputs[0].column), {})
    for turn in range(300):
        less = Expr("LessThan", name="<", args={"left": _reference(), "right": _literal(str(turn), 0)})
        more = Expr("Add", name="+", args={"left": _reference(), "right": _literal("1", 0)})
        chosen = Expr("If", name="if", args={"predicate": less, "trueValue": more, "falseValue": _reference()})
        query = Plan("Project", args={"projectList": (chosen,), "child": Plan("OneRowRelation", output=())})
        change_variables(
            Plan("SetVariable", args={"targetVariables": (_reference(),), "sourceQuery": query}), links, {}
        )

    value = links.variables.value(_reference())

    assert value is not None
    assert {mark.how for mark in value.column.sources[SourceField(TABLE, "a")]} == {How.TRANSFORMATION, How.CONDITIONAL}
    assert len(value.column.sources[SourceField(TABLE, "a")]) < 100
    assert value.reads == {TABLE: ()}


def test_a_set_whose_target_was_not_read_makes_all_variables_unknown() -> None:
    links = Links()
    nothing = Known(Relation.of([Output(1, "a", Column({(): {}}, "a"))]))
    links.variables.set(_reference(), value_of(nothing, nothing.relation.outputs[0].column), {})

    change_variables(Plan("SetVariable", args={"targetVariables": (Expr("unread"),)}), links, {})

    assert links.variables.value(_reference()) is None


def test_what_a_cursor_puts_into_a_variable_is_opaque() -> None:
    links = Links()
    nothing = Known(Relation.of([Output(1, "a", Column({(): {}}, "a"))]))
    links.variables.set(_reference(), value_of(nothing, nothing.relation.outputs[0].column), {})

    change_variables(Plan("FetchCursor", args={"targetVariables": (_reference(),)}), links, {})

    value = links.variables.value(_reference())
    assert value is not None
    assert value.opaque == {"FetchCursor": 1}


def test_the_turns_of_a_loop_do_not_push_other_variables_out() -> None:
    """Where the row has no name, every turn makes variables of a new one."""
    variables = Links().variables
    held = Known(Relation.of([Output(1, "a", Column({(): {}}, "a")), Output(2, "b", Column({(): {}}, "b"))]))
    value = value_of(held, held.relation.outputs[0].column)

    def declared(block: str, name: str) -> Plan:
        return Plan("ResolvedIdentifier", args={"catalog": SYSTEM, "identifier": (block, name)})

    variables.text = script = "BEGIN DECLARE v INT; FOR SELECT a, b FROM t DO SELECT a; END FOR; END"
    variables.set(declared("block", "v"), value, {})
    variables.at = script.index("SELECT")
    variables.loop(held, script, script[: variables.at])
    variables.text = ""
    for turn in range(2000):
        for name in "ab":
            row = declared(str(UUID(int=turn)), name)
            seen_value = variables.row(row)
            assert seen_value is not None
            assert not seen_value.opaque
            variables.set(row, seen_value, {})

    own = Expr("VariableReference", args={"catalog": SYSTEM, "identifier": ("block", "v"), "varDef": None})
    assert variables.value(own) is not None
