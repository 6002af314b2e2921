"""The page in a real browser, with a table of 2,000 columns among 500 tables and 20,000 column edges.

A SQLite store is filled by events and served on this machine; Chromium opens the page, moves about in it, and expands
and collapses boxes. It needs the page built (`npm ci && npm run build` in web/), Node and Chromium.

    python benchmarks/bench_page.py --expansions 200
"""

from __future__ import annotations

import argparse
import json
import shutil
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

from headwater.server.pages.built import BUILT
from headwater.store import open_store

EXPANSIONS = 200
_WEB = Path(__file__).parents[1] / "web"
_SMALL = "up2.t010"
"""A table with few neighbours, which all have others."""


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--expansions", type=int, default=EXPANSIONS)
    given = parser.parse_args()
    out = console()
    if missing := _missing():
        out.print(f"The page is not measured: {missing}")
        return
    neighbourhood = Neighbourhood()
    with tempfile.TemporaryDirectory(prefix="headwater-bench-") as folder:
        store = f"{folder}/page.db"
        with out.status("events"), open_store(store) as opened:
            opened.ingest(list(neighbourhood.events()))
        with served(store) as at, out.status("the page"):
            seen = _browse(f"http://127.0.0.1:{at.port}", given.expansions)
    figures = Figures(f"The page: {seen['datasets']} tables, a table of {neighbourhood.width:,} columns", out)
    more = f"{seen['first_boxes']} tables, the nearest; all of it after {seen['whole_ms'] / 1000:.2f} s"
    figures.at_most("first picture", seen["first_ms"], 1500, "ms", more)
    figures.at_least("frames while panning, near", seen["near_fps"], 30, "a second")
    figures.at_least("frames while panning, all in view", seen["far_fps"], 30, "a second", seen["edges"])
    figures.at_most("most elements", seen["elements"], 1000, "elements")
    grown = seen["heap_at_end"] / seen["heap_after_20"] * 100
    more = f"{seen['heap_after_20']:.1f} MB after 20, {seen['heap_at_end']:.1f} MB after {given.expansions}"
    figures.at_most("heap after all expansions, of that after 20", grown, 110, "%", more)
    figures.show()


def _missing() -> str | None:
    if not (BUILT / "index.html").exists():
        return "it is not built; run `npm ci && npm run build` in web/."
    if shutil.which("node") is None:
        return "there is no Node."
    if not (_WEB / "node_modules" / "@playwright").exists():
        return "Playwright is not there; run `npm ci` in web/."
    return None


def _browse(server: str, expansions: int) -> dict[str, Any]:
    small = f"{NAMESPACE}/{_SMALL}"
    command = ["node", "bench/page.mjs", server, f"{NAMESPACE}/{CENTRE}", small, str(expansions)]
    run = subprocess.run(command, cwd=_WEB, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    main()
