"""Some hundred odd requests in every run, of the many that `make fuzz` sends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
from tests.fuzz.campaign import send_all
from tests.fuzz.requests import Requests
from tests.waiting import SECONDS

if TYPE_CHECKING:
    from tests.server.conftest import Serve


def test_odd_requests_are_answered_and_none_with_an_error_of_the_servers_own(serve: Serve, any_url: str) -> None:
    server = serve(any_url)
    page = httpx.get(f"{server.url}/openapi.json", trust_env=False, timeout=SECONDS).json()
    outcome = send_all(server.url, Requests(page, seed=7), range(300), seconds=SECONDS)
    assert not outcome.failures, outcome.text()
    assert sum(outcome.statuses.values()) == 300
    # Most are refused, and some of each kind are taken: else little would be tried.
    assert {200, 201, 207, 400, 404, 422} <= outcome.statuses.keys()
    assert "Traceback" not in server.log
