"""Events without secrets."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from tests.secret_corpus import LOOKALIKES, PLACES, STRUCTURES, S, event, planted_events, seen_in
from tests.work import MOST, work

from headwater.openlineage.model.redaction import redacted


def test_no_secret_stays_in_an_event() -> None:
    events, secrets = planted_events()
    assert len(secrets) > 150
    assert set(seen_in(json.dumps(events), secrets)) == set(secrets)
    clean = json.dumps([redacted(event)[0] for event in events])
    assert list(seen_in(clean, secrets)) == []


@pytest.mark.parametrize("structure", STRUCTURES)
def test_a_value_whose_name_tells_is_a_secret(structure: Any) -> None:  # noqa: ANN401
    clean, removed = redacted(structure(S))
    assert S not in json.dumps(clean)
    assert removed
    assert redacted(clean) == (clean, 0)


@pytest.mark.parametrize("text", LOOKALIKES)
def test_an_event_without_secrets_is_the_same(text: str) -> None:
    for place in PLACES:
        held = event()
        place(held, text)
        assert redacted(held) == (held, 0)


@pytest.mark.parametrize(
    "harmless",
    [
        {"fields": [{"name": "password", "type": "string", "description": "of the user"}]},
        {"fields": {"password": {"inputFields": [{"namespace": "n", "name": "t", "field": "token"}]}}},
        {"columnMetrics": {"password": {"nullCount": 3}, "token": {"distinctCount": 12345}}},
        {"columns": {"password": "varchar", "secret": "of the vault"}},
        {"assertions": [{"assertion": "not_null", "column": "password", "success": True}]},
        {"passwordRequired": True, "tokenCount": "512", "max_tokens": 4096, "secret_id": "projects/1/secrets/x"},
        {"password": None, "token": "", "secret": "${VAULT}", "pwd": "***", "signature": "total(order: int) -> float"},
        {"tags": [{"key": "secret", "value": "true", "source": "CONFIG"}, {"key": "pii", "value": "token"}]},
        {"primary_key": "id", "partition_key": "day", "key": "value", "auth": "none"},
    ],
)
def test_what_only_looks_like_a_secret_stays(harmless: dict[str, Any]) -> None:
    assert redacted(harmless) == (harmless, 0)


def test_two_members_do_not_become_one() -> None:
    clean, removed = redacted({f"http://a:{S}@h": 1, "http://a:other2x@h": 2})
    assert (clean, removed) == ({"http://h": 1, "http://h#2": 2}, 2)
    assert redacted(clean) == (clean, 0)


def test_an_event_that_is_given_stays_as_it_is() -> None:
    for held in planted_events()[0]:
        before = deepcopy(held)
        redacted(held)
        assert held == before


def test_an_event_twice_as_large_takes_twice_the_work() -> None:
    def walk(size: int) -> object:
        return redacted(
            {"a": [{"name": f"n{size}_{place}", "value": f"password=x{size}y{place}"} for place in range(size)]}
        )

    assert work(lambda: walk(400)) <= MOST * work(lambda: walk(200))
