"""How fast the store answers: columns upstream and downstream, now, as of a moment and of a version; and search.

The stores have 100 thousand, 1 million and 5 million column edges in force, and a year of history (benchmarks/loaded.py
says how they are made). Questions go 20 edges deep; those whose answer has more than 500 columns are left out.

    python benchmarks/bench_store_questions.py --edges 100000 --databases sqlite
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.loaded import VERSIONS_AN_EDGE, Many, load, many_with
from benchmarks.measure import console
from benchmarks.stores import DATABASES, Figures, Place, opened, percentile, places, progress, remove
from rich.console import Console

from headwater.client.local import StoredLineage
from headwater.query.graph.answer import Direction
from headwater.query.search.fuzzy import search
from headwater.store import Store

EDGES = (100_000, 1_000_000, 5_000_000)
QUESTIONS = 200
DEPTH = 20
LARGEST = 500
LAYERS, WIDTH = 30, 10


def main() -> None:
    """Measure, and print a table for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, nargs="+", default=EDGES)
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--databases", nargs="+", default=DATABASES, choices=DATABASES)
    given = parser.parse_args()
    out = console()
    with places(given.databases) as make:
        for edges in given.edges:
            warehouse = many_with(edges)
            figures = Figures(f"store: {edges:,} column edges in force", out)
            for place in make(f"edges{edges}"):
                with opened(place) as store:
                    started = time.perf_counter()
                    load(store, warehouse, int(edges * VERSIONS_AN_EDGE), out)
                    _describe(place, store, time.perf_counter() - started, out)
                    _ask(place, store, warehouse, given.questions, figures, out)
                    _search(place, store, warehouse, given.questions, figures)
                remove(place)
            figures.show()
        figures = Figures(f"store: fully connected layers, {WIDTH} columns by {LAYERS} layers", out)
        for place in make("layers"):
            with opened(place) as store:
                _layers(place, store, figures)
            remove(place)
        figures.show()


def _describe(place: Place, store: Store, took: float, out: Console) -> None:
    if place.server:
        with store.database.alone() as session:  # as autovacuum does a little later
            session.run("VACUUM ANALYZE")
    with store.read() as session:
        forever = 2**63 - 1
        edges = session.rows(
            "SELECT count(*) FROM slot JOIN edge ON edge.mapping = slot.mapping WHERE slot.until_us = :forever",
            forever=forever,
        )[0][0]
        versions = session.rows("SELECT count(*) FROM version")[0][0]
        tables = session.rows("SELECT count(*) FROM dataset")[0][0]
        history = session.rows("SELECT count(*) FROM edge")[0][0]
    out.print(
        f"{place.name}: {edges:,} edges in force, {history:,} in all, {versions:,} versions, {tables:,} tables;"
        f" loaded in {took:.0f} s"
    )


def _ask(  # noqa: PLR0913, PLR0917  what a benchmark needs
    place: Place, store: Store, warehouse: Many, count: int, figures: Figures, out: Console
) -> None:
    chance = random.Random(3)  # noqa: S311  questions, no secret
    versions = _some_versions(store, warehouse, chance, count)
    with progress(out) as bar:
        for direction in Direction:
            for when, asked in (("now", 10), ("as of a day", 25), ("of a version", 25)):
                if when == "of a version" and direction is Direction.DOWNSTREAM:
                    continue
                task = bar.add_task(f"{place.name}, {direction.value} {when}", total=count)
                took: list[float] = []
                sizes: list[int] = []
                tries = 0
                # The first ones are not counted: a server that has been asked before has its tables in memory.
                warm = count // 4
                while len(took) < count and tries < 20 * count:
                    tries += 1
                    table = chance.randrange(warehouse.tables)
                    options: dict[str, Any] = {}
                    if when == "as of a day":
                        moment = warehouse.moment(table, chance.randrange(1, 360))
                        options["as_of"] = int(moment.timestamp() * 1_000_000)
                    elif when == "of a version":
                        table, options["version"] = chance.choice(versions)
                    dataset = f"s3://lake/{warehouse.name(table)}"
                    column = f"c{chance.randrange(warehouse.columns):02}"
                    started = time.perf_counter()
                    answer = StoredLineage(store).follow(direction, dataset, column, depth=DEPTH, **options)
                    passed = (time.perf_counter() - started) * 1000
                    if tries > warm and len(answer.nodes) <= LARGEST:
                        took.append(passed)
                        sizes.append(len(answer.nodes))
                        bar.advance(task)
                nodes = f"columns p50 {percentile(sizes, 50)}, max {max(sizes)}"
                more = f"p50 {percentile(took, 50):.1f}, max {max(took):.1f} ms; {nodes}"
                name = f"{place.name}: {direction.value} {when}, p95"
                figures.at_most(name, percentile(took, 95), asked, "ms", more)
                bar.remove_task(task)


