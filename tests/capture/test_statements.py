"""Every way to write and to change a table that Spark has without other jars, as its events tell it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import headwater
from headwater.capture.settings.settings import Settings
from headwater.openlineage.build.options import EventOptions

pytestmark = pytest.mark.spark

DERBY = {"driver": "org.apache.derby.jdbc.EmbeddedDriver"}


def _names(datasets: list[dict[str, Any]]) -> list[str]:
    return sorted(Path(dataset["name"]).name for dataset in datasets)


def _lifecycle(event: dict[str, Any]) -> str | None:
    (output,) = event["outputs"]
    change = output["facets"].get("lifecycleStateChange")
    return None if change is None else change["lifecycleStateChange"]


def _fields(event: dict[str, Any]) -> dict[str, list[str]]:
    (output,) = event["outputs"]
    lineage = output["facets"].get("columnLineage", {"fields": {}})
    return {
        name: sorted(
            f"{one['field']} {way['subtype']}" for one in field["inputFields"] for way in one["transformations"]
        )
        for name, field in lineage["fields"].items()
    }


def test_insert_overwrite_directory(
    spark: SparkSession, capture: Callable[..., Any], users: str, tmp_path: Path
) -> None:
    del users
    captured = capture()
    spark.sql(f"INSERT OVERWRITE DIRECTORY '{tmp_path / 'out'}' USING json SELECT upper(name) AS name FROM users")
    assert _names(captured.last["outputs"]) == ["out"]
    assert _lifecycle(captured.last) == "OVERWRITE"
    assert _fields(captured.last) == {"name": ["name TRANSFORMATION"]}


def test_insert_into_by_the_frame(
    spark: SparkSession, capture: Callable[..., Any], users: str, fresh_database: str
) -> None:
    del users, fresh_database
    spark.sql("CREATE TABLE people (who STRING, n INT) USING parquet")
    captured = capture()
    spark.table("users").select("name", "age").write.insertInto("people")
    assert _fields(captured.last) == {"who": ["name IDENTITY"], "n": ["age IDENTITY"]}
    assert _lifecycle(captured.last) is None


def test_nested_fields_are_those_of_the_table(
    spark: SparkSession, capture: Callable[..., Any], users: str, fresh_database: str
) -> None:
    """By position, whatever the query calls them; by name, whatever case it writes them in."""
    del users, fresh_database
    spark.sql("CREATE TABLE nested (id INT, s STRUCT<x INT, y STRING>, l ARRAY<STRUCT<x INT, y STRING>>) USING parquet")
    captured = capture()
    spark.sql("INSERT INTO nested SELECT id, named_struct('y', age, 'x', name), array(struct(id, status)) FROM users")
    assert _fields(captured.last) == {
        "id": ["id IDENTITY"],
        "s.x": ["age IDENTITY"],
        "s.y": ["name IDENTITY"],
        "l._element.x": ["id IDENTITY"],
        "l._element.y": ["status IDENTITY"],
    }
    frame = spark.sql("SELECT named_struct('x', age, 'y', name) AS S, array() AS L, id AS ID FROM users")
    frame.write.mode("append").saveAsTable("nested")
    assert _fields(captured.last) == {
        "id": ["id IDENTITY"],
        "s.x": ["age IDENTITY"],
        "s.y": ["name IDENTITY"],
        "l._element": [],
    }
    (output,) = captured.last["outputs"]
    assert {field["name"] for field in output["facets"]["schema"]["fields"]} == {"id", "s", "l"}


def test_appended_fields_are_spelled_as_the_table_has_them(
    spark: SparkSession, capture: Callable[..., Any], users: str, fresh_database: str
) -> None:
    """What is appended goes by name, in whatever case and order: also inside of structs, arrays and maps."""
    del users, fresh_database
    columns = "n INT, s STRUCT<X INT, Y STRING>, m MAP<STRING,ARRAY<STRUCT<X INT>>>"
    spark.sql(f"CREATE TABLE spelled ({columns}) USING parquet")
    captured = capture()
    made = "map(name, array(named_struct('x', id))) AS M, named_struct('y', name, 'x', age) AS S, id AS N"
    spark.sql(f"SELECT {made} FROM users").write.mode("append").saveAsTable("spelled")
    # How the parts of a map get there differs: Spark 3.5 shows how it puts the map together anew.
    assert {path: [edge.split()[0] for edge in edges] for path, edges in _fields(captured.last).items()} == {
        "n": ["id"],
        "s.X": ["age"],
        "s.Y": ["name"],
        "m.key": ["name"],
        "m.value._element.X": ["id"],
    }
    (output,) = captured.last["outputs"]
    struct = next(field for field in output["facets"]["schema"]["fields"] if field["name"] == "s")
    assert {field["name"] for field in struct["fields"]} == {"X", "Y"}


def test_a_bucketed_and_partitioned_table(
    spark: SparkSession, capture: Callable[..., Any], users: str, fresh_database: str
) -> None:
    del users, fresh_database
    captured = capture()
    spark.table("users").write.partitionBy("status").bucketBy(2, "id").sortBy("id").saveAsTable("sorted")
    assert _names(captured.last["outputs"]) == ["sorted"]
    assert set(_fields(captured.last)) == {"id", "name", "age", "status"}
    spark.sql("INSERT OVERWRITE sorted PARTITION (status = 'gone') SELECT id, name, age FROM users")
    assert _lifecycle(captured.last) is None  # one partition is not the whole table


def test_partition_folders_and_many_paths_are_one_dataset(
    spark: SparkSession, capture: Callable[..., Any], users: str, tmp_path: Path
) -> None:
    del users
    place = tmp_path / "events"
    spark.table("users").write.partitionBy("status").parquet(str(place))
    captured = capture()
    frame = spark.read.parquet(f"{place}/status=active", f"{place}/status=gone")
    frame.write.parquet(str(tmp_path / "out"))
    assert [dataset["name"] for dataset in captured.last["inputs"]] == [str(place)]
    spark.read.parquet(f"{place}/status=*").select("id").write.parquet(str(tmp_path / "out2"))
    assert [dataset["name"] for dataset in captured.last["inputs"]] == [str(place)]


def test_what_is_written_nowhere_gives_no_event(spark: SparkSession, capture: Callable[..., Any], users: str) -> None:
    del users
    captured = capture()
    spark.table("users").write.format("noop").mode("overwrite").save()
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW adults AS SELECT * FROM users WHERE age > 17")
    spark.sql("ALTER VIEW adults AS SELECT * FROM users WHERE age > 18")
    spark.sql("CACHE TABLE cached AS SELECT id FROM users")
    spark.sql("SHOW TABLES").collect()
    spark.sql("DROP VIEW adults")
    assert [event for event in captured.all if "dataset" in event] == []
    assert captured.events == []


def test_a_view_is_told_as_a_dataset(
    spark: SparkSession, capture: Callable[..., Any], fresh_database: str, event_errors: Callable[..., list[str]]
) -> None:
    del fresh_database
    spark.sql("CREATE TABLE people (name STRING, age INT) USING parquet")
    captured = capture()
    spark.sql("CREATE VIEW adults (who) AS SELECT upper(name) AS name FROM people WHERE age > 17")
    (event,) = [event for event in captured.all if "dataset" in event]
    assert event_errors(event) == []
    assert event["dataset"]["name"].endswith("adults")
    lineage = event["dataset"]["facets"]["columnLineage"]
    assert [one["field"] for one in lineage["fields"]["who"]["inputFields"]] == ["name"]
    assert [one["field"] for one in lineage["dataset"]] == ["age"]


CHANGES = {
    "CREATE": "CREATE TABLE made (id INT) USING parquet",
    "TRUNCATE": "TRUNCATE TABLE people",
    "ALTER": "ALTER TABLE people ADD COLUMNS (more STRING)",
    "RENAME": "ALTER TABLE people RENAME TO persons",
    "DROP": "DROP TABLE people",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_without_data_is_told(
    spark: SparkSession,
    capture: Callable[..., Any],
    fresh_database: str,
    event_errors: Callable[..., list[str]],
    change: str,
) -> None:
    spark.sql("CREATE TABLE people (id INT) USING parquet")
    captured = capture()

    spark.sql(CHANGES[change])

    start, complete = captured.events
    assert (start["eventType"], complete["eventType"]) == ("START", "COMPLETE")
    assert [error for event in captured.events for error in event_errors(event)] == []
    assert _lifecycle(complete) == change
    assert "columnLineage" not in complete["outputs"][0]["facets"]
    if change == "RENAME":
        facet = complete["outputs"][0]["facets"]["lifecycleStateChange"]
        assert facet["previousIdentifier"]["name"].endswith(f"{fresh_database}.db/people")
        assert complete["outputs"][0]["name"].endswith(f"{fresh_database}.db/persons")


def test_jdbc_by_table_and_by_query_without_its_secrets(
    spark: SparkSession, capture: Callable[..., Any], users: str, tmp_path: Path
) -> None:
    url = f"jdbc:derby:{tmp_path / 'derby'};create=true;user=me;password=hunter2"
    captured = capture()
    spark.table("users").select("id", "name").write.jdbc(url, "people", properties=DERBY)
    assert [dataset["name"] for dataset in captured.last["inputs"]] == [users]
    assert _names(captured.last["outputs"]) == ["people"]
    spark.read.jdbc(url, "people", properties=DERBY).selectExpr("upper(name) AS big").write.parquet(
        str(tmp_path / "out")
    )
    assert _names(captured.last["inputs"]) == ["people"]
    assert _fields(captured.last) == {"big": ["name TRANSFORMATION"]}
    query = '(SELECT "id" AS n, "name" AS m FROM people WHERE "id" > 0) AS q'
    spark.read.jdbc(url, query, properties=DERBY).write.parquet(str(tmp_path / "out2"))
    assert _names(captured.last["inputs"]) == ["people"]
    assert _fields(captured.last) == {"N": ["id IDENTITY"], "M": ["name IDENTITY"]}
    assert "hunter2" not in str(captured.all)


def test_a_table_that_says_what_it_is_called(
    spark: SparkSession, capture: Callable[..., Any], fresh_database: str, tmp_path: Path
) -> None:
    del fresh_database
    spark.sql("""CREATE TABLE named (id INT) USING parquet TBLPROPERTIES (
        'openlineage.dataset.namespace' = 'warehouse', 'openlineage.dataset.name' = 'sales.orders')""")
    captured = capture()
    spark.table("named").write.parquet(str(tmp_path / "out"))
    (read,) = captured.last["inputs"]
    assert (read["namespace"], read["name"]) == ("warehouse", "sales.orders")


def test_a_table_that_says_which_query_it_is(
    spark: SparkSession, capture: Callable[..., Any], fresh_database: str, tmp_path: Path
) -> None:
    del fresh_database
    spark.sql("""CREATE TABLE derived (total INT) USING parquet TBLPROPERTIES (
        'openlineage.dataset.namespace' = 'postgres://db:5432',
        'openlineage.dataset.query' = 'SELECT sum(price) AS total FROM shop.sales WHERE paid')""")
    captured = capture()
    spark.table("derived").write.parquet(str(tmp_path / "out"))
    (read,) = captured.last["inputs"]
    assert (read["namespace"], read["name"]) == ("postgres://db:5432", "shop.sales")
    assert _fields(captured.last) == {"total": ["price AGGREGATION"]}


def test_streams_that_nobody_can_read_later_give_no_event(
    spark: SparkSession, capture: Callable[..., Any], users: str
) -> None:
    captured = capture()
    stream = spark.readStream.schema(spark.read.parquet(users).schema).parquet(users).select("name")
    for sink in ("memory", "console"):
        query = stream.writeStream.format(sink).queryName(f"kept_{sink}").trigger(availableNow=True).start()
        assert query.awaitTermination(120)
    assert captured.events == []


def test_queries_are_told_only_if_asked_for(spark: SparkSession, capture: Callable[..., Any], users: str) -> None:
    captured = capture(Settings(events=EventOptions(emit_reads=True)))
    spark.sql("SELECT name FROM users WHERE age > 17").collect()
    assert [dataset["name"] for dataset in captured.last["inputs"]] == [users]
    assert captured.last["outputs"] == []


# --- what the catalog knows ------------------------------------------------------------------------------------------


def _told(event: dict[str, Any]) -> list[tuple[str, str | None, list[str]]]:
    """Each output by its name, what happened to it, and its columns."""
    return [
        (
            dataset["name"],
            dataset["facets"].get("lifecycleStateChange", {}).get("lifecycleStateChange"),
            [field["name"] for field in dataset["facets"].get("schema", {"fields": []})["fields"]],
        )
        for dataset in event["outputs"]
    ]


def test_a_table_that_a_statement_only_names_is_where_the_catalog_has_it(
    spark: SparkSession, capture: Callable[..., Any], fresh_database: str, tmp_path: Path
) -> None:
    del fresh_database
    place, moved = str(tmp_path / "people"), str(tmp_path / "moved")
    captured = capture()
    expected = {
        f"CREATE TABLE people (id INT, day INT) USING parquet PARTITIONED BY (day) LOCATION '{place}'": "CREATE",
        "ALTER TABLE people ADD PARTITION (day = 1)": "ALTER",
        "ALTER TABLE people PARTITION (day = 1) RENAME TO PARTITION (day = 2)": "ALTER",
        "ALTER TABLE people DROP PARTITION (day = 2)": "ALTER",
        "MSCK REPAIR TABLE people": "ALTER",
    }
    for statement, change in expected.items():
        spark.sql(statement)
        assert _told(captured.last) == [(place, change, ["id", "day"])], statement
    # The last is known by its plan; of the others START waits for the catalog, and names the same.
    assert {dataset["name"] for event in captured.events for dataset in event["outputs"]} == {place}

    spark.sql("ALTER TABLE people ADD COLUMNS (more STRING)")
    assert _told(captured.last) == [(place, "ALTER", ["id", "more", "day"])]
    spark.sql("ALTER TABLE people RENAME TO persons")  # its files stay where they are
    assert _told(captured.last) == [(place, "ALTER", ["id", "more", "day"])]
    assert captured.last["outputs"][0]["facets"].get("lifecycleStateChange", {}).get("previousIdentifier") is None
    spark.sql(f"ALTER TABLE persons SET LOCATION '{moved}'")
    assert _told(captured.last) == [(moved, "ALTER", ["id", "more", "day"])]
    spark.sql("DROP TABLE persons")
    assert _told(captured.last) == [(moved, "DROP", [])]
    before = len(captured.events)
    spark.sql("DROP TABLE IF EXISTS persons")
    assert len(captured.events) == before


def test_create_table_like_has_the_columns_and_no_input(
    spark: SparkSession, capture: Callable[..., Any], fresh_database: str, tmp_path: Path
) -> None:
    spark.sql("CREATE TABLE people (id INT, name STRING) USING parquet")
    captured = capture()
    spark.sql("CREATE TABLE alike LIKE people")
    assert captured.last["inputs"] == []
    ((name, change, columns),) = _told(captured.last)
    assert (name.endswith(f"{fresh_database}.db/alike"), change, columns) == (True, "CREATE", ["id", "name"])
    spark.sql(f"CREATE TABLE elsewhere LIKE people LOCATION '{tmp_path / 'elsewhere'}'")
    assert _told(captured.last) == [(str(tmp_path / "elsewhere"), "CREATE", ["id", "name"])]


def test_tables_and_views_fall_with_their_database(
    spark: SparkSession, capture: Callable[..., Any], tmp_path: Path
) -> None:
    captured = capture()
    for statement in (
        "CREATE DATABASE falls",
        "CREATE TABLE falls.here (id INT) USING parquet",
        f"CREATE TABLE falls.there (id INT) USING parquet LOCATION '{tmp_path / 'there'}'",
        "CREATE VIEW falls.shown AS SELECT id FROM falls.here",
        "CREATE VIEW falls.renamed AS SELECT id FROM falls.here",
        "ALTER VIEW falls.renamed RENAME TO falls.gone",
    ):
        spark.sql(statement)
    assert captured.last["outputs"][0]["facets"]["lifecycleStateChange"]["previousIdentifier"]["name"].endswith(
        "renamed"
    )
    spark.sql("DROP VIEW falls.gone")
    ((view, change, _),) = _told(captured.last)
    assert (Path(view).name, change) == ("gone", "DROP")
    spark.sql("DROP DATABASE falls CASCADE")
    assert captured.last["run"]["facets"].get("headwater_capture") is None
    assert [(Path(name).name, change) for name, change, _ in _told(captured.last)] == [
        ("here", "DROP"), ("shown", "DROP"), ("there", "DROP"),
    ]  # fmt: skip
    assert _told(captured.last)[2][0] == str(tmp_path / "there")
    before = len(captured.events)
    spark.sql("DROP DATABASE IF EXISTS falls CASCADE")
    assert len(captured.events) == before


def test_what_is_there_already_is_not_written(
    spark: SparkSession, capture: Callable[..., Any], users: str, fresh_database: str, tmp_path: Path
) -> None:
    del fresh_database
    frame, place = spark.read.parquet(users), str(tmp_path / "once")
    captured = capture()
    for expected in (2, 0):  # START and COMPLETE, and the second time nothing
        for write in (
            lambda: frame.write.mode("ignore").parquet(place),
            lambda: frame.write.mode("ignore").saveAsTable("once"),
            lambda: spark.sql("CREATE TABLE IF NOT EXISTS once_more USING parquet AS SELECT id FROM users"),
        ):
            before = len(captured.events)
            write()
            assert len(captured.events) - before == expected


def test_a_definition_that_is_there_already_is_not_given_again(
    spark: SparkSession, capture: Callable[..., Any], users: str, fresh_database: str
) -> None:
    del users, fresh_database
    spark.sql("CREATE TABLE model (other INT) USING parquet")
    captured = capture()
    for expected in (True, False):
        for sql in (
            "CREATE TABLE IF NOT EXISTS plain (id INT) USING parquet",
            "CREATE TABLE IF NOT EXISTS alike LIKE model",
            "CREATE VIEW IF NOT EXISTS shown AS SELECT other FROM model",
        ):
            before = len(captured.all)
            spark.sql(sql)
            assert (len(captured.all) > before) is expected


def test_a_part_that_is_written_anew_leaves_the_rest(
    spark: SparkSession, capture: Callable[..., Any], users: str, tmp_path: Path
) -> None:
    frame, lake = spark.read.parquet(users), tmp_path / "orders"
    captured = capture()
    frame.write.mode("overwrite").parquet(str(lake))
    assert _lifecycle(captured.last) == "OVERWRITE"
    frame.write.mode("overwrite").parquet(str(lake / "dt=2024-05-02"))
    assert (captured.last["outputs"][0]["name"], _lifecycle(captured.last)) == (str(lake), None)
    spark.sql(f"INSERT OVERWRITE DIRECTORY '{lake / '2024-05-03'}' USING parquet SELECT id FROM users")
    assert (captured.last["outputs"][0]["name"], _lifecycle(captured.last)) == (str(lake), None)

    by_status = frame.write.mode("overwrite").partitionBy("status")
    by_status.parquet(str(lake))
    assert _lifecycle(captured.last) == "OVERWRITE"
    by_status.option("partitionOverwriteMode", "dynamic").parquet(str(lake))
    assert _lifecycle(captured.last) is None


def test_folders_keep_their_names(
    spark: SparkSession, capture: Callable[..., Any], users: str, fresh_database: str, tmp_path: Path
) -> None:
    del fresh_database
    frame = spark.read.parquet(users).select("id")
    captured = capture()
    for number, folder in enumerate(("%41", "a b", "x?y#z")):
        place = str(tmp_path / folder)
        frame.write.parquet(place)
        assert captured.last["outputs"][0]["name"] == place
        spark.sql(f"CREATE TABLE odd_{number} (id INT) USING parquet LOCATION '{place}'")
        assert captured.last["outputs"][0]["name"] == place
        for source in (spark.table(f"odd_{number}"), spark.read.schema("id INT").parquet(str(tmp_path / folder))):
            source.write.mode("overwrite").parquet(str(tmp_path / "out"))
            assert [dataset["name"] for dataset in captured.last["inputs"]] == [place]


def test_every_one_of_many_folders_is_an_input(spark: SparkSession, tmp_path: Path) -> None:
    places = [tmp_path / f"folder_{number:04}" for number in range(1100)]
    for place in places:
        place.mkdir()
    threshold = "spark.sql.sources.parallelPartitionDiscovery.threshold"
    spark.conf.set(threshold, "9999")  # listing folders in a job takes longer than the rest of this test
    try:
        lineage = headwater.lineage(spark.read.schema("id INT").parquet(*map(str, places)))
    finally:
        spark.conf.unset(threshold)
    assert len(lineage.inputs("id")) == len(places)
    assert not lineage.opaque


def test_a_partition_with_a_place_of_its_own_is_read_there_too(
    spark: SparkSession, capture: Callable[..., Any], users: str, fresh_database: str, tmp_path: Path
) -> None:
    spark.sql("CREATE TABLE people (id INT, name STRING, day INT) USING parquet PARTITIONED BY (day)")
    spark.sql("INSERT INTO people PARTITION (day = 1) SELECT id, name FROM users")
    spark.read.parquet(users).select("id", "name").write.parquet(str(tmp_path / "other" / "day=2"))
    captured = capture()
    spark.table("people").select("id").write.parquet(str(tmp_path / "before"))
    assert len(captured.last["inputs"]) == 1
    spark.sql(f"ALTER TABLE people ADD PARTITION (day = 2) LOCATION '{tmp_path / 'other' / 'day=2'}'")
    for number, read in enumerate((spark.table("people"), spark.table("people").where("day = 2"))):
        read.selectExpr("id AS n").write.parquet(str(tmp_path / f"after_{number}"))
        assert [dataset["name"] for dataset in captured.last["inputs"]][1:] == [str(tmp_path / "other")]
        assert captured.last["inputs"][0]["name"].endswith(f"{fresh_database}.db/people")
        assert _fields(captured.last) == {"n": ["id IDENTITY", "id IDENTITY"]}
