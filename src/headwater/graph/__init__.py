"""Questions about columns and tables: where they come from, what they reach, now and at other moments."""

from headwater.graph.answer import (
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
from headwater.graph.ask import ask, columns, tables
from headwater.graph.names import AmbiguousName, NameNotFound, UnknownName

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
    "ask",
    "columns",
    "tables",
]
