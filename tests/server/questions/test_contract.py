"""Whatever is sent to the questions, what comes back is as the OpenAPI page says, and no server error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS
from tests.cli.food_delivery import events
from tests.served import served

from headwater.question_names import QUESTIONS
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The OpenAPI page of a server."""
    with open_store(str(tmp_path_factory.mktemp("contract") / "food.db")) as store:
        store.ingest(events())
        with served(store) as url:
            yield schemathesis.openapi.from_url(f"{url}/openapi.json")


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize(
    ("method", "name"), [("POST", "batch"), *((method, name) for name in QUESTIONS for method in ("GET", "POST"))]
)
def test_any_request_is_answered_as_the_page_says(
    page: Any,  # noqa: ANN401  a schema of schemathesis
    method: str,
    name: str,
    mode: GenerationMode,
) -> None:
    # In a URL, any text is a list of one, and a number is a text.
    refused = ["negative_data_rejection"] if method == "POST" else []
    checks: Any = CHECKS.get_by_names([*_CHECKS, *refused])

    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=page[f"/api/v1/questions/{name}"][method].as_strategy(generation_mode=mode))
    def asked(case: schemathesis.Case[Any]) -> None:
        case.call_and_validate(checks=checks)

    asked()
