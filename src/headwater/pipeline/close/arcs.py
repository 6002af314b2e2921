"""The column edges in force at a moment, as plain steps between columns: those that `upstream` and `downstream` take.

Columns of a struct stand for it and the other way round, names may differ in case, datasets may have several names,
renames are copies, and every column reads the rows of its dataset at no cost. Up and down are not each other's reverse:
a struct that is written is reached as a struct, and leads on from the fields in it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.common.masking import Masking, Passage
from headwater.lake.lake import Lake
from headwater.lake.workers import in_python
from headwater.pipeline.close import sql
from headwater.pipeline.close.aliases import names_in_force
from headwater.pipeline.close.column_names import column_names
from headwater.pipeline.close.walk import label_of
from headwater.query.graph.answer import Kind, kind_of
from headwater.store.db.codes import FIELD_NUMBERS, ROWS, Kin
from headwater.store.db.predicates import has_source, in_force, is_rename
from headwater.store.model.meaning import RENAMED

if TYPE_CHECKING:
    import pyarrow as pa


_SHOWN = "field bigint, shown bigint"


@dataclass(frozen=True)
class Arcs:
    """The steps of a moment.

    Attributes:
        up: from a column or a dataset's rows (`start`) to a column that it comes from (`end`), with `label` and `job`.
        down: from a column to a column or rows that come from it. Rows that are counted are nodes of their own, with
            the negative id.
        free_up: from columns to their dataset's rows, where something decides on these.
        free_down: from such rows to the columns in them.
        columns: the ids of all columns that exist, or that an edge in force names.
    """

    up: DataFrame
    down: DataFrame
    free_up: DataFrame
    free_down: DataFrame
    columns: DataFrame


def arcs_as_of(lake: Lake, as_of: int) -> Arcs:
    """The steps in force at a moment, in microseconds UTC."""
    return _ArcBuilder(lake, as_of).arcs()


def materialize(lake: Lake, frame: DataFrame, name: str) -> DataFrame:
    """The same rows, from files: they are needed more than once."""
    place = f"{lake.scratch()}/close/{name}"
    frame.write.mode("overwrite").parquet(place)
    return lake.spark.read.parquet(place)


class _ArcBuilder:
    def __init__(self, lake: Lake, as_of: int) -> None:
        self._lake = lake
        self._kin = lake.read("kin").select("field", "other", sf.col("how").cast("int").alias("how"))
        self._field = lake.read("field").select("id", "dataset", "key", "position")
        self._mapping = lake.read("mapping").where(is_rename("")).select("id", "origin")
        slots = lake.read("slot").where(in_force("", str(as_of))).where("mapping IS NOT NULL")
        self._force = slots.select("dataset", "mapping", "job").distinct()
        self._reading = slots.select("dataset", "mapping", "job", "inputs", "from_us", "until_us")
        steps = lake.read("step").select("id", "type", "subtype", "masking")
        labels = sf.broadcast(in_python(steps, _labels, "step bigint, label tinyint, new_name boolean"))
        edges = (
            lake.read("edge")
            .where(has_source(""))
            .join(self._force.select("mapping", "job"), "mapping")
            .join(labels, "step")
        )
        edges = edges.select(
            "mapping", "job", "out_field", "in_field", "label", "new_name", sf.expr("false AS renames")
        )
        self._edges = self._written(edges.distinct(), "edges")
        # Skip the queries for what the lake does not have.
        self._has_kin = not lake.is_empty("kin")
        self._has_alike = self._has_kin and not self._kin.where(f"how = {Kin.ALIKE}").isEmpty()
        self._has_renames = not self._mapping.isEmpty()
        names = names_in_force(lake, as_of)
        self._names = None if names is None else self._written(names, "names")
        columns = column_names(lake, as_of)
        self._columns = None if columns is None else self._written(columns, "column_names")
        self._shown: DataFrame | None = None

    def arcs(self) -> Arcs:
        """The arcs in both directions."""
        # Under its new name it is the same column.
        steps = self._edges.where("NOT new_name").drop("new_name")
        if self._has_renames:
            renames = self._sql(sql.RENAMES, mapping=self._mapping, force=self._force, field=self._field)
            steps = steps.unionByName(renames)
        steps = steps.unionByName(self._counted())
        kin_and_same = self._kin_and_same()
        up = _hops(steps, self._others(*kin_and_same, "up"), "out_field", "in_field")
        down = _hops(steps, self._others(*kin_and_same, "down"), "in_field", "out_field")
        if self._has_alike or self._has_renames:
            up, down = self._written(up, "hops_up"), self._written(down, "hops_down")
        if self._has_alike:
            good = self._sql(sql.ONLY_MATCHES, hops=up, kin=self._kin)
            up = self._sql(sql.BY_CASE_UP, hops=up, good=good)
        if self._has_renames:
            up = self._sql(sql.WITHOUT_WIDER, hops=up)
        if self._has_alike:
            down = self._sql(sql.BY_CASE_DOWN, hops=down, up=up)
        if self._has_renames:
            down = self._sql(sql.WITHOUT_WIDER, hops=down)
        return self._between_shown(up, down)

    def _counted(self) -> DataFrame:
        """From rows to rows, where a job reads a dataset and names no column of it."""
        names = self._names
        if names is None:
            names = self._lake.spark.createDataFrame([], "dataset bigint, top bigint")
        reads = self._written(
            self._sql(
                sql.READ_AS_TABLES,
                reading=self._reading,
                input=self._lake.read("input"),
                mapping=self._lake.read("mapping"),
                names=names,
                edges=self._edges,
            ),
            "read_as_tables",
        )
        label = label_of(Kind.INDIRECT, Passage.AS_IT_IS)
        slot, edge = self._lake.read("slot"), self._lake.read("edge")
        return self._sql(sql.COUNTED, reads=reads, slot=slot, edge=edge, label=label)

    def _kin_and_same(self) -> tuple[DataFrame, DataFrame | None]:
        """The kin of columns, and the same path under other names of its dataset."""
        kin = self._kin.select(sf.col("field").alias("node"), sf.col("other").alias("match"), "how")
        if self._names is None:
            same = None
        else:
            same = self._written(self._sql(sql.SAME, names=self._names, field=self._field), "same")
            self._shown = self._written(self._sql(sql.SHOWN, same=same, names=self._names), "shown")
        if self._columns is not None:
            shown = self._shown if self._shown is not None else self._lake.spark.createDataFrame([], _SHOWN)
            self._shown = self._written(self._sql(sql.SHOWN_NOW, shown=shown, columns=self._columns), "shown_now")
        return kin, same

    def _others(self, kin: DataFrame, same: DataFrame | None, direction: str) -> DataFrame | None:
        """What else stands for a column, and how: its kin, and the same column under other names."""
        others = kin if self._has_kin else None
        columns = None if self._columns is None else self._columns.where(direction).selectExpr("field", "other")
        if columns is not None:
            renamed = self._sql(sql.BY_COLUMN_NAME, columns=columns, kin=self._kin)
            others = renamed if others is None else others.union(renamed)
        if same is not None:
            if columns is not None:
                same = self._sql(sql.SAME_AND_RENAMED, same=same, columns=columns)
            named = self._sql(sql.BY_NAME, same=same, kin=self._kin, names=self._names)
            others = named if others is None else others.union(named)
        named_otherwise = columns is not None or same is not None
        return self._written(others.distinct(), f"others_{direction}") if others and named_otherwise else others

    def _between_shown(self, up: DataFrame, down: DataFrame) -> Arcs:
        """Steps between columns under the names they are shown by, and the rows they belong to."""
        ups = self._written(self._from_shown(up), "up")
        downs = self._written(self._from_shown(down), "down")
        listed = self._sql(sql.LISTED, field=self._field, edges=self._edges, kin=self._kin)
        ends = ups.select("end").union(downs.select("end")).where(sf.col("end").bitwiseAND(FIELD_NUMBERS) != ROWS)
        there = self._show(listed, "id").distinct()
        columns = self._written(there.union(ends).distinct(), "columns")
        decided = ups.select(sf.col("start").alias("rows")).distinct()
        reached = downs.select(sf.col("end").alias("rows")).distinct()
        if not ups.where(sf.col("end").bitwiseAND(FIELD_NUMBERS) == ROWS).isEmpty():
            ups, downs = self._with_rows_on(ups, downs)
        return Arcs(
            ups,
            downs,
            self._in_rows(columns).join(decided, "rows", "left_semi").selectExpr("id AS start", "rows AS end"),
            self._in_rows(there).join(reached, "rows", "left_semi").selectExpr("rows AS start", "id AS end"),
            columns,
        )

    def _with_rows_on(self, ups: DataFrame, downs: DataFrame) -> tuple[DataFrame, DataFrame]:
        """The steps, and those between rows that are counted: only these lead on to the rows that there are as many of.

        Such rows are nodes of their own, with the negative id.
        """
        label = label_of(Kind.INDIRECT, Passage.AS_IT_IS)
        rows_on = self._sql(sql.ROWS_ON, edges=self._edges, label=label)
        rows_on = self._show(self._show(rows_on, "in_field"), "out_field").where("in_field <> out_field").distinct()
        rows_on = self._written(rows_on, "rows_on")
        counted = sf.when(sf.col("end").bitwiseAND(FIELD_NUMBERS) == ROWS, -sf.col("end")).otherwise(sf.col("end"))
        ups = ups.withColumn("end", counted)
        up_on = rows_on.selectExpr("-out_field AS start", "-in_field AS end", "label", "job")
        down_on = rows_on.selectExpr(
            "explode(array(in_field, -in_field)) AS start", "-out_field AS end", "label", "job"
        )
        return (
            ups.union(_of_rows(ups)).union(up_on),
            downs.union(_of_rows(downs)).union(down_on),
        )

    def _in_rows(self, columns: DataFrame) -> DataFrame:
        """Columns, each with its dataset's rows; those of a column that only an alias has keep the alias's name."""
        return self._show(columns.select("id", sf.col("id").bitwiseAND(~FIELD_NUMBERS).alias("rows")), "rows")

    def _from_shown(self, hops: DataFrame) -> DataFrame:
        if self._shown is not None:
            hidden = self._shown.select(sf.col("field").alias("node"))
            hops = self._show(hops.join(hidden, "node", "left_anti"), "end")
        return hops.select(sf.col("node").alias("start"), "end", "label", "job").distinct()

    def _show(self, frame: DataFrame, column: str) -> DataFrame:
        """The same frame, its column's fields under the names they are shown by."""
        if self._shown is None:
            return frame
        shown = self._shown.select(sf.col("field").alias(column), "shown")
        joined = frame.join(shown, column, "left").withColumn(column, sf.coalesce("shown", column))
        return joined.select(*frame.columns)

    def _written(self, frame: DataFrame, name: str) -> DataFrame:
        return materialize(self._lake, frame, name)

    def _sql(self, query: str, **frames: Any) -> DataFrame:  # noqa: ANN401  frames
        return self._lake.spark.sql(query, **frames)


