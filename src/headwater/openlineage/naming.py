"""Datasets by OpenLineage's naming rules: the physical place first, the catalog's name as a symlink."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from openlineage.client.dataset.trimmers import KeyValueTrimmer

from headwater.rules.tree import Dataset

_OBJECT_STORES = {"s3": "s3", "s3a": "s3", "s3n": "s3", "gs": "gs"}
_NO_LEADING_SLASH = frozenset({"s3", "gs", "abfs", "abfss", "wasb", "wasbs"})
_SESSION_CATALOG = "spark_catalog"
_DEFAULT_DATABASE = "default"


class Name(NamedTuple):
    """A dataset's name in two parts."""

    namespace: str
    name: str


@dataclass(frozen=True)
class Catalog:
    """What the session says about where tables without a place of their own are.

    Attributes:
        warehouse: the directory of managed tables, as a URI.
        metastore: the Hive metastore's address, where there is one.
    """

    warehouse: str
    metastore: str | None = None

    def name(self, dataset: Dataset) -> Name | None:
        """The dataset's name, or None if the plan does not say where it is.

        >>> catalog = Catalog("file:/warehouse")
        >>> catalog.name(Dataset(location="s3a://lake/orders/day=2024-05-01"))
        Name(namespace='s3://lake', name='orders')
        >>> catalog.name(Dataset(table=("spark_catalog", "default", "orders")))
        Name(namespace='file', name='/warehouse/orders')
        """
        return _named(self, dataset)

    def symlink(self, dataset: Dataset) -> Name | None:
        """The catalog's own name for a table.

        >>> Catalog("file:/warehouse").symlink(Dataset(table=("spark_catalog", "sales", "orders")))
        Name(namespace='file:/warehouse', name='sales.orders')
        """
        if not dataset.table:
            return None
        namespace = self.warehouse.rstrip("/")
        if self.metastore is not None:
            namespace = f"hive://{urlsplit(self.metastore.split(',')[0]).netloc}"
        return Name(namespace, ".".join(_database_and_table(dataset.table)))


@lru_cache(maxsize=4096)
def _named(catalog: Catalog, dataset: Dataset) -> Name | None:
    if dataset.location is not None:
        return from_location(dataset.location)
    if not dataset.table:
        return None
    return from_location(f"{catalog.warehouse.rstrip('/')}/{_directory(dataset.table)}")


def _directory(table: tuple[str, ...]) -> str:
    """Where Spark puts a managed table of a database that has no place of its own."""
    database, name = _database_and_table(table)
    return name if database == _DEFAULT_DATABASE else f"{database}.db/{name}"


def from_location(location: str) -> Name:
    """A dataset's name from its place, without its partition.

    >>> from_location("file:/data/orders"), from_location("hdfs://nn:8020/data/orders")
    (Name(namespace='file', name='/data/orders'), Name(namespace='hdfs://nn:8020', name='/data/orders'))
    """
    parts = urlsplit(location)
    # A user or key that stands in an authority is a secret; a container's name before the @ is not.
    path = unquote(parts.path).rstrip("/") or "/"
    scheme = _OBJECT_STORES.get(parts.scheme, parts.scheme)
    if scheme in {"", "file"}:
        return Name("file", _without_partitions(path))
    authority = parts.netloc
    if ":" in authority.rpartition("@")[0]:
        authority = authority.rpartition("@")[2]
    if scheme in _NO_LEADING_SLASH:
        path = path.lstrip("/") or "/"
    return Name(f"{scheme}://{authority}", _without_partitions(path))


def _without_partitions(path: str) -> str:
    trimmer = KeyValueTrimmer()
    while (shorter := trimmer.trim(path)) != path:
        path = shorter
    return path


def _database_and_table(table: tuple[str, ...]) -> tuple[str, str]:
    parts = table[1:] if table[0] == _SESSION_CATALOG and len(table) > 1 else table
    return (".".join(parts[:-1]) or _DEFAULT_DATABASE, parts[-1])
