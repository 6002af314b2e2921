"""Variables by themselves: names in texts, parameters by their place, and what must stay small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import pytest
from tests.regex_steps import grows
from tests.rules.plans import known, lines
from tests.work import MOST

from headwater.rules.plan import sql_tokens
from headwater.rules.plan.sources import Column, How, Mark, Output, Relation, SourceField
from headwater.rules.plan.sql_tokens import cells, tokens
from headwater.rules.plan.tree import CatalogOf, Dataset, Described, Expr, Plan
from headwater.rules.plan.tree import Value as TreeValue
from headwater.rules.plan.types import DataType
from headwater.rules.session.links import Known, Links
from headwater.rules.session.variables import UNSEEN, Value, Variables, mark_parameters, united, value_of
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


# --- the variables of sessions and scripts ---------------------------------------------------------------------------


def _value(table: str, *names: str, rows: Sequence[str] = (), type_: DataType | None = None) -> Value:
    held = known(table, *(names or ("a",)), rows=rows)
    return replace(value_of(held, held.relation.outputs[0].column), type=type_)


def _of_session(name: str, definition: int | None = None) -> Expr:
    return Expr("VariableReference", args={"catalog": SYSTEM, "identifier": ("session", name), "varDef": definition})


def _of_block(name: str, block: str = "block") -> Plan:
    return Plan("ResolvedIdentifier", args={"catalog": SYSTEM, "identifier": (block, name)})


def _in_block(name: str, block: str = "block", type_: DataType | None = None) -> Expr:
    args: dict[str, TreeValue] = {"catalog": SYSTEM, "identifier": (block, name), "varDef": None}
    return Expr("VariableReference", type=type_, args=args)


def _tables(value: Value | None) -> list[str] | None:
    return None if value is None else [dataset.short_name for dataset in value.reads]


def _found(variables: Variables, reference: Expr) -> list[str] | None:
    return _tables(variables.value(reference))


def test_a_variable_belongs_to_a_session() -> None:
    variables = Variables()
    variables.session = "one"
    variables.set(_of_session("V"), _value("t"), {})

    assert _found(variables, _of_session("v")) == ["t"]
    assert _found(variables, _of_session("w")) is None
    variables.session = "another"
    assert _found(variables, _of_session("v")) is None


def test_a_frame_has_the_value_that_the_variable_had_when_it_was_made() -> None:
    variables = Variables()
    variables.set(_of_session("v"), _value("t"), {"other": 4, "V": 5})
    variables.set(_of_session("v"), _value("u"), {"v": 6})

    assert _found(variables, _of_session("v", 5)) == ["t"]
    assert _found(variables, _of_session("v", 6)) == ["u"]
    assert _found(variables, _of_session("v")) == ["u"], "the plan does not say which: the latest"
    unseen = variables.value(_of_session("v", 7))
    assert unseen is not None
    assert _tables(unseen) == ["t", "u"]
    assert unseen.opaque == {"VariableReference": 1}


def test_where_objects_are_unknown_the_latest_value_counts() -> None:
    variables = Variables()
    variables.set(_of_session("v"), _value("t"), {"v": 5})
    variables.set(_of_session("v"), _value("u"), {})

    assert _found(variables, _of_session("v", 7)) == ["u"]
    assert _found(variables, _of_session("v", 5)) == ["t"]


def test_only_the_last_values_of_a_variable_are_kept() -> None:
    variables = Variables()
    for number in range(21):
        variables.set(_of_session("v"), _value(f"t{number}"), {"v": number + 100})

    assert _found(variables, _of_session("v", 101)) == ["t1"]
    assert len(_found(variables, _of_session("v", 100)) or ()) == 20, "it may be any of them"


def test_the_variables_of_a_block_hide_nothing_of_the_session() -> None:
    variables = Variables()
    variables.text, variables.at = "BEGIN DECLARE v INT; SET v = 1; END", 6
    variables.set(_of_session("v"), _value("s"), {})
    variables.set(_of_block("v"), _value("t"), {})

    assert _found(variables, _in_block("v")) == ["t"]
    assert _found(variables, _of_session("v")) == ["s"]
    variables.set(_in_block("v", type_="integer"), _value("u"), {})
    changed = variables.value(_in_block("v"))
    assert changed is not None
    assert (_tables(changed), changed.type) == (["u"], "integer")


def test_a_variable_that_is_declared_again_at_its_place_takes_the_place_of_the_one_before() -> None:
    variables = Variables()
    variables.text, variables.at = "BEGIN DECLARE v INT; END", 6
    variables.set(_of_block("v", "first"), _value("t"), {})
    variables.set(_of_block("w", "first"), _value("w"), {})
    variables.set(_of_block("v", "second"), _value("u"), {})
    assert _found(variables, _in_block("v", "first")) is None
    assert _found(variables, _in_block("v", "second")) == ["u"]
    assert _found(variables, _in_block("w", "first")) == ["w"], "it has another name"

    variables.at = 30
    variables.set(_of_block("v", "third"), _value("x"), {})
    assert _found(variables, _in_block("v", "second")) == ["u"], "it was declared elsewhere"


def test_to_forget_is_to_forget_the_session() -> None:
    variables = Variables()
    for session in ("one", "two"):
        variables.session = session
        variables.set(_of_session("v"), _value("t"), {})
        variables.set(_of_block("w"), _value("t"), {})

    variables.forget()

    assert _found(variables, _of_session("v")) is _found(variables, _in_block("w")) is None
    variables.session = "one"
    assert _found(variables, _of_session("v")) == _found(variables, _in_block("w")) == ["t"]


def test_a_snapshot_has_the_values_of_now() -> None:
    variables = Variables()
    variables.set(_of_session("v"), _value("t"), {})
    variables.result(known("r", "x"))

    before = variables.snapshot()
    variables.set(_of_session("v"), _value("u"), {})
    variables.result(known("q", "x"))

    assert _found(before, _of_session("v")) == ["t"]
    assert [[dataset.short_name for dataset in query.reads] for query in before.results(["x"])] == [["r"]]


# --- rows of loops ---------------------------------------------------------------------------------------------------


def test_a_row_has_the_values_of_the_query_that_ran_before() -> None:
    variables = Variables()
    script = "BEGIN FOR row AS SELECT a, b FROM t DO SELECT 1; END FOR; END"
    variables.at = script.index("SELECT a")
    variables.loop(known("t", "a", "B", rows=["a"]), script, script[: variables.at])

    value = variables.row(_of_block("b", "row"))

    assert value is not None
    assert lines(value.column.sources) == {"t.B IDENTITY", "t.a FILTER"}
    assert not value.opaque
    unknown = variables.row(_of_block("c", "row"))
    assert unknown is not None
    assert (unknown.opaque, dict(unknown.column.sources)) == ({"FOR": 1}, {})


def test_only_what_spark_sets_without_a_text_is_a_row() -> None:
    variables = Variables()
    variables.loop(known("t", "a"), "BEGIN", "FOR row AS")

    assert variables.row(_of_session("a")) is None
    variables.text = "SET row.a = 1"
    assert variables.row(_of_block("a", "row")) is None


def test_a_row_of_one_of_two_loops_is_opaque() -> None:
    variables = Variables()
    for table in ("t", "u"):
        variables.loop(known(table, "a"), "BEGIN", "FOR")

    value = variables.row(_of_block("a", str(UUID(int=1))))

    assert value is not None
    assert (_tables(value), value.opaque) == (["t", "u"], {"FOR": 1})


def test_the_row_of_a_loop_is_seen_inside_the_loop_only() -> None:
    variables = Variables()
    script = "BEGIN FOR row AS SELECT a FROM t DO INSERT INTO o VALUES (a); END FOR; INSERT INTO o VALUES (a); END"
    inside, outside = script.index("VALUES"), script.rindex("VALUES")
    variables.at = script.index("SELECT")
    variables.loop(known("t", "a"), script, script[: variables.at])
    row = _of_block("a", "row")
    variables.set(row, variables.row(row) or UNSEEN, {})
    variables.text = script

    assert _tables(variables.columns("VALUES (a)", 1, inside)[0]) == ["t"]
    assert variables.columns("VALUES (a)", 1, outside)[0].opaque == {"VariableReference": 1}


def test_a_variable_is_seen_behind_its_declaration() -> None:
    variables = Variables()
    variables.text, variables.at = "BEGIN DECLARE v INT; INSERT INTO o VALUES (v); END", 6
    variables.set(_of_block("v"), _value("t"), {})

    assert _tables(variables.columns("VALUES (v)", 1, 33)[0]) == ["t"]
    assert _tables(variables.columns("VALUES (v)", 1, None)[0]) == ["t"]
    assert variables.columns("VALUES (v)", 1, 6)[0] is UNSEEN


# --- texts -----------------------------------------------------------------------------------------------------------

POINT: DataType = {"type": "struct", "fields": [{"name": "x", "type": "integer"}, {"name": "y", "type": "integer"}]}
STRUCT: DataType = {"type": "struct", "fields": [{"name": "x", "type": "integer"}, {"name": "y", "type": POINT}]}


def _with_variables(text: str = "INSERT INTO o VALUES (v)") -> Variables:
    variables = Variables()
    variables.text = text
    variables.set(_of_session("v"), _value("t"), {})
    variables.set(_of_session("w"), _value("u"), {})
    variables.set(_of_session("n"), Value(Column({(): {}}, "1")), {})
    return variables


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("VALUES (v, w)", [{"t.a IDENTITY"}, {"u.a IDENTITY"}]),
        ("VALUES (session.v, system.session.W)", [{"t.a IDENTITY"}, {"u.a IDENTITY"}]),
        ("VALUES (v + w, 1)", [{"t.a TRANSFORMATION", "u.a TRANSFORMATION"}, set()]),
        ("VALUES (v, 1), (w, n)", [{"t.a IDENTITY", "u.a IDENTITY"}, set()]),
        ("VALUES (v), (w)", [{"t.a TRANSFORMATION", "u.a TRANSFORMATION"}] * 2),
        ("SELECT 1", [{"t.a IDENTITY", "u.a IDENTITY"}] * 2),
    ],
)
def test_the_columns_of_values(values: str, expected: list[set[str]]) -> None:
    found = _with_variables().columns(values, 2)

    assert [lines(value.column.sources) for value in found] == expected


def test_a_name_in_values_that_nobody_set_is_opaque_unless_it_may_be_an_argument() -> None:
    variables = _with_variables()

    assert variables.columns("VALUES (unseen)", 1)[0].opaque == {"VariableReference": 1}
    assert not variables.columns("VALUES (transform(array(v), x -> x + 1))", 1)[0].opaque


def test_a_marker_in_values_may_be_any_variable() -> None:
    (found,) = _with_variables().columns("VALUES (?)", 1)

    assert lines(found.column.sources) == {"t.a IDENTITY", "u.a IDENTITY"}
    assert found.opaque == {"parameter": 1}


def test_without_variables_that_hold_data_a_parameter_holds_none() -> None:
    variables = Variables()
    variables.set(_of_session("n"), Value(Column({(): {}}, "1")), {})

    assert variables.parameters() is None
    assert not lines(variables.columns("SELECT 1", 1)[0].column.sources)


def test_a_parameter_may_be_a_variable_of_the_script_at_hand() -> None:
    variables = Variables()
    variables.text = "BEGIN DECLARE v INT; END"
    variables.set(_of_block("v"), _value("t"), {})
    assert _tables(variables.parameters()) == ["t"]

    variables.text = "BEGIN DECLARE w INT; END"
    variables.set(_of_block("w", "other"), Value(Column({(): {}}, "1")), {})
    assert variables.parameters() is None, "that script is over"
    variables.session = "another"
    assert variables.parameters() is None


def test_bounds_depend_on_what_is_in_the_parentheses() -> None:
    variables = _with_variables()

    bounds = variables.bounds("range(0, v + 1) AS w")

    assert bounds is not None
    assert lines(bounds.column.sources) == {"t.a TRANSFORMATION"}
    assert variables.bounds("range(0, n)") is None
    assert variables.bounds("range(0, 3)") is None


def test_the_values_of_pivot() -> None:
    text = "SELECT * FROM o PIVOT (sum(a) FOR b IN (v AS x, n AS y, unseen AS z))"
    pivots = _with_variables(text).pivots()

    assert pivots is not None
    assert lines(pivots.column.sources) == {"t.a TRANSFORMATION"}
    assert pivots.opaque == {"PIVOT": 1}
    assert _with_variables(text.replace("v AS", "'v' AS")).pivots() is None
    assert _with_variables().pivots() is None
    frame = _with_variables("")
    frame.within = text
    assert frame.pivots() is not None


def test_a_field_of_a_struct_in_a_variable() -> None:
    variables = Variables()
    variables.text = "VALUES (s.x)"
    struct = Value(
        Column({(0,): _value("x").column.sources, (1, 0): _value("y").column.sources, (1, 1): {}}, "s"), type=STRUCT
    )
    variables.set(replace(_of_session("s"), type=STRUCT), struct, {})

    def taken(name: str) -> set[str]:
        return lines(variables.columns(f"VALUES ({name})", 1)[0].column.sources)

    assert taken("s") == {"x.a IDENTITY", "y.a IDENTITY"}
    assert taken("s.X") == taken("session.s.x") == {"x.a IDENTITY"}
    assert taken("s.y") == taken("s.y.x") == {"y.a IDENTITY"}
    assert taken("s.y.y") == set()
    assert taken("s.z") == taken("s.x.z") == taken("s"), "which field is meant is unknown"


def test_a_frame_may_have_any_value_that_a_variable_had() -> None:
    """Its text is not that of the statement at hand, so it may have been made long ago."""
    variables = _with_variables("")
    variables.set(_of_session("v"), _value("u"), {})
    variables.set(_of_session("v"), _value("u"), {})
    variables.within = "SELECT * FROM VALUES (v)"

    (found,) = variables.columns("VALUES (v)", 1)
    (once,) = variables.columns("VALUES (w)", 1)
    (never,) = variables.columns("VALUES (n)", 1)

    assert lines(found.column.sources) == {"t.a IDENTITY", "u.a IDENTITY"}
    assert found.opaque == {"VariableReference": 1}
    assert (lines(once.column.sources), once.opaque) == ({"u.a IDENTITY"}, {})
    assert never.plain
    variables.within = "BEGIN SELECT * FROM VALUES (v); END"
    assert lines(variables.columns("VALUES (v)", 1)[0].column.sources) == {"u.a IDENTITY"}, "a script runs now"


def test_several_values_are_as_opaque_as_the_most_opaque() -> None:
    first, second = replace(_value("t"), opaque={"A": 2, "B": 1}), replace(_value("u"), opaque={"A": 1, "B": 3})

    assert united([first, second]).opaque == {"A": 2, "B": 3}
    assert united([first]) is first
    assert united([replace(first, type="integer"), replace(second, type="integer")]).type == "integer"
    assert united([replace(first, type="integer"), second]).type is None
