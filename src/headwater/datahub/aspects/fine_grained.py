"""`fineGrainedLineages` of upstreamLineage and dataJobInputOutput: written, and read back.

There is one entry for each output field and each way in which inputs go into it. Inputs that decide on rows have one
entry with all the fields of the dataset, which the store recognizes when it reads it back.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from headwater.datahub.aspects.reading import Name, Reading
from headwater.datahub.aspects.transformations import Step, operation_of, steps_of
from headwater.datahub.json_values import a_list, an_object, text_or_none, texts
from headwater.openlineage.model.event import ColumnEdge, ColumnLineage

FieldUrn: TypeAlias = Callable[[Name, str], str]
"""The URN of a field of a dataset."""
_OPAQUE = Step("DIRECT", "TRANSFORMATION", description="all of the dataset, by no field")
_CERTAIN = 1.0


def fine_grained(
    lineage: ColumnLineage, of: Name, columns: Sequence[str], field_urn: FieldUrn, *, indirect: bool = True
) -> list[dict[str, Any]]:
    """The entries for what goes into a dataset (`of`); what decides on its rows goes into each of its `columns`.

    `indirect` writes inputs that only filter, join, group, sort or decide.
    """
    rows = {edge for edge in lineage.edges if edge.out is None}
    into: dict[str, set[ColumnEdge]] = {column: set() for column in lineage.columns}
    for edge in lineage.edges:
        if edge.out is not None:
            into.setdefault(edge.out, set()).add(edge)
    entries = []
    if indirect and rows and columns:
        entries += _entries(rows, [field_urn(of, column) for column in columns], field_urn)
    for column, edges in sorted(into.items()):
        target = [field_urn(of, column)]
        if edges:
            entries += _entries(edges, target, field_urn, indirect=indirect)
        else:
            entries.append(_entry([], target, None))
    return entries


def _entries(
    edges: Iterable[ColumnEdge], downstreams: list[str], field_urn: FieldUrn, *, indirect: bool = True
) -> list[dict[str, Any]]:
    """Inputs with the same steps share an entry; a step with an expression has one of its own."""
    steps: dict[tuple[Name, str], list[Step]] = {}
    for edge in edges:
        source = ((edge.namespace, edge.name), edge.path)
        steps.setdefault(source, []).append(Step(edge.type, edge.subtype, edge.masking, edge.description))
    groups: dict[tuple[Step, ...], list[str]] = {}
    for source, into in sorted(steps.items()):
        if not indirect and all(step.type == "INDIRECT" for step in into):
            continue
        plain = tuple(sorted(step for step in into if not step.description))
        for group in ([plain] if plain else []) + [(step,) for step in sorted(into) if step.description]:
            groups.setdefault(group, []).append(field_urn(*source))
    return [
        _entry(list(dict.fromkeys(upstreams)), downstreams, operation_of(group))
        for group, upstreams in sorted(groups.items())
    ]


def _entry(upstreams: list[str], downstreams: list[str], operation: str | None) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "upstreamType": "FIELD_SET" if upstreams else "NONE",
        "upstreams": upstreams,
        "downstreamType": "FIELD" if len(downstreams) == 1 else "FIELD_SET",
        "downstreams": downstreams,
        "confidenceScore": _CERTAIN,
    }
    return entry if operation is None else {**entry, "transformOperation": operation}


def read_fine_grained(value: Any, reading: Reading, key: str) -> None:  # noqa: ANN401  JSON
    """Read entries; only the stored aspect keeps their confidence and query."""
    for place, raw in enumerate(a_list(value, key)):
        where = f"{key}[{place}]"
        entry = an_object(raw, where)
        outs = [reading.out(urn) for urn in texts(entry.get("downstreams"), where)]
        steps = steps_of(text_or_none(entry.get("transformOperation"), where))
        sources: list[tuple[Name, str]] = []
        for urn in texts(entry.get("upstreams"), where):
            if urn.startswith("urn:li:dataset:"):
                sources += _whole(urn, reading)
                steps = [_OPAQUE]
            elif (source := reading.source(urn)) is not None:
                sources.append(source)
        for out in outs:
            if out is not None:
                reading.add(out, sources, steps)


def _whole(urn: str, reading: Reading) -> list[tuple[Name, str]]:
    """The fields of a dataset that is named as a whole: all of them, where they are known."""
    name = reading.dataset(urn)
    if name is None:
        return []
    reading.sources.add(name)
    fields = reading.known.fields_of(name)
    return [(name, path) for path in fields.paths] if fields is not None else []
