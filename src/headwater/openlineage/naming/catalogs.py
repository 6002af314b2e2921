"""Tables of catalogs: their names in the catalog, and where it puts them if a plan does not say."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.openlineage.naming.jdbc import from_jdbc, is_jdbc
from headwater.openlineage.naming.locations import Name, authority_of, directory, is_within, place, without_secrets
from headwater.rules.plan.tree import CatalogOf, Dataset

_SPARKS_OWN = "spark_catalog"
_DEFAULT_DATABASE = "default"
_PARTS_WITH_CATALOG = 3
_FOLDER_A_LEVEL = frozenset({"hadoop", "in-memory", "jdbc"})
_FOLDER_A_DATABASE = frozenset({"hive", "glue"})
_NAMED_BY_WAREHOUSE = frozenset({"hadoop", "bigquerymetastore"})


@dataclass(frozen=True)
class Session:
    """A session's settings for its catalogs.

    Attributes:
        warehouse: the directory of the tables of Spark's own catalog, as a URI.
        metastore: the Hive metastore's address, if there is one.
        glue_region: the AWS region, if the metastore or an Iceberg catalog is AWS Glue.
        glue_account: the account (or catalog id) of the Glue catalog.
    """

    warehouse: str
    metastore: str | None = None
    glue_region: str | None = None
    glue_account: str | None = None


def unplaced(session: Session, dataset: Dataset) -> Name:
    """The name of a table whose location the plan does not know, such as one that is yet to be created.

    It is the location where the catalog would put it, if its settings tell: Spark's own catalog, and Iceberg's
    `hadoop`, `jdbc`, `hive` and `glue` with a warehouse. A table of Spark's JDBC catalog has its JDBC name. Any other
    has its name in the catalog, under the catalog's address, or else under the catalog's name in the session. That last
    one is our choice: the OpenLineage agent has no names for tables of catalogs that it does not know.

    >>> unplaced(Session("file:/warehouse"), Dataset(table=("spark_catalog", "sales", "orders")))
    Name(namespace='file', name='/warehouse/sales.db/orders')
    >>> unplaced(Session("file:/warehouse"), Dataset(table=("lake", "sales", "orders")))
    Name(namespace='lake', name='sales.orders')
    """
    catalog, parts = _catalog_and_parts(dataset)
    if catalog is None:
        return place(f"{session.warehouse.rstrip('/')}/{_folders(parts)}")
    if catalog.uri is not None and _is_database(catalog):
        return from_jdbc(catalog.uri, parts)
    warehouse = catalog.warehouse or (session.warehouse if catalog.name == _SPARKS_OWN else "")
    if warehouse and catalog.type in _FOLDER_A_LEVEL:
        return place(f"{warehouse.rstrip('/')}/{'/'.join(parts)}")
    if warehouse and catalog.type in _FOLDER_A_DATABASE:
        return place(f"{warehouse.rstrip('/')}/{_folders(parts)}")
    return _name_in_catalog(session, catalog, parts) or Name(catalog.name, ".".join(parts))


def is_settled(dataset: Dataset) -> bool:
    """Whether the name that `unplaced` gives to a table is where the table is, or its only name.

    A database of Spark's own catalog or of a Hive metastore may have a location of its own, and other catalogs decide
    where they put a table.

    >>> lake = CatalogOf("lake", type="hadoop", framework="iceberg", warehouse="s3://lake")
    >>> is_settled(Dataset(table=("lake", "db", "t"), catalog=lake)), is_settled(Dataset(table=("db", "t")))
    (True, False)
    """
    catalog, _ = _catalog_and_parts(dataset)
    if catalog is None:
        return False
    return _is_database(catalog) or (catalog.type in _FOLDER_A_LEVEL and bool(catalog.warehouse))


def symlink(session: Session, dataset: Dataset) -> Name | None:
    """The name of a table in its catalog, or None if that name means nothing elsewhere.

    >>> symlink(Session("file:/warehouse"), Dataset(table=("spark_catalog", "sales", "orders")))
    Name(namespace='file:/warehouse', name='sales.orders')
    >>> symlink(Session("", glue_region="eu-west-1", glue_account="123"), Dataset(table=("sales", "orders")))
    Name(namespace='arn:aws:glue:eu-west-1:123', name='table/sales/orders')
    """
    # `delta.`/path/to/table`` has a path instead of a name.
    if not dataset.table or "/" in dataset.table[-1]:
        return None
    catalog, parts = _catalog_and_parts(dataset)
    if catalog is not None:
        return None if _is_database(catalog) else _name_in_catalog(session, catalog, parts)
    parts = _with_database(parts)
    if (glue := _glue(session, parts)) is not None:
        return glue
    if session.metastore is not None:
        return Name(f"hive://{authority_of(session.metastore)}", ".".join(parts))
    # Without a metastore, only the warehouse that contains a table identifies it.
    if dataset.location is None or is_within(dataset.location, session.warehouse):
        return Name(directory(session.warehouse), ".".join(parts))
    return None


def _name_in_catalog(session: Session, catalog: CatalogOf, parts: tuple[str, ...]) -> Name | None:
    """A table's name in a catalog other than Spark's own, if the catalog has an address."""
    if catalog.type == "glue":
        return _glue(session, parts)
    dotted = ".".join(parts)
    if catalog.type == "hive":
        metastore = catalog.uri or session.metastore
        return Name(f"hive://{authority_of(metastore)}", dotted) if metastore else None
    if catalog.type == "unity" and catalog.uri:
        return Name(f"unitycatalog://{authority_of(catalog.uri)}", f"{catalog.name}.{dotted}")
    if catalog.uri and catalog.type not in _NAMED_BY_WAREHOUSE:
        return Name(without_secrets(catalog.uri), dotted)
    return Name(directory(catalog.warehouse), dotted) if catalog.warehouse else None


def _glue(session: Session, parts: tuple[str, ...]) -> Name | None:
    if not session.glue_region or not session.glue_account:
        return None
    return Name(f"arn:aws:glue:{session.glue_region}:{session.glue_account}", f"table/{'/'.join(parts)}")


def _catalog_and_parts(dataset: Dataset) -> tuple[CatalogOf | None, tuple[str, ...]]:
    """The catalog of a table, None if it is Spark's own, and the table's name in it."""
    table, catalog = dataset.table, dataset.catalog
    named_first = len(table) > 1 and table[0] == (catalog.name if catalog else _SPARKS_OWN)
    parts = table[1:] if named_first else table
    if catalog is None and not named_first and len(table) >= _PARTS_WITH_CATALOG:
        return CatalogOf(table[0]), table[1:]
    if catalog is not None and catalog.name == _SPARKS_OWN and not _replaces_sparks_own(catalog):
        return None, parts
    return catalog, parts


def _is_database(catalog: CatalogOf) -> bool:
    """Whether a catalog is Spark's view of a database, not a lake that keeps its list of tables in one."""
    return catalog.framework != "iceberg" and is_jdbc(catalog.uri or "")


def _replaces_sparks_own(catalog: CatalogOf) -> bool:
    """Whether a catalog named like Spark's own keeps the tables itself. Delta's does not: it only extends Spark's."""
    return catalog.framework == "iceberg" or catalog.type == "unity"


def _folders(parts: tuple[str, ...]) -> str:
    """Where Hive puts a table whose database has no location of its own."""
    *databases, name = _with_database(parts)
    database = ".".join(databases)
    return name if database == _DEFAULT_DATABASE else f"{database}.db/{name}"


def _with_database(parts: tuple[str, ...]) -> tuple[str, ...]:
    return parts if len(parts) > 1 else (_DEFAULT_DATABASE, *parts)
