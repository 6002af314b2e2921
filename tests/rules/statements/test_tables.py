"""Commands that make, change and drop tables and views, by plans written down."""

from __future__ import annotations

import pytest

from headwater.rules.plan.tree import CatalogOf, Dataset, Described, Expr, Plan, Type, Unread, Value
from headwater.rules.statements.statements import Statement, Written, statement
from headwater.rules.statements.writes import DYNAMIC, Change

ID = Expr("AttributeReference", name="id", id=1, type="integer")
SOURCE = Plan("LogicalRelation", args={"relation": Described("files", (Dataset("file:/in"),))}, output=(ID,))
STRUCT = {"type": "struct", "fields": [{"name": "ID", "type": "integer"}, {"name": "day", "type": "date"}]}
PEOPLE = Dataset("file:/warehouse/people", ("spark_catalog", "default", "people"), "orc")
TABLE = Described("table", (PEOPLE,), schema=STRUCT)
OWN = (Expr("AttributeReference", name="key", id=2, type="long"),)


def catalog(name: str = "lake", framework: str = "") -> Described:
    return Described("catalog", catalog=CatalogOf(name, framework=framework))


def identifier(framework: str = "", output: tuple[Expr, ...] | None = None) -> Plan:
    args: dict[str, Value] = {"catalog": catalog(framework=framework), "identifier": ("db", "t")}
    return Plan("ResolvedIdentifier", args=args, output=output)


def answer(kind: str, **args: Value) -> Statement:
    given = statement(Plan(kind, args=args))
    assert given is not None
    return given


def written(kind: str, **args: Value) -> Written:
    (one,) = answer(kind, **args).writes
    return one


def names(write: Written) -> list[str]:
    return [field.name for field in write.schema]


# --- tables with the rows of a query ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "change", "if_absent", "columns"),
    [
        ("ErrorIfExists", Change.CREATE, False, ["id"]),
        ("Ignore", Change.CREATE, True, ["id"]),
        ("Overwrite", Change.OVERWRITE, False, ["id"]),
        ("Append", Change.APPEND, False, ["ID", "day"]),
    ],
)
def test_a_table_from_a_query(mode: str, change: Change, if_absent: bool, columns: list[str]) -> None:  # noqa: FBT001
    for field, kind in (("table", "CreateDataSourceTableAsSelectCommand"), ("tableDesc", "SaveAsV1TableCommand")):
        given = written(kind, **{field: TABLE}, query=SOURCE, mode=mode)

        assert (given.dataset, given.change, given.if_absent) == (PEOPLE, change, if_absent)
        assert names(given) == columns, "what is appended is spelled as the table has it, and the rest is still there"
        assert list(given.fields or ()) == columns[:1]


def test_the_columns_of_a_new_table_have_the_names_that_the_command_gives() -> None:
    args: dict[str, Value] = {"table": TABLE, "query": SOURCE, "mode": "ErrorIfExists", "outputColumnNames": ("key",)}

    assert list(written("CreateDataSourceTableAsSelectCommand", **args).fields or ()) == ["key"]


@pytest.mark.parametrize(("framework", "change"), [("delta", "OVERWRITE_PARTITIONS"), ("iceberg", "OVERWRITE")])
def test_only_delta_replaces_a_part_of_a_table_by_the_setting_of_the_session(framework: str, change: str) -> None:
    args: dict[str, Value] = {"name": identifier(framework), "query": SOURCE, DYNAMIC: True}

    assert written("ReplaceTableAsSelect", **args).change is Change[change]


def test_a_table_of_a_catalog_is_created_unless_it_is_there() -> None:
    made = written("CreateTableAsSelect", name=identifier(), query=SOURCE, ignoreIfExists=False)
    absent = written("CreateTableAsSelect", name=identifier(), query=SOURCE, ignoreIfExists=True)

    assert made.change is absent.change is Change.CREATE
    assert made.dataset.table == ("lake", "db", "t")
    assert (made.if_absent, absent.if_absent) == (False, True)


@pytest.mark.parametrize(
    ("operation", "mode", "change", "if_absent"),
    [
        ("CreateTable", "ErrorIfExists", Change.CREATE, False),
        ("CreateTable", "Ignore", Change.CREATE, True),
        ("ReplaceTable", "Overwrite", Change.OVERWRITE, False),
    ],
)
def test_delta_makes_a_table_without_rows(operation: str, mode: str, change: Change, if_absent: bool) -> None:  # noqa: FBT001
    given = written("CreateDeltaTableCommand", table=TABLE, query=None, operation=Unread(operation), mode=mode)

    assert (given.dataset, given.change, given.if_absent, given.fields) == (PEOPLE, change, if_absent, None)
    assert names(given) == ["ID", "day"]


def test_delta_makes_a_table_from_a_query() -> None:
    given = written("CreateDeltaTableCommand", table=TABLE, query=SOURCE, mode="ErrorIfExists")

    assert (given.change, list(given.fields or ())) == (Change.CREATE, ["id"])


