"""Tags: those in events, those that people give or take away by hand, and those derived from other columns."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from headwater.common.groups import sets_by_key
from headwater.openlineage.model.check import is_object
from headwater.query.metadata.notes import Notes, tag_names, tags_stated
from headwater.store.by_hand import TagRow, all_tag_changes, described_tags, tag_changes, tags_in_use
from headwater.store.db.codes import Kind, TagState
from headwater.store.db.session import Session
from headwater.store.model.meaning import DERIVED


class Tags(NamedTuple):
    """The tags of a dataset or a job, those of its fields by path, and which of these are derived."""

    own: list[str]
    of_fields: Mapping[str, list[str]]
    derived: Mapping[str, list[str]]


def tags_of(
    session: Session, kind: Kind, notes: Mapping[int, Notes], fields: Mapping[int, Mapping[int, str]]
) -> Mapping[int, Tags]:
    """The tags of the datasets or jobs with these facets; of datasets with the paths of their fields, by key."""
    hand = by_hand(session, kind, notes)
    on_fields = by_hand(session, Kind.FIELD, {key for paths in fields.values() for key in paths}) if fields else {}
    return {key: _merged(notes[key], hand.get(key, {}), fields.get(key, {}), on_fields) for key in notes}


def _merged(
    notes: Notes, hand: Mapping[str, int], fields: Mapping[int, str], on_fields: Mapping[int, Mapping[str, int]]
) -> Tags:
    stated, propagated = (sets_by_key(tag_names(notes.get(facet))) for facet in ("tags", DERIVED))
    of_fields: dict[str, list[str]] = {}
    derived: dict[str, list[str]] = {}
    for key, path in fields.items():
        if path in stated or path in propagated or key in on_fields:
            own, changes = stated.get(path, set()), on_fields.get(key, {})
            if merged := changed(own | propagated.get(path, set()), changes):
                of_fields[path] = merged
            if only := sorted(set(merged) - set(changed(own, changes))):
                derived[path] = only
    return Tags(changed(stated.get(None, ()), hand), of_fields, derived)


def derived_descriptions(notes: Notes) -> dict[str, str]:
    """The descriptions that fields have from the fields they are copied from, by path."""
    listed = notes.get(DERIVED, {}).get("descriptions")
    return {
        str(item.get("field")): str(item.get("description") or "")
        for item in (listed if isinstance(listed, list) else ())
        if is_object(item)
    }


def changed(tags: Iterable[str], hand: Mapping[str, int]) -> list[str]:
    """Tags after what people changed by hand.

    >>> changed({"PII", "old"}, {"old": 0, "GOLD": 1})
    ['GOLD', 'PII']
    """
    return sorted(
        {tag for tag in tags if hand.get(tag, TagState.GIVEN)} | {tag for tag, state in hand.items() if state}
    )


def by_hand(session: Session, kind: Kind, keys: Collection[int]) -> Mapping[int, Mapping[str, int]]:
    """The tags that people gave (1) and took away (0) by hand, by dataset, field or job."""
    return _by_entity(tag_changes(session, kind, keys))


def all_by_hand(session: Session, kind: Kind) -> Mapping[int, Mapping[str, int]]:
    """The same of all datasets, fields or jobs."""
    return _by_entity(all_tag_changes(session, kind))


def _by_entity(changes: Iterable[tuple[int, str, int]]) -> Mapping[int, Mapping[str, int]]:
    states: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for entity, tag, state in changes:
        states[entity][tag] = state
    return states


def all_tags(session: Session) -> list[TagRow]:
    """The tags that people described or gave, and those that events state, by name."""
    described = {tag.name: tag for tag in described_tags(session)}
    used = {name: TagRow(name, None) for name in {*tags_in_use(session), *tags_stated(session)}}
    return sorted((used | described).values())
