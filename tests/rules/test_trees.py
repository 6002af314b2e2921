"""The rules over trees written by hand: what no query of today's Spark gives, and what is too deep for a stack."""

from __future__ import annotations

import sys

import pytest

from headwater.common.masking import Masking
from headwater.rules.operators.analysis import Analysis
from headwater.rules.plan.sources import Column, How, Mark, SourceField, Sources, without_counts
from headwater.rules.plan.tree import Dataset, Described, Expr, Plan
from headwater.rules.statements.statements import Change, statement

ORDERS = Dataset("file:/lake/orders", format="parquet")
DEEP = 5 * sys.getrecursionlimit()


def attribute(name: str, id_: int) -> Expr:
    return Expr("AttributeReference", name=name, id=id_, type="integer")


def files(*attributes: Expr, dataset: Dataset = ORDERS) -> Plan:
    relation = Described("files", (dataset,))
    return Plan("LogicalRelation", output=attributes, args={"relation": relation, "catalogTable": None})


def alias(name: str, id_: int, child: Expr) -> Expr:
    return Expr("Alias", id=id_, args={"child": child, "name": name})


def project(child: Plan, *columns: Expr) -> Plan:
    return Plan("Project", args={"projectList": columns, "child": child})


def marks(column: Column, field: str, dataset: Dataset = ORDERS) -> frozenset[Mark]:
    return column.sources[SourceField(dataset, field)]


def _fields(sources: Sources) -> set[SourceField]:
    return set(without_counts(sources)[0])


def test_an_expression_deeper_than_pythons_stack() -> None:
    a = attribute("a", 1)
    total = a
    for _ in range(DEEP):
        total = Expr("Add", name="+", args={"left": total, "right": a})

    relation = Analysis().relation(project(files(a), alias("total", 2, total)))

    assert marks(relation.outputs[0].column, "a") == {Mark(How.TRANSFORMATION)}


def test_a_plan_deeper_than_pythons_stack() -> None:
    plan = files(attribute("a", 0))
    for step in range(DEEP):
        plan = project(plan, alias("a", step + 1, Expr("UnaryMinus", args={"child": attribute("a", step)})))

    relation = Analysis().relation(plan)

    assert marks(relation.outputs[0].column, "a") == {Mark(How.TRANSFORMATION)}


def test_a_text_that_doubles_with_every_step_stays_short() -> None:
    plan = files(attribute("a", 0))
    for step in range(60):
        twice = Expr("Add", name="+", args={"left": attribute("a", step), "right": attribute("a", step)})
        plan = project(plan, alias("a", step + 1, twice))

    assert len(Analysis().relation(plan).outputs[0].column.text) <= 1000


def test_a_field_that_a_star_stood_for_has_its_name_in_the_text() -> None:
    struct = {"type": "struct", "fields": [{"name": name, "type": "integer"} for name in ("a", "b c")]}
    whole = Expr("AttributeReference", name="s", id=1, type=struct)
    picked = Expr("GetStructField", type=struct, args={"child": whole, "ordinal": 1, "name": None})
    plan = project(files(whole), alias("c", 2, picked))

    assert Analysis().relation(plan).outputs[0].column.text == "s.`b c`"


@pytest.mark.parametrize(
    "folder",
    [
        "day=2024-05-01",
        "2024-05-01",
        "2024/05/01",
        "20240501T0901Z",
        "000007-9bb032e817514d69a665e5cd60b53e2b",
        "batch-3F2504E0-4F89-11D3-9A0C-0305E82C3301",
    ],
)
def test_texts_call_a_dataset_the_same_whatever_day_or_run_wrote_its_folder(folder: str) -> None:
    assert Dataset(f"file:/lake/orders/{folder}").short_name == "orders"


@pytest.mark.parametrize("folder", ["orders_2024", "t", "7eleven", "decade", "3-4-may", "deadbeef" * 5])
def test_texts_call_a_dataset_what_its_folder_is_called(folder: str) -> None:
    assert Dataset(f"file:/lake/{folder}").short_name == folder


def test_an_unknown_operator_is_opaque_and_sound() -> None:
    a, b, column = attribute("a", 1), attribute("b", 2), attribute("made", 3)
    analysis = Analysis()

    relation = analysis.relation(Plan("FromTheFuture", output=(column,), args={"child": files(a, b), "made": column}))

    (output,) = relation.outputs
    assert (output.id, output.name) == (3, "made")
    assert _fields(output.column.sources) == {SourceField(ORDERS, "a"), SourceField(ORDERS, "b")}
    assert analysis.opaque == {"FromTheFuture": 1}


def test_a_known_operator_in_an_unknown_shape_is_opaque_and_sound() -> None:
    a, b = attribute("a", 1), attribute("b", 2)
    analysis = Analysis()

    relation = analysis.relation(Plan("Filter", args={"predicate": b, "child": files(a, b)}))

    assert analysis.opaque == {"Filter": 1}
    for output in relation.outputs:
        assert _fields(output.column.sources) == {SourceField(ORDERS, "a"), SourceField(ORDERS, "b")}


def test_a_reference_to_nothing_in_scope_may_be_to_anything_in_scope() -> None:
    a, b = attribute("a", 1), attribute("b", 2)
    analysis = Analysis()

    relation = analysis.relation(project(files(a, b), attribute("lost", 99)))

    assert _fields(relation.outputs[0].column.sources) == {SourceField(ORDERS, "a"), SourceField(ORDERS, "b")}
    assert analysis.opaque == {"unresolved reference": 1}


