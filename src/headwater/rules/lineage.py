"""The lineage of a query: what each of its columns takes from where, and what decides its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from headwater.rules.model import Mark, SourceField
from headwater.rules.operators import Analysis, reads_several
from headwater.rules.statements import Field, column_sources, schema_of
from headwater.rules.tree import Dataset, Plan


@dataclass(frozen=True)
class Lineage:
    """The lineage of a query, by the paths of its columns.

    Attributes:
        columns: per column (or path to a nested field), the source fields and the ways they reach it.
        rows: the source fields that decide which rows there are; they influence every column.
        reads: the datasets read, with their columns.
        opaque: how often what was not understood; where this is not empty, the answer may claim too much.
    """

    columns: Mapping[str, Mapping[SourceField, frozenset[Mark]]]
    rows: Mapping[SourceField, frozenset[Mark]]
    reads: Mapping[Dataset, Sequence[Field]]
    opaque: Mapping[str, int] = field(default_factory=dict)


def lineage_of(plan: Plan) -> Lineage:
    """The lineage of a query's plan."""
    analysis = Analysis(qualify=reads_several(plan))
    relation = analysis.relation(plan)
    columns = column_sources([output.name for output in relation.outputs], relation)
    reads = {dataset: schema_of(attributes) for dataset, attributes in analysis.reads.items()}
    return Lineage(columns, relation.rows, reads, dict(analysis.opaque))
