"""Whatever is sent, the server answers as its OpenAPI page says, and never with an error of its own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from uuid import UUID

import schemathesis
from schemathesis import engine
from schemathesis.config import SchemathesisConfig
from schemathesis.engine.events import NonFatalError, ScenarioFinished
from schemathesis.python.asgi import shutdown_lifespans
from tests.cli.food_delivery import events

from headwater.server.app import create_app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemathesis.engine.recorder import ScenarioRecorder

    from headwater.store import Store

_EXAMPLES = int(os.environ.get("HEADWATER_EXAMPLES", "5"))


def test_any_request_is_answered_as_the_page_says(any_store: Store) -> None:
    any_store.ingest(events())
    config = SchemathesisConfig.from_dict({**_SETTINGS, **_names(any_store)})
    page = schemathesis.openapi.from_asgi("/openapi.json", create_app(any_store), config=config)
    found: dict[str, str] = {}
    asked: set[str] = set()
    statuses = {}
    try:
        for event in engine.from_schema(page).execute():
            assert not isinstance(event, NonFatalError), event.info
            if isinstance(event, ScenarioFinished):
                asked.add(event.recorder.label)
                for i in event.recorder.interactions.values():
                    if i.response is not None:
                        k=(event.recorder.label,i.response.status_code)
                        statuses[k]=statuses.get(k,0)+1
                found |= dict(_failures(event.recorder))
    finally:
        shutdown_lifespans()
    if os.environ.get("DEBUG_CONTRACT"):
        import json
        for k,v in sorted(statuses.items()): print(k,v)
    assert not found, "\n\n".join(found.values())
    assert asked == {f"{method.upper()} {path}" for path in page for method in page[path]}


_SETTINGS: dict[str, Any] = {
    "seed": 1,
    "continue-on-failure": True,
    "generation": {"deterministic": True, "max-examples": _EXAMPLES, "no-shrink": True, "database": "none"},
    "phases": {"stateful": {"enabled": False}},
}


def _names(store: Store) -> dict[str, Any]:
    """Configuration by which parameters hold names that the store has, as often as not."""
    with store.read() as session:
        runs = [str(UUID(bytes=uuid)) for (uuid,) in session.rows("SELECT uuid FROM run ORDER BY id")]
        versions = [str(UUID(bytes=uuid)) for (uuid,) in session.rows("SELECT uuid FROM version ORDER BY uuid")]
        jobs = [name for (name,) in session.rows("SELECT name FROM job ORDER BY id")]
        nss = [name for (name,) in session.rows("SELECT DISTINCT namespace FROM job UNION SELECT DISTINCT namespace FROM dataset")]
        datasets = [name for (name,) in session.rows("SELECT name FROM dataset ORDER BY id")]
    print(runs[:1], versions[:1], jobs, nss, datasets)
    known = {"namespace": nss, "dataset": datasets, "job": jobs, "run": runs, "id": runs, "runId": runs, "version": versions}
    return {
        "dictionaries": {name: {"values": found} for name, found in known.items()},
        "parameters": {name: {"dictionary": name, "probability": 0.5} for name in known},
    }


def _failures(recorder: ScenarioRecorder) -> Iterator[tuple[str, str]]:
    """One failure of each kind, with what reproduces it."""
    for checks in recorder.checks.values():
        for check in checks:
            if check.failure_info is not None:
                failure = check.failure_info.failure
                yield (
                    f"{recorder.label} {check.name} {failure.title}",
                    f"{recorder.label}: {check.name}: {failure.title}: {failure.message}\n{check.failure_info.code_sample}",
                )
