"""How much processor time an answer takes as its input doubles, for every operation of the API and part of an event.

The inputs are those of tests/server/test_growth.py, which asserts on counted work; here it is time, to see the curve. A
ratio near 2 is linear, near 4 quadratic. An input that is beyond a limit is refused, and costs next to nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from fastapi.testclient import TestClient
from rich.console import Console
from rich.table import Table
from tests.server.test_growth import EVENTS, TEXTS, WITH_BODIES, WITH_TEXTS, ask_with_body, ask_with_text

from headwater.server.app import create_app
from headwater.store import open_store


def main() -> None:
    """Ask with ever larger inputs, and print the table; exits with 1 where the last doubling took over three times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="a part of the names of the inputs")
    parser.add_argument("--least", type=int, default=500, help="the smallest size")
    parser.add_argument("--doublings", type=int, default=3)
    chosen = parser.parse_args()
    sizes = [chosen.least << step for step in range(chosen.doublings + 1)]
    table = Table("input", *(f"{size:,}" for size in sizes), "last ratio", title="CPU ms by size of the input")
    grew = False
    with tempfile.TemporaryDirectory() as folder, TestClient(create_app(open_store(f"{folder}/store.db"))) as client:
        for name, ask in _inputs(client):
            if chosen.only not in name:
                continue
            ask(chosen.least // 2)
            spent = [_milliseconds(ask, size) for size in sizes]
            ratio = spent[-1] / max(spent[-2], 0.1)
            grew = grew or (ratio > 3 and spent[-1] > 50)  # noqa: PLR2004  far from 2, and more than noise
            table.add_row(name, *(f"{each:.1f}" for each in spent), f"{ratio:.1f}")
    Console(width=160).print(table)
    raise SystemExit(grew)


def _inputs(client: TestClient) -> Iterator[tuple[str, Callable[[int], object]]]:
    for name, event in EVENTS.items():
        yield f"event: {name}", partial(_send, client, event)
    for name in WITH_TEXTS:
        for text, piece in TEXTS.items():
            yield f"{name}: {text}", partial(ask_with_text(name, piece), client)
    for name in WITH_BODIES:
        yield f"{name}: body", partial(ask_with_body(name), client)


def _send(client: TestClient, event: Callable[[int], object], size: int) -> None:
    client.post("/api/v1/lineage", json=event(size))


def _milliseconds(ask: Callable[[int], object], size: int) -> float:
    before = time.process_time()
    ask(size)
    return (time.process_time() - before) * 1_000


if __name__ == "__main__":
    main()
