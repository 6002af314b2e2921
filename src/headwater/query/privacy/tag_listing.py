"""The tags of fields, and where each is from; people give tags, or take them away."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar

from headwater.notebook.rows import Tabular
from headwater.query.errors import BadQuestion
from headwater.query.graph.answer import FieldName
from headwater.query.graph.labels import label_fields
from headwater.query.metadata.notes import datasets_with_note, notes_of, tag_names
from headwater.query.metadata.tags import all_by_hand, changed
from headwater.query.search.resolve import resolve_column, resolve_dataset
from headwater.store.by_hand import set_tag
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of
from headwater.store.model.meaning import DERIVED
from headwater.store.reads.fields import field_paths


class Origin(Enum):
    """Who set a tag: the source's events, a person, or nobody: it came with the data."""

    SOURCE = "source"
    HAND = "hand"
    DERIVED = "derived"


@dataclass(frozen=True, slots=True)
class FieldTag:
    """A tag of a field; of a derived one, `path` is the way that brought it, and it is `certain` or may be."""

    field: FieldName
    tag: str
    origin: Origin
    certain: bool
    path: tuple[dict[str, Any], ...] = ()

    def row(self) -> dict[str, object]:
        """As one flat row."""
        start = self.path[0]["origin"] if self.path else None
        source = f"{start['namespace']}/{start['name']}.{start['field']}" if start else None
        return {
            "namespace": self.field.namespace,
            "name": self.field.name,
            "field": self.field.field,
            "tag": self.tag,
            "from": self.origin.value,
            "certain": self.certain,
            "source": source,
        }


@dataclass(frozen=True, slots=True)
class TagList(Tabular):
    """Tags of fields, by field and name."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("namespace", "name", "field", "tag", "from", "certain", "source")

    tags: tuple[FieldTag, ...]

    def rows(self) -> list[dict[str, object]]:
        """One row a tag."""
        return [tag.row() for tag in self.tags]


def list_tags(session: Session, dataset: str | None = None, column: str | None = None) -> TagList:
    """The tags of all fields, of those of a dataset, or of one field.

    Raises:
        UnknownName: nothing has that name; carries the nearest.
        AmbiguousName: several have it; carries them.
        BadQuestion: a column without its dataset.
    """
    hand = all_by_hand(session, Kind.FIELD)
    if dataset is None:
        if column is not None:
            raise BadQuestion("A column needs its dataset: give both")
        noted = {key for name in ("tags", DERIVED) for key in datasets_with_note(session, name)}
        datasets = noted | {dataset_of(key) for key in hand}
        only = None
    else:
        resolved = resolve_dataset(session, dataset)
        datasets = {resolved.id}
        only = None if column is None else resolve_column(session, resolved, column)
    notes = notes_of(session, Kind.DATASET, datasets)
    listed: list[FieldTag] = []
    fields = [field for field in field_paths(session, datasets) if only in {None, field.id}]
    names = label_fields(session, [field.id for field in fields]).names
    for field in fields:
        if field.path:
            listed += tags_of_field(names[field.id], notes.get(field.dataset, {}), hand.get(field.id, {}))
    return TagList(tuple(sorted(listed, key=lambda tag: (tag.field, tag.tag))))


def tags_of_field(field: FieldName, notes: Mapping[str, dict[str, Any]], hand: Mapping[str, int]) -> list[FieldTag]:
    """The tags of a field, or of the whole dataset (no field), by the facets of the dataset and what people did."""
    from_events = {name for path, name in tag_names(notes.get("tags")) if path == field.field}
    own = [
        FieldTag(field, name, Origin.HAND if hand.get(name) else Origin.SOURCE, certain=True)
        for name in changed(from_events, hand)
    ]
    known = {tag.tag for tag in own}
    derived: dict[str, FieldTag] = {}
    for tag in notes.get(DERIVED, {}).get("tags") or ():
        ((path, name),) = tag_names({"tags": [tag]})
        if path == field.field and name not in known and hand.get(name, 1):
            derived[name] = FieldTag(
                field, name, Origin.DERIVED, bool(tag.get("certain")), tuple(tag.get("path") or ())
            )
    return [*own, *derived.values()]


def set_field_tag(session: Session, dataset: str, column: str, tag: str, *, given: bool) -> FieldName:
    """Give a tag to a field by what people call it, or take it away; returns the field."""
    key = resolve_column(session, resolve_dataset(session, dataset), column)
    set_tag(session, Kind.FIELD, key, tag, given=given)
    return label_fields(session, [key]).names[key]
