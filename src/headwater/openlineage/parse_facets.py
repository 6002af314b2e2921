"""The facets that the store reads into: columnLineage, schema, lifecycleStateChange and parent."""

from collections.abc import Iterator, Mapping

from headwater.openlineage.check import a_list, a_name, a_uuid, an_object, prose, text
from headwater.openlineage.model import BadEvent, ColumnEdge, ColumnLineage, Facet, Job, Parent, SchemaField
from headwater.paths import normal_path, quote

# What the deprecated `transformationType` of a whole output field meant: (type, subtype, masking).
_DEPRECATED = {"IDENTITY": ("DIRECT", "IDENTITY", False), "MASKED": ("DIRECT", "TRANSFORMATION", True)}
_UNKNOWN = ("DIRECT", "", False)


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
        body = an_object(raw, place)
        out = normal_path(text(column, place))
        columns.append(out)
        fallback = _deprecated(body, place)
        for index, source in enumerate(a_list(body.get("inputFields"), f"{place}.inputFields")):
            edges.update(_edges(out, source, fallback, f"{place}.inputFields[{index}]"))
    for index, source in enumerate(a_list(facet.get("dataset"), f"{where}.dataset")):
        edges.update(_edges(None, source, (("INDIRECT", "", False), ""), f"{where}.dataset[{index}]"))
    return ColumnLineage(tuple(sorted(set(columns))), sort_edges(edges))


def sort_edges(edges: set[ColumnEdge]) -> tuple[ColumnEdge, ...]:
    """One order for a set of edges; those into the rows come first."""
    return tuple(sorted(edges, key=lambda edge: (edge.out is not None, edge.out or "", *_rest(edge))))


def _rest(edge: ColumnEdge) -> tuple[str | bool, ...]:
    return edge.namespace, edge.name, edge.path, edge.type, edge.subtype, edge.masking, edge.description


def _deprecated(body: Mapping[str, object], where: str) -> tuple[tuple[str, str, bool], str]:
    kind = prose(body.get("transformationType"), f"{where}.transformationType")
    description = prose(body.get("transformationDescription"), f"{where}.transformationDescription")
    return _DEPRECATED.get(kind.upper(), _UNKNOWN), description


def _edges(
    out: str | None, raw: object, fallback: tuple[tuple[str, str, bool], str], where: str
) -> Iterator[ColumnEdge]:
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
        yield ColumnEdge(out, namespace, name, path, kind, subtype, step.get("masking") is True, description)


def schema_fields(facet: Facet, where: str = "schema") -> tuple[SchemaField, ...]:
    """Read a schema facet into paths and types, a struct before its fields.

    >>> schema_fields({"fields": [{"name": "h", "type": "struct", "fields": [{"name": "id", "type": "int"}]}]})
    (SchemaField(path='h', type='struct'), SchemaField(path='h.id', type='int'))
    """
    found: dict[str, SchemaField] = {}
    # An explicit stack: the depth of a schema is the sender's choice.
    rest = [("", f"{where}.fields", raw) for raw in reversed(a_list(facet.get("fields"), f"{where}.fields"))]
    while rest:
        prefix, place, raw = rest.pop()
        body = an_object(raw, place)
        path = prefix + quote(text(body.get("name"), f"{place}.name"))
        found.setdefault(path, SchemaField(path, prose(body.get("type"), f"{place}.type")))
        nested = a_list(body.get("fields"), f"{place}.fields")
        rest.extend((f"{path}.", f"{place}.fields", child) for child in reversed(nested))
    return tuple(found.values())


def parent_run(facet: Facet, where: str = "parent") -> Parent:
    """Read a parent facet; the parent's job may be missing."""
    run = an_object(facet.get("run"), f"{where}.run")
    job = None
    if facet.get("job") is not None:
        raw = an_object(facet["job"], f"{where}.job")
        namespace = a_name(raw.get("namespace"), f"{where}.job.namespace")
        job = Job(namespace, a_name(raw.get("name"), f"{where}.job.name"))
    return Parent(a_uuid(run.get("runId"), f"{where}.run.runId"), job)


def lifecycle_state(facet: Facet, where: str = "lifecycleStateChange") -> str:
    """Read what happened to the dataset: CREATE, OVERWRITE, DROP and so on."""
    return text(facet.get("lifecycleStateChange"), f"{where}.lifecycleStateChange").upper()
