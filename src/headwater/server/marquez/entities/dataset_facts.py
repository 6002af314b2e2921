"""What the store knows of datasets, for many of them at once: a fixed number of statements, each by an index."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from headwater.common.column_path import ancestors
from headwater.query.graph.answer import TableName
from headwater.query.graph.labels import tables
from headwater.query.metadata.deleted import DATASET
from headwater.query.metadata.notes import Notes, notes_of
from headwater.query.metadata.tags import Tags, derived_descriptions, tags_of
from headwater.server.marquez.entities.seen import Seen, times_seen
from headwater.server.marquez.entities.values import uuid_text
from headwater.store.db.codes import NO_LIMIT
from headwater.store.db.session import Session, ids

_FIELDS = """
SELECT field.dataset, field.id, field.path, field.type, field.description, field.position FROM {given}
{join} field ON field.dataset = given.id
"""
# The limit is never reached: it has PostgreSQL find the times first, and not try every version of a dataset.
_LAST_VERSIONS = f"""
SELECT version.dataset, version.stamp, version.uuid, version.us, version.lifecycle
FROM (
    SELECT given.id, (SELECT max(version.us) FROM version WHERE version.dataset = given.id) AS us
    FROM {{given}} LIMIT {NO_LIMIT}
) last
{{join}} version ON version.dataset = last.id AND version.us = last.us
"""  # noqa: S608  our own words


class Field(NamedTuple):
    """A field of a dataset; without a position it is not in the last schema."""

    key: int
    path: str
    type: str
    description: str
    position: int | None


class LastVersion(NamedTuple):
    """The last version of a dataset."""

    uuid: str
    us: int
    lifecycle: str


@dataclass(frozen=True, slots=True)
class DatasetFacts:
    """All that is shown of a dataset but its facets and its columns' inputs."""

    key: int
    name: TableName
    seen: Seen
    notes: Notes
    fields: Sequence[Field]
    tags: Tags
    version: LastVersion | None

    @property
    def columns(self) -> list[int]:
        """The keys of its fields, without structs: these are there by the fields in them."""
        structs = {outer for field in self.fields if "." in field.path for outer in ancestors(field.path)}
        return [field.key for field in self.fields if field.path not in structs]


def facts_of_datasets(session: Session, keys: Collection[int]) -> Mapping[int, DatasetFacts]:
    """What is known of datasets."""
    names = tables(session, "dataset", keys)
    seen = times_seen(session, DATASET, keys)
    found = notes_of(session, DATASET, keys)
    notes: dict[int, Notes] = {key: found.get(key, {}) for key in names}
    fields = {key: _described(some, notes[key]) for key, some in _fields(session, keys).items()}
    paths = {key: {field.key: field.path for field in some} for key, some in fields.items()}
    tags = tags_of(session, DATASET, notes, paths)
    versions = last_versions(session, keys)
    return {
        key: DatasetFacts(
            key, name, seen.get(key, Seen()), notes[key], fields.get(key, ()), tags[key], versions.get(key)
        )
        for key, name in names.items()
    }


def _fields(session: Session, keys: Collection[int]) -> Mapping[int, list[Field]]:
    """The fields of datasets: those of the last schema in its order; else those that lineage names."""
    found: defaultdict[int, list[Field]] = defaultdict(list)
    for dataset, *field in session.rows(_FIELDS, ids(keys)):
        found[dataset].append(Field(*field))
    for dataset, fields in found.items():
        listed = [field for field in fields if field.position is not None]
        found[dataset] = sorted(listed or fields, key=lambda field: (field.position or 0, field.path))
    return found


def _described(fields: Sequence[Field], notes: Notes) -> Sequence[Field]:
    """Fields, with what is said of those that they are copied from where nothing is said of themselves."""
    came = derived_descriptions(notes)
    if not came:
        return fields
    return [field if field.description else field._replace(description=came.get(field.path, "")) for field in fields]


def last_versions(session: Session, keys: Collection[int]) -> Mapping[int, LastVersion]:
    """The last version of each dataset that has one."""
    last: dict[int, tuple[bytes, LastVersion]] = {}
    for dataset, stamp, uuid, us, lifecycle in session.rows(_LAST_VERSIONS, ids(keys)):
        found = bytes(stamp), LastVersion(uuid_text(uuid), us, lifecycle or "")
        last[dataset] = max(last.get(dataset, found), found)
    return {dataset: version for dataset, (_, version) in last.items()}
