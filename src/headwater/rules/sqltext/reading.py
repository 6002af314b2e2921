"""A whole text: parsed, read, and fitted to the columns of its result.

Of a text that sqlglot cannot parse, the tables are read from its tokens.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.parser import Parser

from headwater.rules.expressions.names import everything
from headwater.rules.expressions.shapes import whole
from headwater.rules.plan.sources import Column, Output, Relation
from headwater.rules.plan.sql_tokens import Token, tokens
from headwater.rules.plan.tree import Dataset
from headwater.rules.sqltext import TextLineage
from headwater.rules.sqltext.findings import Findings, NotUnderstood
from headwater.rules.sqltext.frames import Frame, Named, fitted
from headwater.rules.sqltext.nodes import Node, table_parts
from headwater.rules.sqltext.queries import query as read_query
from headwater.rules.sqltext.scope import Scope

_log = logging.getLogger(__name__)

# A longer text is generated, and would take seconds to read.
_LONGEST = 100_000
_MOST_BRACKETS = 12
_STEPS_AT_LEAST = 10_000
_STEPS_PER_TOKEN = 100


def read(text: str, dialect: str | None, outputs: Sequence[str], at: Dataset, *, qualify: bool) -> TextLineage:
    """The lineage of a text; `lineage_of_text` says what it is given."""
    language = Dialect.get_or_raise(dialect if Dialect.get(dialect or "") else None)
    try:
        node = _parsed(text, language)
    except NotUnderstood as unknown:
        return _unknown(outputs, str(unknown), {replace(at, table=parts): () for parts in _named_tables(text)})
    tables = _tables(node)
    several = len({tuple(part.name.casefold() for part in parts) for parts in tables}) > 1
    findings = Findings(language, at, outputs, read_query, qualify=qualify or several)
    try:
        relation = _fitted(read_query(node, Scope(findings), outputs), outputs, findings)
    except Exception as error:  # noqa: BLE001 (not the shape that the rules know, or deeper than Python's stack)
        _log.debug("A SQL text was not understood: %s.", type(error).__name__)
        findings.note(str(error) if isinstance(error, NotUnderstood) else type(error).__name__)
        for parts in tables:
            findings.table(parts)
        relation = _unknown(outputs, "", {}).relation
    reads = {dataset: tuple(columns) for dataset, columns in findings.reads.items()}
    return TextLineage(relation, reads, tuple(f"SQL text: {reason}" for reason in findings.opaque))


def _parsed(text: str, language: Dialect) -> Node:
    """The one query of a text. A failure never shows the text: there may be secrets in it."""
    if len(text) > _LONGEST:
        raise NotUnderstood("too long")
    if _nested_brackets(text) > _MOST_BRACKETS:
        raise NotUnderstood("too many brackets inside each other")
    try:
        statements = _bounded(language.parser_class)(dialect=language, error_message_context=0).parse(
            language.tokenize(text), text
        )
    except NotUnderstood:
        raise
    except Exception as error:  # noqa: BLE001 (sqlglot meets what it does not know with more than its own errors)
        raise NotUnderstood(f"not parsed ({type(error).__name__})") from None
    queries = [statement for statement in statements if statement is not None]
    if len(queries) != 1:
        raise NotUnderstood("not one statement")
    (node,) = queries
    content = node.this if isinstance(node, exp.Alias) else node
    if not isinstance(content, (exp.Query, exp.Values)):
        raise NotUnderstood("no query")
    return node


@cache
def _bounded(parser: type[Parser]) -> type[Parser]:
    """A parser that gives up when it has gone back and forth too often.

    It tries one reading after the other, at every level again: without a bound, twenty brackets inside each other take
    minutes. Where sqlglot is compiled its own methods cannot be replaced; then only the number of brackets is a bound.
    """

    def advance(self: Any, times: int = 1) -> None:  # noqa: ANN401 (a parser)
        steps = self.__dict__["steps"] = self.__dict__.get("steps", 0) + 1
        if steps > _STEPS_AT_LEAST + _STEPS_PER_TOKEN * len(self._tokens):
            raise NotUnderstood("too much to try out")
        parser._advance(self, times)  # noqa: SLF001 (the only place that every reading goes through)

    try:
        return type(parser.__name__, (parser,), {"_advance": advance})
    except TypeError:
        return parser


def _tables(node: Node) -> list[list[Node]]:
    """The names of all tables in a text, as far as they are not those of queries in it."""
    own = {cte.alias.casefold() for cte in node.find_all(exp.CTE)}
    tables = []
    for table in node.find_all(exp.Table):
        parts = table_parts(table)
        plain = parts and not isinstance(table.this, exp.Func)
        if plain and (len(parts) > 1 or table.name.casefold() not in own):
            tables.append(parts)
    return tables


def _unknown(outputs: Sequence[str], why: str, tables: Mapping[Dataset, tuple[str, ...]]) -> TextLineage:
    nothing = tuple(Output(None, name, Column(whole({}), "")) for name in outputs)
    return TextLineage(Relation.of(nothing), tables, (f"SQL text: {why}",))


def _fitted(frame: Frame, outputs: Sequence[str], findings: Findings) -> Relation:
    """The columns under the names that they have in the end: by position, unless the names say otherwise."""
    result = fitted(frame, outputs, findings.either)
    if result is None:
        findings.note("other columns than the result has")
        everywhere = Column(whole(everything([frame.relation])), "*")
        columns = [(frame.known(name) or [everywhere])[0] for name in outputs]
    elif sorted({output.name for output in result}) == sorted(outputs):
        names = Named(result)
        columns = [names.find(name)[0].column for name in outputs]
    else:
        columns = [output.column for output in result]
    return Relation.of((Output(None, name, column) for name, column in zip(outputs, columns, strict=True)), frame.rows)


# --- the tables that a text names, where nobody can parse it ---------------------------------------------------------


_QUOTED = ('"', "`")
# What may stand before a query in parentheses. Before any other parenthesis stands the name of a function.
_BEFORE_QUERIES = frozenset({
    "ALL", "AND", "ANY", "AS", "BY", "CASE", "ELSE", "EXCEPT", "EXISTS", "FROM", "HAVING", "IN", "INTERSECT", "JOIN",
    "LATERAL", "MATERIALIZED", "MINUS", "NOT", "ON", "OR", "SELECT", "SOME", "THEN", "UNION", "WHEN", "WHERE",
})  # fmt: skip
# What a query begins with that has a name: WITH c AS (…), CREATE TABLE kept AS SELECT ….
_QUERIES = frozenset({"(", "MATERIALIZED", "SELECT", "WITH"})
_AFTER_TABLES = frozenset({
    "CROSS", "EXCEPT", "FULL", "GROUP", "HAVING", "INNER", "INTERSECT", "JOIN", "LEFT", "LIMIT", "MINUS", "NATURAL",
    "ON", "ORDER", "OUTER", "RIGHT", "UNION", "USING", "WHERE", "WINDOW",
})  # fmt: skip


def _named_tables(text: str) -> list[tuple[str, ...]]:
    """What stands behind FROM and JOIN, as far as it is not the name of a query of WITH.

    >>> _named_tables('WITH c AS (SELECT * FROM a.t) SELECT extract(day FROM d) FROM c, u x JOIN "My V" ON ???')
    [('a', 't'), ('u',), ('"My V"',)]
    """
    words = list(tokens(text))
    tables: dict[tuple[str, ...], None] = {}
    defined = {
        words[place].text.casefold()
        for place in range(len(words) - 2)
        if words[place + 1].text.upper() == "AS" and words[place + 2].text.upper() in _QUERIES
    }
    calls: list[bool] = []
    place = 0
    while place < len(words):
        word = words[place].text
        if word == "(":
            before = words[place - 1] if place else None
            calls.append(before is not None and _is_name(before) and before.text.upper() not in _BEFORE_QUERIES)
        elif word == ")" and calls:
            calls.pop()
        elif word.upper() in {"FROM", "JOIN"} and not (calls and calls[-1]):
            place = _listed(words, place + 1, tables)
            continue
        place += 1
    return [parts for parts in tables if len(parts) > 1 or parts[0].casefold() not in defined]


def _listed(words: Sequence[Token], place: int, tables: dict[tuple[str, ...], None]) -> int:
    """Take up the tables that stand here, one after the other with commas between them; where they end."""
    while place < len(words) and _is_name(words[place]):
        if words[place].text.upper() in {"LATERAL", "ONLY"}:
            place += 1
            continue
        parts = [words[place].text]
        place += 1
        while place + 1 < len(words) and words[place].text == "." and _is_name(words[place + 1]):
            parts.append(words[place + 1].text)
            place += 2
        if place < len(words) and words[place].text == "(":
            return place  # a function
        tables[tuple(parts)] = None
        while place < len(words) and _is_name(words[place]) and words[place].text.upper() not in _AFTER_TABLES:
            place += 1  # AS o
        if place >= len(words) or words[place].text != ",":
            return place
        place += 1
    return place


def _is_name(token: Token) -> bool:
    return token.kind == "name" or (token.kind == "string" and token.text.startswith(_QUOTED))


def _nested_brackets(text: str) -> int:
    """How deep square brackets are inside each other.

    >>> _nested_brackets("ARRAY[ARRAY[1], ARRAY[2]]")
    2
    """
    depth = deepest = 0
    for character in text:
        if character == "[":
            depth += 1
            deepest = max(deepest, depth)
        elif character == "]":
            depth = max(0, depth - 1)
    return deepest
