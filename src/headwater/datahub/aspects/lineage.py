"""Lineage as aspects, both ways: upstreamLineage, the RFC's DatasetUpstreamLineage, dataJobInputOutput.

docs/datahub.md lists what each cannot express.

Readers raise `DataHubError` for an aspect that is not as DataHub writes it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from headwater.datahub.aspects.fine_grained import FieldUrn, fine_grained, read_fine_grained
from headwater.datahub.aspects.reading import Name, Reading
from headwater.datahub.aspects.transformations import BLACK_BOX, IDENTITY, Step, function_of, step_of
from headwater.datahub.json_values import a_list, a_text, an_object, text_or_none, texts
from headwater.openlineage.model.event import ColumnLineage

ACTOR = "urn:li:corpuser:headwater"
"""The author of what Headwater writes."""
_UDF = "com.linkedin.common.fieldtransformer.UDFTransformer"
_TYPE = "com.linkedin.common.fieldtransformer.TransformationType"
_NAMED = {IDENTITY: "IDENTITY", BLACK_BOX: "BLACKBOX"}


def stamp_of(us: int) -> dict[str, Any]:
    """An audit stamp: the author, and the time in milliseconds."""
    return {"time": us // 1000, "actor": ACTOR}


def upstream_lineage(  # noqa: PLR0913  the parts of an aspect
    lineage: ColumnLineage,
    of: Name,
    upstreams: Iterable[str],
    columns: Sequence[str],
    field_urn: FieldUrn,
    *,
    us: int,
    indirect: bool = True,
) -> dict[str, Any]:
    """`upstreamLineage` of a dataset (`of`) with these input datasets; the other parts are those of `fine_grained`."""
    entries = fine_grained(lineage, of, columns, field_urn, indirect=indirect)
    aspect: dict[str, Any] = {
        "upstreams": [{"auditStamp": stamp_of(us), "dataset": urn, "type": "TRANSFORMED"} for urn in upstreams]
    }
    return {**aspect, "fineGrainedLineages": entries} if entries else aspect


def read_upstream_lineage(aspect: Mapping[str, Any], reading: Reading) -> None:
    """Read `upstreamLineage`."""
    for place, raw in enumerate(a_list(aspect.get("upstreams"), "upstreams")):
        where = f"upstreams[{place}]"
        name = reading.dataset(a_text(an_object(raw, where).get("dataset"), f"{where}.dataset"))
        if name is not None:
            reading.sources.add(name)
    read_fine_grained(aspect.get("fineGrainedLineages"), reading, "fineGrainedLineages")


def field_mappings(lineage: ColumnLineage, of: Name, field_urn: FieldUrn, *, us: int | None = None) -> dict[str, Any]:
    """The RFC's `DatasetUpstreamLineage`, field by field; indirect inputs are not derivations, and left out.

    With `us` it is written for today's classes, with this time; without it, exactly as in the RFC.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for edge in lineage.edges:
        if edge.out is not None and edge.type != "INDIRECT":
            function = function_of(Step(edge.type, edge.subtype, edge.masking, edge.description))
            sources = groups.setdefault((edge.out, function), [])
            if (urn := field_urn((edge.namespace, edge.name), edge.path)) not in sources:
                sources.append(urn)
    return {
        "fieldMappings": [
            {
                "created": None if us is None else stamp_of(us),
                **_function(function, today=us is not None),
                "sourceFields": [{"string": urn} for urn in sources],
                "destinationField": field_urn(of, out),
            }
            for (out, function), sources in sorted(groups.items())
        ]
    }


def _function(function: str, *, today: bool) -> dict[str, Any]:
    if not today:
        return {"transformationFunction": {"string": function}}
    named = _NAMED.get(function)
    return {"transformation": {_TYPE: named} if named else {_UDF: {"udf": function}}}


def read_field_mappings(aspect: Mapping[str, Any], reading: Reading) -> None:
    """Read `DatasetUpstreamLineage`, as in the RFC or as in today's classes."""
    for place, raw in enumerate(a_list(aspect.get("fieldMappings"), "fieldMappings")):
        where = f"fieldMappings[{place}]"
        mapping = an_object(raw, where)
        out = reading.out(a_text(mapping.get("destinationField"), f"{where}.destinationField"))
        sources = [reading.source(urn) for urn in texts(mapping.get("sourceFields"), f"{where}.sourceFields")]
        if out is not None:
            reading.add(out, [source for source in sources if source is not None], [_read_function(mapping, where)])


def _read_function(mapping: Mapping[str, Any], where: str) -> Step:
    if "transformation" not in mapping:
        return step_of(text_or_none(mapping.get("transformationFunction"), f"{where}.transformationFunction"))
    function = mapping["transformation"]
    if isinstance(function, Mapping) and len(function) == 1:
        (function,) = function.values()
    if isinstance(function, Mapping):
        function = function.get("udf")
    return step_of(text_or_none(function, f"{where}.transformation"))


def job_io(inputs: Iterable[str], outputs: Iterable[str], entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """`dataJobInputOutput`: URNs of what a job reads and writes, and the fine-grained entries of all its outputs."""
    return {
        "inputDatasets": [],
        "outputDatasets": [],
        "inputDatasetEdges": [{"destinationUrn": urn} for urn in inputs],
        "outputDatasetEdges": [{"destinationUrn": urn} for urn in outputs],
        "fineGrainedLineages": list(entries),
    }


def read_job_io(aspect: Mapping[str, Any], reading: Reading) -> tuple[list[Name], list[Name]]:
    """Read `dataJobInputOutput`: the datasets that the job reads and writes; fields go into the reading."""
    read, written = (_datasets(aspect, side, reading) for side in ("input", "output"))
    read_fine_grained(aspect.get("fineGrainedLineages"), reading, "fineGrainedLineages")
    # A job that writes a field writes its dataset.
    return sorted(read | reading.sources), sorted(written | reading.columns.keys())


def _datasets(aspect: Mapping[str, Any], side: str, reading: Reading) -> set[Name]:
    urns = set(texts(aspect.get(f"{side}Datasets"), f"{side}Datasets"))
    key = f"{side}DatasetEdges"
    for place, raw in enumerate(a_list(aspect.get(key), key)):
        urns.add(a_text(an_object(raw, f"{key}[{place}]").get("destinationUrn"), f"{key}[{place}].destinationUrn"))
    return {name for name in map(reading.dataset, sorted(urns)) if name is not None}
