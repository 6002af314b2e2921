"""What is told of walks: upwards the roots of every column, downwards how much it reaches."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from headwater.pipeline.close.walk import MASKED, Graph, Ints, Walked, kinds_of, spread
from headwater.store.db.codes import FIELD_BITS

if TYPE_CHECKING:
    import pyarrow as pa

ROOTS = "field bigint, root array<bigint>, distance array<int>, kind array<tinyint>, masked array<boolean>"
REACH = "field bigint, reach_columns bigint, reach_datasets bigint, reach_jobs bigint, orphan boolean"
# A table of so many marks, one a walk and thing, is quicker than sorting what was met.
_MARKS = 1 << 26


def roots(graph: Graph, sources: Ints, _starts: Ints, _jobs: Ints) -> "Iterator[pa.RecordBatch]":
    """For each column the columns upstream of it that have nothing upstream, in the order of their ids."""
    import pyarrow as pa  # noqa: PLC0415  on the executor

    for some, reached in graph.walks(sources):
        found = reached.only(graph.is_last[reached.nodes] & (reached.nodes != some[reached.walks]))
        ends = np.searchsorted(found.walks, np.arange(len(some) + 1)).astype(np.int32)
        told = (
            graph.ids[found.nodes],
            found.distances,
            kinds_of(found.labels).astype(np.int8),
            (found.labels & MASKED) != 0,
        )
        lists = [pa.ListArray.from_arrays(pa.array(ends), pa.array(values)) for values in told]
        names = ["field", "root", "distance", "kind", "masked"]
        yield pa.RecordBatch.from_arrays([pa.array(graph.ids[some]), *lists], names)


def reach(graph: Graph, sources: Ints, starts: Ints, jobs: Ints) -> "Iterator[pa.RecordBatch]":
    """For each column how many columns, datasets and jobs are downstream of it, and whether nothing reads it."""
    import pyarrow as pa  # noqa: PLC0415  on the executor

    _, datasets = np.unique(graph.ids >> FIELD_BITS, return_inverse=True)
    readers = _Readers(graph, starts, jobs)
    read = np.zeros(graph.size, np.bool_)
    read[starts[graph.ends != starts]] = True
    for some, reached in graph.walks(sources):
        count = len(some)
        columns = reached.only(~graph.is_rows[reached.nodes] & (reached.nodes != some[reached.walks]))
        told = (
            graph.ids[some],
            np.bincount(columns.walks, minlength=count),
            _distinct(columns.walks, datasets[columns.nodes], count),
            readers.count(reached, count),
            ~read[some],
        )
        names = ["field", "reach_columns", "reach_datasets", "reach_jobs", "orphan"]
        yield pa.RecordBatch.from_arrays([pa.array(values) for values in told], names)


class _Readers:
    """The jobs that read each node; job 0 is no job."""

    def __init__(self, graph: Graph, starts: Ints, jobs: Ints) -> None:
        known, numbers = np.unique(jobs, return_inverse=True)
        pairs = np.unique((starts * len(known) + numbers)[jobs != 0])
        nodes, self._jobs = np.divmod(pairs, max(1, len(known)))
        self._first = np.searchsorted(nodes, np.arange(graph.size + 1))

    def count(self, reached: Walked, walks: int) -> Ints:
        """How many jobs read something that each walk came by."""
        places, counts = spread(self._first, reached.nodes)
        return _distinct(np.repeat(reached.walks, counts), self._jobs[places], walks)


def _distinct(walks: Ints, things: Ints, count: int) -> Ints:
    """How many things each walk has met.

    >>> _distinct(np.array([0, 0, 0, 2]), np.array([5, 5, 6, 5]), 3)
    array([2, 0, 1])
    """
    kinds = int(things.max()) + 1 if len(things) else 1
    if count * kinds <= _MARKS:
        marks: npt.NDArray[np.bool_] = np.zeros((count, kinds), np.bool_)
        marks[walks, things] = True
        found: Ints = marks.sum(axis=1)
        return found
    return np.bincount(np.unique(walks * kinds + things) // kinds, minlength=count)
