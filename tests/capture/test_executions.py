"""Executions become runs: one for each write that the user asked for, one for each streaming query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from headwater.capture.executions import Event, Executions
from headwater.openlineage.build.events import Application
from headwater.openlineage.build.options import EventOptions
from headwater.openlineage.build.serialize import to_dict
from headwater.openlineage.build.statistics import Counts, Scan, Statistics
from headwater.openlineage.naming.datasets import Catalog
from headwater.rules.plan.sources import How, Mark, SourceField, Sources
from headwater.rules.plan.tree import Dataset
from headwater.rules.statements.statements import Change, Field, Statement, Stream, Written

TABLE = ("spark_catalog", "default", "orders")
APPLICATION = Application(
    "shop",
    "App",
    "01890a5d-ac96-774b-bcce-b302099a8057",
    "4.1.4",
    Catalog("file:/warehouse", "thrift://metastore:9083"),
)
Json = dict[str, Any]


def _statement(command: str, dataset: Dataset) -> Statement:
    return Statement(command, {}, (Written(dataset, (), Change.CREATE, {}, {}),))


OUTER = _statement("SaveAsV1TableCommand", Dataset(table=("orders",)))
MIDDLE = _statement("CreateDataSourceTableAsSelectCommand", Dataset(table=TABLE))
INNER = _statement("InsertIntoHadoopFsRelationCommand", Dataset("file:/elsewhere/orders"))


class Watched:
    """Executions whose events come as JSON, each valid by OpenLineage's own schemas, and are kept."""

    def __init__(self, executions: Executions, errors: Callable[[Mapping[str, Any]], list[str]]) -> None:
        self.executions = executions
        self.sent: list[Json] = []
        self._errors = errors

    def started(self, id_: int, root: int, millis: int, statement: Statement | None, sql: str | None = None) -> None:
        self._keep(self.executions.started(id_, root, millis, statement, sql))

    def ended(self, id_: int, millis: int, *, error: str | None = None, **more: Any) -> None:  # noqa: ANN401
        self._keep(self.executions.ended(id_, millis, more.pop("statement", None), error, **more))

    def stream_ended(self, error: str | None = None) -> None:
        self._keep(self.executions.stream_ended(QUERY, 9000, error))

    def over(self, *, application_ended: bool) -> None:
        self._keep(self.executions.over(9000, application_ended=application_ended))

    def _keep(self, events: Iterable[Event]) -> None:
        for event in events:
            written = to_dict(event)
            assert self._errors(written) == []
            self.sent.append(written)

    @property
    def states(self) -> list[str]:
        """The types of the events so far."""
        return [event["eventType"] for event in self.sent]


@pytest.fixture
def watch(event_errors: Callable[[Mapping[str, Any]], list[str]]) -> Callable[..., Watched]:
    """Follow the executions of an application with some options."""

    def make(lost: Callable[[], Mapping[str, int]] = dict, **options: Any) -> Watched:  # noqa: ANN401 (any option)
        application = replace(APPLICATION, options=EventOptions(**options))
        return Watched(Executions(application, lost), event_errors)

    return make


@pytest.fixture
def watched(watch: Callable[..., Watched]) -> Watched:
    return watch()


def _outputs(event: Json) -> list[str]:
    return [output["name"] for output in event["outputs"]]


def _rows_written(event: Json) -> list[int]:
    return [output["outputFacets"]["outputStatistics"]["rowCount"] for output in event["outputs"]]


def _rows_read(event: Json) -> list[int]:
    return [read["inputFacets"]["inputStatistics"]["rowCount"] for read in event["inputs"]]


# --- statements ------------------------------------------------------------------------------------------------------


def test_nested_commands_are_one_run(watched: Watched) -> None:
    watched.started(1, 1, 1000, OUTER)
    watched.started(2, 1, 1001, MIDDLE)
    watched.started(3, 1, 1002, INNER)
    watched.ended(3, 1003)
    watched.ended(2, 1004)
    assert watched.states == ["START"]
    watched.ended(1, 1005)

    start, complete = watched.sent
    assert start["run"]["runId"] == complete["run"]["runId"]
    assert start["job"]["name"] == complete["job"]["name"] == "app.save_as_v1_table_command.orders"
    # Only the innermost knows where the files are; the name in between is the fullest.
    (output,) = complete["outputs"]
    assert (output["namespace"], output["name"]) == ("file", "/elsewhere/orders")
    (identifier,) = output["facets"]["symlinks"]["identifiers"]
    assert identifier["name"] == "default.orders"
    assert complete["eventTime"] == "1970-01-01T00:00:01.005Z"


