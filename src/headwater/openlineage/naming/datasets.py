"""Datasets by OpenLineage's naming rules: the physical place first, the catalog's name as a symlink.

docs/naming.md has the names as a table. `Catalog` is where all rules come together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache

from headwater.openlineage.naming import catalogs
from headwater.openlineage.naming.catalogs import Session
from headwater.openlineage.naming.java_regex import compile_java
from headwater.openlineage.naming.locations import Name, place
from headwater.openlineage.naming.partitions import trimmed, trimmers
from headwater.openlineage.naming.resolvers import Resolvers
from headwater.openlineage.naming.systems import is_in_system, name_in_system
from headwater.rules.plan.tree import Dataset

__all__ = ["Catalog", "Name", "from_location"]

_REMOVE_PATH = "dataset.removePath.pattern"


@dataclass(frozen=True)
class Catalog(Session):
    """Names datasets, by what the session says about its catalogs and by what its user set.

    Attributes:
        resolve: rewrites every namespace.
        remove_path: a regular expression in Java's words; what its group `remove` matches is taken out of every name.
        disabled_trimmers: which partitions stay in names, as class names of the OpenLineage agent between semicolons.
    """

    resolve: Resolvers = field(default_factory=Resolvers)
    remove_path: str | None = None
    disabled_trimmers: str = ""

    def __post_init__(self) -> None:
        """Refuse settings that cannot work now, with a ValueError that says which, and not at the first dataset."""
        trimmers(self.disabled_trimmers)
        _removal(self.remove_path)

    def __hash__(self) -> int:
        # It is asked for at every edge of a facet: two texts tell sessions apart well enough.
        return hash((self.warehouse, self.metastore))

    def name(self, dataset: Dataset) -> Name | None:
        """The dataset's name, or None if the plan does not say where it is.

        >>> catalog = Catalog("file:/warehouse")
        >>> catalog.name(Dataset(location="s3a://lake/orders/day=2024-05-01"))
        Name(namespace='s3://lake', name='orders')
        >>> catalog.name(Dataset(table=("spark_catalog", "default", "orders")))
        Name(namespace='file', name='/warehouse/orders')
        """
        return _named(self, dataset)

    def is_part(self, dataset: Dataset) -> bool:
        """Whether the name stands for more than this place: partitions, dates or a set pattern were taken out of it.

        >>> catalog = Catalog("file:/warehouse")
        >>> catalog.is_part(Dataset("s3a://lake/orders/day=1")), catalog.is_part(Dataset("s3a://lake/orders"))
        (True, False)
        """
        found, name = _found(self, dataset), self.name(dataset)
        return found is not None and name is not None and found.name.rstrip("/") != name.name.rstrip("/")

    def symlink(self, dataset: Dataset) -> Name | None:
        """The catalog's own name for a table.

        >>> Catalog("file:/warehouse").symlink(Dataset(table=("spark_catalog", "sales", "orders")))
        Name(namespace='file:/warehouse', name='sales.orders')
        """
        found = None if is_in_system(dataset) else catalogs.symlink(self, dataset)
        if found is None or found == _found(self, dataset):
            return None
        return Name(self.resolve(found.namespace), found.name)


def from_location(location: str) -> Name:
    """A dataset's name from its place, without its partition.

    >>> from_location("file:/data/orders"), from_location("hdfs://nn:8020/data/orders/day=1")
    (Name(namespace='file', name='/data/orders'), Name(namespace='hdfs://nn:8020', name='/data/orders'))
    """
    found = place(location)
    return Name(found.namespace, trimmed(found.name).name)


# A facet of ten thousand columns asks for the same few datasets again and again.
@lru_cache(maxsize=4096)
def _named(catalog: Catalog, dataset: Dataset) -> Name | None:
    found = _found(catalog, dataset)
    if found is None:
        return None
    name = trimmed(found.name, trimmers(catalog.disabled_trimmers)).name
    return Name(catalog.resolve(found.namespace), _removed(name, _removal(catalog.remove_path)))


def _found(session: Session, dataset: Dataset) -> Name | None:
    """The name before any setting of the user's."""
    if dataset.identity is not None:
        return _identified(session, dataset, *dataset.identity)
    if is_in_system(dataset):
        return name_in_system(dataset)
    if dataset.location is not None:
        return place(dataset.location)
    return catalogs.unplaced(session, dataset) if dataset.table else None


def _identified(session: Session, dataset: Dataset, namespace: str, name: str) -> Name | None:
    """The name that the table's properties ask for; the part that they leave out is that of its other name."""
    if namespace and not name and dataset.location is None:
        name = ".".join(dataset.table)  # a table in a query that the properties hold
    if namespace and name:
        return Name(namespace, name)
    otherwise = _found(session, replace(dataset, identity=None))
    return otherwise and Name(namespace or otherwise.namespace, name or otherwise.name)


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
    found = pattern.search(name) if pattern else None
    return name[: found.start("remove")] + name[found.end("remove") :] if found and found["remove"] else name