def _of_rows(steps: DataFrame) -> DataFrame:
    """The steps from rows, as from those that are counted."""
    from_rows = steps.where(sf.col("start").bitwiseAND(FIELD_NUMBERS) == ROWS)
    return from_rows.withColumn("start", -sf.col("start"))


def _hops(steps: DataFrame, others: DataFrame | None, match: str, end: str) -> DataFrame:
    columns = [sf.col(name) for name in ("mapping", "job", end, "label", "renames")]
    own = steps.select(
        sf.col(match).alias("node"), sf.col(match).alias("match"), sf.lit(int(Kin.ITSELF)).alias("how"), *columns
    )
    if others is not None:
        other = others.join(steps, sf.col("match") == sf.col(match)).select("node", "match", "how", *columns)
        own = own.unionByName(other)
    return own.withColumnRenamed(end, "end")


def _labels(batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
    import pyarrow as pa  # noqa: PLC0415  on the executor

    for batch in batches:
        keys, *steps = (column.to_pylist() for column in batch.columns)
        new_names = [type_ == RENAMED for type_ in steps[0]]
        labels = [
            label_of(kind_of(type_, subtype), Masking(masking).passage)
            for type_, subtype, masking in zip(*steps, strict=True)
        ]
        columns = [pa.array(keys, pa.int64()), pa.array(labels, pa.int8()), pa.array(new_names, pa.bool_())]
        yield pa.RecordBatch.from_arrays(columns, ["step", "label", "new_name"])
