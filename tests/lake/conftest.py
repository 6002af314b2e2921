"""The Spark of the pipeline's tests: `make test` runs both in one process."""

from __future__ import annotations

from tests.pipeline.conftest import pipeline_spark

__all__ = ["pipeline_spark"]
