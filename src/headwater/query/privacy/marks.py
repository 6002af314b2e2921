"""What is set on fields in a store: by events, by people, and what came with the data before."""

from collections.abc import Collection, Mapping

from headwater.common.groups import sets_by_key
from headwater.query.graph.column_names import ColumnNames
from headwater.query.graph.intervals import Span
from headwater.query.metadata.notes import datasets_with_note, tag_names
from headwater.query.metadata.tags import all_by_hand, changed
from headwater.query.privacy.propagation import Marks
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of
from headwater.store.reads.edges import store_features
from headwater.store.reads.fields import field_descriptions, field_paths


def with_tags(marks: Mapping[int, Marks], names: Collection[str]) -> dict[int, Marks]:
    """Of what is set on fields, only tags of some names, upper and lower case alike, and no descriptions.

    >>> with_tags({7: Marks(frozenset({"PII", "gold"}), description="words")}, ["pii"])[7].tags
    frozenset({'PII'})
    """
    folded = {name.casefold() for name in names}

    def only(tags: frozenset[str]) -> frozenset[str]:
        return frozenset(tag for tag in tags if tag.casefold() in folded)

    limited = {key: Marks(only(mark.tags), only(mark.refused)) for key, mark in marks.items()}
    return {key: mark for key, mark in limited.items() if mark.tags or mark.refused}


def marked_fields(session: Session, at: int | None = None, *, descriptions: bool = True) -> dict[int, Marks]:
    """What is set on the fields of a store, by their keys, as of a moment, or now.

    What people do by hand, and the descriptions in schemas, have no time: these are those of now.
    """
    facets: dict[int, dict[str, set[str]]] = {}
    for dataset, (_, facet) in datasets_with_note(session, "tags", at).items():
        if by_path := sets_by_key((path, name) for path, name in tag_names(facet) if path is not None):
            facets[dataset] = by_path
    tags: dict[int, set[str]] = {}
    for field in field_paths(session, facets):
        if field.path in facets[field.dataset]:
            tags[field.id] = facets[field.dataset][field.path]
    hand = all_by_hand(session, Kind.FIELD)
    if store_features(session).renamed_columns:
        tags, hand = _under_new_names(session, session.moment(at), tags, hand)
    words = field_descriptions(session) if descriptions else {}
    marks = {}
    for key in {*tags, *hand, *words}:
        changes = hand.get(key, {})
        refused = frozenset(tag for tag, state in changes.items() if not state)
        marks[key] = Marks(frozenset(changed(tags.get(key, ()), changes)), refused, words.get(key, ""))
    return marks


def _under_new_names(
    session: Session, at: int, tags: Mapping[int, set[str]], hand: Mapping[int, Mapping[str, int]]
) -> tuple[dict[int, set[str]], dict[int, Mapping[str, int]]]:
    """The tags of renamed columns, under their new names; what people did by hand there counts before the rest."""
    names = ColumnNames(session, Span(at, at))
    names.learn({dataset_of(key) for key in (*tags, *hand)})
    renamed = sets_by_key((names.shown(key), tag) for key, found in tags.items() for tag in found)
    changes: dict[int, Mapping[str, int]] = {}
    for key in sorted(hand, key=lambda key: names.shown(key) == key):
        changes[names.shown(key)] = {**changes.get(names.shown(key), {}), **hand[key]}
    return renamed, changes
