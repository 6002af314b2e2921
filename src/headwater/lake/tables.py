"""The lake's tables: those of the store, with the same columns and keys, and a few that only the lake has."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from headwater.lake.spark_sql import dataset_of_field
from headwater.store.db.dialects import column_types, key_columns

BUCKETS = 16
"""How many buckets a table partitioned by dataset has."""
BUCKET = "bucket"
"""The partition column of buckets; all others are texts."""
BY_HAND = frozenset({"tag", "tagged", "hidden", "namespace", "source"})
"""What people edit over the API; no event has it, so the pipeline leaves it alone."""

# What only a store has: its version, tokens, and the search index, which a load builds again.
_NOT_IN_LAKE = frozenset({"meta", "token", "term", "gram", "term_use"})
_TYPES = {"bigint": "bigint", "smallint": "smallint", "text": "string", "bytea": "binary"}
_DAY_US = 86_400_000_000


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the lake.

    Attributes:
        name: its name.
        columns: names and Spark SQL types.
        key: the columns that identify a row; files are sorted by them.
        parts: the partition columns, each with its Spark SQL expression.
    """

    name: str
    columns: tuple[tuple[str, str], ...]
    key: tuple[str, ...]
    parts: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names."""
        return tuple(name for name, _ in self.columns)

    @property
    def part_names(self) -> tuple[str, ...]:
        """The names of the partition columns."""
        return tuple(name for name, _ in self.parts)

    @property
    def schema(self) -> str:
        """The columns as Spark SQL writes them, without those of partitions.

        >>> TABLES["kin"].schema
        '`field` bigint, `other` bigint, `how` smallint'
        """
        return ", ".join(f"`{name}` {kind}" for name, kind in self.columns)


def columns_of(schema: str) -> tuple[tuple[str, str], ...]:
    """Names and types, from what Spark SQL writes.

    >>> columns_of("shape bigint, stamp binary")
    (('shape', 'bigint'), ('stamp', 'binary'))
    """
    columns = (column.split() for column in schema.split(", "))
    return tuple((name, kind) for name, kind in columns)


def _day(column: str) -> str:
    """The day in UTC, in any session time zone; with integers only, so that no time is out of range."""
    return f"cast(date_from_unix_date(cast((`{column}` - pmod(`{column}`, {_DAY_US})) div {_DAY_US} as int)) as string)"


def _month(column: str) -> str:
    return f"coalesce(substring({_day(column)}, 1, 7), 'unknown')"


def _bucket(dataset: str) -> tuple[str, str]:
    return BUCKET, f"cast(pmod({dataset}, {BUCKETS}) as int)"


def _of_field(column: str) -> str:
    return dataset_of_field(f"`{column}`")


_PARTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "event": (("day", _day("us")),),
    "run": (("month", _month("first_us")),),
    "named": (("month", _month("us")), _bucket("dataset")),
    "version": (("month", _month("us")), _bucket("dataset")),
    "slot": (_bucket("dataset"),),
    "tail": (_bucket("dataset"),),
    "field": (_bucket("dataset"),),
    "mapping": (_bucket("dataset"),),
    "kin": (_bucket(_of_field("field")),),
    "edge": (_bucket(_of_field("out_field")),),
}
# Columns of the store's tables that only the lake has: which shape a body has.
_MORE_COLUMNS = {"body": (("shape", "bigint"),)}
# Written by close for all edges of a moment. A root's name is that of its row in closure_column.
_CLOSURE = (
    Table(
        "closure_root",
        columns_of("dataset bigint, field bigint, root bigint, distance int, class string, masked boolean"),
        ("field", "root"),
        (_bucket("dataset"),),
    ),
    Table(
        "closure_column",
        columns_of(
            "dataset bigint, field bigint, namespace string, name string, path string, roots bigint,"
            " reach_columns bigint, reach_datasets bigint, reach_jobs bigint, orphan boolean, as_of bigint"
        ),
        ("field",),
        (_bucket("dataset"),),
    ),
    Table(
        "column_edge",
        columns_of(
            "in_field bigint, in_namespace string, in_name string, in_path string,"
            " out_field bigint, out_namespace string, out_name string, out_path string,"
            " job bigint, job_namespace string, job_name string, type string, subtype string, masking boolean,"
            " description string, from_us bigint, until_us bigint"
        ),
        ("out_field", "in_field", "job"),
        (_bucket(_of_field("out_field")),),
    ),
)
# Tables that only the lake has: refused events; the last write of each slot; the last event that showed each schema of
# a dataset; and events of jobs without a run, which are few.
_OWN = (
    Table(
        "quarantine",
        columns_of(
            "source string, offset bigint, line bigint, reason string, field string, bytes binary, found_us bigint"
        ),
        ("source", "offset"),
    ),
    Table(
        "tail",
        columns_of(
            "dataset bigint, job bigint, stamp binary, us bigint, mapping bigint, carried smallint, inputs bigint,"
            " removal smallint"
        ),
        ("dataset", "job"),
        _PARTS["tail"],
    ),
    Table(
        "seen_schema",
        columns_of("dataset bigint, schema bigint, us bigint, rank smallint, hash8 binary, role smallint"),
        ("dataset", "schema"),
    ),
    Table("job_event", columns_of("shape bigint, us bigint, stamp binary"), ("shape", "stamp")),
)


def _store_table(name: str, columns: Mapping[str, str]) -> Table:
    own = tuple((column, _TYPES[kind]) for column, kind in columns.items())
    return Table(name, own + _MORE_COLUMNS.get(name, ()), key_columns()[name], _PARTS.get(name, ()))


TABLES: Mapping[str, Table] = MappingProxyType(
    {name: _store_table(name, columns) for name, columns in column_types().items() if name not in _NOT_IN_LAKE}
    | {table.name: table for table in (*_OWN, *_CLOSURE)}
)
"""All tables of a lake, by name."""

STORE_TABLES: tuple[str, ...] = tuple(name for name in column_types() if name in TABLES)
"""Tables that a store has as well."""


def store_columns(name: str) -> tuple[str, ...]:
    """The store's columns of a table, in its order."""
    return tuple(column_types()[name])
