"""A Spark with Iceberg, Delta and Kafka, and a Kafka."""

from __future__ import annotations

from tests.capture.connectors.conftest import java, kafka, kafka_jars, spark

__all__ = ["java", "kafka", "kafka_jars", "spark"]
