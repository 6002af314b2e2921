"""Many datasets in short: how many columns each has, who owns it, its tags, and whether it has lineage."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar

from headwater.common.codec import plain
from headwater.notebook.rows import Tabular
from headwater.query.graph.answer import TableName
from headwater.query.metadata.notes import Notes, notes_of
from headwater.query.metadata.owners import Owner, owners_in
from headwater.query.metadata.tag_lists import Tag, listed_tags
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.model.meaning import DERIVED
from headwater.store.reads.aliases import with_aliases
from headwater.store.reads.datasets import with_downstream, with_upstream
from headwater.store.reads.fields import count_fields, field_paths
from headwater.store.reads.names import names_by_name
from headwater.store.reads.versions import last_times


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
    """Datasets in short, by name; unknown ones are left out."""

    COLUMNS: ClassVar[tuple[str, ...]] = (
        *("namespace", "name", "columns", "written_us", "upstream", "downstream", "owners", "tags"),
    )

    outlines: tuple[Outline, ...]

    def rows(self) -> list[dict[str, object]]:
        """One flat row for each dataset."""
        return [
            {
                **plain(outline.name),
                "columns": outline.columns,
                "written_us": outline.written_us,
                "upstream": outline.upstream,
                "downstream": outline.downstream,
                "owners": " ".join(owner.name for owner in outline.owners),
                "tags": " ".join(tag.key if tag.field is None else f"{tag.field}:{tag.key}" for tag in outline.tags),
            }
            for outline in self.outlines
        ]


def outlines(session: Session, datasets: Collection[str]) -> Outlines:
    """Outline datasets, by their full names."""
    # Any slash may be the one that ends the namespace.
    splits = {
        (full[:place], full[place + 1 :]) for full in datasets for place, letter in enumerate(full) if letter == "/"
    }
    rows = names_by_name(session, "dataset", splits)
    full_names = frozenset(datasets)
    names = {row.id: name for row in rows if (name := TableName(row.namespace, row.name)).full in full_names}
    counts = count_fields(session, names)
    written = last_times(session, names)
    # Lineage may be under another name of the same dataset.
    unclear = with_aliases(session, names)
    upstream = unclear | with_upstream(session, names)
    downstream = unclear | with_downstream(session, names)
    known = notes_of(session, Kind.DATASET, names)
    notes = {key: known.get(key, {}) for key in names}
    tags = listed_tags(session, Kind.DATASET, notes, _tagged_fields(session, notes))
    listed = [
        Outline(
            name,
            counts.get(key, 0),
            written.get(key),
            key in upstream,
            key in downstream,
            owners_in(notes[key].get("ownership")),
            tags[key],
        )
        for key, name in names.items()
    ]
    return Outlines(tuple(sorted(listed, key=lambda outline: outline.name)))


def _tagged_fields(session: Session, notes: Mapping[int, Notes]) -> dict[int, dict[int, str]]:
    """The paths of fields that may have tags, by dataset and key: most datasets have none, and fields are many."""
    paths: dict[int, dict[int, str]] = {key: {} for key in notes}
    with_tags = [key for key, facets in notes.items() if facets.keys() & {"tags", DERIVED}]
    for dataset, field, path in (*field_paths(session, with_tags), *field_paths(session, notes, tagged=True)):
        paths[dataset][field] = path
    return paths
