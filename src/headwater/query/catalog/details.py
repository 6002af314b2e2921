"""One dataset or one job beside its lineage: columns with their types, description, tags and owners."""

from dataclasses import dataclass
from typing import ClassVar

from headwater.common.codec import plain
from headwater.notebook.rows import Tabular
from headwater.query.graph.answer import TableName
from headwater.query.metadata.notes import Notes, notes_of
from headwater.query.metadata.owners import Owner, owners_in
from headwater.query.metadata.tag_lists import Tag, listed_tags
from headwater.query.search.resolve import resolve_dataset, resolve_job
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.reads.aliases import aliases_of
from headwater.store.reads.fields import fields_of
from headwater.store.reads.names import names_by_id


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `listed` says whether it is in the last schema: others come from lineage or earlier schemas."""

    path: str
    type: str
    description: str
    listed: bool


@dataclass(frozen=True, slots=True)
class DatasetDetails(Tabular):
    """A dataset as it is now; columns in the order of its last schema, `aliases` are its other names."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("path", "type", "description", "listed")

    name: TableName
    description: str
    columns: tuple[Column, ...]
    owners: tuple[Owner, ...]
    tags: tuple[Tag, ...]
    aliases: tuple[TableName, ...]

    def rows(self) -> list[dict[str, object]]:
        """One flat row for each column."""
        return [dict(plain(column)) for column in self.columns]


@dataclass(frozen=True, slots=True)
class JobDetails(Tabular):
    """A job as it is now."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("namespace", "name", "description", "owners")

    name: TableName
    description: str
    owners: tuple[Owner, ...]
    tags: tuple[Tag, ...]

    def rows(self) -> list[dict[str, object]]:
        """One flat row."""
        owners = " ".join(owner.name for owner in self.owners)
        return [{**plain(self.name), "description": self.description, "owners": owners}]


def describe_dataset(session: Session, dataset: str) -> DatasetDetails:
    """Describe a dataset, by any name that is unique."""
    resolved = resolve_dataset(session, dataset)
    fields = fields_of(session, [resolved.id])
    fields.sort(key=lambda field: (field.position is None, field.position or 0, field.path))
    aliases = names_by_id(session, "dataset", aliases_of(session, resolved.id, session.now) - {resolved.id})
    notes = notes_of(session, Kind.DATASET, [resolved.id]).get(resolved.id, {})
    paths = {resolved.id: {field.id: field.path for field in fields}}
    return DatasetDetails(
        resolved.table,
        _description(notes),
        tuple(Column(field.path, field.type, field.description, field.position is not None) for field in fields),
        owners_in(notes.get("ownership")),
        listed_tags(session, Kind.DATASET, {resolved.id: notes}, paths)[resolved.id],
        tuple(sorted(TableName(*name) for name in aliases.values())),
    )


def describe_job(session: Session, job: str) -> JobDetails:
    """Describe a job, by any name that is unique."""
    resolved = resolve_job(session, job)
    notes = notes_of(session, Kind.JOB, [resolved.id]).get(resolved.id, {})
    tags = listed_tags(session, Kind.JOB, {resolved.id: notes}, {})[resolved.id]
    return JobDetails(resolved.table, _description(notes), owners_in(notes.get("ownership")), tags)


def _description(notes: Notes) -> str:
    text = notes.get("documentation", {}).get("description")
    return text if isinstance(text, str) else ""