def _some_versions(store: Store, warehouse: Many, chance: random.Random, count: int) -> list[tuple[int, str]]:
    """Tables, each with one of its versions."""
    versions = []
    with store.read() as session:
        for _ in range(count):
            table = chance.randrange(warehouse.tables)
            rows = session.rows(
                "SELECT version.uuid FROM dataset JOIN version ON version.dataset = dataset.id"
                " WHERE dataset.namespace = 's3://lake' AND dataset.name = :name",
                name=warehouse.name(table),
            )
            versions.append((table, str(UUID(bytes=bytes(chance.choice(sorted(rows))[0])))))
    return versions


def _search(place: Place, store: Store, warehouse: Many, count: int, figures: Figures) -> None:
    chance = random.Random(5)  # noqa: S311  words, no secret
    ways: dict[str, Callable[[str], str]] = {
        "a name": lambda name: name,
        "the end of a name": lambda name: name.rpartition(".")[2],
        "a typo": lambda name: name[:-3] + name[-2] + name[-3] + name[-1],
        "a word that all have": lambda _: "layer",
    }
    for label, way in ways.items():
        took = []
        for _ in range(max(20, count // 4)):
            text = way(warehouse.name(chance.randrange(warehouse.tables)))
            started = time.perf_counter()
            with store.read() as session:
                search(session, text)
            took.append((time.perf_counter() - started) * 1000)
        figures.at_most(
            f"{place.name}: search by {label}, p95",
            percentile(took, 95),
            50,
            "ms",
            f"p50 {percentile(took, 50):.1f} ms",
        )


def _layers(place: Place, store: Store, figures: Figures) -> None:
    """Every column of a layer reads every one of the layer below."""
    events = []
    for layer in range(1, LAYERS + 1):
        sources = [{"namespace": "lake", "name": f"l{layer - 1}", "field": f"c{number}"} for number in range(WIDTH)]
        fields = {f"c{number}": {"inputFields": sources} for number in range(WIDTH)}
        events.append(
            {
                "eventType": "COMPLETE",
                "eventTime": f"2026-01-01T00:{layer:02}:00Z",
                "run": {"runId": str(UUID(int=layer))},
                "job": {"namespace": "jobs", "name": f"l{layer}"},
                "outputs": [
                    {"namespace": "lake", "name": f"l{layer}", "facets": {"columnLineage": {"fields": fields}}}
                ],
            }
        )
    store.ingest(events)
    for direction, start in ((Direction.UPSTREAM, f"l{LAYERS}"), (Direction.DOWNSTREAM, "l0")):
        for when, as_of in (("now", None), ("as of", 1_800_000_000_000_000)):
            took = []
            for _ in range(60):
                started = time.perf_counter()
                answer = StoredLineage(store).follow(direction, f"lake/{start}", "c0", as_of=as_of)
                took.append((time.perf_counter() - started) * 1000)
                assert len(answer.nodes) == LAYERS * WIDTH + 1
                assert len(answer.edges) == (LAYERS - 1) * WIDTH * WIDTH + WIDTH
            more = f"p50 {percentile(took, 50):.1f} ms; {len(answer.nodes)} columns, {len(answer.edges)} edges"
            figures.at_most(f"{place.name}: all {direction.value}, {when}, p95", percentile(took, 95), 150, "ms", more)


if __name__ == "__main__":
    main()
