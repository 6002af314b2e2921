"""Executions become runs: one for each write that the user asked for."""

from __future__ import annotations

import pytest

from headwater.openlineage.events import Application
from headwater.openlineage.executions import Executions
from headwater.openlineage.naming import Catalog
from headwater.rules.statements import Change, Statement, Written
from headwater.rules.tree import Dataset

TABLE = ("spark_catalog", "default", "orders")


def _statement(command: str, dataset: Dataset) -> Statement:
    return Statement(command, {}, (Written(dataset, (), Change.CREATE, {}, {}),))


OUTER = _statement("SaveAsV1TableCommand", Dataset(table=("orders",)))
MIDDLE = _statement("CreateDataSourceTableAsSelectCommand", Dataset(table=TABLE))
INNER = _statement("InsertIntoHadoopFsRelationCommand", Dataset("file:/elsewhere/orders"))


@pytest.fixture
def executions() -> Executions:
    run_id = "01890a5d-ac96-774b-bcce-b302099a8057"
    return Executions(
        Application("shop", "App", run_id, "4.1.4", Catalog("file:/warehouse", "thrift://metastore:9083"))
    )


def test_nested_commands_are_one_run(executions: Executions) -> None:
    (start,) = executions.started(1, 1, 1000, OUTER)
    assert list(executions.started(2, 1, 1001, MIDDLE)) == []
    assert list(executions.started(3, 1, 1002, INNER)) == []
    assert list(executions.ended(3, 1003, None, None)) == []
    assert list(executions.ended(2, 1004, None, None)) == []
    (complete,) = executions.ended(1, 1005, None, None)

    assert start.run.runId == complete.run.runId
    assert start.job.name == complete.job.name == "app.save_as_v1_table_command.orders"
    # Only the innermost knows where the files are; the name in between is the fullest.
    (output,) = complete.outputs or []
    assert (output.namespace, output.name) == ("file", "/elsewhere/orders")
    (identifier,) = output.facets["symlinks"].identifiers  # type: ignore[index, union-attr]
    assert identifier.name == "default.orders"
    assert complete.eventTime == "1970-01-01T00:00:01.005Z"


def test_a_plan_that_is_known_only_at_the_end_gives_both_events_then(executions: Executions) -> None:
    assert list(executions.started(1, 1, 1000, None)) == []
    start, complete = executions.ended(1, 2000, INNER, None)
    assert (start.eventType.name, complete.eventType.name) == ("START", "COMPLETE")  # type: ignore[union-attr]
    assert (start.eventTime[17:], complete.eventTime[17:]) == ("01.000Z", "02.000Z")


def test_a_nested_plan_may_come_at_its_end(executions: Executions) -> None:
    list(executions.started(1, 1, 1000, OUTER))
    list(executions.started(2, 1, 1001, None))
    list(executions.ended(2, 1002, INNER, None))
    (complete,) = executions.ended(1, 1003, None, None)
    (output,) = complete.outputs or []
    assert output.name == "/elsewhere/orders"


def test_what_writes_nothing_gives_nothing(executions: Executions) -> None:
    assert list(executions.started(1, 1, 1000, None)) == []
    assert list(executions.ended(1, 1001, None, None)) == []


def test_an_end_without_a_start_gives_nothing(executions: Executions) -> None:
    """Tracking may begin while an execution is under way."""
    assert list(executions.ended(7, 1001, INNER, None)) == []


def test_nothing_is_remembered_of_what_has_ended(executions: Executions) -> None:
    for id_ in range(100):
        list(executions.started(id_, id_, 1000, INNER))
        list(executions.ended(id_, 1001, None, None))
    assert not executions._running
    assert not executions._root_of
