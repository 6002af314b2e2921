"""The lineage of a SQL text that another engine runs, such as the query of a JDBC source.

- `reading`: the whole text
- `queries`, `selects`, `sources`: WITH and UNION, the clauses of SELECT, FROM
- `terms`, `expressions`, `functions`: expressions, as the rules for Spark's expressions read them
- `findings`, `scope`: how names are read, and what they refer to
- `frames`: what a table or a query gives, where not all of its columns are known

sqlglot parses the text. It is imported when the first text comes: most jobs have none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headwater.rules.plan.sources import Relation
from headwater.rules.plan.tree import Dataset

# sqlglot's name for the language of an engine, by the beginning of its JDBC URLs.
_DIALECTS: Mapping[str, str | None] = {
    "awsathena": "athena", "bigquery": "bigquery", "ch": "clickhouse", "clickhouse": "clickhouse",
    "databricks": "databricks", "duckdb": "duckdb", "hive2": "hive", "jtds": "tsql", "mariadb": "mysql",
    "mysql": "mysql", "oracle": "oracle", "postgresql": "postgres", "presto": "presto", "redshift": "redshift",
    "snowflake": "snowflake", "spark": "databricks", "sqlite": "sqlite", "sqlserver": "tsql",
    "teradata": "teradata", "trino": "trino",
    # Another word follows: the name of a database, or the engine that this one imitates.
    "derby": None, "h2": None, "hsqldb": None,
}  # fmt: skip
NOWHERE = Dataset()


@dataclass(frozen=True)
class TextLineage:
    """The lineage of a SQL text.

    Attributes:
        relation: its columns, in order and under the requested names, and what decides its rows.
        reads: every table read, with the columns that are known to be read.
        opaque: what was not understood; where this is not empty, the answer may claim too much, or miss what the text
            does not name.
    """

    relation: Relation
    reads: Mapping[Dataset, tuple[str, ...]]
    opaque: tuple[str, ...] = ()


def dialect_of(url: str) -> str | None:
    """The language of the engine behind a JDBC URL, as sqlglot calls it; None if it knows none.

    >>> dialect_of("jdbc:postgresql://host/db"), dialect_of("jdbc:sqlserver://host;databaseName=db")
    ('postgres', 'tsql')
    >>> dialect_of("jdbc:db2://host/db") is None
    True
    """
    words = re.findall(r"[a-z0-9]+", url.lower().partition("//")[0])
    return next((_DIALECTS[word] for word in words if word in _DIALECTS), None)


def lineage_of_text(
    query: str, dialect: str | None, outputs: Sequence[str], at: Dataset = NOWHERE, *, qualify: bool = False
) -> TextLineage:
    """The lineage of a query that another engine runs.

    Args:
        query: its text.
        dialect: the language, as sqlglot calls it; None for SQL in general.
        outputs: the names of the result's columns, as the engine told Spark.
        at: where the tables are. Each is this dataset with the table's name as it was written.
        qualify: write columns with the name of their table, also if the text reads only one.

    >>> found = lineage_of_text("SELECT id, upper(name) FROM users WHERE age > 17", "postgres", ["id", "upper"])
    >>> [(source.field, mark.how.name) for source, marks in found.relation.rows.items() for mark in marks]
    [('', 'FILTER'), ('age', 'FILTER')]
    """
    from headwater.rules.sqltext.reading import read  # noqa: PLC0415 (only who reads a text needs sqlglot)

    return read(query, dialect, outputs, at, qualify=qualify)
