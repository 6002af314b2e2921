"""Every case under tests/cases: a real Spark gives the plan that is recorded, which the rules are tested with.

tests/rules/test_cases.py has what follows from the plans. A Spark without a recording has to show it here.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyspark
import pytest
from pyspark.sql import SparkSession
from tests.lineage_cases import Case, cases
from tests.record_cases import CaseSession
from tests.recordings import change_of, recorded_sparks

import headwater

pytestmark = pytest.mark.spark

VERSION = pyspark.__version__
IS_RECORDED = VERSION in recorded_sparks()


@pytest.fixture(scope="module")
def session(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CaseSession]:
    own = CaseSession(spark, tmp_path_factory.mktemp("cases"))
    yield own
    own.close()


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in cases(VERSION)])
def test_case(session: CaseSession, case: Case) -> None:
    if not IS_RECORDED:
        assert case.answer(headwater.lineage(session.frame(case))) == case.expected
        return
    try:
        change = change_of(case, session.plan(case), VERSION)
    except LookupError as error:
        change = str(error)
    if change:
        pytest.fail(change, pytrace=False)
