"""Tags of datasets and jobs as answers list them: those of events, with what people changed by hand."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from headwater.query.metadata.notes import Notes, tag_names, tag_parts
from headwater.query.metadata.tags import Tags, tags_of
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag of a dataset, of one of its columns where `field` names it, or of a job.

    `derived`: the column has it from the columns it is made of; see `headwater tags propagate`.
    """

    key: str
    value: str | None
    field: str | None
    derived: bool = False


def listed_tags(
    session: Session, kind: Kind, notes: Mapping[int, Notes], fields: Mapping[int, Mapping[int, str]]
) -> dict[int, tuple[Tag, ...]]:
    """The tags of the datasets or jobs with these facets; of datasets with the paths of their fields, by key.

    First come those of the tags facet, in its order and without those taken away by hand; then all others by name.
    """
    by_key = tags_of(session, kind, notes, fields)
    return {key: tuple(_listed(notes[key], tags, fields.get(key, {}))) for key, tags in by_key.items()}


def _listed(notes: Notes, tags: Tags, fields: Mapping[int, str]) -> Iterator[Tag]:
    left = {(None, name) for name in tags.own} | {
        (path, name) for path, names in tags.of_fields.items() for name in names
    }
    known = set(fields.values())
    listed = notes.get("tags", {}).get("tags")
    for tag in listed if isinstance(listed, list) else ():
        for path, name in tag_names({"tags": [tag]}):
            # Only the facet lists a tag of an unknown column.
            if (path, name) in left or (path is not None and path not in known):
                left.discard((path, name))
                value = tag.get("value")
                yield Tag(tag["key"], value if isinstance(value, str) else None, path)
    for path, name in sorted(left, key=lambda pair: (pair[0] or "", pair[1])):
        yield Tag(*tag_parts(name), path, path is not None and name in tags.derived.get(path, ()))
