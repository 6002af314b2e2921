"""An answer about a column: the columns it reaches or comes from, and the edges between them."""

from dataclasses import dataclass
from enum import Enum, IntEnum

from headwater.openlineage.instants import instant_text


class Direction(Enum):
    """Which way a question goes."""

    UPSTREAM = "upstream"
    DOWNSTREAM = "downstream"


class Kind(IntEnum):
    """How close a column is to another, the closest first."""

    IDENTITY = 0
    TRANSFORMATION = 1
    AGGREGATION = 2
    INDIRECT = 3


@dataclass(frozen=True, slots=True, order=True)
class FieldName:
    """A column by its full name; `field` is None for the rows of the dataset, which all its columns read."""

    namespace: str
    name: str
    field: str | None

    @property
    def rows(self) -> "FieldName":
        """The rows that this column is in."""
        return FieldName(self.namespace, self.name, None)

    def to_dict(self) -> dict[str, object]:
        """As plain JSON."""
        return {"namespace": self.namespace, "name": self.name, "field": self.field}


@dataclass(frozen=True, slots=True)
class Transformation:
    """What happens on an edge, in OpenLineage's words."""

    type: str
    subtype: str
    masking: bool
    description: str

    @property
    def kind(self) -> Kind:
        """Its class; an unknown way of passing a value on is a transformation, since a copy would be a promise."""
        if self.type == "INDIRECT":
            return Kind.INDIRECT
        return Kind.__members__.get(self.subtype, Kind.TRANSFORMATION)

    def to_dict(self) -> dict[str, object]:
        """As plain JSON."""
        return {
            "type": self.type,
            "subtype": self.subtype,
            "masking": self.masking,
            "description": self.description,
        }


@dataclass(frozen=True, slots=True)
class Edge:
    """From the column that is read to the one that is written, with the job that does it and its last run."""

    origin: FieldName
    destination: FieldName
    transformations: tuple[Transformation, ...]
    job: tuple[str, str]
    run: str

    @property
    def dataset_level(self) -> bool:
        """Whether the origin decides on the rows of the destination's dataset, and so reaches all its columns."""
        return self.destination.field is None

    def to_dict(self) -> dict[str, object]:
        """As plain JSON."""
        return {
            "origin": self.origin.to_dict(),
            "destination": self.destination.to_dict(),
            "datasetLevel": self.dataset_level,
            "transformations": [step.to_dict() for step in self.transformations],
            "job": {"namespace": self.job[0], "name": self.job[1]},
            "run": self.run,
        }


@dataclass(frozen=True, slots=True)
class Node:
    """A column of the answer, with what holds over all paths to it.

    `distance` is the fewest hops, `kind` the most direct class, `masked` is true only if every path is masked.
    """

    field: FieldName
    type: str
    distance: int
    kind: Kind
    masked: bool

    def to_dict(self) -> dict[str, object]:
        """As plain JSON."""
        return {
            **self.field.to_dict(),
            "type": self.type,
            "distance": self.distance,
            "class": self.kind.name,
            "masked": self.masked,
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """What a question found; nodes by distance and name, the column asked about first."""

    direction: Direction
    root: FieldName
    as_of: int | None
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    def to_dict(self) -> dict[str, object]:
        """As plain JSON, for programs."""
        return {
            "direction": self.direction.value,
            "root": self.root.to_dict(),
            "asOf": None if self.as_of is None else instant_text(self.as_of),
            "nodes": [node.to_dict() for node in self.nodes],
            "edges": [edge.to_dict() for edge in self.edges],
        }