@pytest.mark.parametrize(
    ("own", "path", "place"),
    [(None, "file:/clone", "file:/clone"), ("file:/own", "file:/clone", "file:/own"), (None, None, None)],
)
def test_a_clone_is_where_the_command_says(own: str | None, path: str | None, place: str | None) -> None:
    copied = Described("table", (Dataset("file:/lake/s"),), schema=STRUCT)
    clone = Plan("CloneTableCommand", args={"sourceTable": copied, "targetPath": path})
    target = Described("table", (Dataset(own, ("db", "t")),))

    given = written("CreateDeltaTableCommand", table=target, query=clone, mode="ErrorIfExists")

    assert given.dataset == Dataset(place, ("db", "t"))
    assert {name: [source.field for source in found] for name, found in (given.fields or {}).items()} == {
        "ID": ["ID"],
        "day": ["day"],
    }


def test_a_clone_of_nobody_knows_what_is_opaque() -> None:
    given = answer("CreateDeltaTableCommand", table=TABLE, query=Plan("CloneTableCommand"), mode="ErrorIfExists")

    assert (given.writes[0].dataset, dict(given.reads)) == (PEOPLE, {})
    assert given.opaque == {"CloneTableCommand": 1}


@pytest.mark.parametrize("kind", ["RestoreTableCommand", "ConvertToDeltaCommand", "CreateTableCommand"])
def test_a_command_that_names_no_table_is_opaque(kind: str) -> None:
    given = answer(kind)

    assert (given.writes, given.opaque) == ((), {kind: 1})


def test_a_table_by_name_becomes_delta() -> None:
    given = answer("ConvertToDeltaCommand", tableIdentifier=("default", "t"))

    assert given.writes[0].dataset == Dataset(table=("default", "t"), format="delta")
    assert [*given.reads] == [Dataset(table=("default", "t"), format="parquet")]


# --- tables without rows ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "change"), [("CreateTable", Change.CREATE), ("ReplaceTable", Change.OVERWRITE)])
def test_a_table_of_a_catalog_without_rows(kind: str, change: Change) -> None:
    new = written(kind, name=identifier(output=OWN))
    old = written(kind, name=identifier(), tableSchema=Type(STRUCT), ignoreIfExists=True)

    assert new.change is old.change is change
    assert new.dataset.table == old.dataset.table == ("lake", "db", "t")
    assert (names(new), names(old)) == (["key"], ["ID", "day"])
    assert (new.if_absent, old.if_absent) == (False, True)
    assert new.fields is old.fields is None


def test_a_table_of_spark_without_rows() -> None:
    given = written("CreateDataSourceTableCommand", table=TABLE, ignoreIfExists=True)

    assert (given.dataset, given.change, given.if_absent) == (PEOPLE, Change.CREATE, True)
    assert names(given) == ["ID", "day"]
    assert not written("CreateDataSourceTableCommand", table=TABLE, ignoreIfExists=False).if_absent


def test_a_table_like_another() -> None:
    storage = Described("storage", (Dataset("file:/new"),))
    given = written("CreateTableLikeCommand", targetTable=("db", "t"), fileFormat=storage, provider="orc")
    absent = written("CreateTableLikeCommand", targetTable=("db", "t"), ifNotExists=True)

    assert given.dataset == Dataset("file:/new", ("db", "t"), "orc")
    assert given.change is Change.CREATE
    assert (given.if_absent, absent.if_absent) == (False, True)
    assert absent.dataset == Dataset(table=("db", "t"))


def test_a_table_like_another_in_a_catalog_has_its_columns() -> None:
    like = Plan("ResolvedTable", output=OWN)
    given = written("CreateTableLike", name=identifier(), source=like)
    unknown = written("CreateTableLike", name=identifier(), source=None, ifNotExists=True)

    assert (given.dataset.table, given.change, names(given)) == (("lake", "db", "t"), Change.CREATE, ["key"])
    assert (names(unknown), unknown.if_absent, given.if_absent) == ([], True, False)


def relation(**more: Value) -> Plan:
    args: dict[str, Value] = {"table": Described("v2", (Dataset("file:/lake/t", version="5"),)), **more}
    return Plan("ResolvedTable", args=args, output=OWN)


def test_a_change_of_a_table_without_a_change_of_its_columns() -> None:
    by_name = written("AlterTableSetLocationCommand", tableName=("db", "t"))
    by_relation = written("SetTableLocation", table=relation())

    assert by_name.dataset == Dataset(table=("db", "t"))
    assert by_relation.dataset == Dataset("file:/lake/t"), "which version it makes is not known before it is made"
    assert by_name.change is by_relation.change is Change.ALTER
    assert names(by_relation) == ["key"]
    assert by_relation.fields is None


