"""What the store knows of versions of datasets: their runs, schemas and facets, for a page of them at once."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from headwater.query.lineage.versions import Version
from headwater.server.marquez.entities.dataset_facts import DatasetFacts, Field
from headwater.server.marquez.entities.dataset_json import version_json
from headwater.server.marquez.entities.facets import facets_in, merged
from headwater.server.marquez.entities.run_facts import RunFacts, facts_of_runs, runs_by_key
from headwater.server.marquez.entities.run_json import run_json
from headwater.server.marquez.entities.values import Json, uuid_text
from headwater.store.db.codes import EventKind, Role
from headwater.store.db.predicates import raw_kept
from headwater.store.db.session import Given, Session
from headwater.store.entities.raw_events import put_together
from headwater.store.model.compression import unpacked
from headwater.store.model.order import stamp

_COLUMNS = "version.stamp, version.us, version.uuid, version.lifecycle, version.run"
_PAGE = f"""
SELECT {_COLUMNS} FROM version WHERE version.dataset = :dataset
ORDER BY version.us DESC, version.stamp DESC LIMIT :most OFFSET :offset
"""  # noqa: S608  our own words
_ONE = f"""
SELECT {_COLUMNS} FROM version WHERE version.dataset = :dataset AND version.job = :job AND version.stamp = :stamp
"""  # noqa: S608  our own words
_SCHEMAS = f"""
SELECT given.shape, schema.content FROM {{given}}
{{join}} mention ON mention.shape = given.shape AND mention.dataset = :dataset AND mention.role > {Role.READ}
{{join}} schema ON schema.id = mention.schema
"""  # noqa: S608  our own words
_RAW = f"""
SELECT given.run, event.us, body.content, event.rest FROM {{given}}
{{join}} event ON event.run = given.run AND event.shape = given.shape AND event.us = given.us
{{join}} body ON body.id = event.body
WHERE {raw_kept("event")}
"""  # noqa: S608  our own words
# What was declared without a run, at the time of a version.
_DECLARED = f"""
SELECT event.us, event.type, event.hash, event.shape, body.content, event.rest FROM {{given}}
{{join}} event ON event.us = given.us AND event.kind > {EventKind.RUN}
{{join}} body ON body.id = event.body
WHERE {raw_kept("event")}
"""  # noqa: S608  our own words


class VersionRow(NamedTuple):
    """A version as its row has it."""

    stamp: bytes
    us: int
    uuid: str
    lifecycle: str
    run: int | None


def page_of_versions(session: Session, dataset: int, most: int, offset: int) -> list[VersionRow]:
    """A page of a dataset's versions, the last one first."""
    return _rows(session.rows(_PAGE, dataset=dataset, most=most, offset=offset))


def row_of_version(session: Session, version: Version) -> VersionRow | None:
    """The row of a version; None for one that has not been completed."""
    found = _rows(session.rows(_ONE, dataset=version.dataset, job=version.job, stamp=version.stamp))
    return found[0] if found else None


def count_versions(session: Session, dataset: int) -> int:
    """How many versions a dataset has."""
    return int(session.rows("SELECT count(*) FROM version WHERE dataset = :dataset", dataset=dataset)[0][0])


def versions_json(session: Session, dataset: DatasetFacts, rows: Sequence[VersionRow]) -> list[Json]:
    """Versions with all that is shown of them."""
    runs = facts_of_runs(session, runs_by_key(session, {row.run for row in rows if row.run is not None}))
    said = _said_in_runs(session, dataset, runs.values())
    declared = _declared(session, dataset, [row for row in rows if row.run is None])
    shapes = {row.stamp: _shapes(row, runs, declared) for row in rows}
    schemas = _schemas(session, dataset, {shape for some in shapes.values() for shape in some})
    shown = []
    for row in rows:
        fields = next((schemas[shape] for shape in reversed(shapes[row.stamp]) if shape in schemas), dataset.fields)
        run = runs.get(row.run) if row.run is not None else None
        facets = said.get(row.run, {}) if row.run is not None else declared.get(row.stamp, (0, {}))[1]
        shown.append(
            version_json(dataset, fields, row.uuid, row.us, row.lifecycle, run_json(run) if run else None, facets)
        )
    return shown


def _rows(rows: Iterable[Sequence[object]]) -> list[VersionRow]:
    return [
        VersionRow(bytes(stamped), us, uuid_text(uuid), lifecycle or "", run)  # type: ignore[arg-type,call-overload]
        for stamped, us, uuid, lifecycle, run in rows
    ]


def _shapes(row: VersionRow, runs: Mapping[int, RunFacts], declared: Mapping[bytes, tuple[int, Json]]) -> list[int]:
    """The shapes of the events behind a version, in their order."""
    if row.run is not None:
        return [event.shape for event in runs[row.run].events]
    return [declared[row.stamp][0]] if row.stamp in declared else []


def _said_in_runs(session: Session, dataset: DatasetFacts, runs: Iterable[RunFacts]) -> Mapping[int, Json]:
    wanted = [(run.row.key, event.shape, event.us) for run in runs for event in run.events]
    said: defaultdict[int, list[tuple[int, Json]]] = defaultdict(list)
    for run, us, body, rest in session.rows(_RAW, Given("run int, shape int, us int", wanted)):
        said[run] += [(us, facets) for facets in facets_in(put_together(body, rest), dataset.name)]
    return {run: merged(facets for _, facets in sorted(some, key=lambda one: one[0])) for run, some in said.items()}


def _declared(session: Session, dataset: DatasetFacts, rows: Sequence[VersionRow]) -> Mapping[bytes, tuple[int, Json]]:
    """Of versions without a run: the shape of the event that declared them, and the facets in it."""
    given = Given("us int", sorted({(row.us,) for row in rows}))
    found: dict[bytes, tuple[int, Json]] = {}
    for us, kind, hashed, shape, body, rest in session.rows(_DECLARED, given):
        found[stamp(us, kind, bytes(hashed))] = (shape, merged(facets_in(put_together(body, rest), dataset.name)))
    return found


def _schemas(session: Session, dataset: DatasetFacts, shapes: Collection[int]) -> Mapping[int, list[Field]]:
    rows = session.rows(_SCHEMAS, Given("shape int", [(shape,) for shape in sorted(shapes)]), dataset=dataset.key)
    return {
        shape: [
            Field(0, path, kind, text, place) for place, (path, kind, text) in enumerate(json.loads(unpacked(content)))
        ]
        for shape, content in rows
    }
