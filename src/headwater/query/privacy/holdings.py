"""What a dataset holds of tagged data: its own tagged columns, and what arrives in it from tagged columns upstream."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from headwater.common.groups import sets_by_key
from headwater.query.graph.aliases import Aliases
from headwater.query.graph.answer import Answer, Direction, FieldName, Unknown
from headwater.query.graph.column_names import ColumnNames
from headwater.query.graph.intervals import span_of
from headwater.query.graph.labels import label_fields
from headwater.query.graph.steps import Steps
from headwater.query.lineage.traversal import Walk, traverse
from headwater.query.lineage.unknown import unknown_of
from headwater.query.metadata.notes import notes_of
from headwater.query.metadata.tags import all_by_hand, by_hand
from headwater.query.privacy.exposure import Exposed, exposed
from headwater.query.privacy.legs import map_of
from headwater.query.privacy.propagation import Marks
from headwater.query.privacy.tag_listing import FieldTag, Origin, tags_of_field
from headwater.query.search.resolve import DatasetName
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.reads.edges import store_features
from headwater.store.reads.fields import field_paths

TagTest = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class TaggedColumn:
    """A column with a tag, or the whole dataset (no field); a derived tag is certain, or came through a doubtful step.

    `source` is the column that a derived tag came from.
    """

    field: FieldName
    tag: str
    origin: Origin
    certain: bool
    source: FieldName | None = None


@dataclass(frozen=True, slots=True)
class Arrival:
    """A column with a tag, outside the dataset asked about, and the columns of that dataset that its values reach."""

    field: FieldName
    tags: tuple[str, ...]
    reached: tuple[Exposed, ...]


@dataclass(frozen=True, slots=True)
class Holdings:
    """What a dataset holds; `unknown` are ways on which tagged data may arrive in it, and nobody says of columns."""

    tagged: tuple[TaggedColumn, ...]
    arrivals: tuple[Arrival, ...]
    unknown: tuple[Unknown, ...]
    partial: bool


def holdings(
    session: Session, dataset: DatasetName, walk: Walk, tagged: Mapping[int, Marks], is_tag: TagTest
) -> Holdings:
    """What a dataset holds of the data in tagged columns; `tagged` are all that there are."""
    walk = replace(walk, direction=Direction.UPSTREAM)
    answer = traverse(session, dataset.id, None, walk)
    unknown = unknown_of(session, answer, walk)
    tags = _tags_by_name(session, tagged, walk, is_tag)
    here = {node.field for node in answer.nodes if node.distance == 0}
    # What may arrive in an unknown way starts from a table with a tagged column.
    sources = {name.table for name in tags}
    may = any(read in sources for entry in unknown.found if entry.why.may_reach for read in entry.reads)
    arrivals = tuple(_arrivals(answer, tags, here, walk.depth))
    return Holdings(
        tuple(_own_tags(session, dataset, walk, is_tag)),
        arrivals,
        # What is uncertain matters where there is something to be uncertain about.
        tuple(entry for entry in unknown.found if may or (arrivals and not entry.why.may_reach)),
        answer.partial or unknown.partial,
    )


def _arrivals(
    answer: Answer, tags: Mapping[FieldName, Collection[str]], here: Collection[FieldName], depth: int | None
) -> Iterator[Arrival]:
    """Each tagged column upstream, with what its values reach among the columns asked about; pure."""
    legs = map_of(answer.edges, (node.field for node in answer.nodes))
    for name in sorted(node.field for node in answer.nodes if node.field in tags and node.field not in here):
        reached = tuple(item for item in exposed({name}, legs, depth) if item.field in here)
        if reached:
            yield Arrival(name, tuple(sorted(tags[name])), reached)


def _tags_by_name(
    session: Session, tagged: Mapping[int, Marks], walk: Walk, is_tag: TagTest
) -> dict[FieldName, set[str]]:
    """The matching tags of columns, under the names by which an answer shows them."""
    steps = Steps(session, span_of(session, walk.moment), store_features(session), walk.direction, direct=False)
    shown = steps.shown(tagged.keys())
    names = label_fields(session, set(shown.values())).names
    return sets_by_key((names[shown[key]], tag) for key, mark in tagged.items() for tag in mark.tags if is_tag(tag))


def _own_tags(session: Session, dataset: DatasetName, walk: Walk, is_tag: TagTest) -> Iterator[TaggedColumn]:
    """The matching tags of the dataset and of its columns, whoever set them, by column and name."""
    keys = names_of(session, dataset, walk)
    notes = notes_of(session, Kind.DATASET, keys, walk.moment.until)
    on_fields, on_datasets = all_by_hand(session, Kind.FIELD), by_hand(session, Kind.DATASET, keys)
    fields = [(field.dataset, field.path, on_fields.get(field.id, {})) for field in field_paths(session, keys)]
    new_names = _new_names(session, dataset, walk)
    whole = ((key, None, on_datasets.get(key, {})) for key in keys)
    found: dict[tuple[str, str], FieldTag] = {}
    for key, path, hand in (*whole, *fields):
        shown = path and new_names.get(path, path)
        name = FieldName(dataset.namespace, dataset.name, path)
        for tag in tags_of_field(name, notes.get(key, {}), hand):
            known = found.get((shown or "", tag.tag))
            if is_tag(tag.tag) and (known is None or tag.certain > known.certain):
                found[shown or "", tag.tag] = replace(tag, field=FieldName(dataset.namespace, dataset.name, shown))
    for place in sorted(found):
        yield _tagged(found[place])


def _new_names(session: Session, dataset: DatasetName, walk: Walk) -> dict[str, str]:
    """The names that renamed columns have now, by those that they had."""
    if not store_features(session).renamed_columns:
        return {}
    names = ColumnNames(session, span_of(session, walk.moment))
    names.learn([dataset.id])
    paths = {field.id: field.path for field in field_paths(session, [dataset.id])}
    return {path: paths[names.shown(key)] for key, path in paths.items()}


def _tagged(tag: FieldTag) -> TaggedColumn:
    start = tag.path[0]["origin"] if tag.path else None
    source = FieldName(start["namespace"], start["name"], start["field"]) if start else None
    return TaggedColumn(tag.field, tag.tag, tag.origin, tag.certain, source)


def names_of(session: Session, dataset: DatasetName, walk: Walk) -> list[int]:
    """A dataset under all its names."""
    aliases = Aliases(session, span_of(session, walk.moment), exist=store_features(session).aliases)
    aliases.learn_datasets([dataset.id])
    asked = set() if dataset.alias is None else {dataset.alias}
    return sorted({dataset.id, *asked, *aliases.other_names(dataset.id)})