def test_a_plan_that_is_known_only_at_the_end_gives_both_events_then(watched: Watched) -> None:
    watched.started(1, 1, 1000, None)
    watched.ended(1, 2000, statement=INNER)
    assert watched.states == ["START", "COMPLETE"]
    assert [event["eventTime"][17:] for event in watched.sent] == ["01.000Z", "02.000Z"]


def test_a_nested_plan_may_come_at_its_end(watched: Watched) -> None:
    watched.started(1, 1, 1000, OUTER)
    watched.started(2, 1, 1001, None)
    watched.ended(2, 1002, statement=INNER)
    watched.ended(1, 1003)
    assert _outputs(watched.sent[-1]) == ["/elsewhere/orders"]


def test_what_writes_nothing_gives_nothing(watched: Watched) -> None:
    watched.started(1, 1, 1000, None)
    watched.ended(1, 1001)
    assert watched.sent == []


def test_an_end_without_a_start_gives_nothing(watched: Watched) -> None:
    """Tracking may begin while an execution is under way."""
    watched.ended(7, 1001, statement=INNER)
    assert watched.sent == []


def test_a_failure_says_why(watched: Watched) -> None:
    watched.started(1, 1, 1000, INNER, "INSERT INTO orders SELECT 1")
    watched.ended(1, 2000, error="disk full")
    assert watched.states == ["START", "FAIL"]
    fail = watched.sent[-1]
    assert fail["run"]["facets"]["errorMessage"]["message"] == "disk full"
    assert fail["job"]["facets"]["sql"]["query"] == "INSERT INTO orders SELECT 1"


def test_the_text_may_come_with_the_end(watched: Watched) -> None:
    watched.started(1, 1, 1000, None)
    watched.ended(1, 2000, statement=INNER, sql="INSERT …")
    assert [event["job"]["facets"]["sql"]["query"] for event in watched.sent] == ["INSERT …", "INSERT …"]


def test_what_a_root_does_not_say_is_what_was_written_inside_it(watched: Watched) -> None:
    """Each command that is no part of the one before it is a write of its own."""
    watched.started(1, 1, 1000, None)
    watched.started(2, 1, 1001, MIDDLE)
    watched.started(3, 1, 1002, INNER)
    watched.ended(3, 1003)
    watched.ended(2, 1004)
    watched.started(4, 1, 1005, _statement("AppendData", Dataset("file:/elsewhere/log")))
    watched.ended(4, 1006)
    watched.ended(1, 1007)
    assert watched.states == ["START", "COMPLETE"]
    assert _outputs(watched.sent[-1]) == ["/elsewhere/orders", "/elsewhere/log"]


def test_writes_in_two_threads_are_both_kept(watched: Watched) -> None:
    watched.started(1, 1, 1000, None)
    watched.started(2, 1, 1001, _statement("AppendData", Dataset("file:/a")))
    watched.started(3, 1, 1002, _statement("AppendData", Dataset("file:/b")))
    watched.ended(2, 1003)
    watched.ended(3, 1004)
    watched.ended(1, 1005)
    assert _outputs(watched.sent[-1]) == ["/a", "/b"]


def test_a_view_is_declared_once_it_is_there(watched: Watched) -> None:
    view = replace(OUTER, view=True)
    watched.started(1, 1, 1000, view)
    assert watched.sent == []
    watched.ended(1, 2000)
    watched.started(2, 2, 1000, view)
    watched.ended(2, 2000, error="no such table")
    (event,) = watched.sent
    assert event["dataset"]["name"] == "/warehouse/orders"


def test_nothing_is_remembered_of_what_has_ended(watched: Watched) -> None:
    for id_ in range(100):
        watched.started(id_, id_, 1000, INNER)
        watched.started(1000 + id_, id_, 1000, INNER)
        watched.ended(1000 + id_, 1001)
        watched.ended(id_, 1001)
    assert not watched.executions._running
    assert not watched.executions._root_of


# --- statistics ------------------------------------------------------------------------------------------------------

SOURCE = Dataset("file:/source")
READS = Statement("Insert", {SOURCE: ()}, (Written(Dataset("file:/out"), (), Change.APPEND, {}, {}),))


