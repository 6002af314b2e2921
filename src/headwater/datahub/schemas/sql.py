"""Tables and types in SQL as trees, read by sqlglot: CREATE TABLE of Hive, Spark or ANSI SQL; DDL strings of Spark."""

import logging
from collections.abc import Iterator
from typing import Any

import sqlglot
from sqlglot import exp

from headwater.datahub.schemas.column_types import column_type
from headwater.datahub.schemas.libraries import plain_errors
from headwater.fields.errors import BadSchema
from headwater.fields.schema_tree import Array, Field, Limits, Map, Record, Schema, Style, Type, Union, check_brackets

# ROW types are standard SQL, and only some dialects of sqlglot read them.
_ANSI = ("", "trino")


def from_hive(text: str) -> Schema:
    """Read a CREATE TABLE of Hive; partition columns are columns, after the others.

    >>> table = from_hive("CREATE TABLE t (a int) PARTITIONED BY (day string)")
    >>> [field.name for field in table.root.fields]
    ['a', 'day']
    """
    return _table(text, ("hive", "spark"), "Hive table")


def from_sql(text: str) -> Schema:
    """Read a CREATE TABLE of ANSI SQL."""
    return _table(text, _ANSI, "SQL table")


def from_spark_ddl(text: str) -> Schema:
    """Read Spark's DDL string, `a INT, b STRUCT<c: STRING>`, the same inside `struct<…>`, or a CREATE TABLE.

    >>> [field.name for field in from_spark_ddl("a INT, b STRUCT<c: STRING>").root.fields]
    ['a', 'b']
    """
    bare = text.strip()
    if bare.lower().startswith("create"):
        return _table(bare, ("spark",), "Spark table")
    if bare.lower().startswith("struct<") and bare.endswith(">"):
        with plain_errors("Spark type", bare):
            type_ = _Reader("spark").type(exp.DataType.build(bare, dialect="spark"), 0)
        return Schema(Record("", type_.fields) if isinstance(type_, Record) else type_, Style.COLUMNS)
    return _table(f"CREATE TABLE t ({bare})", ("spark",), "Spark schema")


def type_of(text: str) -> Type | None:
    """A type as Spark writes it, `array<struct<a:int>>`; None where it is none."""
    try:
        check_brackets(text)
        return _Reader("spark").type(exp.DataType.build(text, dialect="spark"), 0)
    except (sqlglot.errors.SqlglotError, BadSchema, RecursionError, ValueError):
        return None


def _table(text: str, dialects: tuple[str, ...], source: str) -> Schema:
    with plain_errors(source, text):
        dialect, statements = _parsed(text, dialects)
        tables = [create for create in statements if isinstance(create, exp.Create) and create.kind == "TABLE"]
        if len(tables) != 1:
            raise BadSchema(f"The {source} must be one CREATE TABLE statement with columns, not {len(tables)}.")
        fields = tuple(_Reader(dialect).columns(tables[0]))
        if not fields:
            raise BadSchema(f"The {source} has no columns: write them as CREATE TABLE t (a INT).")
        return Schema(Record("", fields), Style.COLUMNS)


def _parsed(text: str, dialects: tuple[str, ...]) -> tuple[str, list[Any]]:
    """The statements in the first dialect that reads them; the error of the first where none does."""
    logger = logging.getLogger("sqlglot")
    level = logger.level
    logger.setLevel(logging.ERROR)  # errors are reported by this module
    try:
        first: sqlglot.errors.SqlglotError | None = None
        for dialect in dialects:
            try:
                return dialect, list(sqlglot.parse(text, dialect=dialect or None))
            except sqlglot.errors.SqlglotError as error:  # noqa: PERF203  two dialects at most
                first = first or error
        raise first or BadSchema("No SQL dialect can read the table.")
    finally:
        logger.setLevel(level)


class _Reader:
    """Turns sqlglot's types into ours."""

    def __init__(self, dialect: str) -> None:
        self._dialect = dialect
        self._limits = Limits()
        self._natives: dict[str, str] = {}

    def columns(self, table: exp.Create) -> Iterator[Field]:
        """The columns of a table, then those that it is partitioned by."""
        seen: set[str] = set()
        properties = table.args.get("properties")
        others = properties.expressions if properties is not None else ()
        partitions = [prop.this for prop in others if isinstance(prop, exp.PartitionedByProperty)]
        for part in (table.this, *partitions):
            for column in part.expressions if isinstance(part, exp.Schema) else ():
                if isinstance(column, exp.ColumnDef) and column.name not in seen:
                    seen.add(column.name)
                    yield self._field(column, 0)

    def type(self, type_: Any, depth: int) -> Type:  # noqa: ANN401  sqlglot's
        """One type."""
        depth = self._limits.enter(depth)
        kind = getattr(getattr(type_, "this", None), "name", "")
        inside = type_.expressions if isinstance(type_, exp.DataType) else []
        if kind in {"STRUCT", "OBJECT"} and inside:
            return Record("struct", tuple(self._field(part, depth, index) for index, part in enumerate(inside)))
        if kind in {"ARRAY", "LIST"} and inside:
            return Array(self.type(inside[0], depth))
        if kind == "MAP" and len(inside) == 2:  # noqa: PLR2004  key and value
            return Map(self.type(inside[0], depth), self.type(inside[1], depth))
        if kind == "UNION" and inside:
            return Union(tuple(self._field(part, depth, index) for index, part in enumerate(inside)))
        return column_type(self._native(type_, kind))

    def _native(self, type_: Any, kind: str) -> str:  # noqa: ANN401  sqlglot's
        """A type as the dialect writes it; plain names are cached, as sqlglot takes long to write them."""
        if type_ is None:
            return "unknown"
        plain = bool(kind) and not any(value for name, value in type_.args.items() if name != "this")
        if plain and kind in self._natives:
            return self._natives[kind]
        native = str(type_.sql(dialect=self._dialect or None)).lower()
        if plain:
            self._natives[kind] = native
        return native

    def _field(self, column: Any, depth: int, index: int = 0) -> Field:  # noqa: ANN401  sqlglot's
        if not isinstance(column, exp.ColumnDef):  # a ROW may leave its fields without names
            return Field(f"_{index}", self.type(column, depth), nullable=True)
        kinds = [constraint.kind for constraint in column.constraints]
        required = any(
            isinstance(kind, exp.PrimaryKeyColumnConstraint)
            or (isinstance(kind, exp.NotNullColumnConstraint) and not kind.args.get("allow_null"))
            for kind in kinds
        )
        words = next((kind.this.name for kind in kinds if isinstance(kind, exp.CommentColumnConstraint)), "")
        return Field(column.name, self.type(column.kind, depth), not required, words)
