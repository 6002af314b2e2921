"""MERGE, UPDATE and DELETE in every form that a plan may have them in: the same statement has the same answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from headwater.common.column_path import join_path
from headwater.rules.expressions.shapes import named
from headwater.rules.operators.analysis import Analysis
from headwater.rules.plan.sources import Sources, without_counts
from headwater.rules.plan.tree import UNREAD, Dataset, Described, Expr, NotAsExpected, Plan, Type, Value
from headwater.rules.statements import row_level
from headwater.rules.statements.row_level import Delete, Merge, Update
from headwater.rules.statements.statements import statement

TARGET, SOURCE = Dataset("file:/lake/t"), Dataset("file:/lake/s")
STRUCT = {"type": "struct", "fields": [{"name": "x", "type": "integer"}, {"name": "y", "type": "string"}]}
HIDDEN = ("_file", "_pos", "_spec_id", "_partition")

Columns = Mapping[str, set[str]]


# --- plans in a few words --------------------------------------------------------------------------------------------


def attribute(name: str, id_: int, type_: object = "integer", *, hidden: bool = False) -> Expr:
    return Expr("AttributeReference", name=name, id=id_, type=type_, hidden=hidden)  # type: ignore[arg-type]


ID, V, ST = attribute("id", 1), attribute("v", 2), attribute("st", 3, STRUCT)
S_ID, S_V, S_ST = attribute("id", 11), attribute("v", 12), attribute("st", 13, STRUCT)
PLACES = tuple(attribute(name, 20 + number, hidden=True) for number, name in enumerate(HIDDEN))
OWN = (ID, V, ST)
OPERATION = attribute("__row_operation", 40)


def literal(sql: str, value: str | None = None) -> Expr:
    return Expr("Literal", args={"sql": sql, "value": value})


NULL, TRUE = literal("NULL"), literal("true")


def plus(left: Expr, right: Expr) -> Expr:
    return Expr("Add", name="+", args={"left": left, "right": right})


def greater(left: Expr, number: int) -> Expr:
    return Expr("GreaterThan", name=">", args={"left": left, "right": literal(str(number))})


def field(struct: Expr, name: str) -> Expr:
    ordinal = [field["name"] for field in STRUCT["fields"]].index(name)  # type: ignore[index]
    return Expr("GetStructField", type=STRUCT, args={"child": struct, "ordinal": ordinal, "name": name})


def struct(**fields: Expr) -> Expr:
    return Expr(
        "CreateNamedStruct",
        args={
            "children": tuple(part for name, value in fields.items() for part in (literal(f"'{name}'", name), value))
        },
    )


def alias(child: Expr, name: str, id_: int = 99) -> Expr:
    return Expr("Alias", id=id_, args={"child": child, "name": name})


def operation(code: int) -> Expr:
    return alias(literal(str(code)), "__row_operation")


def plan(kind: str, **args: Value) -> Plan:
    return Plan(kind, args=args)


def project(child: Plan, *exprs: Expr) -> Plan:
    return plan("Project", projectList=exprs, child=child)


def keep(where: Plan, condition: Expr) -> Plan:
    return plan("Filter", condition=condition, child=where)


def leaf(dataset: Dataset, *attributes: Expr) -> Plan:
    return Plan("LogicalRelation", output=attributes, args={"relation": Described("files", (dataset,))})


def aliased(child: Plan) -> Plan:
    return Plan("SubqueryAlias", args={"child": child}, output=child.output)


TABLE = leaf(TARGET, *OWN)
WITH_PLACES = leaf(TARGET, *OWN, *PLACES)
READ = leaf(SOURCE, S_ID, S_V, S_ST)
CONDITION = greater(ID, 3)
NOT_CONDITION = Expr("Not", args={"child": Expr("EqualNullSafe", name="<=>", args={"left": CONDITION, "right": TRUE})})
ON = Expr("EqualTo", name="=", args={"left": ID, "right": S_ID})


def chosen(condition: Expr, new: Expr, old: Expr) -> Expr:
    return alias(Expr("If", args={"predicate": condition, "trueValue": new, "falseValue": old}), old.name, old.id or 0)


def merge_rows(
    matched: Sequence[Expr], not_matched: Sequence[Expr], by_source: Sequence[Expr], output: Sequence[Expr]
) -> Plan:
    join = plan(
        "Join",
        left=project(WITH_PLACES, *OWN, *PLACES, alias(TRUE, "__row_from_target"), alias(NULL, "__row_id")),
        right=project(READ, S_ID, S_V, S_ST, alias(TRUE, "__row_from_source")),
        joinType="FullOuter",
        condition=ON,
    )
    return plan(
        "MergeRows",
        matchedInstructions=tuple(matched),
        notMatchedInstructions=tuple(not_matched),
        notMatchedBySourceInstructions=tuple(by_source),
        output=tuple(output),
        child=join,
    )


def instruction(kind: str, condition: Expr = TRUE, **rows: tuple[Expr, ...]) -> Expr:
    return Expr(f"MergeRows${kind}", args={"condition": condition, **rows})


def replace_data(query: Plan, condition: Expr = TRUE) -> Plan:
    return plan("ReplaceData", table=TABLE, condition=condition, query=query, originalTable=TABLE)


def write_delta(query: Plan, condition: Expr = TRUE) -> Plan:
    return plan("WriteDelta", table=TABLE, condition=condition, query=query, originalTable=TABLE)


def action(expr: Expr, *path: str) -> Expr:
    return Expr("DeltaMergeAction", args={"targetColNameParts": path, "expr": expr})


def delta_clause(kind: str, condition: Expr | None, *row: Expr) -> Expr:
    actions = tuple(action(expr, assignment.name) for expr, assignment in zip(row, OWN, strict=False))
    return Expr(f"DeltaMergeInto{kind}Clause", args={"condition": condition, "actions": actions})


def assignment(key: Expr, value: Expr) -> Expr:
    return Expr("Assignment", args={"key": key, "value": value})


# --- answers in a few words ------------------------------------------------------------------------------------------


def edges(sources: Sources) -> set[str]:
    names = {TARGET: "t", SOURCE: "s"}
    return {
        f"{names[source.dataset]}.{source.field} {mark.how.name}{f' [{mark.text}]' if mark.text else ''}"
        for source, marks in without_counts(sources)[0].items()
        for mark in marks
    }


def answer(command: Plan) -> tuple[Columns, set[str]]:
    change = row_level.changes(command)
    assert change is not None
    analysis = Analysis(qualify=isinstance(change, Merge))
    relation = change.relation(analysis)
    assert not analysis.opaque
    assert [attribute.name for attribute in change.output] == [output.name for output in relation.outputs]
    hidden = {column.name for columns in analysis.reads.values() for column in columns} & {*HIDDEN}
    assert not hidden
    columns = {
        join_path((output.name, *names)): edges(sources)
        for attribute, output in zip(change.output, relation.outputs, strict=True)
        for names, sources in named(output.column.leaves, attribute.type).items()
    }
    return columns, edges(relation.rows)


KEPT: Columns = {
    "id": {"t.id IDENTITY"},
    "v": {"t.v IDENTITY"},
    "st.x": {"t.st.x IDENTITY"},
    "st.y": {"t.st.y IDENTITY"},
}


# --- UPDATE t SET v = v + 1, st.x = v WHERE id > 3 -------------------------------------------------------------------

NEW = (ID, plus(V, literal("1")), struct(x=V, y=field(ST, "y")))
UPDATED = [chosen(CONDITION, new, old) for new, old in zip(NEW, OWN, strict=True)]
NULLS = (NULL, NULL, NULL)
UPDATES = {
    "copy-on-write, Spark 3.5": replace_data(project(WITH_PLACES, *UPDATED, *PLACES[:2]), CONDITION),
    "copy-on-write, Spark 4": replace_data(
        project(project(WITH_PLACES, *UPDATED, *PLACES[:2]), operation(6), *OWN, *PLACES[:2]), CONDITION
    ),
    "copy-on-write, with a subquery": replace_data(
        plan(
            "Union",
            children=(
                project(
                    keep(WITH_PLACES, CONDITION),
                    *(chosen(TRUE, new, old) for new, old in zip(NEW, OWN, strict=True)),
                    *PLACES[:2],
                ),
                keep(WITH_PLACES, NOT_CONDITION),
            ),
        ),
        CONDITION,
    ),
    "merge-on-read, delete and insert": write_delta(
        plan(
            "Expand",
            projections=((literal("1"), *NULLS, *PLACES), (literal("4"), *NEW, NULL, NULL, NULL, NULL)),
            output=(OPERATION, *OWN, *PLACES),
            child=keep(WITH_PLACES, CONDITION),
        ),
        CONDITION,
    ),
    "merge-on-read, in place": write_delta(
        project(
            keep(WITH_PLACES, CONDITION),
            operation(2),
            *(alias(new, old.name) for new, old in zip(NEW, OWN, strict=True)),
            *PLACES,
        ),
        CONDITION,
    ),
    "UpdateTable": plan(
        "UpdateTable",
        table=aliased(TABLE),
        assignments=(assignment(V, NEW[1]), assignment(field(ST, "x"), V)),
        condition=CONDITION,
    ),
    "Delta": plan("UpdateCommand", target=aliased(TABLE), updateExpressions=NEW, condition=CONDITION),
    "Delta, before it is a command": plan(
        "DeltaUpdateTable",
        child=aliased(TABLE),
        updateColumns=(V, field(ST, "x")),
        updateExpressions=(NEW[1], V),
        condition=CONDITION,
    ),
}


@pytest.mark.parametrize("command", UPDATES.values(), ids=UPDATES)
def test_update(command: Plan) -> None:
    columns, rows = answer(command)
    assert columns == {
        **KEPT,
        "v": {"t.v IDENTITY", "t.v TRANSFORMATION [v + 1]", "t.id CONDITIONAL [id > 3]"},
        "st.x": {"t.st.x IDENTITY", "t.v IDENTITY", "t.id CONDITIONAL [id > 3]"},
    }
    assert rows == set()


def test_an_update_of_all_rows_leaves_nothing_of_the_old_value() -> None:
    command = plan("UpdateCommand", target=TABLE, updateExpressions=(ID, ID, struct(x=V, y=field(ST, "y"))))
    columns, rows = answer(command)
    assert columns == {**KEPT, "v": {"t.id IDENTITY"}, "st.x": {"t.v IDENTITY"}}
    assert rows == set()


def test_a_value_counts_the_rows_of_the_table_that_its_query_reads() -> None:
    many = Expr("ScalarSubquery", args={"plan": project(leaf(SOURCE, ID), literal("1"))})
    update = plan("UpdateCommand", target=TABLE, updateExpressions=(ID, plus(V, many), ST))
    clause = delta_clause("MatchedUpdate", None, ID, plus(V, many), ST)
    merge = plan("MergeIntoCommand", source=TABLE, target=TABLE, condition=CONDITION, matchedClauses=(clause,))
    for command in (update, merge):
        written = statement(command)
        assert written is not None
        assert written.writes[0].counted == {None: frozenset({TARGET}), "v": frozenset({SOURCE})}


def test_a_merge_counts_the_rows_of_its_source() -> None:
    clause = delta_clause("MatchedUpdate", None, ID, literal("1"), ST)
    merge = plan("MergeIntoCommand", source=READ, target=TABLE, condition=ON, matchedClauses=(clause,))
    written = statement(merge)
    assert written is not None
    assert written.writes[0].counted == {None: frozenset({TARGET, SOURCE})}


def test_a_struct_set_as_a_whole_is_set_in_all_its_leaves() -> None:
    command = plan("UpdateCommand", target=TABLE, updateExpressions=(ID, V, NULL), condition=CONDITION)
    columns, _ = answer(command)
    assert columns["st.x"] == {"t.st.x IDENTITY", "t.id CONDITIONAL [id > 3]"}
    assert columns["st.y"] == {"t.st.y IDENTITY", "t.id CONDITIONAL [id > 3]"}


# --- DELETE FROM t WHERE id > 3 --------------------------------------------------------------------------------------

DELETES = {
    "copy-on-write, Spark 3.5": replace_data(keep(WITH_PLACES, NOT_CONDITION), CONDITION),
    "copy-on-write, Spark 4": replace_data(
        project(keep(WITH_PLACES, NOT_CONDITION), operation(6), *OWN, *PLACES[:2]), CONDITION
    ),
    "merge-on-read": write_delta(project(keep(WITH_PLACES, CONDITION), operation(1), *PLACES), CONDITION),
    "by metadata": plan("DeleteFromTable", table=aliased(TABLE), condition=CONDITION),
    "Delta": plan("DeleteCommand", target=aliased(TABLE), condition=CONDITION),
    "Delta, before it is a command": plan("DeltaDelete", child=aliased(TABLE), condition=CONDITION),
}


@pytest.mark.parametrize("command", DELETES.values(), ids=DELETES)
def test_delete(command: Plan) -> None:
    assert answer(command) == (KEPT, {"t.id FILTER [id > 3]"})


@pytest.mark.parametrize(
    "command",
    [
        plan("DeleteFromTable", table=aliased(TABLE), condition=TRUE),
        plan("DeleteCommand", target=TABLE, condition=None),
    ],
    ids=["by metadata", "Delta"],
)
def test_a_delete_of_everything_has_no_condition(command: Plan) -> None:
    change = row_level.changes(command)
    assert isinstance(change, Delete)
    assert change.condition is None


# --- MERGE with every kind of clause ---------------------------------------------------------------------------------

# WHEN MATCHED AND s.v > 5 THEN DELETE
# WHEN MATCHED AND v > 6 THEN UPDATE SET v = s.v + v, st.x = s.v
# WHEN MATCHED THEN UPDATE SET v = 7
# WHEN NOT MATCHED AND s.v > 8 THEN INSERT (id, st) VALUES (s.id, s.st)
# WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v + 1)
# WHEN NOT MATCHED BY SOURCE AND v > 9 THEN UPDATE SET id = 0
# WHEN NOT MATCHED BY SOURCE THEN DELETE
FIRST = (ID, plus(S_V, V), struct(x=S_V, y=field(ST, "y")))
SECOND = (ID, literal("7"), ST)
INSERT_ONE = (S_ID, NULL, S_ST)
INSERT_TWO = (S_ID, plus(S_V, literal("1")), NULL)
ORPHAN = (literal("0"), V, ST)
MATCHED_IF, UPDATED_IF, INSERTED_IF, ORPHAN_IF = greater(S_V, 5), greater(V, 6), greater(S_V, 8), greater(V, 9)


def copy_on_write(*operation_column: Expr) -> Plan:
    """Rows that no clause takes are written again."""

    def row(columns: Sequence[Expr]) -> tuple[Expr, ...]:
        return (*(literal("6") for _ in operation_column), *columns, PLACES[0])

    return replace_data(
        merge_rows(
            [
                instruction("Discard", MATCHED_IF),
                instruction("Keep", UPDATED_IF, output=row(FIRST)),
                instruction("Keep", output=row(SECOND)),
                instruction("Keep", output=row(OWN)),
            ],
            [instruction("Keep", INSERTED_IF, output=row(INSERT_ONE)), instruction("Keep", output=row(INSERT_TWO))],
            [
                instruction("Keep", ORPHAN_IF, output=row(ORPHAN)),
                instruction("Discard"),
                instruction("Keep", output=row(OWN)),
            ],
            (*operation_column, *OWN, PLACES[0]),
        )
    )


def merge_on_read() -> Plan:
    deleted = (literal("1"), *NULLS, *PLACES)

    def new(code: int, columns: Sequence[Expr]) -> tuple[Expr, ...]:
        return (literal(str(code)), *columns, NULL, NULL, NULL, NULL)

    return write_delta(
        merge_rows(
            [
                instruction("Keep", MATCHED_IF, output=deleted),
                instruction("Split", UPDATED_IF, output=deleted, otherOutput=new(4, FIRST)),
                instruction("Split", output=deleted, otherOutput=new(4, SECOND)),
            ],
            [
                instruction("Keep", INSERTED_IF, output=new(3, INSERT_ONE)),
                instruction("Keep", output=new(3, INSERT_TWO)),
            ],
            [
                instruction("Split", ORPHAN_IF, output=deleted, otherOutput=new(4, ORPHAN)),
                instruction("Keep", output=deleted),
            ],
            (OPERATION, *OWN, *PLACES),
        )
    )


def merge_into_table() -> Plan:
    def act(kind: str, condition: Expr | None, *assignments: Expr) -> Expr:
        return Expr(f"{kind}Action", args={"condition": condition, "assignments": assignments})

    return plan(
        "MergeIntoTable",
        targetTable=aliased(TABLE),
        sourceTable=aliased(READ),
        mergeCondition=ON,
        matchedActions=(
            act("Delete", MATCHED_IF),
            act("Update", UPDATED_IF, assignment(V, FIRST[1]), assignment(field(ST, "x"), S_V)),
            act("Update", None, assignment(V, SECOND[1])),
        ),
        notMatchedActions=(
            act("Insert", INSERTED_IF, assignment(ID, S_ID), assignment(V, NULL), assignment(ST, S_ST)),
            act("Insert", None, assignment(ID, S_ID), assignment(V, INSERT_TWO[1])),
        ),
        notMatchedBySourceActions=(act("Update", ORPHAN_IF, assignment(ID, ORPHAN[0])), act("Delete", None)),
    )


def delta(kind: str, first: Expr) -> Plan:
    return plan(
        kind,
        source=aliased(READ),
        target=aliased(aliased(TABLE)),
        condition=ON,
        matchedClauses=(
            delta_clause("MatchedDelete", MATCHED_IF),
            first,
            delta_clause("MatchedUpdate", None, *SECOND),
        ),
        notMatchedClauses=(
            delta_clause("NotMatchedInsert", INSERTED_IF, *INSERT_ONE),
            delta_clause("NotMatchedInsert", None, *INSERT_TWO),
        ),
        notMatchedBySourceClauses=(
            delta_clause("NotMatchedBySourceUpdate", ORPHAN_IF, *ORPHAN),
            delta_clause("NotMatchedBySourceDelete", None),
        ),
    )


MERGES = {
    "copy-on-write, Spark 3.5": copy_on_write(),
    "copy-on-write, Spark 4": copy_on_write(OPERATION),
    "merge-on-read": merge_on_read(),
    "MergeIntoTable": merge_into_table(),
    "Delta": delta("MergeIntoCommand", delta_clause("MatchedUpdate", UPDATED_IF, *FIRST)),
    "Delta, before it is a command": delta(
        "DeltaMergeInto",
        Expr(
            "DeltaMergeIntoMatchedUpdateClause",
            args={"condition": UPDATED_IF, "actions": (action(FIRST[1], "V"), action(S_V, "st", "x"))},
        ),
    ),
}


@pytest.mark.parametrize("command", MERGES.values(), ids=MERGES)
def test_merge(command: Plan) -> None:
    columns, rows = answer(command)
    assert columns == {
        "id": {"t.id IDENTITY", "s.id IDENTITY", "t.v CONDITIONAL [t.v > 9]"},
        "v": {
            "t.v IDENTITY",
            "s.v TRANSFORMATION [s.v + t.v]",
            "t.v TRANSFORMATION [s.v + t.v]",
            "s.v TRANSFORMATION [s.v + 1]",
            "s.v CONDITIONAL [s.v > 5]",
            "t.v CONDITIONAL [t.v > 6]",
        },
        "st.x": {
            "t.st.x IDENTITY",
            "s.v IDENTITY",
            "s.st.x IDENTITY",
            "s.v CONDITIONAL [s.v > 5]",
            "t.v CONDITIONAL [t.v > 6]",
        },
        "st.y": {"t.st.y IDENTITY", "s.st.y IDENTITY"},
    }
    assert rows == {
        "t.id JOIN [t.id = s.id]",
        "s.id JOIN [t.id = s.id]",
        "s.v FILTER [s.v > 5]",
        "s.v FILTER [s.v > 8]",
        "t.v FILTER [t.v > 9]",
    }


def test_what_decides_the_rows_of_the_source_decides_those_of_the_target() -> None:
    command = plan(
        "MergeIntoCommand",
        source=keep(READ, greater(S_V, 1)),
        target=TABLE,
        condition=ON,
        matchedClauses=(delta_clause("MatchedUpdate", None, ID, S_V, ST),),
    )
    _, rows = answer(command)
    assert "s.v FILTER [s.v > 1]" in rows


def test_a_merge_that_only_inserts_takes_nothing_from_the_rows_that_are_there() -> None:
    command = plan(
        "MergeIntoCommand",
        source=READ,
        target=TABLE,
        condition=ON,
        notMatchedClauses=(delta_clause("NotMatchedInsert", MATCHED_IF, S_ID, S_V, NULL),),
    )
    columns, rows = answer(command)
    assert columns == {"id": {"s.id IDENTITY"}, "v": {"s.v IDENTITY"}, "st": set()}
    assert rows == {"t.id JOIN [t.id = s.id]", "s.id JOIN [t.id = s.id]", "s.v FILTER [s.v > 5]"}


def test_columns_that_the_schema_gets_by_a_merge() -> None:
    more = Expr("DeltaMergeIntoMatchedUpdateClause", args={"condition": None, "actions": (action(S_V, "more"),)})
    schema = {
        "type": "struct",
        "fields": [{"name": field.name, "type": field.type} for field in OWN] + [{"name": "more", "type": "long"}],
    }
    command = plan(
        "MergeIntoCommand",
        source=READ,
        target=TABLE,
        condition=ON,
        matchedClauses=(more,),
        migratedSchema=Type(schema),
    )
    columns, _ = answer(command)
    assert columns == {**KEPT, "more": {"s.v IDENTITY"}}
    change = row_level.changes(command)
    assert change is not None
    assert change.output[-1].type == "long"


# --- the rest --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [*UPDATES.values(), *DELETES.values(), *MERGES.values()])
def test_the_table_that_is_changed(command: Plan) -> None:
    assert row_level.target_dataset(command) is TABLE
    assert command.kind in row_level.KINDS


@pytest.mark.parametrize(
    ("forms", "asked"), [(UPDATES, "UpdateTable"), (DELETES, "DeleteFromTable"), (MERGES, "MergeIntoTable")]
)
def test_a_rewritten_statement_is_called_what_it_was(forms: Mapping[str, Plan], asked: str) -> None:
    for command in forms.values():
        answer = statement(command)
        assert answer is not None
        assert answer.asked == (asked if command.kind in {"ReplaceData", "WriteDelta"} else None)


def test_what_iceberg_hands_on_as_columns_to_keep_track_of_rows_is_hidden() -> None:
    """On Spark 3.5 it lists them in the table's own output, and some rows have them twice."""
    lineage = (attribute("_row_id", 30), attribute("_last_updated_sequence_number", 31))
    table = leaf(TARGET, *OWN, *lineage)
    query = merge_rows(
        [instruction("Keep", output=(ID, S_V, ST, *lineage, PLACES[0], *lineage))],
        [],
        [],
        (*OWN, *lineage, PLACES[0]),
    )
    command = plan("ReplaceData", table=table, condition=TRUE, query=query, originalTable=table)
    columns, _ = answer(command)
    assert columns == {**KEPT, "v": {"t.v IDENTITY", "s.v IDENTITY"}}