def test_what_the_innermost_command_measured_is_that_of_the_output(watched: Watched) -> None:
    watched.started(1, 1, 1000, OUTER)
    watched.started(2, 1, 1001, INNER)
    watched.ended(2, 1002, statistics=Statistics((Counts(3, 30, 1),)))
    watched.ended(1, 1003)
    assert _rows_written(watched.sent[-1]) == [3]


def test_an_engine_may_write_in_an_execution_of_its_own(watched: Watched) -> None:
    """Delta does: two tables in one micro-batch, each written by an execution that says nothing but how much."""
    watched.started(1, 1, 1000, None)
    for id_, place in ((2, "file:/a"), (4, "file:/b")):
        watched.started(id_, 1, 1001, _statement("AppendData", Dataset(place)))
        watched.started(id_ + 1, 1, 1002, None)
        watched.ended(id_ + 1, 1003, statistics=Statistics((Counts(id_),)))
        watched.ended(id_, 1004)
    watched.ended(1, 1005)
    assert _outputs(watched.sent[-1]) == ["/a", "/b"]
    assert _rows_written(watched.sent[-1]) == [2, 4]


def test_a_plan_that_runs_twice_is_counted_once(watched: Watched) -> None:
    once = Statistics((Counts(3),), (Scan((SOURCE,), Counts(5, 50, 1)),))
    watched.started(1, 1, 1000, READS)
    watched.started(2, 1, 1001, READS)
    watched.ended(2, 1002, statistics=once)
    watched.ended(1, 1003, statistics=once)
    assert _rows_read(watched.sent[-1]) == [5]
    assert _rows_written(watched.sent[-1]) == [3]


def test_a_dataset_that_is_scanned_twice_was_read_twice(watched: Watched) -> None:
    both = Scan((SOURCE, Dataset("file:/x")), Counts(9))  # which of them the rows came from, nobody knows
    scans = (Scan((SOURCE,), Counts(5)), Scan((SOURCE,), Counts(2)), both)
    watched.started(1, 1, 1000, READS)
    watched.ended(1, 1003, statistics=Statistics((), scans))
    assert _rows_read(watched.sent[-1]) == [7]


def test_files_that_a_stream_reads_are_counted_for_their_directory(watched: Watched) -> None:
    files = (Dataset("file:/source/a.json"), Dataset("file:/source/b.json"))
    watched.started(1, 1, 1000, READS)
    log = Scan((Dataset("file:/source/_delta_log/1.json"),), Counts(9))  # an engine's own files are no data
    watched.ended(1, 1003, statistics=Statistics((), (Scan(files, Counts(5)), log)))
    assert _rows_read(watched.sent[-1]) == [5]


def test_several_writes_of_one_plan_are_told_apart_by_their_order(watched: Watched) -> None:
    both = replace(READS, writes=(*READS.writes, Written(Dataset("file:/more"), (), Change.APPEND, {}, {})))
    watched.started(1, 1, 1000, both)
    watched.ended(1, 1003, statistics=Statistics((Counts(1), Counts(2))))
    assert _rows_written(watched.sent[-1]) == [1, 2]


# --- streams ---------------------------------------------------------------------------------------------------------

QUERY, STREAM_RUN = "0d1e2f3a-0000-4000-8000-000000000001", "0d1e2f3a-0000-4000-8000-000000000002"


def _batch(number: int, *, to: str | None = "file:/out") -> Statement:
    writes = () if to is None else (Written(Dataset(to), (), Change.APPEND, {}, {}),)
    return Statement("WriteToMicroBatchDataSource", {SOURCE: ()}, writes, stream=Stream(QUERY, number))


def test_all_batches_of_a_streaming_query_are_one_run(watched: Watched) -> None:
    watched.executions.stream_started(QUERY, STREAM_RUN, "Orders to lake")
    for id_ in range(3):
        watched.started(id_, id_, 1000 + id_, _batch(id_))
        watched.ended(id_, 2000 + id_, statistics=Statistics((Counts(id_),)))
    watched.stream_ended()
    assert watched.states == ["START", "RUNNING", "RUNNING", "RUNNING", "COMPLETE"]
    assert {event["run"]["runId"] for event in watched.sent} == {STREAM_RUN}
    assert {event["job"]["name"] for event in watched.sent} == {"app.orders_to_lake.out"}
    assert {event["job"]["facets"]["jobType"]["processingType"] for event in watched.sent} == {"STREAMING"}
    assert [_rows_written(event) for event in watched.sent[1:4]] == [[0], [1], [2]]
    assert not watched.executions._streams


