"""Derive: from validated events to the changes of every table, by the store's own functions.

The same function for the first run, an increment and a micro-batch. Nothing comes to the driver but counts, sizes and
names of partitions.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from headwater.lake.frames import Work
from headwater.lake.lake import Change, Draft, Lake
from headwater.pipeline.derive.affected_runs import touched_runs
from headwater.pipeline.derive.alias_rows import derive_aliases
from headwater.pipeline.derive.dataset_rows import derive_datasets
from headwater.pipeline.derive.events import NEWEST, Facts, new_facts
from headwater.pipeline.derive.name_rows import Named
from headwater.pipeline.derive.naming import name_all
from headwater.pipeline.derive.run_rows import fold_runs
from headwater.pipeline.derive.shapes import Said
from headwater.pipeline.derive.slot_rows import derive_slots, note_job_events
from headwater.pipeline.derive.version_names import name_versions, stream_shapes
from headwater.pipeline.derive.version_rows import derive_versions
from headwater.pipeline.validate.validated import Validated

_AT_ONCE = 2


@dataclass(frozen=True)
class Counts:
    """What became of events.

    Attributes:
        new: events that the lake did not have.
        duplicated: those that were there more than once, or that the lake had.
        late: new ones that are older than the newest of the lake.
        newest_us: when the newest event of the lake happened, with these.
        rows: by table, how many rows are new, of those tables whose rows have keys that are counted as they are given.
    """

    new: int
    duplicated: int
    late: int
    newest_us: int | None
    rows: Mapping[str, int]


def derive(lake: Lake, draft: Draft, validated: Validated) -> Counts:
    """Derive the changes of every table from events, and have each written as soon as it is known."""
    if validated.read == validated.bad_count:
        return Counts(0, 0, 0, lake.snapshot.note.get(NEWEST), {})
    work = Work(lake)
    named = name_all(work, validated)
    facts = new_facts(work, validated, named)
    if not facts.new:
        return Counts(0, facts.read, 0, facts.newest_us, {})
    said = Said.of(lake, named)
    draft.change({**named.changes, "event": Change(facts.rows), **note_job_events(facts)})
    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="headwater-derive") as pool:
        # What is known of datasets beside their history does not depend on it.
        asked = [
            pool.submit(derive_datasets, work, facts, said, named.fields, named.new_rows.get("dataset")),
            pool.submit(derive_aliases, work, facts, said),
        ]
        for changes in _history(work, facts, said, named):
            draft.change(changes)
        for one in asked:
            draft.change(one.result())
    rows = {"event": facts.new, **named.keys.new}
    return Counts(facts.new, facts.read - facts.new, facts.late, facts.newest_us, rows)


def _history(work: Work, facts: Facts, said: Said, named: Named) -> Iterator[Mapping[str, Change]]:
    """Changes of runs, of what they wrote, and of what is in force."""
    runs = fold_runs(work, facts, named)
    yield {"run": runs.change, **stream_shapes(work.lake, facts, runs)}
    touched = touched_runs(work, facts, runs, said.mentions)
    names, called = name_versions(work, facts, said, touched)
    yield names
    versions = derive_versions(work, facts, touched, said, called)
    yield versions.changes
    yield derive_slots(work, facts, said, versions)
