"""The packages that Spark needs for table formats and topics, by its version; pure."""

from collections.abc import Iterable, Mapping

_TABLES: Mapping[str, Mapping[str, str]] = {
    "3.5": {
        "iceberg": "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.10.0",
        "delta": "io.delta:delta-spark_2.12:3.3.2",
    },
    "4.1": {
        "iceberg": "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0",
        "delta": "io.delta:delta-spark_4.1_2.13:4.1.0",
    },
}
# A class of each, to check that Spark has it; and its mark in the names of jars and packages.
CLASSES: Mapping[str, str] = {
    "iceberg": "org.apache.iceberg.spark.SparkCatalog",
    "delta": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "kafka": "org.apache.spark.sql.kafka010.KafkaSourceProvider",
}
_MARKS: Mapping[str, str] = {"iceberg": "iceberg-spark", "delta": "delta-", "kafka": "sql-kafka"}
_EXTENSIONS: Mapping[str, str] = {
    "delta": "io.delta.sql.DeltaSparkSessionExtension",
    "iceberg": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
}
_PACKAGES = "spark.jars.packages"
_JARS = "spark.jars"
_SQL_EXTENSIONS = "spark.sql.extensions"
_CATALOG = "spark.sql.catalog.spark_catalog"


def package_for(kind: str, version: str) -> str | None:
    """The Maven coordinates for a kind of tables or topics; None where this Spark has none.

    >>> package_for("kafka", "4.1.4")
    'org.apache.spark:spark-sql-kafka-0-10_2.13:4.1.4'
    """
    if kind == "kafka":
        scala = "2.12" if version.startswith("3.") else "2.13"
        return f"org.apache.spark:spark-sql-kafka-0-10_{scala}:{version}"
    return _TABLES.get(version.rpartition(".")[0], {}).get(kind)


def settings_for(kinds: Iterable[str], version: str, given: Mapping[str, str]) -> dict[str, str]:
    """Spark's settings for kinds of tables and topics, beside those of the user.

    >>> settings_for({"kafka"}, "4.1.4", {"spark.jars": "/jars/spark-sql-kafka-0-10_2.13-4.1.3.jar"})
    {}
    >>> settings_for({"delta"}, "3.5.9", {})["spark.jars.packages"]
    'io.delta:delta-spark_2.12:3.3.2'
    """
    # Delta first: on Spark 3.5 Iceberg's rules do not expect another format's tables in an UPDATE.
    needed = sorted(kinds)
    there = given.get(_JARS, "") + given.get(_PACKAGES, "")
    packages = [package for kind in needed if _MARKS[kind] not in there and (package := package_for(kind, version))]
    settings: dict[str, str] = {}
    if packages:
        settings[_PACKAGES] = ",".join(filter(None, [given.get(_PACKAGES), *packages]))
    known = given.get(_SQL_EXTENSIONS, "")
    extensions = [extension for kind in needed if (extension := _EXTENSIONS.get(kind)) and extension not in known]
    if extensions:
        settings[_SQL_EXTENSIONS] = ",".join(filter(None, [known, *extensions]))
    if "delta" in needed and _CATALOG not in given:
        settings[_CATALOG] = CLASSES["delta"]
    return settings
