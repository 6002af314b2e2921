"""What was written into a column at any time, and by whom."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from headwater.common.groups import sets_by_key
from headwater.query.graph.answer import Edge, TableName, Transformation, place_of
from headwater.query.graph.labels import Step, label_fields, steps, tables
from headwater.store.db.codes import Kin
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of, rows_of
from headwater.store.reads import edges as edge_reads
from headwater.store.reads import versions as version_reads
from headwater.store.reads.edges import MappedEdge
from headwater.store.reads.fields import kin_of
from headwater.store.reads.renamed_columns import rename_steps


@dataclass(frozen=True, slots=True)
class Write:
    """Who wrote: a job's run, and what the write did to the dataset (OVERWRITE, DROP, …) where that is known.

    `job` is None for what an event about the dataset itself declares, `run` where there was none.
    """

    job: TableName | None
    run: str | None
    lifecycle: str | None


def edges_into(
    session: Session, field: int, mappings: Iterable[int], names: Collection[int] = ()
) -> dict[int, list[Edge]]:
    """What each mapping writes into a column and into the rows around it; `names` are those that the column had."""
    rows = rows_of(dataset_of(field))
    kin = {key: how for name in (*names, field) for key, how in kin_of(session, name).items()}
    kin |= {name: Kin.INSIDE for name in names if name != field}
    outputs = sorted({field, rows, *kin})
    by_mapping: dict[int, dict[int, list[MappedEdge]]] = defaultdict(lambda: defaultdict(list))
    for edge in _written(
        session, edge_reads.edges_into(session, [(mapping, out) for mapping in sorted(mappings) for out in outputs])
    ):
        by_mapping[edge.mapping][edge.destination].append(edge)
    shown = {mapping: _matching(by_output, field, kin) for mapping, by_output in by_mapping.items()}
    return _named(session, shown)


def edges_of(session: Session, mappings: Iterable[int]) -> dict[int, list[Edge]]:
    """What each mapping writes into columns and into rows."""
    by_mapping: dict[int, dict[int, list[MappedEdge]]] = defaultdict(lambda: defaultdict(list))
    for edge in _written(session, edge_reads.edges_of(session, sorted(mappings))):
        by_mapping[edge.mapping][edge.destination].append(edge)
    return _named(session, by_mapping)


def _written(session: Session, edges: Iterable[MappedEdge]) -> list[MappedEdge]:
    """Edges without those to a column from its name before: under its new name it is the same column."""
    renames = rename_steps(session)
    return [edge for edge in edges if edge.step not in renames]


def _named(session: Session, shown: Mapping[int, Mapping[int, list[MappedEdge]]]) -> dict[int, list[Edge]]:
    """The edges of mappings by name."""
    used = [edge for by_output in shown.values() for edges in by_output.values() for edge in edges]
    if not used:
        return {}
    ends = {edge.origin for edge in used} | {out for by_output in shown.values() for out in by_output}
    row_nodes = {end for end in ends if end == rows_of(dataset_of(end))}
    names = label_fields(session, ends - row_nodes, row_nodes).names
    ways = steps(session, {edge.step for edge in used})
    return {
        mapping: [
            Edge(names[origin], names[out], transformations, None, None)
            for out, edges in by_output.items()
            for origin, transformations in _by_origin(edges, ways)
        ]
        for mapping, by_output in shown.items()
    }


def _matching(
    by_output: Mapping[int, list[MappedEdge]], field: int, kin: Mapping[int, int]
) -> dict[int, list[MappedEdge]]:
    """What counts for the column, under its key: its fields and structs, another spelling if it is the only one."""
    rows = rows_of(dataset_of(field))
    alike = [out for out in by_output if kin.get(out) == Kin.ALIKE]
    exact = [out for out in by_output if out == field or kin.get(out, Kin.ALIKE) != Kin.ALIKE]
    used = exact + ([] if field in by_output or len(alike) != 1 else alike)
    matching: dict[int, list[MappedEdge]] = {}
    if own := [edge for out in used if out != rows for edge in by_output[out]]:
        matching[field] = own
    if rows in by_output:
        matching[rows] = by_output[rows]
    return matching


def _by_origin(edges: Iterable[MappedEdge], ways: Mapping[int, Step]) -> list[tuple[int, tuple[Transformation, ...]]]:
    grouped = sets_by_key((edge.origin, ways[edge.step].transformation(edge.description)) for edge in edges)
    return [(origin, tuple(sorted(group, key=place_of))) for origin, group in grouped.items()]


def writes_at(
    session: Session, dataset: int, moments: Collection[tuple[int, int]], *, whole: bool = False
) -> dict[tuple[int, int], Write]:
    """The last write at each moment (job, time); `whole`: by anyone (0), if it left nothing of what there was."""
    rows = version_reads.writes_at(session, dataset, moments, whole=whole)
    writes = {(row.asked_job, row.us): row for row in rows}
    jobs = tables(session, "job", {row.job for row in writes.values() if row.job})
    return {moment: Write(jobs.get(row.job), row.run, row.lifecycle) for moment, row in writes.items()}
