"""The names that a query's expressions may use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field

from sqlglot import exp

from headwater.rules.expressions import text
from headwater.rules.expressions.names import everything
from headwater.rules.expressions.shapes import whole
from headwater.rules.plan.sources import Column, Output
from headwater.rules.sqltext.findings import Findings
from headwater.rules.sqltext.frames import Frame, Named, inside
from headwater.rules.sqltext.nodes import Node

# Where `t.c` may mean a `t` of the query around, if the `t` of the query itself has no `c`.
_QUALIFIED_FROM_OUTSIDE = frozenset({"", "mysql", "sqlite"})
# Where a table's name alone is its row.
_ROWS_AS_VALUES = frozenset({"", "bigquery", "databricks", "duckdb", "postgres", "redshift"})
# Where what the select list names may be used in the select list itself, and in WHERE.
_ALIASES_IN_SELECT = frozenset({"", "clickhouse", "databricks", "duckdb", "redshift", "snowflake", "teradata"})
_ALIASES_IN_WHERE = frozenset({"", "clickhouse", "duckdb", "snowflake", "sqlite", "teradata"})


class Cte:
    """A query of WITH: read when it is first used.

    Args:
        read: what it gives. While that is found out, `frame` is what has been found so far.
    """

    def __init__(self, read: Callable[[Cte], Frame]) -> None:
        self._read = read
        self.so_far: Frame | None = None

    @property
    def frame(self) -> Frame:
        """What it gives."""
        if self.so_far is None:
            self.so_far = self._read(self)
        return self.so_far


@dataclass(eq=False)
class Source:
    """What stands in FROM.

    Attributes:
        names: what it is called: its alias, or the parts of its name.
        proven: columns that it is known to have, because the text uses them with its name.
        shown: whether `*` and bare names mean it too: not so the right side of a semi join.
    """

    names: tuple[str, ...]
    frame: Frame
    proven: set[str] = field(default_factory=set)
    shown: bool = True

    def called(self, names: Sequence[str]) -> bool:
        """Whether some parts of a name mean it: `t`, `s.t`."""
        ends = [name.casefold() for name in self.names[-len(names) :]]
        return ends == [name.casefold() for name in names]


class Aliases(Named):
    """The names of the select list, where they may be used.

    Args:
        sure: those that cannot be the names of columns that we do not know of.
    """

    def __init__(self, outputs: Iterable[Output] = (), sure: Iterable[str] = ()) -> None:
        super().__init__(output for output in outputs if output.name)
        self._sure = {name.casefold() for name in sure}

    def is_sure(self, name: str) -> bool:
        """Whether the name can be nothing else."""
        return name.casefold() in self._sure


class Scope:
    """What a query's expressions may refer to: what stands in FROM, and what is around the query.

    Attributes:
        merged: the columns that USING made one of two.
        natural: the columns that a NATURAL join may go by; None without such a join.
    """

    def __init__(self, findings: Findings, outer: Scope | None = None, ctes: dict[str, Cte] | None = None) -> None:
        self.findings = findings
        self.outer = outer
        self.ctes: dict[str, Cte] = ctes if ctes is not None else outer.ctes if outer else {}
        self.sources: list[Source] = []
        self.merged: dict[str, Output] = {}
        self.natural: dict[str, Column] | None = None
        self.aliases = Aliases()
        self.windows: Mapping[str, Node] = {}

    def with_aliases(self, aliases: Aliases) -> Scope:
        """The same with the names of the select list."""
        seeing = copy(self)
        seeing.aliases = aliases
        return seeing

    def up_to(self, count: int) -> Scope:
        """The same with only the first sources: what a join's condition may use."""
        limited = copy(self)
        limited.sources = self.sources[:count]
        return limited

    def with_aliases_in_select(self, aliases: Aliases) -> Scope:
        """The same with the names of the select list so far, if the language lets it use them."""
        return self.with_aliases(aliases) if self.findings.language in _ALIASES_IN_SELECT else self

    def with_aliases_in_where(self, aliases: Aliases) -> Scope:
        """The same with the names of the select list, if the language lets WHERE use them."""
        return self.with_aliases(aliases) if self.findings.language in _ALIASES_IN_WHERE else self

    @property
    def _outwards(self) -> Iterator[Scope]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def cte(self, name: str) -> Cte | None:
        """The query of WITH of that name."""
        return self.ctes.get(name.casefold())

    def called(self, names: Sequence[str]) -> list[Source]:
        """The sources of a name here: one, though some engines accept more."""
        return [source for source in self.sources if source.called(names)]

    def prove(self, table: str, name: str) -> None:
        """Note that the text uses a column with the name of its table: it is there, if it cannot be another's."""
        meant = [source for scope in self._outwards for source in scope.called([table])]
        if len(meant) == 1 and meant[0] in self.sources:
            meant[0].proven.add(name.casefold())

    def column(self, names: Sequence[str], node: Node | None = None) -> Column:
        """The column of a name: `c`, `t.c`, `s.t.c`, and `t.c.field` or `c.field` inside a struct."""
        for scope in self._outwards:
            for length in range(len(names) - 1, 0, -1):
                if scope.called(names[:length]):
                    column = scope._qualified(names[:length], names[length])  # noqa: SLF001 (of the same class)
                    return inside(column, names[length + 1 :])
        return inside(self._bare(names[0], node), names[1:])

    def _qualified(self, table: Sequence[str], name: str) -> Column:
        """A column of a source by that name; in some languages one further out, if this one has no such column."""
        columns: list[Column] = []
        meant: list[Source] = []
        for scope in self._outwards:
            here = scope.called(table)
            known = [column for source in here for column in source.frame.known(name)]
            columns += known or [column for source in here for column in source.frame.possible(name)]
            meant += here
            if known or (meant and self.findings.language not in _QUALIFIED_FROM_OUTSIDE):
                break
        if columns:
            return self.findings.either(columns, name)
        # What the text gave no name has one of the engine's own; and engines have columns that are none of `*`.
        nameless = [column for source in meant for column in source.frame.known("")]
        hidden = [column for source in meant for column in Frame(source.frame.hidden).possible(name)]
        return hidden[0] if hidden else nameless[0] if len(nameless) == 1 else self._unknown(meant, name)

    def _bare(self, name: str, node: Node | None) -> Column:
        """A name alone: of the nearest query that has it. A table of unknown columns may have any."""
        columns: list[Column] = []
        for scope in self._outwards:
            certain = scope._certain(name)  # noqa: SLF001 (of the same class)
            alias = [output.column for output in scope.aliases.find(name)]
            if certain:
                return self.findings.either([*certain, *(alias if self._prefers_aliases else ()), *columns], name)
            if alias and scope.aliases.is_sure(name) and not _in_aggregate(node):
                return self.findings.either([*alias, *columns], name)
            unsure = [column for source in scope.sources if source.shown for column in source.frame.possible(name)]
            if scope.natural is not None and unsure:
                scope.natural[name] = self.findings.either(unsure, name)
            columns += [*alias, *unsure]
            rows = scope.called([name]) if self.findings.language in _ROWS_AS_VALUES else []
            if rows:
                return self.findings.either([*columns, *(self.row(source) for source in rows)], name)
        return self.findings.either(columns, name) if columns else self._unknown(self._all, name)

    def _certain(self, name: str) -> list[Column]:
        """The columns that have that name here for sure: one, or the engine would not have run the text."""
        merged = [output.column for output in Named(self.merged.values()).find(name)]
        known = [column for source in self.sources if source.shown for column in source.frame.known(name)]
        if merged or known or self.natural is not None:
            return merged or known
        proven = [source for source in self.sources if source.shown and name.casefold() in source.proven]
        return [column for source in proven for column in source.frame.possible(name)]

    @property
    def _prefers_aliases(self) -> bool:
        return self.findings.language == "clickhouse"

    @property
    def _all(self) -> list[Source]:
        return [source for scope in self._outwards for source in scope.sources]

    def row(self, source: Source) -> Column:
        """The whole row of a source, as one value."""
        if source.frame.others:
            self.findings.note("the whole row of a table whose columns are not known")
        return Column(whole(everything([source.frame.relation])), text.identifier(source.names[-1]))

    def _unknown(self, sources: Sequence[Source], name: str) -> Column:
        """A name that leads nowhere may mean anything in scope."""
        self.findings.note("a name that is nowhere to be found")
        relations = [source.frame.relation for source in sources]
        return Column(whole(everything(relations)), text.identifier(name))


def _in_aggregate(node: Node | None) -> bool:
    """Whether a name stands inside an aggregate function, where the names of the select list do not reach."""
    return node is not None and isinstance(node.find_ancestor(exp.AggFunc, exp.Query), exp.AggFunc)
