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


def as_taken_by(transport: Transport, text: bytes) -> Event:
    """The event in a form that the transport takes.

    HTTP's writes any mapping as the JSON that it was: nothing that another version knew more of can get lost.

    Raises:
        ValueError: it is no event.
    """
    event = json.loads(text)
    return cast("Event", event) if type(transport) is HttpTransport else rebuilt(event)


def rebuilt(event: Mapping[str, Any]) -> RunEvent | JobEvent | DatasetEvent:
    """The event; facets stay as they are. To write it as JSON again gives the same text.

    >>> rebuilt({"eventTime": "2026-01-01T00:00:00Z", "job": {"namespace": "shop", "name": "daily"}}).job.name
    'daily'

    Raises:
        ValueError: it is no event.
    """
    try:
        made = _rebuilt(event)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"Not an OpenLineage event: {type(error).__name__} {error}") from error
    # Another version may have written it.
    made.schemaURL = event.get("schemaURL", made.schemaURL)
    return made


def _rebuilt(event: Mapping[str, Any]) -> RunEvent | JobEvent | DatasetEvent:
    when, producer = event["eventTime"], event.get("producer", "")
    if "dataset" in event:
        return DatasetEvent(eventTime=when, producer=producer, dataset=StaticDataset(**event["dataset"]))
    job = Job(**event["job"])
    inputs = _each(InputDataset, event.get("inputs"))
    outputs = _each(OutputDataset, event.get("outputs"))
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


def _each(made: Any, datasets: list[Mapping[str, Any]] | None) -> list[Any] | None:  # noqa: ANN401 (a class)
    return None if datasets is None else [made(**dataset) for dataset in datasets]
