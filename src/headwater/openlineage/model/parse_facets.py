"""Parsers of the facets that the store uses: columnLineage, lineage, schema, lifecycleStateChange, symlinks, parent."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from headwater.common.column_path import normal_path, quote
from headwater.common.masking import DECRYPTIONS, Masking, read_masking, then
from headwater.openlineage.model.check import a_list, a_name, a_run_id, an_object, prose, text
from headwater.openlineage.model.event import (
    BadEvent,
    ColumnEdge,
    ColumnLineage,
    Facet,
    Job,
    Parent,
    RowSource,
    SchemaField,
)
from headwater.openlineage.model.limits import MOST_COLUMN_TEXT, MOST_EDGE_TEXT, SHORT_TEXT, cut
from headwater.openlineage.model.memo import remembered
from headwater.openlineage.model.producer import is_own

MASKING_KEY = "headwater_masking"
"""What a transformation of our own events has beside `masking`: how it masks, or that it unmasks."""
VIEWS = "headwater_views"
"""The facet with what a dataset takes from views; its `fields` and `dataset` are as in columnLineage."""
ROWS = "headwater_rows"
"""The facet with the datasets of which columns depend on how many rows they have, where no edge says so."""
BEHIND_VIEWS = "headwater_behindViews"
"""The facet of an input that a run reads through views only."""
# The meaning of an output field's deprecated `transformationType`: (type, subtype, masking).
_DEPRECATED = {
    "IDENTITY": ("DIRECT", "IDENTITY", Masking.NONE),
    "MASKED": ("DIRECT", "TRANSFORMATION", Masking.UNKNOWN),
}
_UNKNOWN = ("DIRECT", "", Masking.NONE)
_WORD = re.compile(r"\w+")
_Fallback: TypeAlias = tuple[tuple[str, str, Masking], str]


def column_lineage(facet: Facet, where: str = "columnLineage") -> ColumnLineage:
    """Read a columnLineage facet in any of its forms.

    An input with several transformations gives several edges; one with none is DIRECT with an unknown subtype.
    Inputs of the `dataset` list have no output column (`out` is None). An indirect input repeated on every field
    stays on every field.

    >>> source = {"namespace": "file", "name": "/orders", "field": "id"}
    >>> column_lineage({"fields": {"order": {"inputFields": [source]}}}).edges[0].out
    'order'
    """
    columns: list[str] = []
    edges: set[ColumnEdge] = set()
    for column, raw in an_object(facet.get("fields"), f"{where}.fields").items():
        place = f"{where}.fields.{column}"
        out = normal_path(text(column, place))
        columns.append(out)
        edges.update(_edges_into((out, raw), place))
    for index, source in enumerate(a_list(facet.get("dataset"), f"{where}.dataset")):
        edges.update(_edges(None, source, (("INDIRECT", "", Masking.NONE), ""), f"{where}.dataset[{index}]"))
    return ColumnLineage(
        tuple(sorted(set(columns))), sort_edges(_with_room(edges)), complete=is_own(facet.get("_producer"))
    )


def _with_room(edges: set[ColumnEdge]) -> set[ColumnEdge]:
    """Edges with shorter texts where there is no room for all: one text may stand for the edges from many inputs."""
    if sum(len(edge.description) for edge in edges) <= MOST_EDGE_TEXT:
        return edges
    return {replace(edge, description=cut(edge.description, SHORT_TEXT)) for edge in edges}


@remembered
def _edges_into(field: tuple[str, object], where: str) -> tuple[ColumnEdge, ...]:
    """The edges into one output column."""
    out, raw = field
    body = an_object(raw, where)
    fallback = _deprecated(body, where)
    return tuple(
        edge
        for index, source in enumerate(a_list(body.get("inputFields"), f"{where}.inputFields"))
        for edge in _edges(out, source, fallback, f"{where}.inputFields[{index}]")
    )


def lineage_facet(facet: Facet, where: str = "lineage") -> ColumnLineage:
    """Read the lineage facet of a dataset, or an entry of a job's lineage facet.

    A dataset-level input with a field decides about the rows. One without a field is read as a whole. An input that is
    a job counts where it is another than the event's own.

    >>> facet = lineage_facet({"inputs": [{"namespace": "lake", "name": "orders", "type": "DATASET"}]})
    >>> facet.sources, facet.edges
    ((('lake', 'orders'),), ())
    """
    columns: list[str] = []
    edges: set[ColumnEdge] = set()
    sources: set[tuple[str, str]] = set()
    jobs: set[tuple[str, str]] = set()
    for index, raw in enumerate(a_list(facet.get("inputs"), f"{where}.inputs")):
        _read_input(None, raw, f"{where}.inputs[{index}]", edges, (sources, jobs))
    fields = facet.get("fields")
    for column, raw in (an_object(fields, f"{where}.fields") if fields is not None else {}).items():
        place = f"{where}.fields.{column}"
        out = normal_path(text(column, place))
        columns.append(out)
        body = an_object(raw, place)
        for index, source in enumerate(a_list(body.get("inputs"), f"{place}.inputs")):
            _read_input(out, source, f"{place}.inputs[{index}]", edges, (sources, jobs))
    states = facet.get("inputs") is not None or fields is not None
    made_of = {*sources, *((edge.namespace, edge.name) for edge in edges)}
    return ColumnLineage(
        tuple(sorted(set(columns))),
        sort_edges(_with_room(edges)),
        tuple(sorted(sources)),
        tuple(sorted(made_of)) if states else None,
        tuple(sorted(jobs)),
        complete=is_own(facet.get("_producer")),
    )


def row_sources(facet: Facet, where: str = ROWS) -> tuple[RowSource, ...]:
    """Read the datasets whose rows count, for one column or for all.

    >>> orders = {"namespace": "lake", "name": "orders"}
    >>> row_sources({"fields": {"n": [orders]}, "dataset": [{**orders, "name": "users"}]})
    (RowSource(out=None, namespace='lake', name='users'), RowSource(out='n', namespace='lake', name='orders'))
    """
    fields = facet.get("fields")
    listed: list[tuple[str | None, str, object]] = [(None, f"{where}.dataset", facet.get("dataset"))]
    listed += [
        (normal_path(text(column, f"{where}.fields")), f"{where}.fields.{column}", raw)
        for column, raw in (an_object(fields, f"{where}.fields") if fields is not None else {}).items()
    ]
    read = {
        RowSource(out, *_identifier(source, f"{place}[{index}]"))
        for out, place, raw in listed
        for index, source in enumerate(a_list(raw, place))
    }
    return sort_row_sources(read)


def sort_row_sources(sources: Collection[RowSource]) -> tuple[RowSource, ...]:
    """Datasets whose rows count, in order; one that counts for all columns is not repeated for one."""
    of_all = {source[1:] for source in sources if source.out is None}
    kept = [source for source in sources if source.out is None or source[1:] not in of_all]
    return tuple(sorted(kept, key=lambda source: (source.out or "", *source[1:])))


def with_stated_sources(lineage: ColumnLineage, stated: ColumnLineage) -> ColumnLineage:
    """The lineage of a columnLineage facet, with the datasets and jobs that a lineage facet beside it states."""
    named = {(edge.namespace, edge.name) for edge in lineage.edges}
    made_of = None if stated.made_of is None else tuple(sorted({*stated.made_of, *named}))
    return replace(lineage, sources=tuple(sorted({*stated.sources} - named)), made_of=made_of, made_by=stated.made_by)


def entry_of_job(entry: Facet, where: str) -> tuple[tuple[str, str] | None, list[tuple[str, str]]]:
    """Read what an entry of a job's lineage facet says of a job: which one, None for the event's own; what it reads.

    >>> entry_of_job({"type": "JOB", "inputs": [{"namespace": "lake", "name": "orders", "type": "DATASET"}]}, "entry")
    (None, [('lake', 'orders')])
    """
    reads = [
        _identifier(source, f"{where}.inputs[{index}]")
        for index, source in enumerate(a_list(entry.get("inputs"), f"{where}.inputs"))
        if an_object(source, f"{where}.inputs[{index}]").get("type") != "JOB"
    ]
    return (_identifier(entry, where) if entry.get("name") is not None else None), reads


def _read_input(
    out: str | None,
    raw: object,
    where: str,
    edges: set[ColumnEdge],
    sources_and_jobs: tuple[set[tuple[str, str]], set[tuple[str, str]]],
) -> None:
    source = an_object(raw, where)
    sources, jobs = sources_and_jobs
    if source.get("type") == "JOB":
        if source.get("name") is not None:
            jobs.add(_identifier(source, where))
        return
    if source.get("field") is not None:
        fallback = ("INDIRECT", "", Masking.NONE) if out is None else _UNKNOWN
        edges.update(_edges(out, source, (fallback, ""), where))
    else:
        sources.add(_identifier(source, where))


def sort_edges(edges: set[ColumnEdge]) -> tuple[ColumnEdge, ...]:
    """Sort edges; those into the rows come first."""
    return tuple(sorted(edges, key=lambda edge: (edge.out is not None, edge.out or "", *_source(edge))))


def _source(edge: ColumnEdge) -> tuple[str | int, ...]:
    return edge.namespace, edge.name, edge.path, edge.type, edge.subtype, edge.masking, edge.description


def _deprecated(body: Mapping[str, object], where: str) -> _Fallback:
    kind = prose(body.get("transformationType"), f"{where}.transformationType")
    description = prose(body.get("transformationDescription"), f"{where}.transformationDescription")
    # Keep an unknown type: its producer may query it.
    return _DEPRECATED.get(kind.upper(), ("DIRECT", kind, Masking.NONE)), description


def _edges(out: str | None, raw: object, fallback: _Fallback, where: str) -> Iterator[ColumnEdge]:
    source = an_object(raw, where)
    namespace = a_name(source.get("namespace"), f"{where}.namespace")
    name = a_name(source.get("name"), f"{where}.name")
    path = normal_path(text(source.get("field"), f"{where}.field"))
    transformations = a_list(source.get("transformations"), f"{where}.transformations")
    if not transformations:
        (kind, subtype, masking), description = fallback
        yield ColumnEdge(out, namespace, name, path, kind, subtype, masking, description)
    for index, raw_step in enumerate(transformations):
        place = f"{where}.transformations[{index}]"
        step = an_object(raw_step, place)
        kind = a_name(step.get("type"), f"{place}.type").upper()
        if kind not in {"DIRECT", "INDIRECT"}:
            raise BadEvent(f"{place}.type", f"must be DIRECT or INDIRECT, not {kind!r}")
        subtype = prose(step.get("subtype"), f"{place}.subtype").upper()
        description = prose(step.get("description"), f"{place}.description")
        yield ColumnEdge(out, namespace, name, path, kind, subtype, _masking(step, description), description)


def masking_keys(masking: Masking) -> dict[str, bool | str]:
    """What a transformation of an event has about masking: OpenLineage's key, and ours where there is more to say.

    >>> masking_keys(Masking.KEYED), masking_keys(Masking.NONE)
    ({'masking': True, 'headwater_masking': 'keyed'}, {'masking': False})
    """
    return {"masking": masking.masks, **({MASKING_KEY: masking.words} if masking else {})}


def _masking(step: Mapping[str, object], description: str) -> Masking:
    """What a transformation does to masking.

    Another producer says only whether it masks: how is then unknown. That it unmasks is known if its text has a
    decryption in it.

    >>> _masking({"masking": True}, "").words, _masking({"masking": False}, "aes_decrypt(x, '***')").words
    ('unknown', 'unmask')
    """
    words = step.get(MASKING_KEY)
    effect = read_masking(words, masks=step.get("masking") is True)
    if words is None and "decrypt" in (text_ := description.lower()):
        is_decryption = any(word[0] in DECRYPTIONS for word in _WORD.finditer(text_))
        return then(Masking.UNMASKS, effect) if is_decryption else effect
    return effect


@remembered
def schema_fields(facet: Facet, where: str = "schema") -> tuple[SchemaField, ...]:
    """Read a schema facet into paths and types, a struct before its fields.

    >>> [field.path for field in schema_fields({"fields": [{"name": "h", "fields": [{"name": "id"}]}]})]
    ['h', 'h.id']
    """
    fields: dict[str, SchemaField] = {}
    room = MOST_COLUMN_TEXT
    # An explicit stack: the sender decides how deep a schema is.
    stack = [("", f"{where}.fields", raw) for raw in reversed(a_list(facet.get("fields"), f"{where}.fields"))]
    while stack:
        prefix, place, raw = stack.pop()
        body = an_object(raw, place)
        path = text(prefix + quote(text(body.get("name"), f"{place}.name")), f"{place}.name")
        room -= len(path)
        if room < 0:  # the structs around a column are in its path, too
            raise BadEvent(where, f"has columns whose paths have more than {MOST_COLUMN_TEXT:,} characters")
        if path not in fields:
            kind, description = prose(body.get("type"), f"{place}.type"), body.get("description")
            fields[path] = SchemaField(path, kind, prose(description, f"{place}.description"))
        nested = a_list(body.get("fields"), f"{place}.fields")
        stack.extend((f"{path}.", f"{place}.fields", child) for child in reversed(nested))
    return tuple(fields.values())


def parent_run(facet: Facet, where: str = "parent") -> Parent:
    """Read a parent facet; the parent's job may be missing."""
    run = an_object(facet.get("run"), f"{where}.run")
    job = None
    if facet.get("job") is not None:
        raw = an_object(facet["job"], f"{where}.job")
        namespace = a_name(raw.get("namespace"), f"{where}.job.namespace")
        job = Job(namespace, a_name(raw.get("name"), f"{where}.job.name"))
    return Parent(a_run_id(run.get("runId"), f"{where}.run.runId"), job)