def test_a_restarted_query_is_another_run_of_the_same_job(watched: Watched) -> None:
    for number, run in enumerate((STREAM_RUN, QUERY)):
        watched.executions.stream_started(QUERY, run, None)
        watched.started(number, number, 1000, _batch(number))
        watched.ended(number, 2000)
        watched.stream_ended()
    starts = [event for event in watched.sent if event["eventType"] == "START"]
    assert [event["run"]["runId"] for event in starts] == [STREAM_RUN, QUERY]
    assert len({event["job"]["name"] for event in starts}) == 1


def test_what_foreach_batch_writes_belongs_to_the_query(watched: Watched) -> None:
    watched.executions.stream_started(QUERY, STREAM_RUN, None)
    watched.started(1, 1, 1000, _batch(0, to=None))
    for id_, place in ((2, "file:/a"), (3, "file:/b")):
        watched.started(id_, 1, 1001, _statement("InsertInto", Dataset(place)))
        watched.ended(id_, 1002)
    watched.ended(1, 1003)
    assert watched.states == ["START", "RUNNING"]
    running = watched.sent[-1]
    assert _outputs(running) == ["/a", "/b"]
    assert [read["name"] for read in running["inputs"]] == ["/source"]
    assert running["run"]["runId"] == STREAM_RUN


def _wrote(place: str, *read: str) -> Statement:
    return replace(_statement("InsertInto", Dataset(place)), reads={Dataset(one): () for one in read})


def test_writes_of_one_batch_from_different_inputs_have_runs_of_their_own(watched: Watched) -> None:
    """The lookup table that one of them reads is no input of the other; two writes into one table are one."""
    watched.executions.stream_started(QUERY, STREAM_RUN, None)
    writes = (
        [_wrote("file:/a", "file:/source"), _wrote("file:/b", "file:/source", "file:/lookup")],
        [
            _wrote("file:/b", "file:/source", "file:/lookup"),
            _wrote("file:/a", "file:/source"),
            _wrote("file:/a", "file:/x"),
        ],
    )
    for batch, inside in enumerate(writes):
        root = 10 * batch
        watched.started(root, root, 1000, _batch(batch, to=None))
        for id_, statement in enumerate(inside, root + 1):
            watched.started(id_, root, 1001, statement)
            watched.ended(id_, 1002, statistics=Statistics((Counts(id_),), (Scan((SOURCE,), Counts(id_)),)))
        watched.ended(root, 1003)
    watched.stream_ended()

    assert watched.states == ["START", "RUNNING", "START", "RUNNING", "RUNNING", "RUNNING", "COMPLETE", "COMPLETE"]
    said = [
        (_outputs(event), sorted(read["name"] for read in event["inputs"]))
        for event in watched.sent
        if event["eventType"] == "RUNNING"
    ]
    a, b = (["/a"], ["/source"]), (["/b"], ["/lookup", "/source"])
    assert said == [a, b, b, (["/a"], ["/source", "/x"])]
    runs = {
        output: {event["run"]["runId"] for event in watched.sent if output in _outputs(event)}
        for output in ("/a", "/b")
    }
    assert runs["/a"] == {STREAM_RUN}
    assert len(runs["/b"]) == 1
    assert runs["/b"] != {STREAM_RUN}
    assert {event["job"]["name"] for event in watched.sent} == {
        "app.write_to_micro_batch_data_source.a",
        "app.write_to_micro_batch_data_source.b",
    }
    counted = [
        read["inputFacets"]["inputStatistics"]["rowCount"]
        for event in watched.sent
        for read in event["inputs"]
        if event["eventType"] == "RUNNING" and read["name"] == "/source"
    ]
    assert counted == [1, 2, 11, 12 + 13]


def test_a_query_fails_with_its_batch(watched: Watched) -> None:
    watched.executions.stream_started(QUERY, STREAM_RUN, None)
    watched.started(1, 1, 1000, None)
    watched.ended(1, 1001, statement=_batch(0), error="boom")
    watched.stream_ended("boom\n\tat x")
    assert watched.states == ["START", "FAIL"]
    assert watched.sent[-1]["run"]["facets"]["errorMessage"]["message"] == "boom"


