"""Statements and applications for the tests of events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from openlineage.client.event_v2 import RunState

from headwater.openlineage.build.events import Application, RunDetails
from headwater.openlineage.build.options import EventOptions
from headwater.openlineage.build.serialize import to_dict
from headwater.openlineage.naming.datasets import Catalog
from headwater.rules.statements.statements import Statement

RUN = "01890a5d-ac96-774b-bcce-b302099a8057"


class Sender:
    """An application, and the JSON of its events; each is held to OpenLineage's published schemas."""

    def __init__(self, application: Application, errors: Callable[[Mapping[str, Any]], list[str]]) -> None:
        self.application = application
        self._errors = errors

    def json(self, event: Any) -> dict[str, Any]:  # noqa: ANN401 (any event)
        written = to_dict(event)
        assert self._errors(written) == []
        return written

    def statement(
        self, statement: Statement, state: RunState = RunState.COMPLETE, details: RunDetails | None = None
    ) -> dict[str, Any]:
        """An event of a statement's run."""
        job = self.application.statement_job(statement)
        return self.json(
            self.application.statement_event(
                state, 1000, run_id=RUN, job=job, statement=statement, details=details or RunDetails()
            )
        )


@pytest.fixture
def sender(event_errors: Callable[[Mapping[str, Any]], list[str]]) -> Callable[..., Sender]:
    """An application with some options."""

    def make(**options: Any) -> Sender:  # noqa: ANN401 (any option)
        application = Application("shop", "App", RUN, "4.1.4", Catalog("file:/warehouse"), EventOptions(**options))
        return Sender(application, event_errors)

    return make