def symlinks(facet: Facet, where: str = "symlinks") -> tuple[tuple[str, str], ...]:
    """Read the other names of a dataset."""
    names: set[tuple[str, str]] = set()
    for index, raw in enumerate(a_list(facet.get("identifiers"), f"{where}.identifiers")):
        names.add(_identifier(raw, f"{where}.identifiers[{index}]"))
    return tuple(sorted(names))


def view_names(facet: Facet, where: str = VIEWS) -> tuple[tuple[str, str], ...]:
    """Read the views that were read.

    >>> view_names({"views": [{"namespace": "file", "name": "/warehouse/v"}]})
    (('file', '/warehouse/v'),)
    """
    views = enumerate(a_list(facet.get("views"), f"{where}.views"))
    return tuple(sorted({_identifier(raw, f"{where}.views[{index}]") for index, raw in views}))


def previous_name(facet: Facet, where: str = "lifecycleStateChange") -> tuple[str, str] | None:
    """Read the name that a dataset had before a RENAME."""
    raw = facet.get("previousIdentifier")
    return None if raw is None else _identifier(raw, f"{where}.previousIdentifier")


def _identifier(raw: object, where: str) -> tuple[str, str]:
    body = an_object(raw, where)
    return a_name(body.get("namespace"), f"{where}.namespace"), a_name(body.get("name"), f"{where}.name")


def dataset_version(facet: Facet, where: str = "version") -> str:
    """Read the version's name in the dataset's own system."""
    return a_name(facet.get("datasetVersion"), f"{where}.datasetVersion")


def lifecycle_state(facet: Facet, where: str = "lifecycleStateChange") -> str:
    """Read the change to the dataset: CREATE, OVERWRITE, DROP and so on."""
    return text(facet.get("lifecycleStateChange"), f"{where}.lifecycleStateChange").upper()
