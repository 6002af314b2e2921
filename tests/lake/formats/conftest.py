"""A Spark with Iceberg and Delta."""

from __future__ import annotations

from tests.capture.connectors.conftest import java, kafka_jars, spark

__all__ = ["java", "kafka_jars", "spark"]
