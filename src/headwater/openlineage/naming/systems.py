"""Datasets in other systems: neither files nor tables of one of Spark's catalogs.

Where the OpenLineage agent and the specification disagree, names are the agent's: Cosmos `/colls/…` (`colls/…` in the
specification), Kusto's database in the namespace (in the name in the specification).
"""

from __future__ import annotations

from headwater.openlineage.naming.jdbc import from_jdbc, is_jdbc, snowflake, without_quotes
from headwater.openlineage.naming.locations import Name, authority_of, without_secrets
from headwater.rules.plan.tree import Dataset

_COSMOS = "com.azure.cosmos.spark.items."
_COSMOS_PARTS = 3
_KAFKA = "kafka://"
_KUSTO = "azurekusto://"


def is_in_system(dataset: Dataset) -> bool:
    """Whether a dataset is in another system, by its format, its location, or its table."""
    location = dataset.location or ""
    return (
        dataset.format in {"bigquery", "snowflake"}
        or is_jdbc(location)
        or location.startswith((_KAFKA, _KUSTO))
        or ".".join(dataset.table).startswith(_COSMOS)
    )


def name_in_system(dataset: Dataset) -> Name | None:
    """The name of a dataset in another system, or None if the plan does not say which table or topic it is.

    >>> name_in_system(Dataset("kafka://broker:9092", ("clicks",), "kafka"))
    Name(namespace='kafka://broker:9092', name='clicks')
    >>> name_in_system(Dataset(None, ("project", "sales", "orders"), "bigquery"))
    Name(namespace='bigquery', name='project.sales.orders')
    >>> name_in_system(Dataset("https://org-account.snowflakecomputing.com", ("db", "public", "t"), "snowflake"))
    Name(namespace='snowflake://org-account', name='db.public.t')
    """
    location, dotted = dataset.location or "", ".".join(dataset.table)
    if dataset.format == "bigquery":
        return Name("bigquery", dotted.replace(":", ".")) if dotted else None
    if dotted.startswith(_COSMOS):
        return _cosmos(dotted.removeprefix(_COSMOS))
    return _at(location, dataset) if location and dotted else None


def _at(location: str, dataset: Dataset) -> Name:
    dotted = ".".join(dataset.table)
    if is_jdbc(location):
        return from_jdbc(location, dataset.table)
    if location.startswith(_KAFKA):
        return Name(_KAFKA + authority_of(location), dotted)
    if location.startswith(_KUSTO):
        return Name(without_secrets(location), dotted)
    return Name(snowflake(authority_of(location)), ".".join(map(without_quotes, dataset.table)))


def _cosmos(container: str) -> Name:
    parts = container.split(".", _COSMOS_PARTS - 1)
    if len(parts) < _COSMOS_PARTS:
        return Name("azurecosmos", container)
    account, database, collection = parts
    return Name(f"azurecosmos://{account}.documents.azure.com/dbs/{database}", f"/colls/{collection}")
