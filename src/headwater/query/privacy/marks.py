"""What is set on fields in a store: by events, by people, and what came with the data before."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from headwater.query.graph.intervals import NOW
from headwater.query.metadata.notes import datasets_with_note, tag_names
from headwater.query.metadata.tags import all_by_hand, changed
from headwater.query.privacy.propagation import Marks
from headwater.store.db.codes import Kind
from headwater.store.db.predicates import in_last_schema
from headwater.store.db.session import Session, ids

_FIELDS = "SELECT field.dataset, field.id, field.path FROM {given} {join} field ON field.dataset = given.id"
# Those that a schema has: what it no longer has says nothing.
_DESCRIBED = f"""
SELECT field.id, field.description FROM field WHERE field.description <> '' AND {in_last_schema("field")}
"""  # noqa: S608  our own words


def with_tags(marks: Mapping[int, Marks], wanted: Collection[str]) -> dict[int, Marks]:
    """Of what is set on fields, only tags of some names, upper and lower case alike, and no descriptions.

    >>> with_tags({7: Marks(frozenset({"PII", "gold"}), description="words")}, ["pii"])[7].tags
    frozenset({'PII'})
    """
    folded = {name.casefold() for name in wanted}

    def some(names: frozenset[str]) -> frozenset[str]:
        return frozenset(name for name in names if name.casefold() in folded)

    found = {key: Marks(some(mark.tags), some(mark.refused)) for key, mark in marks.items()}
    return {key: mark for key, mark in found.items() if mark.tags or mark.refused}


def marked_fields(session: Session, at: int = NOW, *, descriptions: bool = True) -> dict[int, Marks]:
    """What is set on the fields of a store, by their keys, as of a moment.

    What people do by hand, and the descriptions in schemas, have no time: these are those of now.
    """
    told: dict[int, dict[str, set[str]]] = {}
    for dataset, (_, facet) in datasets_with_note(session, "tags", at).items():
        by_path: defaultdict[str, set[str]] = defaultdict(set)
        for path, name in tag_names(facet):
            if path is not None:
                by_path[path].add(name)
        if by_path:
            told[dataset] = by_path
    tags: dict[int, set[str]] = {}
    for dataset, key, path in session.rows(_FIELDS, ids(told)):
        if path in told[dataset]:
            tags[key] = told[dataset][path]
    hand = all_by_hand(session, Kind.FIELD)
    words: dict[int, str] = dict(session.rows(_DESCRIBED)) if descriptions else {}
    found = {}
    for key in {*tags, *hand, *words}:
        changes = hand.get(key, {})
        refused = frozenset(tag for tag, state in changes.items() if not state)
        found[key] = Marks(frozenset(changed(tags.get(key, ()), changes)), refused, words.get(key, ""))
    return found
