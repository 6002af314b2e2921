"""Many writers on one store, on the same runs and datasets: what one writer alone would have made of it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest
from tests.store.writer_processes import acknowledged, overlapping, start_writer, to_file
from tests.waiting import wait_for

from headwater.store import open_store
from headwater.store.ingest.batch import write_events
from headwater.store.ingest.prepared_event import make_ready

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tests.conftest import EventMaker
    from tests.store.conftest import View

    from headwater.store import Store
    from headwater.store.db.session import Session


def _alone(folder: Path, events: Sequence[dict[str, Any]], natural_view: Callable[[Store], View]) -> View:
    with open_store(str(folder / "alone.db")) as alone:
        alone.ingest(events)
        return natural_view(alone)


def test_processes_write_the_same_things_at_once(
    any_url: str, tmp_path: Path, natural_view: Callable[[Store], View]
) -> None:
    events = overlapping(60)
    file = to_file(events, tmp_path)
    writers = [start_writer(any_url, file, seed) for seed in range(4 if any_url.startswith("sqlite") else 2)]
    for writer in writers:
        output, error = writer.communicate()
        assert (writer.returncode, error) == (0, "")
        assert acknowledged(output.splitlines()) == set(range(len(events)))
    with open_store(any_url) as shared:
        assert natural_view(shared) == _alone(tmp_path, events, natural_view)


def test_threads_share_one_store(any_store: Store, tmp_path: Path, natural_view: Callable[[Store], View]) -> None:
    events = overlapping(40)
    failures: list[BaseException] = []

    def write(first: int) -> None:
        try:
            for event in events[first:] + events[:first]:
                any_store.ingest([event])
        except BaseException as failure:  # noqa: BLE001  it is raised again, where the test sees it
            failures.append(failure)

    threads = [threading.Thread(target=write, args=(first,)) for first in (0, 20, 40, 60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert natural_view(any_store) == _alone(tmp_path, events, natural_view)


def test_questions_go_on_while_somebody_writes(any_store: Store, any_url: str, maker: EventMaker) -> None:
    any_store.ingest([maker(1)])
    with any_store.read() as before:
        assert before.rows("SELECT count(*) FROM event") == [(1,)]
        with open_store(any_url) as other:
            other.ingest([maker(2)])
        assert before.rows("SELECT count(*) FROM event") == [(1,)], "a question sees one moment"
    with any_store.read() as after:
        assert after.rows("SELECT count(*) FROM event") == [(2,)]


def _links(*names: str) -> dict[str, Any]:
    return {"symlinks": {"identifiers": [{"namespace": "lake", "name": name, "type": "TABLE"} for name in names]}}


def _of_job(event: dict[str, Any]) -> dict[str, Any]:
    """The same said of a job, without a run."""
    url = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent"
    return {"schemaURL": url, **{key: value for key, value in event.items() if key not in {"run", "eventType"}}}


@pytest.mark.parametrize("table", ["schema", "alias", "job"])
def test_who_changes_what_others_rely_on_waits_for_them(
    table: str, postgres_url: str, tmp_path: Path, maker: EventMaker, natural_view: Callable[[Store], View]
) -> None:
    """Of two transactions at once one finds that nothing is new, and the other changes just that."""
    schema = {"schema": {"fields": [{"name": "a", "type": "int"}]}}
    before, relying, changing = {
        "schema": (
            maker(1, facets=schema),
            {**maker(3, out=None), "inputs": [{"namespace": "lake", "name": "out", "facets": schema}]},
            maker(2, schema={"b": "int"}),
        ),
        "alias": (
            maker(1, facets=_links("view")),
            maker(3, facets=_links("view")),
            maker(2, out="other", facets=_links("view")),
        ),
        "job": (maker(1), maker(2, out="other"), _of_job(maker(3, out=None))),
    }[table]
    with open_store(postgres_url) as first, open_store(postgres_url) as other:
        first.ingest([before])
        changer = threading.Thread(target=other.ingest, args=([changing],))
        with first.database.writing() as session:
            write_events(session, first.cache, [make_ready(relying)])
            changer.start()
            wait_for("the other to wait", lambda: session.rows("SELECT 1 FROM pg_locks WHERE NOT granted"))
        changer.join()
        assert natural_view(first) == _alone(tmp_path, [before, relying, changing], natural_view)


def test_a_transaction_that_fails_leaves_the_cache_to_a_writer_in_another_thread(store: Store) -> None:
    """A writer relies on what it has looked up: without it, events that other requests bring at that time failed."""

    def fail(_session: Session) -> None:
        raise ValueError

    store.cache.words["orders"] = 1
    with pytest.raises(ValueError):  # noqa: PT011  its own
        store.transact(fail)
    assert store.cache.words
    with pytest.raises(ValueError):  # noqa: PT011  its own
        store.transact(fail, store.cache)
    assert not store.cache.words