def test_a_new_column_comes_from_nowhere() -> None:
    added = Unread("TableChange$AddColumn", fields=(("more",), Type("integer"), None, None))
    given = written("AddColumns", table=relation(), changes=(added,))

    assert (given.change, given.fields) == (Change.ALTER, None)
    assert names(given) == ["key", "more"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (("c", "db", "t"), ("u",), ("c", "db", "u")),
        (("c", "db", "t"), ("db2", "u"), ("c", "db2", "u")),
        (("db", "t"), ("c", "db", "u"), ("c", "db", "u")),
    ],
)
def test_a_renamed_table_stays_in_its_database(old: tuple[str, ...], new: tuple[str, ...], expected: object) -> None:
    given = written("AlterTableRenameCommand", oldName=old, newName=new)

    assert (given.change, given.dataset.table) == (Change.RENAME, expected)
    assert given.previous == Dataset(table=old)


@pytest.mark.parametrize("place", [Dataset("file:/lake/t", format="delta"), Dataset(format="iceberg", table=("t",))])
def test_a_renamed_table_that_is_not_named_by_its_place_is_another(place: Dataset) -> None:
    given = written("RenameTable", child=relation(table=Described("v2", (place,))), newName=("u",))

    assert given.change is Change.RENAME
    assert given.dataset.location is None
    assert given.previous == place


@pytest.mark.parametrize("spec", [None, Unread("Map1")])
def test_some_partitions_are_not_the_whole_table(spec: Unread | None) -> None:
    change = Change.TRUNCATE if spec is None else Change.ALTER

    assert written("TruncateTableCommand", tableName=("t",), partitionSpec=spec).change is change
    assert written("TruncateTable", table=relation(), partitionSpec=spec).change is change


def test_what_is_dropped() -> None:
    by_name = written("DropTableCommand", tableName=("db", "t"))
    by_relation = written("DropTable", child=relation())

    assert (by_name.dataset, by_name.change) == (Dataset(table=("db", "t")), Change.DROP)
    assert (by_relation.dataset, by_relation.change) == (Dataset("file:/lake/t"), Change.DROP)


@pytest.mark.parametrize("cascade", [True, False])
def test_a_database_that_falls_with_its_tables_is_opaque(cascade: bool) -> None:  # noqa: FBT001
    given = statement(Plan("DropNamespace", args={"namespace": Plan("ResolvedNamespace"), "cascade": cascade}))

    assert (None if given is None else given.opaque) == ({"DropNamespace": 1} if cascade else None)


# --- views -----------------------------------------------------------------------------------------------------------


def view(**more: Value) -> Written | None:
    given = statement(Plan("CreateViewCommand", args={"name": ("db", "v"), "plan": SOURCE, **more}))
    return None if given is None else given.writes[0]


def test_a_view_is_its_query() -> None:
    plain, named = view(), view(userSpecifiedColumns=("key",), allowExisting=True)

    assert plain is not None
    assert named is not None
    assert (plain.dataset, plain.change) == (Dataset(table=("db", "v")), Change.CREATE)
    assert (plain.if_absent, named.if_absent) == (False, True)
    assert (list(plain.fields or ()), list(named.fields or ())) == (["id"], ["key"])
    assert list((view(userSpecifiedColumns=("a", "b")) or plain).fields or ()) == ["id"], "names do not match"
    assert answer("CreateViewCommand", name=("db", "v"), plan=SOURCE).view


@pytest.mark.parametrize(("kind", "stays"), [("PersistedView$", True), ("LocalTempView$", False)])
def test_a_temporary_view_is_no_write(kind: str, stays: bool) -> None:  # noqa: FBT001
    assert (view(viewType=Unread(kind)) is not None) is stays


def test_a_view_of_a_catalog() -> None:
    given = answer("CreateIcebergView", child=identifier("iceberg"), query=SOURCE)

    assert given.view
    assert given.writes[0].dataset.table == ("lake", "db", "t")
    assert given.writes[0].dataset.format is None, "it has no files"


def test_a_view_gets_another_query() -> None:
    given = answer("AlterViewAsCommand", name=("db", "v"), query=SOURCE)

    assert given.view
    assert (given.writes[0].change, list(given.writes[0].fields or ())) == (Change.ALTER, ["id"])
    assert statement(Plan("AlterViewAsCommand", args={"name": ("v",), "query": SOURCE})) is None, "it is temporary"


@pytest.mark.parametrize(
    ("owner", "table"),
    [
        (None, ("db", "t")),
        (catalog("spark_catalog"), ("db", "t")),
        (Described("catalog"), ("db", "t")),
        (catalog(), ("lake", "db", "t")),
    ],
)
def test_a_view_that_is_there_is_named_by_its_catalog(owner: Described | None, table: object) -> None:
    there = Plan("ResolvedPersistentView", args={"catalog": owner, "identifier": ("db", "t")})

    assert written("DropView", child=there).dataset.table == table


@pytest.mark.parametrize("owner", [None, Described("catalog")])
def test_a_name_in_no_catalog_is_opaque(owner: Described | None) -> None:
    nowhere = Plan("ResolvedIdentifier", args={"catalog": owner, "identifier": ("db", "t")})
    given = answer("DropTable", child=nowhere)

    assert (given.writes, given.opaque) == ((), {"ResolvedIdentifier": 1})
