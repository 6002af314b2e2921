"""Tags of datasets and jobs as answers list them: those of events as they came, and what was changed by hand."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from headwater.query.metadata.notes import Notes, tag_names, tag_parts
from headwater.query.metadata.tags import Tags, tags_of
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag of a dataset, of one of its columns where `field` names it, or of a job.

    `derived`: nobody gave it to the column, it came with the data; see `headwater tags propagate`.
    """

    key: str
    value: str | None
    field: str | None
    derived: bool = False


def listed_tags(
    session: Session, kind: Kind, notes: Mapping[int, Notes], fields: Mapping[int, Mapping[int, str]]
) -> dict[int, tuple[Tag, ...]]:
    """The tags of things, whose notes these are; of datasets with the paths of their fields, by key.

    Those that the facet lists come as it lists them, but for those taken away by hand; then all others by name.
    """
    found = tags_of(session, kind, notes, fields)
    return {key: tuple(_listed(notes[key], tags, fields.get(key, {}))) for key, tags in found.items()}


def _listed(notes: Notes, tags: Tags, fields: Mapping[int, str]) -> Iterator[Tag]:
    left = {(None, name) for name in tags.own} | {
        (path, name) for path, some in tags.of_fields.items() for name in some
    }
    known = set(fields.values())
    listed = notes.get("tags", {}).get("tags")
    for one in listed if isinstance(listed, list) else ():
        for path, name in tag_names({"tags": [one]}):
            # A tag of a column that is not known has no other place.
            if (path, name) in left or (path is not None and path not in known):
                left.discard((path, name))
                value = one.get("value")
                yield Tag(one["key"], value if isinstance(value, str) else None, path)
    for path, name in sorted(left, key=lambda pair: (pair[0] or "", pair[1])):
        tag, value = tag_parts(name)
        yield Tag(tag, value, path, path is not None and name in tags.derived.get(path, ()))
