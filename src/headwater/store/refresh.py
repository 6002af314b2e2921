"""Derived state, written again for the keys that a batch of events touched: runs, then datasets, then schemas."""

import json
import sqlite3
import zlib
from collections.abc import Iterable

from headwater.store.derive import Interval, Write, fold_writes, replaces_all
from headwater.store.facts import WRITTEN, Scope
from headwater.store.order import stamp_us

_OUTPUTS = """
SELECT o.dataset, lineage.mapping, lifecycle.state, subset.body IS NOT NULL
FROM run_dataset o
LEFT JOIN facet lineage
    ON lineage.run = o.run AND lineage.scope = :output AND lineage.dataset = o.dataset
    AND lineage.name = 'columnLineage'
LEFT JOIN facet lifecycle
    ON lifecycle.run = o.run AND lifecycle.scope = :output AND lifecycle.dataset = o.dataset
    AND lifecycle.name = 'lifecycleStateChange'
LEFT JOIN facet subset
    ON subset.run = o.run AND subset.scope = :output_role AND subset.dataset = o.dataset AND subset.name = 'subset'
WHERE o.run = :run AND o.role = :written
"""
_WRITTEN_BELOW = """
WITH RECURSIVE below (id) AS (
    SELECT id FROM run WHERE parent = :run
    UNION
    SELECT child.id FROM below JOIN run child ON child.parent = below.id
)
SELECT DISTINCT o.dataset
FROM below JOIN run ON run.id = below.id JOIN run_dataset o ON o.run = run.id AND o.role = :written
WHERE run.end_type = 'COMPLETE' AND run.id <> :run
"""
_ABOVE = """
WITH RECURSIVE above (id) AS (
    SELECT parent FROM run WHERE id = :run AND parent IS NOT NULL
    UNION
    SELECT run.parent FROM above JOIN run ON run.id = above.id WHERE run.parent IS NOT NULL
)
SELECT id FROM above
"""
_LAST_MAPPING = """
SELECT mapping FROM version WHERE dataset = ? AND job = ? AND us < ? ORDER BY us DESC, stamp DESC LIMIT 1
"""


def runs_above(connection: sqlite3.Connection, runs: Iterable[int]) -> set[int]:
    """The runs that started these, and those that started them, and so on."""
    return {row[0] for run in runs for row in connection.execute(_ABOVE, {"run": run})}


def refresh_versions(connection: sqlite3.Connection, runs: Iterable[int]) -> dict[int, int]:
    """Derive the versions that runs made; returns the datasets whose versions changed, each with the earliest time."""
    touched: dict[int, int] = {}
    for run in sorted(runs):
        before = _stored_writes(connection, run)
        after = _writes(connection, run)
        for dataset in sorted(before.keys() | after.keys()):
            old, new = before.get(dataset), after.get(dataset)
            if old == new:
                continue
            if old:
                connection.execute("DELETE FROM version WHERE dataset = ? AND stamp = ?", (dataset, old.stamp))
            if new:
                connection.execute(
                    "INSERT INTO version (dataset, stamp, us, run, job, mapping, carried, lifecycle, whole)"
                    " VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)",
                    (dataset, new.stamp, new.us, run, new.job, new.mapping, new.lifecycle, new.whole),
                )
            since = min(write.us for write in (old, new) if write)
            touched[dataset] = min(since, touched.get(dataset, since))
    return touched


def _stored_writes(connection: sqlite3.Connection, run: int) -> dict[int, Write]:
    rows = connection.execute(
        "SELECT dataset, run, job, us, stamp, mapping, carried, lifecycle, whole FROM version WHERE run = ?", (run,)
    )
    return {row[0]: _write(row[1:]) for row in rows}


def _write(row: tuple[int, int, int, bytes, int | None, int, str, int]) -> Write:
    run, job, us, stamp, mapping, carried, lifecycle, whole = row
    return Write(run, job, us, stamp, None if carried else mapping, lifecycle, bool(whole))


def _writes(connection: sqlite3.Connection, run: int) -> dict[int, Write]:
    """What a run wrote, by dataset: nothing unless it completed, and not what a run below it wrote."""
    row = connection.execute("SELECT job, end_stamp FROM run WHERE id = ? AND end_type = 'COMPLETE'", (run,)).fetchone()
    if row is None:
        return {}
    job, stamp = row
    us = stamp_us(stamp)
    keys = {"run": run, "written": WRITTEN, "output": int(Scope.OUTPUT), "output_role": int(Scope.OUTPUT_ROLE)}
    outputs = connection.execute(_OUTPUTS, keys).fetchall()
    if not outputs:
        return {}
    below = {dataset for (dataset,) in connection.execute(_WRITTEN_BELOW, keys)}
    return {
        dataset: Write(run, job, us, stamp, mapping, state or "", replaces_all(state or "", partial=bool(subset)))
        for dataset, mapping, state, subset in outputs
        if dataset not in below
    }


def refresh_slots(connection: sqlite3.Connection, dataset: int, since: int) -> None:
    """Derive what is in force from a moment on; what ended before it cannot have changed."""
    rows = connection.execute(
        "SELECT run, job, us, stamp, mapping, carried, lifecycle, whole FROM version WHERE dataset = ? AND us >= ?",
        (dataset, since),
    ).fetchall()
    writes = [_write(row) for row in rows]
    stored = {
        Interval(job, mapping, from_us, until_us)
        for job, mapping, from_us, until_us in connection.execute(
            "SELECT job, mapping, from_us, until_us FROM slot WHERE dataset = ? AND until_us >= ?", (dataset, since)
        )
    }
    in_force = [interval for interval in stored if interval.from_us < since]
    known = {
        job: found[0]
        for job in {write.job for write in writes}
        if (found := connection.execute(_LAST_MAPPING, (dataset, job, since)).fetchone())
    }
    history = fold_writes(writes, in_force, known)
    connection.executemany(
        "UPDATE version SET mapping = ?, carried = ? WHERE dataset = ? AND stamp = ?",
        [
            (effect.mapping, effect.carried, dataset, effect.stamp)
            for effect, row in zip(history.effects, sorted(rows, key=lambda row: bytes(row[3])), strict=True)
            if (effect.mapping, effect.carried) != (row[4], bool(row[5]))
        ],
    )
    connection.executemany(
        "DELETE FROM slot WHERE dataset = ? AND until_us = ? AND job = ? AND from_us = ?",
        [(dataset, gone.until_us, gone.job, gone.from_us) for gone in stored - history.intervals],
    )
    connection.executemany(
        "INSERT INTO slot (dataset, until_us, job, from_us, mapping) VALUES (?, ?, ?, ?, ?)",
        [(dataset, new.until_us, new.job, new.from_us, new.mapping) for new in history.intervals - stored],
    )


def refresh_fields(connection: sqlite3.Connection, dataset: int) -> None:
    """Derive types and positions: those of the last schema, and for a field no longer in it, its last known type."""
    bodies = connection.execute(
        "SELECT content FROM dataset_schema JOIN body ON body.id = body WHERE dataset = ? ORDER BY stamp", (dataset,)
    ).fetchall()
    known: dict[str, tuple[str, int | None]] = {}
    for (content,) in bodies:
        known = {path: (kind, None) for path, (kind, _) in known.items()}
        for position, (path, kind) in enumerate(json.loads(zlib.decompress(content))):
            known[path] = (kind, position)
    connection.executemany(
        "UPDATE field SET type = ?, position = ? WHERE dataset = ? AND path = ? AND (type, position) IS NOT (?, ?)",
        [(kind, position, dataset, path, kind, position) for path, (kind, position) in known.items()],
    )
