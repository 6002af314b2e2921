"""What the tests of delivery share."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.openlineage.delivery.job import delivery_to
from tests.openlineage.delivery.receiver import Receiver

from headwater.openlineage.delivery.delivery import Delivery
from headwater.openlineage.delivery.spool import SpoolSettings

Deliver = Callable[..., Delivery]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """An endpoint that is up."""
    endpoint = Receiver()
    endpoint.start()
    yield endpoint
    endpoint.over.set()
    endpoint.stop()


@pytest.fixture
def spool(tmp_path: Path) -> Path:
    """Where the spool will be."""
    return tmp_path / "spool"


@pytest.fixture
def deliver(receiver: Receiver, spool: Path) -> Iterator[Deliver]:
    """Makes deliveries to the endpoint, by way of the spool."""
    made: list[Delivery] = []

    def make(*, settings: SpoolSettings | None = None, **config: Any) -> Delivery:  # noqa: ANN401 (any of HttpConfig's)
        config.setdefault("url", receiver.url)
        made.append(delivery_to(settings=settings or SpoolSettings(str(spool)), **config))
        return made[-1]

    yield make
    for delivery in made:
        delivery.close(0)


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine every endpoint is slow: only tests about that take it for slow."""
    monkeypatch.setattr("headwater.openlineage.delivery.delivery._SLOW_SECONDS", 60.0)
    monkeypatch.setattr("headwater.openlineage.delivery.delivery._LONGEST_CLOSE", 60.0)


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """What Headwater logs."""
    caplog.set_level(logging.DEBUG, logger="headwater")
    return caplog


def segments(spool: Path) -> list[Path]:
    """The files in which events wait."""
    return sorted(spool.glob("*/*.jsonl"))
