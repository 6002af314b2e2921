"""Tags that people give to fields, or take away from them."""

from headwater.query.graph.answer import FieldName
from headwater.query.graph.labels import label_fields
from headwater.query.search.resolve import resolve_column, resolve_dataset
from headwater.store.by_hand import set_tag
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session


def set_field_tag(session: Session, dataset: str, column: str, tag: str, *, given: bool) -> FieldName:
    """Give a tag to a field by what people call it, or take it away; returns the field."""
    key = resolve_column(session, resolve_dataset(session, dataset), column)
    set_tag(session, Kind.FIELD, key, tag, given=given)
    return label_fields(session, [key]).names[key]
