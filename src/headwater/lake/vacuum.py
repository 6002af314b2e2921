"""Removing what a lake keeps of its past: old snapshots, and files that none lists."""

import time
from dataclasses import dataclass

from headwater.lake import snapshots
from headwater.lake.lake import GRACE_MS, Lake
from headwater.lake.tables import TABLES

KEEP = 10
"""How many snapshots stay, if nothing else is said."""


@dataclass(frozen=True, slots=True)
class LakeVacuumed:
    """How many snapshots were removed, and how many are left."""

    removed: int
    left: int


def vacuum(lake: Lake, keep: int = KEEP, grace_ms: int = GRACE_MS) -> LakeVacuumed:
    """Keep the newest snapshots, and what they need.

    Files that no snapshot lists may be those of a run that is going on: they stay while they are younger than the
    grace.
    """
    every = snapshots.numbers(lake.files)
    kept, old = every[-keep:], every[:-keep]
    for number in old:
        lake.files.remove(snapshots.file_of(number))
    states = [snapshots.load(lake.files, number) for number in kept]
    before_ms = int(time.time() * 1000) - grace_ms
    for table in TABLES.values():
        lake.tables.remove_unused(table, [state.tables.get(table.name) for state in states], before_ms)
    return LakeVacuumed(len(old), len(kept))
