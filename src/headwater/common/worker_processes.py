"""Work shared by several processes: results come in the order of the items, in bounded memory."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")
# Items queued for each process, so that none has to wait for its next.
_AHEAD = 2


def in_processes(
    jobs: int, begin: Callable[..., None], arguments: tuple[Any, ...], work: Callable[[T], R], items: Iterable[T]
) -> Iterator[R]:
    """Apply `work` to each item.

    Each process is a fresh interpreter: a fork would share the files and connections that are open here. It imports the
    main module, which therefore must keep its own work under `if __name__ == "__main__":`.

    Args:
        jobs: the number of processes.
        begin: called once in each process, with `arguments`.
        arguments: the arguments of `begin`.
        work: called with each item.
        items: consumed lazily.
    """
    with ProcessPoolExecutor(jobs, get_context("spawn"), begin, arguments) as pool:
        pool.submit(int)  # starts the processes while the first item is made
        waiting: deque[Future[R]] = deque()
        rest = iter(items)
        for item in rest:
            waiting.append(pool.submit(work, item))
            waiting.extend(pool.submit(work, more) for more in islice(rest, _AHEAD * jobs - len(waiting)))
            yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
