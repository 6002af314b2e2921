"""The pipeline tracks itself, and the page that says what it found is true."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.scripts import load_script

from headwater.lake.session.session import SessionOptions, pipeline_session

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from pyspark.sql import SparkSession

PATTERN = "spark.headwater.dataset.removePath.pattern"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return load_script("pipeline_lineage")


@pytest.mark.slow
@pytest.mark.usefixtures("pipeline_spark")
def test_the_page_is_what_the_pipeline_says_of_itself(script: ModuleType, tmp_path: Path) -> None:
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
