"""Questions about columns: where they come from, what they reach."""

from headwater.graph.answer import Answer, Direction, Edge, FieldName, Kind, Node, Transformation
from headwater.graph.ask import ask
from headwater.graph.names import AmbiguousName, NameNotFound, UnknownName

__all__ = [
    "AmbiguousName",
    "Answer",
    "Direction",
    "Edge",
    "FieldName",
    "Kind",
    "NameNotFound",
    "Node",
    "Transformation",
    "UnknownName",
    "ask",
]
