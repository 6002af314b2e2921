"""Data that goes through RDDs: where it came from, and what is saved from there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import RDD
from pyspark.serializers import BatchedSerializer, CPickleSerializer
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import broadcast

import headwater
from headwater.capture import tracker

pytestmark = pytest.mark.spark


class World:
    """Small tables in files, a folder of text, and a tracker."""

    def __init__(self, spark: SparkSession, folder: Path, capture: Callable[..., Any]) -> None:
        self.spark = spark
        self.folder = folder
        for name in ("t", "u"):
            rows = spark.createDataFrame([(1, f"{name}1")], f"id INT, {name}_name STRING")
            rows.write.parquet(f"{folder}/{name}")
            spark.read.parquet(f"{folder}/{name}").createOrReplaceTempView(name)
        (folder / "text").mkdir()
        (folder / "text" / "a.txt").write_text("1,a\n", encoding="utf-8")
        spark.sparkContext.setCheckpointDir(f"{folder}/checkpoints")
        self.captured = capture()
        self._written = 0

    def table(self, name: str) -> DataFrame:
        return self.spark.table(name)

    def text(self, path: str = "text") -> RDD[str]:
        return self.spark.sparkContext.textFile(f"{self.folder}/{path}")

    def explain(self, frame: DataFrame) -> tuple[list[str], dict[str, int]]:
        """What a frame reads and what is opaque in it, without running it: the same as in the event of a write."""
        lineage = headwater.lineage(frame)
        places = {(one.location or "").removeprefix("file:").removeprefix(f"{self.folder}/") for one in lineage.reads}
        return sorted(places), dict(lineage.opaque)

    def write(self, frame: DataFrame) -> dict[str, Any]:
        """The last event of writing a frame."""
        self._written += 1
        frame.write.parquet(f"{self.folder}/out{self._written}")
        return self.last

    @property
    def last(self) -> dict[str, Any]:
        event: dict[str, Any] = self.captured.last
        return event

    def inputs(self, event: dict[str, Any]) -> list[str]:
        return sorted(dataset["name"].removeprefix(f"{self.folder}/") for dataset in event["inputs"])

    def sources(self, event: dict[str, Any], column: str) -> list[str]:
        """What a column of the output comes from, directly or not."""
        fields = event["outputs"][0]["facets"]["columnLineage"]["fields"][column]["inputFields"]
        return sorted({f"{field['name'].removeprefix(f'{self.folder}/')}.{field['field']}" for field in fields})


@pytest.fixture
def world(spark: SparkSession, tmp_path: Path, capture: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> World:
    """Tables `t` and `u` with an id each, and a folder of text."""
    made = World(spark, tmp_path, capture)
    monkeypatch.setitem(tracker._trackers, spark.sparkContext.applicationId, made.captured.tracker)
    return made


def _opaque(event: dict[str, Any]) -> dict[str, int]:
    opaque: dict[str, int] = event["run"]["facets"].get("headwater_capture", {}).get("opaque", {})
    return opaque


def _frame(rdd: RDD[Any]) -> DataFrame:
    """One column of text."""
    frame: DataFrame = rdd.map(lambda row: (str(row),)).toDF("a STRING")
    return frame


def test_a_query_that_became_an_rdd_reads_all_that_it_says(world: World) -> None:
    """A broadcast table and a subquery's are not among the dependencies of the RDDs that a query runs as."""
    t, u = world.table("t"), world.table("u")
    both = ["t", "u"]
    queries = {
        "broadcast": t.join(broadcast(u), "id"),
        "broadcast by itself": t.join(u, "id"),
        "scalar subquery": world.spark.sql("SELECT id, (SELECT max(u_name) FROM u) AS m FROM t"),
        "subquery in a filter": world.spark.sql("SELECT id FROM t WHERE id IN (SELECT id FROM u)"),
        "shuffled": t.join(u.hint("merge"), "id"),
    }
    for name, query in queries.items():
        assert world.explain(_frame(query.rdd)) == (both, {"LogicalRDD": 1}), name

    event = world.write(_frame(t.join(broadcast(u), "id").select("t_name").rdd))
    assert (world.inputs(event), _opaque(event)) == (both, {"LogicalRDD": 1})
    assert world.sources(event, "a") == ["t.id", "t.t_name", "u.id"]


