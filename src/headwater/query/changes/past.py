"""What was written into a column at any time, and by whom."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar
from uuid import UUID

from headwater.query.graph.answer import Edge, TableName, Transformation
from headwater.query.graph.labels import Step, label_fields, steps, tables
from headwater.store.db.codes import RENAME_STEP, Flag, Kin
from headwater.store.db.predicates import is_rename
from headwater.store.db.session import Given, Row, Session
from headwater.store.entities.keys import dataset_of, rows_of
from headwater.store.model.order import before

_KIN = "SELECT kin.other, kin.how FROM kin WHERE kin.field = :field"
_EDGES = """
SELECT edge.mapping, edge.out_field, edge.in_field, edge.step, edge.description FROM {given}
{join} edge ON edge.mapping = given.mapping AND edge.out_field = given.field
"""
_RENAMES = f"""
SELECT mapping.id, given.field, old.id FROM {{given}}
{{join}} mapping ON mapping.id = given.mapping AND {is_rename("mapping")}
{{join}} field ON field.id = given.field
{{join}} field old ON old.dataset = mapping.origin AND old.key = field.key
"""  # noqa: S608  our own words
_WRITES = """
SELECT given.job, given.us, version.stamp, version.job, version.lifecycle, run.uuid FROM {given}
{join} version ON version.dataset = :dataset AND version.job = given.job
    AND version.stamp >= given.start AND version.stamp < given.stop
LEFT JOIN run ON run.id = version.run
"""
_ENDERS = f"""
SELECT 0, given.us, version.stamp, version.job, version.lifecycle, run.uuid FROM {{given}}
{{join}} version ON version.dataset = :dataset AND version.whole = {Flag.YES}
    AND version.stamp >= given.start AND version.stamp < given.stop
LEFT JOIN run ON run.id = version.run
"""  # noqa: S608  our own words

_K = TypeVar("_K", bound=Hashable)
# The column that is read, the step, and the words for it.
_Said: TypeAlias = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Write:
    """Who wrote: a job's run, and what the write did to the dataset (OVERWRITE, DROP, …) where that is known.

    `job` is None for what an event about the dataset itself declares, `run` where there was none.
    """

    job: TableName | None
    run: str | None
    lifecycle: str | None


def edges_into(session: Session, field: int, mappings: Iterable[int]) -> dict[int, list[Edge]]:
    """What each mapping writes into a column and into the rows around it."""
    rows = rows_of(dataset_of(field))
    kin: dict[int, int] = dict(session.rows(_KIN, field=field))
    wanted: list[Row] = [(mapping, out) for mapping in sorted(mappings) for out in sorted({field, rows, *kin})]
    if not wanted:
        return {}
    given = Given("mapping int, field int", wanted)
    found = [
        *session.rows(_EDGES, given),
        *((mapping, out, origin, RENAME_STEP, "") for mapping, out, origin in session.rows(_RENAMES, given)),
    ]
    by_mapping: dict[int, dict[int, list[_Said]]] = defaultdict(lambda: defaultdict(list))
    for mapping, out, origin, step, description in found:
        by_mapping[mapping][out].append((origin, step, description))
    shown = {mapping: _matching(outs, field, kin) for mapping, outs in by_mapping.items()}
    origins = {origin for outs in shown.values() for said in outs.values() for origin, _, _ in said}
    row_nodes = {origin for origin in origins if origin == rows_of(dataset_of(origin))}
    names = label_fields(session, origins - row_nodes | {field}, row_nodes | {rows}).names
    ways = steps(session, {step for outs in shown.values() for said in outs.values() for _, step, _ in said})
    return {
        mapping: [
            Edge(names[origin], names[out], transformations, None, None)
            for out, said in outs.items()
            for origin, transformations in _by_origin(said, ways)
        ]
        for mapping, outs in shown.items()
    }


def _matching(outs: Mapping[int, list[_Said]], field: int, kin: Mapping[int, int]) -> dict[int, list[_Said]]:
    """What counts for the column, under its key: its fields and structs, another spelling if it is the only one."""
    rows = rows_of(dataset_of(field))
    alike = [out for out in outs if kin.get(out) == Kin.ALIKE]
    exact = [out for out in outs if out == field or kin.get(out, Kin.ALIKE) != Kin.ALIKE]
    used = exact + ([] if field in outs or len(alike) != 1 else alike)
    found: dict[int, list[_Said]] = {}
    if own := [said for out in used if out != rows for said in outs[out]]:
        found[field] = own
    if rows in outs:
        found[rows] = outs[rows]
    return found


def _by_origin(said: Iterable[_Said], ways: Mapping[int, Step]) -> list[tuple[int, tuple[Transformation, ...]]]:
    grouped: dict[int, set[Transformation]] = defaultdict(set)
    for origin, step, description in said:
        way = ways[step]
        grouped[origin].add(Transformation(way.type, way.subtype, way.masking, description))
    return [
        (origin, tuple(sorted(found, key=lambda one: (one.kind, one.subtype, one.masking, one.description))))
        for origin, found in grouped.items()
    ]


def writes_at(session: Session, dataset: int, wanted: Collection[tuple[int, int]]) -> dict[tuple[int, int], Write]:
    """The last write of each job at a moment."""
    rows: list[Row] = [(job, us, before(us), before(us + 1)) for job, us in sorted(wanted)]
    given = Given("job int, us int, start bytes, stop bytes", rows)
    found = session.rows(_WRITES, given, dataset=dataset) if rows else []
    return _named(session, {(job, us): row for job, us, *row in sorted(found, key=_stamp)})


def whole_writes_at(session: Session, dataset: int, times: Collection[int]) -> dict[int, Write]:
    """The last write at a moment, by anyone, that left nothing of what there was."""
    rows: list[Row] = [(us, before(us), before(us + 1)) for us in sorted(times)]
    given = Given("us int, start bytes, stop bytes", rows)
    found = session.rows(_ENDERS, given, dataset=dataset) if rows else []
    return _named(session, {us: row for _, us, *row in sorted(found, key=_stamp)})


def _stamp(row: Row) -> bytes:
    return bytes(row[2])


def _named(session: Session, rows: Mapping[_K, Sequence[Any]]) -> dict[_K, Write]:
    jobs = tables(session, "job", {job for _, job, *_ in rows.values() if job})
    return {
        key: Write(jobs.get(job), str(UUID(bytes=bytes(uuid))) if uuid else None, lifecycle)
        for key, (_, job, lifecycle, uuid) in rows.items()
    }
