"""Answers from walks: upstream the roots of every column, downstream how much it reaches."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from headwater.pipeline.close.walk import MASKED, Graph, Ints, Reached, kinds_of, spread
from headwater.store.db.codes import FIELD_BITS

if TYPE_CHECKING:
    import pyarrow as pa

ROOTS = "field bigint, root array<bigint>, distance array<int>, kind array<tinyint>, masked array<boolean>"
REACH = "field bigint, reach_columns bigint, reach_datasets bigint, reach_jobs bigint, orphan boolean"
# Up to this many marks, one for each walk and id, a table is quicker than sorting.
_MARKS = 1 << 26


def roots(graph: Graph, sources: Ints, _starts: Ints, _jobs: Ints) -> "Iterator[pa.RecordBatch]":
    """For each column the columns upstream of it that have nothing upstream, in the order of their ids."""
    import pyarrow as pa  # noqa: PLC0415  on the executor

    for batch, reached in graph.walks(sources):
        at_roots = reached.only(graph.is_last[reached.nodes] & (reached.nodes != batch[reached.walks]))
        ends = np.searchsorted(at_roots.walks, np.arange(len(batch) + 1)).astype(np.int32)
        answer = (
            graph.ids[at_roots.nodes],
            at_roots.distances,
            kinds_of(at_roots.labels).astype(np.int8),
            (at_roots.labels & MASKED) != 0,
        )
        lists = [pa.ListArray.from_arrays(pa.array(ends), pa.array(values)) for values in answer]
        names = ["field", "root", "distance", "kind", "masked"]
        yield pa.RecordBatch.from_arrays([pa.array(graph.ids[batch]), *lists], names)


def reach(graph: Graph, sources: Ints, starts: Ints, jobs: Ints) -> "Iterator[pa.RecordBatch]":
    """For each column how many columns, datasets and jobs are downstream of it, and whether nothing reads it."""
    import pyarrow as pa  # noqa: PLC0415  on the executor

    _, datasets = np.unique(graph.ids >> FIELD_BITS, return_inverse=True)
    readers = _Readers(graph, starts, jobs)
    read = np.zeros(graph.size, np.bool_)
    read[starts[graph.ends != starts]] = True
    for batch, reached in graph.walks(sources):
        count = len(batch)
        columns = reached.only(~graph.is_rows[reached.nodes] & (reached.nodes != batch[reached.walks]))
        answer = (
            graph.ids[batch],
            np.bincount(columns.walks, minlength=count),
            _distinct(columns.walks, datasets[columns.nodes], count),
            readers.count(reached, count),
            ~read[batch],
        )
        names = ["field", "reach_columns", "reach_datasets", "reach_jobs", "orphan"]
        yield pa.RecordBatch.from_arrays([pa.array(values) for values in answer], names)


class _Readers:
    """The jobs that read each node; job 0 stands for none."""

    def __init__(self, graph: Graph, starts: Ints, jobs: Ints) -> None:
        known, numbers = np.unique(jobs, return_inverse=True)
        pairs = np.unique((starts * len(known) + numbers)[jobs != 0])
        nodes, self._jobs = np.divmod(pairs, max(1, len(known)))
        self._first = np.searchsorted(nodes, np.arange(graph.size + 1))

    def count(self, reached: Reached, walks: int) -> Ints:
        """How many jobs read something on each walk."""
        places, counts = spread(self._first, reached.nodes)
        return _distinct(np.repeat(reached.walks, counts), self._jobs[places], walks)


def _distinct(walks: Ints, ids: Ints, count: int) -> Ints:
    """How many distinct ids each walk has.

    >>> _distinct(np.array([0, 0, 0, 2]), np.array([5, 5, 6, 5]), 3)
    array([2, 0, 1])
    """
    kinds = int(ids.max()) + 1 if len(ids) else 1
    if count * kinds <= _MARKS:
        marks: npt.NDArray[np.bool_] = np.zeros((count, kinds), np.bool_)
        marks[walks, ids] = True
        counts: Ints = marks.sum(axis=1)
        return counts
    return np.bincount(np.unique(walks * kinds + ids) // kinds, minlength=count)
