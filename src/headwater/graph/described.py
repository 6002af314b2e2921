"""What is said of one dataset or one job beside its lineage: columns with their types, words, tags, owners."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from headwater.graph.answer import TableName
from headwater.graph.moments import NOW
from headwater.graph.names import resolve_dataset, resolve_job
from headwater.graph.notes import tag_names, tag_parts
from headwater.graph.owners import Owner, read_owners
from headwater.graph.tabular import Tabular
from headwater.graph.tags import tags_of
from headwater.store.meaning import DERIVED
from headwater.store.session import Session
from headwater.store.terms import Kind
from headwater.wire import plain

_DATASET, _JOB = 0, 1
_COLUMNS = """
SELECT field.path, field.type, field.description, field.position, field.id FROM field WHERE field.dataset = :dataset
"""
_ALIASES = """
SELECT dataset.namespace, dataset.name FROM alias {join} dataset ON dataset.id = alias.dataset
WHERE alias.physical = :dataset AND alias.until_us > :at AND alias.from_us <= :at AND alias.dataset <> :dataset
"""
# Of each facet the last event that carries it.
_NOTES = """
SELECT note.name, note.content, event.us, event.hash FROM note
JOIN event ON event.shape = note.shape
    AND event.us = (SELECT max(last.us) FROM event last WHERE last.shape = note.shape)
WHERE note.kind = :kind AND note.entity = :entity
"""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag of a dataset, of one of its columns where `field` names it, or of a job.

    `derived`: nobody gave it to the column, it came with the data; see `headwater tags propagate`.
    """

    key: str
    value: str | None
    field: str | None
    derived: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `listed` says that it is in the last schema, and was not only seen in lineage or before."""

    path: str
    type: str
    description: str
    listed: bool


@dataclass(frozen=True, slots=True)
class DatasetDetails(Tabular):
    """A dataset as it is known now; columns in the order of its last schema, `aliases` are its other names."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("path", "type", "description", "listed")

    name: TableName
    description: str
    columns: tuple[Column, ...]
    owners: tuple[Owner, ...]
    tags: tuple[Tag, ...]
    aliases: tuple[TableName, ...]

    def to_dict(self) -> dict[str, object]:
        """As plain JSON, for programs."""
        return dict(plain(self))

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, one a column."""
        return [dict(plain(column)) for column in self.columns]


@dataclass(frozen=True, slots=True)
class JobDetails(Tabular):
    """A job as it is known now."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("namespace", "name", "description", "owners")

    name: TableName
    description: str
    owners: tuple[Owner, ...]
    tags: tuple[Tag, ...]

    def to_dict(self) -> dict[str, object]:
        """As plain JSON, for programs."""
        return dict(plain(self))

    def rows(self) -> list[dict[str, object]]:
        """As one flat row."""
        owners = " ".join(owner.name for owner in self.owners)
        return [{**self.name.to_dict(), "description": self.description, "owners": owners}]


def describe_dataset(session: Session, dataset: str) -> DatasetDetails:
    """A dataset, by what people call it.

    Raises:
        UnknownName: nothing has that name; carries the nearest.
        AmbiguousName: several have it; carries them.
    """
    found = resolve_dataset(session, dataset)
    columns = session.rows(_COLUMNS, dataset=found.id)
    columns.sort(key=lambda row: (row[3] is None, row[3] or 0, row[0]))
    aliases = session.rows(_ALIASES, dataset=found.id, at=NOW)
    notes = _notes(session, _DATASET, found.id)
    return DatasetDetails(
        TableName(found.namespace, found.name),
        _description(notes),
        tuple(Column(path, kind, words, position is not None) for path, kind, words, position, _ in columns),
        read_owners(notes.get("ownership", "")),
        tuple(_tags(session, Kind.DATASET, found.id, notes, {row[4]: row[0] for row in columns})),
        tuple(sorted(TableName(*row) for row in aliases)),
    )


def describe_job(session: Session, job: str) -> JobDetails:
    """A job, by what people call it.

    Raises:
        UnknownName: nothing has that name; carries the nearest.
        AmbiguousName: several have it; carries them.
    """
    found = resolve_job(session, job)
    notes = _notes(session, _JOB, found.id)
    name = TableName(found.namespace, found.name)
    tags = tuple(_tags(session, Kind.JOB, found.id, notes, {}))
    return JobDetails(name, _description(notes), read_owners(notes.get("ownership", "")), tags)


def _notes(session: Session, kind: int, entity: int) -> dict[str, str]:
    """The last facet of each name."""
    rows = [
        (us, bytes(hashed), content, name)
        for name, content, us, hashed in session.rows(_NOTES, kind=kind, entity=entity)
    ]
    return {name: content for _, _, content, name in sorted(rows)}


def _facet(notes: Mapping[str, str], name: str) -> dict[str, Any]:
    found = json.loads(notes.get(name) or "{}")
    return found if isinstance(found, dict) else {}


def _description(notes: Mapping[str, str]) -> str:
    words = _facet(notes, "documentation").get("description")
    return words if isinstance(words, str) else ""


def _tags(session: Session, kind: Kind, key: int, notes: Mapping[str, str], fields: Mapping[int, str]) -> Iterator[Tag]:
    """Those that the facet lists, as it lists them, but for those taken away by hand; then all others by name."""
    facets = {name: _facet(notes, name) for name in ("tags", DERIVED)}
    tags = tags_of(session, kind, {key: facets}, {key: fields})[key]
    left = {(None, name) for name in tags.own} | {
        (path, name) for path, some in tags.of_fields.items() for name in some
    }
    known = set(fields.values())
    listed = facets["tags"].get("tags")
    for one in listed if isinstance(listed, list) else ():
        for path, name in tag_names({"tags": [one]}):
            # A tag of a column that is not known has no other place.
            if (path, name) in left or (path is not None and path not in known):
                left.discard((path, name))
                value = one.get("value")
                yield Tag(one["key"], value if isinstance(value, str) else None, path)
    for path, name in sorted(left, key=lambda pair: (pair[0] or "", pair[1])):
        tag, value = tag_parts(name)
        yield Tag(tag, value, path, path is not None and name in tags.derived.get(path, ()))
