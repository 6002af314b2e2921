"""Columns of which nothing is known, in datasets whose other columns are known; and what is made from them.

A job may name the columns that it writes, and leave some of them out: these may be made of anything that it reads. So
what lies beyond is followed by column, as far as it is not known anyway.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from headwater.common.column_path import split_path
from headwater.query.graph.answer import Direction, FieldName, Unknown, Why
from headwater.query.graph.intervals import span_of
from headwater.query.graph.labels import label_fields, tables
from headwater.query.graph.steps import Steps
from headwater.query.lineage.traversal import Fence, Walk
from headwater.store.db.codes import FIELD_NUMBERS
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of
from headwater.store.reads.edges import Features
from headwater.store.reads.table_reads import left_out_columns


class Part(NamedTuple):
    """A job writes a part of the columns of a dataset from another one, so many hops away."""

    dataset: int
    job: int
    read: int
    hops: int


@dataclass(slots=True)
class _Entry:
    hops: int
    reads: set[int] = field(default_factory=set)
    columns: set[int] = field(default_factory=set)


class Columns:
    """Names of columns, to look whether others are the same, around or inside.

    >>> columns = Columns([FieldName("lake", "orders", "Place.City")])
    >>> [columns.touch(FieldName("lake", "orders", path)) for path in ("place", "place.city.name", "place.zip")]
    [True, True, False]
    """

    def __init__(self, names: Iterable[FieldName]) -> None:
        paths = {(name.table, segments) for name in names if (segments := _segments(name))}
        self._names = paths
        self._around = {(table, segments[:count]) for table, segments in paths for count in range(1, len(segments))}

    def touch(self, name: FieldName) -> bool:
        """Whether one of them is this column, a struct around it, or a field inside."""
        table, segments = name.table, _segments(name)
        inside = (table, segments) in self._around
        return inside or any((table, segments[:count]) in self._names for count in range(1, len(segments) + 1))


def asked_and_left_out(session: Session, asked: Mapping[int | None, Collection[int]]) -> dict[int | None, set[str]]:
    """Of the columns that each mapping leaves out, the paths of those that are among the columns asked about."""
    left_out = left_out_columns(session, {mapping for mapping in asked if mapping is not None})
    every = {key for keys in (*left_out.values(), *asked.values()) for key in keys if key & FIELD_NUMBERS}
    names = label_fields(session, every).names
    columns = {mapping: Columns(names[key] for key in keys if key in names) for mapping, keys in asked.items()}
    return {
        mapping: {names[key].field or "" for key in left_out[mapping or 0] if columns[mapping].touch(names[key])}
        for mapping in asked
    }


def _segments(name: FieldName) -> tuple[str, ...]:
    return () if name.field is None else split_path(name.field.casefold())


class UnknownColumns:
    """Those that were found so far, and those that wait, by how far they are.

    `near` are, upstream, the columns that the answer is about; downstream, those that are known to be reached: a column
    that is one of these is not followed.
    """

    def __init__(self, session: Session, walk: Walk, features: Features, near: Collection[FieldName]) -> None:
        self._session = session
        self._up = walk.direction is Direction.UPSTREAM
        self._walk = walk
        self._features = features
        self._fence = Fence(session, walk.namespaces)
        self._near = near
        self._room = walk.limit
        self._entries: dict[tuple[int, int, Why], _Entry] = {}
        self._waiting: dict[int, set[int]] = defaultdict(set)
        self._visited: set[int] = set()
        self.partial = False

    @cached_property
    def _steps(self) -> Steps:
        """Made when it is needed: most stores have no such columns."""
        walk = self._walk
        span = span_of(self._session, walk.moment, contents=walk.contents)
        return Steps(self._session, span, self._features, walk.direction, direct=walk.direct)

    @cached_property
    def _asked(self) -> Columns | None:
        return Columns(self._near) if self._up else None

    @property
    def waiting(self) -> Collection[int]:
        """How far those are that wait."""
        return self._waiting.keys()

    def leave_out(self, parts: Collection[tuple[Part, int]]) -> list[Part]:
        """Take in what mappings leave out, each after its part; returns the parts that the answer is about."""
        columns = left_out_columns(self._session, {mapping for _, mapping in parts})
        shown = self._steps.shown({column for listed in columns.values() for column in listed})
        names = label_fields(self._session, set(shown.values())).names if self._asked else {}
        taken = []
        for part, mapping in parts:
            left_out = {shown[column] for column in columns[mapping]}
            if self._asked:
                left_out = {column for column in left_out if self._asked.touch(names[column])}
            if left_out:
                self._note(Why.LEFT_OUT, part, left_out)
                taken.append(part)
        return taken

    def visit(self, level: int) -> set[int]:
        """Take in the columns that wait at a distance, the first by name where there is no room for all."""
        new = self._waiting.pop(level, set()) - self._visited
        names = label_fields(self._session, new)
        new = {column for column in new if names.names[column] not in self._near}
        if len(new) > self._room:
            self.partial = True
            new = set(sorted(new, key=names.places.__getitem__)[: self._room])
        self._room -= len(new)
        self._visited |= new
        return new

    def leave(self, columns: Collection[int], level: int) -> list[Part]:
        """Take in what is made from columns; returns where these decide on the rows, and so on all columns."""
        hops, *_ = self._steps.take(columns)
        inside = set(self._fence.inside({hop[1] for hop in hops}))
        of_rows = []
        for origin, destination, *_, job, _, _, _, _ in hops:
            part = Part(dataset_of(destination), job, dataset_of(origin), level + 1)
            if destination not in inside:
                continue
            if destination & FIELD_NUMBERS:
                self._note(Why.AFTER_UNKNOWN, part, {destination})
            else:
                of_rows.append(part)
        return of_rows

    def answer(self, there: Collection[int], whole: Mapping[tuple[int, int], set[int]]) -> list[Unknown]:
        """What was found, by names; upstream, of what is read only what is `there`.

        Left out is what is unknown of all columns: `whole` has what jobs read for datasets of which that holds.
        """
        found = {
            key: entry
            for key, entry in self._entries.items()
            if not entry.reads <= whole.get(key[:2], set()) and (not self._up or entry.reads & {*there})
        }
        datasets = tables(
            self._session, "dataset", {key for place, entry in found.items() for key in (place[0], *entry.reads)}
        )
        jobs = tables(self._session, "job", {job for _, job, _ in found} - {0})
        names = label_fields(self._session, {column for entry in found.values() for column in entry.columns}).names
        listed = [
            Unknown(
                why,
                datasets[dataset],
                jobs.get(job),
                tuple(sorted(datasets[key] for key in entry.reads if not self._up or key in there)),
                entry.hops,
                columns=self._paths(names, entry),
            )
            for (dataset, job, why), entry in found.items()
        ]
        return [entry for entry in listed if entry.columns]

    def _paths(self, names: Mapping[int, FieldName], entry: _Entry) -> tuple[str, ...]:
        shown = {names[column] for column in entry.columns}
        return tuple(sorted(name.field or "" for name in shown if self._up or name not in self._near))

    def _note(self, why: Why, part: Part, columns: set[int]) -> None:
        entry = self._entries.setdefault((part.dataset, part.job, why), _Entry(part.hops))
        entry.hops = min(entry.hops, part.hops)
        entry.reads.add(part.read)
        entry.columns |= columns
        if not self._up:
            self._waiting[part.hops] |= columns
