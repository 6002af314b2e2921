"""Ingests lines with several processes, each of which parses, checks and writes its own batches."""

from collections.abc import Iterable, Iterator, Sequence

from headwater.cli.store.event_lines import RawLine
from headwater.cli.store.ingest_counts import Loaded, load
from headwater.client.connect import connect
from headwater.client.lineage import Lineage
from headwater.common.worker_processes import in_processes

_target: Lineage | None = None


def load_in_processes(store: str, jobs: int, batches: Iterable[Sequence[RawLine]]) -> Iterator[Loaded]:
    """Store batches in any order; the results come in the order of the batches."""
    return in_processes(jobs, _open, (store,), _load, batches)


def _open(store: str) -> None:
    global _target  # noqa: PLW0603  a process has one store
    _target = connect(store)


def _load(lines: Sequence[RawLine]) -> Loaded:
    assert _target is not None  # noqa: S101  set by _open
    return load(_target, [line.read() for line in lines])
