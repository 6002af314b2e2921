"""A history that many processes write at once: the same runs and datasets again and again."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from headwater.store import Store

WRITER = Path(__file__).with_name("writer_script.py")


def overlapping(runs: int, seed: int = 1) -> list[dict[str, Any]]:
    """Runs of few jobs on few datasets, with parents above them, failures, drops and symlinks."""
    chance = random.Random(seed)  # noqa: S311  a history, no secret
    rows = []
    for number in range(runs):
        job = chance.choice(["load", "clean", "report"])
        parent = {"parent": {"run": {"runId": _run_id(chance.randrange(runs))}}} if chance.random() < 0.3 else {}
        source, target = chance.sample(["a", "b", "c", "d"], 2)
        lineage = {"fields": {"x": {"inputFields": [_named(source, field=f"y{chance.randrange(3)}")]}}}
        facets: dict[str, Any] = {"schema": {"fields": [{"name": f"x{chance.randrange(3)}", "type": "int"}]}}
        if chance.random() < 0.8:
            facets["columnLineage"] = lineage
        if chance.random() < 0.2:
            facets["lifecycleStateChange"] = {"lifecycleStateChange": chance.choice(["OVERWRITE", "DROP"])}
        if chance.random() < 0.2:
            facets["symlinks"] = {"identifiers": [_named(f"view of {source}", type="TABLE")]}
        for place, kind in enumerate(("START", chance.choice(["COMPLETE", "COMPLETE", "COMPLETE", "FAIL"]))):
            rows.append(
                {
                    "eventType": kind,
                    "eventTime": f"2026-01-01T{number // 60 % 24:02}:{number % 60:02}:0{place}Z",
                    "run": {"runId": _run_id(number), "facets": parent},
                    "job": {"namespace": "jobs", "name": job},
                    "inputs": [_named(source)],
                    "outputs": [_named(target, facets=facets)] if kind != "START" else [],
                }
            )
    return rows


def _named(name: str, **more: object) -> dict[str, Any]:
    return {"namespace": "lake", "name": name, **more}


def _run_id(number: int) -> str:
    return str(uuid5(NAMESPACE_URL, f"run {number}"))


def to_file(events: list[dict[str, Any]], folder: Path) -> Path:
    """The events, one a line."""
    path = folder / "events.jsonl"
    path.write_text("\n".join(map(json.dumps, events)), encoding="utf-8")
    return path


def start_writer(url: str, file: Path, seed: int, *modes: str) -> subprocess.Popen[str]:
    """A process that writes the file's events in the order of its seed, as its modes say."""
    command = [sys.executable, str(WRITER), url, str(file), str(seed), *modes]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def acknowledged(lines: list[str]) -> set[int]:
    """The places of the events that a writer said were stored."""
    return {int(place) for line in lines if not line.startswith("failed") for place in line.split()}


def holds(store: Store, events: list[dict[str, Any]]) -> bool:
    """Whether the store has all of them: sent again, each is known."""
    return store.ingest(events).duplicates == len(events)
