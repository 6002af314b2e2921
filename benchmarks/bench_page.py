"""The page in a real browser, with a table of 2,000 columns among 500 tables and 20,000 column edges.

A SQLite store is filled by events and served on this machine; Chromium opens the page, moves about in it, and expands
and collapses boxes. The server was asked before and the browser has the page's files: what is measured is the graph.
It needs the page built (`make page`) and Chromium; where something is missing it says so, and fails if
`HEADWATER_STRICT_SKIPS` is set.

    python benchmarks/bench_page.py --expansions 200
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.measure import console
from benchmarks.neighbourhood import CENTRE, NAMESPACE, Neighbourhood
from benchmarks.over_http import served
from benchmarks.stores import Figures
from scripts.page import BUILT, CHROMIUM, WEB, MissingError, need_chromium, npm

from headwater.store import open_store

EXPANSIONS = 200
_WARM = 20
"""After so many expansions all code has run and all caches are full: the memory is compared with that of then."""
_SMALL = "up2.t010"
"""A table with few neighbours, which all have others."""


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--expansions", type=int, default=EXPANSIONS)
    given = parser.parse_args()
    if given.expansions <= _WARM:
        parser.error(f"--expansions: must be more than {_WARM}, after which the memory is compared")
    out = console()
    try:
        environment = _environment()
    except MissingError as error:
        if os.environ.get("HEADWATER_STRICT_SKIPS"):
            raise SystemExit(f"The page: {error}.") from error
        out.print(f"Skipped the page: {error}.")
        return
    neighbourhood = Neighbourhood()
    with tempfile.TemporaryDirectory(prefix="headwater-bench-") as folder:
        store = f"{folder}/page.db"
        with out.status("events"), open_store(store) as opened:
            opened.ingest(list(neighbourhood.events()))
        with served(store) as at, out.status("the page"):
            seen = _browse(f"http://127.0.0.1:{at.port}", given.expansions, environment)
    figures = Figures(f"The page: {seen['drawn']}, a table of {neighbourhood.width:,} columns", out)
    more = f"{seen['first_boxes']} tables, the nearest; all of it after {seen['whole_ms'] / 1000:.2f} s"
    figures.at_most("first picture", seen["first_ms"], 1500, "ms", more)
    figures.at_most("longest that the page did not react", seen["blocked_ms"], None, "ms", "while all of it came")
    figures.at_least("frames while panning, near", seen["near_fps"], 30, "a second", f"{seen['near_boxes']} tables")
    figures.at_least("frames while panning, all in view", seen["far_fps"], 30, "a second", seen["drawn"])
    figures.at_most("most elements", seen["elements"], 1000, "elements", "while opening, panning and zooming")
    warm, end = seen["when_warm"], seen["at_end"]
    grown = f"of that after {_WARM}"
    more = f"{warm['objects']:.2f} MB after {_WARM}, {end['objects']:.2f} MB after {given.expansions}"
    more += f"; {seen['expanded']} different ones"
    figures.at_most(f"objects after all expansions, {grown}", end["objects"] / warm["objects"] * 100, 110, "%", more)
    more = f"{warm['nodes']:,} after {_WARM}, {end['nodes']:,} after {given.expansions}"
    figures.at_most(f"nodes, also detached, {grown}", end["nodes"] / warm["nodes"] * 100, 110, "%", more)
    more = f"{warm['heap']:.1f} MB, {end['heap']:.1f} MB: with the code that the browser makes"
    figures.at_most(f"whole heap, {grown}", end["heap"] / warm["heap"] * 100, None, "%", more)
    figures.show()


def _environment() -> dict[str, str]:
    """Where the page's own tools find their Node.

    Raises:
        MissingError: something is not there.
    """
    if not (BUILT / "index.html").exists() or not (WEB / "node_modules" / "@playwright").exists():
        raise MissingError("it is not built: run `make page`")
    need_chromium()
    return {**npm()[1], "HEADWATER_CHROMIUM": CHROMIUM}


def _browse(server: str, expansions: int, environment: dict[str, str]) -> dict[str, Any]:
    names = [f"{NAMESPACE}/{name}" for name in (CENTRE, _SMALL)]
    command = ["node", "bench/page.mjs", server, *names, str(_WARM), str(expansions)]
    run = subprocess.run(command, cwd=WEB, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    figures: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return figures


if __name__ == "__main__":
    main()
