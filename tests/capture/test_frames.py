"""What has no SQL: frames made with Python, pandas and Arrow functions, RDDs, machine learning, `observe`, as-of joins.

Each case is a frame over `orders` (id, who, qty, at, place) and what its lineage says, line by line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 (as everyone calls it)

import headwater

pytestmark = pytest.mark.spark

SCHEMA = "id INT, who STRING, qty INT, at TIMESTAMP, place STRUCT<city: STRING, zip: INT>"
COLUMNS = {"at", "id", "place", "qty", "who"}


@pytest.fixture
def orders(spark: SparkSession, tmp_path: Path) -> DataFrame:
    rows = [(1, "ann", 2, None, ("Rome", 3))]
    spark.createDataFrame(rows, SCHEMA).coalesce(1).write.parquet(str(tmp_path / "orders"))
    return spark.read.schema(SCHEMA).parquet(str(tmp_path / "orders"))


def _doubled(batches: Iterable[Any]) -> Iterable[Any]:
    yield from batches


def _of_a_group(group: pd.DataFrame) -> pd.DataFrame:
    return group


def _of_two_groups(one: pd.DataFrame, _other: pd.DataFrame) -> pd.DataFrame:
    return one


def _upper(text: pd.Series) -> pd.Series:  # PySpark reads the hints when the function is made
    return text.str.upper()


def _plain(orders: DataFrame) -> DataFrame:
    longer = F.udf(lambda text, number: text * number, "string")
    return orders.select(longer("who", orders.qty + 1).alias("x"), "id")


def _pandas(orders: DataFrame) -> DataFrame:
    return orders.select(F.pandas_udf(_upper, "string")("who").alias("x"))  # type: ignore[attr-defined]


def _as_of(orders: DataFrame) -> DataFrame:
    other: Any = orders.select(F.col("who").alias("name"), F.col("at").alias("then"), F.col("qty").alias("last"))
    frame: Any = orders.select("id", "who", "at")
    joined: DataFrame = frame._joinAsOf(other, "at", "then", on=F.col("who") == F.col("name"))
    return joined.select("id", "last")


def _typed(orders: DataFrame) -> DataFrame:
    """`toJSON` is a typed map that needs no function of ours."""
    lines: Any = orders._jdf.toJSON().toDF()
    return DataFrame(lines, orders.sparkSession)


EXACT: dict[str, tuple[Callable[[DataFrame], DataFrame], list[str]]] = {
    "a Python function": (
        _plain,
        [
            "x ← orders.qty (transformed): <lambda>(who, qty + 1)",
            "x ← orders.who (transformed): <lambda>(who, qty + 1)",
            "id ← orders.id (copied)",
        ],
    ),
    "a pandas function": (_pandas, ["x ← orders.who (transformed): _upper(who)"]),
    "withField": (
        lambda orders: orders.select(F.col("place").withField("zip", F.col("qty")).alias("p")),
        [
            "p.city ← orders.place.city (copied)",
            "p.zip ← orders.place.city (decides): place",
            "p.zip ← orders.place.zip (decides): place",
            "p.zip ← orders.qty (copied)",
        ],
    ),
    "dropFields": (
        lambda orders: orders.select(F.col("place").dropFields("zip").alias("p")),
        ["p.city ← orders.place.city (copied)"],
    ),
    "withField and dropFields in another case": (
        lambda orders: orders.select(F.col("place").withField("ZIP", F.col("qty")).dropFields("City").alias("p")),
        [
            "p.ZIP ← orders.place.city (decides): place",
            "p.ZIP ← orders.place.zip (decides): place",
            "p.ZIP ← orders.qty (copied)",
        ],
    ),
    "fields put into a struct that was put together": (
        lambda orders: orders.select(F.struct("qty", "who").withField("Qty", F.col("id")).alias("p")).select("p.qty"),
        ["qty ← orders.id (copied)"],  # a struct that is put together is never null: it decides nothing
    ),
    "fields put into a struct one after the other": (
        lambda orders: orders.select(
            F.col("place").withField("Zip", F.col("qty")).withField("who", F.col("who")).alias("p")
        ).select("p.zip", "p.who"),
        [
            "zip ← orders.place.city (decides): place",
            "zip ← orders.place.zip (decides): place",
            "zip ← orders.qty (copied)",
            "who ← orders.place.city (decides): place",
            "who ← orders.place.zip (decides): place",
            "who ← orders.who (copied)",
        ],
    ),
    "unionByName of structs": (
        lambda orders: orders.select("place").unionByName(
            orders.select(F.struct(F.col("id").alias("Zip"), F.col("who").alias("name")).alias("place")),
            allowMissingColumns=True,
        ).select("place.zip", "place.city", "place.name"),
        [
            "zip ← orders.place.zip (copied)",
            "zip ← orders.id (copied)",
            "city ← orders.place.city (copied)",
            "name ← orders.who (copied)",
        ],
    ),
    "to another schema": (
        lambda orders: orders.to(
            orders.selectExpr("IF(id > 1, named_struct('ZIP', qty, 'CITY', who), NULL) AS PLACE").schema
        ),
        ["PLACE.CITY ← orders.place.city (copied)", "PLACE.ZIP ← orders.place.zip (copied)"],
    ),
    "observe": (
        lambda orders: orders.observe("seen", F.max("qty").alias("most")).select("id"),
        ["id ← orders.id (copied)"],
    ),
    "an as-of join": (
        _as_of,
        [
            "id ← orders.id (copied)",
            "last ← orders.qty (copied)",
            "(rows) ← orders.at (joins): at >= at",
            "(rows) ← orders.at (joins): at - at",
            "(rows) ← orders.who (joins): who = who",
        ],
    ),
    "a cache": (lambda orders: orders.select("id").cache().filter("id > 1"), [
        "id ← orders.id (copied)",
        "(rows) ← orders.id (filters): id > 1",
    ]),
    "rows of the program's own": (
        lambda orders: orders.sparkSession.createDataFrame([(1, "a")], "id INT, name STRING"),
        ["id ← nothing", "name ← nothing"],
    ),
    "dropDuplicates of some columns": (
        lambda orders: orders.dropDuplicates(["who"]).select("id"),
        ["id ← orders.id (copied)", "(rows) ← orders.who (groups): who"],
    ),
}  # fmt: skip

OPAQUE: dict[str, tuple[str, Callable[[DataFrame], DataFrame]]] = {
    "mapInPandas": ("MapInPandas", lambda orders: orders.mapInPandas(_doubled, "n INT")),
    "mapInArrow": ("MapInArrow|PythonMapInArrow", lambda orders: orders.mapInArrow(_doubled, "n INT")),
    "applyInPandas": (
        "FlatMapGroupsInPandas",
        lambda orders: orders.groupBy("who").applyInPandas(_of_a_group, "n INT"),
    ),
    "applyInPandas over two": (
        "FlatMapCoGroupsInPandas",
        lambda orders: orders.groupBy("who").cogroup(orders.groupBy("who")).applyInPandas(_of_two_groups, "n INT"),
    ),
    "an RDD and back": (
        "LogicalRDD",
        lambda orders: orders.rdd.map(lambda row: (row[0],)).toDF("n INT"),
    ),
    "a typed Dataset": ("DeserializeToObject|MapElements|SerializeFromObject", _typed),
}


@pytest.mark.parametrize("name", EXACT)
def test_what_a_frame_takes(orders: DataFrame, name: str) -> None:
    make, expected = EXACT[name]

    lineage = headwater.lineage(make(orders))

    assert sorted(str(lineage).splitlines()) == sorted(expected)
    assert not lineage.opaque


def test_fields_of_names_in_another_case_are_others_where_the_session_says_so(orders: DataFrame) -> None:
    session = orders.sparkSession
    session.conf.set("spark.sql.caseSensitive", "true")
    try:
        lineage = headwater.lineage(
            orders.select(F.col("place").withField("ZIP", F.lit(1)).dropFields("City").alias("p"))
        )
    finally:
        session.conf.unset("spark.sql.caseSensitive")

    assert {name: {source.field for source in sources} for name, sources in lineage.columns.items()} == {
        "p.city": {"place.city"},
        "p.zip": {"place.zip"},
        "p.ZIP": {"place.city", "place.zip"},  # it is null where the struct is
    }


@pytest.mark.parametrize("name", OPAQUE)
def test_what_nobody_can_know_is_said_to_be_opaque(orders: DataFrame, name: str) -> None:
    kind, make = OPAQUE[name]

    lineage = headwater.lineage(make(orders))

    assert any(part in lineage.opaque for part in kind.split("|")), dict(lineage.opaque)
    column = make(orders).columns[0]
    assert {edge.field.partition(".")[0] for edge in lineage.inputs(column)} == COLUMNS


@pytest.mark.skipif(not hasattr(SparkSession, "dataSource"), reason="Spark 4 can have sources written in Python")
def test_a_source_in_python_is_not_named_by_an_option_called_path(orders: DataFrame) -> None:
    from pyspark.sql.datasource import DataSource  # noqa: PLC0415 (only with Spark 4)

    class Made(DataSource):
        @classmethod
        def name(cls) -> str:
            return "made"

        def schema(self) -> str:
            return "n INT"

        def reader(self, schema: Any) -> Any:  # noqa: ANN401 (PySpark's own types are only in Spark 4)
            raise NotImplementedError

    spark = orders.sparkSession
    spark.dataSource.register(Made)
    lineage = headwater.lineage(spark.read.format("made").option("path", "/not/a/place").load())
    assert not lineage.reads
    assert lineage.opaque == {"DataSourceV2Relation": 1}


def test_machine_learning_leads_to_its_features(orders: DataFrame) -> None:
    pytest.importorskip("numpy", reason="pyspark.ml needs numpy")
    from pyspark.ml.feature import Bucketizer, VectorAssembler  # noqa: PLC0415 (only with numpy)

    parts = Bucketizer(splits=[-1.0, 0.0, 10.0, 99.0], inputCol="n", outputCol="bucket")
    features = VectorAssembler(inputCols=["n", "bucket"], outputCol="features")
    numbers = orders.select(F.col("qty").cast("double").alias("n"), "who")
    frame = features.transform(parts.transform(numbers)).select("features", "who")

    lineage = headwater.lineage(frame)

    assert {edge.field for edge in lineage.inputs("features")} == {"qty"}
    assert {edge.field for edge in lineage.inputs("who")} == {"who"}
