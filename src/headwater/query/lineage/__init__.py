"""Questions about columns and tables: where they come from, what they reach, now and at other moments."""

from headwater.query.graph.answer import (
    Answer,
    Direction,
    Edge,
    FieldName,
    Kind,
    Moment,
    Node,
    TableAnswer,
    TableEdge,
    TableKind,
    TableName,
    TableNode,
    Transformation,
)
from headwater.query.search.resolve import AmbiguousName, NameNotFound, UnknownName

__all__ = [
    "AmbiguousName",
    "Answer",
    "Direction",
    "Edge",
    "FieldName",
    "Kind",
    "Moment",
    "NameNotFound",
    "Node",
    "TableAnswer",
    "TableEdge",
    "TableKind",
    "TableName",
    "TableNode",
    "Transformation",
    "UnknownName",
]
