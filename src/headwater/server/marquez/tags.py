"""Tags: those that events give, and those that people give or take away by hand."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from headwater.server.marquez.notes import Notes, tag_names
from headwater.store.keys import hash_of
from headwater.store.session import Session, ids
from headwater.store.terms import Kind

_TAGGED = """
SELECT given.id, tagged.tag, tagged.state FROM {given}
{join} tagged ON tagged.kind = :kind AND tagged.entity = given.id
"""
_IN_USE = "SELECT DISTINCT tagged.tag FROM tagged WHERE tagged.state = 1"


class Tag(NamedTuple):
    """A tag that may be given."""

    name: str
    description: str | None


class Tags(NamedTuple):
    """The tags of a dataset or a job, and those of its fields by their paths."""

    own: list[str]
    of_fields: Mapping[str, list[str]]


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
    by_hand = _by_hand(session, kind, notes)
    on_fields = _by_hand(session, Kind.FIELD, {key for paths in fields.values() for key in paths}) if fields else {}
    return {key: _merged(notes[key], by_hand.get(key, {}), fields.get(key, {}), on_fields) for key in notes}


def _merged(
    notes: Notes,
    by_hand: Mapping[str, int],
    fields: Mapping[int, str],
    on_fields: Mapping[int, Mapping[str, int]],
) -> Tags:
    told: defaultdict[str | None, set[str]] = defaultdict(set)
    for path, tag in tag_names(notes):
        told[path].add(tag)
    of_fields = {
        path: merged
        for key, path in fields.items()
        if (path in told or key in on_fields) and (merged := _changed(told.get(path, set()), on_fields.get(key, {})))
    }
    return Tags(_changed(told[None], by_hand), of_fields)


def _changed(told: Iterable[str], by_hand: Mapping[str, int]) -> list[str]:
    """Tags after what was done by hand.

    >>> _changed({"PII", "old"}, {"old": 0, "GOLD": 1})
    ['GOLD', 'PII']
    """
    return sorted({tag for tag in told if by_hand.get(tag, 1)} | {tag for tag, state in by_hand.items() if state})


def _by_hand(session: Session, kind: Kind, keys: Collection[int]) -> Mapping[int, Mapping[str, int]]:
    found: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for key, tag, state in session.rows(_TAGGED, ids(keys), kind=int(kind)):
        found[key][tag] = state
    return found


def set_tag(session: Session, kind: Kind, key: int, tag: str, *, given: bool) -> None:
    """Give a tag to a dataset, a job or a field, or take it away."""
    session.insert(
        "tagged",
        "kind, entity, key, state, tag",
        [(int(kind), key, hash_of(tag), int(given), tag)],
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