@pytest.mark.parametrize(
    "command",
    [
        replace_data(Plan(UNREAD)),
        write_delta(Plan(UNREAD)),
        replace_data(merge_rows([Expr(UNREAD)], [], [], OWN)),
        plan("MergeIntoCommand", source=READ, target=TABLE, condition=ON, matchedClauses=(Expr(UNREAD),)),
        plan("MergeIntoTable", targetTable=TABLE, sourceTable=READ, mergeCondition=ON, matchedActions=(Expr(UNREAD),)),
        plan("UpdateCommand", updateExpressions=NEW),
    ],
    ids=lambda command: command.kind,
)
def test_a_form_that_nobody_knows_is_said_to_be_so(command: Plan) -> None:
    with pytest.raises(NotAsExpected):
        row_level.changes(command)


def test_an_expression_of_an_unknown_shape_may_take_anything() -> None:
    broken = Expr("GetStructField", type=STRUCT, args={"child": ST, "ordinal": None})
    change = Update(TABLE, ((("v",), broken),), None)
    analysis = Analysis()
    relation = change.relation(analysis)
    assert edges(relation.outputs[1].column.sources) == {
        "t.id TRANSFORMATION [GetStructField]",
        "t.v TRANSFORMATION [GetStructField]",
        "t.st.x TRANSFORMATION [GetStructField]",
        "t.st.y TRANSFORMATION [GetStructField]",
    }
    assert analysis.opaque == {"GetStructField": 1}


def test_a_table_whose_columns_are_padded_when_it_is_read() -> None:
    """Delta's target is a projection then, over the relation."""
    raw = attribute("v", 32)
    padded = Expr("StaticInvoke", args={"functionName": "readSidePadding", "arguments": (raw, literal("3"))})
    read = project(leaf(TARGET, ID, raw, ST), ID, alias(padded, "v", 2), ST)
    target = Plan("SubqueryAlias", args={"child": read}, output=OWN)
    command = plan("UpdateCommand", target=target, updateExpressions=(ID, V, NULL), condition=CONDITION)
    columns, _ = answer(command)
    assert columns["v"] == {"t.v IDENTITY"}
    assert row_level.target_dataset(command).kind == "LogicalRelation"


def test_other_commands_change_no_rows() -> None:
    assert row_level.changes(plan("AppendData")) is None