@pytest.mark.filterwarnings("ignore:The return type of DataFrame.toJSON")
def test_frames_made_of_rdds_in_other_ways(world: World) -> None:
    t, u, context = world.table("t"), world.table("u"), world.spark.sparkContext
    frames = {
        "a schema": (world.spark.createDataFrame(t.join(u, "id").rdd, "id INT, a STRING, b STRING"), ["t", "u"]),
        "JSON": (world.spark.read.json(t.crossJoin(u.select("u_name")).toJSON()), ["t", "u"]),
        "an RDD of an RDD of a frame": (_frame(_frame(t.rdd).rdd), ["t"]),
        "a union": (_frame(context.union([world.text(), t.rdd.map(str), u.rdd.map(str)])), ["t", "text", "u"]),
        "a join": (_frame(t.rdd.map(tuple).join(u.rdd.map(tuple))), ["t", "u"]),
        "a product": (_frame(t.rdd.cartesian(u.rdd)), ["t", "u"]),
        "rows of the job's own": (_frame(world.spark.range(3).rdd.union(context.parallelize([]))), []),
    }
    for name, (frame, inputs) in frames.items():
        found, opaque = world.explain(frame)
        assert found == inputs, name
        assert bool(opaque) == bool(inputs), name


def test_files_read_as_an_rdd(world: World) -> None:
    context, text = world.spark.sparkContext, f"{world.folder}/text"
    world.text().map(lambda line: (line, 1)).saveAsSequenceFile(f"{world.folder}/sequence")
    world.text().saveAsPickleFile(f"{world.folder}/pickled")
    new, old = "org.apache.hadoop.mapreduce.lib.input.TextInputFormat", "org.apache.hadoop.mapred.TextInputFormat"
    pair = ("org.apache.hadoop.io.LongWritable", "org.apache.hadoop.io.Text")
    given = {"mapreduce.input.fileinputformat.inputdir": text}
    reads: dict[str, tuple[RDD[Any], list[str]]] = {
        "a file": (world.text("text/a.txt"), ["text/a.txt"]),
        "a folder": (world.text(), ["text"]),
        "a pattern": (world.text("te*/*.txt"), [str(world.folder)]),
        "a pattern below a folder": (world.text("text/[ab].txt"), ["text"]),
        "listed folders": (world.text("{text,t}/*.txt"), ["t", "text"]),
        "listed files": (world.text("text/{a,b}.txt"), ["text"]),
        "lists in lists": (world.text("{text,{t,u}}/a.txt"), [str(world.folder)]),
        "too many lists": (world.text("{0,1}/" * 12 + "a.txt"), [str(world.folder)]),
        "several": (context.textFile(f"{text}/a.txt,{world.folder}/t"), ["t", "text/a.txt"]),
        "whole files": (context.wholeTextFiles(text), ["text"]),
        "binary files": (context.binaryFiles(text).keys(), ["text"]),
        "a sequence file": (context.sequenceFile(f"{world.folder}/sequence"), ["sequence"]),
        "a pickled file": (context.pickleFile(f"{world.folder}/pickled"), ["pickled"]),
        "Hadoop's new API": (context.newAPIHadoopFile(text, new, *pair), ["text"]),
        "Hadoop's old API": (context.hadoopFile(text, old, *pair), ["text"]),
        "Hadoop's settings": (context.newAPIHadoopRDD(new, *pair, conf=given), ["text"]),
        "a path from here": (
            context.newAPIHadoopRDD(new, *pair, conf=dict.fromkeys(given, os.path.relpath(text))),
            ["text"],
        ),
    }
    for name, (rdd, inputs) in reads.items():
        assert world.explain(_frame(rdd)) == (inputs, {"LogicalRDD": 1}), name
    event = world.write(_frame(world.text()))
    assert world.inputs(event) == ["text"]
    assert world.sources(event, "a") == ["text.value"]


def test_inputs_that_may_be_missing_are_counted(world: World) -> None:
    """More paths than are named, and a frame that became an RDD by way of Java."""
    paths = [f"{world.folder}/text/{number}" for number in range(2001)]
    context = world.spark.sparkContext
    for given, unnamed in ((paths[:-1], {}), (paths, {"inputs of an RDD": 1})):
        lineage = headwater.lineage(_frame(context.textFile(",".join(given))))
        assert len(lineage.reads) == 2000
        assert lineage.opaque == {"LogicalRDD": 1, **unnamed}

    t: Any = world.table("t")
    serializer = BatchedSerializer(CPickleSerializer())  # type: ignore[no-untyped-call]
    by_java: RDD[Any] = RDD(t._jdf.javaToPython(), context, serializer)
    assert world.explain(_frame(by_java)) == (["t"], {"LogicalRDD": 1, "inputs of an RDD": 1})


def test_a_checkpoint_of_an_rdd_leads_to_what_it_was_made_from(world: World) -> None:
    joined = world.table("t").join(world.table("u"), "id").rdd.map(tuple)
    joined.checkpoint()
    joined.count()
    assert world.explain(_frame(joined)) == (["t", "u"], {"LogicalRDD": 2})

    line = world.text()
    for keep in (RDD.checkpoint, RDD.localCheckpoint, RDD.checkpoint):
        line = line.map(str)
        keep(line)
        line.count()
    found, opaque = world.explain(_frame(line))
    assert found == ["text"]
    assert opaque


