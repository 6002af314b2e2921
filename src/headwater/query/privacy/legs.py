"""The ways that data takes from field to field: one leg for each thing that a job does with a field; pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from headwater.common.groups import lists_by_key, sets_by_key
from headwater.common.masking import Masking, then
from headwater.query.graph.answer import Edge, FieldName, TableName, Transformation, place_of, place_of_field


class Class(Enum):
    """What a leg does with a value. OPAQUE: it may pass it on, nobody says how; INDIRECT: it only decides by it."""

    IDENTITY = "IDENTITY"
    TRANSFORMATION = "TRANSFORMATION"
    AGGREGATION = "AGGREGATION"
    OPAQUE = "OPAQUE"
    INDIRECT = "INDIRECT"


_DIRECT = {one.value: one for one in (Class.IDENTITY, Class.TRANSFORMATION, Class.AGGREGATION)}


def class_of(step: Transformation) -> Class:
    """The class of a transformation.

    >>> class_of(Transformation("DIRECT", "", masking=False, description="")).name
    'OPAQUE'
    """
    if step.type == "INDIRECT":
        return Class.INDIRECT
    return _DIRECT.get(step.subtype, Class.OPAQUE)


def masking_of(step: Transformation) -> Masking:
    """What a transformation does to masking; one that nobody knows may undo it, and pass the value on or not.

    >>> masking_of(Transformation("DIRECT", "", masking=False, description="")).words
    'unmask possible'
    """
    if class_of(step) is Class.OPAQUE:
        return then(_OPAQUE, step.masks)
    return step.masks


def is_masked(state: Masking) -> bool:
    """Whether nothing of a value can be read."""
    return bool(state & (Masking.IRREVERSIBLE | Masking.KEYED))


_OPAQUE = Masking.UNMASKS | Masking.POSSIBLE


@dataclass(frozen=True, slots=True)
class Leg:
    """From one field to another, or to the rows of a dataset, which all its columns are in; `job` does it."""

    origin: FieldName
    destination: FieldName
    how: Transformation
    job: TableName | None


@dataclass(frozen=True, slots=True)
class Map:
    """Legs by where they start, each list in an order of its own; and the columns of each dataset that is reached."""

    onward: Mapping[FieldName, Sequence[Leg]]
    inside: Mapping[TableName, Sequence[FieldName]]

    def landing(self, leg: Leg) -> Sequence[FieldName]:
        """The columns that a leg leads to."""
        there = leg.destination
        return (there,) if there.field is not None else self.inside.get(there.table, ())


def map_of(edges: Iterable[Edge], columns: Iterable[FieldName] = ()) -> Map:
    """The map of edges, in any order; an edge into the rows of a dataset reaches those of its `columns`, too."""
    listed = list(edges)
    ends = {name for edge in listed for name in (edge.origin, edge.destination) if name.field is not None}
    inside = lists_by_key((name.table, name) for name in sorted({*ends, *columns}, key=place_of_field))
    onward = sets_by_key(
        (edge.origin, Leg(edge.origin, edge.destination, how, edge.job))
        for edge in listed
        for how in edge.transformations
    )
    return Map({name: sorted(legs, key=_place) for name, legs in onward.items()}, inside)


def _place(leg: Leg) -> tuple[object, ...]:
    return place_of_field(leg.destination), place_of(leg.how), leg.how.type, leg.job is not None, leg.job or ""


def way_back(previous: Mapping[Any, tuple[Any, Leg] | None], state: Any) -> tuple[Leg, ...]:  # noqa: ANN401  any state
    """The legs that led to a state of a walk, the first one first."""
    legs: list[Leg] = []
    while (step := previous[state]) is not None:
        state, leg = step
        legs.append(leg)
    return tuple(reversed(legs))


def stations(path: Sequence[Leg]) -> list[FieldName]:
    """The fields on a way, the first before the first leg."""
    return [path[0].origin, *(leg.destination for leg in path)] if path else []
