"""`headwater.lineage(df)`: the lineage of a query from its plan alone. Nothing is run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.rules.lineage import Lineage, lineage_of
from headwater.spark.decode import decode
from headwater.spark.jvm import read_plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def lineage(frame: DataFrame) -> Lineage:
    """The lineage of a frame.

    Example:
        >>> headwater.lineage(spark.sql("SELECT upper(name) AS big FROM users")).columns  # doctest: +SKIP
    """
    return lineage_of(decode(read_plan(frame)))
