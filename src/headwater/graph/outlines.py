"""What a picture shows of many datasets at once: how many columns each has, who owns it, what it is tagged with."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar

from headwater.graph.answer import TableName
from headwater.graph.listed_tags import Tag, listed_tags
from headwater.graph.moments import NOW
from headwater.graph.notes import Notes, notes_of
from headwater.graph.owners import Owner, owners_in
from headwater.graph.tabular import Tabular
from headwater.store.keys import hash_of
from headwater.store.meaning import DERIVED
from headwater.store.session import Given, Row, Session, ids
from headwater.store.terms import Kind
from headwater.wire import plain

_BY_KEY = "SELECT dataset.id, dataset.namespace, dataset.name FROM {given} {join} dataset ON dataset.key = given.key"
_COLUMNS = """
SELECT field.dataset, count(*) FROM {given}
{join} field ON field.dataset = given.id AND field.position IS NOT NULL GROUP BY field.dataset
"""
_WRITTEN = """
SELECT given.id, (SELECT max(version.us) FROM version WHERE version.dataset = given.id) FROM {given}
"""
_FIELDS = "SELECT field.dataset, field.id, field.path FROM {given} {join} field ON field.dataset = given.id"
_TAGGED_BY_HAND = f"""{_FIELDS}
{{join}} tagged ON tagged.kind = {int(Kind.FIELD)} AND tagged.entity = field.id
"""


# What goes into datasets now, and what they go into; a dataset that is made of itself leads nowhere.
_UPSTREAM = """
SELECT given.id FROM {given} WHERE EXISTS (
    SELECT 1 FROM slot {join} mapping ON mapping.id = slot.mapping
    WHERE slot.dataset = given.id AND slot.until_us > :now AND (
        mapping.origin IS NOT NULL
        OR EXISTS (SELECT 1 FROM edge WHERE edge.mapping = mapping.id AND edge.in_field >> 20 <> given.id)
    )
)
"""
_DOWNSTREAM = """
SELECT given.id FROM {given} WHERE EXISTS (
    SELECT 1 FROM edge
    {join} slot ON slot.mapping = edge.mapping AND slot.until_us > :now AND slot.dataset <> given.id
    WHERE edge.in_field >= given.id << 20 AND edge.in_field < (given.id + 1) << 20
) OR EXISTS (
    SELECT 1 FROM mapping {join} slot ON slot.mapping = mapping.id AND slot.until_us > :now
    WHERE mapping.origin = given.id
)
"""
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

    def to_dict(self) -> dict[str, object]:
        """As plain JSON, for programs."""
        return dict(plain(self))

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, one a dataset."""
        return [
            {
                **one.name.to_dict(),
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
