"""What tests of whole runs share: input, and the whole of a lake by names, in which two lakes must agree."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from headwater.lake.lake import Lake
from headwater.pipeline.load.load import load
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pyspark.sql import SparkSession
    from tests.conftest import EventMaker
    from tests.store.conftest import View

    from headwater.store import Store


def history(maker: EventMaker, size: int = 24) -> list[dict[str, object]]:
    """Runs of a few jobs, in which mappings change, names come late and one run fails."""
    events: list[dict[str, object]] = []
    for number in range(size):
        job = f"job {number % 3}"
        column = {"c": [f"in{number % 3}.{'ab'[number // 12 % 2]} IDENTITY"]}
        end = "FAIL" if number == 7 else "COMPLETE"
        schema = {"c": "int"} if number % 2 else None
        run = f"{job} {number}"
        out = f"out{number % 3}"
        events.append(maker(number * 2, "START", run=run, job=job, out=None, parent="day"))
        events.append(
            maker(number * 2 + 1, end, run=run, job=job, out=out, columns=column, schema=schema, parent="day")
        )
    return events


def write_lines(path: Path, events: Sequence[object]) -> None:
    """A file of events that appears as a whole."""
    draft = path.with_name(f"_{path.name}")
    draft.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
    draft.rename(path)


def view_of(
    spark: SparkSession, natural_view: Callable[[Store], View], lake: Path | str, folder: Path
) -> dict[str, Any]:
    """All that a lake says, without keys; and its quarantine, without when."""
    place = folder / f"view-{abs(hash(str(lake)))}.db"
    place.unlink(missing_ok=True)
    with open_store(str(place)) as store:
        load(spark, store, str(lake))
        view: dict[str, Any] = dict(natural_view(store))
    bad = Lake.open(spark, str(lake), make=False).read("quarantine").drop("found_us").collect()
    view["quarantine"] = sorted(tuple(str(value) for value in row) for row in bad)
    return view
