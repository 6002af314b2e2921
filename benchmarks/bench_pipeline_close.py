"""Closure of a layered graph by the pipeline on two cores, and by rustworkx in the same run, which it must equal.

`--joins N` also walks by joins between Spark's tables, the other way to do it, on a graph of N edges.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

import numpy as np
import rustworkx as rx
from benchmarks.layered import Layered, make_lake
from benchmarks.measure import console, session
from benchmarks.stores import Figures
from rich.table import Table

from headwater.lake.lake import Lake
from headwater.pipeline.close.arcs import arcs_as_of
from headwater.pipeline.close.close import Closed, close

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from rich.console import Console

EDGES = 1_000_000
MOST_SECONDS = 600


def main() -> None:
    """Measure, and print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=EDGES)
    parser.add_argument("--layers", type=int, default=10)
    parser.add_argument("--parents", type=int, default=2)
    parser.add_argument("--joins", type=int, default=0, metavar="N", help="also by joins, on a graph of N edges")
    parser.add_argument("--no-growth", action="store_true", help="one graph only")
    chosen = parser.parse_args()
    out = console()
    with tempfile.TemporaryDirectory(prefix="headwater-bench-") as name, _spark(Path(name)) as spark:
        graph = Layered(chosen.edges, chosen.layers, chosen.parents)
        if chosen.joins:
            _compare_ways(spark, Path(name), Layered(chosen.joins, chosen.layers, chosen.parents), out)
        closed, lake = _closed(spark, Path(name) / "asked", graph)
        figures = Figures("closure, roots and counts", out)
        took = sum(closed.seconds.values())
        asked = MOST_SECONDS if chosen.edges >= EDGES else None
        more = ", ".join(f"{stage} {spent:.0f} s" for stage, spent in closed.seconds.items())
        figures.at_most(_title(graph, closed), took, asked, "s", more)
        figures.at_most("rustworkx, one core, counts only", _by_rustworkx(lake), None, "s", "the same counts")
        figures.show()
        if not chosen.no_growth:
            _growth(spark, Path(name), chosen.edges // 4, out)


@contextmanager
def _spark(folder: Path) -> Iterator[SparkSession]:
    spark = session(folder, {"spark.master": "local[2]", "spark.sql.shuffle.partitions": "16"})
    yield spark
    spark.stop()


def _title(graph: Layered, closed: Closed) -> str:
    return (
        f"{closed.edges:,} edges, {graph.layers} layers, {graph.parents} parents: {closed.columns:,} columns,"
        f" {closed.pairs / 1e6:.1f} M roots"
    )


def _closed(spark: SparkSession, folder: Path, graph: Layered) -> tuple[Closed, Lake]:
    lake = make_lake(spark, folder, graph)
    return close(lake), lake


def _by_rustworkx(lake: Lake) -> float:
    """The seconds that rustworkx takes for the same counts; fails where one differs."""
    edges: Any = lake.read("column_edge").select("in_field", "out_field").distinct().toPandas()
    closure: Any = lake.read("closure_column").select("field", "roots", "reach_columns").toPandas()
    ids = np.sort(closure["field"].to_numpy())
    begun = time.perf_counter()
    graph = rx.PyDiGraph()
    graph.add_nodes_from(range(len(ids)))
    ends = (np.searchsorted(ids, edges[name].to_numpy()).tolist() for name in ("in_field", "out_field"))
    graph.add_edges_from_no_data(list(zip(*ends, strict=True)))
    first = {node for node in graph.node_indices() if not graph.in_degree(node)}
    expected = {
        int(ids[node]): (len(rx.ancestors(graph, node) & first), len(rx.descendants(graph, node)))
        for node in graph.node_indices()
    }
    took = time.perf_counter() - begun
    for field, roots, reached in closure.itertuples(index=False):
        assert expected[field] == (roots, reached), f"{field}: {expected[field]} is not {(roots, reached)}"
    return took


def _growth(spark: SparkSession, folder: Path, edges: int, out: Console) -> None:
    table = Table("layers", "parents", "edges", "columns", "roots", "s", "µs a root", title="how it grows")
    for layers, parents in ((5, 2), (8, 2), (10, 2), (12, 2), (10, 1), (6, 4)):
        graph = Layered(edges, layers, parents)
        closed, _ = _closed(spark, folder / f"{layers}-{parents}", graph)
        took = sum(closed.seconds.values())
        each = f"{took / max(1, closed.pairs) * 1e6:.1f}"
        counts = (closed.edges, closed.columns, closed.pairs)
        table.add_row(str(layers), str(parents), *(f"{count:,}" for count in counts), f"{took:.1f}", each)
    out.print(table)


def _compare_ways(spark: SparkSession, folder: Path, graph: Layered, out: Console) -> None:
    """The same reach by walks in memory and by joins, whose rows have neither class nor masking."""
    closed, lake = _closed(spark, folder / "ways", graph)
    arcs = arcs_as_of(lake, 0).up.select("start", "end")
    begun = time.perf_counter()
    pairs = _by_joins(arcs)
    by_joins = time.perf_counter() - begun
    table = Table("way", "pairs", "s", title=_title(graph, closed))
    table.add_row("walks in the workers' memory, up and down", f"{closed.pairs:,} roots", _walked(closed))
    table.add_row("joins with deltas, up only, distances only", f"{pairs:,}", f"{by_joins:.1f}")
    out.print(table)


def _walked(closed: Closed) -> str:
    return f"{closed.seconds['roots'] + closed.seconds['reach']:.1f}"


def _by_joins(arcs: DataFrame) -> int:
    """Pairs of columns and what is upstream, semi-naive: what the last round found is joined, and nothing else."""
    steps = arcs.repartition("start").localCheckpoint()
    frontier = steps.selectExpr("start AS walk", "end AS node").localCheckpoint()
    seen, count = frontier, frontier.count()
    while True:
        met = frontier.join(steps, frontier["node"] == steps["start"]).selectExpr("walk", "end AS node").distinct()
        frontier = met.join(seen, ["walk", "node"], "left_anti").localCheckpoint()
        new = frontier.count()
        if not new:
            return count
        count += new
        seen = seen.union(frontier)


if __name__ == "__main__":
    main()
