"""Derive: from validated events to the changes of every table, by the store's own functions.

The first run, an increment and a micro-batch are the same function. Only counts, sizes and names of partitions reach
the driver, and frames of a bounded size where the input is small (`Work`).
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from headwater.lake.frames import Work
from headwater.lake.lake import Change, Draft, Lake
from headwater.pipeline.derive.affected_runs import find_affected_runs
from headwater.pipeline.derive.alias_rows import derive_aliases
from headwater.pipeline.derive.dataset_rows import derive_datasets
from headwater.pipeline.derive.events import NEWEST, Facts, new_facts
from headwater.pipeline.derive.names import Named, name_all
from headwater.pipeline.derive.run_rows import fold_runs, stream_shapes
from headwater.pipeline.derive.shapes import ShapeTables
from headwater.pipeline.derive.slot_rows import derive_slots, note_job_events
from headwater.pipeline.derive.version_rows import derive_versions, name_versions
from headwater.pipeline.validate.validate import Validated

_AT_ONCE = 2


@dataclass(frozen=True)
class Counts:
    """The outcome of deriving.

    Attributes:
        new: events that the lake did not have.
        duplicated: events that came more than once, or that the lake had.
        late: new ones that are older than the newest of the lake.
        newest_us: when the newest event of the lake happened, these included.
        rows: how many rows are new, by table, for events and the tables with keys.
    """

    new: int
    duplicated: int
    late: int
    newest_us: int | None
    rows: Mapping[str, int]


def derive(lake: Lake, draft: Draft, validated: Validated, *, few: bool = False) -> Counts:
    """Derive the changes of every table, and write each as soon as it is known; of `few` events, with few jobs."""
    if validated.read == validated.bad_count:
        return Counts(0, 0, 0, lake.snapshot.note.get(NEWEST), {})
    work = Work(lake, few=few)
    if few:
        validated = replace(validated, events=work.few.here(validated.events), bodies=work.few.here(validated.bodies))
    named = name_all(work, validated)
    facts = new_facts(work, validated, named)
    if not facts.new:
        return Counts(0, facts.read, 0, facts.newest_us, {})
    tables = ShapeTables.of(lake, named)
    draft.change({**named.changes, "event": Change(facts.rows), **note_job_events(facts)})
    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="headwater-derive") as pool:
        # Datasets, fields and aliases do not depend on the history.
        futures = [
            pool.submit(derive_datasets, work, facts, tables, named.fields, named.new_rows.get("dataset")),
            pool.submit(derive_aliases, work, facts, tables),
        ]
        for changes in _history(work, facts, tables, named):
            draft.change(changes)
        for future in futures:
            draft.change(future.result())
    rows = {"event": facts.new, **named.keys.new}
    return Counts(facts.new, facts.read - facts.new, facts.late, facts.newest_us, rows)


def _history(work: Work, facts: Facts, tables: ShapeTables, named: Named) -> Iterator[Mapping[str, Change]]:
    """Changes of runs, versions and slots."""
    runs = fold_runs(work, facts, named)
    yield {"run": runs.change, **stream_shapes(work.lake, facts, runs)}
    affected = find_affected_runs(work, facts, runs, tables.mentions)
    names, version_names = name_versions(work, facts, tables, affected)
    yield names
    versions = derive_versions(work, facts, affected, tables, version_names)
    yield versions.changes
    yield derive_slots(work, facts, tables, versions)
