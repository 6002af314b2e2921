"""What commands of Delta and Iceberg write, by plans written down: what is replaced, and what nobody knows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from headwater.rules.plan.sources import SourceField
from headwater.rules.plan.tree import CatalogOf, Dataset, Described, Expr, Plan, Type, Unread, Value
from headwater.rules.statements.statements import Statement, statement
from headwater.rules.statements.writes import DYNAMIC, STAGING, Change

ID = Expr("AttributeReference", name="id", id=1, type="integer")
STRUCT = {"type": "struct", "fields": [{"name": "id", "type": "integer"}]}
SOURCE = Plan("LogicalRelation", args={"relation": Described("files", (Dataset("file:/in"),))}, output=(ID,))
DELTA = CatalogOf("spark_catalog", framework="delta")
TRUE = Expr("Literal", args={"sql": "true"})


def relation(catalog: str = "lake", identifier: tuple[str, ...] = ("db", "t"), **more: Value) -> Plan:
    args: dict[str, Value] = {
        "table": Described("v2", (Dataset("file:/lake/t", format="iceberg", version="5"),)),
        "catalog": Described("catalog", catalog=CatalogOf(catalog, framework="iceberg")),
        "identifier": identifier,
        **more,
    }
    return Plan("DataSourceV2Relation", args=args, output=(Expr("AttributeReference", name="key", id=2),))


def options(**given: str) -> Described:
    return Described("options", options=given)


def lineage(kind: str, **args: Value) -> Statement:
    result = statement(Plan(kind, args=args))
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("given", "dynamic", "expected"),
    [
        ({}, False, Change.OVERWRITE),
        ({}, True, Change.OVERWRITE_PARTITIONS),
        ({"replacewhere": "given"}, False, Change.OVERWRITE_PARTITIONS),
        ({"partitionoverwritemode": "DYNAMIC"}, False, Change.OVERWRITE_PARTITIONS),
        ({"partitionoverwritemode": "static"}, True, Change.OVERWRITE),
    ],
)
def test_delta_replaces_a_part(given: dict[str, str], dynamic: bool, expected: Change) -> None:  # noqa: FBT001
    by_path: dict[str, Value] = {
        "query": SOURCE, "dataSource": "delta", "mode": "Overwrite", DYNAMIC: dynamic,
        "options": options(path="file:/lake/t", **given),
    }  # fmt: skip
    name = Plan("ResolvedIdentifier", args={"catalog": Described("catalog", catalog=DELTA), "identifier": ("db", "t")})
    by_name: dict[str, Value] = {
        "name": name, "query": SOURCE, "writeOptions": options(**given), DYNAMIC: dynamic,
    }  # fmt: skip

    assert lineage("SaveIntoDataSourceCommand", **by_path).writes[0].change is expected
    assert lineage("ReplaceTableAsSelect", **by_name).writes[0].change is expected


@pytest.mark.parametrize(
    ("partitioned", "given", "more", "expected"),
    [
        (False, {}, {DYNAMIC: True}, Change.OVERWRITE),
        (True, {}, {}, Change.OVERWRITE),
        (True, {}, {DYNAMIC: True}, Change.OVERWRITE_PARTITIONS),
        (True, {"partitionoverwritemode": "dynamic"}, {}, Change.OVERWRITE_PARTITIONS),
        (True, {"partitionoverwritemode": "static"}, {DYNAMIC: True}, Change.OVERWRITE),
        (True, {}, {"staticPartitions": Unread("Map1")}, Change.OVERWRITE_PARTITIONS),
    ],
)
def test_files_are_replaced_as_a_whole_unless_partitions_are_kept(
    partitioned: bool,  # noqa: FBT001
    given: dict[str, str],
    more: dict[str, Value],
    expected: Change,
) -> None:
    args: dict[str, Value] = {
        "outputPath": "file:/lake/t", "query": SOURCE, "mode": "Overwrite", "options": options(**given),
        "staticPartitions": Unread("EmptyMap$"), "partitionColumns": (ID,) if partitioned else (), **more,
    }  # fmt: skip

    assert lineage("InsertIntoHadoopFsRelationCommand", **args).writes[0].change is expected


def test_overwrites_of_the_second_api() -> None:
    def change(kind: str, **more: Value) -> Change:
        return lineage(kind, table=relation(), query=SOURCE, **more).writes[0].change

    assert change("OverwriteByExpression", deleteExpr=TRUE) is Change.OVERWRITE
    dynamic = options(**{"overwrite-mode": "dynamic"})
    assert change("OverwriteByExpression", deleteExpr=TRUE, writeOptions=dynamic) is Change.OVERWRITE_PARTITIONS
    assert change("DeltaDynamicPartitionOverwriteCommand") is Change.OVERWRITE_PARTITIONS


def test_a_branch_is_not_the_whole_table() -> None:
    branch = relation(identifier=("db", "t", "branch_audit"))

    overwritten = lineage("OverwriteByExpression", table=branch, query=SOURCE, deleteExpr=TRUE)
    by_option = lineage(
        "OverwriteByExpression", table=relation(), query=SOURCE, deleteExpr=TRUE, writeOptions=options(branch="audit")
    )
    emptied = lineage("DeleteFromTable", table=branch, condition=TRUE)

    assert overwritten.writes[0].change is by_option.writes[0].change is Change.OVERWRITE_PARTITIONS
    assert emptied.writes[0].change is Change.ALTER


@pytest.mark.parametrize(("allowed", "staged"), [(True, True), (True, False), (False, True)])
def test_what_is_to_be_published_later_leaves_the_table_as_it_is(allowed: bool, staged: bool) -> None:  # noqa: FBT001
    place = Dataset("file:/lake/t", format="iceberg")
    table = relation(table=Described("v2", (place,), options={"staging": "true"} if allowed else {}))
    setting: dict[str, Value] = {STAGING: True} if staged else {}

    overwritten = lineage("OverwriteByExpression", table=table, query=SOURCE, deleteExpr=TRUE, **setting)
    emptied = lineage("DeleteFromTable", table=table, condition=TRUE, **setting)
    truncated = lineage("TruncateTable", table=table, **setting)

    apart = allowed and staged
    assert overwritten.writes[0].change is (Change.OVERWRITE_PARTITIONS if apart else Change.OVERWRITE)
    assert emptied.writes[0].change is truncated.writes[0].change is (Change.ALTER if apart else Change.TRUNCATE)


def test_delta_empties_a_table_with_a_command_of_its_own() -> None:
    (written,) = lineage("TruncateDeltaTableCommand", child=relation()).writes

    assert written.change is Change.TRUNCATE
    assert [field.name for field in written.schema] == ["key"]


def test_a_path_in_the_place_of_a_name_is_where_the_table_will_be() -> None:
    named: dict[str, Value] = {"catalog": Described("catalog", catalog=DELTA), "identifier": ("delta", "/lake/t")}
    (written,) = lineage("ReplaceTableAsSelect", name=Plan("ResolvedIdentifier", args=named), query=SOURCE).writes

    assert written.dataset.location == "/lake/t"


def test_fields_that_get_other_names_come_from_what_they_were() -> None:
    def struct(*names: str) -> dict[str, object]:
        return {"type": "struct", "fields": [{"name": name, "type": "integer"} for name in names]}

    columns = (ID, Expr("AttributeReference", name="s", id=2, type=struct("x", "y")))
    table = replace(relation(), output=columns)
    unsaid: tuple[Type | None, str | None] = (None, None)

    def renamed(path: tuple[str, ...], name: str) -> Statement:
        change = Unread("TableChange$RenameColumn", fields=(path, *unsaid, name))
        return lineage("RenameColumn", table=table, changes=(change,))

    for answer, expected, part in (
        (renamed(("id",), "key"), {"key": "id"}, "key"),
        (renamed(("s", "y"), "z"), {"s.z": "s.y"}, "s.z"),
        (renamed(("s",), "t"), {"t.x": "s.x", "t.y": "s.y"}, "t.x"),
    ):
        (written,) = answer.writes
        assert written.change is Change.ALTER
        assert {new: [*old] for new, old in (written.fields or {}).items()} == {
            new: [SourceField(written.dataset, old)] for new, old in expected.items()
        }
        assert answer.part == part
        assert [*answer.reads] == [written.dataset]


def test_a_namespace_of_iceberg_falls_alone() -> None:
    def dropped(catalog: str, framework: str) -> Statement | None:
        owner = Described("catalog", catalog=CatalogOf(catalog, framework=framework))
        namespace = Plan("ResolvedNamespace", args={"catalog": owner})
        return statement(Plan("DropNamespace", args={"namespace": namespace, "cascade": True}))

    assert dropped("lake", "iceberg") is None
    for unknown in (dropped("lake", ""), dropped("spark_catalog", "iceberg")):
        assert unknown is not None
        assert unknown.opaque == {"DropNamespace": 1}


def test_views_of_iceberg_are_renamed_and_dropped() -> None:
    lake = Described("catalog", catalog=CatalogOf("lake", framework="iceberg"))
    view = Plan("ResolvedV2View", args={"catalog": lake, "identifier": ("db", "v")})

    (renamed,) = lineage("RenameTable", child=view, newName=("lake", "db", "w")).writes
    assert (renamed.change, renamed.dataset.table) == (Change.RENAME, ("lake", "db", "w"))
    assert renamed.previous is not None
    assert renamed.previous.table == ("lake", "db", "v")
    (dropped,) = lineage("DropIcebergView", child=replace(view, kind="ResolvedIdentifier")).writes
    assert (dropped.change, dropped.dataset.table) == (Change.DROP, ("lake", "db", "v"))


def test_columns_by_name_do_not_hide_those_of_the_table() -> None:
    (written,) = lineage("AppendData", table=relation(), query=SOURCE, isByName=True).writes

    assert [field.name for field in written.schema] == ["key", "id"]
    assert [*(written.fields or {})] == ["id"]


@pytest.mark.parametrize("catalog", ["default_cache_iceberg", "default_rewrite_catalog"])
def test_files_that_iceberg_rewrites_are_no_write(catalog: str) -> None:
    table = relation(catalog, ("6d023deb-381f-4322-8a3f-f472d5bb93ae",))

    assert statement(Plan("AppendData", args={"table": table, "query": table, "isByName": True})) is None


@pytest.mark.parametrize("known", [True, False])
def test_clones_and_restores(known: bool) -> None:  # noqa: FBT001
    then = Described("table", (Dataset("file:/lake/s", version="3"),), schema=STRUCT if known else None)
    clone = Plan("CloneTableCommand", args={"sourceTable": then}, output=())
    table = Described("table", (Dataset("file:/lake/t"),))
    cloned = lineage("CreateDeltaTableCommand", table=table, query=clone, mode="ErrorIfExists", operation="Create")
    restored = lineage("RestoreTableCommand", sourceTable=then)

    for answer, place, change in (
        (cloned, "file:/lake/t", Change.CREATE),
        (restored, "file:/lake/s", Change.OVERWRITE_PARTITIONS),
    ):
        (written,) = answer.writes
        assert written.dataset == Dataset(place)
        assert written.change is change
        assert [(dataset.location, dataset.version) for dataset in answer.reads] == [("file:/lake/s", "3")]
        assert [*(written.fields or {})] == (["id"] if known else [])
        assert bool(answer.opaque) is not known


def test_convert_to_delta() -> None:
    here = lineage("ConvertToDeltaCommand", tableIdentifier=("parquet", "/lake/t"), deltaPath=None)
    there = lineage("ConvertToDeltaCommand", tableIdentifier=("parquet", "/lake/t"), deltaPath="/lake/u")

    assert (here.writes[0].dataset, here.writes[0].change) == (Dataset("/lake/t", format="delta"), Change.ALTER)
    assert (there.writes[0].dataset, there.writes[0].change) == (Dataset("/lake/u", format="delta"), Change.CREATE)
    assert [*here.reads] == [*there.reads] == [Dataset("/lake/t", format="parquet")]


def test_a_renamed_iceberg_table_stays_where_it_is() -> None:
    args = relation().args
    table = Plan("ResolvedTable", args=args, output=())

    (written,) = lineage("RenameTable", child=table, newName=("db", "u")).writes

    assert (written.dataset.location, written.dataset.table) == ("file:/lake/t", ("lake", "db", "u"))
    assert written.change is Change.ALTER


def test_tables_about_a_table_are_none_of_its_columns() -> None:
    about = Described("metadata", (Dataset("file:/lake/t", format="iceberg"),), ("key",))
    snapshots = Plan("DataSourceV2Relation", args={**relation().args, "table": about}, output=(ID,))

    answer = lineage("OverwriteByExpression", table=relation(), query=snapshots, deleteExpr=TRUE)

    (written,) = answer.writes
    assert {name: [*sources] for name, sources in (written.fields or {}).items()} == {"key": []}
    assert [source.field for source in written.rows] == ["key"]
    assert [*answer.reads.values()] == [()]


def test_what_a_feed_says_of_a_change_is_no_column_of_the_table() -> None:
    kind = Expr("AttributeReference", name="_change_type", id=3, type="string")
    feed = Described("relation", (Dataset("file:/lake/t", format="delta"),), source="DeltaCDFRelation")
    query = Plan("LogicalRelation", args={"relation": feed}, output=(ID, kind))

    answer = lineage("SaveIntoDataSourceCommand", query=query, dataSource="delta", options=options(path="file:/out"))

    assert [[field.name for field in schema] for schema in answer.reads.values()] == [["id"]]
    fields = answer.writes[0].fields or {}
    assert {name: [source.field for source in sources] for name, sources in fields.items()} == {
        "id": ["id"], "_change_type": ["id"],
    }  # fmt: skip


def test_an_unknown_command_with_a_query_writes_its_table() -> None:
    answer = lineage("NewEngineInsertCommand", table=relation(), query=SOURCE)

    (written,) = answer.writes
    assert (written.dataset.location, written.change) == ("file:/lake/t", Change.APPEND)
    assert [*answer.reads] == [Dataset("file:/in")]
    assert answer.opaque == {"NewEngineInsertCommand": 1}


def test_an_unknown_command_around_a_known_one() -> None:
    inside = Plan("AppendData", args={"table": relation(), "query": SOURCE})

    assert lineage("InsertIntoNewEngineCommand", command=inside).writes[0].dataset.location == "file:/lake/t"
    assert statement(Plan("ExplainCommand", args={"logicalPlan": inside})) is None
    assert statement(Plan("DescribeRelation", args={"relation": relation()})) is None
