"""What differs between two sets of edges; pure. Structure and text are told apart."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

from headwater.query.graph.answer import Edge, FieldName, TableName, place_of

_Ends: TypeAlias = tuple[FieldName, FieldName]


class Part(Enum):
    """What of an edge changed: how values go (type, subtype, masking, job), or only the words for it."""

    STRUCTURE = "structure"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class EdgeChange:
    """An edge between the same columns, as it was and as it is."""

    part: Part
    before: Edge
    after: Edge


@dataclass(frozen=True, slots=True)
class EdgeChanges:
    """Edges that came, went, changed, and stayed as they were: these as they were found before, and after."""

    added: tuple[Edge, ...]
    removed: tuple[Edge, ...]
    changed: tuple[EdgeChange, ...]
    kept: tuple[tuple[Edge, Edge], ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def edge_changes(before: Iterable[Edge], after: Iterable[Edge]) -> EdgeChanges:
    """Compare edges by the columns that they connect; runs and versions do not count.

    Where one job stopped writing an edge and another began to, the edge changed its job.
    """
    old, new = _by_ends(before), _by_ends(after)
    added: list[Edge] = []
    removed: list[Edge] = []
    changed: list[EdgeChange] = []
    kept: list[tuple[Edge, Edge]] = []
    for ends in sorted(old.keys() | new.keys(), key=lambda ends: (_place(ends[1]), _place(ends[0]))):
        was, now = old.get(ends, {}), new.get(ends, {})
        dropped = [was[job] for job in sorted(was.keys() - now.keys(), key=_job_place)]
        come = [now[job] for job in sorted(now.keys() - was.keys(), key=_job_place)]
        for job in sorted(was.keys() & now.keys(), key=_job_place):
            if (part := _differing(was[job], now[job])) is None:
                kept.append((was[job], now[job]))
            else:
                changed.append(EdgeChange(part, was[job], now[job]))
        moved = min(len(dropped), len(come))
        changed += [EdgeChange(Part.STRUCTURE, *pair) for pair in zip(dropped, come, strict=False)]
        removed += dropped[moved:]
        added += come[moved:]
    return EdgeChanges(tuple(added), tuple(removed), tuple(changed), tuple(kept))


def unversioned(name: FieldName) -> FieldName:
    """A column, whatever its version."""
    return name if name.version is None else replace(name, version=None)


def _by_ends(edges: Iterable[Edge]) -> dict[_Ends, dict[TableName | None, Edge]]:
    by_ends: dict[_Ends, dict[TableName | None, Edge]] = defaultdict(dict)
    for edge in edges:
        plain = replace(edge, origin=unversioned(edge.origin), destination=unversioned(edge.destination))
        jobs = by_ends[plain.origin, plain.destination]
        if (same := jobs.get(plain.job)) is not None:
            # Several versions by one job: all that it does.
            steps = dict.fromkeys((*same.transformations, *plain.transformations))
            plain = replace(plain, transformations=tuple(sorted(steps, key=place_of)))
        jobs[plain.job] = plain
    return by_ends


def _differing(left: Edge, right: Edge) -> Part | None:
    if _structure(left) != _structure(right):
        return Part.STRUCTURE
    return None if set(left.transformations) == set(right.transformations) else Part.TEXT


def _structure(edge: Edge) -> set[tuple[str, str, bool, str]]:
    return {(step.type, step.subtype, step.masking, step.effect) for step in edge.transformations}


def _place(name: FieldName) -> tuple[str, str, bool, str]:
    return name.namespace, name.name, name.field is not None, name.field or ""


def _job_place(job: TableName | None) -> tuple[str, str]:
    return (job.namespace, job.name) if job else ("", "")