def _formats() -> Iterator[tuple[str, Callable[[RDD[Any], str], None]]]:
    new = "org.apache.hadoop.mapreduce.lib.output.TextOutputFormat"
    old = "org.apache.hadoop.mapred.TextOutputFormat"
    classes = {"key.class": "org.apache.hadoop.io.Text", "value.class": "org.apache.hadoop.io.Text"}
    yield "saveAsTextFile", lambda rdd, path: rdd.saveAsTextFile(path)
    yield "saveAsPickleFile", lambda rdd, path: rdd.saveAsPickleFile(path)
    yield "saveAsSequenceFile", lambda rdd, path: rdd.saveAsSequenceFile(path)
    yield "saveAsHadoopFile", lambda rdd, path: rdd.saveAsHadoopFile(path=path, outputFormatClass=old)
    yield "saveAsNewAPIHadoopFile", lambda rdd, path: rdd.saveAsNewAPIHadoopFile(path, new)
    yield "saveAsHadoopDataset", lambda rdd, path: rdd.saveAsHadoopDataset({
        "mapred.output.format.class": old,
        "mapreduce.output.fileoutputformat.outputdir": path,
        **{f"mapreduce.job.output.{name}": one for name, one in classes.items()},
    })  # fmt: skip
    yield "saveAsNewAPIHadoopDataset", lambda rdd, path: rdd.saveAsNewAPIHadoopDataset({
        "mapreduce.job.outputformat.class": new,
        "mapreduce.output.fileoutputformat.outputdir": path,
        **{f"mapreduce.job.output.{name}": one for name, one in classes.items()},
    })  # fmt: skip


def test_an_rdd_that_is_saved_is_a_run(world: World) -> None:
    pairs = world.table("t").join(world.table("u"), "id").rdd.map(lambda row: (row[1], row[2]))
    for name, save in _formats():
        save(pairs, f"{world.folder}/{name}")
        start, complete = world.captured.events[-2:]
        assert [start["eventType"], complete["eventType"]] == ["START", "COMPLETE"], name
        assert [dataset["name"] for dataset in complete["outputs"]] == [f"{world.folder}/{name}"]
        assert world.inputs(complete) == ["t", "u"], name
        assert world.sources(complete, "value") == ["t.id", "t.t_name", "u.id", "u.u_name"]
        assert _opaque(complete) == {"LogicalRDD": 1}, name
    assert complete["job"]["facets"]["jobType"]["jobType"] == "RDD_JOB"
    assert start["job"]["name"].startswith("headwater_tests.save_as_new_apihadoop_dataset.")


def test_what_a_function_made_of_rows_is_not_their_columns_in_order(world: World) -> None:
    """Functions in Python are no RDD of their own in Spark: the pairs look like the rows of the frame before them."""
    world.table("t").rdd.map(lambda row: (row[1], row[0])).saveAsSequenceFile(f"{world.folder}/swapped")
    assert world.sources(world.last, "key") == world.sources(world.last, "value") == ["t.id", "t.t_name"]
    assert _opaque(world.last) == {"LogicalRDD": 1}

    world.table("t").select("id").rdd.map(str).saveAsTextFile(f"{world.folder}/one_column")
    assert world.sources(world.last, "value") == ["t.id"]
    assert _opaque(world.last) == {"LogicalRDD": 1}


def test_an_rdd_beside_a_micro_batch_does_not_come_from_it(world: World) -> None:
    def write(batch: DataFrame, _number: int) -> None:
        batch.write.mode("append").parquet(f"{world.folder}/of_batch")
        _frame(world.table("u").rdd).write.mode("append").parquet(f"{world.folder}/of_u")
        _frame(batch.rdd).write.mode("append").parquet(f"{world.folder}/of_batch_as_rdd")

    stream = world.spark.readStream.schema("id INT, t_name STRING").parquet(f"{world.folder}/t").writeStream
    stream = stream.foreachBatch(write).option("checkpointLocation", f"{world.folder}/progress")
    stream.trigger(availableNow=True).start().awaitTermination()
    told = {output["name"]: world.inputs(event) for event in world.captured.events for output in event["outputs"]}
    assert {name.removeprefix(f"{world.folder}/"): inputs for name, inputs in told.items()} == {
        "of_batch": ["t"], "of_u": ["u"], "of_batch_as_rdd": ["t"],
    }  # fmt: skip


