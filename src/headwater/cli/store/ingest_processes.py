"""Lines of events into a store by several processes: each reads, checks and writes batches of its own."""

from collections.abc import Iterable, Iterator, Sequence

from headwater.cli.store.event_lines import RawLine
from headwater.cli.store.ingest_counts import Loaded, load
from headwater.client.connect import connect
from headwater.client.lineage import Lineage
from headwater.common.worker_processes import in_processes

_target: Lineage | None = None


def load_in_processes(store: str, jobs: int, batches: Iterable[Sequence[RawLine]]) -> Iterator[Loaded]:
    """Store batches, in any order; what became of them comes in theirs."""
    return in_processes(jobs, _open, (store,), _load, batches)


def _open(store: str) -> None:
    global _target  # noqa: PLW0603  a process has one store
    _target = connect(store)


def _load(lines: Sequence[RawLine]) -> Loaded:
    assert _target is not None  # noqa: S101  the process began with it
    return load(_target, [line.read() for line in lines])
