"""A page of versions of a dataset, with their runs, schemas and facets."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import itemgetter

from headwater.common.groups import lists_by_key
from headwater.server.marquez.entities.dataset_facts import DatasetFacts
from headwater.server.marquez.entities.dataset_json import version_json
from headwater.server.marquez.entities.facets import facets_in, merged
from headwater.server.marquez.entities.run_facts import RunFacts, facts_of_runs
from headwater.server.marquez.entities.run_json import run_json
from headwater.server.marquez.entities.values import Json
from headwater.store.db.session import Session
from headwater.store.model.compression import unpacked
from headwater.store.model.order import stamp
from headwater.store.reads.events import declaring_events, raw_of_runs, schemas_of_shapes
from headwater.store.reads.fields import FieldRow
from headwater.store.reads.runs import runs_by_id
from headwater.store.reads.versions import Version


def versions_json(session: Session, dataset: DatasetFacts, rows: Sequence[Version]) -> list[Json]:
    """Versions as Marquez shows them."""
    runs = facts_of_runs(session, runs_by_id(session, {row.run for row in rows if row.run is not None}))
    facets_of_runs = _facets_of_runs(session, dataset, runs.values())
    declared = _declared(session, dataset, [row for row in rows if row.run is None])
    shapes = {row.stamp: _shapes(row, runs, declared) for row in rows}
    schemas = _schemas(session, dataset, {shape for group in shapes.values() for shape in group})
    shown = []
    for row in rows:
        fields = next((schemas[shape] for shape in reversed(shapes[row.stamp]) if shape in schemas), dataset.fields)
        run = runs.get(row.run) if row.run is not None else None
        facets = facets_of_runs.get(row.run, {}) if row.run is not None else declared.get(row.stamp, (0, {}))[1]
        shown.append(
            version_json(dataset, fields, row.id, row.us, row.lifecycle, run_json(run) if run else None, facets)
        )
    return shown


def _shapes(row: Version, runs: Mapping[int, RunFacts], declared: Mapping[bytes, tuple[int, Json]]) -> list[int]:
    """The shapes of the events behind a version, in their order."""
    if row.run is not None:
        return [event.shape for event in runs[row.run].events]
    return [declared[row.stamp][0]] if row.stamp in declared else []


def _facets_of_runs(session: Session, dataset: DatasetFacts, runs: Iterable[RunFacts]) -> Mapping[int, Json]:
    """The dataset's facets in the events of each run."""
    events = raw_of_runs(session, ((run.row.key, event.shape, event.us) for run in runs for event in run.events))
    by_run = lists_by_key((run, (us, facets)) for run, us, event in events for facets in facets_in(event, dataset.name))
    return {run: merged(facets for _, facets in sorted(group, key=itemgetter(0))) for run, group in by_run.items()}


def _declared(session: Session, dataset: DatasetFacts, rows: Sequence[Version]) -> Mapping[bytes, tuple[int, Json]]:
    """Of versions without a run: the shape of the event that declares them, and the facets in it."""
    return {
        stamp(us, type_, hashed): (shape, merged(facets_in(event, dataset.name)))
        for us, type_, hashed, shape, event in declaring_events(session, (row.us for row in rows))
    }


def _schemas(session: Session, dataset: DatasetFacts, shapes: Collection[int]) -> Mapping[int, list[FieldRow]]:
    return {
        shape: [
            FieldRow(dataset.key, 0, path, kind, text, place)
            for place, (path, kind, text) in enumerate(json.loads(unpacked(content)))
        ]
        for shape, content in schemas_of_shapes(session, dataset.key, shapes)
    }
