"""What is said of one dataset or one job beside its lineage: columns with their types, words, tags, owners."""

from dataclasses import dataclass
from typing import ClassVar

from headwater.common.codec import plain
from headwater.notebook.rows import Tabular
from headwater.query.graph.answer import TableName
from headwater.query.graph.intervals import NOW
from headwater.query.metadata.notes import Notes, notes_of
from headwater.query.metadata.owners import Owner, owners_in
from headwater.query.metadata.tag_lists import Tag, listed_tags
from headwater.query.search.resolve import resolve_dataset, resolve_job
from headwater.store.db.codes import Kind
from headwater.store.db.predicates import in_force
from headwater.store.db.session import Session

_COLUMNS = """
SELECT field.path, field.type, field.description, field.position, field.id FROM field WHERE field.dataset = :dataset
"""
_ALIASES = f"""
SELECT dataset.namespace, dataset.name FROM alias {{join}} dataset ON dataset.id = alias.dataset
WHERE alias.physical = :dataset AND {in_force("alias", ":at")} AND alias.dataset <> :dataset
"""  # noqa: S608  our own words


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

    def rows(self) -> list[dict[str, object]]:
        """As one flat row."""
        owners = " ".join(owner.name for owner in self.owners)
        return [{**plain(self.name), "description": self.description, "owners": owners}]


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
    notes = notes_of(session, Kind.DATASET, [found.id]).get(found.id, {})
    fields = {found.id: {row[4]: row[0] for row in columns}}
    return DatasetDetails(
        TableName(found.namespace, found.name),
        _description(notes),
        tuple(Column(path, kind, words, position is not None) for path, kind, words, position, _ in columns),
        owners_in(notes.get("ownership")),
        listed_tags(session, Kind.DATASET, {found.id: notes}, fields)[found.id],
        tuple(sorted(TableName(*row) for row in aliases)),
    )


def describe_job(session: Session, job: str) -> JobDetails:
    """A job, by what people call it.

    Raises:
        UnknownName: nothing has that name; carries the nearest.
        AmbiguousName: several have it; carries them.
    """
    found = resolve_job(session, job)
    notes = notes_of(session, Kind.JOB, [found.id]).get(found.id, {})
    name = TableName(found.namespace, found.name)
    tags = listed_tags(session, Kind.JOB, {found.id: notes}, {})[found.id]
    return JobDetails(name, _description(notes), owners_in(notes.get("ownership")), tags)


def _description(notes: Notes) -> str:
    words = notes.get("documentation", {}).get("description")
    return words if isinstance(words, str) else ""
