"""From an event's JSON back to the classes of openlineage-python, which transports expect."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from openlineage.client.client import Event
from openlineage.client.event_v2 import (
    DatasetEvent,
    InputDataset,
    Job,
    JobEvent,
    OutputDataset,
    Run,
    RunEvent,
    RunState,
    StaticDataset,
)
from openlineage.client.transport import HttpTransport, Transport


def event_for(transport: Transport, text: bytes) -> Event:
    """The event in the form that a transport accepts.

    HTTP's transport writes any mapping as JSON, unchanged, so fields that another version has added are not lost.

    Raises:
        ValueError: the text is not an event.
    """
    event = json.loads(text)
    return cast("Event", event) if type(transport) is HttpTransport else rebuilt(event)


def rebuilt(event: Mapping[str, Any]) -> RunEvent | JobEvent | DatasetEvent:
    """The event as an object; facets stay dictionaries. It serializes to the same JSON again.

    >>> rebuilt({"eventTime": "2026-01-01T00:00:00Z", "job": {"namespace": "shop", "name": "daily"}}).job.name
    'daily'

    Raises:
        ValueError: the JSON is not an event.
    """
    try:
        rebuilt_event = _rebuilt(event)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"Not an OpenLineage event: {type(error).__name__} {error}") from error
    # Another version may have written it.
    rebuilt_event.schemaURL = event.get("schemaURL", rebuilt_event.schemaURL)
    return rebuilt_event


def _rebuilt(event: Mapping[str, Any]) -> RunEvent | JobEvent | DatasetEvent:
    when, producer = event["eventTime"], event.get("producer", "")
    if "dataset" in event:
        return DatasetEvent(eventTime=when, producer=producer, dataset=StaticDataset(**event["dataset"]))
    job = Job(**event["job"])
    inputs = _datasets(InputDataset, event.get("inputs"))
    outputs = _datasets(OutputDataset, event.get("outputs"))
    if "run" not in event:
        return JobEvent(eventTime=when, producer=producer, job=job, inputs=inputs, outputs=outputs)
    kind = event.get("eventType")
    return RunEvent(
        eventTime=when,
        producer=producer,
        eventType=RunState(kind) if kind else None,
        run=Run(**event["run"]),
        job=job,
        inputs=inputs,
        outputs=outputs,
    )


def _datasets(kind: Any, datasets: list[Mapping[str, Any]] | None) -> list[Any] | None:  # noqa: ANN401 (a class)
    return None if datasets is None else [kind(**dataset) for dataset in datasets]
