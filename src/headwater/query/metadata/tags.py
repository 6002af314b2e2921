"""Tags: those that events give, those that people give or take away by hand, and those that came with the data."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from headwater.openlineage.model.check import is_object
from headwater.query.metadata.notes import Notes, tag_names
from headwater.store.db.codes import Kind, TagState
from headwater.store.db.session import Row, Session, ids
from headwater.store.entities.keys import hash_of
from headwater.store.model.meaning import DERIVED

_TAGGED = """
SELECT given.id, tagged.tag, tagged.state FROM {given}
{join} tagged ON tagged.kind = :kind AND tagged.entity = given.id
"""
_ALL_TAGGED = """
SELECT tagged.entity, tagged.tag, tagged.state FROM tagged JOIN {table} there ON there.id = tagged.entity
WHERE tagged.kind = :kind
"""
_IN_USE = f"SELECT DISTINCT tagged.tag FROM tagged WHERE tagged.state = {TagState.GIVEN}"  # noqa: S608  our own words


class Tag(NamedTuple):
    """A tag that may be given."""

    name: str
    description: str | None


class Tags(NamedTuple):
    """The tags of a dataset or a job, those of its fields by their paths, and which of these came with the data."""

    own: list[str]
    of_fields: Mapping[str, list[str]]
    derived: Mapping[str, list[str]]


def tags_of(
    session: Session, kind: Kind, notes: Mapping[int, Notes], fields: Mapping[int, Mapping[int, str]]
) -> Mapping[int, Tags]:
    """The tags of things, whose notes these are.

    Args:
        session: the store.
        kind: whether they are datasets or jobs.
        notes: what events say of each.
        fields: of datasets, the paths of their fields by key.
    """
    hand = by_hand(session, kind, notes)
    on_fields = by_hand(session, Kind.FIELD, {key for paths in fields.values() for key in paths}) if fields else {}
    return {key: _merged(notes[key], hand.get(key, {}), fields.get(key, {}), on_fields) for key in notes}


def _merged(
    notes: Notes,
    hand: Mapping[str, int],
    fields: Mapping[int, str],
    on_fields: Mapping[int, Mapping[str, int]],
) -> Tags:
    told, came = _by_field(notes.get("tags")), _by_field(notes.get(DERIVED))
    of_fields: dict[str, list[str]] = {}
    derived: dict[str, list[str]] = {}
    for key, path in fields.items():
        if path in told or path in came or key in on_fields:
            own, changes = told.get(path, set()), on_fields.get(key, {})
            if merged := changed(own | came.get(path, set()), changes):
                of_fields[path] = merged
            if only := sorted(set(merged) - set(changed(own, changes))):
                derived[path] = only
    return Tags(changed(told.get(None, ()), hand), of_fields, derived)


def _by_field(facet: object) -> dict[str | None, set[str]]:
    found: defaultdict[str | None, set[str]] = defaultdict(set)
    for path, tag in tag_names(facet):
        found[path].add(tag)
    return dict(found)


def derived_descriptions(notes: Notes) -> dict[str, str]:
    """The descriptions that reached fields from those that they are copied from, by path."""
    listed = notes.get(DERIVED, {}).get("descriptions")
    found = [one for one in listed if is_object(one)] if isinstance(listed, list) else []
    return {str(one.get("field")): str(one.get("description") or "") for one in found}


def changed(told: Iterable[str], hand: Mapping[str, int]) -> list[str]:
    """Tags after what was done by hand.

    >>> changed({"PII", "old"}, {"old": 0, "GOLD": 1})
    ['GOLD', 'PII']
    """
    return sorted(
        {tag for tag in told if hand.get(tag, TagState.GIVEN)} | {tag for tag, state in hand.items() if state}
    )


def by_hand(session: Session, kind: Kind, keys: Collection[int]) -> Mapping[int, Mapping[str, int]]:
    """What people gave to things (1) and took away from them (0), by hand."""
    return _hands(session.rows(_TAGGED, ids(keys), kind=int(kind)))


def all_by_hand(session: Session, kind: Kind) -> Mapping[int, Mapping[str, int]]:
    """The same of all datasets, fields or jobs that there are."""
    return _hands(session.rows(_ALL_TAGGED.format(table=kind.name.lower()), kind=int(kind)))


def _hands(rows: Iterable[Row]) -> Mapping[int, Mapping[str, int]]:
    found: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for key, tag, state in rows:
        found[key][tag] = state
    return found


def set_tag(session: Session, kind: Kind, key: int, tag: str, *, given: bool) -> None:
    """Give a tag to a dataset, a job or a field, or take it away."""
    session.insert(
        "tagged",
        "kind, entity, key, state, tag",
        [(int(kind), key, hash_of(tag), int(TagState.GIVEN if given else TagState.TAKEN), tag)],
        conflict="(kind, entity, key) DO UPDATE SET state = excluded.state",
    )


def put_tag(session: Session, tag: Tag) -> None:
    """Describe a tag."""
    session.insert(
        "tag",
        "key, name, description",
        [(hash_of(tag.name), *tag)],
        conflict="(key) DO UPDATE SET description = excluded.description",
    )


def all_tags(session: Session) -> list[Tag]:
    """The tags that were described, and those that were given, by name."""
    described = {name: Tag(name, text) for name, text in session.rows("SELECT tag.name, tag.description FROM tag")}
    used = {name: Tag(name, None) for (name,) in session.rows(_IN_USE)}
    return sorted((used | described).values())
