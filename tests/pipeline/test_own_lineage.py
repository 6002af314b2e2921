"""The pipeline tracks itself, and the page that says what it found is true."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from headwater.pipeline.session import SessionOptions, pipeline_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCRIPT = Path(__file__).parents[2] / "scripts" / "pipeline_lineage.py"
PATTERN = "spark.headwater.dataset.removePath.pattern"


@pytest.fixture(scope="module")
def script() -> Any:  # noqa: ANN401  a module that is no part of a package
    spec = importlib.util.spec_from_file_location("pipeline_lineage", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.usefixtures("pipeline_spark")
def test_the_page_is_what_the_pipeline_says_of_itself(script: Any, tmp_path: Path) -> None:  # noqa: ANN401  as above
    made = script.page(tmp_path)
    assert made == script.PAGE.read_text(encoding="utf-8"), "run scripts/pipeline_lineage.py"


def test_a_users_own_pattern_for_names_holds_while_the_pipeline_tracks_itself(
    pipeline_spark: SparkSession, tmp_path: Path
) -> None:
    options = SessionOptions(track=f"sqlite:///{tmp_path / 'own.db'}")
    with pipeline_session(options) as spark:
        assert "remove" in str(spark.conf.get(PATTERN))
    assert pipeline_spark.conf.get(PATTERN, None) is None
    pipeline_spark.conf.set(PATTERN, "(?<remove>/mine)")
    try:
        with pipeline_session(options) as spark:
            assert spark.conf.get(PATTERN) == "(?<remove>/mine)"
        assert pipeline_spark.conf.get(PATTERN) == "(?<remove>/mine)"
    finally:
        pipeline_spark.conf.unset(PATTERN)
