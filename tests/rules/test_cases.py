"""Every case under tests/cases: the lineage of its query is what the case says, on the recorded plans of each Spark."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from tests.lineage_cases import Case, cases
from tests.recordings import PLACE, change_of, default_spark, load, recorded_plan, recorded_sparks, settled

from headwater.capture.jvm.decode import decode
from headwater.rules.statements.lineage import lineage_of

SPARKS = recorded_sparks()


@pytest.mark.parametrize(
    ("spark_version", "case"),
    [pytest.param(version, case, id=f"{version} {case.name}") for version in SPARKS for case in cases(version)],
)
def test_case(spark_version: str, case: Case) -> None:
    try:
        plan = recorded_plan(case, spark_version)
    except LookupError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None

    assert case.answer(lineage_of(decode(plan))) == case.expected


def test_the_default_spark_is_recorded() -> None:
    assert default_spark() in SPARKS, "run `make recordings`"


@pytest.mark.parametrize("spark_version", SPARKS)
def test_a_recording_has_no_case_that_is_gone(spark_version: str) -> None:
    assert load(spark_version).keys() <= {case.name for case in cases(spark_version)}, (
        f"run `make recordings SPARK={spark_version}`"
    )


@pytest.mark.parametrize("spark_version", SPARKS)
def test_a_recording_names_no_place_of_the_machine_that_made_it(spark_version: str) -> None:
    text = json.dumps([line["plan"] for line in load(spark_version).values()])
    places = set(re.findall(r"\w+:/[^\"]*", text))
    assert places
    assert [place for place in places if not place.startswith(f"file:{PLACE}/")] == []
    assert re.findall(r"/(?:tmp|home|root|var|dev|Users)\b", text) == []


def test_a_plan_that_changed_is_shown_with_what_to_do() -> None:
    version, case = default_spark(), cases(default_spark())[0]
    plan = recorded_plan(case, version)
    types = [*plan["types"], "geography"]

    assert change_of(case, plan, version) is None
    assert change_of(case, {**plan, "types": types}, version) == (
        f"The plan of case {case.name!r} changed on Spark {version}: run `make recordings` and look at the diff.\n"
        f'+type {len(plan["types"])}: "geography"'
    )


def test_a_query_that_changed_needs_another_recording() -> None:
    case = cases("3.5.9")[0]

    with pytest.raises(LookupError, match=r"has another query .* run `make recordings SPARK=3.5.9` and look at the"):
        recorded_plan(replace(case, sql=f"{case.sql} LIMIT 1"), "3.5.9")
    with pytest.raises(LookupError, match=r"'new' is not recorded on Spark 3.5.9: run `make recordings SPARK=3.5.9`"):
        recorded_plan(replace(case, name="new"), "3.5.9")


def test_numbers_that_differ_from_run_to_run_are_settled() -> None:
    """Each by what it numbers: a query of WITH may have the number of a column."""

    def read(first: int, query: int, seed: int) -> dict[str, Any]:
        return {
            "classes": [
                ["p", "CTERelationRef", ["cteId", "output"]],
                ["p", "UnionLoop", ["id", "outputAttrIds", "seed"]],
                ["a", "AttributeReference", []],
                ["e", "Rand", ["child", "hideSeed"]],
                ["e", "Literal", ["sql", "value", "span"]],
                ["e", "CommonExpressionRef", ["id"]],
            ],
            "types": ["integer"],
            "nodes": [
                [0, [2], {"n": query}, [2]],
                [1, [2], {"n": query}, [{"n": first + 1}, {"n": first}], {"n": seed}],
                [2, first, f"max(b#{first})", 0, True],
                [3, None, "rand", None, 4, True],
                [4, None, "literal", 0, f"{seed}L", None, None],
                [5, first + 1, "commonexpressionref", None, {"c": "CommonExpressionId", "f": [{"n": query}, False]}],
                "p",
            ],
        }

    settled_once = settled(read(911, 7, 5), "/one")

    assert settled_once == settled(read(2, 2, -4), "/two")
    assert settled_once["nodes"] == [
        [0, [2], {"n": 1}, [2]],
        [1, [2], {"n": 1}, [{"n": 1}, {"n": 2}], {"n": 0}],
        [2, 2, "max(b#2)", 0, True],
        [3, None, "rand", None, 4, True],
        [4, None, "literal", 0, "0L", None, None],
        [5, 1, "commonexpressionref", None, {"c": "CommonExpressionId", "f": [{"n": 1}, False]}],
        "p",
    ]
