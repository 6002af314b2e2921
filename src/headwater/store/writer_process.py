"""Batches into a store by a process of its own: it writes one while the caller makes and checks the next."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from typing import Any, TypeAlias

from headwater.common.garbage import collect_rarely
from headwater.common.worker_processes import in_processes
from headwater.store.errors import Unavailable
from headwater.store.ingest.prepared_event import Ready
from headwater.store.store import IngestResult, Rejected, Store, open_store

_Prepared: TypeAlias = tuple[list[Ready], list[Rejected]]
_store: Store | None = None


def ingest_apart(store: Store, batches: Iterable[Sequence[Mapping[str, Any]]]) -> Iterator[IngestResult]:
    """Store batch after batch, as `Store.ingest_many` does; to start the process takes about as long as 500 events.

    A batch is on disk when its result comes. What is not taken from the iterator may not be written.
    """
    try:
        yield from in_processes(1, _open, (store.url,), _ingest, (_prepared(store, batch) for batch in batches))
    except BrokenProcessPool:
        message = "The process that writes the store was killed before it finished: make sure there is enough memory"
        raise Unavailable(
            f"{message}, then run the command again; events that are already stored are skipped."
        ) from None


def _prepared(store: Store, batch: Sequence[Mapping[str, Any]]) -> _Prepared:
    ready, rejected = store.prepared(batch)
    # What was read from an event and written down goes without the event, which is as large again.
    return [replace(event, raw={}) if event.meaning and event.body else event for event in ready], rejected


def _open(url: str) -> None:
    global _store  # noqa: PLW0603  a process has one store
    collect_rarely()
    _store = open_store(url)


def _ingest(prepared: _Prepared) -> IngestResult:
    assert _store is not None  # noqa: S101  the process began with it
    return _store.ingest_prepared(*prepared)