def test_a_leaf_that_nobody_knows_is_counted() -> None:
    analysis = Analysis()
    relation = analysis.relation(Plan("MysterySource", output=(attribute("a", 1),)))
    assert relation.outputs[0].column.sources == {}
    assert analysis.opaque == {"MysterySource": 1}


def test_a_table_is_truer_than_its_files() -> None:
    a = attribute("a", 1)
    table = Dataset("file:/warehouse/orders", ("spark_catalog", "default", "orders"), "parquet")
    leaf = Plan(
        "LogicalRelation",
        output=(a,),
        args={"relation": Described("files", (ORDERS,)), "catalogTable": Described("table", (table,))},
    )
    analysis = Analysis()
    analysis.relation(leaf)
    assert set(analysis.reads) == {table}


def test_several_root_paths_are_several_datasets() -> None:
    a = attribute("a", 1)
    other = Dataset("file:/lake/more_orders")
    leaf = Plan("LogicalRelation", output=(a,), args={"relation": Described("files", (ORDERS, other))})
    relation = Analysis().relation(leaf)
    assert set(relation.outputs[0].column.sources) == {SourceField(ORDERS, "a"), SourceField(other, "a")}


def test_a_write_to_an_unknown_target_is_counted_and_claims_no_output() -> None:
    answer = statement(Plan("WriteToTheMoonCommand", args={"query": files(attribute("a", 1))}))
    assert answer is not None
    assert answer.writes == ()
    assert answer.opaque == {"WriteToTheMoonCommand": 1}


def test_output_names_are_the_commands_by_position() -> None:
    a, b = attribute("a", 1), attribute("b", 2)
    answer = statement(
        Plan(
            "InsertIntoHadoopFsRelationCommand",
            args={
                "outputPath": "file:/lake/copy",
                "query": files(a, b),
                "mode": "Overwrite",
                "outputColumnNames": ("first", "second"),
            },
        )
    )
    assert answer is not None
    (written,) = answer.writes
    assert written.change is Change.OVERWRITE
    assert {name: [source.field for source in sources] for name, sources in (written.fields or {}).items()} == {
        "first": ["a"],
        "second": ["b"],
    }


def test_a_field_put_into_a_struct_is_null_where_the_struct_is() -> None:
    struct = Expr(
        "AttributeReference", name="s", id=1, type={"type": "struct", "fields": [{"name": "x", "type": "long"}]}
    )
    added = Expr("WithField", args={"name": "more", "valExpr": attribute("a", 2)})
    updated = Expr("UpdateFields", args={"structExpr": struct, "fieldOps": (added,), "made": "0 +0 "})

    (output,) = Analysis().relation(project(files(struct, attribute("a", 2)), alias("s", 3, updated))).outputs

    more = output.column.leaves[1,]
    assert {mark.how for mark in more[SourceField(ORDERS, "a")]} == {How.IDENTITY}
    assert {mark.how for mark in more[SourceField(ORDERS, "s.x")]} == {How.CONDITIONAL}


def test_a_field_that_is_not_there_is_opaque_and_sound() -> None:
    """A literal's fields come from nowhere and are known; a field beyond those of a struct may be anything."""
    one = Expr("Literal", args={"sql": "1"}, type="integer")
    struct = Expr("CreateNamedStruct", args={"children": (one, attribute("a", 1), one, one)})
    fields = [Expr("GetStructField", args={"child": struct, "ordinal": place, "name": "x"}) for place in (0, 1, 2)]
    known, unknown = Analysis(), Analysis()

    from_a, from_nowhere = known.relation(
        project(files(attribute("a", 1), attribute("b", 2)), *(alias("c", 3, one) for one in fields[:2]))
    ).outputs
    (anything,) = unknown.relation(
        project(files(attribute("a", 1), attribute("b", 2)), alias("c", 3, fields[2]))
    ).outputs

    assert set(from_a.column.sources) == {SourceField(ORDERS, "a")}
    assert not from_nowhere.column.sources
    assert not known.opaque
    assert _fields(anything.column.sources) == {SourceField(ORDERS, "a"), SourceField(ORDERS, "b")}
    assert unknown.opaque == {"Project": 1}


def test_arguments_that_the_analyzer_left_behind_with_old_ids_give_way_to_the_replacement() -> None:
    """What it makes of `SELECT nvl(a, b)` when it gives the table's second reading new ids."""
    old_a, old_b, new_a, new_b = (attribute(name, id_) for name, id_ in (("a", 1), ("b", 2), ("a", 11), ("b", 12)))
    replacement = Expr("Coalesce", name="coalesce", args={"children": (new_a, new_b)})
    nvl = Expr("Nvl", name="nvl", args={"left": old_a, "right": old_b, "replacement": replacement})
    analysis = Analysis()

    relation = analysis.relation(project(files(new_a, new_b), alias("c", 3, nvl)))

    assert marks(relation.outputs[0].column, "a") == {Mark(How.TRANSFORMATION), Mark(How.CONDITIONAL, text="a")}
    assert not analysis.opaque


def test_what_is_masked_stays_masked_when_only_the_replacement_is_right() -> None:
    old, new = attribute("a", 1), attribute("a", 11)
    replacement = Expr("StaticInvoke", name="aes_encrypt", args={"arguments": (new,)})
    masked = Expr("AesEncrypt", name="aes_encrypt", args={"input": old, "replacement": replacement})

    relation = Analysis().relation(project(files(new), alias("c", 3, masked)))

    assert marks(relation.outputs[0].column, "a") == {Mark(How.TRANSFORMATION, masking=Masking.KEYED)}