def test_a_query_that_was_under_way_has_a_run_of_its_own(watched: Watched) -> None:
    for number in (7, 8):
        watched.started(number, number, 1000, _batch(number))
        watched.ended(number, 1001)
    watched.stream_ended()
    assert watched.states == ["START", "RUNNING", "RUNNING", "COMPLETE"]
    assert len({event["run"]["runId"] for event in watched.sent}) == 1


def test_a_query_without_a_batch_gives_nothing(watched: Watched) -> None:
    watched.executions.stream_started(QUERY, STREAM_RUN, None)
    watched.stream_ended()
    assert watched.sent == []


# --- the end, what is lost, what is wanted ---------------------------------------------------------------------------


@pytest.mark.parametrize(("ended", "states"), [(True, ["COMPLETE", "ABORT"]), (False, ["COMPLETE"])])
def test_what_goes_on_when_nothing_more_will_be_seen(watched: Watched, *, ended: bool, states: list[str]) -> None:
    watched.started(1, 1, 1000, _batch(0))
    watched.ended(1, 1001)
    watched.started(2, 2, 1002, _batch(1))
    watched.started(3, 3, 1003, INNER)
    watched.sent.clear()
    watched.over(application_ended=ended)
    assert watched.states == states


def test_what_is_lost_is_said_with_the_next_event_and_not_again(watch: Callable[..., Watched]) -> None:
    lost: dict[str, int] = {}
    watched = watch(lambda: dict(lost))
    said = []
    for id_ in range(4):
        if id_ in {1, 3}:
            lost["droppedMessages"] = id_
        watched.started(id_, id_, 1000, INNER)
        watched.ended(id_, 1001)
        said.append(watched.sent[-1]["run"]["facets"].get("headwater_capture", {}).get("lost"))
    assert said == [None, {"droppedMessages": 1}, None, {"droppedMessages": 3}]


def test_what_is_denied_gets_no_events(watch: Callable[..., Watched]) -> None:
    watched = watch(denied=frozenset({"SaveAsV1TableCommand"}))
    watched.started(1, 1, 1000, OUTER)
    watched.started(2, 1, 1001, INNER)
    watched.ended(2, 1002)
    watched.ended(1, 1003)
    assert watched.sent == []


def test_a_query_gets_events_if_they_are_asked_for(watch: Callable[..., Watched]) -> None:
    watched = watch(emit_reads=True)
    watched.started(1, 1, 1000, Statement("Project", {SOURCE: ()}, ()))
    watched.ended(1, 1001)
    assert watched.states == ["START", "COMPLETE"]
    complete = watched.sent[-1]
    assert ([read["name"] for read in complete["inputs"]], complete["outputs"]) == (["/source"], [])
    assert complete["job"]["name"] == "app.project"


def test_what_was_to_be_written_if_absent_and_was_there_gives_no_event(watched: Watched) -> None:
    written = Written(Dataset("file:/once"), (), Change.APPEND, {}, {}, if_absent=True)
    once = Statement("InsertIntoHadoopFsRelationCommand", {}, (written,))
    watched.started(1, 1, 1000, once)
    watched.ended(1, 1001, statistics=Statistics((Counts(0, 0, 0),)))
    assert watched.sent == []
    watched.started(2, 2, 1002, once)
    watched.ended(2, 1003, statistics=Statistics((Counts(0, 300, 1),)))
    watched.started(3, 3, 1004, once)
    watched.ended(3, 1005, error="disk full")
    assert [event["eventType"] for event in watched.sent] == ["START", "COMPLETE", "START", "FAIL"]


def test_what_the_catalog_had_already_is_not_made(watched: Watched) -> None:
    written = Written(Dataset(table=("db", "t")), (), Change.CREATE, None, {}, if_absent=True)
    once = Statement("CreateTable", {}, (written,))
    by_path = Statement("CreateTable", {}, (replace(written, dataset=Dataset("/t", ("delta", "/t"))),))
    for number, (statement, made) in enumerate(((once, False), (once, True), (once, None), (by_path, False))):
        watched.started(number, number, 1000 + number, statement)
        watched.ended(number, 1000 + number, created_table=made)
    assert [event["outputs"][0]["name"] for event in watched.sent if event["eventType"] == "COMPLETE"] == [
        "/warehouse/db.db/t", "/warehouse/db.db/t", "/t",
    ]  # fmt: skip


