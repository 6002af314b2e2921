"""The support matrix says what the code does, for every class that the running Spark has."""

from __future__ import annotations

from types import ModuleType

import pytest
from pyspark.sql import SparkSession
from tests.scripts import load_script

from headwater.capture.jvm.classes import spark_classes
from headwater.rules.expressions import expressions, generators
from headwater.rules.expressions.masking import MASKING, OPAQUE, UNMASKING
from headwater.rules.operators import operators, relations
from headwater.rules.support import NOT_ANALYZED, OPAQUE_ON_PURPOSE

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return load_script("support_matrix")


def test_the_page_is_true(spark: SparkSession, script: ModuleType) -> None:
    said = script.only(script.parse(script.PAGE.read_text(encoding="utf-8")), spark.version)
    true = script.only(script.current(spark_classes(spark), spark.version), spark.version)
    assert said == true, "run scripts/support_matrix.py under this Spark"


def test_every_name_in_the_rules_is_a_class_of_some_spark(script: ModuleType) -> None:
    matrix = script.parse(script.PAGE.read_text(encoding="utf-8"))
    known = {name for names in matrix.values() for name in names}
    ruled = {
        *operators.RULES, *relations.RULES, *expressions.RULES, *expressions.LEAVES, *generators.RULES,
        *MASKING, *UNMASKING, *OPAQUE, *OPAQUE_ON_PURPOSE, *NOT_ANALYZED,
    }  # fmt: skip
    # The one name that is ours: what the reader had no budget for. Hive's classes and Delta's are in other jars.
    others = {"CheckOverflowInTableWrite", "CloneTableCommand", "HiveTableRelation", "RestoreTableCommand"}
    others |= {"HiveGenericUDF", "HiveGenericUDTF", "HiveSimpleUDF", "HiveUDAFFunction"}
    assert ruled - known == {"unread", *others} - known
