"""What changed in the lineage of a column or a dataset between two moments or two versions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from headwater.common.groups import lists_by_key
from headwater.notebook.rows import Tabular
from headwater.query.changes.edge_diff import EdgeChange, EdgeChanges, Part, edge_changes, unversioned
from headwater.query.changes.replacements import Renaming, Replacement, Side, replacements
from headwater.query.graph.answer import Answer, Direction, Edge, FieldName, Moment, Unknown, place_of_field
from headwater.query.graph.expressions import MOST_SLOTS, Look, Texts, slot_of, text_of, texts_at
from headwater.query.lineage.ask import walk_from_column, walk_from_version
from headwater.query.lineage.traversal import Walk
from headwater.query.questions import DiffOf
from headwater.store.db.session import Session

__all__ = ["Diff", "EdgeChange", "LiteralChange", "Part", "diff", "difference"]


@dataclass(frozen=True, slots=True)
class LiteralChange:
    """An edge that is the same but for literals in its text: before, and after."""

    edge: Edge
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Diff(Tabular):
    """What is different after than before.

    `columns_changed` are the columns, or datasets' rows, that changed: the one asked about first, then what it comes
    from, or what it reaches, by distance. Those that only a new edge leads to, or a lost one led to, are left out.
    `replaced` pairs names that are gone with those that took their place; both are in the other lists, too.
    `unknown` has what either of the two answers does not know: it may have changed as well.
    `partial`: one of the answers was cut off by a limit, or there were too many jobs to compare the literals of all.
    """

    COLUMNS: ClassVar[tuple[str, ...]] = (
        *("change", "namespace", "name", "field", "origin_namespace", "origin_name", "origin_field"),
        *("job_namespace", "job_name", "before", "after"),
    )

    direction: Direction
    root: FieldName
    before: Moment
    after: Moment
    columns_added: tuple[FieldName, ...]
    columns_removed: tuple[FieldName, ...]
    edges_added: tuple[Edge, ...]
    edges_removed: tuple[Edge, ...]
    edges_changed: tuple[EdgeChange, ...]
    literals: tuple[LiteralChange, ...] = ()
    partial: bool = False
    columns_changed: tuple[FieldName, ...] = ()
    replaced: tuple[Replacement, ...] = ()
    unknown: tuple[Unknown, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything changed."""
        columns, edges = self.columns_added or self.columns_removed, self.edges_added or self.edges_removed
        return bool(columns or edges or self.edges_changed or self.literals)

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, one for each thing that changed."""
        return list(self._rows())

    def _rows(self) -> Iterator[dict[str, object]]:
        for change, names in (("column added", self.columns_added), ("column removed", self.columns_removed)):
            for name in names:
                yield _row(change, None, name)
        for edge in self.edges_added:
            yield _row("edge added", edge.origin, edge.destination, after=edge)
        for edge in self.edges_removed:
            yield _row("edge removed", edge.origin, edge.destination, before=edge)
        for changed in self.edges_changed:
            edge = changed.after
            yield _row(f"{changed.part.value} changed", edge.origin, edge.destination, changed.before, edge)
        for literal in self.literals:
            edge = literal.edge
            row = _row("literal changed", edge.origin, edge.destination, edge, edge)
            yield {**row, "before": "; ".join(literal.before), "after": "; ".join(literal.after)}
        for replaced in self.replaced:
            yield _row(replaced.by.value, replaced.before, replaced.after)

    def folded(self) -> "Diff":
        """The same without what only goes on under another name: see `replaced`."""
        if not self.replaced:
            return self
        renaming = Renaming.of(self.replaced)
        changes = edge_changes(map(renaming.edge, self.edges_removed), self.edges_added)
        old = {renaming.name(name) for name in self.columns_removed}
        new = set(self.columns_added)
        return replace(
            self,
            columns_added=tuple(name for name in self.columns_added if name not in old),
            columns_removed=tuple(name for name in self.columns_removed if renaming.name(name) not in new),
            edges_added=changes.added,
            edges_removed=changes.removed,
            edges_changed=(*self.edges_changed, *changes.changed),
        )


def _row(
    change: str, origin: FieldName | None, name: FieldName, before: Edge | None = None, after: Edge | None = None
) -> dict[str, object]:
    job = after.job if after else before.job if before else None
    return {
        "change": change,
        "namespace": name.namespace,
        "name": name.name,
        "field": name.field,
        "origin_namespace": origin.namespace if origin else None,
        "origin_name": origin.name if origin else None,
        "origin_field": origin.field if origin else None,
        "job_namespace": job.namespace if job else None,
        "job_name": job.name if job else None,
        "before": _edge_texts(before),
        "after": _edge_texts(after),
    }


def _edge_texts(edge: Edge | None) -> str | None:
    """What happens on an edge, in short."""
    if edge is None:
        return None
    return "; ".join(
        f"{step.subtype or step.type}{' masked' if step.masking else ''}{': ' if step.description else ''}"
        f"{step.description}"
        for step in edge.transformations
    )


def difference(before: Answer, after: Answer, changes: EdgeChanges | None = None) -> Diff:
    """What differs between two answers to the same question; literals are not in an answer."""
    changes = edge_changes(before.edges, after.edges) if changes is None else changes
    old, new = ({unversioned(node.field) for node in answer.nodes} for answer in (before, after))
    added, removed = (tuple(sorted(names, key=place_of_field)) for names in (new - old, old - new))
    difference = Diff(
        direction=after.direction,
        root=unversioned(after.root),
        before=before.moment,
        after=after.moment,
        columns_added=added,
        columns_removed=removed,
        edges_added=changes.added,
        edges_removed=changes.removed,
        edges_changed=changes.changed,
        partial=before.partial or after.partial,
        unknown=_of_either(after.unknown, before.unknown),
        replaced=replacements(
            Side(removed, changes.removed, {name.table for name in old}),
            Side(added, changes.added, {name.table for name in new}),
        ),
    )
    return replace(difference, columns_changed=_in_order(difference, before, after))


def _of_either(after: Iterable[Unknown], before: Iterable[Unknown]) -> tuple[Unknown, ...]:
    """What is not known after, and what was not known before and is no longer there; each once, wherever it is now."""
    found = {replace(entry, distance=0): entry for entry in (*before, *after)}
    return tuple(dict.fromkeys([*after, *found.values()]))


def _in_order(diff: Diff, *answers: Answer) -> tuple[FieldName, ...]:
    """The columns and rows with a change, by their distance from the column asked about; rows with the nearest column.

    What lies beyond a column that is on one side alone did not change: what leads to that column did.
    """
    distances: list[dict[FieldName, int]] = [{}, {}]
    for side, answer in zip(distances, answers, strict=True):
        for node in answer.nodes:
            for name in (unversioned(node.field), unversioned(node.field.rows)):
                side[name] = min(node.distance, side.get(name, node.distance))
    nearest = {name: min(side[name] for side in distances if name in side) for side in distances for name in side}
    up = diff.direction is Direction.UPSTREAM
    changed = {name for name in (*diff.columns_added, *diff.columns_removed) if nearest[name] == 0}
    edges = (*diff.edges_added, *diff.edges_removed, *(change.after for change in diff.edges_changed))
    for edge in (*edges, *(change.edge for change in diff.literals)):
        near = unversioned(edge.destination if up else edge.origin)
        if nearest.get(near) == 0 or all(near in side for side in distances):
            changed.add(unversioned(edge.destination))
    far = max(nearest.values(), default=0)
    return tuple(sorted(changed, key=lambda name: (nearest.get(name, far), name.field is None, place_of_field(name))))


def diff(asked: DiffOf, session: Session) -> Diff:
    """What changed in the lineage of a column, or of all columns of a dataset."""
    if asked.versions is not None:
        walk = Walk.of(asked, asked.direction, Moment())
        before, after = (
            walk_from_version(session, asked.dataset, version, asked.column, walk) for version in asked.versions
        )
    else:
        before, after = (
            walk_from_column(session, asked.dataset, asked.column, Walk.of(asked, asked.direction, Moment.at(at)))
            for at in (asked.since, asked.until)
        )
    return _with_literals(session, before, after)


def _with_literals(session: Session, before: Answer, after: Answer) -> Diff:
    changes = edge_changes(before.edges, after.edges)
    by_slot = lists_by_key((slot_of(pair[1]), pair) for pair in changes.kept)
    # In the order of the edges, which is that of names.
    slots = list(by_slot)[:MOST_SLOTS]
    looks = [
        (slot, _look(session, answer.moment, [pair[side] for pair in by_slot[slot]]))
        for side, answer in enumerate((before, after))
        for slot in slots
    ]
    texts = texts_at(session, looks) if looks else []
    literals = [
        change
        for slot, was, now in zip(slots, texts[: len(slots)], texts[len(slots) :], strict=True)
        for change in _literal_changes((pair[1] for pair in by_slot[slot]), was, now)
    ]
    differing = replace(difference(before, after, changes), literals=tuple(literals))
    return replace(
        differing,
        partial=differing.partial or len(slots) < len(by_slot),
        columns_changed=_in_order(differing, before, after),
    )


def _look(session: Session, moment: Moment, edges: Iterable[Edge]) -> Look:
    runs = [] if moment.version is None else [edge.run for edge in edges if edge.run]
    return Look(session.moment(moment.until), runs[0] if runs else None)


def _literal_changes(edges: Iterable[Edge], before: Texts | None, after: Texts | None) -> Iterator[LiteralChange]:
    if before is None or after is None:
        return
    for edge in edges:
        was, now = text_of(before, edge), text_of(after, edge)
        # Where an event names the column in another way, nothing is known of its text.
        if was and now and was != now:
            yield LiteralChange(edge, was, now)
