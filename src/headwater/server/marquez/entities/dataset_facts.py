"""Facts of many datasets at once: a fixed number of statements, each by an index."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from headwater.common.column_path import ancestors
from headwater.common.groups import lists_by_key
from headwater.query.graph.answer import TableName
from headwater.query.graph.labels import tables
from headwater.query.metadata.notes import Notes, notes_of
from headwater.query.metadata.tags import Tags, by_hand, derived_descriptions, tags_of
from headwater.server.marquez.entities.event_times import Seen, times_seen
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.reads.events import times_of_shapes
from headwater.store.reads.fields import FieldRow, fields_of
from headwater.store.reads.versions import Version, newest_versions


@dataclass(frozen=True, slots=True)
class DatasetFacts:
    """A dataset as Marquez shows it, without its facets and its columns' inputs."""

    key: int
    name: TableName
    seen: Seen
    notes: Notes
    fields: Sequence[FieldRow]
    tags: Tags
    version: Version | None

    @property
    def columns(self) -> list[int]:
        """The keys of its fields without structs, which the fields inside stand for."""
        structs = {outer for field in self.fields if "." in field.path for outer in ancestors(field.path)}
        return [field.id for field in self.fields if field.path not in structs]


def facts_of_datasets(session: Session, keys: Collection[int]) -> Mapping[int, DatasetFacts]:
    """The facts of datasets, by key."""
    names = tables(session, "dataset", keys)
    session.foresee(
        lambda: (
            times_of_shapes(session, Kind.DATASET, keys),
            notes_of(session, Kind.DATASET, keys),
            fields_of(session, keys),
            by_hand(session, Kind.DATASET, names),
            newest_versions(session, keys),
        )
    )
    seen = times_seen(session, Kind.DATASET, keys)
    facets = notes_of(session, Kind.DATASET, keys)
    notes: dict[int, Notes] = {key: facets.get(key, {}) for key in names}
    fields = {key: _described(columns, notes[key]) for key, columns in _fields(session, keys).items()}
    paths = {key: {field.id: field.path for field in columns} for key, columns in fields.items()}
    tags = tags_of(session, Kind.DATASET, notes, paths)
    versions = newest_versions(session, keys)
    return {
        key: DatasetFacts(
            key, name, seen.get(key, Seen()), notes[key], fields.get(key, ()), tags[key], versions.get(key)
        )
        for key, name in names.items()
    }


def _fields(session: Session, keys: Collection[int]) -> Mapping[int, list[FieldRow]]:
    """The fields of datasets: those of the last schema in its order; else those that lineage names."""
    by_dataset = lists_by_key((field.dataset, field) for field in fields_of(session, keys))
    return {
        dataset: sorted(
            [field for field in fields if field.position is not None] or fields,
            key=lambda field: (field.position or 0, field.path),
        )
        for dataset, fields in by_dataset.items()
    }


def _described(fields: Sequence[FieldRow], notes: Notes) -> Sequence[FieldRow]:
    """Fields, each without a description of its own with that of the field it is copied from."""
    derived = derived_descriptions(notes)
    if not derived:
        return fields
    return [field if field.description else field._replace(description=derived.get(field.path, "")) for field in fields]
