"""Small graphs for what travels: fields by a letter or `table.letter`, edges in a few words."""

from __future__ import annotations

from headwater.query.graph.answer import Edge, FieldName, TableName, Transformation

INDIRECT = frozenset({"FILTER", "JOIN", "CONDITIONAL"})


def field(name: str) -> FieldName:
    """`table.column`; `table.*` are its rows."""
    table, _, column = name.rpartition(".")
    return FieldName("lake", table or "t", None if column == "*" else column)


def edge(words: str) -> Edge:
    """`a > b SUBTYPE MASKED keyed`: what `b` is made of; without a subtype, nobody says how; nor without a kind."""
    origin, _, destination, *how = words.split()
    subtype = next((word for word in how if word != "MASKED" and word.isupper()), "")
    kind = "INDIRECT" if subtype in INDIRECT else "DIRECT"
    effect = " ".join(word for word in how if word.islower())
    step = Transformation(kind, subtype, "MASKED" in how, f"of {origin}", effect)
    return Edge(field(origin), field(destination), (step,), TableName("jobs", "job"), None)
