"""What is known of one text so far."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from sqlglot.dialects.dialect import Dialect, NormalizationStrategy

from headwater.common.column_path import join_path
from headwater.rules.expressions import text
from headwater.rules.expressions.shapes import merge_leaves, settled_leaves
from headwater.rules.plan.sources import Column, How, Mark, SourceField
from headwater.rules.plan.tree import Dataset
from headwater.rules.sqltext.nodes import Node

if TYPE_CHECKING:
    from headwater.rules.sqltext.frames import Frame
    from headwater.rules.sqltext.scope import Scope

Query: TypeAlias = "Callable[[Node, Scope, Sequence[str] | None], Frame]"

UNKNOWN_STAR = "* of a table whose columns are not known"
_COPIED = frozenset({Mark(How.IDENTITY)})


class NotUnderstood(Exception):  # noqa: N818 (it is caught by name, and turned into an opaque answer)
    """Something that may mean anything for the columns: no answer is better than a guess."""


class Findings:
    """What is known of one text so far, and how its names are read.

    Args:
        dialect: the language of the text.
        at: where its tables are; each is this dataset with its own name.
        outputs: the names of the result's columns, as the engine spells them.
        query: reads a query inside, in its scope, with the names of its columns where they are known.
        qualify: write columns with the name of their table.

    Attributes:
        opaque: what was not understood.
        reads: every table read, with the columns that are known to be.
    """

    def __init__(self, dialect: Dialect, at: Dataset, outputs: Sequence[str], query: Query, *, qualify: bool) -> None:
        self.dialect = dialect
        self.query = query
        self.opaque: dict[str, None] = {}
        self.reads: dict[Dataset, dict[str, None]] = {}
        self._at = at
        self._upper = _UPPER.match(at.location or "") is not None
        self._qualify = qualify
        self._spelled = {name.casefold(): name for name in outputs}
        self._tables: dict[tuple[str, ...], Dataset] = {}

    @property
    def language(self) -> str:
        """The name of the dialect, empty for SQL in general."""
        return type(self.dialect).__name__.lower() if type(self.dialect) is not Dialect else ""

    def note(self, reason: str) -> None:
        """Note what was not understood."""
        self.opaque[reason] = None

    def name(self, identifier: Node) -> str:
        """A name as the engine knows it: folded where the language folds it, else in one spelling throughout."""
        name = identifier.name
        strategy = self.dialect.normalization_strategy
        if self.language == "clickhouse" or (identifier.args.get("quoted") and strategy in _FOLDED):
            return name
        if self._upper:
            return name.upper()
        if self.language and strategy in _FOLDED:
            return name.lower() if strategy is NormalizationStrategy.LOWERCASE else name.upper()
        return self._spelled.setdefault(name.casefold(), name)

    def table(self, parts: Sequence[Node]) -> Dataset:
        """A table that is read: the same one in any spelling, under the one that was written first."""
        written = tuple(part.name for part in parts)
        dataset = self._tables.setdefault(tuple(self.name(part) for part in parts), replace(self._at, table=written))
        self.reads.setdefault(dataset, {})
        return dataset

    def field(self, dataset: Dataset, name: str) -> Column:
        """A column of a table."""
        self.reads[dataset][name] = None
        prefix = f"{text.identifier(dataset.short_name)}." if self._qualify else ""
        return Column({(): {SourceField(dataset, join_path((name,))): _COPIED}}, prefix + text.identifier(name))

    def either(self, columns: Sequence[Column], name: str) -> Column:
        """A column that may be any of these: it may take from each."""
        distinct: list[Column] = []
        for column in columns:
            if all(column.leaves != other.leaves for other in distinct):
                distinct.append(column)
        if len(distinct) == 1:
            return distinct[0]
        self.note("a column of which nobody can tell where it is from")
        return Column(merge_leaves(settled_leaves(column) for column in distinct), text.identifier(name))


# Engines that sqlglot does not know. A name without quotes is in upper case there, unless the URL says otherwise.
_UPPER = re.compile(r"(?is)jdbc:(?:db2|derby|h2|hsqldb|ibmdb)\b(?!.*;DATABASE_TO_(?:UPPER=FALSE|LOWER=TRUE))")
_FOLDED = frozenset({NormalizationStrategy.LOWERCASE, NormalizationStrategy.UPPERCASE})
