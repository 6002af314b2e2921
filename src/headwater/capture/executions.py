"""From what the listener saw, execution by execution, to events: one run for each write that the user asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import TypeAlias

from openlineage.client.event_v2 import DatasetEvent, RunEvent, RunState
from openlineage.client.uuid import generate_new_uuid

from headwater.capture.nested import Part, merged, run_statistics, writes_apart
from headwater.capture.spark_catalog import Dropped, Find, as_catalogued, is_known_late, with_partitions
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
        name: the streaming query's own.
        job: set when START was sent: the run keeps the name that it began with.
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
        by_output: which run wrote what last, by the outputs' names.
    """

    runs: list[_Run]
    by_output: dict[Hashable, _Run] = field(default_factory=dict)

    def assign(self, outputs: Sequence[Collection[Hashable]], millis: int) -> list[_Run]:
        """A run for each of a micro-batch's statements, given by what they write: the same as in the batch before."""
        chosen: dict[int, _Run] = {}
        taken: set[int] = set()
        for number, names in enumerate(outputs):
            known = (self.by_output[name] for name in names if name in self.by_output)
            run = next((one for one in known if id(one) not in taken), None)
            if run is not None:
                chosen[number] = run
                taken.add(id(run))
        for number in range(len(outputs)):
            if number not in chosen:
                run = next((one for one in self.runs if id(one) not in taken), None)
                if run is None:
                    run = _Run(_new_run_id(millis), self.runs[0].name)
                    self.runs.append(run)
                chosen[number] = run
                taken.add(id(run))
        # Only the last batch counts: a query may write to another folder every day, for years.
        self.by_output = {name: chosen[number] for number, names in enumerate(outputs) for name in names}
        return [chosen[number] for number in range(len(outputs))]


@dataclass
class _Running:
    """A root execution that has not ended, with those that it started.

    Attributes:
        made: whether Spark's own catalog got a new table; None where it was not watched.
    """

    millis: int
    run: _Run
    sql: str | None = None
    root: Part = field(default_factory=Part)
    nested: dict[int, Part] = field(default_factory=dict)
    under_way: list[int] = field(default_factory=list)
    dropped: Dropped | None = None
    made: bool | None = None

    def began(self, id_: int) -> None:
        self.nested[id_] = Part(inside=self.under_way[-1] if self.under_way else None)
        self.under_way.append(id_)

    def put(self, id_: int, root: int, part: Part) -> None:
        """Keep what is known now, and what was known before of the same execution."""
        before = self.root if id_ == root else self.nested.get(id_, Part())
        after = replace(part, statement=part.statement or before.statement, inside=before.inside)
        if id_ == root:
            self.root = after
        else:
            self.nested[id_] = after

    @property
    def statement(self) -> Statement | None:
        return merged(self.root.statement, self.nested)

    @property
    def scans(self) -> Iterator[Scan]:
        """What its executions have read."""
        for part in (self.root, *self.nested.values()):
            yield from part.statistics.scans

    @property
    def found_it_done(self) -> bool:
        """Whether the statement was to write only what is not there yet, and wrote nothing."""
        statement = self.root.statement
        if statement is None or not any(written.if_absent for written in statement.writes):
            return False
        if self.made is not None and not any(_is_place(written.dataset) for written in statement.writes):
            return not self.made
        if statement.view or all(written.fields is None for written in statement.writes):
            return False  # nobody knows
        inside = (part.statement.writes for part in self.nested.values() if part.statement is not None)
        # What is written into a table that is still being made has no name yet.
        wrote_inside = any(not writes or any(not written.if_absent for written in writes) for writes in inside)
        return not wrote_inside and not any(counts.files for counts in self.root.statistics.writes)


