"""What an answer costs: as many statements for a large page as for a small one, each by an index."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient
from tests.server.marquez.conftest import Api

from headwater.server.app import create_app
from headwater.store.db.session import Given, Row, Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import EventMaker

    from headwater.store import Store

LARGE = re.compile(r"^SCAN (event|run|version|mention|shape|note|edge|slot|field|body|input)\b")
PATHS = [
    "/jobs?limit=100",
    "/namespaces/lake/datasets?limit=100",
    "/namespaces/jobs/jobs/job1",
    "/namespaces/lake/datasets/t1/versions",
    "/namespaces/jobs/jobs/job1/runs",
    "/search?q=t",
]


class Asked:
    """Notes the statements that are run, and SQLite's plans for them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.statements: list[str] = []
        self.plans: list[tuple[str, str]] = []
        rows = Session.rows

        def noted(session: Session, statement: str, given: Given | None = None, /, **values: Any) -> list[Row]:  # noqa: ANN401  passed on
            if " FROM token " not in statement:  # which is read anew every two seconds, whatever is asked
                self.statements.append(statement)
            plan = rows(session, f"EXPLAIN QUERY PLAN {statement}", given, **values)
            self.plans += [(str(line[-1]), statement) for line in plan]
            return rows(session, statement, given, **values)

        monkeypatch.setattr(Session, "rows", noted)


@pytest.fixture
def api(store: Store, maker: EventMaker) -> Iterator[Api]:
    with TestClient(create_app(store)) as client:
        api = Api(client)
        _fill(api, maker, range(1, 4))
        yield api


def _fill(api: Api, maker: EventMaker, jobs: range) -> None:
    for n in jobs:
        columns = {"a": [f"t{n - 1}.a"], "b": [f"t{n - 1}.a"]}
        api.post(
            *(maker(n * 10 + run, job=f"job{n}", out=f"t{n}", columns=columns, reads=[f"t{n - 1}"]) for run in range(3))
        )


@pytest.mark.parametrize("path", PATHS)
def test_a_page_costs_as_many_statements_however_much_is_on_it(
    api: Api, maker: EventMaker, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    asked = Asked(monkeypatch)
    api(path)
    few = len(asked.statements)
    _fill(api, maker, range(4, 20))
    asked.statements.clear()
    api(path)
    assert len(asked.statements) == few


@pytest.mark.parametrize("path", [*PATHS, "/lineage?nodeId=dataset:lake:t2", "/events/lineage?limit=10"])
def test_no_statement_reads_a_table_that_grows_with_runs_as_a_whole(
    api: Api, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    asked = Asked(monkeypatch)
    api(path)
    assert asked.plans
    assert [plan for plan in asked.plans if LARGE.match(plan[0])] == []


def test_a_graph_costs_a_few_statements_a_level(api: Api, maker: EventMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    _fill(api, maker, range(4, 20))
    asked = Asked(monkeypatch)
    api("/lineage?nodeId=dataset:lake:t10&depth=2")
    near = len(asked.statements)
    asked.statements.clear()
    graph = api("/lineage?nodeId=dataset:lake:t10&depth=6")["graph"]
    assert len(graph) == 29
    levels = 4 * 2  # upstream and downstream
    assert len(asked.statements) - near <= 3 * levels
