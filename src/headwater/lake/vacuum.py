"""Removes old snapshots of a lake, and files that no snapshot lists."""

import time
from dataclasses import dataclass

from headwater.lake import snapshots
from headwater.lake.lake import GRACE_MS, Lake
from headwater.lake.tables import TABLES

KEEP = 10
"""How many snapshots stay by default."""


@dataclass(frozen=True, slots=True)
class LakeVacuumed:
    """How many snapshots were removed, and how many are left."""

    removed: int
    left: int


def vacuum(lake: Lake, keep: int = KEEP, grace_ms: int = GRACE_MS) -> LakeVacuumed:
    """Keep the newest snapshots and their files.

    Files that no snapshot lists may belong to a run in progress: they stay until they are older than the grace.
    """
    every = snapshots.numbers(lake.files)
    recent, old = every[-keep:], every[:-keep]
    for number in old:
        lake.files.remove(snapshots.file_of(number))
    states = [snapshots.load(lake.files, number) for number in recent]
    before_ms = int(time.time() * 1000) - grace_ms
    for table in TABLES.values():
        lake.tables.remove_unused(table, [state.tables.get(table.name) for state in states], before_ms)
    return LakeVacuumed(len(old), len(recent))
