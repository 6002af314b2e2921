"""Hive's own tables, in a process of their own: a session has Hive's catalog from its start, or never."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

JOB = """
import sys
import headwater
from headwater.capture.jvm.java import ensure_java
ensure_java()
from pyspark.sql import SparkSession
settings = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.warehouse.dir": sys.argv[1] + "/warehouse",
    "spark.sql.hive.convertMetastoreParquet": "false",  # else Spark reads and writes them as its own
    "spark.headwater.transport.type": "file",
    "spark.headwater.transport.log_file_path": sys.argv[1] + "/events.jsonl",
    "spark.headwater.transport.append": "true",
}
builder = SparkSession.builder.master("local[1]").enableHiveSupport()
for key, value in settings.items():
    builder = builder.config(key, value)
spark = builder.getOrCreate()
with headwater.track(spark):
    spark.sql("CREATE TABLE source (id INT, name STRING) STORED AS PARQUET")
    spark.sql("CREATE TABLE copy STORED AS PARQUET AS SELECT id + 1 AS n, name FROM source WHERE id > 0")
    spark.sql("INSERT OVERWRITE copy SELECT id, upper(name) FROM source")
    spark.sql("CREATE TABLE lines (line STRING)")  # text
    spark.table("lines").rdd.map(lambda row: (row[0],)).toDF("line STRING").write.parquet(sys.argv[1] + "/out")
    with open(sys.argv[1] + "/lines.txt", "w") as lines:
        lines.write("1,2\\n")
    spark.sql("CREATE TABLE loaded (a INT, b INT) PARTITIONED BY (day INT) "
              "ROW FORMAT DELIMITED FIELDS TERMINATED BY ','")
    spark.sql(f"LOAD DATA LOCAL INPATH '{sys.argv[1]}/lines.txt' OVERWRITE INTO TABLE loaded PARTITION (day = 1)")
    spark.sql(f"ALTER TABLE loaded ADD PARTITION (day = 2) LOCATION '{sys.argv[1]}/elsewhere/day=2'")
    spark.table("loaded").select("a").write.parquet(sys.argv[1] + "/both")
    spark.sql("INSERT INTO loaded PARTITION (day = 3) SELECT id, id FROM source")
spark.stop()
"""


def _told(event: dict[str, Any]) -> dict[str, list[str]]:
    (output,) = event["outputs"]
    return {
        name: [
            f"{field['field']} {way['subtype']}" for field in found["inputFields"] for way in field["transformations"]
        ]
        for name, found in output["facets"]["columnLineage"]["fields"].items()
    }


def test_tables_of_hive_are_read_and_written(tmp_path: Path) -> None:
    job = tmp_path / "job.py"
    job.write_text(JOB, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(job), str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]

    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text("utf-8").splitlines()]
    created, inserted, detour, loaded, read, added = [
        event for event in events if event["eventType"] == "COMPLETE" and event.get("inputs")
    ]
    for event in (created, inserted):
        assert [one["name"] for one in event["inputs"]] == [str(tmp_path / "warehouse" / "source")]
        assert [one["name"] for one in event["outputs"]] == [str(tmp_path / "warehouse" / "copy")]
    assert _told(created) == {"n": ["id TRANSFORMATION"], "name": ["name IDENTITY"]}
    assert [one["name"] for one in detour["inputs"]] == [str(tmp_path / "warehouse" / "lines")]
    assert _told(inserted) == {"n": ["id IDENTITY"], "name": ["name TRANSFORMATION"]}

    # The files are taken as they are: what is in their columns is not known, and that is said.
    (output,) = loaded["outputs"]
    assert [one["name"] for one in loaded["inputs"]] == [str(tmp_path / "lines.txt")]
    assert output["name"] == str(tmp_path / "warehouse" / "loaded")
    assert "lifecycleStateChange" not in output["facets"]  # one partition of several
    assert "columnLineage" not in output["facets"]
    assert loaded["run"]["facets"]["headwater_capture"]["opaque"] == {"LoadDataCommand": 1}

    # A partition that lies elsewhere was read, too.
    assert [one["name"] for one in read["inputs"]] == [
        str(tmp_path / "warehouse" / "loaded"), str(tmp_path / "elsewhere"),
    ]  # fmt: skip
    assert _told(read) == {"a": ["a IDENTITY", "a IDENTITY"]}

    # The partition's own column is in no query.
    assert [one["name"] for one in added["outputs"][0]["facets"]["schema"]["fields"]] == ["a", "b", "day"]
    assert _told(added) == {"a": ["id IDENTITY"], "b": ["id IDENTITY"]}
