"""The session's catalogs, from its settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from headwater.capture.jvm.datasets import Catalogs
from headwater.openlineage.naming.datasets import Catalog
from headwater.openlineage.naming.locations import without_secrets
from headwater.openlineage.naming.resolvers import Resolvers
from headwater.rules.plan.tree import CatalogOf

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_GLUE_CLIENT = "AWSGlueDataCatalogHiveClientFactory"
# How Iceberg's own catalog classes keep their tables.
_IMPLEMENTATIONS = {
    "GlueCatalog": "glue",
    "HadoopCatalog": "hadoop",
    "HiveCatalog": "hive",
    "InMemoryCatalog": "in-memory",
    "JdbcCatalog": "jdbc",
    "NessieCatalog": "nessie",
    "RESTCatalog": "rest",
}


def catalog_of(
    spark: SparkSession,
    *,
    resolve: Resolvers | None = None,
    remove_path: str | None = None,
    disabled_trimmers: str = "",
) -> Catalog:
    """The naming of the session's datasets: where its tables are, and the user's settings for names.

    Raises:
        ValueError: a setting for names is invalid; the message says which and why.
    """
    conf = dict(spark.sparkContext.getConf().getAll())
    return Catalog(
        warehouse=spark.conf.get("spark.sql.warehouse.dir") or "",
        metastore=_metastore(conf),
        glue_region=os.environ.get("AWS_DEFAULT_REGION") or os.environ.get("AWS_REGION"),
        glue_account=_glue_account(conf),
        resolve=resolve or Resolvers(),
        remove_path=remove_path,
        disabled_trimmers=disabled_trimmers,
    )


def _metastore(conf: dict[str, str]) -> str | None:
    if conf.get("spark.sql.catalogImplementation") != "hive":
        return None
    keys = ("spark.sql.hive.metastore.uris", "spark.hadoop.hive.metastore.uris", "hive.metastore.uris")
    return next((conf[key] for key in keys if conf.get(key)), None)


def _glue_account(conf: dict[str, str]) -> str | None:
    uses_glue = any(
        (key.endswith("hive.metastore.client.factory.class") and value.endswith(_GLUE_CLIENT))
        or (key.endswith("catalog-impl") and value.endswith("GlueCatalog"))
        for key, value in conf.items()
    )
    keys = ("spark.glue.accountId", "spark.hadoop.hive.metastore.glue.catalogid", "hive.metastore.glue.catalogid")
    return next((conf[key] for key in keys if conf.get(key)), None) if uses_glue else None


def catalogs_in(message: Mapping[str, Any], otherwise: Catalogs) -> Catalogs:
    """A function that returns a catalog by its name, as the session of a message has it.

    Sessions of one application may keep a catalog of the same name in different places. A catalog that the message does
    not have is left to `otherwise`. `reader/datasets/CatalogSettings.java` documents the form.

    >>> catalogs_in({"catalogs": {"lake": {"": "x.iceberg.Y", "type": "hadoop", "warehouse": "/a"}}}, CatalogOf)("lake")
    CatalogOf(name='lake', type='hadoop', framework='iceberg', warehouse='/a', uri=None)
    """
    known = message.get("catalogs", {})

    def catalog(name: str) -> CatalogOf:
        settings = known.get(name)
        return otherwise(name) if settings is None else from_settings(name, settings.get("", ""), settings)

    return catalog


def catalogs_of(spark: SparkSession) -> Catalogs:
    """A function that returns a catalog of a session by its name."""

    @lru_cache(maxsize=256)
    def catalog(name: str) -> CatalogOf:
        def setting(key: str = "") -> str:
            return spark.conf.get(f"spark.sql.catalog.{name}{key}", "") or ""

        return from_settings(name, setting(), {key: setting(f".{key}") for key in _SETTINGS})

    return catalog


_SETTINGS = ("type", "catalog-impl", "warehouse", "uri", "url")


def from_settings(name: str, class_name: str, settings: Mapping[str, str]) -> CatalogOf:
    """A catalog by its class and its settings.

    >>> from_settings("lake", "org.apache.iceberg.spark.SparkCatalog", {"type": "hadoop", "warehouse": "s3://lake"})
    CatalogOf(name='lake', type='hadoop', framework='iceberg', warehouse='s3://lake', uri=None)
    """
    kind, framework = settings.get("type", ""), ""
    if ".iceberg." in class_name:
        framework = "iceberg"
        kind = kind or _IMPLEMENTATIONS.get(settings.get("catalog-impl", "").rpartition(".")[2], "") or "hive"
    elif ".delta." in class_name:
        framework = "delta"
    elif "unitycatalog" in class_name:
        framework, kind = "unity", "unity"
    elif class_name.endswith("JDBCTableCatalog"):
        framework, kind = "jdbc", "jdbc"
    uri = settings.get("uri") or settings.get("url") or None
    if uri is not None and framework != "jdbc":  # the naming of JDBC tables removes secrets itself
        uri = without_secrets(uri)
    return CatalogOf(name, kind.lower(), framework, settings.get("warehouse") or None, uri)
