"""The pipeline on little input, on local[2]: a week into an empty lake and a store, ten events on a year, a question.

It counts Spark's jobs, and the CPU time of this Python and of the JVM, beside seconds. `--ways` also takes the way of
large input, which small input otherwise does not take.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.measure import console, cpu_seconds, fresh_process
from rich.table import Table

from headwater.simulate import History, Settings
from headwater.simulate.parts import in_files
from headwater.simulate.writing import write_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

WEEK = Settings(datasets=600, days=7, columns=20)
TABLES, DAYS = 100, 365
BATCHES, BATCH = 6, 10
FILES = 4


def main() -> None:
    """Measure, and print a table; or, with --work, be the process that does one thing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES, help="of the lake of a year")
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument("--keep", type=Path, help="a folder for the lakes: what is there is not made again")
    parser.add_argument("--ways", action="store_true", help="also by the way of large input")
    parser.add_argument("--work", nargs="+", metavar="WHAT", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work:
        print(json.dumps(_WORK[chosen.work[0]](*chosen.work[1:])))
        return
    with tempfile.TemporaryDirectory(prefix="headwater-bench-") as name:
        folder = chosen.keep or Path(name)
        _all(folder, Settings(datasets=chosen.tables, days=chosen.days, columns=20), ways=chosen.ways)


def _all(folder: Path, year: Settings, *, ways: bool) -> None:
    out = Table("", "seconds", "CPU", "Spark jobs", "", title="the pipeline on little input, local[2]")
    week = folder / "week"
    if not week.exists():
        list(write_files(WEEK, in_files(WEEK, week, FILES), jobs=2))
    lake = folder / f"year{year.datasets}x{year.days}"
    if not lake.exists():
        files = folder / "year"
        before = Settings(datasets=year.datasets, days=year.days - 1, columns=20)
        list(write_files(before, in_files(before, files, FILES), jobs=2))
        fresh_process(__file__, ["--work", "run", str(lake), str(files)])
    for way in ("few", "many") if ways else ("few",):
        place = tempfile.mkdtemp(dir=folder)
        for what, row in fresh_process(__file__, ["--work", "empty", place, str(week), way]).items():
            out.add_row(f"a week into an empty lake and a store ({way}): {what}", *_shown(row))
    day = [line.text for line in itertools.islice(History(year).lines(year.days - 1), BATCH * BATCHES * 2)]
    for number, way in enumerate(("few", "many") if ways else ("few",)):
        chosen = day[number * BATCH * BATCHES : (number + 1) * BATCH * BATCHES]
        lines = Path(tempfile.mkdtemp(dir=folder)) / "lines.json"
        lines.write_text(json.dumps(chosen), encoding="utf-8")
        for row in fresh_process(__file__, ["--work", "ten", str(lake), way, str(lines)]):
            out.add_row(f"{BATCH} events on a year ({way})", *_shown(row))
    for row in fresh_process(__file__, ["--work", "ask", str(lake)]):
        out.add_row("a question", *_shown(row))
    console().print(out)


def _shown(row: dict[str, Any]) -> list[str]:
    return [f"{row['seconds']:.1f}", f"{row['cpu']:.1f}", str(row["jobs"]), row.get("more", "")]


@contextmanager
def _spark(way: str = "few") -> Iterator[SparkSession]:
    from headwater.lake.session.session import SessionOptions, pipeline_session  # noqa: PLC0415  after --help
    from headwater.pipeline import run  # noqa: PLC0415

    if way == "many":
        run.MOST_EVENTS = -1
    with pipeline_session(SessionOptions(master="local[2]")) as spark:
        yield spark


@contextmanager
def _measured(spark: SparkSession, rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    scheduler: Any = spark.sparkContext._jsc.sc().dagScheduler()  # noqa: SLF001
    jobs, cpu, begun = scheduler.numTotalJobs(), cpu_seconds(spark), time.monotonic()
    row: dict[str, Any] = {}
    yield row
    row["seconds"] = time.monotonic() - begun
    rows.append({**row, "jobs": scheduler.numTotalJobs() - jobs, "cpu": cpu_seconds(spark) - cpu})


def _run(lake: str, *names: str) -> dict[str, float]:
    from headwater.lake.lake import Lake  # noqa: PLC0415
    from headwater.pipeline.land.land import land  # noqa: PLC0415
    from headwater.pipeline.run import run_once  # noqa: PLC0415

    with _spark() as spark:
        return dict(run_once(spark, Lake.open(spark, lake), land(spark, names)).seconds)


def _empty(place: str, files: str, way: str) -> dict[str, Any]:
    """As the command does it, in a process of its own."""
    from headwater.lake.lake import Lake  # noqa: PLC0415
    from headwater.pipeline.land.land import land  # noqa: PLC0415
    from headwater.pipeline.load.load import load  # noqa: PLC0415
    from headwater.pipeline.run import run_once  # noqa: PLC0415
    from headwater.store import open_store  # noqa: PLC0415

    begun = time.monotonic()
    with _spark(way) as spark:
        started = {"seconds": time.monotonic() - begun, "cpu": cpu_seconds(spark), "jobs": 0}
        rows: list[dict[str, Any]] = []
        with _measured(spark, rows) as row:
            report = run_once(spark, Lake.open(spark, f"{place}/lake"), land(spark, [files]))
            stages = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in report.seconds.items())
            row["more"] = f"{report.new:,} events: {stages}"
        with _measured(spark, rows), open_store(f"sqlite:///{place}/store.db") as store:
            load(spark, store, f"{place}/lake")
        return {"start": started, "run": rows[0], "load": rows[1]}


def _ten(lake: str, way: str, place: str) -> list[dict[str, Any]]:
    """Batches one after the other, as a stream takes them."""
    from headwater.lake.lake import Lake  # noqa: PLC0415
    from headwater.pipeline.run import run_once  # noqa: PLC0415
    from headwater.pipeline.validate.rows import LANDED  # noqa: PLC0415

    lines: list[str] = json.loads(Path(place).read_text(encoding="utf-8"))
    rows: list[dict[str, Any]] = []
    with _spark(way) as spark:
        for start in range(0, len(lines), BATCH):
            with _measured(spark, rows) as row:
                landed = [(bytearray(line.encode()), "bench", 0, None) for line in lines[start : start + BATCH]]
                report = run_once(spark, Lake.open(spark, lake), spark.createDataFrame(landed, LANDED))
                stages = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in report.seconds.items())
                row["more"] = f"{report.new} new: {stages}"
    return rows