class Executions:
    """Follows the SQL executions of one application, and says which events to send.

    START is sent as soon as the plan is known; a short execution may be over by then, and gets both events at its end.
    An execution that writes nothing gets none. The micro-batches of a streaming query share one run: START with the
    first, RUNNING after each, and the last event when the query ends.

    Args:
        application: whose executions they are.
        lost: what the application has lost so far; said again whenever it has become more.
        find: asks Spark's own catalog for a table.
    """

    def __init__(
        self,
        application: Application,
        lost: Callable[[], Mapping[str, int]] = dict,
        find: Find = lambda _: None,
    ) -> None:
        self._application = application
        self._lost = lost
        self._find = find
        self._told: Mapping[str, int] = {}
        self._running: dict[int, _Running] = {}
        self._root_of: dict[int, int] = {}
        self._streams: dict[str, _Stream] = {}

    def knows_what_is_written(self, root: int) -> bool:
        """Whether a root execution has said what it writes: then of those inside it only the place matters."""
        running = self._running.get(root)
        return running is not None and running.root.statement is not None and bool(running.root.statement.writes)

    def awaits(self, root: int) -> bool:
        """Whether a root execution has not said yet what it is: what is inside may only be understood after it."""
        running = self._running.get(root)
        return running is not None and running.root.statement is None

    def learned(self, id_: int, root: int, statement: Statement | None) -> None:
        """What an execution inside another one does, known after the fact."""
        running = self._running.get(root)
        if running is not None and id_ in running.nested:
            running.nested[id_] = replace(running.nested[id_], statement=statement)

    def root_of(self, id_: int) -> int:
        """The execution that another one was started by in the end; itself, if by none."""
        return self._root_of.get(id_, id_)

    def started(
        self, id_: int, root: int, millis: int, statement: Statement | None, sql: str | None = None
    ) -> Iterator[Event]:
        """An execution has started; `statement` is None where its plan is not known yet, or writes nothing."""
        self._root_of[id_] = root
        running = self._running.get(root)
        if running is None:
            running = self._running[root] = _Running(millis, _Run(_new_run_id(millis)))
        if id_ != root:
            running.began(id_)
        if statement is None:
            return
        running.put(id_, root, Part(statement))
        if id_ == root:
            running.sql = sql
            if statement.writes and not is_known_late(statement):
                yield from self._begun(running, self._runs_of(running, [statement])[0], statement)

    def ended(  # noqa: PLR0913 (as much as there is to say)
        self,
        id_: int,
        millis: int,
        statement: Statement | None,
        error: str | None,
        *,
        statistics: Statistics = _NOTHING,
        sql: str | None = None,
        dropped: Dropped | None = None,
        made: bool | None = None,
    ) -> Iterator[Event]:
        """An execution has ended; `statement` is there if its plan was not read at the start."""
        root = self._root_of.pop(id_, id_)
        running = self._running.get(root)
        if running is None:
            return
        running.put(id_, root, Part(statement, statistics))
        running.dropped = dropped or running.dropped
        running.made = made if running.made is None else running.made or bool(made)
        if id_ != root:
            if id_ in running.under_way:
                running.under_way.remove(id_)
            return
        del self._running[root]
        running.sql = running.sql or sql
        yield from self._finished(running, millis, error)

    def performed(
        self, started: int, ended: int, statement: Statement, error: str | None, sql: str | None = None
    ) -> Iterator[Event]:
        """A statement that was no execution is done; the times are in milliseconds."""
        running = _Running(started, _Run(_new_run_id(started)), sql, Part(statement))
        yield from self._finished(running, ended, error)

    def stream_started(self, query: str, run_id: str, name: str | None) -> None:
        """A streaming query has started."""
        self._streams[query] = _Stream([_Run(run_id, name)])

    def stream_ended(self, query: str, millis: int, error: str | None) -> Iterator[Event]:
        """A streaming query has ended, or failed."""
        stream = self._streams.pop(query, None)
        for run in stream.runs if stream is not None else ():
            if run.job is not None and run.last is not None:
                state = RunState.COMPLETE if error is None else RunState.FAIL
                yield self._event(state, millis, run, run.last, RunDetails(error=error, lost=self._news()))

    def over(self, millis: int, *, application_ended: bool) -> Iterator[Event]:
        """Nothing more will be seen. Streams end this way; if the application has ended, statements are torn off."""
        for query in list(self._streams):
            yield from self.stream_ended(query, millis, None)
        for running in self._running.values():
            statement = running.statement
            torn = application_ended and running.run.job is not None
            if torn and statement is not None and statement.stream is None:
                details = RunDetails(sql=running.sql, lost=self._news())
                yield self._event(RunState.ABORT, millis, running.run, statement, details)
        self._running.clear()
        self._root_of.clear()

    def _finished(self, running: _Running, millis: int, error: str | None) -> Iterator[Event]:
        if error is None and running.found_it_done:
            return
        apart = writes_apart(self._application.catalog, running.root.statement, running.nested)
        if error is None:
            apart = [(self._as_it_is_now(one, running), parts) for one, parts in apart]
        found = [(one, parts) for one, parts in apart if self._application.wants(one)]
        runs = self._runs_of(running, [statement for statement, _ in found])
        for (statement, parts), run in zip(found, runs, strict=True):
            yield from self._ended(running, run, statement, parts, millis=millis, error=error)

    def _as_it_is_now(self, statement: Statement, running: _Running) -> Statement:
        """The statement with what the catalog and the files that were read say besides its plan."""
        known = as_catalogued(statement, running.dropped, self._find)
        return with_partitions(known, running.scans, self._application.catalog.name)

    def _ended(  # noqa: PLR0913 (as much as there is to say)
        self,
        running: _Running,
        run: _Run,
        statement: Statement,
        parts: Mapping[int, Part],
        *,
        millis: int,
        error: str | None,
    ) -> Iterator[Event]:
        if statement.view:
            if error is None:
                yield from self._application.view_events(millis, statement)
            return
        yield from self._begun(running, run, statement)
        if statement.stream is not None:
            run.last = statement
            if error is not None:
                return  # the query fails with its batch, and says so itself
            state = RunState.RUNNING
        else:
            state = RunState.COMPLETE if error is None else RunState.FAIL
        details = RunDetails(
            sql=running.sql,
            error=error,
            statistics=run_statistics(self._application.catalog, statement, running.root, parts),
            lost=self._news(),
        )
        yield self._event(state, millis, run, statement, details)

    def _begun(self, running: _Running, run: _Run, statement: Statement) -> Iterator[Event]:
        """START, where it was not sent yet."""
        if run.job is None and not statement.view and self._application.wants(statement):
            run.job = self._application.statement_job(statement, run.name)
            yield self._event(RunState.START, running.millis, run, statement, RunDetails(sql=running.sql))

    def _event(self, state: RunState, millis: int, run: _Run, statement: Statement, details: RunDetails) -> RunEvent:
        job = run.job or self._application.statement_job(statement, run.name)
        return self._application.statement_event(
            state, millis, run_id=run.run_id, job=job, statement=statement, details=details
        )

    def _runs_of(self, running: _Running, statements: Sequence[Statement]) -> list[_Run]:
        query = next((one.stream.query_id for one in statements if one.stream is not None), None)
        if query is None:
            return [running.run for _ in statements]
        # Tracking may have begun while the query was under way.
        stream = self._streams.setdefault(query, _Stream([running.run]))
        name = self._application.catalog.name
        return stream.assign(
            [[name(one.dataset) or one.dataset for one in statement.writes] for statement in statements], running.millis
        )

    def _news(self) -> Mapping[str, int]:
        lost = self._lost()
        if lost == self._told:
            return {}
        self._told = lost
        return lost


def _is_place(dataset: Dataset) -> bool:
    """Whether a path stands for the table, of which the catalog knows nothing.

    >>> _is_place(Dataset("file:/lake/t", ("delta", "/lake/t"))), _is_place(Dataset(table=("db", "t")))
    (True, False)
    """
    return not dataset.table or "/" in dataset.table[-1]


def _new_run_id(millis: int) -> str:
    return str(generate_new_uuid(datetime.fromtimestamp(millis / 1000, tz=timezone.utc)))