def test_a_table_that_is_being_made_has_no_name_yet(watched: Watched) -> None:
    written = Written(Dataset(table=("db", "t")), (), Change.CREATE, {}, {}, if_absent=True)
    watched.started(1, 1, 1000, Statement("CreateTableAsSelect", {}, (written,)))
    watched.started(2, 1, 1001, Statement("AppendData", {}, (), {"DataSourceV2Relation": 1}))
    watched.ended(2, 1002)
    watched.ended(1, 1003)
    assert watched.states == ["START", "COMPLETE"]


# --- views -----------------------------------------------------------------------------------------------------------


ORDERS = Dataset("file:/warehouse/orders", TABLE)
VIEW = Dataset(table=("spark_catalog", "default", "v"))


def _copies(dataset: Dataset, source: Dataset, column: str, text: str = "") -> Written:
    edge: Sources = {SourceField(source, column): frozenset({Mark(How.TRANSFORMATION, text=text)})}
    return Written(dataset, (Field("n", "string"),), Change.CREATE, {"n": edge}, {})


def _reads_view(column: str, text: str = "") -> Statement:
    out = replace(_copies(Dataset("file:/out"), ORDERS, column), by_views=_copies(Dataset("file:/out"), VIEW, "n"))
    return Statement(
        "CreateDataSourceTableAsSelectCommand",
        {ORDERS: ()},
        (out,),
        named_views=(VIEW,),
        views=(_copies(VIEW, ORDERS, column, text),),
        behind_views={ORDERS: (VIEW,)},
    )


def _definitions(executions: Watched) -> list[tuple[str, list[str]]]:
    """The definitions of views that were sent: when, and the columns that the view's column comes from."""
    return [
        (
            event["eventTime"],
            [field["field"] for field in event["dataset"]["facets"]["columnLineage"]["fields"]["n"]["inputFields"]],
        )
        for event in executions.sent
        if "dataset" in event
    ]


def _run(executions: Watched, id_: int, statement: Statement) -> None:
    executions.started(id_, id_, id_ * 1000, statement)
    executions.ended(id_, id_ * 1000 + 500)


def test_what_a_view_is_made_of_is_sent_once_for_the_moment_of_its_first_reading(watch: Callable[..., Watched]) -> None:
    executions = watch()
    _run(executions, 1, _reads_view("name"))
    _run(executions, 2, _reads_view("name", "upper(name)"))
    assert _definitions(executions) == [("1970-01-01T00:00:01.000Z", ["name"])]


def test_another_definition_is_sent(watch: Callable[..., Watched]) -> None:
    executions = watch()
    _run(executions, 1, _reads_view("name"))
    _run(executions, 2, _reads_view("title"))
    assert [columns for _, columns in _definitions(executions)] == [["name"], ["title"]]


def test_the_definition_of_a_view_whose_creation_was_seen_is_not_sent_again(watch: Callable[..., Watched]) -> None:
    executions = watch()
    creation = Statement("CreateViewCommand", {ORDERS: ()}, (_copies(VIEW, ORDERS, "name", "upper(name)"),), view=True)
    _run(executions, 1, creation)
    _run(executions, 2, _reads_view("name"))
    assert [columns for _, columns in _definitions(executions)] == [["name"]]


def test_the_definition_of_a_view_that_was_dropped_is_sent_again(watch: Callable[..., Watched]) -> None:
    executions = watch()
    _run(executions, 1, _reads_view("name"))
    _run(executions, 2, Statement("DropTableCommand", {}, (Written(VIEW, (), Change.DROP, None, {}),)))
    _run(executions, 3, _reads_view("name"))
    assert [columns for _, columns in _definitions(executions)] == [["name"], ["name"]]


def test_writes_of_one_micro_batch_agree_on_what_is_behind_views(watch: Callable[..., Watched]) -> None:
    executions = watch()
    direct = replace(_copies(Dataset("file:/other"), ORDERS, "id"))
    executions.started(1, 1, 1000, None)
    for id_, statement in ((2, _reads_view("name")), (3, Statement("AppendData", {ORDERS: ()}, (direct,)))):
        executions.started(id_, 1, 1000, None)
        executions.ended(id_, 1500, statement=statement)
    executions.ended(1, 2000)
    (source,) = executions.sent[-1]["inputs"]
    assert "headwater_behindViews" not in source.get("inputFacets", {})