def _ask(lake: str) -> list[dict[str, Any]]:
    """Questions about some datasets, the first of which opens the lake."""
    from headwater.client.lake import LakeLineage  # noqa: PLC0415
    from headwater.lake.lake import Lake  # noqa: PLC0415
    from headwater.query.graph.answer import Direction  # noqa: PLC0415
    from headwater.query.questions import Follow, ImpactOf, RootsOf  # noqa: PLC0415

    rows: list[dict[str, Any]] = []
    with _spark() as spark:
        found = Lake.open(spark, lake).read("dataset").orderBy("id").select("namespace", "name").collect()
        names = [f"{row.namespace}/{row.name}" for row in found[:: max(1, len(found) // 6)]]
        lineage = LakeLineage(lake)
        for name in names:
            for question in (
                Follow(dataset=name, direction=Direction.UPSTREAM),
                Follow(dataset=name, direction=Direction.DOWNSTREAM),
                ImpactOf(dataset=name),
                RootsOf(dataset=name),
            ):
                with _measured(spark, rows) as row:
                    lineage.ask(question)
                    row["more"] = f"{type(question).__name__} {name}"
        lineage.close()
    return rows


_WORK: Mapping[str, Callable[..., Any]] = {"run": _run, "empty": _empty, "ten": _ten, "ask": _ask}

if __name__ == "__main__":
    main()
