"""CALL: how its text is read, and what Iceberg's procedures do to tables."""

from __future__ import annotations

import pytest

from headwater.rules.plan.tree import Dataset
from headwater.rules.statements.procedures import Call, Table, is_call, read_call, statement_of_call
from headwater.rules.statements.statements import Field
from headwater.rules.statements.writes import Change

COLUMNS = (Field("id", "integer"), Field("dt", "string"))


def tables(catalog: str, name: str) -> Table:
    columns = (COLUMNS[0],) if name == "narrow" else COLUMNS
    return Table(Dataset(f"file:/{catalog}/{name}", version="7"), columns)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("CALL lake.system.migrate('db.t')", Call("lake", "migrate", {0: "db.t"})),
        ('call system.migrate(table => "db.t");', Call("", "migrate", {"table": "db.t"})),
        ("-- why\n/* not */ CALL `a.b`.system.Migrate('it''s')", Call("a.b", "migrate", {0: "it's"})),
        (
            "CALL lake.system.add_files(TABLE=>'t', partition_filter => map('a', ',)'), source_table => '`orc`.`/in`')",
            Call("lake", "add_files", {"table": "t", "source_table": "`orc`.`/in`"}),
        ),
        ("CALL lake.system.rollback_to_snapshot('t', -12)", Call("lake", "rollback_to_snapshot", {0: "t", 1: "-12"})),
        ("CALL lake.system.migrate(concat('a', 'b'))", Call("lake", "migrate", {})),
        ("SELECT 'CALL a.b.c()'", None),
        ("CALLING", None),
    ],
)
def test_text(sql: str, expected: Call | None) -> None:
    assert read_call(sql) == expected
    assert is_call(sql) == (expected is not None)


def test_parameter_markers() -> None:
    expected = Call("lake", "publish_changes", {0: "t", 1: "w"})

    assert read_call("CALL lake.system.publish_changes(:t, :w)", {"t": "t", "w": "w"}) == expected
    assert read_call("CALL lake.system.publish_changes(?, ?)", ["t", "w"]) == expected


@pytest.mark.parametrize("part", [" ", "-", "--\n", "/*", "/**/", "'\\", "''", "`", "(", ","])
def test_every_text_is_read_in_one_go(part: str) -> None:
    text = part * 20_000

    assert not is_call(f"{text}x")
    assert read_call(f"CALL a.b.c({text}") is not None


@pytest.mark.parametrize(
    ("sql", "source", "change"),
    [
        ("add_files('t', '`parquet`.`/in`')", Dataset("/in", format="parquet"), Change.APPEND),
        ("add_files(source_table => 's', table => 't')", Dataset("file:/spark_catalog/s", version="7"), Change.APPEND),
        ("snapshot('s', 't')", Dataset("file:/spark_catalog/s", version="7"), Change.CREATE),
        ("rollback_to_snapshot('t', 3)", Dataset("file:/lake/t", version="3"), Change.OVERWRITE_PARTITIONS),
        ("set_current_snapshot('t', ref => 'r')", Dataset("file:/lake/t", version="r"), Change.OVERWRITE_PARTITIONS),
        ("cherrypick_snapshot('t', 3)", Dataset("file:/lake/t", version="3"), Change.OVERWRITE_PARTITIONS),
        ("publish_changes('t', 'w')", Dataset("file:/lake/t", version="w"), Change.OVERWRITE_PARTITIONS),
        ("fast_forward('t', 'main', 'audit')", Dataset("file:/lake/t", version="audit"), Change.OVERWRITE_PARTITIONS),
        ("rollback_to_timestamp('t', TIMESTAMP '2026-01-01')", Dataset("file:/lake/t"), Change.OVERWRITE_PARTITIONS),
    ],
)
def test_rows_that_come_from_elsewhere(sql: str, source: Dataset, change: Change) -> None:
    call = read_call(f"CALL lake.system.{sql}")
    assert call is not None

    answer = statement_of_call(call, tables)

    assert answer is not None
    (written,) = answer.writes
    assert written.dataset == Dataset("file:/lake/t")
    assert written.change is change
    assert list(answer.reads) == [source]
    assert {name: [column.field for column in sources] for name, sources in (written.fields or {}).items()} == {
        "id": ["id"],
        "dt": ["dt"],
    }
    assert {column.dataset for sources in (written.fields or {}).values() for column in sources} == {source}


def test_a_source_gives_only_the_columns_that_it_has() -> None:
    answer = statement_of_call(Call("lake", "add_files", {0: "t", 1: "narrow"}), tables)

    assert answer is not None
    assert [*(answer.writes[0].fields or {})] == ["id"]


def test_tables_that_are_taken_over() -> None:
    migrated = statement_of_call(Call("", "migrate", {0: "t"}), tables)
    registered = statement_of_call(Call("lake", "register_table", {0: "t", 1: "/v1.metadata.json"}), tables)

    assert migrated is not None
    assert registered is not None
    assert (migrated.writes[0].change, migrated.writes[0].fields) == (Change.ALTER, None)
    assert (registered.writes[0].change, registered.writes[0].fields) == (Change.CREATE, None)


@pytest.mark.parametrize(
    "procedure", ["rewrite_data_files", "expire_snapshots", "ancestors_of", "create_changelog_view"]
)
def test_upkeep_is_no_lineage(procedure: str) -> None:
    assert statement_of_call(Call("lake", procedure, {0: "t"}), tables) is None


@pytest.mark.parametrize(("columns", "opaque"), [(COLUMNS, {}), ((), {"AddFilesProcedure": 1})])
def test_files_for_a_table_whose_columns_nobody_knows(columns: tuple[Field, ...], opaque: dict[str, int]) -> None:
    call = read_call("CALL lake.system.add_files('t', '`parquet`.`/in`')")
    assert call is not None

    given = statement_of_call(call, lambda _catalog, name: Table(Dataset(f"file:/{name}"), columns))

    assert given is not None
    assert given.opaque == opaque
    assert [*given.reads] == [Dataset("/in", format="parquet")], "the files are read in any case"
