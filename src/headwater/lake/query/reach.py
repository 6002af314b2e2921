"""The datasets that a lineage question can reach at any time, by repeated joins.

More than the question needs, never less: the graph's own code then follows columns, times and namespaces.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from headwater.lake.few import Few
from headwater.lake.lake import Lake
from headwater.lake.spark_sql import dataset_of_field
from headwater.query.graph.answer import Direction
from headwater.store.db.codes import NOTHING
from headwater.store.db.predicates import is_rename

_FEW = 1_000


class Reach:
    """Which datasets of a lake read which; computed once and cached by Spark."""

    def __init__(self, lake: Lake) -> None:
        self._lake = lake
        self._known: DataFrame | None = None
        self._next: dict[Direction, dict[int, set[int]]] | None = None

    def datasets(self, start: Iterable[int], direction: Direction) -> frozenset[int]:
        """All datasets in a direction, the start included, under every name they ever had."""
        if self._known is None:
            self._next = _next_of(self._pairs())
        reached: set[int] = set(start)
        frontier = reached - {NOTHING}
        while frontier:
            frontier = self._beyond(frontier, direction) - reached
            reached |= frontier
            frontier.discard(NOTHING)
        return frozenset(reached)

    def _beyond(self, frontier: Collection[int], direction: Direction) -> set[int]:
        """The datasets one step further."""
        if self._next is not None:
            following = self._next[direction]
            return {further for dataset in frontier for further in following.get(dataset, ())}
        near, far = ("to", "from") if direction is Direction.UPSTREAM else ("from", "to")
        beyond = with_keys(self._pairs(), sf.col(near), frontier).select(far)
        # Aliases lead both ways.
        names = with_keys(self._pairs().where("other_name"), sf.col(far), frontier).select(near)
        return {row[0] for row in beyond.union(names).distinct().collect()}

    def _pairs(self) -> DataFrame:
        """Pairs of datasets, read and written; and aliases, as which renamed ones count."""
        if self._known is None:
            lake = self._lake
            edges = lake.read("edge").select(_dataset("in_field").alias("from"), _dataset("out_field").alias("to"))
            renames = lake.read("mapping").where(is_rename(""))
            renames = renames.selectExpr("origin AS `from`", "dataset AS `to`", "true AS other_name")
            inputs = lake.read("input").selectExpr("inputs", "dataset AS `from`")
            written = [lake.read(table).selectExpr("inputs", "dataset AS `to`") for table in ("slot", "version")]
            read = inputs.join(written[0].union(written[1]).distinct(), "inputs").select("from", "to")
            aliases = lake.read("alias").selectExpr("dataset AS `from`", "physical AS `to`", "true AS other_name")
            data = edges.union(read).withColumn("other_name", sf.lit(False))  # noqa: FBT003  a literal
            self._known = data.union(aliases).union(renames).distinct().persist()
        return self._known

    def close(self) -> None:
        """Drop Spark's cache."""
        if self._known is not None:
            self._known.unpersist()
            self._known = None


def _next_of(pairs: DataFrame) -> dict[Direction, dict[int, set[int]]] | None:
    """What is one step from each dataset, where the pairs are few enough for this process."""
    table = Few(pairs.sparkSession).table(pairs)
    if table is None:
        return None
    up: dict[int, set[int]] = defaultdict(set)
    down: dict[int, set[int]] = defaultdict(set)
    columns = (table.column(name).to_pylist() for name in ("from", "to", "other_name"))
    for source, target, other_name in zip(*columns, strict=True):
        ways = [(source, target), (target, source)] if other_name else [(source, target)]
        for one, other in ways:
            up[other].add(one)
            down[one].add(other)
    return {Direction.UPSTREAM: up, Direction.DOWNSTREAM: down}


def _dataset(field: str) -> Column:
    return sf.expr(dataset_of_field(field))


def with_keys(frame: DataFrame, column: Column, keys: Collection[int]) -> DataFrame:
    """The rows of a frame whose column has one of these keys."""
    if len(keys) <= _FEW:
        return frame.where(column.isin(sorted(keys)))
    key_frame = frame.sparkSession.createDataFrame([(key,) for key in keys], "`wanted key` bigint")
    return frame.join(sf.broadcast(key_frame), column == sf.col("wanted key"), "left_semi")
