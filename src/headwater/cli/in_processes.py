"""Lines of events into a store by several processes: each reads, checks and writes batches of its own."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context

from headwater.cli.event_lines import RawLine
from headwater.cli.loaded import Loaded, load
from headwater.client import Lineage, connect

# So many batches wait for each process: it never has to wait, and memory does not grow with the file.
_AHEAD = 2
_target: Lineage | None = None


def load_in_processes(store: str, jobs: int, batches: Iterable[Sequence[RawLine]]) -> Iterator[Loaded]:
    """Store batches, in any order; what became of them comes in theirs."""
    # A fresh interpreter each: a copy of this one would share what is open here.
    with ProcessPoolExecutor(jobs, get_context("spawn"), _open, (store,)) as pool:
        waiting: deque[Future[Loaded]] = deque()
        rest = iter(batches)
        for batch in rest:
            waiting.append(pool.submit(_load, batch))
            waiting.extend(pool.submit(_load, more) for more in islice(rest, _AHEAD * jobs - len(waiting)))
            yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _open(store: str) -> None:
    global _target  # noqa: PLW0603  a process has one store
    _target = connect(store)


def _load(lines: Sequence[RawLine]) -> Loaded:
    assert _target is not None  # noqa: S101  the pool opened it
    return load(_target, [line.read() for line in lines])
