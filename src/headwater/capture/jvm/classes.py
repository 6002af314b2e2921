"""All of Spark's operators and expressions: every concrete class in its jars."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PACKAGES = ("org/apache/spark/sql/catalyst/", "org/apache/spark/sql/execution/")
_JARS = ("spark-catalyst_*.jar", "spark-sql_*.jar", "spark-sql-api_*.jar")
_PLAN = "org.apache.spark.sql.catalyst.plans.logical.LogicalPlan"
_COMMAND = "org.apache.spark.sql.catalyst.plans.logical.Command"
_EXPRESSION = "org.apache.spark.sql.catalyst.expressions.Expression"


class SparkClass(NamedTuple):
    """An operator or an expression, by the name that the reader gives it."""

    name: str
    is_operator: bool
    is_command: bool


def spark_classes(spark: SparkSession) -> list[SparkClass]:
    """All concrete operators and expressions of the running Spark, by name."""
    gateway: Any = spark.sparkContext._gateway  # noqa: SLF001
    jvm = gateway.jvm
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    plan, command, expression = (loader.loadClass(name) for name in (_PLAN, _COMMAND, _EXPRESSION))
    abstract = jvm.java.lang.reflect.Modifier.isAbstract
    classes: set[SparkClass] = set()
    for name in _class_names():
        try:
            class_ = loader.loadClass(name)
        except Exception:  # noqa: BLE001, S112 (a class whose optional dependency is missing cannot be in a plan)
            continue
        is_operator = plan.isAssignableFrom(class_)
        if (is_operator or expression.isAssignableFrom(class_)) and not abstract(class_.getModifiers()):
            short = name.rpartition(".")[2].removesuffix("$")
            classes.add(SparkClass(short, is_operator, is_operator and command.isAssignableFrom(class_)))
    return sorted(classes)


def _class_names() -> Iterator[str]:
    import pyspark  # noqa: PLC0415 (the one that runs)

    jars = Path(pyspark.__file__).parent / "jars"
    for pattern in _JARS:
        for jar in jars.glob(pattern):
            with zipfile.ZipFile(jar) as archive:
                for entry in archive.namelist():
                    if entry.startswith(_PACKAGES) and entry.endswith(".class") and "$anon" not in entry:
                        yield entry.removesuffix(".class").replace("/", ".")
