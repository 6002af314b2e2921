"""Whatever is sent, the server answers as its OpenAPI page says, and never with an error of its own.

`HEADWATER_EXAMPLES=200` tries more at random than the few that every run has time for.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from uuid import UUID

import schemathesis
from schemathesis import engine
from schemathesis.config import SchemathesisConfig
from schemathesis.engine.events import NonFatalError, ScenarioFinished
from schemathesis.python.asgi import shutdown_lifespans
from tests.food_delivery import events

from headwater.server.app import create_app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemathesis.engine.recorder import ScenarioRecorder

    from headwater.store import Store

_EXAMPLES = int(os.environ.get("HEADWATER_EXAMPLES", "5"))
_SETTINGS: dict[str, Any] = {
    "seed": 1,
    "continue-on-failure": True,
    # These fail where a machine is slow.
    "suppress-health-check": ["all"],
    "generation": {"deterministic": True, "max-examples": _EXAMPLES, "no-shrink": True, "database": "none"},
    # These follow links between operations, of which the page has none.
    "phases": {"stateful": {"enabled": False}},
}
_OFF = {"enabled": False}
# The checks that do not hold for some operations, and why.
_EXCEPTIONS: list[dict[str, Any]] = [
    {
        "include-path-regex": "/api/v1/questions/",
        "include-method": "GET",
        "checks": {
            # Parts exclude each other, times have several forms, cursors are those of the page before.
            "positive_data_acceptance": _OFF,
            # In a URL, any text is a list of one, and a number is a text.
            "negative_data_rejection": _OFF,
        },
    },
    {
        "include-path-regex": "/api/v1/questions/",
        "include-method": "POST",
        "checks": {"positive_data_acceptance": _OFF},  # as by GET
    },
    {
        "include-path-regex": "/api/v1/(column-)?lineage$",
        # Node ids go by what is known; no text in an event may hold NUL.
        "checks": {"positive_data_acceptance": _OFF},
    },
    {
        "include-path-regex": "/api/v1/lineage/batch$",
        "checks": {
            "positive_data_acceptance": _OFF,  # as of one event
            # 207: the bad events are refused, each for itself.
            "negative_data_rejection": {"expected-statuses": ["207", "400", "415", "422"]},
        },
    },
    {
        "include-path-regex": "/jobs/{job}/runs$",
        "include-method": "POST",
        "checks": {"positive_data_acceptance": _OFF},  # there may be a run of that id already
    },
    {
        "include-path-regex": "^/(aspects|entities|entitiesV2|relationships|openapi)",
        "checks": {
            # A URN has a shape of its own, which has to agree with the kind in the path; times have several forms.
            "positive_data_acceptance": _OFF,
            # In a URL, any text is a list of one; what is wrong within a body is refused each for itself.
            "negative_data_rejection": {"expected-statuses": ["200", "400", "404", "415", "422"]},
        },
    },
    {
        "include-path-regex": "/batchGet$",
        "checks": {
            "positive_data_acceptance": _OFF,
            "negative_data_rejection": {"expected-statuses": ["200", "400", "404", "415", "422"]},
            # It stands where the URN of an entity stands, which has other methods.
            "allow_header_conformance": _OFF,
        },
    },
    {
        "include-path-regex": "/api/v1/stats/",
        "checks": {"positive_data_acceptance": _OFF},  # time zones are those that the machine knows
    },
]


def test_any_request_is_answered_as_the_page_says(any_store: Store) -> None:
    any_store.ingest(events())
    settings = {**_SETTINGS, **_names(any_store), "operations": _EXCEPTIONS}
    if any_store.url.startswith("postgresql"):
        # What is wrong with a request is told before the store is asked: once through all of that is enough.
        settings["phases"] = {**_SETTINGS["phases"], "coverage": _OFF}
    config = SchemathesisConfig.from_dict(settings)
    page = schemathesis.openapi.from_asgi("/openapi.json", create_app(any_store), config=config)
    broken: dict[str, str] = {}
    answered: set[str] = set()
    unnamed: set[tuple[str, int]] = set()
    try:
        for event in engine.from_schema(page).execute():
            if isinstance(event, NonFatalError):
                broken[event.label] = f"{event.label}: {event.info.format()}"
            if isinstance(event, ScenarioFinished):
                broken |= dict(_failures(event.recorder))
                answered |= {event.recorder.label for status in _statuses(event.recorder) if status < 300}
                unnamed |= set(_unnamed(event.recorder))
    finally:
        shutdown_lifespans()
    assert not broken, "\n\n".join(broken.values())
    assert not unnamed
    operations = {f"{method.upper()} {path}" for path in page for method in page[path]}
    assert len(answered & operations) > len(operations) / 2, "what hardly ever succeeds shows nothing of its answers"


def _names(store: Store) -> dict[str, Any]:
    """Settings by which parameters hold what the store knows, as often as not."""
    with store.read() as session:
        names = session.rows("SELECT namespace, name FROM dataset ORDER BY id")
        jobs = session.rows("SELECT namespace, name FROM job ORDER BY id")
        runs = [str(UUID(bytes=uuid)) for (uuid,) in session.rows("SELECT uuid FROM run ORDER BY uuid")]
        versions = [str(UUID(bytes=uuid)) for (uuid,) in session.rows("SELECT uuid FROM version ORDER BY uuid")]
    known = {
        "namespace": sorted({namespace for namespace, _ in (*names, *jobs)}),
        "dataset": [name for _, name in names],
        "job": [name for _, name in jobs],
        "nodeId": [f"dataset:{namespace}:{name}" for namespace, name in names],
        "run": runs,
        "runId": runs,
        "id": runs,
        "version": versions,
        "column": ["id", "email", "city"],
        "field": ["id", "email", "city"],
        "entity": ["dataset"],
        "urn": [f"urn:li:dataset:(urn:li:dataPlatform:{namespace},{name},PROD)" for namespace, name in names],
        "aspect": ["schemaMetadata", "datasetKey"],
    }
    known |= {f"body.{part}": known[part] for part in ("dataset", "job", "run", "version", "column")}
    return {
        "dictionaries": {parameter: {"values": values} for parameter, values in known.items()},
        "parameters": {parameter: {"dictionary": parameter, "probability": 0.5} for parameter in known},
    }


def _failures(recorder: ScenarioRecorder) -> Iterator[tuple[str, str]]:
    """Each way in which an operation broke its contract, with a request that shows it."""
    for case, checks in recorder.checks.items():
        answer = recorder.interactions[case].response if case in recorder.interactions else None
        for check in checks:
            if check.failure_info is not None:
                failure = check.failure_info.failure
                kind = f"{recorder.label}: {check.name}: {failure.title}"
                yield kind, f"{kind}: {failure.message}\n{check.failure_info.code_sample}\n{answer and answer.text}"


def _statuses(recorder: ScenarioRecorder) -> set[int]:
    return {int(call.response.status_code) for call in recorder.interactions.values() if call.response is not None}


def _unnamed(recorder: ScenarioRecorder) -> Iterator[tuple[str, int]]:
    """Statuses that the page says only by `default`, which is for what any request may meet: 405 here, and no more."""
    for case in recorder.cases.values():
        named = case.value.operation.definition.raw["responses"]
        response = recorder.interactions[case.value.id].response if case.value.id in recorder.interactions else None
        if response is not None and response.status_code != 405 and str(int(response.status_code)) not in named:
            yield recorder.label, int(response.status_code)
