"""Work that several processes share: what comes of it comes in its order, and memory does not grow with it."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")
# So many items wait for each process: it never has to wait for the next.
_AHEAD = 2


def in_processes(
    jobs: int, begin: Callable[..., None], given: tuple[Any, ...], work: Callable[[T], R], items: Iterable[T]
) -> Iterator[R]:
    """Do some work with each item, in any order.

    Each process is a fresh interpreter: a copy of this one would share what is open here. It imports the main module,
    which therefore has to begin its own work under `if __name__ == "__main__":`.

    Args:
        jobs: how many processes.
        begin: called once in each of them.
        given: what that is called with.
        work: called there with an item.
        items: are made as they are needed.
    """
    with ProcessPoolExecutor(jobs, get_context("spawn"), begin, given) as pool:
        pool.submit(int)  # they start while the first item is made
        waiting: deque[Future[R]] = deque()
        rest = iter(items)
        for item in rest:
            waiting.append(pool.submit(work, item))
            waiting.extend(pool.submit(work, more) for more in islice(rest, _AHEAD * jobs - len(waiting)))
            yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
