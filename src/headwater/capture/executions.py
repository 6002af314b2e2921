"""From the executions that the listener saw to events: one run for each write of the user.

`Executions` has the state: which executions run inside which, and which runs and streams are open. `nested_executions`
merges the statements of one root, without state; `tracker` feeds both from the listener's messages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import TypeAlias

from openlineage.client.event_v2 import DatasetEvent, RunEvent, RunState
from openlineage.client.uuid import generate_new_uuid

from headwater.capture.job_names import JobNames
from headwater.capture.known_views import KnownViews
from headwater.capture.nested_executions import Part, merge_statements, run_statistics, split_statements
from headwater.capture.spark_catalog import (
    DroppedTables,
    FindPlace,
    FindTable,
    completed_by_catalog,
    is_known_at_end,
    placed_by_catalog,
    with_partitions,
)
from headwater.openlineage.build.events import Application, RunDetails
from headwater.openlineage.build.statistics import Scan, Statistics
from headwater.rules.plan.tree import Dataset
from headwater.rules.statements.statements import Statement

Event: TypeAlias = RunEvent | DatasetEvent

_NOTHING = Statistics()


@dataclass
class _Run:
    """A run that events are sent for: of one statement, or of a streaming query with all its micro-batches.

    Attributes:
        name: the streaming query's own name.
        job: set when START was sent; later events keep it.
        last: the streaming query's last micro-batch.
    """

    run_id: str
    name: str | None = None
    job: str | None = None
    last: Statement | None = None


@dataclass
class _Stream:
    """A streaming query's runs: its own, and more where one micro-batch writes from different inputs.

    Attributes:
        by_output: the run that last wrote each output, by name.
    """

    runs: list[_Run]
    by_output: dict[Hashable, _Run] = field(default_factory=dict)

    def assign(self, outputs: Sequence[Collection[Hashable]], millis: int) -> list[_Run]:
        """Assign a run to each of a micro-batch's statements by its outputs: the same run as in the previous batch."""
        chosen: dict[int, _Run] = {}
        assigned: set[int] = set()
        for number, names in enumerate(outputs):
            known = (self.by_output[name] for name in names if name in self.by_output)
            run = next((candidate for candidate in known if id(candidate) not in assigned), None)
            if run is not None:
                chosen[number] = run
                assigned.add(id(run))
        for number in range(len(outputs)):
            if number not in chosen:
                run = next((candidate for candidate in self.runs if id(candidate) not in assigned), None)
                if run is None:
                    run = _Run(_new_run_id(millis), self.runs[0].name)
                    self.runs.append(run)
                chosen[number] = run
                assigned.add(id(run))
        # Only the last batch counts: a query may write to another folder every day, for years.
        self.by_output = {name: chosen[number] for number, names in enumerate(outputs) for name in names}
        return [chosen[number] for number in range(len(outputs))]


@dataclass
class _Running:
    """A root execution that has not ended, with the executions inside it.

    Attributes:
        created_table: whether Spark's own catalog got a new table; None if it was not watched.
    """

    millis: int
    run: _Run
    sql: str | None = None
    root: Part = field(default_factory=Part)
    nested: dict[int, Part] = field(default_factory=dict)
    unfinished: list[int] = field(default_factory=list)
    dropped: DroppedTables | None = None
    created_table: bool | None = None

    def begin_nested(self, id_: int) -> None:
        self.nested[id_] = Part(inside=self.unfinished[-1] if self.unfinished else None)
        self.unfinished.append(id_)

    def record(self, id_: int, root: int, part: Part) -> None:
        """Record an execution; a statement known from its start stays."""
        before = self.root if id_ == root else self.nested.get(id_, Part())
        after = replace(part, statement=part.statement or before.statement, inside=before.inside)
        if id_ == root:
            self.root = after
        else:
            self.nested[id_] = after

    @property
    def statement(self) -> Statement | None:
        return merge_statements(self.root.statement, self.nested)

    @property
    def scans(self) -> Iterator[Scan]:
        """The scans of all its executions."""
        for part in (self.root, *self.nested.values()):
            yield from part.statistics.scans

    @property
    def had_nothing_to_write(self) -> bool:
        """Whether the statement writes only if its target is absent, and wrote nothing."""
        statement = self.root.statement
        if statement is None or not any(written.if_absent for written in statement.writes):
            return False
        if self.created_table is not None and not any(_is_place(written.dataset) for written in statement.writes):
            return not self.created_table
        if statement.view or all(written.fields is None for written in statement.writes):
            return False  # unknown
        inside = (part.statement.writes for part in self.nested.values() if part.statement is not None)
        # A write into a table that is still being created has no name yet.
        wrote_inside = any(not writes or any(not written.if_absent for written in writes) for writes in inside)
        return not wrote_inside and not any(counts.files for counts in self.root.statistics.writes)


