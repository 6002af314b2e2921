"""What Spark's own catalog adds to a statement: places, columns, what fell, and where partitions are."""

from __future__ import annotations

from headwater.capture.spark_catalog import (
    CatalogTable,
    DroppedTables,
    completed_by_catalog,
    placed_by_catalog,
    with_partitions,
)
from headwater.openlineage.build.statistics import Counts, Partitions, Scan
from headwater.openlineage.naming.datasets import Catalog
from headwater.rules.plan.sources import How, Mark, SourceField, Sources
from headwater.rules.plan.tree import CatalogOf, Dataset, Plan, Value
from headwater.rules.statements.commands import RULES
from headwater.rules.statements.statements import Change, Field, Statement, Written, statement

NAME = ("spark_catalog", "shop", "orders")
TABLE = Dataset("file:/lake/orders", NAME, "parquet")
ID = Field("id", "integer")
COPIED = frozenset({Mark(How.IDENTITY)})


def _changed(change: Change, dataset: Dataset = Dataset(table=NAME), previous: Dataset | None = None) -> Statement:  # noqa: B008 (frozen)
    return Statement("AnyCommand", {}, (Written(dataset, (), change, None, {}, previous),))


def _writes(change: Statement, table: CatalogTable | None, dropped: DroppedTables | None = None) -> tuple[Written, ...]:
    return completed_by_catalog(change, dropped, lambda name: table if name == NAME else None).writes


def test_a_table_is_where_the_catalog_has_it_and_has_its_columns() -> None:
    (written,) = _writes(_changed(Change.ALTER), CatalogTable(TABLE, (ID,)))
    assert (written.dataset, written.schema) == (TABLE, (ID,))
    (written,) = _writes(_changed(Change.ALTER), None)
    assert written.dataset == Dataset(table=NAME)


def test_tables_of_other_catalogs_are_not_asked_for() -> None:
    other = Dataset(table=NAME, catalog=CatalogOf("lake"))
    (written,) = _writes(_changed(Change.ALTER, other), CatalogTable(TABLE))
    assert written.dataset == other


def test_a_rename_moves_the_files_of_a_table_that_spark_manages_and_no_others() -> None:
    renamed = _changed(Change.RENAME, previous=Dataset(table=("spark_catalog", "shop", "old")))
    (written,) = _writes(renamed, CatalogTable(TABLE, managed=True))
    assert (written.change, written.previous and written.previous.location) == (Change.RENAME, "file:/lake/old")
    (written,) = _writes(renamed, CatalogTable(TABLE, managed=False))
    assert (written.change, written.previous) == (Change.ALTER, None)


def test_what_was_dropped_is_named_by_the_place_that_it_had() -> None:
    (written,) = _writes(_changed(Change.DROP), None, DroppedTables((TABLE,)))
    assert written.dataset.location == "file:/lake/orders"
    assert _writes(_changed(Change.DROP), None, DroppedTables(())) == ()  # IF EXISTS, and it did not
    assert _writes(_changed(Change.DROP), None) == _changed(Change.DROP).writes  # nobody saw it


def test_a_new_table_begins_where_the_catalog_will_put_it() -> None:
    def begun(change: Change, name: tuple[str, ...] = NAME) -> str | None:
        written = Written(Dataset(table=name), (ID,), change, {"id": {}}, {})
        statement = Statement("AnyCommand", {}, (written,))
        placed = placed_by_catalog(statement, lambda _: CatalogTable(TABLE), lambda name: f"file:/new/{name[-1]}")
        return placed.writes[0].dataset.location

    assert begun(Change.CREATE) == begun(Change.OVERWRITE) == "file:/new/orders"
    assert begun(Change.APPEND) == "file:/lake/orders"  # the table is there
    assert begun(Change.CREATE, ("spark_catalog", "shop", "Orders")) is None  # its folder may be in lower case


def test_a_namespace_is_opaque_until_the_catalog_says_what_fell() -> None:
    assert statement(Plan("DropNamespace", args={"cascade": False})) is None
    dropped = statement(Plan("DropNamespace", args={"cascade": True}))
    assert dropped is not None
    assert dropped.opaque == {"DropNamespace": 1}
    completed = completed_by_catalog(dropped, DroppedTables((TABLE,)), lambda _: None)
    assert ([(one.dataset, one.change) for one in completed.writes], completed.opaque) == ([(TABLE, Change.DROP)], {})
    cut = completed_by_catalog(dropped, DroppedTables((), known=False), lambda _: None)
    assert cut.opaque == {"DropNamespace": 1}


def test_load_data_takes_the_folder_of_a_pattern_and_a_local_path_is_a_file() -> None:
    args: dict[str, Value] = {"table": NAME, "isLocal": True, "isOverwrite": True, "partition": None}
    loaded = statement(Plan("LoadDataCommand", args={**args, "path": "/in/day_*/part.csv"}))
    assert loaded is not None
    assert list(loaded.reads) == [Dataset("file:/in")]
    assert loaded.writes[0].change is Change.OVERWRITE
    write = RULES["LoadDataCommand"](
        Plan("LoadDataCommand", args={**args, "isLocal": False, "isOverwrite": False, "path": "hdfs://nn/in/part.csv"})
    )
    assert write is not None
    assert (write.files, write.change) == (Dataset("hdfs://nn/in/part.csv"), Change.APPEND)


def test_partitions_elsewhere_are_read_as_the_table_is() -> None:
    fields: dict[str, Sources] = {"n": {SourceField(TABLE, "id"): COPIED}}
    counted = {None: frozenset({TABLE}), "n": frozenset({Dataset("file:/other")})}
    written = Written(Dataset("file:/out"), (), Change.APPEND, fields, {}, counted=counted)
    read = Statement("AppendData", {TABLE: (ID,)}, (written,))
    places = [f"file:/logs/2024/05/{day:02}" for day in range(1, 29)]

    def told(*locations: str, known: bool = True) -> Statement:
        partitions = Partitions(("shop", "Orders"), tuple(Dataset(one) for one in locations), known)
        return with_partitions(read, [Scan((), Counts(), partitions)], Catalog("file:/w").name)

    assert told("file:/lake/orders") == read
    both = told("file:/lake/orders", *places)
    assert len(both.reads) == len(("the table", "one folder of logs"))
    assert both.writes[0].fields is not None
    assert {Catalog("file:/w").name(one.dataset) for one in both.writes[0].fields["n"]} == {
        ("file", "/lake/orders"), ("file", "/logs"),
    }  # fmt: skip
    assert {key: len(datasets) for key, datasets in both.writes[0].counted.items()} == {None: 2, "n": 1}
    assert not both.opaque
    assert told("file:/lake/orders", known=False).opaque == {"partitions elsewhere": 1}
    assert told(*(f"file:/{number}/x" for number in range(200))).opaque == {"partitions elsewhere": 1}
