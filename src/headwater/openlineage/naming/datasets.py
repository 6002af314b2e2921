"""Names of datasets by OpenLineage's rules: the physical location first, the catalog's name as a symlink.

docs/naming.md has the names as a table. `Catalog` combines all rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache

from headwater.openlineage.model.limits import bounded_name
from headwater.openlineage.naming import catalogs
from headwater.openlineage.naming.catalogs import Session
from headwater.openlineage.naming.java_regex import compile_java
from headwater.openlineage.naming.locations import Name, place
from headwater.openlineage.naming.partitions import partition_columns, trimmed, trimmers
from headwater.openlineage.naming.resolvers import Resolvers
from headwater.openlineage.naming.systems import is_in_system, name_in_system
from headwater.rules.plan.tree import Dataset

__all__ = ["Catalog", "Name", "from_location"]

_REMOVE_PATH = "dataset.removePath.pattern"


@dataclass(frozen=True)
class Catalog(Session):
    """Names datasets, by the session's catalogs and the user's settings.

    Attributes:
        resolve: rewrites every namespace.
        remove_path: a Java regular expression; the match of its group `remove` is cut out of every name.
        disabled_trimmers: which partitions stay in names, as class names of the OpenLineage agent between semicolons.
    """

    resolve: Resolvers = field(default_factory=Resolvers)
    remove_path: str | None = None
    disabled_trimmers: str = ""

    def __post_init__(self) -> None:
        """Refuse invalid settings now, with a ValueError that names them, and not at the first dataset."""
        trimmers(self.disabled_trimmers)
        _removal(self.remove_path)

    def __hash__(self) -> int:
        # Computed at every edge of a facet: two texts distinguish sessions well enough.
        return hash((self.warehouse, self.metastore))

    def name(self, dataset: Dataset) -> Name | None:
        """The dataset's name, or None if the plan does not say where it is.

        >>> catalog = Catalog("file:/warehouse")
        >>> catalog.name(Dataset(location="s3a://lake/orders/day=2024-05-01"))
        Name(namespace='s3://lake', name='orders')
        >>> catalog.name(Dataset(table=("spark_catalog", "default", "orders")))
        Name(namespace='file', name='/warehouse/orders')
        """
        return _name(self, dataset)

    def is_certain(self, dataset: Dataset) -> bool:
        """Whether the dataset keeps its name once its location is known.

        >>> catalog = Catalog("file:/warehouse")
        >>> catalog.is_certain(Dataset("file:/in")), catalog.is_certain(Dataset(table=("spark_catalog", "db", "t")))
        (True, False)
        """
        if dataset.identity is not None or dataset.location is not None or is_in_system(dataset):
            return True
        return not dataset.table or catalogs.is_settled(dataset)

    def is_part(self, dataset: Dataset) -> bool:
        """Whether the dataset is a part of its name: partitions, dates or the user's pattern were cut out of it.

        >>> catalog = Catalog("file:/warehouse")
        >>> catalog.is_part(Dataset("s3a://lake/orders/day=1")), catalog.is_part(Dataset("s3a://lake/orders"))
        (True, False)
        """
        full, name = _name_without_settings(self, dataset), self.name(dataset)
        return full is not None and name is not None and full.name.rstrip("/") != name.name.rstrip("/")

    def partition_columns(self, dataset: Dataset) -> dict[str, str]:
        """The columns, with their types, in the names of the folders that were cut out of the dataset's name.

        >>> Catalog("file:/warehouse").partition_columns(Dataset("s3a://lake/orders/country=de/day=1"))
        {'country': 'string', 'day': 'integer'}
        """
        name = _name_without_settings(self, dataset)
        return partition_columns(trimmed(name.name, trimmers(self.disabled_trimmers)).partitions if name else ())

    def symlink(self, dataset: Dataset) -> Name | None:
        """The catalog's own name for a table.

        >>> Catalog("file:/warehouse").symlink(Dataset(table=("spark_catalog", "sales", "orders")))
        Name(namespace='file:/warehouse', name='sales.orders')
        """
        link = None if is_in_system(dataset) else catalogs.symlink(self, dataset)
        if link is None or link == _name_without_settings(self, dataset):
            return None
        return Name(bounded_name(self.resolve(link.namespace)), bounded_name(link.name))


def from_location(location: str) -> Name:
    """A dataset's name from its location, without partitions.

    >>> from_location("file:/data/orders"), from_location("hdfs://nn:8020/data/orders/day=1")
    (Name(namespace='file', name='/data/orders'), Name(namespace='hdfs://nn:8020', name='/data/orders'))
    """
    name = place(location)
    return Name(name.namespace, trimmed(name.name).name)


# A facet of ten thousand columns asks for the same few datasets again and again.
@lru_cache(maxsize=4096)
def _name(catalog: Catalog, dataset: Dataset) -> Name | None:
    name = _name_without_settings(catalog, dataset)
    if name is None:
        return None
    trimmed_name = trimmed(name.name, trimmers(catalog.disabled_trimmers)).name
    shown = _removed(trimmed_name, _removal(catalog.remove_path))
    return Name(bounded_name(catalog.resolve(name.namespace)), bounded_name(shown))


def _name_without_settings(session: Session, dataset: Dataset) -> Name | None:
    """The name before the user's settings apply."""
    if dataset.identity is not None:
        return _identified(session, dataset, *dataset.identity)
    if is_in_system(dataset):
        return name_in_system(dataset)
    if dataset.location is not None:
        return place(dataset.location)
    return catalogs.unplaced(session, dataset) if dataset.table else None


def _identified(session: Session, dataset: Dataset, namespace: str, name: str) -> Name | None:
    """The name that the table's properties set; a part that they leave out comes from its usual name."""
    if namespace and not name and dataset.location is None:
        name = ".".join(dataset.table)  # a table in a query that the properties contain
    if namespace and name:
        return Name(namespace, name)
    default = _name_without_settings(session, replace(dataset, identity=None))
    return default and Name(namespace or default.namespace, name or default.name)


@lru_cache(maxsize=16)
def _removal(pattern: str | None) -> re.Pattern[str] | None:
    if not pattern:
        return None
    compiled = compile_java(pattern, _REMOVE_PATH)
    if "remove" not in compiled.groupindex:
        raise ValueError(
            f"{_REMOVE_PATH} has no group named remove: {pattern!r}. Write (?<remove>…) around the part of the"
            " name to remove."
        )
    return compiled


def _removed(name: str, pattern: re.Pattern[str] | None) -> str:
    match = pattern.search(name) if pattern else None
    return name[: match.start("remove")] + name[match.end("remove") :] if match and match["remove"] else name
