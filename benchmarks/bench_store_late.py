"""What one late event costs on a dataset that one job has written very often; on PostgreSQL and on SQLite.

python benchmarks/bench_store_late.py --versions 20000
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.history import Warehouse, in_batches
from benchmarks.measure import console
from benchmarks.stores import DATABASES, Figures, Place, opened, percentile, places, progress, remove, timed
from rich.console import Console

VERSIONS = 100_000
BATCH = 500
LATE = 20


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--versions", type=int, default=VERSIONS)
    parser.add_argument("--databases", nargs="+", default=DATABASES, choices=DATABASES)
    given = parser.parse_args()
    out = console()
    figures = Figures("store: one late event", out)
    with places(given.databases) as make:
        for place in make("late"):
            _late(place, given.versions, figures, out)
            remove(place)
    figures.show()


def _late(place: Place, versions: int, figures: Figures, out: Console) -> None:
    """Events that come late, on a dataset that one job has written very often: each alone in its transaction."""
    warehouse = Warehouse(tables=1, layers=1)
    chance = random.Random(7)  # noqa: S311  moments, no secret
    with opened(place) as store, progress(out) as bar:
        task = bar.add_task(f"{place.name}, {versions:,} versions", total=versions)
        for batch in in_batches((_minutely(warehouse, number) for number in itertools.count()), versions, BATCH):
            assert store.ingest(batch).accepted == len(batch)
            bar.advance(task, len(batch))
        with store.read() as session:
            assert session.rows("SELECT count(*) FROM version") == [(versions,)]
        late: dict[str, Callable[[int], dict[str, Any]]] = {
            "with the same mapping": lambda number: _minutely(warehouse, number, 30),
            "with another mapping": lambda number: _minutely(warehouse, number, 31, variant=number),
            "that says nothing of columns": lambda number: _silent(_minutely(warehouse, number, 32)),
            "of a run that failed": lambda number: {**_minutely(warehouse, number, 33), "eventType": "FAIL"},
            "that overwrites all": lambda number: _overwriting(_minutely(warehouse, number, 34)),
            "that ends a run anew": lambda number: _again(_minutely(warehouse, number), "ABORT"),
        }
        for label, make in late.items():
            took = []
            for _ in range(LATE):
                events = [make(chance.randrange(versions))]
                took.append(timed(partial(store.ingest, events)) * 1000)
            more = f"median {percentile(took, 50):.1f}, longest {max(took):.1f} ms"
            name = f"{place.name}: one late event {label}, {versions:,} versions"
            figures.at_most(name, percentile(took, 95), 20, "ms", more)


def _minutely(warehouse: Warehouse, number: int, seconds: int = 0, *, variant: int = 0) -> dict[str, Any]:
    event = warehouse.complete(0, 0, variant)
    moment = warehouse.moment(0, 0) + timedelta(minutes=number, seconds=seconds)
    event["eventTime"] = moment.isoformat().replace("+00:00", "Z")
    event["run"] = {"runId": warehouse.run_id(seconds, number)}
    return event


def _silent(event: dict[str, Any]) -> dict[str, Any]:
    del event["outputs"][0]["facets"]["columnLineage"]
    return event


def _overwriting(event: dict[str, Any]) -> dict[str, Any]:
    event["outputs"][0]["facets"]["lifecycleStateChange"] = {"lifecycleStateChange": "OVERWRITE"}
    return event


def _again(event: dict[str, Any], kind: str) -> dict[str, Any]:
    return {**event, "eventType": kind, "eventTime": event["eventTime"].replace("Z", ".5Z")}


if __name__ == "__main__":
    main()
