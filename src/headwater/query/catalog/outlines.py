"""What a picture shows of many datasets at once: how many columns each has, who owns it, what it is tagged with."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar

from headwater.common.codec import plain
from headwater.notebook.rows import Tabular
from headwater.query.graph.answer import TableName
from headwater.query.graph.intervals import NOW
from headwater.query.metadata.notes import Notes, notes_of
from headwater.query.metadata.owners import Owner, owners_in
from headwater.query.metadata.tag_lists import Tag, listed_tags
from headwater.store.db.codes import Kind
from headwater.store.db.predicates import dataset_of_field, in_last_schema, is_of_dataset, is_rename, not_ended
from headwater.store.db.session import Given, Row, Session, ids
from headwater.store.entities.keys import hash_of
from headwater.store.model.meaning import DERIVED

_BY_KEY = "SELECT dataset.id, dataset.namespace, dataset.name FROM {given} {join} dataset ON dataset.key = given.key"
_COLUMNS = f"""
SELECT field.dataset, count(*) FROM {{given}}
{{join}} field ON field.dataset = given.id AND {in_last_schema("field")} GROUP BY field.dataset
"""  # noqa: S608  our own words
_WRITTEN = """
SELECT given.id, (SELECT max(version.us) FROM version WHERE version.dataset = given.id) FROM {given}
"""
_FIELDS = "SELECT field.dataset, field.id, field.path FROM {given} {join} field ON field.dataset = given.id"
_TAGGED_BY_HAND = f"""{_FIELDS}
{{join}} tagged ON tagged.kind = {Kind.FIELD} AND tagged.entity = field.id
"""


# What goes into datasets now, and what they go into; a dataset that is made of itself leads nowhere.
_UPSTREAM = f"""
SELECT given.id FROM {{given}} WHERE EXISTS (
    SELECT 1 FROM slot {{join}} mapping ON mapping.id = slot.mapping
    WHERE slot.dataset = given.id AND {not_ended("slot", ":now")} AND (
        {is_rename("mapping")}
        OR EXISTS (
            SELECT 1 FROM edge
            WHERE edge.mapping = mapping.id AND {dataset_of_field("edge.in_field")} <> given.id
        )
    )
)
"""  # noqa: S608  our own words
_DOWNSTREAM = f"""
SELECT given.id FROM {{given}} WHERE EXISTS (
    SELECT 1 FROM edge
    {{join}} slot ON slot.mapping = edge.mapping AND {not_ended("slot", ":now")} AND slot.dataset <> given.id
    WHERE {is_of_dataset("edge.in_field", "given.id")}
) OR EXISTS (
    SELECT 1 FROM mapping {{join}} slot ON slot.mapping = mapping.id AND {not_ended("slot", ":now")}
    WHERE mapping.origin = given.id
)
"""  # noqa: S608  our own words
# Lineage may be under another name of the same dataset.
_ALSO_CALLED = """
SELECT given.id FROM {given}
WHERE EXISTS (SELECT 1 FROM alias WHERE alias.dataset = given.id OR alias.physical = given.id)
"""


@dataclass(frozen=True, slots=True)
class Outline:
    """A dataset in short: `columns` counts those of its last schema, `written_us` is when it was written last.

    `upstream` and `downstream` say whether there may be lineage of its columns on that side now.
    """

    name: TableName
    columns: int
    written_us: int | None
    upstream: bool
    downstream: bool
    owners: tuple[Owner, ...]
    tags: tuple[Tag, ...]


@dataclass(frozen=True, slots=True)
class Outlines(Tabular):
    """Datasets in short, by name; those that are not known are left out."""

    COLUMNS: ClassVar[tuple[str, ...]] = (
        *("namespace", "name", "columns", "written_us", "upstream", "downstream", "owners", "tags"),
    )

    outlines: tuple[Outline, ...]

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, one a dataset."""
        return [
            {
                **plain(one.name),
                "columns": one.columns,
                "written_us": one.written_us,
                "upstream": one.upstream,
                "downstream": one.downstream,
                "owners": " ".join(owner.name for owner in one.owners),
                "tags": " ".join(tag.key if tag.field is None else f"{tag.field}:{tag.key}" for tag in one.tags),
            }
            for one in self.outlines
        ]


def outlines(session: Session, datasets: Collection[str]) -> Outlines:
    """Datasets in short, by their full names."""
    # Any slash may be the one that ends the namespace.
    keys: set[bytes] = {
        hash_of(full[:place], full[place + 1 :])
        for full in datasets
        for place, letter in enumerate(full)
        if letter == "/"
    }
    given: list[Row] = [(key,) for key in sorted(keys)]
    names = {key: TableName(*name) for key, *name in session.rows(_BY_KEY, Given("key bytes", given))}
    wanted = frozenset(datasets)
    names = {key: name for key, name in names.items() if name.full in wanted}
    counts: dict[int, int] = dict(session.rows(_COLUMNS, ids(names)))
    written: dict[int, int | None] = dict(session.rows(_WRITTEN, ids(names)))
    unclear = _found(session, _ALSO_CALLED, names)
    upstream = unclear | _found(session, _UPSTREAM, names, now=NOW)
    downstream = unclear | _found(session, _DOWNSTREAM, names, now=NOW)
    known = notes_of(session, Kind.DATASET, names)
    notes = {key: known.get(key, {}) for key in names}
    tags = listed_tags(session, Kind.DATASET, notes, _tagged_fields(session, notes))
    found = [
        Outline(
            name,
            int(counts.get(key, 0)),
            written.get(key),
            key in upstream,
            key in downstream,
            owners_in(notes[key].get("ownership")),
            tags[key],
        )
        for key, name in names.items()
    ]
    return Outlines(tuple(sorted(found, key=lambda one: one.name)))


def _found(session: Session, statement: str, datasets: Collection[int], **values: object) -> set[int]:
    return {key for (key,) in session.rows(statement, ids(datasets), **values)}


def _tagged_fields(session: Session, notes: Mapping[int, Notes]) -> dict[int, dict[int, str]]:
    """The paths of fields that may have tags, by dataset and key: most datasets have none, and fields are many."""
    found: dict[int, dict[int, str]] = {key: {} for key in notes}
    told = [key for key, facets in notes.items() if facets.keys() & {"tags", DERIVED}]
    for dataset, field, path in (*session.rows(_FIELDS, ids(told)), *session.rows(_TAGGED_BY_HAND, ids(notes))):
        found[dataset][field] = path
    return found
