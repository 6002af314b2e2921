"""The lineage of a query: what each of its columns takes from where, and what decides its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from headwater.common.column_path import join_path
from headwater.rules.plan.budget import Budget
from headwater.rules.plan.condense import MOST, condensed
from headwater.rules.plan.sources import Counted, Sources, both_counted, merge
from headwater.rules.plan.tree import Dataset, Plan
from headwater.rules.session.links import Links
from headwater.rules.statements.statements import (
    TOO_MANY_EDGES,
    Field,
    Written,
    behind,
    column_sources,
    columns_of,
    schema_of,
    statement,
)


@dataclass(frozen=True)
class Lineage:
    """The lineage of a query, by the paths of its columns.

    Attributes:
        columns: per column (or path to a nested field), the source fields and the ways they reach it.
        rows: the source fields that decide which rows there are; they influence every column.
        reads: the datasets read, with their columns.
        opaque: what was not understood, and how often; where this is not empty, the answer may claim too much.
        writes: what a statement writes; empty for a query.
        counted: the datasets of which columns depend on how many rows they have, whether or not they take a column.
    """

    columns: Mapping[str, Sources]
    rows: Sources
    reads: Mapping[Dataset, Sequence[Field]]
    opaque: Mapping[str, int] = field(default_factory=dict)
    writes: tuple[Written, ...] = ()
    counted: Counted = field(default_factory=dict)


def lineage_of(plan: Plan, links: Links | None = None, budget: Budget | None = None) -> Lineage:
    """The lineage of a query, or of a statement that writes; `links` knows the earlier statements.

    A statement's columns are those of what it writes; where it writes several datasets, under their names. Where
    following the columns costs too much, they come from everything that is read (`rows`), and `opaque` says so.
    """
    answer = statement(plan, None, links, budget)
    if answer is not None:
        several = len(answer.writes) > 1
        columns: dict[str, Sources] = {}
        counted: Counted = {}
        for written in answer.writes:
            paths = {
                name: join_path((written.dataset.short_name, name)) if several else name
                for name in written.fields or {}
            }
            columns |= {paths[name]: sources for name, sources in (written.fields or {}).items()}
            own = {name and paths[name]: datasets for name, datasets in written.counted.items()}
            counted = both_counted(counted, own)
        rows = merge(written.rows for written in answer.writes)
        return Lineage(columns, rows, answer.reads, answer.opaque, answer.writes, counted)
    known = behind(plan, links, budget)
    columns = column_sources(columns_of(plan, known.relation), known.relation)
    # Nothing is sent, and columns of the same sources share them: each has its own list as long as possible.
    condensed_columns = condensed(columns, known.relation.rows, few=MOST)
    reads = {dataset: schema_of(attributes) for dataset, attributes in known.reads.items()}
    opaque = {**known.opaque, **({} if condensed_columns.exact else {TOO_MANY_EDGES: 1})}
    return Lineage(condensed_columns.fields, condensed_columns.rows, reads, opaque, counted=condensed_columns.counted)
