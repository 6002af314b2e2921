"""What an event means to the store, free of the run and the time: one meaning for all the events that say the same."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from typing import TypeAlias

from headwater.common.column_path import join_path, split_path
from headwater.common.masking import Masking
from headwater.openlineage.model.check import prose
from headwater.openlineage.model.event import (
    ColumnEdge,
    ColumnLineage,
    Dataset,
    Event,
    Facet,
    Facets,
    JobEvent,
    RowSource,
    RunEvent,
    SchemaField,
)
from headwater.openlineage.model.limits import LONGEST_NAME
from headwater.openlineage.model.parse import is_deleted
from headwater.openlineage.model.parse_facets import sort_edges, sort_row_sources
from headwater.store.db.codes import EventKind, Role, Stated
from headwater.store.model.order import canonical, digest

Name: TypeAlias = tuple[str, str]

REGISTERED = "headwater_registered"
"""The facet of what was registered by hand: a dataset's type and physical name."""
DERIVED = "headwater_derivedTags"
"""The facet of what reached the fields of a dataset from those that they are made of: tags and descriptions."""
KEPT = "datahub_"
"""How the names of facets begin that hold an aspect of DataHub as it came."""
# Facets that people ask for beside lineage.
_NOTES = ("ownership", "tags", "documentation", "dataSource", REGISTERED, DERIVED)
# Indirect inputs that decide on rows; WINDOW and CONDITIONAL are about one column.
_OF_ROWS = frozenset({"FILTER", "JOIN", "GROUP_BY", "SORT", ""})
ALTER = "ALTER"
"""What happens to a dataset whose columns change."""
RENAMED = "RENAME"
"""The type of the edge to a column from the name that it had before, in place of DIRECT."""
LEFT_OUT = "LEFT_OUT"
"""The type of the step into a column that a mapping leaves out, from no source: from the rows of its own dataset."""
# More pairs of a column and a dataset whose rows it counts are one for all rows of each dataset.
_MOST_ROW_SOURCES = 100
# A text without a closing quote extends to the end: to look for the quote again from each later place would cost the
# square of the length.
_LITERAL = re.compile(r"(?s)'(?:[^'\\]|\\.|'')*(?:'|\\?\Z)|(?<![\w.`])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?:BD|[LSYDF])?\b")


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Two mappings with the same structure differ in their texts at most; literals in texts do not count."""

    structure: bytes
    text: bytes


@dataclass(frozen=True, slots=True)
class Mention:
    """What an event says of a dataset.

    `said` is about its lineage, `partial` about the facet that says that only a part of the dataset is written.
    `lifecycle` is None where nothing is said of it, and empty where that is deleted.
    """

    role: Role
    dataset: Name
    said: Stated
    lineage: ColumnLineage | None
    prints: Fingerprint | None
    schema: tuple[SchemaField, ...] | None
    lifecycle: str | None
    partial: Stated
    renamed: Name | None


@dataclass(frozen=True, slots=True)
class Note:
    """Words about a dataset, or about the event's job: the canonical JSON of a facet; empty if deleted.

    Of an aspect of DataHub, which may be large, it is a hash: the last event of each shape is never dropped, and has
    the aspect in its body.
    """

    dataset: Name | None
    name: str
    content: str


@dataclass(frozen=True, slots=True)
class MadeOf:
    """What an event states of a dataset by itself, beside the inputs of its job: what it is made of, by which job.

    Without a `source`, none is named; without a `job`, it is the event's own. Without a `dataset`, the job reads the
    source, and what it writes is not named.
    """

    dataset: Name | None
    job: Name | None
    source: Name | None


@dataclass(frozen=True, slots=True)
class Meaning:
    """All of it; `hash` stands for it."""

    kind: EventKind
    job: Name | None
    streaming: bool
    mentions: tuple[Mention, ...]
    symlinks: tuple[tuple[Name, Name], ...]
    made_of: tuple[MadeOf, ...]
    notes: tuple[Note, ...]
    hash: bytes


def meaning_of(event: Event) -> Meaning:
    """The meaning of an event."""
    if isinstance(event, RunEvent | JobEvent):
        kind = EventKind.RUN if isinstance(event, RunEvent) else EventKind.JOB
        job: Name | None = (event.job.namespace, event.job.name)
        datasets = [(Role.BEHIND if dataset.behind else Role.READ, dataset) for dataset in event.inputs]
        datasets += [(Role.WRITTEN, item) for item in event.outputs]
        lineages = [item.lineage for item in event.outputs if item.lineage]
        sources = {source for lineage in lineages for source in (*lineage.sources, *(lineage.made_of or ()))}
        # A view that is read takes the place of what is behind it.
        sources |= {view for item in event.outputs for view in item.views}
        sources |= {view for item in event.inputs for view in item.behind}
        known = {(dataset.namespace, dataset.name) for dataset in event.inputs if not dataset.behind}
        datasets += [(Role.READ, Dataset(*source)) for source in sorted(sources - known)]
        streaming = _is_streaming(event.job.facets)
        notes = _notes(None, event.job.facets)
        made_of = _made_of(event.outputs, job)
        made_of += [MadeOf(None, reader, read) for reader, read in event.job.reads]
        # Two jobs may read the same dataset, and the event's own may read it through a view.
        behind = {(dataset.namespace, dataset.name) for dataset in event.inputs if dataset.behind}
        by_jobs = dict.fromkeys(read for _, read in event.job.reads if read not in behind)
        datasets += [(Role.BEHIND, Dataset(*read)) for read in by_jobs]
    else:
        kind, job, streaming, notes = EventKind.DATASET, None, False, []
        datasets = [(Role.DECLARED, event.dataset)]
        datasets += [(Role.READ, Dataset(*source)) for source in _declared_sources(event.dataset)]
        made_of = [made for made in _made_of([event.dataset], None) if made.job]
    mentions = tuple(_mention(role, dataset) for role, dataset in datasets)
    symlinks = sorted(
        {(alias, (item.namespace, item.name)) for _, item in datasets for alias in item.symlinks}
        - {((item.namespace, item.name), (item.namespace, item.name)) for _, item in datasets}
    )
    for dataset in {(item.namespace, item.name): item for _, item in datasets}.values():
        notes += _notes((dataset.namespace, dataset.name), dataset.facets)
    content: list[object] = [
        kind,
        job,
        streaming,
        [_content(mention) for mention in mentions],
        symlinks,
        [(note.dataset, note.name, note.content) for note in notes],
    ]
    if made_of:
        content.append([(made.dataset, made.job, made.source) for made in made_of])
    hashed = digest(canonical(content))
    return Meaning(kind, job, streaming, mentions, tuple(symlinks), tuple(made_of), tuple(notes), hashed)


def _made_of(outputs: Iterable[Dataset], job: Name | None) -> list[MadeOf]:
    """What is stated of each output by itself."""
    made: list[MadeOf] = []
    for item in outputs:
        name, lineage = (item.namespace, item.name), item.lineage
        if lineage is None:
            continue
        if lineage.made_of is not None:
            made += [MadeOf(name, None, source) for source in lineage.made_of or (None,)]
        made += [MadeOf(name, other, None) for other in lineage.made_by if other != job]
    return made


def _is_streaming(facets: Facets) -> bool:
    kind = facets.get("jobType", {}).get("processingType")
    return isinstance(kind, str) and kind.upper() in {"STREAMING", "STREAM"}


def _declared_sources(dataset: Dataset) -> list[Name]:
    """The datasets that one says itself that it is made of."""
    lineage = dataset.lineage
    if lineage is None:
        return []
    sources = {*dataset.views, *lineage.sources, *((edge.namespace, edge.name) for edge in lineage.edges)}
    sources |= {(counted.namespace, counted.name) for counted in lineage.row_sources or ()}
    return sorted(sources - {(dataset.namespace, dataset.name)})


def _notes(dataset: Name | None, facets: Facets) -> list[Note]:
    custom = sorted(name for name in facets if name.startswith(KEPT))
    return [Note(dataset, name, _note(name, facets[name])) for name in (*_NOTES, *custom) if name in facets]


def _note(name: str, facet: Facet) -> str:
    if is_deleted(facet):
        return ""
    content = canonical(facet)
    return digest(content).hex() if name.startswith(KEPT) else content.decode()


def tagged_columns(note: Note) -> Iterator[str]:
    """The columns that a facet tags. A catalog may tag a column that no schema or lineage names yet.

    >>> [*tagged_columns(Note(("file", "/orders"), "tags", '{"tags": [{"key": "PII", "field": "email"}]}'))]
    ['email']
    """
    listed = json.loads(note.content).get("tags") if note.name == "tags" and note.content else None
    for tag in listed if isinstance(listed, list) else ():
        field = tag.get("field") if isinstance(tag, dict) else None
        if isinstance(field, str) and 0 < len(field) <= LONGEST_NAME and prose(field, "tags") == field:
            yield field


def _mention(role: Role, dataset: Dataset) -> Mention:
    lineage = with_rows_folded(dataset.lineage) if dataset.lineage and role >= Role.WRITTEN else None
    deleted = any(is_deleted(dataset.facets.get(name, {})) for name in ("columnLineage", "lineage"))
    subset = dataset.role_facets.get("subset")
    lifecycle = "" if is_deleted(dataset.facets.get("lifecycleStateChange", {})) else dataset.lifecycle
    if lineage and lifecycle == ALTER:
        lineage = with_renamed_columns(lineage, dataset)
    if lineage:
        lineage = with_row_sources(lineage, (dataset.namespace, dataset.name))
    if lineage and dataset.schema:
        lineage = with_left_out_columns(lineage, dataset.schema)
    return Mention(
        role=role,
        dataset=(dataset.namespace, dataset.name),
        said=Stated.THERE if lineage else Stated.DELETED if deleted and role >= Role.WRITTEN else Stated.NOT,
        lineage=lineage,
        prints=fingerprint(lineage) if lineage else None,
        schema=dataset.schema,
        lifecycle=lifecycle if role >= Role.WRITTEN else None,
        partial=Stated.NOT if subset is None else Stated.DELETED if is_deleted(subset) else Stated.THERE,
        renamed=dataset.renamed if lifecycle == "RENAME" and role >= Role.WRITTEN else None,
    )


def _content(mention: Mention) -> list[object]:
    prints = mention.prints
    return [
        mention.role,
        mention.dataset,
        mention.said,
        (prints.structure.hex(), prints.text.hex()) if prints else None,
        mention.schema and [(field.path, field.type, field.description) for field in mention.schema],
        mention.lifecycle,
        mention.partial,
        mention.renamed,
    ]


def with_rows_folded(lineage: ColumnLineage) -> ColumnLineage:
    """Take what is repeated on every column, as the older form has it, for what it is: it decides on the rows."""
    columns = {edge.out for edge in lineage.edges if edge.out is not None} | set(lineage.columns)
    counts = Counter(
        _without_column(edge)
        for edge in lineage.edges
        if edge.out is not None and edge.type == "INDIRECT" and edge.subtype in _OF_ROWS
    )
    repeated = {edge for edge, count in counts.items() if count == len(columns) > 1}
    if not repeated:
        return lineage
    edges = {edge for edge in lineage.edges if edge.out is None or _without_column(edge) not in repeated}
    return replace(lineage, edges=sort_edges(edges | repeated))


def with_renamed_columns(lineage: ColumnLineage, dataset: Dataset) -> ColumnLineage:
    """Take a copy of a column that the altered dataset no longer has for what it is: the same column goes on.

    Where all fields of a struct go on under another name, so does the struct.
    """
    there = {field.path for field in dataset.schema or ()}
    into = Counter(edge.out for edge in lineage.edges)
    renamed = {
        edge
        for edge in lineage.edges
        if (edge.namespace, edge.name) == (dataset.namespace, dataset.name)
        and (edge.type, edge.subtype, edge.masking) == ("DIRECT", "IDENTITY", Masking.NONE)
        and edge.out in there
        and into[edge.out] == 1
        and edge.path not in there
    }
    marked = {
        replace(edge, out=new, path=old, type=RENAMED)
        for edge in renamed
        # A struct that is not listed has none around it that is: a long path costs no more than the schema's depth.
        for new, old in takewhile(lambda paths: paths[0] in there, _around(edge.out or "", edge.path))
        if old not in there
    }
    return replace(lineage, edges=sort_edges({*lineage.edges} - renamed | marked))


def with_left_out_columns(lineage: ColumnLineage, schema: Sequence[SchemaField]) -> ColumnLineage:
    """Note the columns of a schema that lineage of columns leaves out, of a struct that it leaves out the struct alone.

    Lineage that names no column at all is none of columns; what is complete leaves nothing out.

    >>> lineage = ColumnLineage(("id", "place.city"), (), complete=False)
    >>> schema = [SchemaField(path, "") for path in ("ID", "place", "place.city", "place.zip", "c", "c.x")]
    >>> with_left_out_columns(lineage, schema).left_out
    ('place.zip', 'c')
    """
    described = {path.casefold() for path in lineage.columns}
    # Most producers leave nothing out.
    if lineage.complete or not described or all(field.path.casefold() in described for field in schema):
        return lineage
    listed = {split_path(field.path.casefold()): field.path for field in schema}
    # A long path costs no more than the schema's depth.
    deepest = max(map(len, listed), default=0)
    columns = {split_path(path)[: deepest + 1] for path in described}
    around = {column[:count] for column in columns for count in range(1, len(column))}
    left_out: list[str] = []
    settled: set[tuple[str, ...]] = set()
    # A struct comes before its fields.
    for column, path in listed.items():
        if column in columns or (len(column) > 1 and column[:-1] in settled):
            settled.add(column)
        elif column not in around:
            settled.add(column)
            left_out.append(path)
    return replace(lineage, left_out=tuple(left_out))


def with_row_sources(lineage: ColumnLineage, dataset: Name) -> ColumnLineage:
    """Note the other datasets whose number of rows counts where no edge says so, beside those that the event states.

    A column that comes from no column, such as a constant or a `count(*)`, counts the rows of every dataset that other
    columns come from; a dataset with a column that decides about the rows needs no mention. Where these are many, they
    count for all rows.

    >>> biggest = ColumnEdge("biggest", "lake", "orders", "amount", "DIRECT", "AGGREGATION", Masking.NONE, "")
    >>> with_row_sources(ColumnLineage(("biggest", "n"), (biggest,)), ("lake", "sales")).row_sources
    (RowSource(out='n', namespace='lake', name='orders'),)
    """
    stated = [source for source in lineage.row_sources or () if source[1:] != dataset]
    into = {edge.out for edge in lineage.edges}
    counts: list[str | None] = [column for column in lineage.columns if column not in into]
    if not counts and lineage.row_sources is None:
        return lineage
    deciding = {(edge.namespace, edge.name) for edge in lineage.edges if edge.out is None}
    read = {(edge.namespace, edge.name) for edge in lineage.edges} - deciding - {dataset}
    if len(counts) * len(read) > _MOST_ROW_SOURCES:
        counts = [None]
    derived = (RowSource(column, *name) for column in counts for name in read)
    return replace(lineage, row_sources=sort_row_sources({*stated, *derived}))


def _around(new: str, old: str) -> Iterator[tuple[str, str]]:
    """Two paths, and those of the structs around them, up to where they differ.

    >>> list(_around("place.city.name", "address.city.name"))
    [('place.city.name', 'address.city.name'), ('place.city', 'address.city'), ('place', 'address')]
    """
    ours, theirs = [*split_path(new)], [*split_path(old)]
    while ours and theirs:
        yield join_path(ours), join_path(theirs)
        if ours.pop() != theirs.pop():
            return


def _without_column(edge: ColumnEdge) -> ColumnEdge:
    return ColumnEdge(
        None, edge.namespace, edge.name, edge.path, edge.type, edge.subtype, edge.masking, edge.description
    )


def fingerprint(lineage: ColumnLineage) -> Fingerprint:
    """Fingerprints over names, so that they do not depend on the store's keys; the edges come sorted."""
    structures = [_structure(edge) for edge in lineage.edges]
    places = {structure: place for place, structure in enumerate(dict.fromkeys(structures))}
    texts = sorted(
        {
            (places[structure], without_literals(edge.description))
            for structure, edge in zip(structures, lineage.edges, strict=True)
        }
    )
    structure: list[object] = [lineage.columns, list(places)]
    if lineage.left_out:
        structure.append(lineage.left_out)
    if lineage.row_sources:
        structure.append({"rows": lineage.row_sources})
    return Fingerprint(digest(canonical(structure)), digest(canonical(texts)))


def _structure(edge: ColumnEdge) -> tuple[str | int | None, ...]:
    return edge.out, edge.namespace, edge.name, edge.path, edge.type, edge.subtype, int(edge.masking)


@lru_cache(maxsize=50_000)
def without_literals(text: str) -> str:
    """A text with its literals, which may change from day to day, left out.

    >>> without_literals("order_date >= DATE '2026-01-31' AND col1 < 10.5BD")
    'order_date >= DATE ? AND col1 < ?'
    """
    return _LITERAL.sub("?", text)