def test_an_rdd_that_cannot_be_saved_fails_as_ever(world: World) -> None:
    with pytest.raises(Exception, match="already exists"):
        world.text().saveAsTextFile(f"{world.folder}/text")
    assert world.last["eventType"] == "FAIL"
    assert "already exists" in world.last["run"]["facets"]["errorMessage"]["message"]

    with pytest.raises(Exception, match=r"[Oo]utput"):
        world.text().map(lambda line: (line, line)).saveAsNewAPIHadoopDataset({})
    assert (world.last["eventType"], world.last["outputs"]) == ("FAIL", [])
    assert _opaque(world.last)["saveAsNewAPIHadoopDataset"] == 1


def test_an_rdd_that_java_code_saves_is_a_run_too(world: World) -> None:
    """What is known of it depends on whether its job is still running when the listener sees it."""
    made: Any = world.text()
    made._jrdd.saveAsTextFile(f"{world.folder}/saved")
    assert world.last["eventType"] == "COMPLETE"
    assert world.last["job"]["name"].startswith("headwater_tests.save_as_text_file")
    known = world.inputs(world.last), [dataset["name"] for dataset in world.last["outputs"]]
    assert known in ((["text"], [f"{world.folder}/saved"]), ([], []))
    assert _opaque(world.last)


def test_every_save_is_told_once(world: World) -> None:
    """What Python announced is known by its job, not by its RDD: that may be saved again, by whomever."""
    line: Any = world.text()
    with pytest.raises(Exception, match="already exists"):
        line.saveAsTextFile(f"{world.folder}/text")
    line._jrdd.saveAsTextFile(f"{world.folder}/by_java")
    for number in range(3):
        line.map(str).saveAsTextFile(f"{world.folder}/by_python{number}")
    ended = [event["eventType"] for event in world.captured.events if event["eventType"] != "START"]
    assert ended == ["FAIL", "COMPLETE", "COMPLETE", "COMPLETE", "COMPLETE"]
    assert world.spark.sparkContext.getLocalProperty("headwater.saving") is None


def test_lazy_checkpoints_of_a_frame_and_of_its_filter_are_told_apart(world: World) -> None:
    t = world.table("t")
    for method in ("checkpoint", "localCheckpoint"):
        plain, filtered = getattr(t, method)(eager=False), getattr(t.filter("t_name > ''"), method)(False)  # noqa: FBT003
        rows = []
        for frame in (plain, filtered):
            (output,) = world.write(frame)["outputs"]
            rows.append([one["field"] for one in output["facets"]["columnLineage"].get("dataset", ())])
        assert rows == [[], ["t_name"]], method
        assert not _opaque(world.last)


def test_lazy_checkpoints_that_nobody_saw_may_be_either(world: World) -> None:
    """Made by Java or Scala code, they are known by the ids of their columns alone, which are the same."""
    t: Any = world.table("t")
    plain, filtered = t._jdf.localCheckpoint(False), t.filter("t_name > ''")._jdf.localCheckpoint(False)  # noqa: FBT003
    for kept in (plain, filtered):
        event = world.write(DataFrame(kept, world.spark))
        (rows,) = event["outputs"][0]["facets"]["columnLineage"]["dataset"]
        assert rows["field"] == "t_name"
        assert _opaque(event) == {"checkpoint": 1}


def test_a_transposed_frame_leads_to_what_was_transposed(world: World) -> None:
    """Spark runs the query while it analyses it, and the plan only has the rows."""
    if world.spark.version.startswith("3."):
        pytest.skip("transpose came with Spark 4")
    joined = world.table("t").join(world.table("u"), "id").filter("u_name > ''")
    for transposed in (joined.transpose(), joined.transpose("id").filter("key <> 'u_name'")):
        assert world.explain(transposed) == (["t", "u"], {"Transpose": 1})
        event = world.write(transposed)
        assert (world.inputs(event), _opaque(event)) == (["t", "u"], {"Transpose": 1})
        lineage = event["outputs"][0]["facets"]["columnLineage"]
        assert {one["field"] for one in lineage["dataset"]} == {"id", "t_name", "u_name"}
        for field in lineage["fields"].values():
            assert {one["field"] for one in field["inputFields"]} >= {"id", "t_name", "u_name"}
    kept: Any = world.table("t")
    unseen = DataFrame(kept._jdf.transpose(), world.spark)  # by Java or Scala code
    assert world.explain(unseen) == ([], {"Transpose": 1})


def test_rdds_are_watched_only_while_tracking(spark: SparkSession, capture: Callable[..., Any]) -> None:
    before = {name: vars(DataFrame).get(name) for name in ("rdd", "checkpoint")}, RDD.saveAsTextFile
    captured = capture()
    assert RDD.saveAsTextFile is not before[1]
    assert RDD.saveAsTextFile.__doc__ == before[1].__doc__
    captured.tracker.stop()
    assert ({name: vars(DataFrame).get(name) for name in ("rdd", "checkpoint")}, RDD.saveAsTextFile) == before
    assert spark.range(1).rdd.count() == 1
