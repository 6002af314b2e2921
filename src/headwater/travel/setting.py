"""Tags that people give to fields, or take away from them."""

from headwater.graph.answer import FieldName
from headwater.graph.labels import label_fields
from headwater.graph.names import resolve_column, resolve_dataset
from headwater.graph.tags import set_tag
from headwater.store.session import Session
from headwater.store.terms import Kind


def set_field_tag(session: Session, dataset: str, column: str, tag: str, *, given: bool) -> FieldName:
    """Give a tag to a field by what people call it, or take it away; returns the field.

    Raises:
        UnknownName: nothing has that name; carries the nearest.
        AmbiguousName: several have it; carries them.
    """
    key = resolve_column(session, resolve_dataset(session, dataset), column)
    set_tag(session, Kind.FIELD, key, tag, given=given)
    return label_fields(session, [key]).names[key]
