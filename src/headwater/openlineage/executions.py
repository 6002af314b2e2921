"""From what the listener saw, execution by execution, to events: one run for each write that the user asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone

from openlineage.client.event_v2 import RunEvent, RunState
from openlineage.client.uuid import generate_new_uuid

from headwater.openlineage.events import Application, merge_nested
from headwater.rules.statements import Statement


@dataclass
class _Running:
    """A root execution that has not ended, with those that it started."""

    millis: int
    run_id: str
    statement: Statement | None = None
    nested: dict[int, Statement] = field(default_factory=dict)
    job: str | None = None  # set when START was sent: the run keeps the name that it began with

    def merged(self) -> Statement | None:
        return merge_nested(self.statement, (self.nested[id_] for id_ in sorted(self.nested)))


class Executions:
    """Follows the SQL executions of one application, and says which events to send.

    START is sent as soon as the plan is known; a short execution may be over by then, and gets both events at its end.
    An execution that writes nothing gets none.
    """

    def __init__(self, application: Application) -> None:
        self._application = application
        self._running: dict[int, _Running] = {}
        self._root_of: dict[int, int] = {}

    def knows_what_is_written(self, root: int) -> bool:
        """Whether a root execution has said what it writes: then of those inside it only the place matters."""
        running = self._running.get(root)
        return running is not None and running.statement is not None and bool(running.statement.writes)

    def root_of(self, id_: int) -> int:
        """The execution that another one was started by in the end; itself, if by none."""
        return self._root_of.get(id_, id_)

    def started(self, id_: int, root: int, millis: int, statement: Statement | None) -> Iterator[RunEvent]:
        """An execution has started; `statement` is None where its plan is not known yet, or writes nothing."""
        self._root_of[id_] = root
        running = self._running.get(root)
        if running is None:
            running = self._running[root] = _Running(millis, _new_run_id(millis))
        if statement is None:
            return
        if id_ != root:
            running.nested[id_] = statement
            return
        running.statement = statement
        if statement.writes:
            running.job = self._application.statement_job(statement)
            yield self._application.statement_event(
                RunState.START, running.millis, run_id=running.run_id, job=running.job, statement=statement
            )

    def ended(self, id_: int, millis: int, statement: Statement | None, error: str | None) -> Iterator[RunEvent]:
        """An execution has ended; `statement` is there if its plan was not read at the start."""
        root = self._root_of.pop(id_, id_)
        running = self._running.get(root)
        if running is None:
            return
        if id_ != root:
            if statement is not None:
                running.nested[id_] = statement
            return
        del self._running[root]
        if statement is not None:
            running.statement = statement
        merged = running.merged()
        if merged is None or not (merged.writes or merged.opaque):
            return
        job = running.job or self._application.statement_job(merged)
        send = self._application.statement_event
        if running.job is None:
            yield send(RunState.START, running.millis, run_id=running.run_id, job=job, statement=merged)
        state = RunState.COMPLETE if error is None else RunState.FAIL
        yield send(state, millis, run_id=running.run_id, job=job, statement=merged, error=error)


def _new_run_id(millis: int) -> str:
    return str(generate_new_uuid(datetime.fromtimestamp(millis / 1000, tz=timezone.utc)))