class Executions:
    """Follows the SQL executions of one application, and yields the events to send.

    START is sent as soon as the plan is known; a short execution may be over by then, and gets both events at its end.
    An execution that writes nothing gets none. The micro-batches of a streaming query share one run: START with the
    first, RUNNING after each, and the last event when the query ends.

    Args:
        application: the application.
        lost: returns what the application has lost so far; events repeat it whenever it has changed.
        find: looks up a table in Spark's own catalog.
        place: returns where Spark's own catalog puts a new table.
    """

    def __init__(
        self,
        application: Application,
        lost: Callable[[], Mapping[str, int]] = dict,
        find: FindTable = lambda _: None,
        place: FindPlace = lambda _: None,
    ) -> None:
        self._application = application
        self._lost = lost
        self._find = find
        self._place = place
        self._reported_losses: Mapping[str, int] = {}
        self._running: dict[int, _Running] = {}
        self._root_of: dict[int, int] = {}
        self._streams: dict[str, _Stream] = {}
        self._known_views = KnownViews(application.catalog)
        self._job_names = JobNames(application)

    def knows_outputs(self, root: int) -> bool:
        """Whether a root execution's outputs are known: then only the locations of those inside it matter."""
        running = self._running.get(root)
        return running is not None and running.root.statement is not None and bool(running.root.statement.writes)

    def awaits_plan(self, root: int) -> bool:
        """Whether a root execution's plan is not known yet: executions inside may only make sense after it."""
        running = self._running.get(root)
        return running is not None and running.root.statement is None

    def complete_nested(self, id_: int, root: int, statement: Statement | None) -> None:
        """Add the statement of a nested execution after the fact."""
        running = self._running.get(root)
        if running is not None and id_ in running.nested:
            running.nested[id_] = replace(running.nested[id_], statement=statement)

    def root_of(self, id_: int) -> int:
        """The outermost execution around another one, or the execution itself."""
        return self._root_of.get(id_, id_)

    def started(
        self, id_: int, root: int, millis: int, statement: Statement | None, sql: str | None = None
    ) -> Iterator[Event]:
        """An execution has started; `statement` is None if its plan is not known yet, or writes nothing."""
        self._root_of[id_] = root
        running = self._running.get(root)
        if running is None:
            running = self._running[root] = _Running(millis, _Run(_new_run_id(millis)))
        if id_ != root:
            running.begin_nested(id_)
        if statement is None:
            return
        running.record(id_, root, Part(statement))
        if id_ == root:
            running.sql = sql
            if statement.writes and not is_known_at_end(statement):
                placed = placed_by_catalog(statement, self._find, self._place)
                yield from self._start_event(running, self._runs_of(running, [statement])[0], placed)

    def ended(  # noqa: PLR0913 (the fields of the message)
        self,
        id_: int,
        millis: int,
        statement: Statement | None,
        error: str | None,
        *,
        statistics: Statistics = _NOTHING,
        sql: str | None = None,
        dropped: DroppedTables | None = None,
        created_table: bool | None = None,
    ) -> Iterator[Event]:
        """An execution has ended; `statement` is None if its plan was read at the start."""
        root = self._root_of.pop(id_, id_)
        running = self._running.get(root)
        if running is None:
            return
        running.record(id_, root, Part(statement, statistics))
        running.dropped = dropped or running.dropped
        if created_table is not None:
            running.created_table = bool(running.created_table or created_table)
        if id_ != root:
            if id_ in running.unfinished:
                running.unfinished.remove(id_)
            return
        del self._running[root]
        running.sql = running.sql or sql
        yield from self._end_events(running, millis, error)

    def ran(
        self, started: int, ended: int, statement: Statement, error: str | None, sql: str | None = None
    ) -> Iterator[Event]:
        """A statement ran without an execution; the times are in milliseconds."""
        running = _Running(started, _Run(_new_run_id(started)), sql, Part(statement))
        yield from self._end_events(running, ended, error)

    def stream_started(self, query: str, run_id: str, name: str | None) -> None:
        """A streaming query has started."""
        self._streams[query] = _Stream([_Run(run_id, name)])

    def stream_ended(self, query: str, millis: int, error: str | None) -> Iterator[Event]:
        """A streaming query has ended, or failed."""
        stream = self._streams.pop(query, None)
        for run in stream.runs if stream is not None else ():
            if run.job is not None and run.last is not None:
                state = RunState.COMPLETE if error is None else RunState.FAIL
                yield self._event(state, millis, run, run.last, RunDetails(error=error, lost=self._new_losses()))

    def over(self, millis: int, *, application_ended: bool) -> Iterator[Event]:
        """End tracking: end the streams, and abort running statements if the application has ended."""
        for query in list(self._streams):
            yield from self.stream_ended(query, millis, None)
        for running in self._running.values():
            statement = running.statement
            aborted = application_ended and running.run.job is not None
            if aborted and statement is not None and statement.stream is None:
                details = RunDetails(sql=running.sql, lost=self._new_losses())
                yield self._event(RunState.ABORT, millis, running.run, statement, details)
        self._running.clear()
        self._root_of.clear()

    def _end_events(self, running: _Running, millis: int, error: str | None) -> Iterator[Event]:
        if error is None and running.had_nothing_to_write:
            return
        statements = split_statements(self._application.catalog, running.root.statement, running.nested)
        if error is None:
            statements = [(self._completed(statement, running), parts) for statement, parts in statements]
        statements = [(statement, parts) for statement, parts in statements if self._application.wants(statement)]
        runs = self._runs_of(running, [statement for statement, _ in statements])
        for (statement, parts), run in zip(statements, runs, strict=True):
            yield from self._end_of_statement(running, run, statement, parts, millis=millis, error=error)

    def _completed(self, statement: Statement, running: _Running) -> Statement:
        """The statement, completed by the catalog and by the files that were read."""
        completed = completed_by_catalog(statement, running.dropped, self._find)
        return with_partitions(completed, running.scans, self._application.catalog.name)

    def _end_of_statement(  # noqa: PLR0913 (the parts of the event)
        self,
        running: _Running,
        run: _Run,
        statement: Statement,
        parts: Mapping[int, Part],
        *,
        millis: int,
        error: str | None,
    ) -> Iterator[Event]:
        yield from self._definitions(running.millis, statement)
        if statement.view:
            if error is None:
                self._known_views.define(statement.writes)
                yield from self._application.view_events(millis, statement)
            return
        self._known_views.forget(statement.writes)
        yield from self._start_event(running, run, statement)
        if statement.stream is not None:
            run.last = statement
            if error is not None:
                return  # the query fails with its batch, and reports it itself
            state = RunState.RUNNING
        else:
            state = RunState.COMPLETE if error is None else RunState.FAIL
        details = RunDetails(
            sql=running.sql,
            error=error,
            statistics=run_statistics(self._application.catalog, statement, running.root, parts),
            lost=self._new_losses(),
        )
        yield self._event(state, millis, run, statement, details)

    def _definitions(self, millis: int, statement: Statement) -> Iterator[Event]:
        """The views that a statement reads, where this application has not sent what they are made of.

        They are sent for the moment at which the statement begins: from then on it reads them.
        """
        for view in self._known_views.new(statement.views):
            event = self._application.definition_event(millis, view)
            if event is not None:
                yield event

    def _start_event(self, running: _Running, run: _Run, statement: Statement) -> Iterator[Event]:
        """START, if it was not sent yet."""
        if run.job is None and not statement.view and self._application.wants(statement):
            run.job = self._job_names.name(statement, run.name)
            yield self._event(RunState.START, running.millis, run, statement, RunDetails(sql=running.sql))

    def _event(self, state: RunState, millis: int, run: _Run, statement: Statement, details: RunDetails) -> RunEvent:
        job = run.job or self._job_names.name(statement, run.name)
        return self._application.statement_event(
            state, millis, run_id=run.run_id, job=job, statement=statement, details=details
        )

    def _runs_of(self, running: _Running, statements: Sequence[Statement]) -> list[_Run]:
        query = next((statement.stream.query_id for statement in statements if statement.stream is not None), None)
        if query is None:
            return [running.run for _ in statements]
        # Tracking may have begun while the query was running.
        stream = self._streams.setdefault(query, _Stream([running.run]))
        name = self._application.catalog.name
        outputs = [
            [name(written.dataset) or written.dataset for written in statement.writes] for statement in statements
        ]
        return stream.assign(outputs, running.millis)

    def _new_losses(self) -> Mapping[str, int]:
        lost = self._lost()
        if lost == self._reported_losses:
            return {}
        self._reported_losses = lost
        return lost


def _is_place(dataset: Dataset) -> bool:
    """Whether a dataset is a path, which the catalog does not know.

    >>> _is_place(Dataset("file:/lake/t", ("delta", "/lake/t"))), _is_place(Dataset(table=("db", "t")))
    (True, False)
    """
    return not dataset.table or "/" in dataset.table[-1]


def _new_run_id(millis: int) -> str:
    return str(generate_new_uuid(datetime.fromtimestamp(millis / 1000, tz=timezone.utc)))
