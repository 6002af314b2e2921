"""The schemas of OpenLineage's facets, as far as they are checked: required fields and types; pure.

A facet that is not in the table passes. Null counts as a missing field, as many producers write it. `name!` is
required; a list in the table is a list of its item; a dict is an object with these fields, and possibly others.
"""

from collections.abc import Mapping
from typing import Any

from headwater.openlineage.model.check import is_object, kind
from headwater.openlineage.model.event import BadEvent
from headwater.openlineage.model.memo import as_written

_TEXT, _NUMBER, _FLAG, _ANY = "a string", "a number", "true or false", "anything"
_IDENTIFIER = {"namespace!": _TEXT, "name!": _TEXT}
_TAGS = {"tags": [{"key!": _TEXT, "value": _TEXT, "source": _TEXT, "field": _TEXT}]}
_OWNERS = {"owners": [{"name!": _TEXT, "type": _TEXT}]}
_DOCUMENTATION = {"description!": _TEXT}

RUN: Mapping[str, Any] = {
    "errorMessage": {"message!": _TEXT, "programmingLanguage!": _TEXT, "stackTrace": _TEXT},
    "externalQuery": {"externalQueryId!": _TEXT, "source!": _TEXT},
    "nominalTime": {"nominalStartTime!": _TEXT, "nominalEndTime": _TEXT},
    "parent": {"run!": {"runId!": _TEXT}, "job": _IDENTIFIER, "root": {"run!": {"runId!": _TEXT}, "job": _IDENTIFIER}},
    "processing_engine": {"version!": _TEXT, "name": _TEXT, "openlineageAdapterVersion": _TEXT},
    "tags": _TAGS,
}
JOB: Mapping[str, Any] = {
    "documentation": _DOCUMENTATION,
    "jobType": {"processingType!": _TEXT, "integration!": _TEXT, "jobType": _TEXT},
    "lineage": {"entries!": [{"type!": _TEXT}]},
    "ownership": _OWNERS,
    "sourceCode": {"language!": _TEXT, "sourceCode!": _TEXT},
    "sourceCodeLocation": {"type!": _TEXT, "url!": _TEXT},
    "sql": {"query!": _TEXT},
    "tags": _TAGS,
}
DATASET: Mapping[str, Any] = {
    "catalog": {"framework!": _TEXT, "type!": _TEXT, "name!": _TEXT},
    "dataSource": {"name": _TEXT, "uri": _TEXT},
    "datasetType": {"datasetType!": _TEXT},
    "documentation": _DOCUMENTATION,
    "ownership": _OWNERS,
    "schema": {"fields": [{"name!": _TEXT, "type": _TEXT, "description": _TEXT}]},
    "storage": {"storageLayer!": _TEXT},
    "symlinks": {"identifiers": [{**_IDENTIFIER, "type": _TEXT}]},
    "tags": _TAGS,
    "version": {"datasetVersion!": _TEXT},
}
INPUT: Mapping[str, Any] = {
    "inputStatistics": {"rowCount": _NUMBER, "size": _NUMBER, "fileCount": _NUMBER},
    "dataQualityMetrics": {"rowCount": _NUMBER, "bytes": _NUMBER, "fileCount": _NUMBER},
}
OUTPUT: Mapping[str, Any] = {"outputStatistics": {"rowCount": _NUMBER, "size": _NUMBER, "fileCount": _NUMBER}}


# Facets that passed: most repeat, from run to run and from dataset to dataset.
_valid: set[tuple[int, bytes]] = set()
_MOST = 50_000


def check_facets(event: Mapping[str, Any]) -> None:
    """Refuse an event one of whose facets violates its schema.

    >>> check_facets({"job": {"facets": {"sql": {"query": 7}}}})
    Traceback (most recent call last):
    ...
    headwater.openlineage.model.event.BadEvent: job.facets.sql.query: must be a string, not a number
    """
    _check_facets_of(event.get("run"), "facets", RUN, "run")
    _check_facets_of(event.get("job"), "facets", JOB, "job")
    _check_facets_of(event.get("dataset"), "facets", DATASET, "dataset")
    for key, role_key, role in (("inputs", "inputFacets", INPUT), ("outputs", "outputFacets", OUTPUT)):
        datasets = event.get(key)
        if not datasets:
            continue
        # In the part of an event that changes from run to run, datasets are keyed by their positions.
        items = datasets.items() if is_object(datasets) else enumerate(datasets if isinstance(datasets, list) else ())
        for place, dataset in items:
            _check_facets_of(dataset, "facets", DATASET, f"{key}[{place}]")
            _check_facets_of(dataset, role_key, role, f"{key}[{place}]")


def _check_facets_of(holder: object, key: str, shapes: Mapping[str, Any], where: str) -> None:
    facets = holder.get(key) if is_object(holder) else None
    if not is_object(facets):
        return  # the parser reports it
    for name, facet in facets.items():
        shape = shapes.get(name)
        if shape is None or not is_object(facet) or facet.get("_deleted") is True:
            continue
        digest = as_written(facet)
        if (id(shape), digest) not in _valid:
            _check(facet, shape, f"{where}.{key}.{name}")
            if len(_valid) >= _MOST:
                _valid.clear()
            if digest:
                _valid.add((id(shape), digest))


def _check(value: object, shape: Any, where: str) -> None:  # noqa: ANN401  a shape is text, list or dict
    if type(shape) is str:
        # Text is the usual case.
        if not (type(value) is str and shape is _TEXT) and shape not in (_ANY, kind(value)):
            raise BadEvent(where, f"must be {shape}, not {kind(value)}")
    elif isinstance(shape, list):
        if not isinstance(value, list | tuple):
            raise BadEvent(where, f"must be a list, not {kind(value)}")
        for place, item in enumerate(value):
            _check(item, shape[0], f"{where}[{place}]")
    elif not is_object(value):
        raise BadEvent(where, f"must be an object, not {kind(value)}")
    else:
        _check_object(value, shape, where)


def _check_object(document: Mapping[str, Any], shape: Mapping[str, Any], where: str) -> None:
    for name, inner in shape.items():
        required = name[-1] == "!"
        field = name[:-1] if required else name
        value = document.get(field)
        if value is not None:
            if not (inner is _TEXT and type(value) is str):
                _check(value, inner, f"{where}.{field}")
        elif required:
            raise BadEvent(f"{where}.{field}", "is missing")
