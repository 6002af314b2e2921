"""OpenLineage's own Python client, unchanged, with all that its HTTP transport offers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
import requests
from openlineage.client import OpenLineageClient
from openlineage.client.event_v2 import Dataset, InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import schema_dataset

from headwater.store import open_store
from headwater.store.tokens import Scope, create_token

if TYPE_CHECKING:
    from tests.server.conftest import Serve


def _event(state: RunState, run: str) -> RunEvent:
    schema = schema_dataset.SchemaDatasetFacet(fields=[schema_dataset.SchemaDatasetFacetFields("a", "int")])
    return RunEvent(
        eventType=state,
        eventTime="2026-01-01T00:00:00Z",
        run=Run(run),
        job=Job("jobs", "daily"),
        producer="https://example.com/producer",
        inputs=[InputDataset("lake", "in")],
        outputs=[OutputDataset("lake", "out", facets={"schema": schema})],
    )


def _stored(url: str) -> int:
    with open_store(url) as store, store.read() as session:
        return int(session.rows("SELECT count(*) FROM event")[0][0])


@pytest.mark.parametrize("more", [{}, {"compression": "gzip"}, {"endpoint": "api/v1/lineage/"}])
def test_the_client_sends_its_events(serve: Serve, any_url: str, more: dict[str, Any]) -> None:
    served = serve(any_url)
    client = OpenLineageClient(config={"transport": {"type": "http", "url": served.url, **more}})
    run = str(uuid4())
    client.emit(_event(RunState.START, run))
    client.emit(_event(RunState.COMPLETE, run))
    client.close()
    assert _stored(any_url) == 2


def test_the_client_sends_its_key_as_a_token(serve: Serve, any_url: str) -> None:
    with open_store(any_url) as store:
        token = store.transact(lambda session: create_token(session, "airflow", Scope.WRITE, 0))
    served = serve(any_url)
    transport = {"type": "http", "url": served.url}
    for key, stored in ((token, 1), ("wrong", 1), (None, 1)):
        auth = {"auth": {"type": "api_key", "apiKey": key}} if key else {}
        client = OpenLineageClient(config={"transport": {**transport, **auth}})
        if key == token:
            client.emit(_event(RunState.START, str(uuid4())))
        else:
            with pytest.raises(requests.HTTPError, match="401"):
                client.emit(_event(RunState.START, str(uuid4())))
        client.close()
        assert _stored(any_url) == stored


def test_an_event_that_cannot_be_stored_is_an_error_of_the_client(serve: Serve, any_url: str) -> None:
    served = serve(any_url)
    client = OpenLineageClient(config={"transport": {"type": "http", "url": served.url}})
    event = _event(RunState.START, str(uuid4()))
    event.inputs = [Dataset("lake", "a\0b")]  # type: ignore[list-item]
    with pytest.raises(requests.HTTPError, match="422"):
        client.emit(event)
    client.close()
    assert _stored(any_url) == 0
